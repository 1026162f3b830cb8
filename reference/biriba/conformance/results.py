"""What became of a run: one result for each vector, and the counts with honest denominators.

Every vector that was chosen has one verdict, and the verdicts add up to the number of vectors: what was
not covered is counted as such, never as passed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from biriba.conformance.compare import Wrong
from biriba.conformance.protocol import Implementation, read_implementation
from biriba.notation.errors import JsonError
from biriba.notation.jsonvalue import Json
from biriba.scenario.scenario import LEVELS

REPORT = 1
"""The version of the form of reports."""
PASSED, FAILED, ERRORED, SKIPPED, UNCOVERED = "passed", "failed", "errored", "skipped", "not covered"
VERDICTS = (PASSED, FAILED, ERRORED, SKIPPED, UNCOVERED)
MEANINGS = {
    PASSED: "every answer is as expected",
    FAILED: "an answer is not as expected",
    ERRORED: "there was no answer, or none that could be read",
    SKIPPED: "the implementation said that it cannot answer",
    UNCOVERED: "the implementation does not claim the level or the rule set",
}


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a vector.

    Attributes:
        verdict: one of `VERDICTS`.
        message: why it was errored, skipped or not covered.
        kind: of an error: ``timeout``, ``exit``, ``garbage``, ``flood``, ``sequence``, ``form``, ``start``,
            or ``errored`` if the implementation said so itself.
        stderr: the end of what the implementation printed there.
        known: it failed, and is listed as a known failure.
        open: how many facts the vector leaves to the implementation; they were not compared.
    """

    id: str
    title: str
    level: str
    clauses: tuple[str, ...]
    verdict: str
    wrong: tuple[Wrong, ...] = ()
    message: str = ""
    kind: str = ""
    stderr: str = ""
    seconds: float = 0.0
    known: bool = False
    open: int = 0

    @property
    def bad(self) -> bool:
        """Whether it counts against the implementation."""
        return self.verdict in (FAILED, ERRORED)

    def to_json(self) -> dict[str, Any]:
        told: dict[str, Any] = {
            "id": self.id,
            "title": self.title,
            "level": self.level,
            "clauses": list(self.clauses),
            "verdict": self.verdict,
            "seconds": round(self.seconds, 4),
        }
        if self.wrong:
            told["wrong"] = [
                {"question": w.question, "asked": w.asked, "expected": w.expected, "found": w.found} for w in self.wrong
            ]
        for name in ("message", "kind", "stderr"):
            if getattr(self, name):
                told[name] = getattr(self, name)
        if self.known:
            told["known"] = True
        if self.open:
            told["open"] = self.open
        return told


@dataclass(frozen=True, slots=True)
class Report:
    """A whole run.

    Attributes:
        implementation: what it says of itself; None if it did not start.
        command: how it was started; empty if it ran in the same process.
        options: those of ``biriba conform`` with which each vector can be put to it again: the rule set, the
            folder of vectors and the time-outs, where they are not the usual ones.
        suite: name, version and digest of the rule set and of the vectors, see `suite.Suite.identity`.
        chosen: the options that chose vectors; empty for the whole suite.
        results: one for each chosen vector, by id.
        stale_known: ids that are listed as known failures, and passed.
        date: when it began, ISO 8601 in UTC.
    """

    implementation: Implementation | None
    command: tuple[str, ...]
    suite: Mapping[str, Any]
    chosen: Mapping[str, Any]
    results: tuple[Result, ...]
    stale_known: tuple[str, ...] = ()
    date: str = ""
    seconds: float = 0.0
    complaint: str = ""
    """Why nothing could be run, empty if it could."""
    options: tuple[str, ...] = ()

    def stale(self, result: Result) -> bool:
        """Whether a result speaks against the list of known failures: it is on it, and has passed."""
        return result.id in self.stale_known

    @property
    def counts(self) -> dict[str, int]:
        """How many vectors have each verdict."""
        counted = Counter(result.verdict for result in self.results)
        return {verdict: counted[verdict] for verdict in VERDICTS}

    @property
    def open(self) -> dict[str, int]:
        """How many facts are left to the implementation and were not compared, and in how many vectors."""
        left = [result.open for result in self.results if result.open]
        return {"facts": sum(left), "vectors": len(left)}

    @property
    def tested(self) -> bool:
        """Whether any vector was answered: a run in which all are skipped or not covered says nothing."""
        return any(result.verdict in (PASSED, FAILED, ERRORED) for result in self.results)

    @property
    def ok(self) -> bool:
        """Whether nothing speaks against the implementation but what is known."""
        new = any(result.bad and not result.known for result in self.results)
        return not (new or self.stale_known or self.complaint) and any(r.verdict == PASSED for r in self.results)

    def by_level(self) -> dict[str, dict[str, int]]:
        """The counts of each level that has vectors."""
        return {level: counts for level in LEVELS if sum((counts := _counts(self.results, level)).values())}

    def by_clause(self) -> dict[str, dict[str, int]]:
        """The counts of each clause that is tested."""
        found: dict[str, Counter[str]] = {}
        for result in self.results:
            for clause in result.clauses:
                found.setdefault(clause, Counter())[result.verdict] += 1
        return {clause: {v: counted[v] for v in VERDICTS} for clause, counted in sorted(found.items())}

    def to_json(self) -> dict[str, Any]:
        """The report as schema/report.schema.json describes it."""
        return {
            "report": REPORT,
            "date": self.date,
            "seconds": round(self.seconds, 3),
            "implementation": None if self.implementation is None else self.implementation.to_json(),
            "command": list(self.command),
            "options": list(self.options),
            "suite": dict(self.suite),
            "chosen": dict(self.chosen),
            "counts": {"vectors": len(self.results), **self.counts},
            "open": self.open,
            "levels": self.by_level(),
            "clauses": self.by_clause(),
            "stale_known": list(self.stale_known),
            **({"complaint": self.complaint} if self.complaint else {}),
            "results": [result.to_json() for result in self.results],
        }


