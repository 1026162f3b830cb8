"""A condition that an action must leave behind equals its meaning: the turn can be brought to an end.

Where actions have a guard ``ensure D`` with a definition D, D is meant to say in closed form that the
turn can still be ended. Two steps show that it does. `dead_ends` proves that where D holds, a legal
action exists: it ends the turn, or D holds after it. Here the converse is proved: where an action is
possible after which D holds, or one that needs no D, D holds already. Every action that keeps D adds
to the melds (`endless` proves that too), so that D holds exactly where some sequence ends the turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from biriba.model import expr as x
from biriba.model.ruleset import Ruleset
from biriba.verify.groups import growing_facts
from biriba.verify.invariants import hypotheses
from biriba.verify.relations import Relations
from biriba.verify.solving import Asked, Clock
from biriba.verify.steps import PROOF, Case, Step, Steps
from biriba.verify.symbols import SymGrowth, SymLaid, SymMeld
from biriba.verify.terms import Term, and_, equal, implies, known, not_, or_
from biriba.verify.verdicts import PROVED, UNKNOWN, Result
from biriba.verify.witness import Referee

GROUP = "closed form"


def closed_forms(rules: Ruleset) -> dict[str, str]:
    """The definitions that actions must leave true, each with its clause."""
    found = {}
    for guard in rules.guards:
        if guard.timing == "ensure" and isinstance(guard.body, x.Apply) and not guard.body.args:
            found[guard.body.definition] = guard.clause
    return found


def concerned(rules: Ruleset, definition: str) -> tuple[list[str], list[str]]:
    """The actions that must leave a definition true and begin where others of them end; and those that need it not.

    The first go on with a turn, the others bring it to an end from the same phases.
    """
    keeping = [
        name
        for name in rules.actions
        if any(isinstance(g.body, x.Apply) and g.body.definition == definition for g in rules.guards_of(name, "ensure"))
    ]
    moved = {effect.phase for name in keeping for effect in rules.actions[name].effects if hasattr(effect, "phase")}
    phases = {p for name in keeping for p in rules.actions[name].phases} & moved
    going_on = [name for name in keeping if set(rules.actions[name].phases) <= phases]
    ending = [n for n, a in rules.actions.items() if n not in keeping and set(a.phases) & phases]
    return going_on, ending


def prove_converse(
    referee: Referee, definition: str, case: Case, ending: bool, keep: tuple[int, ...], timeout: float
) -> list[Result]:
    """That where a definition does not hold before an action, the action is impossible or it does not hold after it."""
    rules, clock = referee.ruleset, Clock()
    clause = closed_forms(rules)[definition]
    steps = Steps(rules)
    step = steps.step(case, PROOF)
    if step is None:
        return []
    apply = x.Apply(type=rules.definitions[definition].body.type, definition=definition)
    told = [*hypotheses(steps, step, keep), *_counted(steps, step)]
    before = steps.encoder.value(apply, step.scope())
    after = True if ending else steps.encoder.value(apply, replace(step.scope(), position=step.after))
    # The invariant that says so of positions in play is what is to be shown, so it is not assumed.
    allowed = and_(term for _, term in (*step.domain, *step.requires))
    growth_facts = list(_grown_before(steps, step))
    asked = Asked([*told, *steps.encoder.unknowns.facts, allowed, after, *growth_facts], timeout)
    answer = asked.possible(not_(before))
    if answer == "yes":
        related = Relations(steps).of_some_templates(list(steps.encoder.questions))
        asked.tell([*growing_facts(steps.encoder), *_one_more(steps, step), *related])
        answer = asked.possible(not_(before))
    if answer == "no":
        return [Result(GROUP, clause, case.action, PROVED, clock.read())]
    note = f"where '{definition}' fails, {case.action} may still lead to a position in which it holds"
    return [Result(GROUP, clause, case.action, UNKNOWN, clock.read(), note if answer == "yes" else "time limit")]


def _counted(steps: Steps, step: Step) -> Iterator[Term]:
    for value in step.env.values():
        if isinstance(value, SymMeld):
            yield from steps.encoder.shapes.counted(value)


def _grown_before(steps: Steps, step: Step) -> Iterator[Term]:
    """What the meaning of `room` and `grown` says of a meld and what it grows to by one card."""
    unknowns = steps.encoder.unknowns
    laid = [value for value in step.env.values() if isinstance(value, SymLaid)]
    growths = [value for value in step.env.values() if isinstance(value, SymGrowth)]
    if not laid or not growths:
        return
    meld, growth = laid[0].meld, growths[0]
    for asked in list(unknowns.rooms.values()):
        if asked.meld.name in (meld.name, growth.result.name):
            copies = unknowns.copies[asked.card] if isinstance(asked.card, int) else max(unknowns.copies)
            here, then = unknowns.room(meld, asked.card), unknowns.room(growth.result, asked.card)
            yield implies(equal(growth.card, asked.card), or_((here >= then + 1, here >= copies)))
    for question in list(unknowns.grown_asked.values()):
        if question.meld is growth.result:
            for n in range(1, max(unknowns.copies) + 1):
                before = unknowns.grown(meld, question.key, question.card, n, question.args, question.holds)
                later = or_((question.holds(growth.result), and_((equal(question.count, n - 1), question.answer))))
                yield implies(and_((equal(growth.card, question.card), later)), before)


def _one_more(steps: Steps, step: Step) -> Iterator[Term]:
    """What a meld that has grown becomes by one more copy of its card: by one of the ways to grow."""
    unknowns, shapes = steps.encoder.unknowns, steps.encoder.shapes
    for growth in (value for value in step.env.values() if isinstance(value, SymGrowth)):
        questions = {
            str((question.key, question.args)): question
            for question in unknowns.grown_asked.values()
            if question.meld is growth.result and question.kind == "some" and known(question.count)
        }
        for i, question in enumerate(questions.values()):
            answer = unknowns.grown(growth.result, question.key, growth.card, 1, question.args, question.holds)
            ways = []
            for mode in shapes.modes(growth.result.template):
                more, facts = shapes.growth(growth.result, mode, f"more{i}.{mode}")
                lawful = steps.encoder.lawful_anywhere(more.result)
                ways.append(and_([*facts, equal(more.card, growth.card), lawful, question.holds(more.result)]))
            yield implies(answer, or_(ways))
