"""The deal in symbols."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from biriba.model import stmt
from biriba.verify.effects import Draft, Effects
from biriba.verify.encode import Scope, Unsupported
from biriba.verify.symbols import CardZone, MeldZone, SymPosition, fresh_pile
from biriba.verify.terms import Term, between, equal, known, lookup, or_, total

if TYPE_CHECKING:
    from biriba.verify.steps import Steps


class _Dealing(Effects):
    """Effects of a deal: only how many cards lie where is followed, since any card may lie anywhere."""

    def _movetop(self, effect: stmt.MoveTop, draft: Draft, scope: Scope) -> Draft:
        count = self.encoder.value(effect.count, scope)
        source, target = self._slot(effect.source, scope), self._slot(effect.target, scope)
        pile = cast(CardZone, draft.position.zones[source])
        if not known(count) or not known(pile.size):
            raise Unsupported(f"{effect.span}: a number of cards that is not known")
        self.demand(effect, draft, pile.size >= count)
        position = draft.position.with_zone(source, replace(pile, size=pile.size - count))
        goal = cast(CardZone, position.zones[target])
        return replace(draft, position=position.with_zone(target, replace(goal, size=goal.size + count)))

    def _shuffle(self, effect: stmt.Shuffle, draft: Draft, scope: Scope) -> Draft:
        target = self._slot(effect.target, scope)
        pile = cast(CardZone, draft.position.zones[target])
        size = pile.size + self.encoder.rules.cards.total
        return replace(draft, position=draft.position.with_zone(target, replace(pile, size=size)))

    def _cut(self, effect: stmt.Cut, draft: Draft, scope: Scope) -> Draft:
        return draft


def dealt(steps: Steps, dealer: int) -> tuple[SymPosition, list[Term], list[tuple[Any, Term]]]:
    """See `Steps.dealt`."""
    encoder, rules = steps.encoder, steps.rules
    blank = (0,) * encoder.faces
    zones: list[CardZone | MeldZone] = []
    for zone, _ in encoder.layout.zone_slots:
        kind = rules.zones[zone].kind
        zones.append(MeldZone((), None) if kind == "melds" else CardZone(blank, 0, 0 if kind == "pile" else None))
    start = SymPosition(0, dealer, dealer, tuple(zones), ())
    states = tuple(
        encoder.value(rules.states[state].initial, Scope(start, dealer)) for state, _ in encoder.layout.state_slots
    )
    effects = _Dealing(encoder, "deal")
    draft = Draft(replace(start, states=states))
    for step in rules.deal:
        draft = effects.block(step.effects, draft, Scope(draft.position, dealer))
    facts: list[Term] = []
    done: list[CardZone | MeldZone] = []
    for slot, held in enumerate(draft.position.zones):
        if isinstance(held, MeldZone) or (known(held.size) and held.size == 0):
            done.append(held)
            continue
        pile = fresh_pile(f"deal.{slot}", encoder.faces, ordered=held.top is not None)
        facts += [count >= 0 for count in pile.counts]
        facts.append(equal(total(pile.counts), held.size))
        if pile.top is not None:
            facts += [between(pile.top, 0, encoder.faces - 1), or_([held.size <= 0, lookup(pile.counts, pile.top) > 0])]
        done.append(CardZone(pile.counts, held.size, pile.top))
    for face in rules.cards.faces:
        copies = [zone.counts[face.index] for zone in done if isinstance(zone, CardZone)]
        facts.append(equal(total(copies), face.copies))
    return replace(draft.position, zones=tuple(done)), facts, effects.demands
