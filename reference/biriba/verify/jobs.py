"""What there is to do for a rule set, and the process that does it."""

from __future__ import annotations

import gc
from dataclasses import replace
from typing import Any

from biriba.model.ruleset import Ruleset
from biriba.verify import choices, dead_ends, decisive, endless, finish, invariants, kinds, matches, scoring
from biriba.verify.reach import Reach
from biriba.verify.run import Job, Options
from biriba.verify.steps import Case, Steps
from biriba.verify.symmetry import representatives
from biriba.verify.used import Watch, effects_of, prove_used
from biriba.verify.verdicts import REFUTED, Result
from biriba.verify.witness import Referee
from biriba.verify.z3api import begin_anew

Keep = tuple[int, ...]


def plan(ruleset: Ruleset, stage: str, keep: Keep) -> list[Job]:
    """The jobs of a stage: `invariants`, or `others`, which may use what was shown of the invariants.

    Args:
        keep: the invariants of steps that may be read as invariants of positions.
    """
    seats = representatives(ruleset)
    steps = Steps(ruleset)
    cases = {name: [case for case in steps.cases(name) if case.me in seats] for name in ruleset.actions}
    if stage == "invariants":
        return list(_invariants(cases, keep))
    # The longest first, so that no process waits for another at the end.
    return [
        *_dead_ends(ruleset, seats, keep),
        Job("endless", f"endless {keep}", "ends", ([c for found in cases.values() for c in found], keep)),
        *_closed_forms(ruleset, cases, keep),
        *_decisive(ruleset, cases, keep),
        *_score(ruleset),
    ]


def _invariants(cases: dict[str, list[Case]], keep: Keep) -> list[Job]:
    jobs = [Job("invariants", "lemmas", "lemmas"), Job("invariants", f"deal {keep}", "deal", (keep,))]
    # One seat after the other, so that every action is seen soon.
    every = sorted((case for found in cases.values() for case in found), key=lambda case: case.me)
    return jobs + [Job("invariants", f"step {keep} {case}", "step", (case, keep)) for case in every]


def _dead_ends(ruleset: Ruleset, seats: tuple[int, ...], keep: Keep) -> list[Job]:
    jobs = []
    for phase in reversed(range(len(ruleset.phases))):
        jobs += [Job("dead-ends", f"alive {keep} {me} {phase}", "alive", (me, phase, keep)) for me in seats]
    return jobs


def _closed_forms(ruleset: Ruleset, cases: dict[str, list[Case]], keep: Keep) -> list[Job]:
    jobs = []
    for definition, clause in finish.closed_forms(ruleset).items():
        # That the closed form holds in play is one of the invariants; here it must not be assumed.
        others = tuple(i for i in keep if ruleset.step_invariants[i].clause != clause)
        going_on, ending = finish.concerned(ruleset, definition)
        for action in (*going_on, *ending):
            for case in cases[action]:
                label = f"converse {others} {definition} {case}"
                args = (definition, case, action in ending, others)
                jobs.append(Job("closed-form", label, "converse", args, (clause, action)))
    return jobs


def _decisive(ruleset: Ruleset, cases: dict[str, list[Case]], keep: Keep) -> list[Job]:
    jobs = []
    for action, found in cases.items():
        for condition in decisive.conditions(ruleset, action):
            label = f"decisive {keep} {action} {condition.kind} {condition.index} {condition.clause}"
            args = (action, condition, found, keep)
            jobs.append(Job("decisive", label, "decides", args, (condition.clause, action)))
    for action, found in cases.items():
        clauses = {clause for clause, _ in effects_of(ruleset, action)}
        jobs.append(Job("decisive", f"used {keep} {action}", "used", (action, found, keep), (*clauses, action)))
    ends, winner = ruleset.match.ends, ruleset.match.winner
    names = (*(end.clause for end in ends), *([winner.clause] if winner else []))
    return [*jobs, Job("decisive", "matches", "matches", (), names)] if ends else jobs


def _score(ruleset: Ruleset) -> list[Job]:
    of_score = (line.clause for line in ruleset.score)
    of_choices = (choice.clause for choice in choices.choices(ruleset))
    of_kinds = (template.clause for template in ruleset.templates.values())
    named = {"score": of_score, "choices": of_choices, "kinds": of_kinds}
    found = ((what, tuple(dict.fromkeys(clauses))) for what, clauses in named.items())
    return [Job("score", what, what, (), clauses) for what, clauses in found if clauses]


class Worker:
    """Does jobs for one rule set, one after another."""

    def __init__(self, ruleset: Ruleset, options: Options) -> None:
        self.options = options
        self.referee = Referee(ruleset)
        self._reach = Reach(self.referee)
        self._watch: Watch | None = None

    def run(self, job: Job) -> list[Result]:
        """The results of a job, whatever else this process has done before."""
        begin_anew()
        # When terms are given back must not depend on it either: Z3 numbers new ones by what is free.
        gc.collect()
        gc.disable()
        try:
            method: Any = getattr(self, f"_{job.what}")
            results: list[Result] = method(*job.args)
            return [self._told(result) for result in results]
        finally:
            gc.enable()

    def _told(self, result: Result) -> Result:
        """A refutation with what is known of how it comes about in a deal."""
        if result.status != REFUTED or result.witness is None or result.witness.reachable is not None:
            return result
        sentence, deal = self._reach.told(result.subject, result.witness)
        return replace(result, witness=replace(result.witness, reachable=sentence, deal=deal))

    # ------------------------------------------------------------ the kinds of jobs

    def _lemmas(self) -> list[Result]:
        return invariants.prove_lemmas(self.referee, self.options.timeout)

    def _only(self, keep: Keep) -> frozenset[str]:
        """The clauses to look at among the invariants: if they are not asked for, those that others rest on."""
        if "invariants" in self.options.parts:
            return self.options.names
        return frozenset(self.referee.ruleset.step_invariants[i].clause for i in keep) or frozenset({""})

    def _deal(self, keep: Keep) -> list[Result]:
        return invariants.prove_deal(self.referee, keep, self.options.timeout, self._only(keep))

    def _step(self, case: Case, keep: Keep) -> list[Result]:
        return invariants.prove_step(self.referee, case, keep, self.options.timeout, self._only(keep))

    def _alive(self, me: int, phase: int, keep: Keep) -> list[Result]:
        return dead_ends.prove_alive(self.referee, me, phase, keep, self.options.timeout)

    def _converse(self, definition: str, case: Case, ending: bool, keep: Keep) -> list[Result]:
        return finish.prove_converse(self.referee, definition, case, ending, keep, self.options.timeout)

    def _decides(self, action: str, condition: decisive.Condition, cases: list[Case], keep: Keep) -> list[Result]:
        return decisive.decide(self.referee, action, condition, cases, keep, self.options.timeout)

    def _used(self, action: str, cases: list[Case], keep: Keep) -> list[Result]:
        self._watch = self._watch or Watch(self.referee)
        return prove_used(self.referee, self._watch, action, cases, keep, self.options.timeout)

    def _matches(self) -> list[Result]:
        return matches.prove_matches(self.referee, self.options.timeout)

    def _score(self) -> list[Result]:
        return scoring.prove_score(self.referee, self.options.timeout)

    def _choices(self) -> list[Result]:
        return choices.prove_choices(self.referee.ruleset, self.options.timeout)

    def _kinds(self) -> list[Result]:
        return kinds.prove_kinds(self.referee, self.options.timeout)

    def _ends(self, cases: list[Case], keep: Keep) -> list[Result]:
        return endless.prove_ends(self.referee, cases, keep, self.options.timeout)
