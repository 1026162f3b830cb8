"""Symbolic positions: what lies where is known only as far as constraints say.

A pile or hand is a count for each face, a size, and for a pile its top card. A zone of melds is a
list of melds in full detail and, in proofs, a `Rest`: any number of further melds of which nothing
is known but what the rules' own invariants say. Effects either touch melds that an action names, or
move all melds of a zone; a rest moves as one thing then. So a proof holds for any number of melds.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from biriba.verify.terms import Term, and_, boolean, equal, implies, integer, ite, known, not_, or_, total


@dataclass(frozen=True, eq=False)
class SymMeld:
    """A meld. `template` is fixed.

    Attributes:
        at: for a sequence the face at place 1, 2, ... (`NONE` where there is no card); empty for a group.
        counts: how many copies of each face the meld holds.
        name: tells melds apart in names of unknown functions of a meld.
    """

    template: str
    key: Term
    low: Term
    size: Term
    at: tuple[Term, ...]
    counts: tuple[Term, ...]
    name: str
    memo: dict[object, Term] = field(default_factory=dict, repr=False)

    @property
    def high(self) -> Term:
        return self.low + self.size - 1


@dataclass(frozen=True)
class SymLaid:
    """A laid meld: its zone's slot, its index there, its owner."""

    slot: int
    index: int
    owner: int
    meld: SymMeld


@dataclass(frozen=True)
class SymGrowth:
    """A growth: the card that is added, the way, and the meld afterwards.

    `high_end` says which end of a sequence grows; `place` is where a substitute is replaced.
    """

    mode: str
    card: Term
    result: SymMeld
    high_end: Term = None
    place: Term = None


@dataclass(frozen=True, eq=False)
class Rest:
    """Melds that are not looked at one by one: only the counts of their cards are symbols of their own."""

    name: str
    counts: tuple[Term, ...]
    size: Term


@dataclass(frozen=True, eq=False)
class CardZone:
    """A pile or hand. `top` has a meaning only if the zone is not empty; None for a hand."""

    counts: tuple[Term, ...]
    size: Term
    top: Term | None = None

    def has(self, face: int) -> Term:
        return self.counts[face] > 0

    def empty(self) -> Term:
        return equal(self.size, 0)


@dataclass(frozen=True, eq=False)
class MeldZone:
    """A zone of melds: melds in detail and rests, each with whether it lies there."""

    melds: tuple[tuple[Term, SymMeld], ...]
    rests: tuple[tuple[Term, Rest], ...] = ()

    def count(self, face: int) -> Term:
        parts: tuple[tuple[Term, SymMeld | Rest], ...] = (*self.melds, *self.rests)
        return total(ite(there, part.counts[face], 0) for there, part in parts)

    @property
    def size(self) -> Term:
        parts: tuple[tuple[Term, SymMeld | Rest], ...] = (*self.melds, *self.rests)
        return total(ite(there, part.size, 0) for there, part in parts)

    def empty(self) -> Term:
        return equal(self.size, 0)


SymZone = CardZone | MeldZone


@dataclass(frozen=True, eq=False)
class SymPosition:
    """A symbolic position; `phase` is an index into the phases, with that of the end after the last."""

    phase: Term
    turn: Term
    dealer: Term
    zones: tuple[SymZone, ...]
    states: tuple[Term, ...]

    def with_zone(self, slot: int, zone: SymZone) -> SymPosition:
        return replace(self, zones=(*self.zones[:slot], zone, *self.zones[slot + 1 :]))

    def with_state(self, slot: int, value: Term) -> SymPosition:
        return replace(self, states=(*self.states[:slot], value, *self.states[slot + 1 :]))


# ---------------------------------------------------------------- either this or that


def choose(condition: Term, a: SymPosition, b: SymPosition) -> SymPosition:
    """The position that is `a` if the condition holds, else `b`."""
    if known(condition):
        return a if condition else b
    return SymPosition(
        ite(condition, a.phase, b.phase),
        ite(condition, a.turn, b.turn),
        ite(condition, a.dealer, b.dealer),
        tuple(choose_zone(condition, x, y) for x, y in zip(a.zones, b.zones, strict=True)),
        tuple(ite(condition, x, y) for x, y in zip(a.states, b.states, strict=True)),
    )


def choose_zone(condition: Term, a: SymZone, b: SymZone) -> SymZone:
    """What lies in a zone after one of two things has happened to it."""
    if a is b:
        return a
    if isinstance(a, CardZone) and isinstance(b, CardZone):
        return _choose_cards(condition, a, b)
    assert isinstance(a, MeldZone), "zones of one slot are of one kind"
    assert isinstance(b, MeldZone), "zones of one slot are of one kind"
    melds = []
    for i in range(max(len(a.melds), len(b.melds))):
        here, there = a.melds[i : i + 1], b.melds[i : i + 1]
        if here and there and here[0][1].template == there[0][1].template:
            melds.append((ite(condition, here[0][0], there[0][0]), choose_meld(condition, here[0][1], there[0][1])))
        else:
            melds += [(and_((condition, present)), meld) for present, meld in here]
            melds += [(and_((not_(condition), present)), meld) for present, meld in there]
    where = {rest.name: [rest, present, False] for present, rest in a.rests}
    for present, rest in b.rests:
        where.setdefault(rest.name, [rest, False, False])[2] = present
    rests = ((ite(condition, present, other), rest) for rest, present, other in where.values())
    return MeldZone(tuple(melds), tuple((there, rest) for there, rest in rests if there is not False))


