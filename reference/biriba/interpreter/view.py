"""What a seat can see of a position and of the actions that led to it.

A view is made from the visibilities of the zones alone. Of a zone that a seat does not see only the
number of cards is kept, so nothing that is derived from a view can depend on a hidden card.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from biriba.model.position import Action, Growth, LaidMeld, Layout, Meld, Position, Zone
from biriba.model.ruleset import ActionParam, Ruleset


@dataclass(frozen=True, slots=True)
class Hidden:
    """A zone, or an argument of an action, of whose cards only the number is known: that is its length."""

    cards: int

    def __len__(self) -> int:
        return self.cards


@dataclass(frozen=True, slots=True)
class View:
    """A position as a seat sees it: `seat` is its index, or None for a spectator."""

    seat: int | None
    phase: str
    turn: int
    dealer: int
    zones: tuple[Zone | Hidden, ...]
    states: tuple[int | bool | None, ...]

    @property
    def hidden(self) -> tuple[int, ...]:
        """The slots of the zones that the seat does not see."""
        return tuple(slot for slot, zone in enumerate(self.zones) if isinstance(zone, Hidden))


@dataclass(frozen=True, slots=True)
class Seen:
    """A step of a deal as a seat sees it: who acted, how, and the view afterwards.

    An argument that the seat could not see is `Hidden`.
    """

    actor: int
    action: Action
    after: View


class Viewer:
    """Shows positions of one rule set."""

    def __init__(self, rules: Ruleset, layout: Layout) -> None:
        self._rules, self._layout = rules, layout

    def sees(self, seat: int | None, slot: int) -> bool:
        """Whether a seat sees which cards lie in a zone."""
        name, owner = self._layout.zone_slots[slot]
        zone = self._rules.zones[name]
        if zone.seen == "all":
            return True
        if zone.seen == "nobody" or seat is None:
            return False
        return owner == (self._rules.table.side_of(seat) if zone.owner == "side" else seat)

    def view(self, position: Position, seat: int | None = None) -> View:
        """What a seat, or a spectator, sees of a position."""
        zones = tuple(
            zone if self.sees(seat, slot) else Hidden(_size(zone)) for slot, zone in enumerate(position.zones)
        )
        return View(seat, position.phase, position.turn, position.dealer, zones, position.states)

    def step(self, before: Position, action: Action, after: Position, seat: int | None = None) -> Seen:
        """What a seat sees of a step."""
        come_in_sight = self._visible(after, seat)
        come_in_sight.subtract(self._visible(before, seat))
        args = tuple(
            arg if seat == before.turn or self._knows(param, action, arg, seat, come_in_sight) else Hidden(_count(arg))
            for param, arg in zip(self._rules.actions[action.name].params, action.args, strict=True)
        )
        return Seen(before.turn, Action(action.name, args), self.view(after, seat))

    def _knows(
        self, param: ActionParam, action: Action, arg: object, seat: int | None, come_in_sight: Counter[int]
    ) -> bool:
        """Whether a seat that does not act knows an argument.

        It does if the argument names no cards, or if those lay in sight or have come in sight.
        """
        match arg:
            case LaidMeld(slot=slot):
                return self.sees(seat, slot)
            case Growth():
                laid = next(
                    a
                    for p, a in zip(self._rules.actions[action.name].params, action.args, strict=True)
                    if p.name == param.of
                )
                if isinstance(laid, LaidMeld) and not self.sees(seat, laid.slot):
                    return False
        if param.zone is None:
            return True
        lying = [slot for slot, (name, _) in enumerate(self._layout.zone_slots) if name == param.zone.name]
        if all(self.sees(seat, slot) for slot in lying):
            return True
        return all(come_in_sight[card] >= n for card, n in Counter(_cards(arg)).items())

    def _visible(self, position: Position, seat: int | None) -> Counter[int]:
        """How many copies of each card a seat sees."""
        counts: Counter[int] = Counter()
        for slot, zone in enumerate(position.zones):
            if self.sees(seat, slot):
                for item in zone:
                    counts.update(item.cards if isinstance(item, Meld) else (item,))
        return counts


def _size(zone: Zone) -> int:
    return sum(len(item.cards) if isinstance(item, Meld) else 1 for item in zone)


def _count(arg: object) -> int:
    return len(arg.meld.cards) if isinstance(arg, LaidMeld) else len(_cards(arg))


def _cards(arg: object) -> tuple[int, ...]:
    """The cards that an argument of an action names."""
    match arg:
        case Meld(cards=cards):
            return cards
        case Growth(card=card):
            return (card,)
        case int():
            return (arg,)
        case _:
            return ()
