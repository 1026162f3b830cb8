"""Running vectors against an implementation, in child processes or in this one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

from biriba.conformance.child import Child, ChildError
from biriba.conformance.compare import judge
from biriba.conformance.engine import Engine, answer_run
from biriba.conformance.protocol import Answers, Implementation, ProtocolError, read_answers, run_message
from biriba.conformance.questions import Case
from biriba.conformance.results import (
    ERRORED,
    FAILED,
    PASSED,
    SKIPPED,
    UNCOVERED,
    Report,
    Result,
)
from biriba.conformance.suite import Suite
from biriba.notation.jsonvalue import decode, encode
from biriba.scenario.scenario import Scenario

MOST_STARTS = 3
"""After so many starts in a row that fail, no more are tried."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a run is made.

    Attributes:
        timeout: seconds for the answer to a case.
        startup: seconds for the answer to ``start``.
        jobs: processes of the implementation at a time.
        fail_fast: stop at the first vector that speaks against the implementation.
        known: ids of vectors that are known to fail.
        chosen: what chose the vectors, for the report.
        again: `Report.options`, for the report.
    """

    timeout: float = 10.0
    startup: float = 20.0
    jobs: int = 1
    fail_fast: bool = False
    known: frozenset[str] = frozenset()
    chosen: dict[str, Any] = field(default_factory=dict)
    again: tuple[str, ...] = ()


Progress = Callable[[Result], None]


def conform(
    command: Sequence[str],
    suite: Suite,
    scenarios: Sequence[Scenario] | None = None,
    options: Options | None = None,
    progress: Progress = lambda result: None,
) -> Report:
    """Run vectors against an implementation that speaks the protocol in a process of its own.

    Whatever it does becomes a verdict; nothing is raised for it.

    Args:
        command: the program and its arguments.
        scenarios: which vectors of the suite; by default all.
        progress: is called with each result as it comes.
    """
    options = options or Options()
    run = _Run(command, suite, suite.scenarios if scenarios is None else scenarios, options, progress)
    return asyncio.run(run.report())


def run(
    engine: Engine,
    suite: Suite,
    scenarios: Sequence[Scenario] | None = None,
    options: Options | None = None,
    progress: Progress = lambda result: None,
) -> Report:
    """Run vectors against an engine in this process, which is not guarded against hanging or crashing."""
    options = options or Options()
    begun, date = time.perf_counter(), _now()
    results: list[Result] = []
    for scenario in suite.scenarios if scenarios is None else scenarios:
        results.append(_known(run_one(engine, suite, scenario), options))
        progress(results[-1])
        if options.fail_fast and results[-1].bad and not results[-1].known:
            break
    return _report(engine.implementation, (), suite, options, results, date, time.perf_counter() - begun)


def run_one(engine: Engine, suite: Suite, scenario: Scenario) -> Result:
    """Run one vector against an engine in this process."""
    uncovered = not_covered(scenario, suite, engine.implementation)
    if uncovered is not None:
        return uncovered
    case, begun = suite.case(scenario), time.perf_counter()
    # Through text and back, so that an engine sees just what it would see in a process of its own.
    try:
        answer = decode(encode({"seq": 0, **answer_run(engine, decode(encode(case.asked)))}))
    except Exception as error:
        message = f"{type(error).__name__}: {error}"
        return _result(scenario, ERRORED, message=message, kind="errored", seconds=time.perf_counter() - begun)
    return judged(suite, case, engine.implementation, answer, 0, time.perf_counter() - begun)


def not_covered(scenario: Scenario, suite: Suite, implementation: Implementation) -> Result | None:
    """The result of a vector that an implementation does not claim to be able to, None if it does."""
    if not implementation.plays(suite.ruleset):
        return _result(scenario, UNCOVERED, message=f"the rule set {' '.join(suite.ruleset)} is not claimed")
    if scenario.level not in implementation.levels:
        return _result(scenario, UNCOVERED, message=f"the level {scenario.level} is not claimed")
    return None


class _Run:
    """A run under way: some workers, each with a process, share the vectors that are left."""

    def __init__(
        self,
        command: Sequence[str],
        suite: Suite,
        scenarios: Sequence[Scenario],
        options: Options,
        progress: Progress,
    ) -> None:
        self.command, self.suite, self.options, self.progress = tuple(command), suite, options, progress
        self.scenarios = scenarios
        self.results: list[Result] = []
        self.implementation: Implementation | None = None
        self.stopped = False

    async def report(self) -> Report:
        begun, date = time.perf_counter(), _now()
        first = Child(self.command, self.options.startup)
        complaint = ""
        try:
            self.implementation = await first.start()
        except ChildError as error:
            complaint = first.no_start(error)
        else:
            covered: list[Scenario] = []
            for scenario in self.scenarios:
                uncovered = not_covered(scenario, self.suite, self.implementation)
                if uncovered is None:
                    covered.append(scenario)
                else:
                    self.add(uncovered)
            left = iter(covered)
            jobs = max(1, min(self.options.jobs, len(covered)))
            children = [first, *(Child(self.command, self.options.startup) for _ in range(jobs - 1))]
            await asyncio.gather(*(self.work(child, left) for child in children))
        finally:
            await first.stop()
        spent = time.perf_counter() - begun
        return _report(
            self.implementation, self.command, self.suite, self.options, self.results, date, spent, complaint
        )

    def add(self, result: Result) -> None:
        result = _known(result, self.options)
        self.results.append(result)
        self.progress(result)
        if self.options.fail_fast and result.bad and not result.known:
            self.stopped = True

    async def work(self, child: Child, left: Iterator[Scenario]) -> None:
        failed_starts = 0
        for scenario in left:
            if self.stopped:
                break
            begun = time.perf_counter()
            error: ChildError | None = None
            if not child.running and failed_starts < MOST_STARTS:
                try:
                    await child.start()
                    failed_starts = 0
                except ChildError as raised:
                    failed_starts += 1
                    error = ChildError("start", f"it could not be started again: {raised}")
            elif not child.running:
                error = ChildError("start", "it could not be started again, several times in a row")
            if error is None:
                self.add(await self.one(child, scenario, begun))
            else:
                self.add(_result(scenario, ERRORED, message=str(error), kind=error.kind, stderr=child.stderr))
        await child.stop()

    async def one(self, child: Child, scenario: Scenario, begun: float) -> Result:
        case = self.suite.case(scenario)
        try:
            answer, seq = await child.ask(partial(run_message, case=case.asked), self.options.timeout)
        except ChildError as error:
            spent = time.perf_counter() - begun
            return _result(scenario, ERRORED, str(error), error.kind, child.stderr, seconds=spent)
        assert self.implementation is not None
        result = judged(self.suite, case, self.implementation, answer, seq, time.perf_counter() - begun)
        if result.verdict == ERRORED:
            result = replace(result, stderr=child.stderr)
            if result.kind in ("garbage", "sequence"):
                # Nobody knows what the next line would answer.
                await child.kill()
        return result


def judged(suite: Suite, case: Case, implementation: Implementation, answer: Any, seq: int, seconds: float) -> Result:
    """The result of a case, given the decoded answer to it."""
    made = partial(_result, case.scenario, seconds=seconds)
    try:
        answers = read_answers(answer, seq, len(case.questions))
    except ProtocolError as error:
        return made(ERRORED, message=str(error), kind=error.kind)
    if answers.skipped is not None or answers.errored is not None:
        return _refused(answers, made)
    found = judge(suite.rules, case, answers.answers, implementation)
    made = partial(made, left=found.open)
    if found.malformed is not None:
        return made(ERRORED, message=found.malformed, kind="form", wrong=tuple(found.wrong))
    if found.errored is not None:
        return made(ERRORED, message=found.errored, kind="errored", wrong=tuple(found.wrong))
    if found.wrong:
        return made(FAILED, wrong=tuple(found.wrong))
    if found.skipped:
        return made(SKIPPED, message="; ".join(found.skipped))
    return made(PASSED)


def _refused(answers: Answers, made: Callable[..., Result]) -> Result:
    if answers.skipped is not None:
        return made(SKIPPED, message=answers.skipped)
    return made(ERRORED, message=answers.errored or "", kind="errored")


def _result(
    scenario: Scenario,
    verdict: str,
    message: str = "",
    kind: str = "",
    stderr: str = "",
    wrong: tuple[Any, ...] = (),
    seconds: float = 0.0,
    left: int = 0,
) -> Result:
    return Result(
        scenario.id,
        scenario.title,
        scenario.level,
        scenario.clauses,
        verdict,
        wrong=wrong,
        message=message,
        kind=kind,
        stderr=stderr,
        seconds=seconds,
        open=left,
    )


def _known(result: Result, options: Options) -> Result:
    return replace(result, known=True) if result.bad and result.id in options.known else result


def _report(
    implementation: Implementation | None,
    command: tuple[str, ...],
    suite: Suite,
    options: Options,
    results: list[Result],
    date: str,
    seconds: float,
    complaint: str = "",
) -> Report:
    results = sorted(results, key=lambda result: result.id)
    stale = tuple(result.id for result in results if result.verdict == PASSED and result.id in options.known)
    return Report(
        implementation,
        command,
        suite.identity,
        options.chosen,
        tuple(results),
        stale_known=stale,
        date=date,
        seconds=seconds,
        complaint=complaint,
        options=options.again,
    )


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
