"""Melds: which ones can be made of some cards, whether they are lawful, and how they grow.

Nothing here tries cards in vain by the thousand: a sequence is built place by place, a group face by
face, within the bounds that follow from the laws, and all laws are asked of each result. What was
found for a part of a hand is remembered, since most of a hand stays the same from turn to turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING

from biriba.interpreter.laws import Laws
from biriba.interpreter.templates import SUBSTITUTE, Shape, Templates
from biriba.model.position import Growth, Meld

if TYPE_CHECKING:
    from biriba.interpreter.evaluate import Evaluator

REMEMBERED = 1 << 12
"""How many answers to each question are kept."""

Counts = dict[int, int]
"""How many copies of each face there are."""


class Melds:
    """Everything about the melds of one rule set.

    Attributes:
        fits: whether the cards of a meld may stand where they stand, laws ignored.
        substitutes: how many cards of a meld stand for others.
        growths: the lawful ways in which a meld grows by any one card, in the order of cards.
        room: how many copies of a card can be added to a meld, lawfully, one after another.
        grown: the lawful melds that a meld becomes by adding 1 to n copies of a card, fewest first.
        deadwood: the least points left of cards, sorted, of which n are set aside and others make lawful melds.
    """

    fits: Callable[[Meld], bool]
    substitutes: Callable[[Meld], int]

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self.templates = Templates(evaluator.rules)
        self.fits = self.templates.fits
        self.substitutes = self.templates.substitutes
        self.growths = lru_cache(maxsize=REMEMBERED)(self._growths)
        self.room = lru_cache(maxsize=REMEMBERED)(self._room)
        self.grown = lru_cache(maxsize=REMEMBERED)(self._grown)
        self.deadwood = lru_cache(maxsize=REMEMBERED)(self._deadwood)
        # A hand is also written as one number, with a few bits for the count of each face: enough for all
        # copies and one more, since a rule may ask what could be made with a card besides those held.
        faces = evaluator.rules.cards.faces
        width = (max(face.copies for face in faces) + 1).bit_length()
        self._units = [1 << (width * face.index) for face in faces]
        self._full = (1 << width) - 1
        self._code = lru_cache(maxsize=REMEMBERED)(lambda cards: sum(map(self._units.__getitem__, cards)))

    @cached_property
    def laws(self) -> Laws:
        return Laws(self._evaluator, self.templates)

    def lawful(self, meld: Meld) -> bool:
        """Whether a meld that fits its template breaks no law."""
        return self.laws.keeps(meld, self.substitutes(meld))

    # ------------------------------------------------------------ melds of given cards

    @cached_property
    def _parts(self) -> list[tuple[int, Callable[[int], tuple[Meld, ...]]]]:
        """For each shape the bits of the faces that matter to it, and the melds that those cards make."""
        return [
            (sum(self._units[face] * self._full for face in shape.faces()), self._finder(shape))
            for shape in self.templates.shapes.values()
        ]

    def among(self, cards: tuple[int, ...]) -> list[Meld]:
        """All lawful melds that can be made of some of the cards, in canonical order."""
        code = self._code(cards)
        found: list[Meld] = []
        for mask, melds in self._parts:
            found += melds(code & mask)
        return found

    def _deadwood(self, cards: tuple[int, ...], aside: int) -> int:
        """The least points left of cards when exactly `aside` of them, or all, are set aside and others make melds.

        Face by face: a card is set aside, or it is left, or it goes with others into a meld.
        """
        width = self._full.bit_length()
        values = [face.value for face in self._evaluator.rules.cards.faces]
        melds: dict[int, set[int]] = {}
        for meld in self.among(cards):
            codes = sum(self._units[card] for card in meld.cards)
            for face in set(meld.cards):
                melds.setdefault(face, set()).add(codes)

        @cache
        def least(code: int, aside: int) -> int | None:
            """The same for the cards of a code; None if there are fewer than to be set aside."""
            if not code:
                return None if aside else 0
            face = ((code & -code).bit_length() - 1) // width
            rests = [(values[face], least(code - self._units[face], aside))]
            if aside:
                rests.append((0, least(code - self._units[face], aside - 1)))
            rests += [(0, least(code - meld, aside)) for meld in melds.get(face, ()) if self._holds(code, meld)]
            return min((points + rest for points, rest in rests if rest is not None), default=None)

        return least(self._code(cards), min(aside, len(cards))) or 0

    def _holds(self, code: int, part: int) -> bool:
        """Whether the cards of a code hold those of another, face by face."""
        width = self._full.bit_length()
        return all(
            code >> at & self._full >= part >> at & self._full for at in range(0, max(code, part).bit_length(), width)
        )

    def _finder(self, shape: Shape) -> Callable[[int], tuple[Meld, ...]]:
        search = self._sequences if shape.in_sequence else self._groups
        width = self._full.bit_length()

        @lru_cache(maxsize=REMEMBERED)
        def find(code: int) -> tuple[Meld, ...]:
            counts: Counts = {}
            while code:
                face = ((code & -code).bit_length() - 1) // width
                counts[face] = (code >> (width * face)) & self._full
                code &= ~(self._full << (width * face))
            return tuple(sorted(search(shape, counts), key=lambda meld: (meld.low or 0, meld.cards)))

        return find

    def _sequences(self, shape: Shape, counts: Counts) -> list[Meld]:
        """The lawful sequences made of some of the cards."""
        template, key = shape.template, shape.key
        limits, keeps = self.laws.limits(template), self.laws.keeps
        options = [[(face, sub) for face, sub in place if face in counts] for place in shape.options]
        found: list[Meld] = []
        cards: list[int] = []

        def extend(low: int, place: int, substitutes: int) -> None:
            for face, substitute in options[place]:
                used = substitutes + substitute
                if counts[face] and used <= limits.substitutes:
                    counts[face] -= 1
                    cards.append(face)
                    if len(cards) >= limits.least:
                        meld = Meld(template, key, low, tuple(cards))
                        if keeps(meld, used):
                            found.append(meld)
                    if len(cards) < limits.most and place < shape.last:
                        extend(low, place + 1, used)
                    cards.pop()
                    counts[face] += 1

        natural = [any(not substitute for _, substitute in place) for place in options]
        for low in range(1, shape.last + 2 - limits.least):
            # The least meld that begins here needs a card, and not too many substitutes, for its places.
            if natural[low : low + limits.least].count(False) <= limits.substitutes:
                extend(low, low, 0)
        return found

    def _groups(self, shape: Shape, counts: Counts) -> list[Meld]:
        """The lawful groups made of some of the cards."""
        template, key = shape.template, shape.key
        limits, keeps = self.laws.limits(template), self.laws.keeps
        order = shape.group(tuple(counts))
        found: list[Meld] = []
        cards: list[int] = []

        def extend(i: int, substitutes: int) -> None:
            if i == len(order):
                if len(cards) >= limits.least:
                    meld = Meld(template, key, None, tuple(cards))
                    if keeps(meld, substitutes):
                        found.append(meld)
                return
            face = order[i]
            substitute = shape.standing[0][face] == SUBSTITUTE
            most = min(counts[face], limits.most - len(cards))
            if substitute:
                most = min(most, limits.substitutes - substitutes)
            for n in range(most + 1):
                extend(i + 1, substitutes + n * substitute)
                cards.append(face)
            del cards[len(cards) - most - 1 :]

        extend(0, 0)
        return found

    # ------------------------------------------------------------ layouts of given cards

    def layouts(self, cards: Sequence[int], *, lawful: bool = True) -> Iterator[Meld]:
        """The melds that have exactly these cards in any order, one by one; unless `lawful`, laws ignored.

        Without the laws many wild cards can be arranged in very many ways: take only as many as needed.
        """
        if self.beyond_deck(cards):
            return
        for shape in self.templates.shapes.values():
            if not shape.faces().issuperset(cards):
                continue
            layouts = self._arrangements(shape, cards, lawful) if shape.in_sequence else self._heap(shape, cards)
            yield from (meld for meld in layouts if not lawful or self.lawful(meld))

    def beyond_deck(self, cards: Sequence[int]) -> list[int]:
        """The faces of which there are more than the deck has."""
        faces = self._evaluator.rules.cards.faces
        return [card for card in sorted(set(cards)) if cards.count(card) > faces[card].copies]

    def _heap(self, shape: Shape, cards: Sequence[int]) -> Iterator[Meld]:
        if cards:
            yield Meld(shape.template, shape.key, None, shape.group(tuple(cards)))

    def _arrangements(self, shape: Shape, cards: Sequence[int], lawful: bool) -> Iterator[Meld]:
        """The sequences that have exactly the cards."""
        allowed = self.laws.limits(shape.template).substitutes if lawful else len(cards)
        counts: Counts = {}
        for card in sorted(cards):
            counts[card] = counts.get(card, 0) + 1
        stands = {face: [place for place in range(1, shape.last + 1) if shape.standing[place][face]] for face in counts}

        def arrange(low: int, placed: tuple[int, ...], substitutes: int) -> Iterator[Meld]:
            place, high = low + len(placed), low + len(cards) - 1
            if place > high:
                yield Meld(shape.template, shape.key, low, placed)
                return
            if any(n > sum(place <= p <= high for p in stands[face]) for face, n in counts.items()):
                return
            for face in counts:
                standing = shape.standing[place][face]
                used = substitutes + (standing == SUBSTITUTE)
                if counts[face] and standing and used <= allowed:
                    counts[face] -= 1
                    yield from arrange(low, (*placed, face), used)
                    counts[face] += 1

        for low in range(1, shape.last - len(cards) + 2) if cards else ():
            yield from arrange(low, (), 0)

    # ------------------------------------------------------------ growing

    def possible_growths(self, meld: Meld) -> Iterator[tuple[str, Growth]]:
        """The ways in which a meld grows by any one card so that it fits its template, laws ignored.

        Each comes with the mode of growing.
        """
        shape = self.templates.shape(meld)
        modes = {"end": self._at_ends, "card": self._by_card, "shift": self._by_shift}
        for growing in self._evaluator.rules.growings:
            if growing.template == meld.template:
                yield from ((growing.mode, growth) for growth in modes[growing.mode](meld, shape))

    def _at_ends(self, meld: Meld, shape: Shape) -> Iterator[Growth]:
        assert meld.low is not None, "only a sequence has ends"
        low, high = meld.low - 1, meld.low + len(meld.cards)
        if low >= 1:
            for card, _ in shape.options[low]:
                yield Growth(card, meld._replace(low=low, cards=(card, *meld.cards)), "low")
        if high <= shape.last:
            for card, _ in shape.options[high]:
                yield Growth(card, meld._replace(cards=(*meld.cards, card)), "high")

    def _by_card(self, meld: Meld, shape: Shape) -> Iterator[Growth]:
        for card, _ in shape.options[0]:
            yield Growth(card, meld._replace(cards=shape.group((*meld.cards, card))))

    def _by_shift(self, meld: Meld, shape: Shape) -> Iterator[Growth]:
        assert meld.low is not None, "only in a sequence can a substitute move to an end"
        low, high = meld.low - 1, meld.low + len(meld.cards)
        for place, moved in enumerate(meld.cards, meld.low):
            if shape.standing[place][moved] != SUBSTITUTE:
                continue
            for card, substitute in shape.options[place]:
                if substitute:
                    continue
                i = place - meld.low
                cards = (*meld.cards[:i], card, *meld.cards[i + 1 :])
                if low >= 1 and shape.standing[low][moved]:
                    yield Growth(card, meld._replace(low=low, cards=(moved, *cards)), "low", place)
                if high <= shape.last and shape.standing[high][moved]:
                    yield Growth(card, meld._replace(cards=(*cards, moved)), "high", place)

    def _growths(self, meld: Meld) -> tuple[Growth, ...]:
        """The lawful ways in which a meld grows by any one card, in the order of cards."""
        lawful = (growth for _, growth in self.possible_growths(meld) if self.lawful(growth.result))
        return tuple(sorted(lawful, key=lambda growth: growth.card))

    def growths_from(self, meld: Meld, cards: Sequence[int]) -> list[Growth]:
        """The lawful ways in which a meld grows by one of the cards."""
        held = set(cards)
        return [growth for growth in self.growths(meld) if growth.card in held]

    def _room(self, meld: Meld, card: int) -> int:
        """How many copies of a card can be added to a meld, lawfully, one after another."""
        return self._longest(meld, card, self._evaluator.rules.cards.faces[card].copies)

    def _longest(self, meld: Meld, card: int, copies: int) -> int:
        if not copies:
            return 0
        steps = (growth.result for growth in self.growths(meld) if growth.card == card)
        return max((1 + self._longest(result, card, copies - 1) for result in steps), default=0)

    def _grown(self, meld: Meld, card: int, count: int) -> tuple[Meld, ...]:
        """The lawful melds that a meld becomes by adding 1 to `count` copies of a card, fewest first."""
        found: dict[Meld, None] = {}
        latest = [meld]
        for _ in range(min(count, self._evaluator.rules.cards.faces[card].copies)):
            steps = [g.result for m in latest for g in self.growths(m) if g.card == card]
            latest = list(dict.fromkeys(steps))
            found |= dict.fromkeys(latest)
        return tuple(found)
