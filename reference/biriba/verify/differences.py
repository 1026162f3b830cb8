"""Where two rule sets differ: the question in symbols, and the smallest position found that shows it.

Small means that few cards lie in hands and melds. Each position is shown to both interpreters before it is believed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from biriba import notation
from biriba.model import expr as x
from biriba.model.position import Action, Meld, Position
from biriba.model.pure import count_of
from biriba.model.types import Type
from biriba.verify.concrete import Reading
from biriba.verify.encode import Scope, is_term
from biriba.verify.shared import Pair, Shared
from biriba.verify.steps import Case, Detail, Step, Steps
from biriba.verify.symbols import SymMeld, SymPosition, equal_melds, equal_zones
from biriba.verify.terms import NONE, Term, and_, between, equal, integer, lookup, not_, or_, total
from biriba.verify.truths import links, makings, truths
from biriba.verify.verdicts import Witness
from biriba.verify.witness import Found, Referee, Search, sound, witness
from biriba.verify.zones import Union, equal_places

STEPS_DOWN = 5.0
"""The most seconds for one question when a smaller position is looked for."""


@dataclass
class Both:
    """A question to two rule sets in symbols.

    Attributes:
        facts: what holds of the position.
        differ: that the rule sets differ.
        arguments: what the question is about besides the position, as each rule set has it.
        tops: the symbols of the cards below the tops of piles.
        earlier: the position before the step, the same one if nothing looks back.
        subtotals: the points of the sides that both have, by the lines of the score sheet above.
    """

    makers: tuple[Steps, Steps]
    pair: Pair
    facts: list[Term]
    differ: Term
    arguments: tuple[Any, Any]
    tops: list[tuple[int, Term]]
    earlier: Pair
    subtotals: list[Term]

    @property
    def size(self) -> Term:
        """How many cards lie in hands and melds."""
        rules, layout = self.makers[0].rules, self.makers[0].encoder.layout
        slots = [s for s, (zone, _) in enumerate(layout.zone_slots) if rules.zones[zone].kind != "pile"]
        return total(self.pair.one.zones[slot].size for slot in slots)

    def melds(self) -> Iterator[SymMeld]:
        """The melds that the question names."""
        for argument in self.arguments[0] if isinstance(self.arguments[0], list) else self.arguments[0].env.values():
            if isinstance(argument, SymMeld):
                yield argument


@dataclass(frozen=True)
class Different:
    """A position in which two rule sets differ: what each says, and how many cards lie in hands and melds."""

    shown: Witness
    says: str
    size: int


class Question(Protocol):
    """A question to two rule sets."""

    @property
    def shared(self) -> Shared:
        """What the rule sets have in common."""

    @property
    def believed(self) -> bool:
        """Whether the invariants of both hold in the positions that are looked at."""

    def ask(self, detail: Detail) -> Both:
        """The question in symbols."""

    def read(self, both: Both, readings: tuple[Reading, Reading]) -> tuple[Any, ...]:
        """What the question is about in a model, as each rule set has it."""

    def confirm(
        self, referees: tuple[Referee, Referee], positions: tuple[Position, Position], read: tuple[Any, ...]
    ) -> tuple[Witness, str] | None:
        """What the interpreters say, if they differ."""


# ---------------------------------------------------------------- looking for a difference


class Smallest(Search):
    """Looks for the smallest position in which the answers to a question differ."""

    def __init__(self, referees: tuple[Referee, Referee], question: Question, melds: int, timeout: float) -> None:
        self.both, self.question, self.referees = question.ask(Detail(melds, rest=False)), question, referees
        one, other = self.both.makers
        super().__init__(referees[0], one, self.both.pair.one, self.both.facts, timeout)
        self.tops = self.both.tops
        self.facts += [*links(other, self.both.pair.other), *makings(other)]
        for meld in self.both.melds():
            self.facts += one.encoder.shapes.counted(meld)
        self._read: tuple[Reading, Reading] | None = None

    def lemmas(self, reading: Reading) -> Iterator[Term]:
        for referee, maker, its in zip(self.referees, self.both.makers, self._readings(reading), strict=True):
            yield from truths(referee, maker, its)

    def _readings(self, reading: Reading) -> tuple[Reading, Reading]:
        other = self.both.makers[1]
        return reading, Reading(other.rules, other.encoder.shapes.tables, reading.model)

    def action(self, reading: Reading) -> Action | None:
        self._read = self._readings(reading)
        return None

    def smallest(self) -> Different | None:
        """The smallest difference that is found; ever smaller ones are looked for, each within a few seconds."""
        best = self._different([])
        if best is None:
            return None
        low, self.timeout = 0, min(self.timeout, STEPS_DOWN)
        while low < best.size:
            middle = (low + best.size) // 2
            smaller = self._different([self.both.size <= middle])
            if smaller is None:
                low = middle + 1
            else:
                best = smaller
        return best

    def _different(self, more: list[Term]) -> Different | None:
        different: list[Different] = []

        def judge(position: Position, action: None) -> Found | None:
            found = self._confirmed(position)
            if found is None:
                return None
            different.append(found)
            return Found(position, None, None, ())

        self.find([self.both.differ, *more], judge, (None,) if more else (1, 2, 4, None))
        return different[0] if different else None

    def _confirmed(self, position: Position) -> Different | None:
        assert self._read is not None, "a model was read"
        other = self._read[1].position(self.both.pair.other, [])
        positions = (position, _ordered_alike(self.question.shared, position, other))
        for referee, its in zip(self.referees, positions, strict=True):
            broken = set(referee.rules.violated_invariants(its))
            meant = {s.clause for s in referee.ruleset.invariants if self.question.shared.meant(referee.ruleset, s)}
            if self.question.believed and broken & meant:
                return None
        said = self.question.confirm(self.referees, positions, self.question.read(self.both, self._read))
        if said is None:
            return None
        shown, says = said
        rules, layout = self.referee.ruleset, self.steps.encoder.layout
        slots = [s for s, (zone, _) in enumerate(layout.zone_slots) if rules.zones[zone].kind != "pile"]
        size = sum(_cards(item) for slot in slots for item in position.zones[slot])
        return Different(shown, f"{says}{_besides(self.question.shared, positions[1])}", size)


def _besides(shared: Shared, position: Position) -> str:
    """What only the second rule set has in its position."""
    a, b = shared.rules
    names = {*b.zones, *b.states} - {*a.zones, *a.states}
    parts = [part for part in notation.format_position(b, position).split("; ") if part.split()[0] in names]
    return f", with {'; '.join(parts)}" if parts else ""


def _cards(item: int | Meld) -> int:
    return len(item.cards) if isinstance(item, Meld) else 1


def _ordered_alike(shared: Shared, one: Position, other: Position) -> Position:
    """The position of the second rule set, with piles in the order that they have in that of the first."""
    zones = list(other.zones)
    for slot, there in shared.slots.items():
        if sorted(map(str, one.zones[slot])) == sorted(map(str, zones[there])):
            zones[there] = one.zones[slot]
    return Position(other.phase, other.turn, other.dealer, tuple(zones), other.states)


# ---------------------------------------------------------------- an action


@dataclass(frozen=True)
class Acting:
    """Whether an action is legal in one case, and where it leads."""

    shared: Shared
    case: Case
    other: Case
    believed: bool = True

    def ask(self, detail: Detail) -> Both:
        makers = self.shared.steps()
        one = makers[0].step(self.case, detail, "s", legal=False)
        other = makers[1].step(self.other, detail, "s", legal=False)
        assert one is not None, "an illegal step is one too"
        assert other is not None, "an illegal step is one too"
        before = self.shared.seen(one.before, other.before)
        other = makers[1].run(self.other, before, other.env, other.shape, self._phase_of(makers[1], before, other), "s")
        pair = Pair(one.before, before, [])
        facts = [*one.shape, *other.shape, *self.shared.common(one.before, before)]
        facts += self.shared.believed(makers, pair)
        facts += makers[0].encoder.unknowns.facts
        legal, also = one.legal, and_((self._grows(makers[1]), other.legal))
        same = and_(self.shared.same(one.after, other.after, equal_zones))
        differ = or_((not_(equal(legal, also)), and_((legal, not_(same)))))
        return Both(makers, pair, facts, differ, (one, other), one.tops, pair, [])

    def _phase_of(self, maker: Steps, before: SymPosition, step: Step) -> list[tuple[str, Term]]:
        """What must hold of the arguments; the phase is that of the first rule set's position."""
        decl = maker.rules.actions[self.other.action]
        phases = or_(equal(before.phase, maker.encoder.phases[phase]) for phase in decl.phases)
        return [(decl.clause, phases), *step.domain[1:]]

    def _grows(self, maker: Steps) -> bool:
        """Whether melds grow in this way by the second rule set too."""
        return all(
            mode in maker.encoder.shapes.modes(self.other.laid[str(param.of)][1])
            for param in maker.rules.actions[self.other.action].params
            for mode in [self.other.modes.get(param.name)]
            if mode is not None
        )

    def read(self, both: Both, readings: tuple[Reading, Reading]) -> tuple[Any, ...]:
        return readings[0].action(both.arguments[0]), readings[1].action(both.arguments[1])

    def confirm(
        self, referees: tuple[Referee, Referee], positions: tuple[Position, Position], read: tuple[Any, ...]
    ) -> tuple[Witness, str] | None:
        if not all(map(sound, read)):
            return None
        verdicts = [r.rules.judge(p, action) for r, p, action in zip(referees, positions, read, strict=True)]
        first, second = verdicts
        if first.legal == second.legal:
            after, also = first.position, second.position
            if after is None or also is None or self._same(after, also):
                return None
            says = "legal by both, but they lead to different positions"
        else:
            names = [referee.ruleset.name for referee in referees]
            told = ["legal" if verdict.legal else ", ".join(verdict.clauses) for verdict in verdicts]
            says = "; ".join(f"{name}: {what}" for name, what in zip(names, told, strict=True))
        clauses = (*first.clauses, *second.clauses)
        found = Found(positions[0], read[0], first.position or None, clauses)
        return witness(referees[0].ruleset, found), says

    def _same(self, after: Position, also: Position) -> bool:
        a, b = self.shared.rules
        return (
            after.phase == also.phase
            and a.table.seats[after.turn] == b.table.seats[also.turn]
            and all(after.states[i] == also.states[j] for i, j in self.shared.states.items())
            and all(_heap(after.zones[i]) == _heap(also.zones[j]) for i, j in self.shared.slots.items())
        )


