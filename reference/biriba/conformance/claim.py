"""Claims: what an implementation says that it passes, in a small file that anybody can check again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from biriba.conformance.protocol import Implementation, read_implementation
from biriba.conformance.results import Report
from biriba.notation.jsonvalue import Json

CLAIM = 1
"""The version of the form of claims."""


def claim(report: Report) -> dict[str, Any]:
    """The claim of a run of a whole suite.

    Raises:
        ValueError: the run was of a part of the suite, or nothing could be run or was tested.
    """
    if report.implementation is None:
        raise ValueError("an implementation that does not start can claim nothing")
    if not report.tested:
        raise ValueError("every vector was skipped or is not covered, so that there is nothing to claim")
    if len(report.results) != report.suite["vectors"]:
        run = f"{len(report.results)} of {report.suite['vectors']} vectors were run"
        raise ValueError(f"a claim is of the whole suite, and only {run}")
    return {
        "claim": CLAIM,
        "date": report.date,
        "implementation": report.implementation.to_json(),
        "command": list(report.command),
        "suite": dict(report.suite),
        "levels": report.by_level(),
        "counts": {"vectors": len(report.results), **report.counts},
        "open": report.open,
        "results": results_digest(report),
    }


def results_digest(report: Report) -> str:
    """A hash of the verdicts of all vectors."""
    lines = "".join(f"{result.id} {result.verdict}\n" for result in report.results)
    return hashlib.sha256(lines.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim that was read: the rule set's name, the command that starts the implementation, and the document."""

    ruleset: str
    command: tuple[str, ...]
    implementation: Implementation
    document: dict[str, Any]


def read_claim(document: Any) -> Claim:
    """The claim of a decoded JSON document.

    Raises:
        JsonError: it is none.
    """
    names = ("claim", "date", "implementation", "command", "suite", "levels", "counts", "results")
    if not isinstance(document, dict) or "claim" not in document:
        raise Json(document).fault("this is no claim of conformance", "`biriba conform --claim FILE` writes one")
    members = Json(document).members(*names, optional=("open",))
    if members["claim"].integer() != CLAIM:
        raise members["claim"].fault(f"expected a claim of form {CLAIM}")
    suite = members["suite"].members("ruleset", "vectors", "digest")
    ruleset = suite["ruleset"].members("name", "version", "digest")
    command = tuple(item.string() for item in members["command"].items())
    return Claim(ruleset["name"].string(), command, read_implementation(members["implementation"]), document)


def differences(claimed: Claim, report: Report) -> Iterator[str]:
    """In what a new run does not bear out a claim; nothing if it does."""
    claimed_rules, tried_rules = claimed.document["suite"]["ruleset"], report.suite["ruleset"]
    if claimed_rules["name"] != tried_rules["name"]:
        yield f"the claim is of the rule set {claimed_rules['name']}, not of {tried_rules['name']}"
        return
    try:
        found = claim(report)
    except ValueError as error:
        yield str(error)
        return
    for path in (
        ("suite", "ruleset", "version"),
        ("suite", "ruleset", "digest"),
        ("suite", "vectors"),
        ("suite", "digest"),
        ("implementation", "name"),
        ("implementation", "version"),
        ("counts",),
        ("open",),
        ("levels",),
        ("results",),
    ):
        if path[0] not in claimed.document:
            continue  # an older claim says nothing of it
        yield from _apart(" ".join(path), _at(claimed.document, path), _at(found, path))


def _apart(what: str, was: Any, now: Any) -> Iterator[str]:
    """In what two values differ, member by member."""
    if isinstance(was, dict) and isinstance(now, dict):
        for name in dict.fromkeys([*was, *now]):
            yield from _apart(f"{what} {name}", was.get(name), now.get(name))
    elif was != now:
        yield f"{what}: claimed {was}, found {now}"


def _at(document: Any, path: Sequence[str]) -> Any:
    for name in path:
        document = document.get(name) if isinstance(document, dict) else None
    return document
