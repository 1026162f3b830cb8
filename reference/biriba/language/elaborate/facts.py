"""What is known to hold at a point of a rule: it makes partial operations safe.

Facts are expressions. From `a and b` both follow, from `not (a or b)` neither; `x is not none` lets
x be used as a value, `m is run` as a run, `stock is not empty` lets its top card be named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from biriba.model.expr import (
    And,
    Call,
    Compare,
    Const,
    Implies,
    IsEmpty,
    IsTemplate,
    Node,
    Not,
    Or,
    State,
    Zone,
)
from biriba.model.types import BOOL

_NEGATED = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def when_true(condition: Node) -> Iterator[Node]:
    """What follows from a condition that holds."""
    match condition:
        case And(parts=parts):
            for part in parts:
                yield from when_true(part)
        case Not(body=body):
            yield from when_false(body)
        case _:
            yield condition


def when_false(condition: Node) -> Iterator[Node]:
    """What follows from a condition that does not hold."""
    match condition:
        case Or(parts=parts):
            for part in parts:
                yield from when_false(part)
        case Implies(left=left, right=right):
            yield from when_true(left)
            yield from when_false(right)
        case Not(body=body):
            yield from when_true(body)
        case Compare(op=op, left=left, right=right):
            yield Compare(op=_NEGATED[op], left=left, right=right, type=BOOL)
        case _:
            yield Not(body=condition, type=BOOL)


def not_none(node: Node, facts: Iterable[Node]) -> bool:
    """Whether the facts say that a value is not none."""
    for fact in facts:
        match fact:
            case Compare(op="!=", left=left, right=Const(value=None)) if left == node:
                return True
            case Compare(op="!=", left=Const(value=None), right=right) if right == node:
                return True
            case Compare(op="=", left=left, right=right) if left == node and not right.type.optional:
                return True
    return False


def template_of(node: Node, facts: Iterable[Node]) -> str | None:
    """The template that the facts say a meld is of."""
    return next((f.template for f in facts if isinstance(f, IsTemplate) and f.meld == node), None)


def at_least(zone: Node, facts: Iterable[Node]) -> int:
    """The least number of cards that the facts say a zone holds."""
    least = 0
    for fact in facts:
        match fact:
            case Not(body=IsEmpty(zone=z)) if z == zone:
                least = max(least, 1)
            case Compare(op=op, left=Call(function="size", args=(z,)), right=right) if z == zone:
                bound = right.type.low
                if bound is not None:
                    least = max(least, {"=": bound, ">=": bound, ">": bound + 1}.get(op, 0))
                    if op == "!=" and isinstance(right, Const) and right.value == 0:
                        least = max(least, 1)
    return least


def surviving(facts: Iterable[Node], changed: set[str]) -> frozenset[Node]:
    """The facts that mention none of the zones and state variables that have changed."""
    return frozenset(
        fact
        for fact in facts
        if not any(isinstance(n, (Zone, State)) and n.name in changed for n in fact.walk())
        and not any(type(n).__name__ in ("Apply", "May", "Everywhere") for n in fact.walk())
    )
