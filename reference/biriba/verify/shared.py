"""What two rule sets have in common: the symbols that stand for the same thing in positions of both.

Zones and state variables of one name and kind are the same thing, those of seats of one name and of the sides of
their first seats too. What only one rule set has is any thing that its rules allow, and is said to be left aside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from biriba.model import expr as x
from biriba.model.ruleset import OVER, Ruleset, Statement
from biriba.verify.steps import Case, Detail, Steps
from biriba.verify.symbols import CardZone, SymPosition
from biriba.verify.terms import NONE, Term, equal, lookup, or_


class Incomparable(Exception):
    """The rule sets have no position in common; the message says why."""


class Shared:
    """What two rule sets have in common.

    Attributes:
        seats: the seats of both, as their indices in the one and in the other.
        templates: the names of the templates of both.
        slots, states: the slots of the zones and states of both, of the one to those of the other.
        aside: what is left aside, in words.
        alike: whether melds of the templates of both are lawful and grow alike.

    Raises:
        Incomparable: they have no cards, no seats or no phases in common.
    """

    def __init__(self, a: Ruleset, b: Ruleset) -> None:
        self.rules = (a, b)
        if [face.symbol for face in a.cards.faces] != [face.symbol for face in b.cards.faces]:
            raise Incomparable(f"{a.name} and {b.name} are not played with the same cards")
        if a.cards.places != b.cards.places:
            raise Incomparable(f"{a.name} and {b.name} order the cards of runs differently")
        self.seats = [(i, b.table.seats.index(s)) for i, s in enumerate(a.table.seats) if s in b.table.seats]
        self.phases = [phase for phase in (*a.phases, OVER) if phase in (*b.phases, OVER)]
        if not self.seats or self.phases == [OVER]:
            raise Incomparable(f"{a.name} and {b.name} have no seat or no phase in common")
        self.templates = [
            name
            for name, t in a.templates.items()
            if name in b.templates and (t.layout, t.key_type) == (b.templates[name].layout, b.templates[name].key_type)
        ]
        self.one_deck = [face.copies for face in a.cards.faces] == [face.copies for face in b.cards.faces]
        self.slots = _matching(_zones(a), _zones(b))
        self.states = _matching(_states(a), _states(b))
        self.alike = self.one_deck and growing(a, self.templates) == growing(b, self.templates)
        self.aside = list(self._aside())

    # ------------------------------------------------------------ what is left aside

    def _aside(self) -> Iterator[str]:
        a, b = self.rules
        if not self.one_deck:
            decks = f"{a.name} has {a.cards.total} cards and {b.name} {b.cards.total}"
            yield f"{decks}: positions are those of {a.name}, and how many cards {b.name} wants does not matter"
        for one, other in ((a, b), (b, a)):
            yield from _only(one, "seats", one.table.seats, other.table.seats)
            yield from _only(one, "phases", one.phases, other.phases)
            yield from _only(one, "melds", one.templates, self.templates)
            yield from _only(one, "zones", *(dict.fromkeys(k[0] for k in _zones(r)) for r in (one, other)))
            yield from _only(one, "states", *(dict.fromkeys(k[0] for k in _states(r)) for r in (one, other)))
        if a.table.sides != b.table.sides or a.table.members != b.table.members:
            yield f"the sides of {a.name} are {_sides(a)}, those of {b.name} {_sides(b)}: each is its first seat's"

    # ------------------------------------------------------------ positions

    def steps(self) -> tuple[Steps, Steps]:
        """Makers of problems in which the same thing has the same symbols."""
        a, b = self.rules
        one, other = Steps(a), Steps(b)
        for maker in (one, other):
            table = maker.rules.table
            maker.owners = {"seat": table.seats, "side": tuple(table.seats[m[0]] for m in table.members)}
            maker.templates = self.templates
        other.encoder.unknowns.share(one.encoder.unknowns, apart=not self.alike)
        if not self.alike:
            other.encoder.salt = "by the other"
        return one, other

    def case(self, case: Case) -> Case | None:
        """The case of the other rule set that is the same as one of the first, if it has it."""
        seat = dict(self.seats).get(case.me)
        laid = {name: (self.slots.get(slot, -1), template) for name, (slot, template) in case.laid.items()}
        named = [*case.templates.values(), *(template for _, template in laid.values())]
        if seat is None or not set(named) <= set(self.templates) or any(slot < 0 for slot, _ in laid.values()):
            return None
        return replace(case, me=seat, laid=laid)

    def pair(self, makers: tuple[Steps, Steps], seats: tuple[int, int], detail: Detail, name: str) -> Pair:
        """Any position as both rule sets have it, and what holds of it."""
        one, facts = makers[0].position(name, seats[0], detail, {})
        other, more = makers[1].position(name, seats[1], detail, {})
        other = self.seen(one, other)
        return Pair(one, other, [*facts, *more, *self.common(one, other)])

    def seen(self, one: SymPosition, other: SymPosition) -> SymPosition:
        """A position of the other rule set, with the phase and dealer of that of the first."""
        return replace(other, phase=lookup(self._phases(), one.phase), dealer=lookup(self._seats(), one.dealer))

    def common(self, one: SymPosition, other: SymPosition) -> Iterator[Term]:
        """That a position is one that both rule sets may have."""
        yield or_(equal(one.phase, i) for i, phase in enumerate(self._phases()) if phase != NONE)
        yield or_(equal(one.dealer, i) for i, _ in self.seats)

    def _phases(self) -> list[int]:
        a, b = self.rules
        there = (*b.phases, OVER)
        return [there.index(phase) if phase in there else NONE for phase in (*a.phases, OVER)]

    def _seats(self) -> list[int]:
        there = dict(self.seats)
        return [there.get(i, NONE) for i in range(len(self.rules[0].table.seats))]

    def sides(self) -> list[tuple[int, int]]:
        """The sides of both."""
        return [
            (self.rules[0].table.side_of(i), self.rules[1].table.side_of(j))
            for i, j in self.seats
            if self.rules[0].table.members[self.rules[0].table.side_of(i)][0] == i
            and self.rules[1].table.members[self.rules[1].table.side_of(j)][0] == j
        ]

    def believed(self, makers: tuple[Steps, Steps], pair: Pair) -> Iterator[Term]:
        """That the invariants of both hold; of the second's only what is not about how many cards there are."""
        for maker, position in zip(makers, (pair.one, pair.other), strict=True):
            for statement in maker.rules.invariants:
                if self.meant(maker.rules, statement):
                    yield maker.holds(statement, position)

    def meant(self, rules: Ruleset, statement: Statement) -> bool:
        """Whether a rule set's invariant is asked of the positions compared."""
        return rules is self.rules[0] or self.one_deck or not _counts_the_deck(rules, statement.body)

    def same(self, one: SymPosition, other: SymPosition, equal_zones: Callable[[Any, Any], Term]) -> Iterator[Term]:
        """That two positions are the same in what both rule sets have; the order of piles below their top aside."""
        yield equal(lookup(self._phases(), one.phase), other.phase)
        yield equal(lookup(self._seats(), one.turn), other.turn)
        for slot, there in self.states.items():
            yield equal(one.states[slot], other.states[there])
        for slot, there in self.slots.items():
            zone, also = one.zones[slot], other.zones[there]
            if isinstance(zone, CardZone) and isinstance(also, CardZone):
                yield from (equal(m, n) for m, n in zip(zone.counts, also.counts, strict=True))
            else:
                yield equal_zones(zone, also)


