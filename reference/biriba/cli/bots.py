"""Players for games without people: they see what their seat sees, and know no game but through its rules.

A bot never looks at a hidden card: it plays on a guess, a position in which all cards that its seat
cannot see have been shuffled among the places where they may lie.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Protocol

from biriba.interpreter.rules import Illegal
from biriba.model.position import Action, Growth, Meld, Position, Zone

if TYPE_CHECKING:
    from biriba.interpreter.rules import Rules

LOOK_AHEAD = 4
"""With at most so many legal actions a bot plays each out to the end of its turn before it chooses."""
LONGEST_TURN = 60
USEFUL = 40
"""Points that a card is worth in hand if every meld its owner dreams of needs it."""


class Bot(Protocol):
    """A player: chooses one of the legal actions of a position, in which it is to act."""

    def choose(self, position: Position, legal: Sequence[Action]) -> Action: ...


class RandomBot:
    """Chooses among the kinds of action first, then among the actions of that kind, all alike."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def choose(self, position: Position, legal: Sequence[Action]) -> Action:
        kind = self.rng.choice(sorted({action.name for action in legal}))
        return self.rng.choice([action for action in legal if action.name == kind])


class SteadyBot:
    """Takes what raises its side's score, and throws away what it could use least."""

    def __init__(self, rules: Rules, rng: Random) -> None:
        self.rules = rules
        self.rng = rng
        self.layout = rules.layout

    def choose(self, position: Position, legal: Sequence[Action]) -> Action:
        if len(legal) == 1:
            return legal[0]
        guess = self._guess(position)
        try:
            if len(legal) <= LOOK_AHEAD:
                return max(legal, key=lambda action: self._value(self._play_out(guess, action), guess.turn))
            return self._step(guess, legal)
        except Illegal:  # rules by which hidden cards decide what is legal: the guess was wrong
            return self.rng.choice(legal)

    def _step(self, position: Position, legal: Sequence[Action]) -> Action:
        """What raises the score without ending the turn; else the best end of the turn."""
        seat, now = position.turn, self._value(position, position.turn)
        going_on: list[tuple[int, Action]] = []
        ending: list[tuple[int, Action]] = []
        for action in legal:
            after = self.rules.apply(position, action)
            gain = self._value(after, seat) - now
            goes_on = after.turn == seat and not self.rules.over(after)
            (going_on if goes_on else ending).append((gain, action))
        gain, best = max(going_on, default=(0, legal[0]), key=_first)
        if not ending or gain > 0:
            return best
        use = self._usefulness(position)

        def worth(end: tuple[int, Action]) -> float:
            gain, action = end
            return gain - USEFUL * max((use.get(c, 0.0) for c in self._cards(action)), default=0.0) + self.rng.random()

        return max(ending, key=worth)[1]

    def _play_out(self, position: Position, action: Action) -> Position:
        """The position at the end of the turn if it begins with that action."""
        seat = position.turn
        after = self.rules.apply(position, action)
        for _ in range(LONGEST_TURN):
            if after.turn != seat or self.rules.over(after):
                break
            legal = self.rules.legal(after)
            if not legal:
                break  # a dead end, which rules of one's own may have: not worth more than it is now
            after = self.rules.apply(after, self._step(after, legal))
        return after

    def _value(self, position: Position, seat: int) -> int:
        """The lead of the seat's side if the deal ended now."""
        totals = list(self.rules.score(position).totals)
        mine = totals.pop(self.rules.ruleset.table.side_of(seat))
        return mine - max(totals, default=0)

    def _guess(self, position: Position) -> Position:
        """The position with all cards that are hidden from the seat to act shuffled among their places."""
        zones: list[Zone] = list(position.zones)
        hidden = self.rules.view(position, position.turn).hidden
        # Sorted first: the guess must not depend on where the hidden cards really lie.
        cards = sorted(c for slot in hidden for c in _faces(zones[slot]))
        self.rng.shuffle(cards)
        for slot in hidden:
            size = len(zones[slot])
            name, _ = self.layout.zone_slots[slot]
            dealt, cards = cards[:size], cards[size:]
            zones[slot] = tuple(sorted(dealt) if self.rules.ruleset.zones[name].kind == "hand" else dealt)
        return replace(position, zones=tuple(zones))

    def _usefulness(self, position: Position) -> dict[int, float]:
        """For each card, how much of what the seat could lay with a hand twice as large needs it, from 0 to 1."""
        seat = position.turn
        slot = next(
            (
                i
                for i, (name, owner) in enumerate(self.layout.zone_slots)
                if owner == seat and self.rules.ruleset.zones[name].kind == "hand"
            ),
            None,
        )
        if slot is None:
            return {}
        hand = _faces(position.zones[slot])
        unseen = sorted(c for s in self.rules.view(position, seat).hidden for c in _faces(position.zones[s]))
        dream = sorted([*hand, *self.rng.sample(unseen, min(len(hand), len(unseen)))])
        zones: list[Zone] = list(position.zones)
        zones[slot] = tuple(dream)
        laid = [set(self._cards(a)) for a in self.rules.legal(replace(position, zones=tuple(zones))) if _lays(a)]
        return {c: sum(c in cards for cards in laid) / len(laid) for c in set(hand)} if laid else {}

    def _cards(self, action: Action) -> Iterable[int]:
        """The cards that an action takes from a hand."""
        for param, argument in zip(self.rules.ruleset.actions[action.name].params, action.args, strict=True):
            match argument:
                case Meld() if param.domain == "new_meld":
                    yield from argument.cards
                case Growth():
                    yield argument.card
                case int() if param.domain == "card":
                    yield argument


def _first(pair: tuple[int, Action]) -> int:
    return pair[0]


def _faces(zone: Zone) -> list[int]:
    return [card for card in zone if isinstance(card, int)]


def _lays(action: Action) -> bool:
    return any(isinstance(argument, (Meld, Growth)) for argument in action.args)
