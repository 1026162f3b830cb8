"""Invariants: they hold after the deal, and every action keeps them.

For each case of each action one problem is made: any position in which all invariants hold, any
legal action. Each invariant must then hold in the position that it leads to. Nothing bounds the
number of melds or cards but the deck itself.

An invariant of steps that does not look back (no `old`) is also read as an invariant of positions,
with the seat to act for the one that acted: `carried`. If that can be kept, proofs may use it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from biriba import notation
from biriba.model.position import Action, Position
from biriba.model.ruleset import Statement
from biriba.verify.relations import Relations
from biriba.verify.solving import Asked, Clock
from biriba.verify.steps import PROOF, Case, Step, Steps
from biriba.verify.symbols import SymGrowth, SymLaid, SymMeld
from biriba.verify.terms import Term, known, not_
from biriba.verify.verdicts import PROVED, REFUTED, UNKNOWN, Result, Witness
from biriba.verify.witness import Found, Referee, StepSearch, witness

MELDS = 1
"""How many melds of each template a zone may have in a counterexample, besides those that the action names."""


@dataclass(frozen=True)
class Goal:
    """Something that must hold after a step: an invariant, in one of its readings, or a condition of ours.

    Attributes:
        carried: whether an invariant of steps is read as one of positions.
        term: the condition, if it is no invariant.
    """

    group: str
    subject: str
    statement: Statement | None = None
    carried: bool = False
    term: Term = True

    def after(self, steps: Steps, step: Step) -> Term:
        """The goal as a term."""
        if self.statement is None:
            return self.term
        if self.carried:
            return steps.holds_for_mover(self.statement, step.after)
        return steps.holds(self.statement, step.after, step.before, step.case.me)


def hypotheses(steps: Steps, step: Step, keep: tuple[int, ...]) -> Iterator[Term]:
    """That the position before a step is one, and satisfies all invariants."""
    yield from step.shape
    yield from assumptions(steps, step, keep)


def assumptions(steps: Steps, step: Step, keep: tuple[int, ...]) -> Iterator[Term]:
    rules = steps.rules
    for statement in rules.invariants:
        yield steps.holds(statement, step.before)
    for i in keep:
        yield steps.holds_for_mover(rules.step_invariants[i], step.before)


def prove_step(
    referee: Referee,
    case: Case,
    keep: tuple[int, ...],
    timeout: float,
    only: frozenset[str],
    *,
    counterexamples: bool = True,
) -> list[Result]:
    """The verdicts about one case of an action.

    Args:
        keep: which invariants of steps may be used as invariants of positions.
        only: the clauses to speak of; empty for all.
        counterexamples: whether to look for one where there is no proof; else that stays unknown.
    """
    rules = referee.ruleset
    clock = Clock()
    steps = Steps(rules)
    action = case.action
    step = steps.step(case, PROOF)
    if step is None:
        return []
    told = list(hypotheses(steps, step, keep))
    asked = Asked([*told, step.legal], timeout)
    relations = Relations(steps)
    results: list[Result] = []
    held = list(_held(steps, step))
    search: StepSearch | None = None
    share = clock.read()
    for goal in _goals(steps, step, keep):
        if only and goal.subject not in only and action not in only:
            continue
        before = len(steps.encoder.questions)
        term = goal.after(steps, step)
        facts = steps.encoder.unknowns.facts
        asked.tell(facts)
        facts.clear()
        status, note, shown = PROVED, "", None
        answer = asked.follows(term)
        if answer != "yes":
            related = list(relations.about(steps.encoder.questions[before:], steps.encoder.questions[:before]))
            asked.tell(related)
            answer = asked.follows(term) if related else answer
        if answer != "yes" and held:
            asked.tell(held)
            held = []
            answer = asked.follows(term)
        if answer != "yes" and counterexamples and goal.statement is not None and not goal.carried:
            search = search or StepSearch(referee, case, MELDS, timeout)
            found = _refute(search, goal, keep)
            if found is not None:
                status, shown = REFUTED, witness(rules, found)
        if answer != "yes" and shown is None:
            status = UNKNOWN
            note = (
                "no answer within the time limit"
                if answer == "unknown"
                else f"not provable; no counterexample was confirmed with {MELDS} more melds of each kind"
            )
        results.append(Result(goal.group, goal.subject, action, status, round(clock.read() + share, 3), note, shown))
        share = 0.0
    return results


def _goals(steps: Steps, step: Step, keep: tuple[int, ...]) -> Iterator[Goal]:
    rules = steps.rules
    for statement in rules.invariants:
        yield Goal("invariant", statement.clause, statement)
    for i, statement in enumerate(rules.step_invariants):
        yield Goal("step invariant", statement.clause, statement)
        if i in keep:
            yield Goal("carried", statement.clause, statement, carried=True)
    names = [name for name, _ in steps.encoder.layout.state_slots]
    for name, value in zip(names, step.after.states, strict=True):
        if rules.states[name].type.kind == "bool":
            continue  # there is nothing to show of yes or no
        yield Goal("state range", rules.states[name].clause, term=steps.in_type(name, value))
    for _, demand in step.demands:
        yield Goal("possible effects", rules.actions[step.case.action].clause, term=demand)


def _held(steps: Steps, step: Step) -> Iterator[Term]:
    """What the places of sequences say of the cards counted in them, for the melds that the action names.

    Few invariants speak of both, and the others are proved faster without.
    """
    for value in step.env.values():
        match value:
            case SymMeld():
                yield from steps.encoder.shapes.held(value)
            case SymLaid(meld=meld):
                yield from steps.encoder.shapes.held(meld)
            case SymGrowth(result=result):
                yield from steps.encoder.shapes.held(result)


def _refute(search: StepSearch, goal: Goal, keep: tuple[int, ...]) -> Found | None:
    """A position in which all invariants hold and a legal action after which one does not."""
    step, steps = search.step, search.steps
    rules = search.referee.rules

    def judge(position: Position, action: Action) -> Found | None:
        after = rules.judge(position, action).position
        if after is None:
            return None
        broken = tuple(rules.violated_invariants(after, before=position))
        if goal.subject not in broken or not search.referee.sound(position, keep):
            return None
        return Found(position, action, after, broken)

    terms = [step.legal, *assumptions(steps, step, keep), not_(goal.after(steps, step))]
    return search.find(terms, judge)


# ---------------------------------------------------------------- the deal


def prove_deal(referee: Referee, keep: tuple[int, ...], timeout: float, only: frozenset[str]) -> list[Result]:
    """That the invariants hold right after the deal, whoever deals and however the deck lies."""
    rules = referee.ruleset
    results: list[Result] = []
    for dealer in range(len(rules.table.seats)):
        clock = Clock()
        steps = Steps(rules)
        position, facts, demands = steps.dealt(dealer)
        asked = Asked(facts, timeout)
        goals = [Goal("deal", s.clause, s, term=steps.holds(s, position)) for s in rules.invariants]
        goals += [Goal("deal", s.clause, s, term=steps.holds(s, position)) for s in rules.after_deal]
        for i in keep:
            statement = rules.step_invariants[i]
            term = steps.holds_for_mover(statement, position)
            goals.append(Goal("carried", statement.clause, statement, carried=True, term=term))
        names = [name for name, _ in steps.encoder.layout.state_slots]
        ranges = [
            (rules.states[n].clause, steps.in_type(n, value))
            for n, value in zip(names, position.states, strict=True)
            if rules.states[n].type.kind != "bool"
        ]
        goals += [Goal("state range", clause, term=term) for clause, term in ranges]
        goals += [Goal("possible effects", rules.deal[0].clause, term=demand) for _, demand in demands]
        if any(known(demand) and not demand for _, demand in demands):
            # What lies where is told as it is in the end: if a deal is impossible, that contradicts itself.
            asked = Asked([], timeout)
        asked.tell(steps.encoder.unknowns.facts)
        for goal in goals:
            if only and goal.subject not in only:
                continue
            status, note, shown = PROVED, "", None
            if asked.follows(goal.term) != "yes":
                shown = None if goal.statement is None or goal.carried else _dealt_against(referee, goal, dealer)
                status = REFUTED if shown else UNKNOWN
                note = "" if shown else "not provable; no deal was found that shows it"
            results.append(Result(goal.group, goal.subject, "deal", status, clock.read(), note, shown))
    return results


DEALS = 50
"""How many decks are dealt to find one after which an invariant does not hold."""


def _dealt_against(referee: Referee, goal: Goal, dealer: int) -> Witness | None:
    rules = referee.rules
    for seed in range(DEALS):
        position = rules.dealt(rules.shuffled(seed), dealer)
        broken = (*rules.violated_invariants(position), *rules.violated_after_deal(position))
        if goal.subject in broken:
            text = notation.format_position(referee.ruleset, position)
            as_json = {"position": notation.position_to_json(referee.ruleset, position)}
            return Witness(text, (), None, as_json, broken, confirmed=True, reachable=f"deal with seed {seed}")
    return None


# ---------------------------------------------------------------- lemmas


def prove_lemmas(referee: Referee, timeout: float) -> list[Result]:
    """That a growth adds its card to the cards of a meld and changes no other count: all proofs rest on it."""
    rules = referee.ruleset
    results = []
    for growing in rules.growings:
        clock = Clock()
        shapes = Steps(rules).encoder.shapes
        if not shapes.is_sequence(growing.template):
            continue  # a group is nothing but its counts
        status = PROVED
        for hypotheses_, conclusion in shapes.counting_lemma(growing.template, growing.mode):
            if Asked(hypotheses_, timeout).follows(conclusion) != "yes":
                status = UNKNOWN
        results.append(Result("growth adds one card", growing.clause, growing.template, status, clock.read()))
    return results
