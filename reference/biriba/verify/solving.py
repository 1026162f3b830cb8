"""Asking Z3, always with the same seeds and never without a limit on its processor time.

A limit by the clock on the wall would turn answers into "unknown" on a machine that has other work to do. One by
the steps of the solver (`rlimit`) would be the same everywhere, but says little of time: of the questions about
the rule sets of this package, some take two million steps in a second and some forty. So the time that counts is
that of the processor.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from biriba.verify.terms import Term, and_, known, not_
from biriba.verify.z3api import z3


def within(seconds: float, check: Callable[..., Any], *terms: Any) -> str:
    """The answer of Z3 to a check: `sat`, `unsat`, or `unknown`, also if it needs more processor time than this."""
    with _watched(seconds) as late:
        try:
            answer = str(check(*terms))
        except z3.Z3Exception:
            if not late.is_set():
                raise
            answer = "unknown"
    if late.is_set():
        # An interrupt that comes when Z3 has just answered would stop whatever it is asked next but for a check.
        z3.Solver().check()
    return answer


@contextmanager
def _watched(seconds: float) -> Iterator[threading.Event]:
    """Interrupt Z3 when this process has worked for so long; the event says whether that happened."""
    done, late, until = threading.Event(), threading.Event(), time.process_time() + seconds
    context = z3.main_ctx()

    def watch() -> None:
        # No processor works for longer than the clock goes on, so that nothing is missed by waiting.
        while not done.wait(max(until - time.process_time(), SHORTEST)):
            if time.process_time() >= until:
                late.set()
                context.interrupt()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield late
    finally:
        done.set()
        watcher.join()  # so that it interrupts nothing that comes later


SHORTEST = 0.002
"""Seconds between two looks at the clock."""


class Asked:
    """A solver with hypotheses.

    Attributes:
        timeout: seconds of processor time for one question.
    """

    def __init__(self, hypotheses: Iterable[Term], timeout: float) -> None:
        self.timeout = timeout
        self.solver = z3.Solver()
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
        answer = self.check()
        self.solver.pop()
        return {"sat": "yes", "unsat": "no"}.get(answer, "unknown")

    def follows(self, term: Term) -> str:
        """Whether a term follows: `yes`, `no` or `unknown`."""
        if known(term) and term:
            return "yes"
        return {"no": "yes", "yes": "no"}.get(self.possible(not_(term)), "unknown")

    def model(self, *terms: Term) -> Any | None:
        """A model of the terms and all that was told, None if there is none or none was found in time."""
        self.solver.push()
        self.tell(terms)
        model = self.solver.model() if self.check() == "sat" else None
        self.solver.pop()
        return model

    def check(self, *terms: Term) -> str:
        """Z3's answer about all that was told, and these terms: `sat`, `unsat` or `unknown`."""
        return within(self.timeout, self.solver.check, *terms)


class Clock:
    """Measures the seconds of processor time since it was made or last read."""

    def __init__(self) -> None:
        self._since = time.process_time()

    def read(self) -> float:
        now = time.process_time()
        passed, self._since = now - self._since, now
        return round(passed, 3)
