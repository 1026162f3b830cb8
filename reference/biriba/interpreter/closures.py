"""How compiled expressions are put together: logic, quantifiers and folds of closures.

What is known at compile time is a `Constant`, and what follows from constants is computed here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from biriba.interpreter.frame import Code, Constant, Frame

TRUE, FALSE = Constant(True), Constant(False)


def choice(condition: Code, then: Code, otherwise: Code) -> Code:
    """The one or the other, as a condition holds or not."""
    if isinstance(condition, Constant):
        return then if condition.value else otherwise
    return lambda s, f: then(s, f) if condition(s, f) else otherwise(s, f)


def negation(body: Code) -> Code:
    """Whether the body does not hold."""
    if isinstance(body, Constant):
        return Constant(not body.value)
    return lambda s, f: not body(s, f)


def conjunction(parts: Sequence[Code]) -> Code:
    """All of the parts, asked in order until one fails."""
    if any(isinstance(part, Constant) and not part.value for part in parts):
        return FALSE
    open_parts = tuple(part for part in parts if not isinstance(part, Constant))
    match open_parts:
        case ():
            return TRUE
        case (only,):
            return only
        case (a, b):
            return lambda s, f: a(s, f) and b(s, f)
        case (a, b, c):
            return lambda s, f: a(s, f) and b(s, f) and c(s, f)
        case _:
            return lambda s, f: all(part(s, f) for part in open_parts)


def disjunction(parts: Sequence[Code]) -> Code:
    """Any of the parts, asked in order until one holds."""
    if any(isinstance(part, Constant) and part.value for part in parts):
        return TRUE
    open_parts = tuple(part for part in parts if not isinstance(part, Constant))
    match open_parts:
        case ():
            return FALSE
        case (only,):
            return only
        case (a, b):
            return lambda s, f: a(s, f) or b(s, f)
        case _:
            return lambda s, f: any(part(s, f) for part in open_parts)


def exists(slot: int, domain: Code, body: Code) -> Code:
    """Whether the body holds for some value, tried in the variable's slot."""
    if isinstance(body, Constant):
        return (lambda s, f: len(domain(s, f)) > 0) if body.value else FALSE

    def run(s: Any, f: Frame) -> bool:
        for value in domain(s, f):
            f[slot] = value
            if body(s, f):
                return True
        return False

    return run


def for_all(slot: int, domain: Code, body: Code) -> Code:
    """Whether the body holds for every value."""
    if isinstance(body, Constant) and body.value:
        return TRUE

    def run(s: Any, f: Frame) -> bool:
        for value in domain(s, f):
            f[slot] = value
            if not body(s, f):
                return False
        return True

    return run


def total(slot: int, domain: Code, where: Code, body: Code) -> Code:
    """The sum of the body over all values for which `where` holds."""

    def run(s: Any, f: Frame) -> int:
        result = 0
        for value in domain(s, f):
            f[slot] = value
            if where(s, f):
                result += body(s, f)
        return result

    return run


def extreme(choose: Callable[[Any, Any], Any], slot: int, domain: Code, where: Code, body: Code) -> Code:
    """The greatest or smallest value of the body; none if there is no value at all."""

    def run(s: Any, f: Frame) -> Any:
        result = None
        for bound in domain(s, f):
            f[slot] = bound
            value = body(s, f) if where(s, f) else None
            if value is not None:
                result = value if result is None else choose(result, value)
        return result

    return run


def span(low: Code, high: Code) -> Code:
    """The numbers from low to high."""
    if isinstance(low, Constant) and isinstance(high, Constant):
        return Constant(range(low.value, high.value + 1))
    return lambda s, f: range(low(s, f), high(s, f) + 1)
