"""The types of results, with the bounds that follow from those of the operands."""

from __future__ import annotations

from typing import cast

from biriba.language.elaborate.names import Names
from biriba.model import expr as x
from biriba.model.builtins import Builtin
from biriba.model.types import CARD, RANK, SEAT, SIDE, SUIT, Type, number

RANGED = {"card": CARD, "rank": RANK, "suit": SUIT, "seat": SEAT, "side": SIDE}
"""The types whose values can be listed."""


def exact(names: Names, name: str) -> Type:
    """The type of a parameter: a number is known exactly."""
    parameter = names.parameters[name]
    if parameter.type.kind == "int":
        return number(cast(int, parameter.value), cast(int, parameter.value))
    return parameter.type


def argument_type(wanted: str) -> Type | None:
    kind = wanted.partition(":")[0]
    return number() if kind == "int" else RANGED.get(kind)


def result(builtin: Builtin, nodes: list[x.Node], names: Names) -> Type:
    """The result of a builtin, with the bounds that follow from its arguments."""
    a = nodes[0].type
    match builtin.name:
        case "min":
            b = nodes[1].type
            highs = [h for h in (a.high, b.high) if h is not None]
            return number(low(a.low, b.low), min(highs) if highs else None)
        case "max":
            b = nodes[1].type
            lows = [w for w in (a.low, b.low) if w is not None]
            return number(max(lows) if lows else None, high(a.high, b.high))
        case "quotient":
            b = nodes[1].type
            divisors = [d for d in (b.low, b.high) if d is not None]
            if a.low is None or a.high is None or len(divisors) < 2:
                return builtin.result
            corners = [n // d for n in (a.low, a.high) for d in divisors]
            return number(min(corners), max(corners))
        case "result":
            return Type("meld", detail=a.detail)
        case "size" | "copies" | "substitutes" | "naturals" | "room" if names.cards is not None:
            return number(0, names.cards.total)
        case "low" | "high" if names.cards is not None:
            return number(1, len(names.cards.places))
        case _:
            return builtin.result


def bounds(op: str, a: Type, b: Type) -> Type:
    """The range of a sum, difference or product; open where an operand's is."""
    if op == "+":
        low = None if a.low is None or b.low is None else a.low + b.low
        high = None if a.high is None or b.high is None else a.high + b.high
        return number(low, high)
    if op == "-":
        low = None if a.low is None or b.high is None else a.low - b.high
        high = None if a.high is None or b.low is None else a.high - b.low
        return number(low, high)
    corners = [p * q for p in (a.low, a.high) for q in (b.low, b.high) if p is not None and q is not None]
    if len(corners) == 4:
        return number(min(corners), max(corners))
    both_positive = a.low is not None and a.low >= 0 and b.low is not None and b.low >= 0
    return number(0 if both_positive else None, None)


def low(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else min(a, b)


def high(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else max(a, b)
