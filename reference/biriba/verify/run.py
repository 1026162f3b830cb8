"""Everything that is to be shown of a rule set, as jobs: planned, run side by side, remembered.

Verdicts are kept by the content of the rules, of this package and of what it rests on, and by the
version of Z3. Only jobs without an unknown verdict are kept: a longer time limit may settle those.
Z3 itself is loaded only if there is a job to run.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from biriba.cache import cache_folder
from biriba.files import replacing
from biriba.model.meaning import meaning
from biriba.model.ruleset import Ruleset
from biriba.verify.readings import carried
from biriba.verify.verdicts import PROVED, REFUTED, UNKNOWN, Result, together
from biriba.verify.z3api import load_z3, z3_version

PARTS = ("invariants", "dead-ends", "closed-form", "decisive", "score", "endless")
"""What can be asked for, in the order in which it is shown."""
RESTING = frozenset({"dead-ends", "closed-form", "decisive", "endless"})
"""The parts that use invariants of steps as invariants of positions, which must be shown for them."""


@dataclass(frozen=True)
class Job:
    """A piece of work that one process does.

    Attributes:
        label: names it in the memory of verdicts.
        what: the method of `biriba.verify.jobs.Worker` that does it, and `args` its arguments.
        names: the clauses and actions that it is about; none if it may be about any.
    """

    part: str
    label: str
    what: str
    args: tuple[Any, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Options:
    """How to go about it.

    Attributes:
        timeout: seconds of processor time for one question to the solver.
        jobs: how many processes.
        only: parts, clauses or actions to speak of; empty for all.
        remember: whether to use and fill the memory of verdicts.
        first: whether to stop at the first refutation.
    """

    timeout: float = 60.0
    jobs: int = 0
    only: frozenset[str] = frozenset()
    remember: bool = True
    first: bool = False

    @property
    def parts(self) -> tuple[str, ...]:
        chosen = tuple(part for part in PARTS if part in self.only)
        return chosen or PARTS

    def asks_for(self, job: Job) -> bool:
        """Whether a job is wanted. What other parts rest on is looked at for them."""
        rests = job.part == "invariants" and bool(set(self.parts) & RESTING)
        return (job.part in self.parts or rests) and (
            not self.names or not job.names or bool(self.names & set(job.names))
        )

    @property
    def names(self) -> frozenset[str]:
        """The clauses and actions asked for."""
        return frozenset(self.only) - set(PARTS)


@dataclass
class Report:
    """All verdicts about a rule set.

    Attributes:
        remembered: how many jobs were not run again.
        meaning: the digest of what the rules mean, which other words leave as it is.
    """

    name: str
    version: str
    digest: str
    z3: str
    results: list[Result] = field(default_factory=list)
    jobs: int = 0
    remembered: int = 0
    meaning: str = ""
    seconds: float = 0.0

    def having(self, status: str) -> list[Result]:
        return [result for result in self.results if result.status == status]

    @property
    def exit_code(self) -> int:
        """0 if everything is proved or noted, 1 if something is refuted, 4 if something is unknown."""
        return 1 if self.having(REFUTED) else 4 if self.having(UNKNOWN) else 0


Progress = Callable[[int, int, list[Result]], None]
"""Told after each job: how many are done, of how many, and its results."""


def verify(ruleset: Ruleset, options: Options | None = None, progress: Progress | None = None) -> Report:
    """Prove or refute what the rules claim.

    Raises:
        MissingZ3: there are verdicts to find and Z3 is not installed.
    """
    options = options or Options()
    memory = Memory(ruleset) if options.remember else None
    report = Report(ruleset.name, ruleset.version, ruleset.digest, z3_version(), meaning=meaning(ruleset))
    keep = carried(ruleset)
    while True:
        results = _stage(ruleset, "invariants", keep, options, memory, report, progress)
        # What cannot be carried from position to position must not be assumed: then all is proved anew without it.
        failing = {r.subject for r in results if r.group == "carried" and r.status != PROVED}
        if options.first and any(r.status == REFUTED for r in results):
            break
        if not failing:
            break
        keep = tuple(i for i in keep if ruleset.step_invariants[i].clause not in failing)
    if not (options.first and any(r.status == REFUTED for r in results)):
        results += _stage(ruleset, "others", keep, options, memory, report, progress)
    report.results = [r for r in together(results) if _wanted(r, options)]
    if memory:
        memory.save()
    return report


def _stage(
    ruleset: Ruleset,
    stage: str,
    keep: tuple[int, ...],
    options: Options,
    memory: Memory | None,
    report: Report,
    progress: Progress | None,
) -> list[Result]:
    """The results of the jobs of a stage that are asked for."""
    name = f"{stage} {keep}"
    jobs = memory.plan(name) if memory else None
    if jobs is None or memory is None or any(memory.recall(job) is None for job in jobs if options.asks_for(job)):
        load_z3()
        from biriba.verify.jobs import plan

        jobs = plan(ruleset, stage, keep)
        if memory:
            memory.keep_plan(name, jobs)
    return _run_all(ruleset, [job for job in jobs if options.asks_for(job)], options, memory, report, progress)


def _wanted(result: Result, options: Options) -> bool:
    names = options.names
    return not names or result.subject in names or result.about in names


def _run_all(
    ruleset: Ruleset,
    jobs: list[Job],
    options: Options,
    memory: Memory | None,
    report: Report,
    progress: Progress | None,
) -> list[Result]:
    results: list[Result] = []
    to_do: list[Job] = []
    for job in jobs:
        known = memory.recall(job) if memory else None
        if known is None:
            to_do.append(job)
        else:
            results += known
            report.remembered += 1
    report.jobs += len(jobs)
    done = len(jobs) - len(to_do)
    for job, found in _run(ruleset, to_do, options):
        done += 1
        results += found
        if memory and (job.part != "invariants" or (not options.names and "invariants" in options.parts)):
            memory.remember(job, found)
        if progress:
            progress(done, len(jobs), found)
        if options.first and any(result.status == REFUTED for result in found):
            break
    return results


def _run(ruleset: Ruleset, jobs: list[Job], options: Options) -> Iterator[tuple[Job, list[Result]]]:
    workers = min(options.jobs or os.cpu_count() or 1, len(jobs))
    if workers <= 1:
        from biriba.verify.jobs import Worker

        worker = Worker(ruleset, options)
        yield from ((job, worker.run(job)) for job in jobs)
        return
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _begin, (ruleset, options))
    try:
        futures: dict[Future[list[Result]], Job] = {pool.submit(_work, job): job for job in jobs}
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


_worker: Any = None


def _begin(ruleset: Ruleset, options: Options) -> None:
    from biriba.verify.jobs import Worker

    global _worker  # noqa: PLW0603  (a process of the pool works for one rule set)
    _worker = Worker(ruleset, options)


def _work(job: Job) -> list[Result]:
    found: list[Result] = _worker.run(job)
    return found


# ---------------------------------------------------------------- memory


class Memory:
    """Verdicts that were found before, in one file for each rule set."""

    def __init__(self, ruleset: Ruleset) -> None:
        folder = cache_folder()
        key = hashlib.sha256("\0".join([ruleset.digest, z3_version(), _code()]).encode()).hexdigest()
        self._path = folder / f"verdicts-{key}.json" if folder else None
        self._changed = False
        self._data: dict[str, Any] = {"plans": {}, "verdicts": {}}
        if self._path:
            with contextlib.suppress(OSError, ValueError):
                self._data = json.loads(self._path.read_text(encoding="utf-8"))

    def plan(self, stage: str) -> list[Job] | None:
        """The jobs of a stage as they were planned; without their arguments, since they are not run again."""
        found = self._data["plans"].get(stage)
        return None if found is None else [Job(part, label, "", (), tuple(names)) for part, label, names in found]

    def keep_plan(self, stage: str, jobs: Iterable[Job]) -> None:
        self._data["plans"][stage] = [(job.part, job.label, job.names) for job in jobs]
        self._changed = True

    def recall(self, job: Job) -> list[Result] | None:
        found = self._data["verdicts"].get(job.label)
        return None if found is None else [Result.from_json(value) for value in found]

    def remember(self, job: Job, results: list[Result]) -> None:
        if all(result.status != UNKNOWN for result in results):
            self._data["verdicts"][job.label] = [result.to_json() for result in results]
            self._changed = True

    def save(self) -> None:
        """Write what is new; a folder that cannot be written is no fault."""
        if not self._path or not self._changed:
            return
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(self._path) as aside:
                aside.write_text(json.dumps(self._data), encoding="utf-8")


@cache
def _code() -> str:
    """A hash of the code that verdicts depend on."""
    package = Path(__file__).parent.parent
    texts = [
        path.read_bytes()
        for folder in ("verify", "planner", "model", "interpreter", "notation")
        for path in sorted((package / folder).rglob("*.py"))
    ]
    return hashlib.sha256(b"\0".join(texts)).hexdigest()
