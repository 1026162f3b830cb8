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

    def how_many(x: int) -> int:
        return x.bit_count()

    return {
        "compiled": compiled,
        "remembered": functools.lru_cache(maxsize=REMEMBERED),
        "listing": listing,
        "alike": alike,
        "table": list,
        "ints": ints,
        "wider": wider,
        "how_many": how_many,
        "heads": heads,
        "live": live,
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


def listing(function: Callable[..., int]) -> Callable[..., int]:
    """Remember what a function lists: it writes into a list from a place on, and returns where that ends."""
    kept: dict[tuple[int, ...], list[int]] = {}

    def listed(cells: list[int], n: int, *key: int) -> int:
        found = kept.get(key)
        if found is None:
            if len(kept) == REMEMBERED:
                kept.clear()
            found = kept[key] = _listed(function, key)
        end = n + len(found)
        cells[n:end] = found
        return end

    return listed


def alike(growths: Callable[[int], list[int]]) -> Callable[[int], int]:
    """A function that gives the first meld met that has the same growths, so that less need be remembered."""
    first: dict[tuple[int, ...], int] = {}

    @functools.lru_cache(maxsize=REMEMBERED)
    def like(m: int) -> int:
        return first.setdefault(tuple(growths(m)[::2]), m)

    return like


def _listed(function: Callable[..., int], key: tuple[int, ...]) -> list[int]:
    """What a function lists, in as much room as that takes."""
    room = 1 << 11
    while True:
        cells = [0] * (2 * room)
        end = function(cells, 0, *key)
        if end <= room:
            return cells[:end]
        room = 2 * end


def live(width: int, places: Sequence[Sequence[int]], least: int, most: int) -> list[int]:
    """Which of the naturals at hand a sequence can have, one row of answers after another by the number of substitutes.

    A card of a sequence lies among the least number of cards in places that follow one another; where the naturals
    at hand do not fill them but for the substitutes, no card is of use.

    Args:
        width: how many bits the naturals take; an answer's place is the number of substitutes, then these bits.
        places: by place, the naturals that may stand there, as numbers of bits.
        least: the least cards of a lawful sequence.
        most: the most substitutes.
    """
    table: list[int] = []
    for substitutes in range(most + 1):
        row = [0] * (1 << width)
        for start in range(len(places) - least + 1):
            window = places[start : start + least]
            faces = sorted({bit for place in window for bit in place})
            for chosen in range(1, 1 << len(faces)):
                at_hand = [bit for i, bit in enumerate(faces) if chosen >> i & 1]
                if sum(bit in place for place in window for bit in at_hand) >= least - substitutes:
                    x = sum(1 << bit for bit in at_hand)
                    row[x] |= x
        for i in range(width):
            bit = 1 << i
            for x in range(1 << width):
                if x & bit:
                    row[x] |= row[x ^ bit]
        table += row
    return table


def execute(source: str, filename: str, names: dict[str, Any]) -> ModuleType:
    """The module of a generated source."""
    module = ModuleType("biriba_engine")
    vars(module).update(names)
    exec(compile(source, filename, "exec"), vars(module))
    return module
