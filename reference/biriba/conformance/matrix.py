"""Several reports side by side: which implementation passes what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from biriba.conformance.results import ERRORED, FAILED, PASSED, SKIPPED, UNCOVERED, Report
from biriba.conformance.words import fraction

SIGNS = {PASSED: "✓", FAILED: "✗", ERRORED: "!", SKIPPED: "-", UNCOVERED: "·"}


class DifferentSuites(ValueError):
    """The reports are of runs of different vectors, so that they cannot be compared."""


def names(reports: Sequence[Report]) -> list[str]:
    """A name for each report's implementation, with a number where two have the same."""
    found: list[str] = []
    for report in reports:
        who = report.implementation
        name = "unknown" if who is None else f"{who.name} {who.version}"
        count = sum(other.split(" #")[0] == name for other in found)
        found.append(f"{name} #{count + 1}" if count else name)
    return found


def check(reports: Sequence[Report]) -> None:
    """Raise DifferentSuites unless all reports are of the same suite."""
    digests = {report.suite["digest"] for report in reports}
    if len(digests) > 1:
        raise DifferentSuites(f"the reports are of {len(digests)} different suites; run them again with the same one")


def levels(reports: Sequence[Report]) -> Iterator[tuple[str, list[str]]]:
    """For each level, and for all together, the fractions of each report."""
    of_levels = [report.by_level() for report in reports]
    for level in dict.fromkeys(level for of in of_levels for level in of):
        yield level, [fraction(of[level]).removesuffix(" passed") if level in of else "" for of in of_levels]
    yield "all", [fraction(report.counts).removesuffix(" passed") for report in reports]


def rows(reports: Sequence[Report], *, differing: bool = True) -> Iterator[tuple[str, list[str]]]:
    """For each vector the verdicts of each report, None where it was not run.

    Args:
        differing: only vectors that some have got wrong.
    """
    verdicts = [{result.id: result.verdict for result in report.results} for report in reports]
    for name in sorted({name for of in verdicts for name in of}):
        row = [of.get(name, UNCOVERED) for of in verdicts]
        if not differing or {FAILED, ERRORED} & set(row):
            yield name, row
