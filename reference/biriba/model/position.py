"""A position: where every card lies, whose turn it is, and the state variables.

Positions are immutable values; equal positions have equal text (`biriba.notation`). How the flat
tuples are laid out follows from the rule set: `Layout` maps names to slots.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from biriba.model.ruleset import Ruleset


class Meld(NamedTuple):
    """A meld as it lies.

    Attributes:
        template: the template's name.
        key: index of the suit or rank that the template asks for; None if it has no key.
        low: place of the first card in a sequence, None in a group.
        cards: face indices; in a sequence by place, in a group naturals by index, then substitutes by index.
    """

    template: str
    key: int | None
    low: int | None
    cards: tuple[int, ...]


class LaidMeld(NamedTuple):
    """A meld with its place on the table: slot of its zone, index in it, and its owner's index."""

    slot: int
    index: int  # type: ignore[assignment]  # hides the search method of tuples
    owner: int
    meld: Meld


class Growth(NamedTuple):
    """A way in which a meld grows by one card.

    Attributes:
        card: the face that is added.
        result: the meld afterwards.
        end: ``low`` or ``high`` for a sequence: where the card goes, or where the freed substitute goes.
        moved: the place from which a substitute is moved, None if none is.
    """

    card: int
    result: Meld
    end: str | None = None
    moved: int | None = None


class Action(NamedTuple):
    """An action with its arguments in the order of its parameters.

    An argument is a face, a `Meld`, a `LaidMeld`, a `Growth`, or the index or number of a value.
    """

    name: str
    args: tuple[object, ...] = ()


Zone = tuple[int, ...] | tuple[Meld, ...]
"""What lies in a zone: a pile bottom first, a hand sorted by face index, melds in the order laid."""


@dataclass(frozen=True, slots=True)
class Position:
    """Everything there is to know about a deal at one moment.

    Attributes:
        phase: name of the phase, ``over`` when the deal has ended.
        turn: the seat to act.
        dealer: the seat that dealt.
        zones: the contents of all zones, by slot.
        states: the values of all state variables, by slot.
    """

    phase: str
    turn: int
    dealer: int
    zones: tuple[Zone, ...]
    states: tuple[int | bool | None, ...]


class Layout:
    """The slots of a rule set's zones and state variables.

    Attributes:
        zone_slots: for each slot its zone's name and owner's index.
        state_slots: the same for state variables.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.zone_base: dict[str, int] = {}
        self.zone_slots: list[tuple[str, int]] = []
        for zone in rules.zones.values():
            self.zone_base[zone.name] = len(self.zone_slots)
            owners = rules.owners(zone.owner, zone.low, zone.high)
            self.zone_slots += [(zone.name, i) for i in range(len(owners))]
        self.state_base: dict[str, int] = {}
        self.state_slots: list[tuple[str, int]] = []
        for state in rules.states.values():
            self.state_base[state.name] = len(self.state_slots)
            self.state_slots += [(state.name, i) for i in range(len(rules.owners(state.owner)))]
