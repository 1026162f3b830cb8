"""Looking for a dead end: a position in which all invariants hold, the deal goes on, and nothing is legal.

That no action is legal which has no argument, or a card for one, is told to the solver from the start. Melds to lay
and ways to grow are too many for that. So it proposes a position, the interpreter says what is legal there after all,
and the next position must be one in which just that is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from biriba.model.position import Action, Growth, LaidMeld, Meld, Position
from biriba.verify.concrete import Reading
from biriba.verify.encode import Scope
from biriba.verify.steps import Case, Detail, Steps
from biriba.verify.symbols import MeldZone, SymLaid, SymPosition
from biriba.verify.terms import Term, and_, equal, known, not_
from biriba.verify.truths import constant
from biriba.verify.verdicts import Witness
from biriba.verify.witness import Found, Referee, Search, witness

MELDS = (0, 1)
"""How many melds of each template a zone may have in a dead end, tried one after another."""
AT_ONCE = 4
"""How many of the legal actions of a position are forbidden for the next one."""


def find_stuck(referee: Referee, me: int, phase: int, keep: tuple[int, ...], timeout: float) -> Witness | None:
    """A dead end of a seat in a phase, confirmed by the interpreter, if one is found."""
    rules = referee.ruleset
    for melds in MELDS:
        steps = Steps(rules)
        position, facts = steps.position("d", me, Detail(melds, rest=False), {})
        position = replace(position, phase=phase)
        facts += [steps.holds(statement, position) for statement in rules.invariants]
        facts += [steps.holds_for_mover(rules.step_invariants[i], position) for i in keep]
        nothing = list(_nothing_simple(steps, position, rules.phases[phase]))
        search = _StuckSearch(referee, steps, position, facts, timeout)

        def judge(found: Position, action: None, search: _StuckSearch = search) -> Found | None:
            if not referee.sound(found, keep):
                return None
            search.legal = list(referee.rules.legal(found))
            return None if search.legal else Found(found, action, None, ())

        found = search.find(nothing, judge)
        if found is not None:
            return witness(rules, found)
    return None


def _nothing_simple(steps: Steps, position: SymPosition, phase: str) -> Iterator[Term]:
    """That no action is legal that has no argument or a card for one."""
    for decl in steps.rules.actions.values():
        if phase not in decl.phases:
            continue
        case = Case(decl.name, position.turn)
        if not decl.params:
            yield not_(steps.run(case, position, {}, [], [], "d").legal)
        elif [param.domain for param in decl.params] == ["card"]:
            param = decl.params[0]
            assert param.zone is not None, "cards come from a zone"
            zone = steps.encoder.value(param.zone, Scope(position, position.turn))
            for face in range(steps.encoder.faces):
                legal = steps.run(case, position, {param.name: face}, [], [], f"d{face}").legal
                yield not_(and_((steps.encoder.contains(zone, face), legal)))


class _StuckSearch(Search):
    """Looks for a position in which nothing is legal.

    Attributes:
        legal: what was legal in the position proposed last.
    """

    rounds = 100

    def __init__(
        self, referee: Referee, steps: Steps, position: SymPosition, facts: Iterable[Term], timeout: float
    ) -> None:
        super().__init__(referee, steps, position, facts, timeout)
        self.legal: list[Action] = []
        self._forbidden = 0

    def lemmas(self, reading: Reading) -> Iterator[Term]:
        true = list(super().lemmas(reading))
        yield from true
        if not true:
            for action in self.legal[:AT_ONCE]:
                yield from self._not_legal(action, reading)
        self.legal = []

    def _not_legal(self, action: Action, reading: Reading) -> Iterator[Term]:
        """That an action is not legal in any position in which it makes sense: its melds lie where they did."""
        self._forbidden += 1
        name = f"k{self._forbidden}"
        rules, encoder = self.ruleset, self.steps.encoder
        case, env, sense = Case(action.name, self.before.turn), dict[str, Any](), list[Term]()
        for param, value in zip(rules.actions[action.name].params, action.args, strict=True):
            match value:
                case Meld():
                    meld = constant(self.steps, value)
                    assert param.zone is not None, "melds are made of cards of a zone"
                    zone = encoder.value(param.zone, Scope(self.before, self.before.turn, env=env))
                    sense += [count >= n for count, n in zip(zone.counts, meld.counts, strict=True) if n]
                    env[param.name] = meld
                case LaidMeld():
                    index, there = self._symbol(value, reading)
                    zone = self.before.zones[value.slot]
                    assert isinstance(zone, MeldZone), "laid melds lie in zones of melds"
                    sense.append(there)
                    env[param.name] = SymLaid(value.slot, index, value.owner, zone.melds[index][1])
                case Growth():
                    laid = env[str(param.of)]
                    mode = self._mode(laid.meld.template, value)
                    growth, facts = encoder.shapes.growth(laid.meld, mode, f"{name}.{param.name}")
                    # The symbols of this growth are its own, so that what they are is no restriction.
                    yield equal(growth.card, value.card)
                    if growth.high_end is not None:
                        yield equal(growth.high_end, value.end == "high")
                    if growth.place is not None:
                        yield equal(growth.place, value.moved)
                    assert param.zone is not None, "growths come from a zone"
                    zone = encoder.value(param.zone, Scope(self.before, self.before.turn, env=env))
                    sense += [*facts, encoder.lawful_anywhere(growth.result), encoder.contains(zone, value.card)]
                    env[param.name] = growth
                case _:
                    env[param.name] = value
        step = self.steps.run(case, self.before, env, [], [], name)
        yield from (fact for fact in step.shape if not known(fact))
        yield not_(and_((*sense, step.legal)))

    def _symbol(self, laid: LaidMeld, reading: Reading) -> tuple[int, Term]:
        """Which of the symbolic melds of a zone a meld of the model is, and whether it is there."""
        zone = self.before.zones[laid.slot]
        assert isinstance(zone, MeldZone), "laid melds lie in zones of melds"
        lying = [i for i, (there, _) in enumerate(zone.melds) if reading.truth(there)]
        index = lying[laid.index]
        return index, zone.melds[index][0]

    def _mode(self, template: str, growth: Growth) -> str:
        if growth.moved is not None:
            return "shift"
        return "end" if self.steps.encoder.shapes.is_sequence(template) else "card"
