"""Asking Z3, always with the same seeds and never without a time limit."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from biriba.verify.terms import Term, and_, known, not_
from biriba.verify.z3api import z3


class Asked:
    """A solver with hypotheses.

    Attributes:
        timeout: seconds for one question.
    """

    def __init__(self, hypotheses: Iterable[Term], timeout: float) -> None:
        self.timeout = timeout
        self.solver = z3.Solver()
        self.solver.set("timeout", max(1, int(timeout * 1000)))
        self.solver.set("random_seed", 0)
        self.tell(hypotheses)

    def tell(self, facts: Iterable[Term]) -> None:
        """Add hypotheses."""
        for fact in facts:
            if known(fact):
                if not fact:
                    self.solver.add(z3.BoolVal(False))
            else:
                self.solver.add(fact)

    def possible(self, *terms: Term) -> str:
        """Whether the terms can hold together: `yes`, `no` or `unknown`."""
        term = and_(terms)
        if known(term) and not term:
            return "no"
        self.solver.push()
        self.tell([term])
        answer = str(self.solver.check())
        self.solver.pop()
        return {"sat": "yes", "unsat": "no"}.get(answer, "unknown")

    def follows(self, term: Term) -> str:
        """Whether a term follows: `yes`, `no` or `unknown`."""
        if known(term) and term:
            return "yes"
        return {"no": "yes", "yes": "no"}.get(self.possible(not_(term)), "unknown")

    def model(self) -> Any | None:
        """A model of all that was told, None if there is none or none was found in time."""
        return self.solver.model() if str(self.solver.check()) == "sat" else None


class Clock:
    """Measures the seconds since it was made or last read."""

    def __init__(self) -> None:
        self._since = time.perf_counter()

    def read(self) -> float:
        now = time.perf_counter()
        passed, self._since = now - self._since, now
        return round(passed, 3)
