"""Dealing: from the order of a deck to the first position of a deal. That order is the only chance in a deal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from biriba.interpreter.effects import Draft, Effects, in_turn
from biriba.interpreter.evaluate import Evaluator
from biriba.interpreter.frame import Standing
from biriba.model.position import Position

Seed = int | str


class DealError(ValueError):
    """A deck that is not the deck of the rules."""


class Dealer:
    """Deals by one rule set."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        rules = evaluator.rules
        effects = Effects(evaluator)
        self._run = in_turn([effects.compile(effect, {}) for step in rules.deal for effect in step.effects])
        self._initial = tuple(evaluator.constant(state.initial) for state in rules.states.values())
        self._sorted = [face.index for face in rules.cards.faces for _ in range(face.copies)]

    def shuffled(self, seed: Seed) -> tuple[int, ...]:
        """The whole deck in an order that follows from a seed: `random.Random(seed).shuffle` of the faces in order."""
        deck = list(self._sorted)
        Random(seed).shuffle(deck)
        return tuple(deck)

    def checked(self, deck: Sequence[int | str]) -> tuple[int, ...]:
        """A deck given by faces or symbols, first card first dealt, as faces.

        Raises:
            DealError: it is not the deck of the rules.
        """
        faces = self._evaluator.rules.cards.faces
        by_symbol = {face.symbol: face.index for face in faces}
        cards: list[int] = []
        for i, card in enumerate(deck, 1):
            index = by_symbol.get(card, -1) if isinstance(card, str) else card
            if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(faces):
                raise DealError(f"card {i} of the deck is {card!r}, and these rules have no such card")
            cards.append(index)
        counts = Counter(cards)
        for face in faces:
            if counts[face.index] > face.copies:
                found = f"the deck has {face.symbol} {counts[face.index]} times"
                raise DealError(f"{found}, and these rules have {face.copies} of it")
        if len(cards) != len(self._sorted):
            missing = [face.symbol for face in faces if counts[face.index] < face.copies]
            listed = ", ".join(missing[:5]) + (", ..." if len(missing) > 5 else "")
            wanted = f"these rules need {len(self._sorted)}"
            raise DealError(f"the deck has {len(cards)} cards, and {wanted}; missing: {listed}")
        return tuple(cards)

    def deal(self, deck: Sequence[int | str], dealer: int, standing: Standing | None = None) -> Position:
        """The first position of a deal.

        Raises:
            DealError: the deck is not that of the rules.
        """
        draft = Draft(self.empty(dealer), self.checked(deck))
        return draft.after(self._run, self._evaluator.frame(dealer, standing)).freeze()

    def empty(self, dealer: int) -> Position:
        """The position before anything is dealt: no cards, all states at their initial values."""
        rules, layout = self._evaluator.rules, self._evaluator.layout
        states = tuple(
            value
            for value, state in zip(self._initial, rules.states.values(), strict=True)
            for _ in rules.owners(state.owner)
        )
        return Position(rules.phases[0], dealer, dealer, ((),) * len(layout.zone_slots), states)
