"""Melds as single integers.

A meld is packed into bit fields: its shape (template and key), the lowest place, the size, the number of
substitutes, and then one digit for each card of a sequence (which of the cards that may stand at that
place it is, naturals first) or for each face of a group (how many of it there are). The first four fields
are the head: laws that speak of them alone are looked up in a table by the head.
"""

from __future__ import annotations

from biriba.engine.errors import EngineError
from biriba.model.position import Meld
from biriba.model.ruleset import Ruleset
from biriba.model.shapes import Shapes


class Codec:
    """The packing of melds of one rule set.

    Attributes:
        shapes: template and key of each shape, in the order of templates and keys.
        in_sequence: for each shape whether it is a sequence.
        options: by shape and place (a group has only place 0), the faces that may stand there, naturals first.
        naturals: by shape and place, how many of those are naturals.
        low_at, size_at, substitutes_at, digits_at: where the fields begin; the shape begins at bit 0.
        digit: bits of a sequence's digit; group_digit: bits of a group's.
        bits: how many bits a meld takes at most.
    """

    def __init__(self, rules: Ruleset) -> None:
        shapes = Shapes(rules)
        self.places = shapes.places
        self.shapes = [(name, key) for name in rules.templates for key in shapes.keys(name)]
        self.index = {shape: i for i, shape in enumerate(self.shapes)}
        self.in_sequence = [shapes.is_sequence(name) for name, _ in self.shapes]
        self.options: list[list[tuple[int, ...]]] = []
        self.naturals: list[list[int]] = []
        copies = [face.copies for face in rules.cards.faces]
        most_cards, most_digits = self.places, 1
        for (name, key), sequence in zip(self.shapes, self.in_sequence, strict=True):
            options: list[tuple[int, ...]] = []
            naturals: list[int] = []
            for place in range(self.places + 1) if sequence else (None,):
                fitting = shapes.fitting(name, key, place) if place != 0 else None
                natural = sorted(fitting.natural) if fitting else []
                options.append((*natural, *sorted(fitting.substitute if fitting else ())))
                naturals.append(len(natural))
            self.options.append(options)
            self.naturals.append(naturals)
            if not sequence:
                # A chain of growths may try as many copies of a card again as the deck has.
                most_cards = max(most_cards, sum(copies[face] for face in options[0]) + max(copies))
                most_digits = max(most_digits, len(options[0]))
        sequences = [o for options, s in zip(self.options, self.in_sequence, strict=True) if s for o in options]
        self.width = max((len(o) for o in sequences), default=1)
        self.group_width = most_digits
        self.digit = max(1, (self.width - 1).bit_length())
        self.group_digit = (2 * max(copies, default=1)).bit_length()
        self.low_at = len(self.shapes).bit_length()
        self.size_at = self.low_at + (self.places + 1).bit_length()
        self.substitutes_at = self.size_at + (most_cards + 1).bit_length()
        self.digits_at = self.substitutes_at + (most_cards + 1).bit_length()
        longest = self.places * self.digit if any(self.in_sequence) else 0
        widest = most_digits * self.group_digit if not all(self.in_sequence) else 0
        self.bits = self.digits_at + max(longest, widest)

    @property
    def head(self) -> int:
        """The mask of the head."""
        return (1 << self.digits_at) - 1

    def pack(self, meld: Meld) -> int:
        """The integer of a meld.

        Raises:
            EngineError: the meld does not fit its template.
        """
        shape = self.index.get((meld.template, meld.key))
        if shape is None or not meld.cards:
            raise EngineError(f"no such meld: {meld}")
        digits = substitutes = 0
        try:
            if meld.low is not None:
                for i, face in enumerate(meld.cards):
                    d = self.options[shape][meld.low + i].index(face)
                    substitutes += d >= self.naturals[shape][meld.low + i]
                    digits |= d << (self.digit * i)
            else:
                for face in meld.cards:
                    o = self.options[shape][0].index(face)
                    substitutes += o >= self.naturals[shape][0]
                    digits += 1 << (self.group_digit * o)
        except (IndexError, ValueError):
            raise EngineError(f"these cards do not make a {meld.template}: {meld.cards}") from None
        return self.code(shape, meld.low or 0, len(meld.cards), substitutes, digits)

    def code(self, shape: int, low: int, size: int, substitutes: int, digits: int = 0) -> int:
        """The integer made of the fields."""
        head = shape | low << self.low_at | size << self.size_at | substitutes << self.substitutes_at
        return head | digits << self.digits_at

    def unpack(self, code: int) -> Meld:
        """The meld of an integer."""
        shape = code & ((1 << self.low_at) - 1)
        template, key = self.shapes[shape]
        digits = code >> self.digits_at
        if self.in_sequence[shape]:
            low = (code >> self.low_at) & ((1 << (self.size_at - self.low_at)) - 1)
            size = (code >> self.size_at) & ((1 << (self.substitutes_at - self.size_at)) - 1)
            mask = (1 << self.digit) - 1
            faces = [self.options[shape][low + i][(digits >> (self.digit * i)) & mask] for i in range(size)]
            return Meld(template, key, low, tuple(faces))
        mask = (1 << self.group_digit) - 1
        counts = [(face, (digits >> (self.group_digit * o)) & mask) for o, face in enumerate(self.options[shape][0])]
        return Meld(template, key, None, tuple(face for face, n in counts for _ in range(n)))
