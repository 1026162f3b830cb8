"""Reports: a table for the terminal and the docs, JSON, JUnit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from biriba.verify.run import Report
from biriba.verify.verdicts import NOTED, PROVED, REFUTED, UNKNOWN, Result

ORDER = (PROVED, REFUTED, UNKNOWN, NOTED)


def to_json(report: Report) -> dict[str, Any]:
    """Everything, for programs."""
    return {
        "rules": {"name": report.name, "version": report.version, "digest": report.digest, "meaning": report.meaning},
        "z3": report.z3,
        "seconds": round(report.seconds, 3),
        "counts": {status: len(report.having(status)) for status in ORDER},
        "results": [result.to_json() for result in report.results],
    }


def summary(report: Report) -> list[tuple[str, str, dict[str, int], float]]:
    """A row for each group and clause: how many of its verdicts are of each status, and the time spent."""
    rows: dict[tuple[str, str], tuple[dict[str, int], float]] = {}
    for result in report.results:
        counts, seconds = rows.setdefault((result.group, result.subject), (dict.fromkeys(ORDER, 0), 0.0))
        counts[result.status] += 1
        rows[result.group, result.subject] = (counts, seconds + result.seconds)
    return [(group, subject, counts, seconds) for (group, subject), (counts, seconds) in rows.items()]


def markdown(report: Report) -> str:
    """The table for the documentation."""
    lines = ["| property | clause | proved | refuted | unknown | noted |", "|---|---|---:|---:|---:|---:|"]
    for group, subject, counts, _ in summary(report):
        lines.append(f"| {group} | `{subject}` | " + " | ".join(str(counts[status]) for status in ORDER) + " |")
    return "\n".join(lines)


def junit(report: Report) -> str:
    """JUnit XML: a test case for each verdict, a failure for a refutation, an error for an unknown."""
    cases = [line for result in report.results for line in _case(result)]
    head = f'<testsuite name={quoteattr(f"biriba verify {report.name}")} tests="{len(report.results)}" '
    head += f'failures="{len(report.having(REFUTED))}" errors="{len(report.having(UNKNOWN))}" '
    head += f'time="{report.seconds:.3f}">'
    return "\n".join(['<?xml version="1.0" encoding="utf-8"?>', head, *cases, "</testsuite>", ""])


def _case(result: Result) -> Iterator[str]:
    name = " ".join(part for part in (result.subject, result.about) if part)
    start = f'  <testcase classname={quoteattr(result.group)} name={quoteattr(name)} time="{result.seconds:.3f}"'
    if result.status in (PROVED, NOTED):
        yield f"{start}/>"
        return
    kind = "failure" if result.status == REFUTED else "error"
    text = result.note
    if result.witness is not None:
        text = "\n".join(part for part in (text, result.witness.position, *result.witness.actions) if part)
    yield f"{start}>"
    yield f"    <{kind} message={quoteattr(result.status)}>{escape(text)}</{kind}>"
    yield "  </testcase>"
