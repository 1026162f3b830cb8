"""A fuzzing run: cases one after another or side by side, their findings in order, and a state that is kept.

What is found does not depend on how many processes look for it: findings are taken in the order of the
cases, and one that looks like an earlier one is left out.
"""

from __future__ import annotations

import itertools
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing.util import Finalize
from typing import Any

from biriba import load
from biriba.conformance.fuzz.run import ChildPeer, Finding, Fuzzer
from biriba.conformance.fuzz.state import State
from biriba.conformance.suite import Suite


@dataclass(frozen=True, slots=True)
class Done:
    """A case that was gone through: what was found, how many questions were asked, and how many not answered."""

    number: int
    findings: tuple[Finding, ...]
    asked: int
    skipped: int


Source = Callable[[Iterator[int]], Iterator[Done]]
"""Goes through the cases of these numbers, and tells of them in their order."""


def campaign(
    source: Source,
    state: State,
    *,
    count: int | None = None,
    seconds: float | None = None,
    most: int = 5,
    look: Callable[[State], None] = lambda state: None,
) -> Iterator[Finding]:
    """Go through cases until there were so many, the time is over, or there are enough findings in all.

    Args:
        state: is brought up to date after each case, before its findings are told.
    """
    begun = time.monotonic()
    if len(state.found) >= most:
        return
    numbers = itertools.count(state.next) if count is None else iter(range(state.next, state.next + count))
    for done in source(numbers):
        new = [finding for finding in done.findings if finding.looks not in state.looks]
        state.looks |= {finding.looks for finding in new}
        state.found += [finding.scenario for finding in new]
        state.next, state.cases = done.number + 1, state.cases + 1
        state.asked, state.skipped = state.asked + done.asked, state.skipped + done.skipped
        look(state)
        yield from new
        if len(state.found) >= most or (seconds is not None and time.monotonic() - begun > seconds):
            return


def one_by_one(fuzzer: Fuzzer) -> Source:
    """Cases one after another in this process."""

    def source(numbers: Iterator[int]) -> Iterator[Done]:
        for number in numbers:
            yield _done(fuzzer, number)

    return source


def side_by_side(command: Sequence[str], rules: str, seed: int, jobs: int, **timeouts: float) -> Source:
    """Cases in several processes, each with an implementation of its own.

    Args:
        rules: the name or path of the rule set.
        timeouts: those of `ChildPeer`.
    """

    def source(numbers: Iterator[int]) -> Iterator[Done]:
        pool = ProcessPoolExecutor(jobs, initializer=_begin, initargs=(tuple(command), rules, seed, timeouts))
        waiting: deque[Future[Done]] = deque()
        try:
            waiting += [pool.submit(_one, number) for number in itertools.islice(numbers, 2 * jobs)]
            while waiting:
                done = waiting.popleft().result()
                waiting += [pool.submit(_one, number) for number in itertools.islice(numbers, 1)]
                yield done
        finally:
            pool.shutdown(cancel_futures=True)

    return source


def _done(fuzzer: Fuzzer, number: int) -> Done:
    asked, skipped = fuzzer.progress.asked, fuzzer.progress.skipped
    findings = tuple(fuzzer.case(number))
    return Done(number, findings, fuzzer.progress.asked - asked, fuzzer.progress.skipped - skipped)


_HERE: list[Fuzzer] = []
"""That of a process which goes through cases for another one."""


def _begin(command: tuple[str, ...], rules: str, seed: int, timeouts: dict[str, Any]) -> None:
    """What a process does first; the implementation that it starts ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the run from above, after the cases under way
    suite = Suite(load(rules), ())
    peer = ChildPeer(command, suite, **timeouts)
    Finalize(None, peer.close, exitpriority=1)
    _HERE.append(Fuzzer(suite.rules, peer, seed))


def _one(number: int) -> Done:
    return _done(_HERE[0], number)