def _counts(results: Iterable[Result], level: str) -> dict[str, int]:
    counted = Counter(result.verdict for result in results if result.level == level)
    return {verdict: counted[verdict] for verdict in VERDICTS}


def read_report(document: Any) -> Report:
    """The report of a decoded JSON document.

    Raises:
        JsonError: it is none.
    """
    value = Json(document)
    if not isinstance(document, dict) or "report" not in document:
        raise value.fault("this is no report of a conformance run", "`biriba conform --json FILE` writes one")
    members = value.members(optional=tuple(document))
    if members["report"].integer() != REPORT:
        raise members["report"].fault(f"expected a report of form {REPORT}")
    try:
        told = members["implementation"]
        return Report(
            implementation=None if told.value is None else read_implementation(told),
            command=tuple(item.string() for item in members["command"].items()),
            suite={name: item.value for name, item in _object(members["suite"]).items()},
            chosen={name: item.value for name, item in _object(members["chosen"]).items()},
            results=tuple(_read_result(item) for item in members["results"].items()),
            stale_known=tuple(item.string() for item in members["stale_known"].items()),
            date=members["date"].string(),
            seconds=float(members["seconds"].value),
            complaint=members["complaint"].string() if "complaint" in members else "",
            options=tuple(item.string() for item in members["options"].items()) if "options" in members else (),
        )
    except KeyError as error:
        raise JsonError("$", f"the member {error} is missing") from None


def _read_result(value: Json) -> Result:
    optional = ("wrong", "message", "kind", "stderr", "known", "open")
    members = value.members("id", "title", "level", "clauses", "verdict", "seconds", optional=optional)
    wrong = []
    for item in members["wrong"].items() if "wrong" in members else ():
        of = item.members("question", "asked", "expected", "found")
        said = [of[name].string() for name in ("asked", "expected", "found")]
        wrong.append(Wrong(of["question"].integer(), *said))
    words = {name: members[name].string() for name in ("message", "kind", "stderr") if name in members}
    return Result(
        id=members["id"].string(),
        title=members["title"].string(),
        level=members["level"].one_of(LEVELS, "level"),
        clauses=tuple(item.string() for item in members["clauses"].items()),
        verdict=members["verdict"].one_of(VERDICTS, "verdict"),
        wrong=tuple(wrong),
        seconds=float(members["seconds"].value),
        known="known" in members,
        open=members["open"].integer(1) if "open" in members else 0,
        message=words.get("message", ""),
        kind=words.get("kind", ""),
        stderr=words.get("stderr", ""),
    )


def _object(value: Json) -> dict[str, Json]:
    return value.members(optional=tuple(value.value) if isinstance(value.value, dict) else ())
