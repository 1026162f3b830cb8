"""Numbers and truth values, known or symbolic, and the operations on them.

A `Term` is a Python `int` or `bool` where the value is known, else a Z3 expression. Every operation
computes what is known and leaves the rest to Z3, so that a rule set's parameters, an acting seat and
all that follows from them never reach the solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from biriba.verify.z3api import z3

Term = Any
"""An `int`, a `bool` or a Z3 expression."""

NONE = -1
"""How `none` is written as a number: all other values count from 0."""


def known(term: Term) -> bool:
    """Whether the value is known without the solver."""
    return isinstance(term, (int, bool))


def integer(name: str) -> Term:
    return z3.Int(name)


def boolean(name: str) -> Term:
    return z3.Bool(name)


def not_(a: Term) -> Term:
    return (not a) if known(a) else z3.Not(a)


def and_(parts: Iterable[Term]) -> Term:
    open_parts = []
    for part in parts:
        if known(part):
            if not part:
                return False
        else:
            open_parts.append(part)
    if not open_parts:
        return True
    return open_parts[0] if len(open_parts) == 1 else z3.And(open_parts)


def or_(parts: Iterable[Term]) -> Term:
    open_parts = []
    for part in parts:
        if known(part):
            if part:
                return True
        else:
            open_parts.append(part)
    if not open_parts:
        return False
    return open_parts[0] if len(open_parts) == 1 else z3.Or(open_parts)


def implies(a: Term, b: Term) -> Term:
    return or_((not_(a), b))


def same(a: Term, b: Term) -> bool:
    """Whether two terms are written alike; they may be equal without that."""
    if known(a) or known(b):
        return known(a) and known(b) and a == b
    return bool(a is b or a.eq(b))


def ite(condition: Term, then: Term, otherwise: Term) -> Term:
    if known(condition):
        return then if condition else otherwise
    if same(then, otherwise):
        return then
    if isinstance(then, bool) and isinstance(otherwise, bool):
        return condition if then else z3.Not(condition)
    if isinstance(then, bool) and not known(otherwise):
        return or_((condition, otherwise)) if then else and_((not_(condition), otherwise))
    if isinstance(otherwise, bool) and not known(then):
        return or_((not_(condition), then)) if otherwise else and_((condition, then))
    return z3.If(condition, then, otherwise)


def add(a: Term, b: Term) -> Term:
    if known(a) and a == 0:
        return b
    if known(b) and b == 0:
        return a
    return a + b


def subtract(a: Term, b: Term) -> Term:
    return a if known(b) and b == 0 else a - b


def multiply(a: Term, b: Term) -> Term:
    for x, y in ((a, b), (b, a)):
        if known(x):
            if x == 0:
                return 0
            if x == 1:
                return y
            return x * y
        if z3.is_app_of(x, z3.Z3_OP_ITE) and not known(y):
            # One number after another is easier than a product of two that are not known.
            condition, then, otherwise = x.children()
            return ite(condition, multiply(_plain(then), y), multiply(_plain(otherwise), y))
    return a * b


def _plain(term: Term) -> Term:
    """A number that Z3 has written as a term of its own."""
    return term.as_long() if z3.is_int_value(term) else term


def quotient(a: Term, b: Term, low: int | None, high: int | None) -> Term:
    """The first number divided by the second, rounded down; the second is 1 or more, and between bounds."""
    if known(a) and known(b):
        return a // b
    if known(b):
        return _term(a) / b
    if low is None or high is None or high - low > MOST_DIVISORS:
        return _term(a) / b
    result = quotient(a, high, None, None)
    for divisor in range(low, high):
        result = ite(equal(b, divisor), quotient(a, divisor, None, None), result)
    return result


MOST_DIVISORS = 64
"""Up to how many divisors are told apart: division by a number that is known is easier."""


def _term(value: Term) -> Term:
    return z3.IntVal(value) if known(value) else value


def total(parts: Iterable[Term]) -> Term:
    constant, open_parts = 0, []
    for part in parts:
        if known(part):
            constant += int(part)
        else:
            open_parts.append(part)
    if not open_parts:
        return constant
    if constant:
        open_parts.append(z3.IntVal(constant))
    return open_parts[0] if len(open_parts) == 1 else z3.Sum(open_parts)


def number(condition: Term) -> Term:
    """1 for yes, 0 for no."""
    return ite(condition, 1, 0)


def equal(a: Term, b: Term) -> Term:
    if known(a) and known(b):
        return a == b
    if isinstance(a, bool):
        return b if a else not_(b)
    if isinstance(b, bool):
        return a if b else not_(a)
    return True if same(a, b) else a == b


def compare(op: str, a: Term, b: Term) -> Term:
    match op:
        case "=":
            return equal(a, b)
        case "!=":
            return not_(equal(a, b))
        case "<":
            return a < b
        case "<=":
            return a <= b
        case ">":
            return a > b
        case _:
            return a >= b


def smaller(a: Term, b: Term) -> Term:
    return min(a, b) if known(a) and known(b) else ite(a <= b, a, b)


def greater(a: Term, b: Term) -> Term:
    return max(a, b) if known(a) and known(b) else ite(a >= b, a, b)


def lookup(table: Sequence[Term], index: Term, otherwise: Term = NONE) -> Term:
    """The entry of a table at an index; `otherwise` beyond its ends."""
    if known(index):
        return table[index] if 0 <= index < len(table) else otherwise
    result = otherwise
    groups: dict[Any, list[int]] = {}
    for i, value in enumerate(table):
        groups.setdefault(value if known(value) else ("open", i), []).append(i)
    for places in groups.values():
        result = ite(or_(index == i for i in places), table[places[0]], result)
    return result


def one_of(term: Term, values: Iterable[int]) -> Term:
    return or_(equal(term, value) for value in values)


def between(term: Term, low: int | None, high: int | None) -> Term:
    return and_([True if low is None else term >= low, True if high is None else term <= high])
