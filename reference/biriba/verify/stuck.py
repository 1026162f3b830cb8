"""Looking for a dead end: a position in which all invariants hold, the deal goes on, and nothing is legal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from biriba.model.position import Position
from biriba.verify.encode import Scope, Unsupported
from biriba.verify.steps import Case, Detail, Steps
from biriba.verify.symbols import SymPosition
from biriba.verify.terms import Term, and_, not_
from biriba.verify.verdicts import Witness
from biriba.verify.witness import Found, Referee, Search, witness


def find_stuck(referee: Referee, me: int, phase: int, keep: tuple[int, ...], timeout: float) -> Witness | None:
    """A dead end of a seat in a phase, confirmed by the interpreter, if one is found."""
    rules = referee.ruleset
    for melds in (0, 1):
        steps = Steps(rules)
        position, facts = steps.position("d", me, Detail(melds, rest=False), {})
        position = replace(position, phase=phase)
        facts += [steps.holds(statement, position) for statement in rules.invariants]
        facts += [steps.holds_for_mover(rules.step_invariants[i], position) for i in keep]
        try:
            nothing = list(_nothing_simple(steps, position, rules.phases[phase]))
        except Unsupported:
            return None

        def judge(found: Position, action: None) -> Found | None:
            if not referee.sound(found, keep) or referee.rules.legal(found):
                return None
            return Found(found, action, None, ())

        found = Search(referee, steps, position, facts, timeout).find(nothing, judge)
        if found is not None:
            return witness(rules, found)
    return None


def _nothing_simple(steps: Steps, position: SymPosition, phase: str) -> Iterator[Term]:
    """That no action is legal that has no argument or a card for one; the others are left to the interpreter."""
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
