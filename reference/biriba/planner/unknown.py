"""A deck whose cards are not fixed yet.

The rules are extended by one face for each card of the deck: *the card that lies in this place of the deck*. Such a
card has no rank and no suit and is good for nothing but to be dealt, drawn, taken and discarded. A deal of such cards
is played by the interpreter like any other; when a card is needed for something, one of those at hand is **bound** to
it, and what was played before stays lawful, unless some rule looked at the card. Whether one did is seen when
everything is bound and the deal is played again with the cards themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from biriba.interpreter.rules import Rules
from biriba.model.position import Meld, Position, Zone
from biriba.model.ruleset import Face, Ruleset
from biriba.planner.goal import cards_of


class Unknown:
    """The rules with unknown cards.

    Attributes:
        first: the face of the first card of the deck; from there on all faces are unknown cards, in the order of the
            deck.
        total: how many cards the deck has.
        rules: the rules by which they are played.
    """

    def __init__(self, known: Ruleset) -> None:
        faces = known.cards.faces
        self.first, self.total = len(faces), known.cards.total
        unknown = tuple(
            Face(self.first + i, f"?{i + 1}", f"card {i + 1} of the deck", None, None, 1, 0, False)
            for i in range(self.total)
        )
        self.rules = Rules(replace(known, cards=replace(known.cards, faces=(*faces, *unknown))))
        unheld = tuple(replace(face, copies=0) for face in faces)
        self._dealing = Rules(replace(known, cards=replace(known.cards, faces=(*unheld, *unknown))))
        self._cards = [known.states[name].type.kind == "card" for name, _ in self.rules.layout.state_slots]

    def dealt(self, dealer: int) -> Position:
        """The first position of a deal, all of its cards unknown."""
        return self._dealing.dealt(range(self.first, self.first + self.total), dealer)

    def known(self, card: int) -> bool:
        return card < self.first

    def among(self, zone: Zone) -> list[int]:
        """The unknown cards of a zone."""
        return [card for card in cards_of(zone) if card >= self.first]

    def named(self, position: Position) -> set[int]:
        """The unknown cards that states speak of."""
        values = zip(position.states, self._cards, strict=True)
        return {value for value, is_card in values if is_card and value is not None and value >= self.first}

    def bound(self, position: Position, faces: Mapping[int, int]) -> Position:
        """The position with some unknown cards known."""
        if not faces:
            return position
        zones = [
            zone if zone and zone[0].__class__ is Meld else self._bound(cast(tuple[int, ...], zone), faces, slot)
            for slot, zone in enumerate(position.zones)
        ]
        states = tuple(
            faces.get(value, value) if is_card and value is not None else value
            for value, is_card in zip(position.states, self._cards, strict=True)
        )
        return replace(position, zones=tuple(zones), states=states)

    def _bound(self, zone: tuple[int, ...], faces: Mapping[int, int], slot: int) -> Zone:
        if faces.keys().isdisjoint(zone):
            return zone
        cards = tuple([faces.get(card, card) for card in zone])
        name, _ = self.rules.layout.zone_slots[slot]
        return tuple(sorted(cards)) if self.rules.ruleset.zones[name].kind == "hand" else cards

    def shown(self, position: Position) -> tuple[int | bool | None, ...]:
        """The states of a position, unknown cards told apart from known ones only."""
        return tuple(
            self.first if is_card and value is not None and value >= self.first else value
            for value, is_card in zip(position.states, self._cards, strict=True)
        )