def either_zone(condition: Term, a: SymZone, b: SymZone) -> SymZone:
    """One of two zones, both of which stay as they are: melds of the one are not mixed with those of the other."""
    if known(condition):
        return a if condition else b
    if isinstance(a, CardZone) and isinstance(b, CardZone):
        return _choose_cards(condition, a, b)
    return MeldZone(
        tuple(
            (and_((side, there)), meld)
            for side, zone in ((condition, a), (not_(condition), b))
            for there, meld in melds_of(zone)
        ),
        tuple(
            (and_((side, there)), rest)
            for side, zone in ((condition, a), (not_(condition), b))
            for there, rest in rests_of(zone)
        ),
    )


def melds_of(zone: SymZone) -> tuple[tuple[Term, SymMeld], ...]:
    """The melds in detail that lie in a zone, each with whether it is there."""
    return zone.melds if isinstance(zone, MeldZone) else ()


def rests_of(zone: SymZone) -> tuple[tuple[Term, Rest], ...]:
    """The rests that lie in a zone, each with whether it is there."""
    return zone.rests if isinstance(zone, MeldZone) else ()


def _choose_cards(condition: Term, a: CardZone, b: CardZone) -> CardZone:
    counts = tuple(ite(condition, x, y) for x, y in zip(a.counts, b.counts, strict=True))
    top = None if a.top is None or b.top is None else ite(condition, a.top, b.top)
    return CardZone(counts, ite(condition, a.size, b.size), top)


def choose_meld(condition: Term, a: SymMeld, b: SymMeld) -> SymMeld:
    if a is b or known(condition):
        return a if a is b or condition else b
    return SymMeld(
        a.template,
        ite(condition, a.key, b.key),
        ite(condition, a.low, b.low),
        ite(condition, a.size, b.size),
        tuple(ite(condition, x, y) for x, y in zip(a.at, b.at, strict=True)),
        tuple(ite(condition, x, y) for x, y in zip(a.counts, b.counts, strict=True)),
        _name_of_choice(condition, a.name, b.name),
    )


_CHOICES: dict[tuple[int, str, str], tuple[Term, str]] = {}


def _name_of_choice(condition: Term, a: str, b: str) -> str:
    """A name that no other choice has; the condition is kept, so that its number stays its own."""
    return _CHOICES.setdefault((condition.get_id(), a, b), (condition, f"({a}|{b}#{len(_CHOICES)})"))[1]


# ---------------------------------------------------------------- equality


def equal_melds(a: SymMeld, b: SymMeld) -> Term:
    if a is b:
        return True
    if a.template != b.template:
        return False
    if a.name == b.name:  # the same symbols, made twice
        return and_(equal(x, y) for x, y in [(a.size, b.size), *zip(a.at, b.at, strict=True)])
    cards = zip(a.at, b.at, strict=True) if a.at else zip(a.counts, b.counts, strict=True)
    pairs = [(a.key, b.key), *cards]
    return and_(equal(x, y) for x, y in pairs)


def equal_zones(a: SymZone, b: SymZone) -> Term:
    """That the same lies in two zones; the order of a pile below its top card is left aside."""
    if a is b:
        return True
    if isinstance(a, CardZone) and isinstance(b, CardZone):
        counts = and_(equal(x, y) for x, y in zip(a.counts, b.counts, strict=True))
        if a.top is None or b.top is None:
            return counts
        return and_((counts, or_((equal(a.size, 0), equal(a.top, b.top)))))
    if not isinstance(a, MeldZone) or not isinstance(b, MeldZone):
        return False
    parts: list[Term] = []
    where = {rest.name: [rest, there, False] for there, rest in a.rests}
    for there, rest in b.rests:
        where.setdefault(rest.name, [rest, False, False])[2] = there
    parts += [or_((equal(here, there), equal(rest.size, 0))) for rest, here, there in where.values()]
    for i in range(max(len(a.melds), len(b.melds))):
        here = a.melds[i] if i < len(a.melds) else (False, None)
        there = b.melds[i] if i < len(b.melds) else (False, None)
        parts.append(equal(here[0], there[0]))
        if here[1] is not None and there[1] is not None:
            parts.append(implies(and_((here[0], there[0])), equal_melds(here[1], there[1])))
    return and_(parts)


# ---------------------------------------------------------------- fresh symbols


def fresh_counts(name: str, faces: int) -> tuple[Term, ...]:
    return tuple(integer(f"{name}#{face}") for face in range(faces))


def fresh_pile(name: str, faces: int, *, ordered: bool) -> CardZone:
    return CardZone(fresh_counts(name, faces), integer(f"{name}.size"), integer(f"{name}.top") if ordered else None)


def fresh_rest(name: str, faces: int) -> Rest:
    return Rest(name, fresh_counts(name, faces), integer(f"{name}.size"))


def fresh_flag(name: str) -> Term:
    return boolean(name)
