"""The shapes of melds, laid out for searching: for each template and key, which card may stand where.

`biriba.model.shapes` says what fits; here it is turned into tables that are looked up by index.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from biriba.model.position import Meld
from biriba.model.ruleset import Ruleset
from biriba.model.shapes import Shapes

NATURAL, SUBSTITUTE = 1, 2
"""How a card stands at a place; 0 means that it may not stand there."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A template with its key fixed.

    Attributes:
        template, key: of all melds of this shape.
        last: the highest place of a sequence, 0 for a group.
        standing: by place (a group has only place 0), then by face: 0, NATURAL or SUBSTITUTE.
        options: by place, the faces that may stand there and whether as a substitute, in face order.
    """

    template: str
    key: int | None
    in_sequence: bool
    last: int
    standing: tuple[tuple[int, ...], ...]
    options: tuple[tuple[tuple[int, bool], ...], ...]

    def faces(self) -> set[int]:
        """All faces that may stand somewhere."""
        return {face for options in self.options for face, _ in options}

    def group(self, cards: tuple[int, ...]) -> tuple[int, ...]:
        """The cards of a group in their canonical order: naturals, then substitutes, by face."""
        standing = self.standing[0]
        return tuple(sorted(cards, key=lambda card: (standing[card], card)))


class Templates:
    """The shapes of a rule set, in the order of templates and keys."""

    def __init__(self, rules: Ruleset) -> None:
        self._fitting = Shapes(rules)
        self._faces = range(len(rules.cards.faces))
        self.fits = self._fitting.fits
        self.layouts = self._fitting.layouts
        self.shapes = {
            (name, key): self._shape(name, key) for name in rules.templates for key in self._fitting.keys(name)
        }
        self.substitutes = lru_cache(maxsize=1 << 15)(self._substitutes)

    def shape(self, meld: Meld) -> Shape:
        """The shape of a meld that fits its template."""
        return self.shapes[meld.template, meld.key]

    def _substitutes(self, meld: Meld) -> int:
        """How many cards of a meld stand for others."""
        standing = self.shapes[meld.template, meld.key].standing
        if meld.low is None:
            return sum(standing[0][card] == SUBSTITUTE for card in meld.cards)
        return sum(standing[place][card] == SUBSTITUTE for place, card in enumerate(meld.cards, meld.low))

    def _shape(self, name: str, key: int | None) -> Shape:
        in_sequence = self._fitting.is_sequence(name)
        last = self._fitting.places if in_sequence else 0
        # The places of a sequence count from 1, so nothing stands at place 0 of it.
        standing = tuple(self._standing(name, key, place) for place in range(1, last + 1))
        standing = ((0,) * len(self._faces), *standing) if in_sequence else (self._standing(name, key, None),)
        options = tuple(tuple((face, how == SUBSTITUTE) for face, how in enumerate(place) if how) for place in standing)
        return Shape(name, key, in_sequence, last, standing, options)

    def _standing(self, name: str, key: int | None, place: int | None) -> tuple[int, ...]:
        natural, substitute = self._fitting.fitting(name, key, place)
        return tuple(NATURAL if f in natural else SUBSTITUTE if f in substitute else 0 for f in self._faces)
