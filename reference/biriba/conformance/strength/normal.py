"""A normal form of rule sets: two that have the same play alike in every game.

The parameters are put in and everything that follows from them is worked out; state variables that never
change are put in as well; effects that do not touch the same things are brought into one order. So
that a mutant and its original have the same normal form is a proof that nobody can tell them apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from biriba.model import expr as x
from biriba.model import stmt
from biriba.model.ruleset import Ruleset
from biriba.model.types import BOOL

_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: bool(a == b),
    "!=": lambda a, b: bool(a != b),
    "<": lambda a, b: bool(a < b),
    "<=": lambda a, b: bool(a <= b),
    ">": lambda a, b: bool(a > b),
    ">=": lambda a, b: bool(a >= b),
}
_ARITH: dict[str, Callable[[int, int], int]] = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__}


def same(one: Ruleset, other: Ruleset) -> bool:
    """Whether two rule sets provably play alike; false if that is not seen, even if they do."""
    return normal(one) == normal(other)


def normal(rules: Ruleset) -> dict[str, Any]:
    """The normal form of a rule set."""
    return Normal(rules).parts()


@dataclass(frozen=True)
class _Touched:
    """What an effect reads and writes, and whether it may end the step."""

    reads: frozenset[str]
    writes: frozenset[str]
    ends: bool

    def independent(self, other: _Touched) -> bool:
        if self.ends or other.ends:
            return False
        return not (self.writes & (other.reads | other.writes) or other.writes & self.reads)


class Normal:
    """A rule set with its parameters put in.

    Attributes:
        constant: the states that never change, with their value.
        definitions: the bodies of the definitions, folded.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.constant: dict[str, Any] = {}
        self.definitions = {name: definition.body for name, definition in rules.definitions.items()}
        self.settle()

    def settle(self) -> None:
        """Find the definitions and the states that are always the same, until nothing new follows.

        A state is taken for constant if all that it is ever given is its first value, as long as it has that.
        """
        before: object = None
        while before != (before := (dict(self.constant), dict(self.definitions))):
            self.definitions = {name: self.fold(body) for name, body in self.definitions.items()}
            for state in self.rules.states.values():
                if state.name in self.constant:
                    continue
                first = self.fold(state.initial)
                effects = self.all_effects()
                self.constant[state.name] = first
                values = [self.fold(effect.value) for effect in _effects(effects) if _assigns(effect, state.name)]
                if not all(isinstance(v, x.Const) and v.value == first.value for v in values):
                    del self.constant[state.name]

    def all_effects(self) -> list[stmt.Effect]:
        found: list[stmt.Effect] = []
        for name in self.rules.actions:
            found += self.sequence(name)
        return found + [effect for step in self.rules.deal for effect in self.block(step.effects)]

    # ------------------------------------------------------------ the parts of a rule set

    def parts(self) -> dict[str, Any]:
        rules = self.rules
        laws = [(law.template, law.var, self.fold(law.body)) for law in rules.laws]
        guards = [(g.action, g.timing, self.fold(g.body), g.clause) for g in rules.guards]
        told: dict[str, Any] = {
            "cards": (rules.cards.faces, rules.cards.places),
            "table": (rules.table.seats, rules.table.sides, rules.table.members, rules.table.direction),
            "zones": [(z.name, z.kind, z.owner, z.low, z.high, z.seen) for z in rules.zones.values()],
            "states": [
                (s.name, s.owner, self.fold(s.initial)) for s in rules.states.values() if s.name not in self.constant
            ],
            "constant": [(name, value.value) for name, value in sorted(self.constant.items())],
            "templates": [
                (t.name, t.layout, t.key, self.fold(t.natural), self.fold(t.substitute))
                for t in rules.templates.values()
            ],
            "growings": [(g.template, g.mode) for g in rules.growings],
            "laws": [law for law in laws if not _is(law[2], True)],
            "actions": [
                (a.name, tuple((p.name, p.domain, self.fold(p.zone)) for p in a.params), a.phases, self.trace(a.name))
                for a in rules.actions.values()
            ],
            "guards": [guard for guard in guards if not _is(guard[2], True)],
            "deal": self.ordered([e for step in rules.deal for e in self.block(step.effects)]),
            "score": [(s.label, s.var, s.type, self.fold(s.where), self.fold(s.body)) for s in rules.score],
            "match": (
                [body for end in rules.match.ends if not _is(body := self.fold(end.body), False)],
                rules.match.winner and (rules.match.winner.var, self.fold(rules.match.winner.body)),
                rules.match.next_dealer and self.fold(rules.match.next_dealer.body),
            ),
        }
        told["definitions"] = self.used(told)
        return told

    def used(self, told: Any) -> list[tuple[str, Any, Any]]:
        """The definitions that something else in the rules names, directly or not."""
        names: set[str] = set()
        new = names_in(told)
        while new - names:
            names |= new
            new = set().union(*(names_in(self.definitions[name]) for name in names))
        return [(name, self.rules.definitions[name].params, self.definitions[name]) for name in sorted(names)]

    # ------------------------------------------------------------ effects

    def sequence(self, action: str) -> list[stmt.Effect]:
        """All effects of an action in the order in which they happen."""
        rules = self.rules
        blocks = [c.effects for c in rules.consequences_of(action, "before")]
        blocks += [rules.actions[action].effects, *(c.effects for c in rules.consequences_of(action, "then"))]
        return [effect for block in blocks for effect in self.block(block)]

    def trace(self, action: str) -> tuple[Any, ...]:
        return self.ordered(self.sequence(action))

    def block(self, block: Iterable[stmt.Effect]) -> list[stmt.Effect]:
        """The effects of a block, without those that do nothing."""
        found: list[stmt.Effect] = []
        for effect in block:
            match effect:
                case stmt.Cut():
                    pass  # the order of the deck is told as it lies after the cut
                case stmt.Assign(target=target) if target.name in self.constant:
                    pass
                case stmt.When(condition=condition, then=then, otherwise=otherwise):
                    folded = self.fold(condition)
                    if isinstance(folded, x.Const):
                        found += self.block(then if folded.value else otherwise)
                    elif inner := self.block(then) + self.block(otherwise):
                        whole = stmt.When(
                            condition=folded,
                            then=self.ordered(self.block(then)),
                            otherwise=self.ordered(self.block(otherwise)),
                        )
                        found += [whole] if inner else []
                case stmt.ForEach() | stmt.Repeat() | stmt.WithOne():
                    if self.block(effect.body):
                        found.append(replace(self.inside(effect), body=self.ordered(self.block(effect.body))))
                case _:
                    found.append(self.inside(effect))
        return found

    def inside(self, effect: Any) -> Any:
        """An effect with its expressions folded."""
        changed = {}
        for field in fields(effect):
            value = getattr(effect, field.name)
            if isinstance(value, x.Node):
                changed[field.name] = self.fold(value)
            elif isinstance(value, x.Binder):
                changed[field.name] = self.binder(value)
        return replace(effect, **changed)

    def ordered(self, effects: Sequence[stmt.Effect]) -> tuple[stmt.Effect, ...]:
        """The effects in one order of all those that come to the same, effects being independent or not."""
        left = [(effect, self.touched(effect), repr(effect)) for effect in effects]
        found = []
        while left:
            free = [
                i for i, (_, touched, _) in enumerate(left) if all(touched.independent(other[1]) for other in left[:i])
            ]
            chosen = min(free, key=lambda i: left[i][2])
            found.append(left.pop(chosen)[0])
        return tuple(found)

    def touched(self, effect: Any) -> _Touched:
        reads: set[str] = set()
        writes: set[str] = set()
        ends = False
        for field in fields(effect):
            value = getattr(effect, field.name)
            if isinstance(value, (x.Node, x.Binder)):
                reads |= self.read(value)
            elif isinstance(value, tuple):
                for inner in value:
                    of = self.touched(inner)
                    reads, writes, ends = reads | of.reads, writes | of.writes, ends or of.ends
        match effect:
            case stmt.Assign(target=target):
                writes.add(f"state {target.name}")
                reads.discard(f"state {target.name}")
                reads |= self.read(target.index) | self.read(effect.value)
            case stmt.Grow():
                writes |= {f"zone {z.name}" for z in self.rules.zones.values() if z.kind == "melds"}
            case stmt.TurnTo():
                writes.add("turn")
            case stmt.GoTo():
                writes.add("phase")
            case stmt.EndDeal():
                ends = True
        for name in ("source", "target"):
            zone = getattr(effect, name, None)
            if isinstance(zone, x.Zone):
                writes.add(f"zone {zone.name}")
        return _Touched(frozenset(reads), frozenset(writes), ends)

    def read(self, value: Any) -> set[str]:
        """What an expression looks at. `me` is fixed through a step, so that whose turn it is plays no part."""
        found: set[str] = set()
        for node in _nodes(value):
            match node:
                case x.State(name=name):
                    found.add(f"state {name}")
                case x.Zone(name=name):
                    found.add(f"zone {name}")
                case x.Everywhere():
                    found |= {f"zone {name}" for name in self.rules.zones}
                case x.PhaseIs():
                    found.add("phase")
                case x.Apply(definition=name):
                    found |= self.read(self.definitions[name])
                case x.May(action=name):
                    for guard in self.rules.guards_of(name, "require"):
                        found |= self.read(guard.body)
        return found

    # ------------------------------------------------------------ expressions

    def binder(self, binder: x.Binder) -> x.Binder:
        where = None if binder.where is None else self.fold(binder.where)
        return replace(binder, domain=self.fold(binder.domain), where=None if _is(where, True) else where)

    def fold(self, node: Any) -> Any:
        """An expression with all that is known put in."""
        if node is None:
            return None
        changed = {}
        for field in fields(node):
            value = getattr(node, field.name)
            if isinstance(value, x.Node):
                changed[field.name] = self.fold(value)
            elif isinstance(value, tuple) and value and isinstance(value[0], x.Node):
                changed[field.name] = tuple(map(self.fold, value))
            elif isinstance(value, tuple) and value and isinstance(value[0], x.Binder):
                changed[field.name] = tuple(map(self.binder, value))
            elif isinstance(value, tuple) and value and isinstance(value[0], x.Row):
                changed[field.name] = tuple(x.Row(tuple(map(self.fold, row.cells))) for row in value)
        return self.known(replace(node, **changed))

    def known(self, node: Any) -> Any:
        """A node whose parts have been folded."""
        match node:
            case x.Param(name=name):
                parameter = self.rules.parameters[name]
                value = parameter.value
                if isinstance(value, str):
                    return x.Const(value=parameter.options.index(value), type=node.type)
                return x.Const(value=value, type=node.type)
            case x.State(name=name) if name in self.constant:
                return self.constant[name]
            case x.Apply(definition=name) if isinstance(self.definitions[name], x.Const):
                return self.definitions[name]
            case x.Not(body=x.Const(value=value)):
                return _truth(not value)
            case x.Not(body=x.Not(body=body)):
                return body
            case x.And(parts=parts) | x.Or(parts=parts):
                return _joined(node, parts, isinstance(node, x.And))
            case x.Implies(left=x.Const(value=value), right=right):
                return right if value else _truth(True)
            case x.Implies(right=x.Const(value=True)):
                return _truth(True)
            case x.If(condition=x.Const(value=value), then=then, otherwise=otherwise):
                return then if value else otherwise
            case x.If(then=then, otherwise=otherwise) if then == otherwise:
                return then
            case x.Compare(op=op, left=x.Const(value=left), right=x.Const(value=right)) if None not in (left, right):
                return _truth(_ORDER[op](left, right))
            case x.Call(
                function="min" | "max" as function, args=(x.Const(value=int() as left), x.Const(value=int() as right))
            ):
                return x.Const(value=min(left, right) if function == "min" else max(left, right), type=node.type)
            case x.Arith(op=op, left=x.Const(value=int() as left), right=x.Const(value=int() as right)):
                return x.Const(value=_ARITH[op](left, right), type=node.type)
            case x.Quantified(quantifier=quantifier, body=x.Const(value=value)) if bool(value) == (
                quantifier == "every"
            ):
                return _truth(quantifier != "some")
        return node