def _heap(zone: tuple[Any, ...]) -> list[str]:
    return sorted(map(str, zone))


# ---------------------------------------------------------------- a property


@dataclass(frozen=True)
class Said:
    """An expression of a rule set, and which argument each of its variables is."""

    node: x.Node
    names: Mapping[str, int]


@dataclass(frozen=True)
class Saying:
    """What an expression of each rule set says.

    Attributes:
        types: the types of the arguments.
        seats: who acts, as each rule set has it.
        template: that of the melds among the arguments.
        believed: whether the invariants of both hold in the positions that are looked at.
    """

    shared: Shared
    said: tuple[Said, Said]
    types: tuple[Type, ...]
    seats: tuple[int, int]
    template: str
    believed: bool

    def ask(self, detail: Detail) -> Both:
        makers = self.shared.steps()
        pair = self.shared.pair(makers, self.seats, detail, "s")
        old = self.shared.pair(makers, self.seats, detail, "o") if self._looks_back() else pair
        facts = [*pair.facts, *(old.facts if old is not pair else ())]
        arguments: tuple[list[Any], list[Any]] = ([], [])
        for i, type_ in enumerate(self.types):
            for its, value in zip(arguments, self._argument(makers, f"it{i}", type_, facts), strict=True):
                its.append(value)
        subtotals = [integer(f"subtotal.{i}") for i, _ in self.shared.sides()]
        values = []
        for i, (maker, said) in enumerate(zip(makers, self.said, strict=True)):
            env = {name: arguments[i][at] for name, at in said.names.items()}
            now, earlier = (pair.one, pair.other)[i], (old.one, old.other)[i]
            sums = [0] * len(maker.rules.table.sides)
            for sides, term in zip(self.shared.sides(), subtotals, strict=True):
                sums[sides[i]] = term
            scope = Scope(now, self.seats[i], old=earlier, env=env, totals=tuple(sums), subtotals=tuple(sums))
            values.append(maker.encoder.value(said.node, scope))
        if self.believed:
            facts += self.shared.believed(makers, pair)
        else:
            facts += self._deck(makers, pair)
            facts += self._deck(makers, old) if old is not pair else []
        facts += makers[0].encoder.unknowns.facts
        differ = not_(_alike(makers[0], values[0], values[1]))
        return Both(makers, pair, facts, differ, arguments, [], old, subtotals)

    def _looks_back(self) -> bool:
        return any(isinstance(node, x.Old) for said in self.said for node in said.node.walk())

    def _argument(self, makers: tuple[Steps, Steps], name: str, type_: Type, facts: list[Term]) -> tuple[Any, Any]:
        """Symbols for an argument, as each rule set has it."""
        if type_.kind == "meld":
            melds = [maker.encoder.shapes.fresh(self.template, name) for maker in makers]
            for maker, meld in zip(makers, melds, strict=True):
                copies = maker.encoder.unknowns.copies
                facts += [*maker.encoder.shapes.fits(meld), maker.encoder.lawful_anywhere(meld)]
                facts += [count <= most for count, most in zip(meld.counts, copies, strict=True)]
            facts += makers[0].encoder.shapes.counted(melds[0])
            return melds[0], melds[1]
        value = integer(name)
        if type_.kind in ("seat", "side"):
            pairs = self.shared.seats if type_.kind == "seat" else self.shared.sides()
            facts.append(or_(equal(value, i) for i, _ in pairs))
            return value, lookup([dict(pairs).get(i, NONE) for i in range(max(i for i, _ in pairs) + 1)], value)
        if type_.kind != "int":
            facts.append(between(value, 0, count_of(self.shared.rules[0], type_.kind) - 1))
        return value, value

    def _deck(self, makers: tuple[Steps, Steps], pair: Pair) -> Iterator[Term]:
        """That the cards of the position are those of the deck."""
        everywhere = Union(pair.one.zones)
        for face, copies in enumerate(makers[0].encoder.unknowns.copies):
            yield equal(everywhere.count(face), copies)

    def read(self, both: Both, readings: tuple[Reading, Reading]) -> tuple[Any, ...]:
        found: tuple[list[Any], list[Any]] = ([], [])
        for its, reading, arguments in zip(found, readings, both.arguments, strict=True):
            for value, type_ in zip(arguments, self.types, strict=True):
                its.append(reading.meld(value) if type_.kind == "meld" else reading.number(value))
        earlier = None
        if both.earlier is not both.pair:
            one = readings[0].position(both.earlier.one, [])
            earlier = (one, _ordered_alike(self.shared, one, readings[1].position(both.earlier.other, [])))
        return (*found, earlier, [readings[0].number(term) for term in both.subtotals])

    def confirm(
        self, referees: tuple[Referee, Referee], positions: tuple[Position, Position], read: tuple[Any, ...]
    ) -> tuple[Witness, str] | None:
        first, second, earlier, subtotals = read
        if any(value is None for value in (*first, *second)):
            return None
        values = []
        for i, (referee, arguments) in enumerate(zip(referees, (first, second), strict=True)):
            sums = [0] * len(referee.ruleset.table.sides)
            for sides, points in zip(self.shared.sides(), subtotals, strict=True):
                sums[sides[i]] = points
            variables = {name: arguments[at] for name, at in self.said[i].names.items()}
            old = earlier[i] if earlier else positions[i]
            values.append(referee.value(self.said[i].node, variables, positions[i], self.seats[i], old, tuple(sums)))
        told = [self._told(i, self.said[i].node.type, value) for i, value in enumerate(values)]
        if told[0] == told[1]:
            return None
        names = [rules.name for rules in self.shared.rules]
        of = " ".join(self._told(0, type_, value) for value, type_ in zip(first, self.types, strict=True))
        says = f"{of + ': ' if of else ''}{names[0]} says {told[0]}, {names[1]} {told[1]}"
        if earlier:
            says += f"; before the step: {notation.format_position(self.shared.rules[0], earlier[0])}"
        return witness(self.shared.rules[0], Found(positions[0], None, None, ())), says

    def _told(self, i: int, type_: Type, value: Any) -> str:
        rules = self.shared.rules[i]
        match type_.kind:
            case "bool":
                return "yes" if value else "no"
            case _ if value is None:
                return "none"
            case "card":
                return str(rules.cards.faces[value].symbol)
            case "seat":
                return str(rules.table.seats[value])
            case "side":
                return f"{rules.table.seats[rules.table.members[value][0]]}'s side"
            case "suit" | "rank":
                return str(getattr(rules.cards, f"{type_.kind}s")[value].symbol)
            case "meld":
                return str(notation.format_meld(rules, value))
            case _:
                return str(value)


def _alike(maker: Steps, one: Any, other: Any) -> Term:
    """That two values are the same."""
    if is_term(one) and is_term(other):
        return equal(one, other)
    if isinstance(one, SymMeld) and isinstance(other, SymMeld):
        return equal_melds(one, other)
    return maker.encoder.unknowns.within(*equal_places(one, other), ("alike", id(one), id(other)))
