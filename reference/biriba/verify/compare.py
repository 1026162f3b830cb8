"""Two rule sets: for each action, that they agree on it, or a position in which they do not.

They agree on an action if in every position in which the invariants of both hold it is legal by both
or by neither, and if so leads to the same position (the order of piles below the top aside). The
rule sets must speak of the same cards, table, zones, states, phases and templates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from biriba.model import expr as x
from biriba.model.position import Action, Position
from biriba.model.ruleset import Ruleset
from biriba.verify.encode import Unsupported
from biriba.verify.solving import Asked, Clock
from biriba.verify.steps import PROOF, Case, Detail, Step, Steps
from biriba.verify.symbols import CardZone, SymMeld, SymPosition, equal_zones
from biriba.verify.symmetry import representatives
from biriba.verify.terms import Term, and_, equal, not_, or_
from biriba.verify.verdicts import NOTED, PROVED, UNKNOWN, Result
from biriba.verify.witness import Found, Referee, Search, witness

GROUP = "the same by both"


class Incomparable(Exception):
    """The rule sets do not speak of the same things; the message says of which."""


def compare(a: Ruleset, b: Ruleset, timeout: float, told: Callable[[Result], None] | None = None) -> list[Result]:
    """For each action whether the rule sets agree on it.

    Raises:
        Incomparable: they do not speak of the same things.
    """
    _check(a, b)
    both = _Both(a, b, timeout)
    results: list[Result] = []
    for action in dict.fromkeys([*a.actions, *b.actions]):
        clock = Clock()
        if action not in a.actions or action not in b.actions:
            owner = a if action in a.actions else b
            result = Result(
                GROUP, owner.actions[action].clause, action, NOTED, 0.0, f"only {owner.name} has this action"
            )
        else:
            result = both.action(action, clock)
        results.append(result)
        if told:
            told(result)
    return results


def _check(a: Ruleset, b: Ruleset) -> None:
    for what, of in _VOCABULARY.items():
        if of(a) != of(b):
            raise Incomparable(f"{a.name} and {b.name} differ in their {what}, so that their positions differ")


_VOCABULARY: dict[str, Callable[[Ruleset], Any]] = {
    "cards": lambda r: [(face.symbol, face.copies) for face in r.cards.faces],
    "places": lambda r: r.cards.places,
    "seats and sides": lambda r: (r.table.seats, r.table.sides, r.table.members),
    "zones": lambda r: [(z.name, z.kind, z.owner, z.low, z.high) for z in r.zones.values()],
    "states": lambda r: [(s.name, s.owner, s.type.kind, s.type.optional) for s in r.states.values()],
    "phases": lambda r: r.phases,
    "melds": lambda r: [(t.name, t.layout, t.natural, t.substitute) for t in r.templates.values()],
}


@dataclass(frozen=True)
class _Pair:
    """One case of an action by both rule sets, in the same symbols."""

    first: Step
    second: Step
    facts: list[Term]

    @property
    def differ(self) -> Term:
        legal, also = self.first.legal, self.second.legal
        return or_((not_(equal(legal, also)), and_((legal, not_(_same(self.first.after, self.second.after))))))


class _Both:
    def __init__(self, a: Ruleset, b: Ruleset, timeout: float) -> None:
        self.rules, self.timeout = (a, b), timeout
        self.referees = (Referee(a), Referee(b))
        # Melds grow alike if all that decides it is alike; then what is unknown of them is the same unknown.
        self.alike = _growing(a) == _growing(b)

    def action(self, action: str, clock: Clock) -> Result:
        """The verdict about one action."""
        first, second = self.rules
        clause = first.actions[action].clause
        steps = Steps(first)
        seats = set(representatives(first)) | set(representatives(second))
        try:
            cases = {str(case): case for case in [*steps.cases(action), *Steps(second).cases(action)]}
            for case in (case for case in cases.values() if case.me in seats):
                if self._agree(case):
                    continue
                found = self._difference(case)
                if found is None:
                    note = "not provable, and no position was found in which they differ"
                    return Result(GROUP, clause, action, UNKNOWN, clock.read(), note)
                says = self._says(found)
                return Result(GROUP, clause, action, NOTED, clock.read(), says, witness(first, found))
        except Unsupported as reason:
            return Result(GROUP, clause, action, UNKNOWN, clock.read(), f"no encoding: {reason}")
        return Result(GROUP, clause, action, PROVED, clock.read())

    def _pair(self, case: Case, detail: Detail) -> tuple[Steps, _Pair]:
        one, other = Steps(self.rules[0]), Steps(self.rules[1])
        if self.alike:
            other.encoder.unknowns = one.encoder.unknowns
        else:
            other.encoder.unknowns.prefix = "b."
        steps: list[Step] = []
        for maker in (one, other):
            step = maker.step(case, detail, "s", legal=False)
            assert step is not None, "an illegal step is one too"
            steps.append(step)
        facts = [*steps[0].shape, *steps[1].shape]
        for maker, step in zip((one, other), steps, strict=True):
            facts += [maker.holds(statement, step.before) for statement in maker.rules.invariants]
            facts += maker.encoder.unknowns.facts
        return one, _Pair(steps[0], steps[1], facts)

    def _agree(self, case: Case) -> bool:
        _, pair = self._pair(case, PROOF)
        return Asked(pair.facts, self.timeout).possible(pair.differ) == "no"

    def _difference(self, case: Case) -> Found | None:
        for melds in (0, 1):
            steps, pair = self._pair(case, Detail(melds, rest=False))
            search = _PairSearch(self.referees[0], steps, pair, self.timeout)
            found = search.find([pair.differ], self._judge)
            if found is not None:
                return found
        return None

    def _judge(self, position: Position, action: Action) -> Found | None:
        a, b = self.referees
        if a.rules.violated_invariants(position) or b.rules.violated_invariants(position):
            return None
        one, two = a.rules.judge(position, action), b.rules.judge(position, action)
        if one.position == two.position:
            return None
        return Found(position, action, one.position or two.position, (*one.clauses, *two.clauses))

    def _says(self, found: Found) -> str:
        assert found.action is not None, "an action was judged"
        verdicts = [referee.rules.judge(found.position, found.action) for referee in self.referees]
        if all(verdict.legal for verdict in verdicts):
            return "legal by both, but they lead to different positions"
        return "; ".join(
            f"{rules.name}: " + ("legal" if verdict.legal else ", ".join(verdict.clauses))
            for rules, verdict in zip(self.rules, verdicts, strict=True)
        )


def _growing(rules: Ruleset) -> tuple[object, ...]:
    """All that decides which melds are lawful and how they grow."""
    nodes = [node for law in rules.laws for node in law.body.walk()]
    definitions = {node.definition for node in nodes if isinstance(node, x.Apply)}
    while True:
        inner = [node for name in definitions for node in rules.definitions[name].body.walk()]
        wider = definitions | {node.definition for node in inner if isinstance(node, x.Apply)}
        if wider == definitions:
            break
        definitions = wider
    numbers = {node.name: rules.parameters[node.name].value for node in [*nodes, *inner] if isinstance(node, x.Param)}
    meant = {name: rules.definitions[name].body for name in definitions}
    laws = [(law.template, law.var, law.body) for law in rules.laws]
    modes = [(growing.template, growing.mode) for growing in rules.growings]
    return laws, modes, numbers, meant, [face.wild for face in rules.cards.faces]


class _PairSearch(Search):
    def __init__(self, referee: Referee, steps: Steps, pair: _Pair, timeout: float) -> None:
        super().__init__(referee, steps, pair.first.before, pair.facts, timeout)
        self.step, self.tops = pair.first, pair.first.tops
        for value in pair.first.env.values():
            if isinstance(value, SymMeld):
                self.facts += steps.encoder.shapes.counted(value)

    def action(self, reading: Any) -> Action:
        action: Action = reading.action(self.step)
        return action


def _same(a: SymPosition, b: SymPosition) -> Term:
    return and_(_equalities(a, b))


def _equalities(a: SymPosition, b: SymPosition) -> Iterator[Term]:
    yield equal(a.phase, b.phase)
    yield equal(a.turn, b.turn)
    yield from (equal(value, other) for value, other in zip(a.states, b.states, strict=True))
    for zone, other in zip(a.zones, b.zones, strict=True):
        if isinstance(zone, CardZone) and isinstance(other, CardZone):
            yield from (equal(m, n) for m, n in zip(zone.counts, other.counts, strict=True))
        else:
            yield equal_zones(zone, other)