def _joined(node: Any, parts: tuple[Any, ...], is_and: bool) -> Any:
    flat: list[Any] = []
    for part in parts:
        flat += part.parts if type(part) is type(node) else (part,)
    if any(_is(part, not is_and) for part in flat):
        return _truth(not is_and)
    rest = [part for part in flat if not _is(part, is_and)]
    unique = [part for i, part in enumerate(rest) if part not in rest[:i]]
    if not unique:
        return _truth(is_and)
    return unique[0] if len(unique) == 1 else replace(node, parts=tuple(unique))


def _truth(value: bool) -> x.Const:
    return x.Const(value=value, type=BOOL)


def _is(node: object, value: bool) -> bool:
    return isinstance(node, x.Const) and node.value is value


def _nodes(value: Any) -> Iterable[x.Node]:
    if isinstance(value, x.Node):
        yield from value.walk()
    elif isinstance(value, x.Binder):
        for child in value.children():
            yield from child.walk()


def _effects(effects: Iterable[Any]) -> Iterable[Any]:
    for effect in effects:
        yield effect
        for name in ("then", "otherwise", "body"):
            inner = getattr(effect, name, ())
            if isinstance(inner, tuple):
                yield from _effects(inner)


def _assigns(effect: Any, state: str) -> bool:
    return isinstance(effect, stmt.Assign) and effect.target.name == state


def names_in(value: Any) -> set[str]:
    """The definitions that are named anywhere in a value."""
    if isinstance(value, x.Apply):
        return {value.definition}.union(*map(names_in, value.args))
    if isinstance(value, Mapping):
        return set().union(*map(names_in, value.values()))
    if isinstance(value, (tuple, list)):
        return set().union(*map(names_in, value)) if value else set()
    if is_dataclass(value) and not isinstance(value, type):
        return set().union(*(names_in(getattr(value, field.name)) for field in fields(value)))
    return set()
