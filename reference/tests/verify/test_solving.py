"""Asking Z3: limits are of processor time, and answers do not depend on what was asked before."""

from __future__ import annotations

import time
from itertools import combinations

import pytest

pytest.importorskip("z3")

from biriba.language.load import load_ruleset
from biriba.verify.jobs import Worker, plan
from biriba.verify.readings import carried
from biriba.verify.run import Options
from biriba.verify.solving import Asked, within
from biriba.verify.z3api import begin_anew, z3


def pigeons(holes: int) -> list[object]:
    """One pigeon more than holes, each in a hole of its own: impossible, and hard to see for a solver."""
    there = [[z3.Bool(f"{pigeon}@{hole}") for hole in range(holes)] for pigeon in range(holes + 1)]
    two = [z3.Not(z3.And(a[hole], b[hole])) for a, b in combinations(there, 2) for hole in range(holes)]
    return [*map(z3.Or, there), *two]


def test_a_question_is_given_up_after_its_processor_time() -> None:
    begun = time.process_time()
    asked = Asked([], 0.3)
    assert asked.possible(*pigeons(14)) == "unknown"
    assert 0.3 <= time.process_time() - begun < 2
    assert asked.possible(*pigeons(3)) == "no"  # and the next one is answered as ever


def test_waiting_for_the_processor_costs_nothing() -> None:
    def slow_machine() -> object:
        time.sleep(0.4)
        return z3.Solver().check()

    assert within(0.2, slow_machine) == "sat"


def test_an_answer_in_the_last_moment_disturbs_nothing() -> None:
    def late() -> object:
        answer, until = z3.Solver().check(), time.process_time() + 0.1
        while time.process_time() < until:  # the interrupt comes here, when the solver has nothing to do
            pass
        return answer

    assert within(0.05, late) == "sat"
    z3.Solver().push()


def test_answers_do_not_depend_on_what_was_asked_before() -> None:
    """The positions found for two clauses are the same whichever is looked at first."""
    rules = load_ruleset("biriba")
    jobs = [j for j in plan(rules, "others", carried(rules)) if j.what == "decides"]
    jobs = [next(j for j in jobs if action in j.names) for action in ("draw", "discard")]

    def found(order: int) -> list[object]:
        worker = Worker(rules, Options(60, jobs=1))
        return [[r.witness for r in worker.run(job)] for job in jobs[::order]][::order]

    assert found(1) == found(-1)


def test_terms_of_one_context_are_no_longer_used_in_the_next() -> None:
    old = z3.Int("a")
    begin_anew()
    with pytest.raises(z3.Z3Exception):
        z3.And(old > 1, z3.Int("b") > 1)
