"""Looking for a position and an action that show something, each confirmed by the interpreter.

Here the melds on the table are told one by one, and the cards of runs are counted place by place, so
that a model is a real position. What the solver chose for `room`, `grown` and the like is compared
with the interpreter's values for the melds of the model; where it is wrong, it is told so and asked again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from biriba import notation
from biriba.interpreter.evaluate import Evaluator
from biriba.interpreter.frame import SUBTOTALS, TOTALS, Local
from biriba.interpreter.rules import Rules
from biriba.model import expr as x
from biriba.model.position import Action, Position
from biriba.model.ruleset import Ruleset
from biriba.model.stmt import Shuffle
from biriba.verify.concrete import Reading
from biriba.verify.shrink import Shrinker
from biriba.verify.solving import Asked
from biriba.verify.steps import Case, Detail, Step, Steps
from biriba.verify.symbols import CardZone, MeldZone, SymMeld, SymPosition
from biriba.verify.terms import Term, and_, equal, not_
from biriba.verify.truths import links, makings, truths
from biriba.verify.verdicts import Witness


@dataclass(frozen=True)
class Found:
    position: Position
    action: Action | None
    after: Position | None
    clauses: tuple[str, ...]


class Referee:
    """The interpreter, asked about positions that the solver proposes."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.rules = Rules(ruleset)
        self.ruleset = ruleset
        self._evaluator = Evaluator(ruleset)
        self.melds = self._evaluator.melds
        self._carried = [self._evaluator.compile(statement.body) for statement in ruleset.step_invariants]

    @cached_property
    def shrinker(self) -> Shrinker:
        """What makes positions small."""
        return Shrinker(self.ruleset)

    def sound(self, position: Position, keep: tuple[int, ...]) -> bool:
        """Whether all invariants hold in a position, those of steps that are read as invariants of positions too."""
        if self.rules.violated_invariants(position):
            return False
        frame = self._evaluator.frame(position.turn, old=position)
        return all(self._carried[i](position, frame) for i in keep)

    def value(
        self,
        node: x.Node,
        variables: Mapping[str, Any],
        position: Position,
        me: int,
        old: Position,
        subtotals: tuple[int, ...],
    ) -> Any:
        """The value of an expression in a position, given those of its variables."""
        slots = {name: self._evaluator.slot() for name in variables}
        env = {name: Local(slot) for name, slot in slots.items()}
        read = self._evaluator.meld if node.type.kind == "meld" else self._evaluator.compile
        code = read(node, env)
        frame = self._evaluator.frame(me, old=old)
        frame[TOTALS] = frame[SUBTOTALS] = subtotals
        for name, slot in slots.items():
            frame[slot] = variables[name]
        return code(position, frame)


Judge = Callable[[Position, Any], Found | None]
"""The interpreter's say: what was found if the position and action show what is looked for."""


