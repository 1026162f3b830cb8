"""The laws that every meld must keep, and the bounds that follow from them.

Most laws speak only of a meld's template, key, places, size and number of substitutes. Then one
answer serves all melds that agree in these, however many different cards they have.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from biriba.interpreter.frame import Code, Constant, Env, Frame, Local
from biriba.model import expr as x
from biriba.model.position import Meld
from biriba.model.ruleset import Law
from biriba.model.types import Type

if TYPE_CHECKING:
    from biriba.interpreter.evaluate import Evaluator
    from biriba.interpreter.templates import Templates

_FLIPPED = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OUTSIDE = (x.State, x.Zone, x.Everywhere, x.Context, x.May, x.PhaseIs, x.Old)


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on the melds of a template that follow from the laws: cards at least and at most, substitutes."""

    least: int
    most: int
    substitutes: int


class Laws:
    """The laws of a rule set."""

    def __init__(self, evaluator: Evaluator, templates: Templates) -> None:
        self._evaluator, self._templates = evaluator, templates
        self._slot = evaluator.slot()
        laws = [(law, evaluator.compile(law.body, self.env_of(law))) for law in evaluator.rules.laws]
        self._of: dict[str, list[tuple[Law, Code]]] = {
            name: [(law, code) for law, code in laws if law.template in (None, name)]
            for name in evaluator.rules.templates
        }
        self._by_shape = all(self._speaks_of_shape(law.body) for law in evaluator.rules.laws)
        self._known: dict[tuple[object, ...], bool] = {}
        self._limits = {name: self._limits_of(name) for name in evaluator.rules.templates}

    def limits(self, template: str) -> Limits:
        return self._limits[template]

    def broken(self, meld: Meld) -> list[Law]:
        """The laws that a meld breaks; it must fit its template."""
        frame = self.frame_of(meld)
        return [law for law, code in self._of[meld.template] if not code(None, frame)]

    def frame_of(self, meld: Meld) -> Frame:
        """A frame in which the variable of the laws is a meld."""
        frame = self._evaluator.frame(0)
        frame[self._slot] = meld
        return frame

    def env_of(self, law: Law) -> Env:
        """Where that variable is kept, under the name that a law gives it."""
        return {law.var: Local(self._slot)}

    def keeps(self, meld: Meld, substitutes: int) -> bool:
        """Whether a meld, which has so many substitutes, breaks no law."""
        key: tuple[object, ...] = (meld.template, meld.key, meld.low, len(meld.cards), substitutes)
        if not self._by_shape:
            key = meld
        known = self._known.get(key)
        if known is None:
            if len(self._known) > 1 << 17:
                self._known.clear()
            known = self._known[key] = not self.broken(meld)
        return known

    def about_meld_alone(self, body: x.Node) -> bool:
        """Whether an expression looks at nothing but its own variables, so that it needs no position."""
        return not any(
            isinstance(node, _OUTSIDE)
            or (isinstance(node, x.Call) and node.function in ("total", "subtotal", "points", "owner"))
            or (
                isinstance(node, x.Apply)
                and not self.about_meld_alone(self._evaluator.rules.definitions[node.definition].body)
            )
            for node in body.walk()
        )

    def _speaks_of_shape(self, body: x.Node) -> bool:
        assert self.about_meld_alone(body), f"{body.span}: a law speaks of the meld alone"
        for node in body.walk():
            match node:
                case x.Grown() | x.Call(function="room" | "lawful" | "owner"):
                    return False
                case x.Call(function="copies", args=(_, x.Node(type=Type(kind="meld")))):
                    return False
                case x.Compare(left=left) if left.type.kind == "meld":
                    return False
                case x.Apply(definition=name) if not self._speaks_of_shape(
                    self._evaluator.rules.definitions[name].body
                ):
                    return False
        return True

    def _limits_of(self, template: str) -> Limits:
        rules = self._evaluator.rules
        least, most, substitutes = 1, rules.cards.total, rules.cards.total
        if rules.templates[template].layout == "sequence":
            most = min(most, len(rules.cards.places))
        for law, _ in self._of[template]:
            for function, op, bound in self._bounds(law.body, law.var, template):
                match function, op:
                    case "size", "<" | "<=" | "=":
                        most = min(most, bound - (op == "<"))
                    case "size", ">" | ">=":
                        least = max(least, bound + (op == ">"))
                    case "substitutes", "<" | "<=" | "=":
                        substitutes = min(substitutes, bound - (op == "<"))
        return Limits(least, most, substitutes)

    def _bounds(self, node: x.Node, var: str, template: str) -> Iterator[tuple[str, str, int]]:
        """The comparisons of a function of the meld with a number that must hold if the node does."""
        match node:
            case x.And(parts=parts):
                for part in parts:
                    yield from self._bounds(part, var, template)
            case x.Or(parts=parts):
                open_parts = [part for part in parts if not self._never(part, template)]
                if len(open_parts) == 1:
                    yield from self._bounds(open_parts[0], var, template)
            case x.Implies(left=x.IsTemplate(template=wanted), right=right) if wanted == template:
                yield from self._bounds(right, var, template)
            case x.Apply(definition=name, args=(x.Var(),)):
                definition = self._evaluator.rules.definitions[name]
                yield from self._bounds(definition.body, definition.params[0][0], template)
            case x.Compare(op=op, left=x.Call(function=function, args=(x.Var(name=name),)), right=right) if name == var:
                bound = self._number(right)
                if bound is not None:
                    yield function, op, bound
            case x.Compare(op=op, left=left, right=x.Call(args=(x.Var(),)) as right) if op in _FLIPPED:
                swapped = x.Compare(op=_FLIPPED[op], left=right, right=left, type=node.type)
                yield from self._bounds(swapped, var, template)

    def _never(self, node: x.Node, template: str) -> bool:
        """Whether a condition fails for every meld of the template."""
        match node:
            case x.IsTemplate(template=wanted):
                return wanted != template
            case x.Param() | x.Const() | x.Not(body=x.Param()):
                return not self._evaluator.constant(node)
            case _:
                return False

    def _number(self, node: x.Node) -> int | None:
        """The value of an expression in which only parameters occur."""
        if any(isinstance(part, (x.Var, x.Quantified, x.Fold)) for part in node.walk()):
            return None
        code = self._evaluator.compile(node)
        return int(code.value) if isinstance(code, Constant) else None
