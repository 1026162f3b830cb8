"""Which cards fit which templates, worked out once for a rule set: laws about melds play no part here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from biriba.model.position import Meld
from biriba.model.pure import count_of, evaluate
from biriba.model.ruleset import Ruleset, Template


class Fitting(NamedTuple):
    """The faces that may lie at one place of a meld: as themselves, or for another card."""

    natural: frozenset[int]
    substitute: frozenset[int]


class Shapes:
    """The templates of a rule set as sets of cards.

    Attributes:
        places: how many places a sequence may use; they count from 1.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.places = len(rules.cards.places)
        self._fitting: dict[tuple[str, int | None, int | None], Fitting] = {}

    def keys(self, template: str) -> tuple[int | None, ...]:
        """The suits or ranks that melds of a template may be of; only None if it asks for none."""
        key_type = self.rules.templates[template].key_type
        return (None,) if key_type is None else tuple(range(count_of(self.rules, key_type.kind)))

    def is_sequence(self, template: str) -> bool:
        return self.rules.templates[template].layout == "sequence"

    def fitting(self, template: str, key: int | None, place: int | None) -> Fitting:
        """The cards for one place (None in a group) of a meld."""
        found = self._fitting.get((template, key, place))
        if found is None:
            found = _fitting(self.rules, self.rules.templates[template], key, place)
            self._fitting[template, key, place] = found
        return found

    def is_natural(self, meld: Meld, index: int) -> bool:
        """Whether the card at an index of a meld stands for itself."""
        place = None if meld.low is None else meld.low + index
        return meld.cards[index] in self.fitting(meld.template, meld.key, place).natural

    def substitutes(self, meld: Meld) -> int:
        """How many cards of a meld stand for others."""
        return sum(not self.is_natural(meld, i) for i in range(len(meld.cards)))

    def fits(self, meld: Meld) -> bool:
        """Whether a meld is of its template: a known key, places that there are, cards that may lie there."""
        if meld.template not in self.rules.templates or meld.key not in self.keys(meld.template) or not meld.cards:
            return False
        if not self.is_sequence(meld.template):
            return meld == self.group(meld.template, meld.key, meld.cards)
        return meld == self.sequence(meld.template, meld.key, meld.low, meld.cards)

    def sequence(self, template: str, key: int | None, low: int | None, cards: Sequence[int]) -> Meld | None:
        """The meld of these cards from a place upward, None if they do not fit there."""
        if low is None or low < 1 or low + len(cards) - 1 > self.places:
            return None
        for place, card in enumerate(cards, low):
            fitting = self.fitting(template, key, place)
            if card not in fitting.natural and card not in fitting.substitute:
                return None
        return Meld(template, key, low, tuple(cards))

    def group(self, template: str, key: int | None, cards: Sequence[int]) -> Meld | None:
        """The meld of these cards side by side, in canonical order, None if one does not fit."""
        natural, substitute = self.fitting(template, key, None)
        if not all(card in natural or card in substitute for card in cards):
            return None
        return Meld(template, key, None, tuple(sorted(cards, key=lambda card: (card not in natural, card))))

    def layouts(self, cards: Sequence[int], template: str | None = None) -> Iterator[Meld]:
        """All melds of these cards, in this order where order counts, template by template."""
        if not cards:
            return
        for name in self.rules.templates if template is None else (template,):
            for key in self.keys(name):
                lows = range(1, self.places - len(cards) + 2) if self.is_sequence(name) else (None,)
                for low in lows:
                    meld = self.group(name, key, cards) if low is None else self.sequence(name, key, low, cards)
                    if meld is not None:
                        yield meld


def _fitting(rules: Ruleset, template: Template, key: int | None, place: int | None) -> Fitting:
    names: dict[str, int | bool | None] = {}
    if template.key is not None:
        names[template.key] = key
    if template.place is not None:
        names[template.place] = place
    natural: list[int] = []
    substitute: list[int] = []
    for face in rules.cards.faces:
        names[template.card] = face.index
        if evaluate(rules, template.natural, names):
            natural.append(face.index)
        elif template.substitute is not None and evaluate(rules, template.substitute, names):
            substitute.append(face.index)
    return Fitting(frozenset(natural), frozenset(substitute))
