"""Expressions of a compiled rule set as text again: as the source has them, or shorter, for readers.

>>> from biriba.language.load import load_ruleset
>>> rules = load_ruleset("biriba")
>>> expression_source(rules, rules.laws[0].body)
'size(m) >= min_meld'
>>> readable(rules, rules.laws[0].body)
'size ≥ 3'
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from biriba.model import expr as x
from biriba.model.pure import Value, evaluate
from biriba.model.ruleset import Ruleset
from biriba.model.types import Type

_ANY, _OR, _AND, _NOT, _COMPARE, _SUM, _TERM, _ATOM = range(8)
_SIGNS = {"<=": "≤", ">=": "≥", "!=": "≠", "*": "×", "-": "−"}


def expression_source(rules: Ruleset, node: x.Node) -> str:
    """An expression in the words of the rule language, with no brackets but those that it needs."""
    return _Writer(rules, plain=True).write(node, _ANY)


def readable(rules: Ruleset, node: x.Node) -> str:
    """An expression for readers who see what it is about: numbers for parameters, no variables of one."""
    return _Writer(rules, plain=False).write(node, _ANY)


def value_text(rules: Ruleset, of: Type, value: Value) -> str:
    """A value of a type as the rule language writes it."""
    if value is None:
        return "none"
    names: Callable[[int], str] | None = {
        "card": lambda i: rules.cards.faces[i].symbol,
        "rank": lambda i: rules.cards.ranks[i].symbol,
        "suit": lambda i: rules.cards.suits[i].symbol,
        "seat": lambda i: rules.table.seats[i],
        "side": lambda i: rules.table.sides[i],
        "option": lambda i: rules.parameters[of.detail or ""].options[i],
    }.get(of.kind)
    if of.kind == "bool":
        return "yes" if value else "no"
    return str(int(value)) if names is None else names(int(value))


def parameter_text(rules: Ruleset, name: str) -> str:
    """The value of a parameter in words: ``13``, ``yes``, ``turn start``."""
    value = rules.parameters[name].value
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def constant_text(rules: Ruleset, node: x.Node) -> str | None:
    """The value of an expression that is the same at every moment of the game, else None."""
    try:
        return value_text(rules, node.type, evaluate(rules, node))
    except (ValueError, KeyError):
        return None


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes expressions; `plain` as the source has them, else shorter."""

    rules: Ruleset
    plain: bool

    def write(self, node: x.Node, level: int) -> str:
        text, own = self._text(node)
        return f"({text})" if own < level else text

    def sign(self, sign: str) -> str:
        return sign if self.plain else _SIGNS.get(sign, sign)

    def word(self, name: str) -> str:
        return name if self.plain else name.replace("_", " ")

    def _text(self, node: x.Node) -> tuple[str, int]:
        match node:
            case x.Not(body=x.Quantified() | x.Call() | x.Apply() as body):
                return f"not {self.write(body, _NOT)}", _NOT
            case x.Not(body=x.IsEmpty(zone=zone)):
                return f"{self.write(zone, _SUM)} is not empty", _COMPARE
            case x.Not(body=x.PhaseIs(phase=phase)):
                return f"phase is not {phase}", _COMPARE
            case x.Not(body=body):
                return f"not {self.write(body, _NOT)}", _NOT
            case x.And(parts=parts):
                return " and ".join(self.write(part, _NOT) for part in parts), _AND
            case x.Or(parts=parts):
                return " or ".join(self.write(part, _AND) for part in parts), _OR
            case x.Implies(left=left, right=right):
                return f"{self.write(left, _OR)} implies {self.write(right, _ANY)}", _ANY
            case x.If(condition=condition, then=then, otherwise=otherwise):
                texts = [self.write(part, _ANY) for part in (condition, then, otherwise)]
                return f"if {texts[0]} then {texts[1]} else {texts[2]}", _ANY
            case x.Compare(op=op, left=left, right=right):
                return f"{self.write(left, _SUM)} {self.sign(op)} {self.write(right, _SUM)}", _COMPARE
            case x.Arith(op="*", left=left, right=right):
                return f"{self.write(left, _TERM)} {self.sign('*')} {self.write(right, _ATOM)}", _TERM
            case x.Arith(op="-", left=x.Const(value=0), right=right):
                return f"{self.sign('-')}{self.write(right, _ATOM)}", _TERM
            case x.Arith(op=op, left=left, right=right):
                return f"{self.write(left, _SUM)} {self.sign(op)} {self.write(right, _TERM)}", _SUM
            case x.Quantified(quantifier=quantifier, binders=binders, body=body):
                return f"{quantifier} {self.binders(binders)}: {self.write(body, _ANY)}", _ANY
            case x.Fold(kind="count", binders=binders):
                return f"count each {self.binders(binders)}", _ANY
            case x.Fold(kind=kind, binders=binders, body=body):
                return f"{kind} of {self.write(body, _SUM)} for each {self.binders(binders)}", _ANY
            case x.IsTemplate(meld=meld, template=template):
                return f"{self.write(meld, _SUM)} is {template}", _COMPARE
            case x.IsEmpty(zone=zone):
                return f"{self.write(zone, _SUM)} is empty", _COMPARE
            case x.PhaseIs(phase=phase):
                return f"phase is {phase}", _COMPARE
            case x.Contains(card=card, zone=zone):
                return f"{self.write(card, _SUM)} in {self.write(zone, _SUM)}", _COMPARE
            case _:
                return self.atom(node), _ATOM

    def atom(self, node: x.Node) -> str:
        match node:
            case x.Const(type=type_, value=value):
                return value_text(self.rules, type_, value)
            case x.Param(name=name):
                return name if self.plain else parameter_text(self.rules, name).replace("_", " ")
            case x.Var(name=name) | x.Context(name=name):
                return name
            case x.State(name=name, index=index) | x.Zone(name=name, index=index):
                return name if index is None else f"{self.word(name)}[{self.write(index, _ANY)}]"
            case x.Everywhere():
                return "everywhere"
            case x.Call(function=name, args=args) | x.Apply(definition=name, args=args):
                return self.call(name, args)
            case x.May(action=name, args=args):
                return f"may {self.call(name, args)}"
            case x.Old(body=body):
                return f"old({self.write(body, _ANY)})"
            case x.Table(rows=rows):
                return "; ".join(self.write(cell, _ANY) for row in rows for cell in row.cells)
            case _:
                return type(node).__name__.lower()

    def call(self, name: str, args: tuple[x.Node, ...]) -> str:
        if not args or (not self.plain and len(args) == 1 and isinstance(args[0], x.Var)):
            return self.word(name)
        return f"{self.word(name)}({', '.join(self.write(arg, _ANY) for arg in args)})"

    def binders(self, binders: tuple[x.Binder, ...]) -> str:
        return ", each ".join(self.binder(binder) for binder in binders)

    def binder(self, binder: x.Binder) -> str:
        kind = str(binder.type.without_none())
        match binder.domain:
            case x.Range(low=low, high=high):
                text = f"{binder.var} in {self.write(low, _SUM)}..{self.write(high, _SUM)}"
            case x.CardsOf(zone=zone):
                text = f"{kind} {binder.var} in {self.write(zone, _SUM)}"
            case x.MeldsOf(zone=zone):
                text = f"{binder.var} in {self.write(zone, _SUM)}"
            case x.SeatsOf(side=side):
                text = f"{kind} {binder.var} of {self.write(side, _SUM)}"
            case x.SeatsFrom(seat=seat):
                text = f"{kind} {binder.var} from {self.write(seat, _SUM)}"
            case x.MeldsFrom(zone=zone, card=card):
                extra = "" if card is None else f" with {self.write(card, _SUM)}"
                text = f"{kind} {binder.var} from {self.write(zone, _SUM)}{extra}"
            case x.Grown(meld=meld, card=card, count=count):
                args = ", ".join(self.write(arg, _ANY) for arg in (meld, card, count))
                text = f"{binder.var} in grown({args})"
            case _:
                text = f"{kind} {binder.var}"
        return text if binder.where is None else f"{text} where {self.write(binder.where, _ANY)}"
