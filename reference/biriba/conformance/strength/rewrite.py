"""Small changes to expressions and effects, each of the kind of fault that a programmer makes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, NamedTuple

from biriba.model import expr as x
from biriba.model import stmt
from biriba.model.span import NOWHERE, Span
from biriba.model.types import SEAT

COMPARISONS = {"=": ("!=",), "!=": ("=",), "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<")}
ARITHMETIC = {"+": "-", "-": "+", "*": "+"}
CALLS = {"min": "max", "max": "min", "left": "right", "right": "left"}
CHANGED = (x.Node, stmt.Effect, x.Binder, x.Row)


class Change(NamedTuple):
    """A changed value.

    Attributes:
        value: what stands there instead.
        span: where in the source the change is.
        what: what was done, in words.
    """

    value: Any
    span: Span
    what: str


def changes(value: Any) -> Iterator[Change]:
    """All values that differ from an expression, an effect or a block in one place."""
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        yield from _in_tuple(value)
    elif isinstance(value, CHANGED) and is_dataclass(value):
        yield from _here(value)
        for field in fields(value):
            inner = getattr(value, field.name)
            if isinstance(inner, (*CHANGED, tuple)) and field.name != "type":
                for change in changes(inner):
                    span = change.span if change.span != NOWHERE else getattr(value, "span", NOWHERE)
                    yield change._replace(value=replace(value, **{field.name: change.value}), span=span)


def _in_tuple(value: tuple[Any, ...]) -> Iterator[Change]:
    for i, item in enumerate(value):
        for change in changes(item):
            yield change._replace(value=(*value[:i], change.value, *value[i + 1 :]))
        if isinstance(item, stmt.Effect):
            yield Change((*value[:i], *value[i + 1 :]), item.span, "effect dropped")
            if i + 1 < len(value):
                swapped = (*value[:i], value[i + 1], item, *value[i + 2 :])
                yield Change(swapped, item.span, "effect swapped with the next one")


def _here(value: Any) -> Iterator[Change]:
    """Changes to the node itself, its parts left as they are."""
    for changed, what in _changed(value):
        yield Change(changed, getattr(value, "span", NOWHERE), what)


def _changed(value: Any) -> Iterator[tuple[Any, str]]:
    match value:
        case x.Const(value=bool() as truth):
            yield replace(value, value=not truth), f"{_yes(truth)} becomes {_yes(not truth)}"
        case x.Const(value=int() as number) if value.type.kind == "int":
            for near in (number - 1, number + 1):
                yield replace(value, value=near), f"{number} becomes {near}"
        case x.Compare(op=op):
            for other in COMPARISONS[op] if value.left.type.kind == "int" or op in ("=", "!=") else ():
                if not (op in ("=", "!=") and other not in ("=", "!=")):
                    yield replace(value, op=other), f"{op} becomes {other}"
        case x.Arith(op=op):
            yield replace(value, op=ARITHMETIC[op]), f"{op} becomes {ARITHMETIC[op]}"
        case x.And(parts=parts) | x.Or(parts=parts):
            name = type(value).__name__.lower()
            for i in range(len(parts)):
                rest = (*parts[:i], *parts[i + 1 :])
                changed = rest[0] if len(rest) == 1 else replace(value, parts=rest)
                yield changed, f"part {i + 1} of the {name} dropped"
            joined, kind = ("or", x.Or) if name == "and" else ("and", x.And)
            yield kind(parts=parts, type=value.type, span=value.span), f"{name} becomes {joined}"
        case x.Not(body=body):
            yield body, "not dropped"
        case x.Implies(left=left, right=right):
            yield right, "the condition of the implication dropped"
            yield x.Implies(left=right, right=left, type=value.type, span=value.span), "the implication turned round"
        case x.If(condition=condition, then=then, otherwise=otherwise):
            yield replace(value, condition=condition, then=otherwise, otherwise=then), "if and else swapped"
            yield then, "always the if"
            yield otherwise, "always the else"
        case x.Call(function=function) if function in CALLS:
            yield replace(value, function=CALLS[function]), f"{function} becomes {CALLS[function]}"
        case x.Context(name="me"):
            yield x.Call(function="next", args=(value,), type=value.type), "me becomes the next player"
        case x.Context(name="mine"):
            me = x.Context(name="me", type=SEAT)
            theirs = x.Call(function="side", args=(x.Call(function="next", args=(me,), type=SEAT),), type=value.type)
            yield theirs, "my side becomes that of the next player"
        case x.Call(function="next", args=(seat,)):
            yield seat, "next(…) dropped"
        case x.Quantified(quantifier=quantifier):
            other = {"every": "some", "some": "every", "no": "some"}[quantifier]
            yield replace(value, quantifier=other), f"{quantifier} becomes {other}"
        case x.Fold(kind="greatest" | "smallest" as kind):
            other = {"greatest": "smallest", "smallest": "greatest"}[kind]
            yield replace(value, kind=other), f"{kind} becomes {other}"
        case x.Binder(where=x.Node()):
            yield replace(value, where=None), "where dropped"
        case x.Table(columns=columns, rows=rows):
            if len(columns) > 1:
                yield replace(value, columns=columns[::-1]), "columns turned round"
            for i in range(len(rows) - 1):
                swapped = (*rows[:i], rows[i + 1], rows[i], *rows[i + 2 :])
                yield replace(value, rows=swapped), f"rows {i + 1} and {i + 2} swapped"
            for i in range(len(rows)):
                conditions = (*value.conditions[:i], *value.conditions[i + 1 :])
                yield replace(value, rows=(*rows[:i], *rows[i + 1 :]), conditions=conditions), f"row {i + 1} dropped"
        case stmt.When(condition=condition):
            yes = x.Const(value=True, type=condition.type)
            yield replace(value, condition=yes), "always, not when"
        case stmt.WithOne(last=last):
            yield replace(value, last=not last), f"{'last' if last else 'first'} becomes {'first' if last else 'last'}"


def _yes(value: bool) -> str:
    return "yes" if value else "no"
