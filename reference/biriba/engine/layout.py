"""The flat state of an engine: one list of integers, and where in it everything is kept.

A hand is kept as planes: plane k has the bit of each face of which there are more than k copies; then a
word that is always 0, then the number of cards. A pile is its number of cards, then the cards, bottom
first. A zone of melds is their number, then for each meld its code and the faces by which it can grow.
"""

from __future__ import annotations

import keyword
from dataclasses import dataclass

from biriba.model.ruleset import OVER, Ruleset, ZoneDecl

NONE = -1_000_000
"""What stands for `none` in an engine."""

_TAKEN = """
S L P D R me mine n a k x at bit found size head shape phase template side owner subtotals choice allowed out
R T U O V W K row curve players limit lead worth potential guess greedy montecarlo choose whole_deal
record_start record_step record_end SAMPLES DEPTH SIDES KINDS KIND_MASK ACTIONS TURNS CHOICES_MET ENDED REFUSED
LEAD_CHANGES FIRST_COUNT ROW NEAR STANDS_IN points cards fits near
compiled remembered listing alike like table ints wider how_many heads live cards wilds keys space
legal why play deal score playout perft shuffle
range len min max True False None
"""
TAKEN = frozenset(_TAKEN.split())
"""The names that the source uses itself, so that no zone, state, action or definition gets them."""


class Names:
    """Identifiers of the generated source, each given once."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def take(self, wish: str) -> str:
        """An identifier like the one wished for."""
        name = "".join(c if c.isalnum() or c == "_" else "_" for c in wish)
        while name in self._used or name in TAKEN or keyword.iskeyword(name) or not name.isidentifier():
            name += "_"
        self._used.add(name)
        return name

    @property
    def all(self) -> frozenset[str]:
        """All identifiers that are taken."""
        return TAKEN | self._used


@dataclass(frozen=True, slots=True)
class Place:
    """Where the zones or state variables of one name are kept.

    Attributes:
        constant: the name of the constant that holds the address of owner 0.
        base: that address.
        stride: how far apart the owners are.
        owners: how many there are; low: the index of the first.
    """

    constant: str
    base: int
    stride: int
    owners: int
    low: int = 0

    def address(self, i: int) -> int:
        """The address of the i-th, counted from 0."""
        return self.base + self.stride * (self.low + i)


class FlatLayout:
    """Where everything is kept in the flat state of one rule set."""

    def __init__(self, rules: Ruleset, names: Names) -> None:
        self.rules = rules
        self.planes = max((face.copies for face in rules.cards.faces), default=1) or 1
        self.hand = self.planes + 2
        total = rules.cards.total
        self.constants: dict[str, int] = {}
        self.phases = {OVER: 0} | {phase: i for i, phase in enumerate(rules.phases, 1)}
        self._next = 0
        self.phase = self._single(names, "PHASE")
        self.turn = self._single(names, "TURN")
        self.dealer = self._single(names, "DEALER")
        self.deals = self._single(names, "DEALS")
        self.totals = self._single(names, "TOTALS", len(rules.table.sides))
        self.states: dict[str, Place] = {}
        for state in rules.states.values():
            self.states[state.name] = self._place(names, state.name, 1, len(rules.owners(state.owner)))
        self.zones: dict[str, Place] = {}
        self.melds_stride = 1 + 2 * total
        strides = {"hand": self.hand, "melds": self.melds_stride, "pile": 1 + total}
        for kind in ("hand", "melds", "pile"):
            for zone in rules.zones.values():
                if zone.kind == kind:
                    self.zones[zone.name] = self._place(names, zone.name, strides[kind], self.owners(zone), zone)
        self.blocked = self._single(names, "BLOCKED")
        self.length = self._next
        self.phase_names = {phase: names.take(phase.upper()) for phase in self.phases}
        self.action_names = {action: names.take(action.upper()) for action in rules.actions}

    def owners(self, zone: ZoneDecl) -> int:
        """How many zones of that name there are."""
        return len(self.rules.owners(zone.owner, zone.low, zone.high))

    def _single(self, names: Names, name: str, cells: int = 1) -> str:
        constant = names.take(name)
        self.constants[constant] = self._next
        self._next += cells
        return constant

    def _place(self, names: Names, name: str, stride: int, owners: int, zone: ZoneDecl | None = None) -> Place:
        low = zone.low if zone is not None and zone.owner == "number" else 0
        place = Place(names.take(name.upper()), self._next - stride * low, stride, owners, low)
        self.constants[place.constant] = place.base
        self._next += stride * owners
        return place