class Pair:
    """A position as two rule sets have it, and what holds of it."""

    def __init__(self, one: SymPosition, other: SymPosition, facts: list[Term]) -> None:
        self.one, self.other, self.facts = one, other, facts


# ---------------------------------------------------------------- names


Key = tuple[str, ...]


def _zones(rules: Ruleset) -> dict[Key, int]:
    """The slots of zones by name, kind and owner."""
    found: dict[Key, int] = {}
    for zone in rules.zones.values():
        for owner in _owners(rules, zone.owner, zone.low, zone.high):
            found[zone.name, zone.kind, owner] = len(found)
    return found


def _states(rules: Ruleset) -> dict[Key, int]:
    found: dict[Key, int] = {}
    for state in rules.states.values():
        for owner in _owners(rules, state.owner, 0, 0):
            found[state.name, state.type.kind, str(state.type.optional), owner] = len(found)
    return found


def _owners(rules: Ruleset, kind: str | None, low: int, high: int) -> tuple[str, ...]:
    if kind == "side":
        return tuple(rules.table.seats[members[0]] for members in rules.table.members)
    return rules.owners(kind, low, high)


def _matching(a: dict[Key, int], b: dict[Key, int]) -> dict[int, int]:
    return {slot: b[key] for key, slot in a.items() if key in b}


def _only(rules: Ruleset, what: str, mine: Any, theirs: Any) -> Iterator[str]:
    names = [name for name in mine if name not in theirs]
    if names:
        yield f"only {rules.name} has the {what} {', '.join(names)}"


def _sides(rules: Ruleset) -> str:
    table = rules.table
    return " and ".join("".join(table.seats[seat] for seat in members) for members in table.members)


# ---------------------------------------------------------------- what rules depend on


def _counts_the_deck(rules: Ruleset, body: x.Node) -> bool:
    nodes = list(body.walk())
    inner = [rules.definitions[node.definition].body for node in nodes if isinstance(node, x.Apply)]
    own = any(isinstance(n, x.Everywhere) or (isinstance(n, x.Call) and n.function == "copies") for n in nodes)
    return own or any(_counts_the_deck(rules, node) for node in inner)


def growing(rules: Ruleset, templates: list[str]) -> tuple[object, ...]:
    """All that decides which melds of some templates are lawful, how they grow and what they are worth."""
    nodes = [node for law in rules.laws for node in law.body.walk()]
    nodes += [node for name in templates for node in _shape(rules, name)]
    definitions = {node.definition for node in nodes if isinstance(node, x.Apply)}
    inner: list[x.Node] = []
    while True:
        inner = [node for name in definitions for node in rules.definitions[name].body.walk()]
        wider = definitions | {node.definition for node in inner if isinstance(node, x.Apply)}
        if wider == definitions:
            break
        definitions = wider
    numbers = {node.name: rules.parameters[node.name].value for node in [*nodes, *inner] if isinstance(node, x.Param)}
    meant = {name: rules.definitions[name].body for name in definitions}
    laws = [(law.template, law.var, law.body) for law in rules.laws if law.template in (None, *templates)]
    modes = [(growing.template, growing.mode) for growing in rules.growings if growing.template in templates]
    shapes = [(rules.templates[name].natural, rules.templates[name].substitute) for name in templates]
    faces = [(face.wild, face.value) for face in rules.cards.faces]
    return laws, modes, numbers, meant, shapes, faces


def _shape(rules: Ruleset, template: str) -> Iterator[x.Node]:
    found = rules.templates[template]
    yield from found.natural.walk()
    if found.substitute is not None:
        yield from found.substitute.walk()
