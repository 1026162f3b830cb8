"""What effects do to symbolic positions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

from biriba.model import stmt
from biriba.model.expr import Binder, State, Zone
from biriba.model.stmt import Block
from biriba.verify.encode import Encoder, Scope, Unsupported
from biriba.verify.symbols import (
    CardZone,
    MeldZone,
    SymGrowth,
    SymLaid,
    SymMeld,
    SymPosition,
    choose,
)
from biriba.verify.terms import Term, and_, equal, implies, integer, ite, known, not_, or_


@dataclass(frozen=True)
class Draft:
    """A step under way: the position so far, and whether the deal has ended in this step."""

    position: SymPosition
    ended: Term = False


class Effects:
    """Carries out effects.

    Attributes:
        facts: what holds of the symbols that effects brought in (the new top of a pile).
        demands: what must hold for the effects to be possible, each with the effect.
    """

    def __init__(self, encoder: Encoder, name: str) -> None:
        self.encoder = encoder
        self.name = name
        self.facts: list[Term] = []
        self.demands: list[tuple[stmt.Effect, Term]] = []
        self.tops: list[tuple[int, Term]] = []
        self._fresh = 0
        self._path: tuple[Term, ...] = ()

    def block(self, block: Block, draft: Draft, scope: Scope) -> Draft:
        """The draft after a block; the scope's position is that of the draft throughout."""
        for effect in block:
            draft = self.effect(effect, draft, scope)
        return draft

    def effect(self, effect: stmt.Effect, draft: Draft, scope: Scope) -> Draft:
        method: Callable[[Any, Draft, Scope], Draft] | None = getattr(self, f"_{type(effect).__name__.lower()}", None)
        if method is None:
            raise Unsupported(f"{effect.span}: {type(effect).__name__} has no encoding")
        if known(draft.ended) and draft.ended:
            return draft
        after = method(effect, draft, replace(scope, position=draft.position))
        if known(draft.ended):
            return after
        return Draft(choose(draft.ended, draft.position, after.position), or_((draft.ended, after.ended)))

    def demand(self, effect: stmt.Effect, draft: Draft, term: Term) -> None:
        """Note what an effect needs to be possible."""
        self.demands.append((effect, implies(and_((*self._path, not_(draft.ended))), term)))

    # ------------------------------------------------------------ cards

    def _slot(self, zone: Zone, scope: Scope) -> int:
        slots = self.encoder.slots(zone.name)
        if zone.index is None:
            return slots[0]
        index = self.encoder.value(zone.index, scope)
        if not known(index):
            raise Unsupported(f"{zone.span}: a zone of an owner that is not known")
        return int(slots[index - self.encoder.rules.zones[zone.name].low])

    def _movecard(self, effect: stmt.MoveCard, draft: Draft, scope: Scope) -> Draft:
        card = self.encoder.value(effect.card, scope)
        source, target = self._slot(effect.source, scope), self._slot(effect.target, scope)
        self.demand(effect, draft, self.encoder.contains(draft.position.zones[source], card))
        position = self._take(draft.position, source, card)
        return replace(draft, position=_put(position, target, card))

    def _movetop(self, effect: stmt.MoveTop, draft: Draft, scope: Scope) -> Draft:
        count = self.encoder.value(effect.count, scope)
        if not known(count):
            raise Unsupported(f"{effect.span}: a number of cards that is not known")
        source, target = self._slot(effect.source, scope), self._slot(effect.target, scope)
        position = draft.position
        for _ in range(count):
            pile = cast(CardZone, position.zones[source])
            self.demand(effect, draft, pile.size >= 1)
            card = pile.top
            position = _put(self._take(position, source, card), target, card)
        return replace(draft, position=position)

    def _take(self, position: SymPosition, slot: int, card: Term) -> SymPosition:
        """Take a card out of a pile or hand; what lies on top of a pile then is a new symbol."""
        zone = cast(CardZone, position.zones[slot])
        counts = tuple(n - ite(equal(card, face), 1, 0) for face, n in enumerate(zone.counts))
        size, top = zone.size - 1, zone.top
        if top is not None:
            self._fresh += 1
            top = integer(f"{self.name}.top{self._fresh}")
            self.tops.append((slot, top))
            there = or_(and_((equal(top, face), n > 0)) for face, n in enumerate(counts))
            self.facts.append(or_((size <= 0, there)))
        return position.with_zone(slot, CardZone(counts, size, top))

    def _moveall(self, effect: stmt.MoveAll, draft: Draft, scope: Scope) -> Draft:
        source, target = self._slot(effect.source, scope), self._slot(effect.target, scope)
        if not isinstance(draft.position.zones[source], CardZone):
            raise Unsupported(f"{effect.span}: melds that are moved as they lie")
        moved = cast(CardZone, draft.position.zones[source])
        if source == target:
            return draft
        nothing = CardZone((0,) * len(moved.counts), 0, None if moved.top is None else 0)
        goal = cast(CardZone, draft.position.zones[target])
        counts = tuple(_sum(a, b) for a, b in zip(goal.counts, moved.counts, strict=True))
        top = goal.top
        if top is not None:
            if moved.top is None:
                raise Unsupported(f"{effect.span}: a hand that becomes part of a pile")
            top = ite(equal(moved.size, 0), top, moved.top)
        full = CardZone(counts, _sum(goal.size, moved.size), top)
        return replace(draft, position=draft.position.with_zone(source, nothing).with_zone(target, full))

    def _lay(self, effect: stmt.Lay, draft: Draft, scope: Scope) -> Draft:
        meld = cast(SymMeld, scope.env[effect.meld])
        source, target = self._slot(effect.source, scope), self._slot(effect.target, scope)
        hand = cast(CardZone, draft.position.zones[source])
        self.demand(effect, draft, and_(n >= meld.counts[face] for face, n in enumerate(hand.counts)))
        counts = tuple(_minus(n, meld.counts[face]) for face, n in enumerate(hand.counts))
        position = draft.position.with_zone(source, CardZone(counts, hand.size - meld.size, hand.top))
        zone = cast(MeldZone, position.zones[target])
        return replace(draft, position=position.with_zone(target, MeldZone((*zone.melds, (True, meld)), zone.rest)))

    def _grow(self, effect: stmt.Grow, draft: Draft, scope: Scope) -> Draft:
        laid, growth = cast(SymLaid, scope.env[effect.meld]), cast(SymGrowth, scope.env[effect.growth])
        source = self._slot(effect.source, scope)
        self.demand(effect, draft, self.encoder.contains(draft.position.zones[source], growth.card))
        position = self._take(draft.position, source, growth.card)
        zone = cast(MeldZone, position.zones[laid.slot])
        melds = list(zone.melds)
        melds[laid.index] = (melds[laid.index][0], growth.result)
        return replace(draft, position=position.with_zone(laid.slot, MeldZone(tuple(melds), zone.rest)))

    # ------------------------------------------------------------ everything else

    def _assign(self, effect: stmt.Assign, draft: Draft, scope: Scope) -> Draft:
        value = self.encoder.value(effect.value, scope)
        return replace(draft, position=draft.position.with_state(self._state_slot(effect.target, scope), value))

    def _state_slot(self, state: State, scope: Scope) -> int:
        base = self.encoder.layout.state_base[state.name]
        if state.index is None:
            return base
        index = self.encoder.value(state.index, scope)
        if not known(index):
            raise Unsupported(f"{state.span}: a state of an owner that is not known")
        return int(base + index)

    def _when(self, effect: stmt.When, draft: Draft, scope: Scope) -> Draft:
        condition = self.encoder.value(effect.condition, scope)
        if known(condition):
            return self.block(effect.then if condition else effect.otherwise, draft, scope)
        return self._either(
            condition,
            lambda: self.block(effect.then, draft, scope),
            lambda: self.block(effect.otherwise, draft, scope),
        )

    def _either(self, condition: Term, then: Callable[[], Draft], otherwise: Callable[[], Draft]) -> Draft:
        path = self._path
        self._path = (*path, condition)
        yes = then()
        self._path = (*path, not_(condition))
        no = otherwise()
        self._path = path
        return Draft(choose(condition, yes.position, no.position), ite(condition, yes.ended, no.ended))

    def _foreach(self, effect: stmt.ForEach, draft: Draft, scope: Scope) -> Draft:
        for there, inner in self._values(effect.binder, scope):
            # A domain is a list of values, but `where` looks at what the rounds before have done.
            here = replace(inner, position=draft.position)
            condition = and_((there, self._where(effect.binder, here)))
            draft = self._guarded(condition, draft, partial(self._body, effect, here))
        return draft

    def _body(self, effect: stmt.ForEach, scope: Scope, draft: Draft) -> Draft:
        return self.block(effect.body, draft, scope)

    def _guarded(self, condition: Term, draft: Draft, run: Callable[[Draft], Draft]) -> Draft:
        if known(condition):
            return run(draft) if condition else draft
        return self._either(condition, lambda: run(draft), lambda: draft)

    def _repeat(self, effect: stmt.Repeat, draft: Draft, scope: Scope) -> Draft:
        times = self.encoder.value(effect.times, scope)
        if not known(times):
            raise Unsupported(f"{effect.span}: a number of times that is not known")
        for _ in range(times):
            draft = self.block(effect.body, draft, scope)
        return draft

    def _withone(self, effect: stmt.WithOne, draft: Draft, scope: Scope) -> Draft:
        values = self._values(effect.binder, scope)
        if effect.last:
            values.reverse()

        def first_of(remaining: list[tuple[Term, Scope]]) -> Draft:
            if not remaining:
                return draft
            there, inner = remaining[0]
            condition = and_((there, self._where(effect.binder, inner)))
            if known(condition):
                return self.block(effect.body, draft, inner) if condition else first_of(remaining[1:])
            return self._either(
                condition, lambda: self.block(effect.body, draft, inner), lambda: first_of(remaining[1:])
            )

        return first_of(values)

    def _values(self, binder: Binder, scope: Scope) -> list[tuple[Term, Scope]]:
        return [(there, inner) for there, _, inner in self.encoder.choices(binder, scope)]

    def _where(self, binder: Binder, scope: Scope) -> Term:
        return True if binder.where is None else self.encoder.value(binder.where, scope)

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
