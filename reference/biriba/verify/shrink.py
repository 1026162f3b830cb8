"""Positions that show something, made as small as they can be: nothing can be left out of what is left.

Melds that the action does not name are taken away, cards are taken out of hands and piles, and state
variables are set to what they are at first; all cards go back to the undealt or, where there must be
none of those, to another pile. The interpreter is asked each time whether it still shows the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from biriba.interpreter.evaluate import Evaluator
from biriba.model.position import Action, LaidMeld, Meld, Position, Zone
from biriba.model.ruleset import Ruleset
from biriba.model.stmt import Shuffle

if TYPE_CHECKING:
    from biriba.verify.witness import Found, Judge

ASKED = 800
"""How often the interpreter is asked at most."""


class Shrinker:
    """Makes what was found smaller, for one rule set."""

    def __init__(self, ruleset: Ruleset) -> None:
        evaluator = Evaluator(ruleset)
        slots = evaluator.layout.zone_slots
        self._kinds = [ruleset.zones[name].kind for name, _ in slots]
        self._owners = [owner if ruleset.zones[name].owner == "seat" else None for name, owner in slots]
        deck = {effect.target.name for step in ruleset.deal for effect in step.effects if isinstance(effect, Shuffle)}
        piles = [
            s for s, (name, _) in enumerate(slots) if self._kinds[s] == "pile" and ruleset.zones[name].owner is None
        ]
        self.sinks = sorted(piles, key=lambda s: slots[s][0] not in deck)
        """Where cards are put, the pile of the undealt first."""
        frame = evaluator.frame(0)
        self._initial = [
            evaluator.compile(ruleset.states[state].initial)(None, frame) for state, _ in evaluator.layout.state_slots
        ]

    def smallest(self, found: Found, judge: Judge, *, same_hand: bool = False) -> Found:
        """The same thing shown by a position that cannot be made smaller in one of these ways.

        Args:
            same_hand: leave the hand of the player to act as it is.
        """
        asked, shrinking = 0, True
        while shrinking:
            shrinking = False
            for position, action in self._smaller(found.position, found.action, same_hand):
                asked += 1
                if asked > ASKED:
                    return found
                again = judge(position, action)
                if again is not None:
                    found, shrinking = again, True
                    break
        return found

    def _smaller(
        self, position: Position, action: Action | None, same_hand: bool
    ) -> Iterator[tuple[Position, Action | None]]:
        """Positions with less in them, the least first."""
        for slot, zone in enumerate(position.zones):
            if self._kinds[slot] == "melds":
                yield from self._without_melds(position, action, slot, cast("tuple[Meld, ...]", zone))
        for slot, zone in enumerate(position.zones):
            mine = same_hand and self._owners[slot] == position.turn
            if self._kinds[slot] != "melds" and slot != self.sinks[0] and not mine:
                for left in _fewer(cast("tuple[int, ...]", zone)):
                    for sink in self.sinks:
                        if self._rank(sink) < self._rank(slot):
                            yield self._moved(position, slot, left, _removed(zone, left), sink), action
        for i, initial in enumerate(self._initial):
            if position.states[i] != initial:
                yield replace(position, states=(*position.states[:i], initial, *position.states[i + 1 :])), action

    def _rank(self, slot: int) -> int:
        return self.sinks.index(slot) if slot in self.sinks else len(self.sinks)

    def _without_melds(
        self, position: Position, action: Action | None, slot: int, zone: tuple[Meld, ...]
    ) -> Iterator[tuple[Position, Action | None]]:
        args = () if action is None else action.args
        named = {arg.index for arg in args if isinstance(arg, LaidMeld) and arg.slot == slot}
        for i, meld in enumerate(zone):
            if i not in named:
                left = (*zone[:i], *zone[i + 1 :])
                for sink in self.sinks:
                    after = self._moved(position, slot, left, meld.cards, sink)
                    yield (
                        after,
                        None if action is None else action._replace(args=tuple(_after(a, slot, i) for a in args)),
                    )

    def _moved(self, position: Position, slot: int, left: Zone, cards: tuple[int, ...], sink: int) -> Position:
        zones = list(position.zones)
        zones[slot] = left
        zones[sink] = (*cards, *cast("tuple[int, ...]", zones[sink]))
        return replace(position, zones=tuple(zones))


def _fewer(cards: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """What may be left of some cards: none, one of them, the upper half, all but one."""
    if not cards:
        return
    yield ()
    if len(cards) > 2:
        yield from ((card,) for card in dict.fromkeys(cards))
    if len(cards) > 4:
        yield cards[len(cards) // 2 :]
    if len(cards) > 1:
        yield from (tuple(c for j, c in enumerate(cards) if j != i) for i in range(len(cards)))


def _removed(zone: Zone, left: tuple[int, ...]) -> tuple[int, ...]:
    """The cards of a zone that are not left."""
    gone = list(cast("tuple[int, ...]", zone))
    for card in left:
        gone.remove(card)
    return tuple(gone)


def _after(arg: object, slot: int, removed: int) -> object:
    """An argument of an action, when a meld was taken away before it."""
    if isinstance(arg, LaidMeld) and arg.slot == slot and arg.index > removed:
        return arg._replace(index=arg.index - 1)
    return arg
