"""Choices (`if … then … else …`): each of their cases is reached, and no two could apply, or the overlap is told.

That some case applies is a matter of the grammar: a definition is one expression, and every `if` has its `else`. Of
the cases that could apply the first counts. Each question is asked of any values of the variables around the choice, in
any position in which the invariants hold; amid effects, where they need not hold, in any position at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from typing import Any

from biriba import notation
from biriba.model import expr as x
from biriba.model import stmt
from biriba.model.pure import count_of
from biriba.model.ruleset import Ruleset
from biriba.model.types import BOOL, Type
from biriba.verify.concrete import Reading
from biriba.verify.encode import Scope
from biriba.verify.solving import Asked, Clock
from biriba.verify.steps import PROOF, Steps
from biriba.verify.symbols import SymGrowth, SymLaid, SymMeld
from biriba.verify.symmetry import representatives
from biriba.verify.terms import Term, and_, between, boolean, integer, not_
from biriba.verify.verdicts import NOTED, PROVED, UNKNOWN, Result

GROUP = "choice"
MOST_POINTS = 100_000
"""Totals beyond this, or below its negative, are not looked at."""

Variables = Mapping[str, Type]


@dataclass(frozen=True)
class Choice:
    """A chain of cases, of which the first that holds counts, and an `else`.

    Attributes:
        where: the definition, action or other place where it stands.
        variables: those that are bound around it.
        path: the conditions under which it is come to.
        amid: whether it stands amid effects.
    """

    clause: str
    where: str
    variables: Variables
    cases: tuple[x.Node, ...]
    path: tuple[x.Node, ...] = ()
    amid: bool = False


@dataclass(frozen=True)
class _Place:
    clause: str
    where: str
    variables: Variables
    amid: bool = False
    path: tuple[x.Node, ...] = field(default=())

    def choice(self, cases: tuple[x.Node, ...]) -> Choice:
        return Choice(self.clause, self.where, self.variables, cases, self.path, self.amid)

    def bind(self, binders: tuple[x.Binder, ...]) -> _Place:
        return replace(self, variables={**self.variables, **{b.var: b.type for b in binders}})

    def under(self, *conditions: x.Node) -> _Place:
        return replace(self, path=(*self.path, *conditions))


# ---------------------------------------------------------------- where there are choices


def choices(rules: Ruleset) -> Iterator[Choice]:
    """All choices of a rule set: in definitions, on the score sheet, in guards and laws, and amid effects."""
    for definition in rules.definitions.values():
        yield from _in(definition.body, _Place(definition.clause, definition.name, dict(definition.params)))
    for line in rules.score:
        place = _Place(line.clause, "score", {line.var: line.type})
        yield from (found for node in (line.where, line.body) if node is not None for found in _in(node, place))
    for law in rules.laws:
        yield from _in(law.body, _Place(law.clause, "law", {law.var: Type("meld", detail=law.template)}))
    for guard in rules.guards:
        yield from _in(guard.body, _Place(guard.clause, guard.action, _parameters(rules, guard.action)))
    for step in rules.deal:
        yield from _amid(step.effects, _Place(step.clause, "deal", {}, amid=True))
    for action in rules.actions.values():
        yield from _amid(action.effects, _Place(action.clause, action.name, _parameters(rules, action.name), amid=True))
    for consequence in rules.consequences:
        variables = _parameters(rules, consequence.action)
        yield from _amid(consequence.effects, _Place(consequence.clause, consequence.action, variables, amid=True))


def _parameters(rules: Ruleset, action: str) -> Variables:
    return {param.name: param.type for param in rules.actions[action].params}


def _amid(block: stmt.Block, place: _Place) -> Iterator[Choice]:
    for effect in block:
        match effect:
            case stmt.When(condition=condition, then=then, otherwise=otherwise):
                yield from _in(condition, place)
                yield from _amid(then, place)
                yield from _amid(otherwise, place)
            case stmt.ForEach(binder=binder, body=body) | stmt.WithOne(binder=binder, body=body):
                inner = place.bind((binder,))
                yield from (found for node in binder.children() for found in _in(node, inner))
                yield from _amid(body, inner)
            case stmt.Repeat(times=times, body=body):
                yield from _in(times, place)
                yield from _amid(body, place)
            case _:
                values = (getattr(effect, name) for name in effect.__dataclass_fields__)
                yield from (found for node in values if isinstance(node, x.Node) for found in _in(node, place))


def _in(node: x.Node, place: _Place) -> Iterator[Choice]:
    """The choices in an expression."""
    if isinstance(node, x.If):
        cases, last = [node.condition], node
        while isinstance(last.otherwise, x.If):
            last = last.otherwise
            cases.append(last.condition)
        yield place.choice(tuple(cases))
        here: x.Node = node
        while isinstance(here, x.If):
            yield from _in(here.condition, place)
            yield from _in(here.then, place.under(here.condition))
            place, here = place.under(x.Not(type=BOOL, body=here.condition)), here.otherwise
        yield from _in(here, place)
        return
    inner = place.bind(node.binders) if isinstance(node, (x.Quantified, x.Fold)) else place
    for child in node.children():
        yield from _in(child, inner)


# ---------------------------------------------------------------- what is asked of them


def prove_choices(rules: Ruleset, timeout: float, clauses: frozenset[str] = frozenset()) -> list[Result]:
    """The verdicts about every choice, or those of some clauses only."""
    results: list[Result] = []
    numbers: dict[tuple[str, str], int] = {}
    for choice in choices(rules):
        if clauses and choice.clause not in clauses:
            continue
        number = numbers[choice.clause, choice.where] = numbers.get((choice.clause, choice.where), 0) + 1
        about = choice.where if number == 1 else f"{choice.where}, choice {number}"
        results += _verdicts(rules, choice, about, timeout)
    return results


def _verdicts(rules: Ruleset, choice: Choice, about: str, timeout: float) -> Iterator[Result]:
    clock, n = Clock(), len(choice.cases)
    seats, kinds = representatives(rules), list(_kinds(rules, choice))
    asked = [_Asked(rules, choice, me, these, timeout) for me in seats for these in kinds]
    for i, j in combinations(range(n), 2):
        status, note = PROVED, ""
        for one in asked:
            both = and_((one.cases[i], one.cases[j]))
            answer = one.possible(both)
            if answer == "yes":
                status, note = NOTED, f"both may apply, the first counts{one.example(both)}"
                break
            status = UNKNOWN if answer == "unknown" else status
        yield Result(GROUP, choice.clause, f"{about}: cases {i + 1} and {j + 1} apart", status, clock.read(), note)
    for i in range(n + 1):
        name = f"case {i + 1}" if i < n else "else"
        answers = {one.possible(one.case(i)) for one in asked}
        status = PROVED if "yes" in answers else UNKNOWN if "unknown" in answers else NOTED
        note = "never reached" if status == NOTED else ""
        yield Result(GROUP, choice.clause, f"{about}: {name} reached", status, clock.read(), note)


def _kinds(rules: Ruleset, choice: Choice) -> Iterator[dict[str, tuple[Any, ...]]]:
    """What melds and growths the variables may be: by name the template, the place of a meld, the way of a growth."""
    options: list[list[tuple[str, tuple[Any, ...]]]] = []
    for name, type_ in choice.variables.items():
        templates = [t for t in rules.templates if type_.detail in (None, t)]
        if type_.kind == "meld":
            owners = range(len(rules.table.sides)) if type_.laid else (0,)
            options.append([(name, (template, owner)) for template in templates for owner in owners])
        elif type_.kind == "growth":
            options.append([(name, (g.template, g.mode)) for g in rules.growings if g.template in templates])
    yield from (dict(chosen) for chosen in product(*options))


class _Asked:
    """A choice in any position, for one seat and certain kinds of melds.

    Attributes:
        cases: that the condition of each case holds.
    """

    def __init__(
        self, rules: Ruleset, choice: Choice, me: int, kinds: Mapping[str, tuple[Any, ...]], timeout: float
    ) -> None:
        self.rules, self.choice, self.steps = rules, choice, Steps(rules)
        encoder = self.steps.encoder
        position, facts = self.steps.position("s", me, PROOF, {})
        old, of_old = self.steps.position("o", me, PROOF, {})
        if not _asks(rules, choice, _position):
            facts, of_old = [], []
        elif not choice.amid:
            facts += [self.steps.holds(statement, position) for statement in rules.invariants]
        self.env = {name: self._value(name, t, kinds.get(name), facts) for name, t in choice.variables.items()}
        self._totals, subtotals = (
            tuple(integer(f"{word}.{p}") for p in range(len(rules.table.sides))) for word in ("total", "subtotal")
        )
        facts += [between(points, -MOST_POINTS, MOST_POINTS) for points in self._totals]
        deals = integer("deals")
        scope = Scope(position, me, old, self.env, self._totals, subtotals, deals)
        self.cases = [encoder.value(case, scope) for case in choice.cases]
        path = [encoder.value(condition, scope) for condition in choice.path]
        self._asked = Asked([*facts, *of_old, deals >= 0, *path, *encoder.unknowns.facts], timeout)

    def _value(self, name: str, type_: Type, kind: tuple[Any, ...] | None, facts: list[Term]) -> Any:
        """Symbols for any value of a variable."""
        shapes = self.steps.encoder.shapes
        if kind is not None:
            meld = shapes.fresh(kind[0], name)
            facts += [*shapes.fits(meld), *shapes.counted(meld), self.steps.encoder.lawful_anywhere(meld)]
            facts += [meld.counts[face.index] <= face.copies for face in self.rules.cards.faces]
            if type_.kind == "growth":
                growth, grows = shapes.growth(meld, kind[1], f"{name}.growth")
                facts += grows
                return growth
            return SymLaid(self._slot(), 0, kind[1], meld) if type_.laid else meld
        if type_.kind == "bool":
            return boolean(name)
        value, high = integer(name), type_.high
        if type_.kind == "option":
            high = len(self.rules.parameters[str(type_.detail)].options) - 1
        elif type_.kind != "int":
            high = count_of(self.rules, type_.kind) - 1
        facts.append(between(value, type_.low if type_.kind == "int" else 0, high))
        return value

    def _slot(self) -> int:
        """Some zone of melds: of a laid meld only the owner is asked."""
        return next(s for s, (z, _) in enumerate(self.steps.encoder.layout.zone_slots) if self._has_melds(z))

    def _has_melds(self, zone: str) -> bool:
        return self.rules.zones[zone].kind == "melds"

    def case(self, i: int) -> Term:
        """That a case is the first that holds, or none is if it is beyond the last."""
        return and_((*(not_(earlier) for earlier in self.cases[:i]), *self.cases[i : i + 1]))

    def possible(self, term: Term) -> str:
        return self._asked.possible(term)

    def example(self, term: Term) -> str:
        """Values of the variables for which a term holds, in words."""
        model = self._asked.model(term)
        if model is None:
            return ""
        reading = Reading(self.rules, self.steps.encoder.shapes.tables, model)
        told = [f"{name} = {self._told(reading, t, self.env[name])}" for name, t in self.choice.variables.items()]
        if _asks(self.rules, self.choice, _total):
            sides = zip(self.rules.table.sides, self._totals, strict=True)
            told.append(f"totals {', '.join(f'{side} {reading.number(points)}' for side, points in sides)}")
        return f", for instance for {'; '.join(told)}" if told else ""

    def _told(self, reading: Reading, type_: Type, value: Any) -> str:
        match value:
            case SymGrowth():
                return value.mode
            case SymMeld() | SymLaid():
                meld = reading.meld(value.meld if isinstance(value, SymLaid) else value)
                assert meld is not None, "a meld of a model has cards"
                return notation.format_meld(self.rules, meld)
            case _:
                read = reading.truth if type_.kind == "bool" else reading.number
                return notation.format_value(self.rules, type_, read(value))


def _asks(rules: Ruleset, choice: Choice, what: Callable[[x.Node], bool]) -> bool:
    """Whether something is asked in the conditions of a choice, in the definitions that they use too."""

    def within(node: x.Node) -> bool:
        return any(
            what(n) or (isinstance(n, x.Apply) and within(rules.definitions[n.definition].body)) for n in node.walk()
        )

    return any(within(node) for node in (*choice.cases, *choice.path))


def _total(node: x.Node) -> bool:
    return isinstance(node, x.Call) and node.function == "total"


def _position(node: x.Node) -> bool:
    return isinstance(node, (x.State, x.Zone, x.Everywhere, x.PhaseIs, x.Context, x.May))
