"""Decisive clauses: for each condition on an action, a position and an action that it alone rejects.

A guard, a law about melds or a way of growing that never decides is redundant: other clauses cover
it. That is proved, for any number of melds, and the clauses that cover it are named; or it is left
open. Where a condition compares two numbers, the rejected case is one that just fails, and a
neighbour that just passes is shown with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from biriba import notation
from biriba.model import expr as x
from biriba.model.position import Action, Position
from biriba.model.ruleset import Ruleset
from biriba.verify.encode import Scope
from biriba.verify.invariants import assumptions
from biriba.verify.solving import Asked, Clock
from biriba.verify.steps import PROOF, Case, Step, Steps
from biriba.verify.symbols import SymGrowth, SymMeld
from biriba.verify.terms import Term, equal, known, not_
from biriba.verify.verdicts import NOTED, PROVED, UNKNOWN, Result
from biriba.verify.witness import Found, Referee, StepSearch, witness
from biriba.verify.z3api import z3

GROUP = "decisive clause"


@dataclass(frozen=True)
class Condition:
    """A condition on an action: its kind (``require``, ``ensure``, ``law``), clause, place in its list, and body."""

    kind: str
    clause: str
    index: int
    body: x.Node
    var: str | None = None


def conditions(rules: Ruleset, action: str) -> list[Condition]:
    """All conditions on an action that may reject it alone."""
    found = []
    for timing in ("require", "ensure"):
        for i, guard in enumerate(rules.guards_of(action, timing)):
            found.append(Condition(timing, guard.clause, i, guard.body))
    if any(param.domain in ("new_meld", "growth") for param in rules.actions[action].params):
        found += [Condition("law", law.clause, i, law.body, law.var) for i, law in enumerate(rules.laws)]
    return found


def decide(
    referee: Referee, action: str, condition: Condition, cases: list[Case], keep: tuple[int, ...], timeout: float
) -> list[Result]:
    """Whether a condition is decisive for an action."""
    clock = Clock()
    rules = referee.ruleset
    open_cases = 0
    covering: set[str] = set()
    for case in cases:
        found, near = _search(referee, case, condition, keep, timeout)
        if found is not None:
            shown = witness(rules, found)
            note = f"accepted beside it: {near}" if near else ""
            return [Result(GROUP, condition.clause, action, PROVED, clock.read(), note, shown)]
        answer, core = _covered(referee, case, condition, keep, timeout)
        covering |= core
        open_cases += answer != "no"
    if open_cases:
        note = "no position was found in which this clause alone rejects, and none was excluded"
        return [Result(GROUP, condition.clause, action, UNKNOWN, clock.read(), note)]
    by = ", ".join(sorted(covering - {condition.clause})) or "the parameters' values, or the shape of the action"
    return [Result(GROUP, condition.clause, action, NOTED, clock.read(), f"never decides; covered by {by}")]


def _parts(step: Step, condition: Condition) -> tuple[Term | None, list[tuple[str, Term]]]:
    """The condition's own term in a step, and all other conditions with their clauses."""
    rules = step.encoder.rules
    own: Term | None = None
    others: list[tuple[str, Term]] = []
    for timing, terms in (("require", step.requires), ("ensure", step.ensures)):
        for i, (clause, term) in enumerate(terms):
            if condition.kind == timing and condition.index == i:
                own = term
            else:
                others.append((clause, term))
    laws = {law.clause for law in rules.laws}
    others += [(clause, term) for clause, term in step.domain if clause not in laws]
    meld = _judged(step)
    for i, law in enumerate(rules.laws):
        if meld is None or law.template not in (None, meld.template):
            continue
        term = step.encoder.value(law.body, Scope(step.before, step.case.me, env={law.var: meld}))
        if condition.kind == "law" and condition.index == i:
            own = term
        else:
            others.append((law.clause, term))
    return own, others


def _judged(step: Step) -> SymMeld | None:
    """The meld that the laws are asked of: a new one, or what a growth makes."""
    for value in step.env.values():
        if isinstance(value, SymMeld):
            return value
        if isinstance(value, SymGrowth):
            return value.result
    return None


