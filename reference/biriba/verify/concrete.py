"""From a model of the solver to a position and an action of the game."""

from __future__ import annotations

from typing import Any, cast

from biriba.model.position import Action, Growth, LaidMeld, Meld, Position, Zone
from biriba.model.ruleset import OVER, Ruleset
from biriba.model.shapes import Shapes
from biriba.verify.steps import Step
from biriba.verify.symbols import CardZone, MeldZone, SymGrowth, SymLaid, SymMeld, SymPosition
from biriba.verify.terms import NONE, Term, known
from biriba.verify.z3api import z3


class Reading:
    """Reads terms in a model."""

    def __init__(self, rules: Ruleset, shapes: Shapes, model: Any) -> None:
        self.rules, self.shapes, self.model = rules, shapes, model

    def number(self, term: Term) -> int:
        return int(term) if known(term) else int(self.model.eval(term, model_completion=True).as_long())

    def truth(self, term: Term) -> bool:
        return bool(term) if known(term) else bool(z3.is_true(self.model.eval(term, model_completion=True)))

    def meld(self, meld: SymMeld) -> Meld | None:
        """The meld, None if the model's values make none (of a meld that is not there)."""
        key = None if meld.key is None else self.number(meld.key)
        if meld.at:
            cards = tuple(card for card in map(self.number, meld.at) if card != NONE)
            return self.shapes.sequence(meld.template, key, self.number(meld.low), cards) if cards else None
        cards = self._heap(meld.counts)
        if not cards or (key is not None and key not in self.shapes.keys(meld.template)):
            return None
        return self.shapes.group(meld.template, key, cards)

    def position(self, position: SymPosition, tops: list[tuple[int, Term]]) -> Position:
        """The position; `tops` are cards that lie below the top of piles, uppermost first, by slot."""
        zones: list[Zone] = []
        for slot, zone in enumerate(position.zones):
            if isinstance(zone, MeldZone):
                melds = [self.meld(meld) for there, meld in zone.melds if self.truth(there)]
                zones.append(tuple(m for m in melds if m is not None))
            else:
                zones.append(self._cards(zone, [top for where, top in tops if where == slot]))
        names = (*self.rules.phases, OVER)
        states = [self._state(i, value) for i, value in enumerate(position.states)]
        return Position(
            names[self.number(position.phase)],
            self.number(position.turn),
            self.number(position.dealer),
            tuple(zones),
            tuple(states),
        )

    def _heap(self, counts: tuple[Term, ...]) -> tuple[int, ...]:
        return tuple(face for face, count in enumerate(counts) for _ in range(max(0, self.number(count))))

    def _cards(self, zone: CardZone, below: list[Term]) -> tuple[int, ...]:
        cards = list(self._heap(zone.counts))
        if zone.top is None:
            return tuple(cards)
        on_top: list[int] = []
        for term in (zone.top, *below):
            card = self.number(term)
            if card in cards:
                cards.remove(card)
                on_top.append(card)
        return (*cards, *reversed(on_top))

    def _state(self, slot: int, value: Term) -> int | bool | None:
        states = [s for s in self.rules.states.values() for _ in self.rules.owners(s.owner)]
        type_ = states[slot].type
        if type_.kind == "bool":
            return self.truth(value)
        number = self.number(value)
        return None if type_.optional and number == NONE else number

    def action(self, step: Step) -> Action:
        """The action of a step."""
        decl = self.rules.actions[step.case.action]
        return Action(decl.name, tuple(self._argument(step.env[param.name]) for param in decl.params))

    def _argument(self, value: Any) -> object:
        match value:
            case SymMeld():
                return self.meld(value)
            case SymLaid():
                return LaidMeld(value.slot, value.index, value.owner, cast(Meld, self.meld(value.meld)))
            case SymGrowth():
                end = None if value.high_end is None else ("high" if self.truth(value.high_end) else "low")
                moved = None if value.place is None else self.number(value.place)
                return Growth(self.number(value.card), cast(Meld, self.meld(value.result)), end, moved)
            case _:
                return self.number(value)
