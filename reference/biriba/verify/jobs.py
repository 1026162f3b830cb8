"""What there is to do for a rule set, and the process that does it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from biriba.model.ruleset import Ruleset
from biriba.verify import invariants
from biriba.verify.reach import Reached, reach
from biriba.verify.run import Job, Options
from biriba.verify.steps import Steps
from biriba.verify.verdicts import REFUTED, Result
from biriba.verify.witness import Referee


def plan(ruleset: Ruleset, stage: str, results: list[Result]) -> list[Job]:
    """The jobs of a stage. The second stage depends on the results of the first."""
    if stage == "first":
        return _first(ruleset, invariants.carried(ruleset))
    return []


def _first(ruleset: Ruleset, keep: tuple[int, ...]) -> list[Job]:
    jobs = [Job("invariants", "lemmas", "lemmas"), Job("invariants", f"deal {keep}", "deal", (keep,))]
    cases = [case for action in ruleset.actions for case in Steps(ruleset).cases(action)]
    # One seat after the other, so that every action is seen soon.
    cases.sort(key=lambda case: case.me)
    return jobs + [Job("invariants", f"step {keep} {case}", "step", (case, keep)) for case in cases]


class Worker:
    """Does jobs for one rule set, one after another."""

    def __init__(self, ruleset: Ruleset, options: Options) -> None:
        self.options = options
        self.referee = Referee(ruleset)
        self._reached: dict[str, Reached] | None = None

    def run(self, job: Job) -> list[Result]:
        """The results of a job."""
        method: Any = getattr(self, f"_{job.what}")
        results: list[Result] = method(*job.args)
        return [self._told(result) for result in results]

    def _told(self, result: Result) -> Result:
        """A refutation with what is known of how it comes about in a deal."""
        if result.status != REFUTED or result.witness is None or result.witness.reachable is not None:
            return result
        if self._reached is None:
            self._reached = reach(self.referee)
        return replace(result, witness=self._reached_by(result))

    def _reached_by(self, result: Result) -> Any:
        assert self._reached is not None, "it was looked for"
        assert result.witness is not None, "there is something to say more of"
        found = self._reached.get(result.subject)
        return replace(result.witness, reachable=str(found) if found else Reached.nothing())

    def _lemmas(self) -> list[Result]:
        return invariants.prove_lemmas(self.referee, self.options.timeout)

    def _deal(self, keep: tuple[int, ...]) -> list[Result]:
        return invariants.prove_deal(self.referee, keep, self.options.timeout, self.options.names)

    def _step(self, case: Any, keep: tuple[int, ...]) -> list[Result]:
        return invariants.prove_step(self.referee, case, keep, self.options.timeout, self.options.names)