def _search(
    referee: Referee, case: Case, condition: Condition, keep: tuple[int, ...], timeout: float
) -> tuple[Found | None, str]:
    """A position and action that the condition alone rejects, and an accepted neighbour."""
    for melds in (0, 1):
        search = StepSearch(referee, case, melds, timeout, legal=False)
        step = search.step
        own, others = _parts(step, condition)
        if own is None or (known(own) and own):
            continue  # it may be of other melds on the table that the condition speaks
        # A guard that must hold afterwards is asked only if nothing else is wrong.
        base = [*assumptions(search.steps, step, keep), *(term for _, term in others)]
        edge = list(_edges(step, condition))

        def rejected(position: Position, action: Action) -> Found | None:
            clauses = referee.rules.judge(position, action).clauses
            if clauses != (condition.clause,) or not referee.sound(position, keep):
                return None
            return Found(position, action, None, clauses)

        def accepted(position: Position, action: Action) -> Found | None:
            after = referee.rules.judge(position, action).position
            if after is None or not referee.sound(position, keep):
                return None
            return Found(position, action, after, ())

        for fails, passes in [*edge, (True, None)]:
            found = search.find([*base, not_(own), fails], rejected, same_hand=True)
            if found is not None:
                near = search.find([*base, own, passes], accepted, same_hand=True) if passes is not None else None
                return found, "" if near is None else _told(referee.ruleset, near)
    return None, ""


def _told(rules: Ruleset, found: Found) -> str:
    assert found.action is not None, "an action was accepted"
    return f"{notation.format_action(rules, found.action)} in {notation.format_position(rules, found.position)}"


def _edges(step: Step, condition: Condition) -> Iterator[tuple[Term, Term]]:
    """For each comparison of numbers in a condition: that it just fails, and that it just holds."""
    meld = _judged(step)
    env: dict[str, Any] = dict(step.env) if condition.var is None else {condition.var: meld}
    scope = Scope(step.after if condition.kind == "ensure" else step.before, step.case.me, old=step.before, env=env)
    for node in _comparisons(condition.body):
        left, right = step.encoder.value(node.left, scope), step.encoder.value(node.right, scope)
        if known(left) and known(right):
            continue
        match node.op:
            case "<=" | ">":
                low, high = equal(left, right), equal(left, right + 1)
            case "<" | ">=":
                low, high = equal(left, right - 1), equal(left, right)
            case _:
                continue
        yield (high, low) if node.op in ("<=", "<") else (low, high)


def _comparisons(node: x.Node) -> Iterator[x.Compare]:
    """The comparisons that a condition is made of by `and` and `or`."""
    match node:
        case x.Compare() if node.left.type.kind == "int":
            yield node
        case x.And(parts=parts) | x.Or(parts=parts):
            for part in parts:
                yield from _comparisons(part)


def _covered(
    referee: Referee, case: Case, condition: Condition, keep: tuple[int, ...], timeout: float
) -> tuple[str, set[str]]:
    """Whether the condition can fail alone, for any number of melds; if not, the clauses that see to that."""
    steps = Steps(referee.ruleset)
    step = steps.step(case, PROOF, legal=False)
    assert step is not None, "an illegal step is one too"
    own, others = _parts(step, condition)
    if own is None or (known(own) and own):
        return "no", set()
    rules = referee.ruleset
    told = [(s.clause, steps.holds(s, step.before)) for s in rules.invariants]
    told += [
        (rules.step_invariants[i].clause, steps.holds_for_mover(rules.step_invariants[i], step.before)) for i in keep
    ]
    links = [
        fact
        for value in step.env.values()
        if isinstance(value, SymMeld)
        for fact in steps.encoder.shapes.counted(value)
    ]
    asked = Asked([*step.shape, *links, *steps.encoder.unknowns.facts, not_(own)], timeout)
    asked.solver.set(unsat_core=True)
    for i, (clause, term) in enumerate([*told, *others]):
        if known(term):
            if not term:
                return "no", {clause}
            continue
        asked.solver.assert_and_track(term, z3.Bool(f"{clause}|{i}"))
    answer = asked.check()
    if answer != "unsat":
        return ("yes" if answer == "sat" else "unknown"), set()
    return "no", {str(name).split("|")[0] for name in asked.solver.unsat_core()}
