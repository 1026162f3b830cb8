"""Melds in symbols: what a template allows, which cards stand for themselves, how a meld grows.

All tables come from `model.shapes`, which evaluates the templates' own conditions card by card.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from biriba.model.ruleset import Ruleset
from biriba.model.shapes import Shapes
from biriba.verify.symbols import SymGrowth, SymMeld, fresh_counts
from biriba.verify.terms import (
    NONE,
    Term,
    and_,
    between,
    boolean,
    equal,
    implies,
    integer,
    ite,
    lookup,
    not_,
    one_of,
    or_,
    total,
)
from biriba.verify.z3api import z3


class MeldShapes:
    """The templates of a rule set in symbols."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.faces = len(rules.cards.faces)
        self.tables = Shapes(rules)
        self.places = self.tables.places

    def modes(self, template: str) -> list[str]:
        """The ways in which melds of a template grow."""
        return [g.mode for g in self.rules.growings if g.template == template]

    def is_sequence(self, template: str) -> bool:
        return self.tables.is_sequence(template)

    # ------------------------------------------------------------ any meld of a template

    def fresh(self, template: str, name: str) -> SymMeld:
        """A meld of which nothing is known; `fits` says what must hold for it to be one."""
        key: Term = None if self.tables.keys(template) == (None,) else integer(f"{name}.key")
        sequence = self.is_sequence(template)
        at = tuple(integer(f"{name}@{place}") for place in range(1, self.places + 1)) if sequence else ()
        low = integer(f"{name}.low") if sequence else None
        return SymMeld(template, key, low, integer(f"{name}.size"), at, fresh_counts(name, self.faces), name)

    def fits(self, meld: SymMeld) -> Iterator[Term]:
        """That the meld is of its template: a key, places that there are, cards that may lie there.

        Of a sequence this does not say which card is counted where; `counted` does.
        """
        keys = [k for k in self.tables.keys(meld.template) if k is not None]
        if keys:
            yield between(meld.key, 0, len(keys) - 1)
        yield meld.size >= 1
        yield equal(meld.size, total(meld.counts))
        for count in meld.counts:
            yield count >= 0
        if not meld.at:
            for face, count in enumerate(meld.counts):
                yield implies(count > 0, self.allowed(meld, face, None))
            return
        yield meld.low >= 1
        yield meld.high <= self.places
        for place, card in enumerate(meld.at, 1):
            inside = and_((meld.low <= place, meld.high >= place))
            yield implies(not_(inside), equal(card, NONE))
            yield implies(inside, self.allowed(meld, card, place))

    def counted(self, meld: SymMeld) -> Iterator[Term]:
        """That the counts of a sequence are those of the cards at its places."""
        for face, count in enumerate(meld.counts if meld.at else ()):
            yield equal(count, self.count_at_places(meld, face))

    def held(self, meld: SymMeld) -> Iterator[Term]:
        """What `fits` and `counted` say of the faces in a sequence whatever their places, easier to solve than they.

        A face that is there fits the key; if it is nowhere natural, there is a substitute; and if there
        is a substitute, a face is there that may be one.
        """
        if not meld.at:
            return
        some_substitute = self.substitutes(meld) >= 1
        for face, count in enumerate(meld.counts):
            yield implies(count > 0, self._key_allows(meld, face, ("natural", "substitute")))
            yield implies(and_((count > 0, not_(self._key_allows(meld, face, ("natural",))))), some_substitute)
        there = [and_((count > 0, self._key_allows(meld, f, ("substitute",)))) for f, count in enumerate(meld.counts)]
        yield implies(some_substitute, or_(there))

    def _key_allows(self, meld: SymMeld, face: int, parts: tuple[str, ...]) -> Term:
        """That a face may lie at some place of a sequence with this key, in one of these ways."""
        keys = self.tables.keys(meld.template)
        fitting = [
            key
            for key in keys
            if any(
                face in getattr(self.tables.fitting(meld.template, key, place), part)
                for place in range(1, self.places + 1)
                for part in parts
            )
        ]
        return True if len(fitting) == len(keys) else one_of(meld.key, [k for k in fitting if k is not None])

    def count_at_places(self, meld: SymMeld, face: Term) -> Term:
        """How often a face lies at a place of a sequence."""
        return total(ite(equal(card, face), 1, 0) for card in meld.at)

    def allowed(self, meld: SymMeld, card: Term, place: int | None) -> Term:
        """Whether a card may lie at a place, as itself or for another."""
        return or_((self.natural(meld, card, place), self._by_key(meld, card, place, "substitute")))

    def natural(self, meld: SymMeld, card: Term, place: int | None) -> Term:
        """Whether a card at a place stands for itself."""
        return self._by_key(meld, card, place, "natural")

    def _by_key(self, meld: SymMeld, card: Term, place: int | None, part: str) -> Term:
        by_faces: dict[frozenset[int], list[int | None]] = {}
        keys = self.tables.keys(meld.template)
        for key in keys:
            by_faces.setdefault(getattr(self.tables.fitting(meld.template, key, place), part), []).append(key)
        options = []
        for faces, those in by_faces.items():
            right_key = True if len(those) == len(keys) else one_of(meld.key, [k for k in those if k is not None])
            options.append(and_((right_key, one_of(card, faces))))
        return or_(options)

    def natural_key(self, template: str, card: Term) -> Term:
        """The first key of a group for which a card stands for itself: `NONE` if there is none, None without keys."""
        keys = self.tables.keys(template)
        if keys == (None,):
            return None
        stands = [self.tables.fitting(template, key, None).natural for key in keys]
        found = [next((k for k, faces in enumerate(stands) if face in faces), NONE) for face in range(self.faces)]
        return lookup(found, card)

    # ------------------------------------------------------------ what is asked of melds

    def substitutes(self, meld: SymMeld) -> Term:
        """How many cards stand for others."""
        found = meld.memo.get("substitutes")
        if found is None:
            found = meld.memo["substitutes"] = self._substitutes(meld)
        return found

    def _substitutes(self, meld: SymMeld) -> Term:
        if meld.at:
            return total(ite(self.stands_for_another(meld, place), 1, 0) for place in range(1, self.places + 1))
        result: Term = 0
        for key in self.tables.keys(meld.template):
            fitting = self.tables.fitting(meld.template, key, None)
            number = total(meld.counts[face] for face in sorted(fitting.substitute))
            result = number if key is None else ite(equal(meld.key, key), number, result)
        return result

    def stands_for_another(self, meld: SymMeld, place: int) -> Term:
        """Whether a card lies at a place of a sequence that stands for another."""
        found = meld.memo.get(("substitute", place))
        if found is None:
            card = meld.at[place - 1]
            found = and_((card >= 0, not_(self.natural(meld, card, place))))
            meld.memo["substitute", place] = found
        return found

    # ------------------------------------------------------------ growing

    def growth(self, meld: SymMeld, mode: str, name: str) -> tuple[SymGrowth, list[Term]]:
        """Any growth of a meld in one way, and what must hold for it to be one, laws aside.

        That it adds its card and no other to the counts is written here, and proved as a lemma of
        its own (`counting_lemma`), so that no other proof has to count cards place by place.
        """
        card = integer(f"{name}.card")
        facts: list[Term] = [between(card, 0, self.faces - 1)]
        counts = tuple(count + ite(equal(card, face), 1, 0) for face, count in enumerate(meld.counts))
        if mode == "card":
            result = SymMeld(meld.template, meld.key, None, meld.size + 1, (), counts, f"{name}.result")
            facts.append(or_(and_((equal(card, f), self.allowed(meld, f, None))) for f in range(self.faces)))
            return SymGrowth(mode, card, result), facts
        high_end = boolean(f"{name}.high")
        place = ite(high_end, meld.high + 1, meld.low - 1)
        low = ite(high_end, meld.low, meld.low - 1)
        facts.append(between(place, 1, self.places))
        added, within, freed = card, meld, None
        if mode == "shift":
            freed = integer(f"{name}.place")
            added = lookup([NONE, *meld.at], freed)
            cards = tuple(ite(equal(freed, p), card, old) for p, old in enumerate(meld.at, 1))
            within = replace(meld, at=cards, name=name, memo={})
            facts.append(
                or_(
                    and_((equal(freed, p), self.stands_for_another(meld, p), self.natural(meld, card, p)))
                    for p in range(1, self.places + 1)
                )
            )
        facts.append(or_(and_((equal(place, p), self.allowed(meld, added, p))) for p in range(1, self.places + 1)))
        at = tuple(ite(equal(place, p), added, old) for p, old in enumerate(within.at, 1))
        result = SymMeld(meld.template, meld.key, low, meld.size + 1, at, counts, f"{name}.result")
        return SymGrowth(mode, card, result, high_end, freed), facts

    def counting_lemma(self, template: str, mode: str) -> Iterator[tuple[list[Term], Term]]:
        """That a growth of a sequence adds its card and changes no other count: hypotheses and conclusions.

        One pair for each choice of the places concerned: together these are all growths.
        """
        meld = self.fresh(template, "m")
        growth, _ = self.growth(meld, mode, "g")
        face = integer("face")
        added = self.count_at_places(meld, face) + ite(equal(growth.card, face), 1, 0)
        conclusion = equal(self.count_at_places(growth.result, face), added)
        for high_end, place in product((False, True), range(1, self.places + 1)):
            fixed = [(growth.high_end, z3.BoolVal(high_end))]
            fixed.append((meld.size, place - meld.low) if high_end else (meld.low, z3.IntVal(place + 1)))
            # That the place is free is all that matters of the meld, and of the card that moves that it is one.
            for freed in range(1, self.places + 1) if growth.place is not None else (None,):
                if freed == place:
                    continue
                more = [] if freed is None else [(growth.place, z3.IntVal(freed))]
                hypotheses = [equal(meld.at[place - 1], NONE), between(face, 0, self.faces - 1)]
                if freed is not None:
                    hypotheses.append(meld.at[freed - 1] >= 0)
                yield hypotheses, z3.simplify(z3.substitute(conclusion, *fixed, *more))
