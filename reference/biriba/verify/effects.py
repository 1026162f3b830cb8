"""What effects do to symbolic positions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

from biriba.model import stmt
from biriba.model.expr import State, Zone
from biriba.model.stmt import Block
from biriba.verify.draft import Draft
from biriba.verify.encode import Encoder, Scope
from biriba.verify.rounds import Rounds
from biriba.verify.symbols import (
    CardZone,
    MeldZone,
    SymGrowth,
    SymLaid,
    SymMeld,
    SymPosition,
    SymZone,
    choose,
)
from biriba.verify.terms import Term, and_, equal, implies, integer, ite, known, not_, or_, subtract
from biriba.verify.zones import count_in


class Effects:
    """Carries out effects.

    Attributes:
        facts: what holds of the symbols that effects brought in (the new top of a pile).
        demands: what must hold for the effects to be possible, each with the effect.
        reached: each effect that was come to, with what must hold for it to happen.
    """

    def __init__(self, encoder: Encoder, name: str) -> None:
        self.encoder = encoder
        self.name = name
        self.facts: list[Term] = []
        self.demands: list[tuple[stmt.Effect, Term]] = []
        self.reached: list[tuple[stmt.Effect, Term]] = []
        self.tops: list[tuple[int, Term]] = []
        self._fresh = 0
        self._path: tuple[Term, ...] = ()
        self.rounds = Rounds(self)

    def block(self, block: Block, draft: Draft, scope: Scope) -> Draft:
        """The draft after a block; the scope's position is that of the draft throughout."""
        for effect in block:
            draft = self.effect(effect, draft, scope)
        return draft

    def effect(self, effect: stmt.Effect, draft: Draft, scope: Scope) -> Draft:
        method: Callable[[Any, Draft, Scope], Draft] | None = getattr(self, f"_{type(effect).__name__.lower()}", None)
        assert method is not None, f"{effect.span}: no terms are given for effects of kind {type(effect).__name__}"
        if known(draft.ended) and draft.ended:
            return draft
        self.reached.append((effect, and_((*self._path, not_(draft.ended)))))
        after = method(effect, draft, replace(scope, position=draft.position))
        if known(draft.ended):
            return after
        return Draft(choose(draft.ended, draft.position, after.position), or_((draft.ended, after.ended)))

    def demand(self, effect: stmt.Effect, draft: Draft, term: Term) -> None:
        """Note what an effect needs to be possible."""
        self.demands.append((effect, implies(and_((*self._path, not_(draft.ended))), term)))

    # ------------------------------------------------------------ places

    def _at(self, refs: tuple[Zone | State, ...], draft: Draft, scope: Scope, run: Callable[..., Draft]) -> Draft:
        """What is done at the slots of some zones or states; where an owner is not known, for each that it may be."""
        if not refs:
            return run(draft)
        first, *others = refs

        def at(slot: int) -> Callable[[Draft], Draft]:
            return lambda now: self._at(tuple(others), now, scope, partial(run, slot))

        slots, index = self._slots(first, scope)
        if known(index):
            return at(slots[index])(draft)
        return self.one_of([(equal(index, i), at(slot)) for i, slot in enumerate(slots)], draft)

    def _slots(self, ref: Zone | State, scope: Scope) -> tuple[range, Term]:
        """The slots of all zones or states of a name, and which of them is meant."""
        rules = self.encoder.rules
        if isinstance(ref, Zone):
            slots, low = self.encoder.slots(ref.name), rules.zones[ref.name].low
        else:
            base, low = self.encoder.layout.state_base[ref.name], 0
            slots = range(base, base + len(rules.owners(rules.states[ref.name].owner)))
        return slots, 0 if ref.index is None else subtract(self.encoder.value(ref.index, scope), low)

    def one_of(self, cases: Sequence[tuple[Term, Callable[[Draft], Draft]]], draft: Draft) -> Draft:
        """The draft after the first case whose condition holds; the last needs none."""
        (condition, run), *others = cases
        if not others:
            return run(draft)
        return self.either(condition, lambda: run(draft), lambda: self.one_of(others, draft))

    # ------------------------------------------------------------ cards

    def _movecard(self, effect: stmt.MoveCard, draft: Draft, scope: Scope) -> Draft:
        card = self.encoder.value(effect.card, scope)

        def run(source: int, target: int, now: Draft) -> Draft:
            self.demand(effect, now, self.encoder.contains(now.position.zones[source], card))
            return replace(now, position=_put(self._take(now.position, source, card), target, card))

        return self._at((effect.source, effect.target), draft, scope, run)

    def _movetop(self, effect: stmt.MoveTop, draft: Draft, scope: Scope) -> Draft:
        count = self.encoder.value(effect.count, scope)
        most = count if known(count) else effect.count.type.high
        assert most is not None, "the checker allows only a number of cards with a bound"

        def run(source: int, target: int, now: Draft) -> Draft:
            for i in range(most):
                now = self.guarded(
                    True if known(count) else count > i, now, partial(self._draw, effect, source, target)
                )
            return now

        return self._at((effect.source, effect.target), draft, scope, run)

    def _draw(self, effect: stmt.MoveTop, source: int, target: int, draft: Draft) -> Draft:
        pile = cast(CardZone, draft.position.zones[source])
        self.demand(effect, draft, pile.size >= 1)
        return replace(draft, position=_put(self._take(draft.position, source, pile.top), target, pile.top))

    def _take(self, position: SymPosition, slot: int, card: Term) -> SymPosition:
        """Take a card out of a pile or hand; what lies on top of a pile once that card is gone is a new symbol."""
        zone = cast(CardZone, position.zones[slot])
        counts = tuple(n - ite(equal(card, face), 1, 0) for face, n in enumerate(zone.counts))
        size, top = zone.size - 1, zone.top
        if top is not None:
            uncovered = self.any_of(counts, size)
            self.tops.append((slot, uncovered))
            top = ite(equal(card, top), uncovered, top)
        return position.with_zone(slot, CardZone(counts, size, top))

    def any_of(self, counts: tuple[Term, ...], size: Term) -> Term:
        """A new symbol for a card that is there, if there is one."""
        card = self.fresh("top")
        there = or_(and_((equal(card, face), n > 0)) for face, n in enumerate(counts))
        self.facts.append(or_((size <= 0, there)))
        return card

    def fresh(self, what: str) -> Term:
        self._fresh += 1
        return integer(f"{self.name}.{what}{self._fresh}")

    def _moveall(self, effect: stmt.MoveAll, draft: Draft, scope: Scope) -> Draft:
        def run(source: int, target: int, now: Draft) -> Draft:
            return now if source == target else replace(now, position=self._pour(now.position, source, target))

        return self._at((effect.source, effect.target), draft, scope, run)

    def _pour(self, position: SymPosition, source: int, target: int) -> SymPosition:
        """Move everything from one zone to another."""
        moved, goal = position.zones[source], position.zones[target]
        nothing: SymZone
        full: SymZone
        if isinstance(moved, MeldZone):
            nothing = MeldZone(())
        else:
            nothing = CardZone((0,) * len(moved.counts), 0, None if moved.top is None else 0)
        if isinstance(goal, MeldZone):
            assert isinstance(moved, MeldZone), "the checker lets only melds come among melds in this way"
            full = MeldZone((*goal.melds, *moved.melds), (*goal.rests, *moved.rests))
        else:
            faces = range(self.encoder.faces)
            coming = tuple(count_in(moved, face) for face in faces)
            counts = tuple(_sum(goal.counts[face], coming[face]) for face in faces)
            top = goal.top
            if top is not None:
                top = ite(equal(moved.size, 0), top, self._uppermost(moved, coming))
            full = CardZone(counts, _sum(goal.size, moved.size), top)
        return position.with_zone(source, nothing).with_zone(target, full)

    def _uppermost(self, moved: SymZone, counts: tuple[Term, ...]) -> Term:
        """The card of a zone that comes to lie on top when all of them are moved to a pile: of a hand, its last."""
        if isinstance(moved, MeldZone):
            return self.any_of(counts, moved.size)
        if moved.top is not None:
            return moved.top
        last: Term = 0
        for face, count in enumerate(counts):
            last = ite(count > 0, face, last)
        return last

    def _lay(self, effect: stmt.Lay, draft: Draft, scope: Scope) -> Draft:
        meld = cast(SymMeld, scope.env[effect.meld])

        def run(source: int, target: int, now: Draft) -> Draft:
            hand = cast(CardZone, now.position.zones[source])
            self.demand(effect, now, and_(n >= meld.counts[face] for face, n in enumerate(hand.counts)))
            counts = tuple(_minus(n, meld.counts[face]) for face, n in enumerate(hand.counts))
            size = hand.size - meld.size
            left = CardZone(counts, size, None if hand.top is None else self.any_of(counts, size))
            position = now.position.with_zone(source, left)
            zone = cast(MeldZone, position.zones[target])
            laid = MeldZone((*zone.melds, (True, meld)), zone.rests)
            return replace(now, position=position.with_zone(target, laid))

        return self._at((effect.source, effect.target), draft, scope, run)

    def _grow(self, effect: stmt.Grow, draft: Draft, scope: Scope) -> Draft:
        laid, growth = cast(SymLaid, scope.env[effect.meld]), cast(SymGrowth, scope.env[effect.growth])

        def run(source: int, now: Draft) -> Draft:
            self.demand(effect, now, self.encoder.contains(now.position.zones[source], growth.card))
            position = self._take(now.position, source, growth.card)
            zone = cast(MeldZone, position.zones[laid.slot])
            melds = list(zone.melds)
            melds[laid.index] = (melds[laid.index][0], growth.result)
            return replace(now, position=position.with_zone(laid.slot, MeldZone(tuple(melds), zone.rests)))

        return self._at((effect.source,), draft, scope, run)

    def _shuffle(self, effect: stmt.Shuffle, draft: Draft, scope: Scope) -> Draft:
        """Once a deal is dealt there is no deck to shuffle."""
        return draft

    def _cut(self, effect: stmt.Cut, draft: Draft, scope: Scope) -> Draft:
        return draft

    # ------------------------------------------------------------ everything else

    def _assign(self, effect: stmt.Assign, draft: Draft, scope: Scope) -> Draft:
        value = self.encoder.value(effect.value, scope)

        def run(slot: int, now: Draft) -> Draft:
            return replace(now, position=now.position.with_state(slot, value))

        return self._at((effect.target,), draft, scope, run)

    def _when(self, effect: stmt.When, draft: Draft, scope: Scope) -> Draft:
        condition = self.encoder.value(effect.condition, scope)
        if known(condition):
            return self.block(effect.then if condition else effect.otherwise, draft, scope)
        return self.either(
            condition,
            lambda: self.block(effect.then, draft, scope),
            lambda: self.block(effect.otherwise, draft, scope),
        )

    def either(self, condition: Term, then: Callable[[], Draft], otherwise: Callable[[], Draft]) -> Draft:
        path = self._path
        self._path = (*path, condition)
        yes = then()
        self._path = (*path, not_(condition))
        no = otherwise()
        self._path = path
        return Draft(choose(condition, yes.position, no.position), ite(condition, yes.ended, no.ended))

    def guarded(self, condition: Term, draft: Draft, run: Callable[[Draft], Draft]) -> Draft:
        if known(condition):
            return run(draft) if condition else draft
        return self.either(condition, lambda: run(draft), lambda: draft)

    # ------------------------------------------------------------ again and again

    def _foreach(self, effect: stmt.ForEach, draft: Draft, scope: Scope) -> Draft:
        return self.rounds.each(effect, draft, scope)

    def _repeat(self, effect: stmt.Repeat, draft: Draft, scope: Scope) -> Draft:
        return self.rounds.repeat(effect, draft, scope)

    def _withone(self, effect: stmt.WithOne, draft: Draft, scope: Scope) -> Draft:
        return self.rounds.one(effect, draft, scope)

    # ------------------------------------------------------------ phases and turns

    def _turnto(self, effect: stmt.TurnTo, draft: Draft, scope: Scope) -> Draft:
        return replace(draft, position=replace(draft.position, turn=self.encoder.value(effect.seat, scope)))

    def _goto(self, effect: stmt.GoTo, draft: Draft, scope: Scope) -> Draft:
        return replace(draft, position=replace(draft.position, phase=self.encoder.phases[effect.phase]))

    def _enddeal(self, effect: stmt.EndDeal, draft: Draft, scope: Scope) -> Draft:
        over = len(self.encoder.rules.phases)
        return Draft(replace(draft.position, phase=over), True)


def _put(position: SymPosition, slot: int, card: Term) -> SymPosition:
    """Put a card into a hand or on top of a pile."""
    zone = cast(CardZone, position.zones[slot])
    counts = tuple(_sum(n, ite(equal(card, face), 1, 0)) for face, n in enumerate(zone.counts))
    return position.with_zone(slot, CardZone(counts, zone.size + 1, None if zone.top is None else card))


def _sum(a: Term, b: Term) -> Term:
    if known(a) and a == 0:
        return b
    return a if known(b) and b == 0 else a + b


def _minus(a: Term, b: Term) -> Term:
    return a if known(b) and b == 0 else a - b
