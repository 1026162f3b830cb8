"""The value of an expression that looks at cards, seats and numbers only, at no position and no meld."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import cast

from biriba.model import expr
from biriba.model.ruleset import Parameter, Ruleset

Value = int | bool | None
Names = Mapping[str, Value]

_ORDER: dict[str, Callable[[int, int], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def evaluate(rules: Ruleset, node: expr.Node, names: Names | None = None) -> Value:
    """The value of an expression, given the values of its variables.

    Raises:
        ValueError: the expression looks at a position or a meld.
    """
    return _Pure(rules.parameters, rules).value(node, names or {})


def settled(parameters: Mapping[str, Parameter], node: expr.Node) -> Value:
    """The value of an expression that speaks of parameters only.

    Raises:
        ValueError: it speaks of something else.
    """
    return _Pure(parameters, None).value(node, {})


class _Pure:
    def __init__(self, parameters: Mapping[str, Parameter], rules: Ruleset | None) -> None:
        self.parameters = parameters
        self._rules = rules

    @property
    def rules(self) -> Ruleset:
        if self._rules is None:
            raise ValueError("this is no expression about parameters alone")
        return self._rules

    def value(self, node: expr.Node, names: Names) -> Value:
        match node:
            case expr.Const(value=value):
                return value
            case expr.Param(name=name):
                return self.parameter(name)
            case expr.Var(name=name):
                return names[name]
            case expr.Call(function=function, args=args):
                return self.call(function, [self.value(arg, names) for arg in args])
            case expr.Apply(definition=name, args=args):
                definition = self.rules.definitions[name]
                values = [self.value(arg, names) for arg in args]
                return self.value(definition.body, {p: v for (p, _), v in zip(definition.params, values, strict=True)})
            case expr.Not(body=body):
                return not self.value(body, names)
            case expr.And(parts=parts):
                return all(self.value(part, names) for part in parts)
            case expr.Or(parts=parts):
                return any(self.value(part, names) for part in parts)
            case expr.Implies(left=left, right=right):
                return not self.value(left, names) or bool(self.value(right, names))
            case expr.Compare(op=op, left=left, right=right):
                return _compare(op, self.value(left, names), self.value(right, names))
            case expr.Arith(op=op, left=left, right=right):
                return _arithmetic(op, self.number(left, names), self.number(right, names))
            case expr.If(condition=condition, then=then, otherwise=otherwise):
                return self.value(then if self.value(condition, names) else otherwise, names)
            case expr.Quantified(quantifier=quantifier, binders=binders, body=body):
                found = (bool(self.value(body, inner)) for inner in self.choices(binders, names))
                return all(found) if quantifier == "every" else any(found) == (quantifier == "some")
            case expr.Fold(kind=kind, binders=binders, body=body):
                return _fold(kind, [self.number(body, inner) for inner in self.choices(binders, names)])
            case _:
                raise ValueError(f"{type(node).__name__} is no expression about cards and numbers alone")

    def number(self, node: expr.Node, names: Names) -> int:
        return cast(int, self.value(node, names))

    def parameter(self, name: str) -> Value:
        parameter = self.parameters[name]
        if isinstance(parameter.value, str):
            return parameter.options.index(parameter.value)
        return parameter.value

    def call(self, function: str, args: list[Value]) -> Value:
        cards, table = self.rules.cards, self.rules.table
        first = cast(int, args[0])
        match function:
            case "rank":
                return cards.faces[first].rank
            case "suit":
                return cards.faces[first].suit
            case "wild":
                return cards.faces[first].wild
            case "value":
                return cards.faces[first].value
            case "copies" if len(args) == 1:
                return cards.faces[first].copies
            case "rank_at":
                return cards.places[first - 1] if 1 <= first <= len(cards.places) else None
            case "side":
                return table.side_of(first)
            case "left" | "right" | "next":
                return cast(int, getattr(table, function)(first))
            case "quotient":
                return first // cast(int, args[1])
            case "min":
                return min(cast(list[int], args))
            case "max":
                return max(cast(list[int], args))
            case _:
                raise ValueError(f"{function}() needs a position or a meld")

    def choices(self, binders: tuple[expr.Binder, ...], names: Names) -> Iterable[Names]:
        """The variables with every choice of values for the binders; later domains may use earlier variables."""
        chosen: list[Names] = [names]
        for binder in binders:
            wider = ({**outer, binder.var: value} for outer in chosen for value in self.domain(binder, outer))
            chosen = [inner for inner in wider if binder.where is None or self.value(binder.where, inner)]
        return chosen

    def domain(self, binder: expr.Binder, names: Names) -> Iterable[int]:
        if isinstance(binder.domain, expr.Range):
            return range(self.number(binder.domain.low, names), self.number(binder.domain.high, names) + 1)
        if isinstance(binder.domain, expr.Every):
            return range(count_of(self.rules, binder.type.kind))
        raise ValueError(f"{type(binder.domain).__name__} needs a position or a meld")


def count_of(rules: Ruleset, kind: str) -> int:
    """How many values a type of that kind has: ``card rank suit seat side``."""
    sizes = {
        "card": len(rules.cards.faces),
        "rank": len(rules.cards.ranks),
        "suit": len(rules.cards.suits),
        "seat": len(rules.table.seats),
        "side": len(rules.table.sides),
    }
    return sizes[kind]


def _compare(op: str, left: Value, right: Value) -> bool:
    if op == "=":
        return left == right
    if op == "!=":
        return left != right
    return left is not None and right is not None and _ORDER[op](left, right)


def _fold(kind: str, values: list[int]) -> int:
    match kind:
        case "count":
            return len(values)
        case "sum":
            return sum(values)
        case "greatest":
            return max(values)
        case _:
            return min(values)


def _arithmetic(op: str, left: int, right: int) -> int:
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case _:
            return left * right
