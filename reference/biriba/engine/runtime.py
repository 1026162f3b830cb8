"""What the names mean that a generated source is given: once as plain Python, once for numba."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

REMEMBERED = 1 << 16


def plain() -> dict[str, Any]:
    """The names as plain Python: tables and states are lists, answers about melds are remembered."""

    def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
        return function

    def ints(n: int) -> list[int]:
        return [0] * n

    def wider(cells: list[int]) -> list[int]:
        return cells + [0] * max(8, len(cells))

    def joined(a: list[int], b: list[int]) -> list[int]:
        return a + b

    return {
        "compiled": compiled,
        "remembered": functools.lru_cache(maxsize=REMEMBERED),
        "table": list,
        "ints": ints,
        "wider": wider,
        "joined": joined,
        "heads": heads,
        "needed": needed,
    }


def heads(
    lawful: Callable[[int], bool],
    head: int,
    low_at: int,
    size_at: int,
    substitutes_at: int,
    places: int,
    in_sequence: Sequence[int],
    most_possible: Sequence[int],
    copies: Sequence[int],
) -> tuple[Any, list[int], list[int], list[int]]:
    """Which heads of melds are lawful, and for each shape the least and most cards and the most substitutes.

    A shape of which no meld is lawful gets a least number that cannot be reached.
    """
    table = bytearray(head + 1)
    least, most, most_substitutes = [], [], []
    for s, sequence in enumerate(in_sequence):
        sizes, substitutes = [places + sum(copies) + 1], [0]
        for low in range(1, places + 1) if sequence else (0,):
            # A chain of growths may try as many copies of a card again as the deck has.
            for size in range(1, places - low + 2 if sequence else most_possible[s] + max(copies) + 1):
                for used in range(size + 1):
                    code = s | low << low_at | size << size_at | used << substitutes_at
                    if lawful(code):
                        table[code] = 1
                        sizes.append(size)
                        substitutes.append(used)
        least.append(min(sizes))
        most.append(max(sizes[1:], default=0))
        most_substitutes.append(max(substitutes))
    return bytes(table), least, most, most_substitutes


def needed(width: int, places: Sequence[Sequence[int]], least: int) -> Sequence[int]:
    """For each set of natural faces, as bits, how many substitutes a sequence of the least size needs at least.

    Args:
        places: by place, the naturals that may stand there, as numbers of bits.
    """
    table = [255] * (1 << width)
    for start in range(len(places) - least + 1):
        weight = [sum(bit in place for place in places[start : start + least]) for bit in range(width)]
        filled = [0] * (1 << width)
        for x in range(1, 1 << width):
            low = x & -x
            filled[x] = filled[x ^ low] + weight[low.bit_length() - 1]
        table = [min(n, max(0, least - f)) for n, f in zip(table, filled, strict=True)]
    return table


def execute(source: str, filename: str, names: dict[str, Any]) -> ModuleType:
    """The module of a generated source."""
    module = ModuleType("biriba_engine")
    vars(module).update(names)
    exec(compile(source, filename, "exec"), vars(module))
    return module
