"""Effects that are done again and again: for each of some values, so many times, or for the first that there is.

Rounds over values that can be listed are carried out one after another. Of melds that are not told one by one, and
of numbers without bounds, nobody knows how many there are. Then everything that the rounds may change is anything
afterwards, but for the cards, none of which gets lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from biriba.model import expr as x
from biriba.model import stmt
from biriba.model.types import SEAT
from biriba.verify.draft import Draft
from biriba.verify.encode import Scope
from biriba.verify.symbols import CardZone, MeldZone, SymPosition, fresh_counts, fresh_rest, melds_of, rests_of
from biriba.verify.terms import Term, and_, boolean, equal, implies, known, or_, total
from biriba.verify.zones import count_in, parts_of

if TYPE_CHECKING:
    from biriba.verify.effects import Effects

MOST_ROUNDS = 32
"""Up to how many rounds whose number is not known are carried out one after another."""


class Rounds:
    """Carries out effects that are done again and again."""

    def __init__(self, effects: Effects) -> None:
        self.effects, self.encoder = effects, effects.encoder

    # ------------------------------------------------------------ each

    def each(self, effect: stmt.ForEach, draft: Draft, scope: Scope) -> Draft:
        """The body for each value in turn. The values are listed before; `where` looks at what has been done since."""
        split = self._by_first_seat(effect, draft, scope, self.each)
        if split is not None:
            return split
        for there, inner in self._listed(effect.binder, scope):
            draft = self._round(effect.binder, effect.body, there, inner, draft)
        if self._is_open(effect.binder, scope):
            draft = self._anything_changed(effect.body, draft, self._fitting(effect.binder, scope))
        return draft

    def _round(self, binder: x.Binder, body: stmt.Block, there: Term, scope: Scope, draft: Draft) -> Draft:
        here = replace(scope, position=draft.position)
        condition = and_((there, self._where(binder, here)))
        return self.effects.guarded(condition, draft, lambda now: self.effects.block(body, now, here))

    def _listed(self, binder: x.Binder, scope: Scope) -> Iterator[tuple[Term, Scope]]:
        """The values that are told one by one, copies of a card one after another."""
        if isinstance(binder.domain, x.CardsOf) and not self._is_sorted(binder.domain, scope):
            return
        for there, times, inner in self.encoder.choices(binder, scope):
            if known(times):
                yield there, inner
                continue
            face = self.encoder.rules.cards.faces[inner.env[binder.var]]
            yield from ((times > n, inner) for n in range(face.copies))

    def _is_sorted(self, domain: x.CardsOf, scope: Scope) -> bool:
        """Whether the cards come in the order of their faces: those of one hand do."""
        (zone, *others) = parts_of(self.encoder.value(domain.zone, scope))
        return not others and isinstance(zone, CardZone) and zone.top is None

    def _is_open(self, binder: x.Binder, scope: Scope) -> bool:
        """Whether there may be values besides those that are listed."""
        match binder.domain:
            case x.CardsOf():
                return not self._is_sorted(binder.domain, scope)
            case x.MeldsOf():
                return any(rests_of(zone) for zone in parts_of(self.encoder.value(binder.domain.zone, scope)))
            case x.Grown() | x.MeldsFrom():
                return True
            case _:
                return self.encoder.unbounded(binder.domain, scope)

    def _by_first_seat(
        self, effect: Any, draft: Draft, scope: Scope, run: Callable[[Any, Draft, Scope], Draft]
    ) -> Draft | None:
        """Where it is not known with which seat a round begins, each of them in its case."""
        domain = effect.binder.domain
        if not isinstance(domain, x.SeatsFrom):
            return None
        first = self.encoder.value(domain.seat, scope)
        if known(first):
            return None
        cases = []
        for seat in range(len(self.encoder.rules.table.seats)):
            begun = replace(domain, seat=x.Const(type=SEAT, value=seat))
            once = replace(effect, binder=replace(effect.binder, domain=begun))
            cases.append((equal(first, seat), partial(self._run, run, once, scope)))
        return self.effects.one_of(cases, draft)

    @staticmethod
    def _run(run: Callable[[Any, Draft, Scope], Draft], effect: Any, scope: Scope, draft: Draft) -> Draft:
        return run(effect, draft, replace(scope, position=draft.position))

    # ------------------------------------------------------------ so many times

    def repeat(self, effect: stmt.Repeat, draft: Draft, scope: Scope) -> Draft:
        """The body so many times."""
        times = self.encoder.value(effect.times, scope)
        most = times if known(times) else effect.times.type.high
        if most is None or (not known(times) and most > MOST_ROUNDS):
            return self._anything_changed(effect.body, draft, iter([(True, scope)]))
        for i in range(most):
            condition = True if known(times) else times > i
            draft = self.effects.guarded(
                condition,
                draft,
                lambda now: self.effects.block(effect.body, now, replace(scope, position=now.position)),
            )
        return draft

    # ------------------------------------------------------------ the first or last

    def one(self, effect: stmt.WithOne, draft: Draft, scope: Scope) -> Draft:
        """The body for the first or last value that there is, if there is one."""
        split = self._by_first_seat(effect, draft, scope, self.one)
        if split is not None:
            return split
        values = list(self.encoder.choices(effect.binder, scope))
        if isinstance(effect.binder.domain, x.CardsOf) and not self._is_sorted(effect.binder.domain, scope):
            return self._one_card(effect, draft, scope)
        if effect.last:
            values.reverse()
        cases = [(there, partial(self._body, effect, inner), inner) for there, _, inner in values]
        if self._is_open(effect.binder, scope):
            # Which is the first is not known: it may be any.
            cases = [(and_((self._flag(), there)), run, inner) for there, run, inner in cases]
            for there, inner in self._examples(effect.binder, scope):
                cases.append((and_((self._flag(), there)), partial(self._body, effect, inner), inner))

        def first_of(i: int) -> Draft:
            if i == len(cases):
                return draft
            there, run, inner = cases[i]
            condition = and_((there, self._where(effect.binder, inner)))
            if known(condition):
                return run(draft) if condition else first_of(i + 1)
            return self.effects.either(condition, lambda: run(draft), lambda: first_of(i + 1))

        return first_of(0)

    def _body(self, effect: stmt.WithOne, scope: Scope, draft: Draft) -> Draft:
        return self.effects.block(effect.body, draft, scope)

    def _one_card(self, effect: stmt.WithOne, draft: Draft, scope: Scope) -> Draft:
        """A card of a pile or of melds: one of those that are right; if the last is meant, the top one if that is."""
        card, fitting = self.effects.fresh("card"), []
        for there, _, inner in self.encoder.choices(effect.binder, scope):
            fitting.append((and_((there, self._where(effect.binder, inner))), inner.env[effect.binder.var]))
        found = or_(right for right, _ in fitting)
        self.effects.facts.append(implies(found, or_(and_((right, equal(card, face))) for right, face in fitting)))
        inner = scope.bind(**{effect.binder.var: card})
        zones = parts_of(self.encoder.value(effect.binder.domain.zone, scope))  # type: ignore[attr-defined]
        if effect.last and len(zones) == 1 and isinstance(zones[0], CardZone):
            top = zones[0].top
            right = self._where(effect.binder, scope.bind(**{effect.binder.var: top}))
            self.effects.facts.append(implies(and_((zones[0].size >= 1, right)), equal(card, top)))
        return self.effects.guarded(found, draft, lambda now: self.effects.block(effect.body, now, inner))

    def _where(self, binder: x.Binder, scope: Scope) -> Term:
        return True if binder.where is None else self.encoder.value(binder.where, scope)

    # ------------------------------------------------------------ values that nobody can list

    def _flag(self) -> Term:
        return boolean(f"{self.effects.fresh('flag')}")

    def _examples(self, binder: x.Binder, scope: Scope) -> Iterator[tuple[Term, Scope]]:
        """Any value of a domain that cannot be listed: one for each template if it is a meld."""
        name = str(self.effects.fresh("any"))
        match binder.domain:
            case x.Range(low=low, high=high):
                value = self.effects.fresh("number")
                inside = and_((self.encoder.value(low, scope) <= value, value <= self.encoder.value(high, scope)))
                yield inside, scope.bind(**{binder.var: value})
            case x.CardsOf():
                yield from ((there, inner) for there, _, inner in self.encoder.choices(binder, scope))
            case _:
                for template in self.encoder.rules.templates:
                    meld = self.encoder.shapes.fresh(template, f"{name}.{template}")
                    yield and_(self.encoder.shapes.fits(meld)), scope.bind(**{binder.var: meld})

    def _fitting(self, binder: x.Binder, scope: Scope) -> Iterator[tuple[Term, Scope]]:
        for there, inner in self._examples(binder, scope):
            yield and_((there, self._where(binder, inner))), inner

    def _anything_changed(self, body: stmt.Block, draft: Draft, rounds: Iterator[tuple[Term, Scope]]) -> Draft:
        """The draft after any number of rounds; each must be possible in whatever position the ones before lead to."""
        changed = Changed(self.effects.encoder.layout)
        changed.block(body)
        after = self._anything(draft, changed)
        for there, scope in rounds:
            here = replace(scope, position=after.position)
            self.effects.guarded(there, after, partial(self.effects.block, body, scope=here))
        return after

    def _anything(self, draft: Draft, changed: Changed) -> Draft:
        position, name = draft.position, str(self.effects.fresh("after"))
        zones = list(position.zones)
        for slot in sorted(changed.zones):
            zones[slot] = self._any_zone(position, slot, sorted(changed.zones), f"{name}.{slot}")
        for face in range(self.encoder.faces) if changed.zones else ():
            before = total(count_in(position.zones[slot], face) for slot in changed.zones)
            self.effects.facts.append(equal(total(count_in(zones[slot], face) for slot in changed.zones), before))
        states = list(position.states)
        for slot in sorted(changed.states):
            is_bool = isinstance(states[slot], bool) or getattr(states[slot], "is_bool", lambda: False)()
            states[slot] = boolean(f"{name}.state{slot}") if is_bool else self.effects.fresh("state")
        after = SymPosition(
            self.effects.fresh("phase") if changed.phase else position.phase,
            self.effects.fresh("turn") if changed.turn else position.turn,
            position.dealer,
            tuple(zones),
            tuple(states),
        )
        return Draft(after, boolean(f"{name}.ended") if changed.ended else draft.ended)

    def _any_zone(self, position: SymPosition, slot: int, among: list[int], name: str) -> Any:
        zone, faces = position.zones[slot], self.encoder.faces
        if isinstance(zone, MeldZone):
            # Melds are only moved, so it is some of those that lay in zones like it, and rests that stand for more.
            melds, more = [], fresh_rest(f"{name}.rest", faces)
            for other in among:
                melds += [(and_((self._flag(), there)), meld) for there, meld in melds_of(position.zones[other])]
            self.effects.facts += [*(n >= 0 for n in more.counts), equal(more.size, total(more.counts))]
            return MeldZone(tuple(melds), ((True, more),))
        counts = fresh_counts(name, faces)
        size = total(counts)
        self.effects.facts += [n >= 0 for n in counts]
        return CardZone(counts, size, None if zone.top is None else self.effects.any_of(counts, size))


class Changed:
    """What effects may change: slots of zones and states, the phase, the turn, whether the deal goes on."""

    def __init__(self, layout: Any) -> None:
        self.layout = layout
        self.zones: set[int] = set()
        self.states: set[int] = set()
        self.phase = self.turn = self.ended = False

    def block(self, block: stmt.Block) -> None:
        for effect in stmt.walk(block):
            match effect:
                case stmt.MoveCard() | stmt.MoveTop() | stmt.MoveAll():
                    for zone in (effect.source, effect.target):
                        self.zones |= {s for s, (name, _) in enumerate(self.layout.zone_slots) if name == zone.name}
                case stmt.Assign(target=target):
                    self.states |= {s for s, (name, _) in enumerate(self.layout.state_slots) if name == target.name}
                case stmt.TurnTo():
                    self.turn = True
                case stmt.GoTo():
                    self.phase = True
                case stmt.EndDeal():
                    self.phase = self.ended = True