class Search:
    """Looks for positions that show something.

    Attributes:
        before: the symbolic position.
        facts: what holds of it, the cards of its melds counted place by place.
        tops: the cards known to lie below the top of piles.
        rounds: how often the solver is told what is true, for one question.
    """

    rounds = 12

    def __init__(
        self, referee: Referee, steps: Steps, before: SymPosition, facts: Iterable[Term], timeout: float
    ) -> None:
        self.referee, self.ruleset = referee, referee.ruleset
        self.steps, self.before, self.timeout = steps, before, timeout
        self.facts = [*facts, *links(steps, before)]
        self.tops: list[tuple[int, Term]] = []

    def action(self, reading: Reading) -> Action | None:
        """The action of a model, if the search is for one."""
        return None

    def lemmas(self, reading: Reading) -> Iterator[Term]:
        """What is true and a model has otherwise."""
        yield from truths(self.referee, self.steps, reading)

    def find(
        self,
        terms: Iterable[Term],
        judge: Judge,
        limits: tuple[int | None, ...] = (1, 2, 4, None),
        *,
        same_hand: bool = False,
    ) -> Found | None:
        """A position and action for which the terms hold and the interpreter agrees, as small as it can be made.

        The search is given up after twice the processor time of one question.

        Args:
            limits: how small the positions looked at are, one after another; None for any.
            same_hand: the hand of the player to act is to stay as the terms say.
        """
        asked = Asked([*self.facts, *terms, *makings(self.steps)], self.timeout)
        until = time.process_time() + 2 * self.timeout
        for limit in limits:
            asked.solver.push()
            asked.tell(self._small(self.before, limit))
            for _ in range(self.rounds):
                if time.process_time() > until:
                    return None
                asked.tell(self.steps.encoder.unknowns.facts)
                model = asked.model()
                if model is None:
                    break
                reading = Reading(self.ruleset, self.steps.encoder.shapes.tables, model)
                position, action = reading.position(self.before, self.tops), self.action(reading)
                found = judge(position, action) if sound(action) else None
                if found is not None:
                    return self.referee.shrinker.smallest(found, judge, same_hand=same_hand)
                lemmas = list(self.lemmas(reading))
                asked.tell(lemmas or [self._otherwise(reading)])
            asked.solver.pop()
        return None

    def _small(self, position: SymPosition, limit: int | None) -> Iterator[Term]:
        """That few cards lie in hands and piles, but for the undealt and packets, which must be whole."""
        if limit is None:
            return
        deck = {
            self.steps.encoder.layout.zone_base[effect.target.name]
            for step in self.ruleset.deal
            for effect in step.effects
            if isinstance(effect, Shuffle)
        }
        slots = self.steps.encoder.layout.zone_slots
        packets = {slot for slot, (name, _) in enumerate(slots) if self.ruleset.zones[name].owner == "number"}
        for slot, zone in enumerate(position.zones):
            if isinstance(zone, MeldZone):
                yield from (not_(there) for there, _ in zone.melds if limit < 4 and there is not True)
            elif slot not in deck and slot not in packets:
                yield zone.size <= (limit if limit < 4 else 12)

    def _otherwise(self, reading: Reading) -> Term:
        """That the sizes or states are other than in the model, when nothing better is known against it."""
        sizes = [zone.size for zone in self.before.zones if isinstance(zone, CardZone)]
        parts = [equal(size, reading.number(size)) for size in sizes]
        return not_(and_(parts))


class StepSearch(Search):
    """Looks for positions in which one case of an action shows something."""

    def __init__(self, referee: Referee, case: Case, melds: int, timeout: float, *, legal: bool = True) -> None:
        steps = Steps(referee.ruleset)
        step = steps.step(case, Detail(melds, rest=False), "w", legal=legal)
        if step is None:
            raise NeverLegal
        self.step: Step = step
        super().__init__(referee, steps, step.before, step.shape, timeout)
        self.tops = step.tops
        for value in step.env.values():
            if isinstance(value, SymMeld):
                self.facts += steps.encoder.shapes.counted(value)

    def action(self, reading: Reading) -> Action:
        """The action of a model."""
        return reading.action(self.step)


class NeverLegal(Exception):
    """The action is plainly never legal in this case."""


def sound(action: Action | None) -> bool:
    """Whether an action read from a model is well formed."""
    return action is None or all(arg is not None for arg in action.args)


def witness(ruleset: Ruleset, found: Found, reachable: str | None = None) -> Witness:
    """What was found, in the notation."""
    return Witness(
        notation.format_position(ruleset, found.position),
        () if found.action is None else (notation.format_action(ruleset, found.action),),
        None if found.after is None else notation.format_position(ruleset, found.after),
        {
            "position": notation.position_to_json(ruleset, found.position),
            "action": None if found.action is None else notation.action_to_json(ruleset, found.action),
        },
        found.clauses,
        confirmed=True,
        reachable=reachable,
    )
