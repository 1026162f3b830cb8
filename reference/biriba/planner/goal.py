"""What a plan should lead to: a whole position, or only the parts of one that matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from biriba.model.position import Meld, Position, Zone
from biriba.notation.fields import parse_fields
from biriba.notation.positions import turn_of
from biriba.notation.vocabulary import vocabulary

if TYPE_CHECKING:
    from biriba.interpreter.rules import Rules


@dataclass(frozen=True, slots=True)
class Wanted:
    """What should lie in a zone.

    Attributes:
        size: how many cards or melds.
        contents: which ones, None if only their number matters.
        more: others may lie there too: beneath these in a pile, among them in a hand, after them on the table.
    """

    size: int
    contents: Zone | None = None
    more: bool = False

    def holds(self, zone: Zone, kind: str) -> bool:
        """Whether a zone is as wanted."""
        if len(zone) < self.size or (len(zone) > self.size and not self.more):
            return False
        if self.contents is None or zone == self.contents:
            return True
        if not self.more:
            return False
        if kind == "hand":
            return not Counter(self.contents) - Counter(zone)
        return (zone[: self.size] if kind == "melds" else zone[len(zone) - self.size :]) == self.contents


@dataclass(frozen=True, slots=True)
class Goal:
    """A position, as far as it matters.

    Attributes:
        phase, turn: as in a position.
        dealer: who dealt, None if that does not matter.
        zones: what should lie in zones, by slot; what lies in others does not matter.
        states: the values that states should have, by slot.
    """

    phase: str
    turn: int
    dealer: int | None
    zones: Mapping[int, Wanted]
    states: Mapping[int, int | bool | None]

    @staticmethod
    def exactly(position: Position) -> Goal:
        """The goal that is this position and no other."""
        zones = {slot: Wanted(len(zone), zone) for slot, zone in enumerate(position.zones)}
        return Goal(position.phase, position.turn, position.dealer, zones, dict(enumerate(position.states)))

    @staticmethod
    def seen(rules: Rules, position: Position) -> Goal:
        """What the seat to act sees of a position, and of what is hidden from it only where there are no cards."""
        hidden = rules.view(position, position.turn).hidden
        whole = Goal.exactly(position)
        zones = {slot: wanted for slot, wanted in whole.zones.items() if slot not in hidden or not wanted.size}
        return replace(whole, dealer=None, zones=zones)

    @staticmethod
    def stated(rules: Rules, text: str) -> Goal:
        """What a partial position states: its turn, its zones, and all states, which are initial if not mentioned.

        The zone into which the cards go that are not mentioned should hold the stated ones, on top if it is a pile.

        Raises:
            NotationError: the text is no partial position.
        """
        fields = parse_fields(rules.ruleset, text, "given")
        words = vocabulary(rules.ruleset)
        turn, phase = turn_of(rules.ruleset, fields)
        rest = words.deck_slot if fields.rest is None else fields.rest
        zones = {
            slot: Wanted(zone) if isinstance(zone, int) else Wanted(len(zone), zone, more=slot == rest and zone != ())
            for slot, zone in fields.zones.items()
        }
        states = {slot: fields.states.get(slot, initial) for slot, initial in enumerate(words.initial)}
        return Goal(phase, turn, fields.dealer, zones, states)

    def with_more_melds(self, rules: Rules) -> Goal:
        """The same, except that further melds may lie after the wanted ones."""
        kinds = [rules.ruleset.zones[name].kind for name, _ in rules.layout.zone_slots]
        zones = {s: replace(wanted, more=True) if kinds[s] == "melds" else wanted for s, wanted in self.zones.items()}
        return replace(self, zones=zones)

    def reached(self, rules: Rules, position: Position) -> bool:
        """Whether a position is as wanted."""
        kinds = [rules.ruleset.zones[name].kind for name, _ in rules.layout.zone_slots]
        return (
            (position.phase, position.turn) == (self.phase, self.turn)
            and self.dealer in (None, position.dealer)
            and all(wanted.holds(position.zones[slot], kinds[slot]) for slot, wanted in self.zones.items())
            and all(position.states[slot] == value for slot, value in self.states.items())
        )

    def cards(self) -> Counter[int]:
        """The cards that lie in the wanted zones, as far as they are known."""
        return Counter(card for wanted in self.zones.values() for card in cards_of(wanted.contents or ()))


def cards_of(zone: Zone) -> Iterator[int]:
    """The cards of a zone, those of its melds too."""
    for item in zone:
        if isinstance(item, Meld):
            yield from item.cards
        else:
            yield item
