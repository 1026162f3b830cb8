"""What tools found out about clauses: proofs, mutants, and whatever else is told clause by clause."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

PROOFS = "Proofs"
MUTANTS = "Mutants"


WORDS = (
    "invariant",
    "step invariant",
    "carried",
    "state range",
    "possible effects",
    "deal",
    "decisive clause",
    "score sheet",
    "growth adds one card",
    "no dead ends",
    "closed form",
    "every deal ends",
    "proved",
    "refuted",
    "unknown",
    "noted",
    "caught",
    "survived",
    "stillborn",
    "proved equivalent",
    "equivalent for a reason",
)
"""What was asked and what was found: catalogues translate it. What was changed in a mutant is told in the words of the
rule language."""
_PROOF = re.compile(r"(?P<group>[a-z ]+): (?P<counts>\d+ [a-z]+(?:, \d+ [a-z]+)*)(?P<about> \(.*\))?")
_MUTANT = re.compile(r"(?P<change>.*) – (?P<fate>[a-z ]+)(?P<by>: .*)?")


def spoken(line: str, say: Callable[[str], str]) -> str:
    """A line of evidence with the translation of its own words."""
    if proof := _PROOF.fullmatch(line):
        counts = (count.partition(" ") for count in proof["counts"].split(", "))
        told = ", ".join(f"{number} {say(status)}" for number, _, status in counts)
        return f"{say(proof['group'])}: {told}{proof['about'] or ''}"
    if mutant := _MUTANT.fullmatch(line):
        return f"{mutant['change']} – {say(mutant['fate'])}{mutant['by'] or ''}"
    return line


@dataclass(frozen=True, slots=True)
class Evidence:
    """Lines about clauses, under a title."""

    title: str
    clauses: dict[str, list[str]]


def read_evidence(document: dict[str, Any], meant: str) -> Evidence:
    """The evidence in a JSON document.

    Args:
        document: a report of `biriba verify --json`, or a ``title`` with lines by clause under ``clauses``.
        meant: the `meaning` of the rules that are published: what was found out about others is left out.
    """
    if "results" not in document:
        told = document.get("meaning", meant) == meant
        return Evidence(document["title"], document["clauses"] if told else {})
    if document["rules"].get("meaning") != meant:
        return Evidence(PROOFS, {})
    return Evidence(PROOFS, _proofs(document["results"]))


def mutants_evidence(meant: str, fates: Iterable[tuple[str, str, str, str]]) -> dict[str, Any]:
    """Evidence from the fates of mutants: clause, what was changed, the fate, and the vector or reason behind it."""
    clauses: dict[str, list[str]] = {}
    for clause, name, fate, by in fates:
        change = name.removeprefix(f"{clause}: ")
        clauses.setdefault(clause, []).append(f"{change} – {fate}" + (f": {by}" if by else ""))
    return {"title": MUTANTS, "meaning": meant, "clauses": clauses}


def _proofs(results: list[dict[str, Any]]) -> dict[str, list[str]]:
    """A line for each property of a clause: which actions and parts it was proved of, and what is not proved."""
    found: dict[str, list[str]] = {}
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for result in results:
        groups.setdefault((result["subject"], result["group"]), []).append(result)
    for (clause, group), verdicts in groups.items():
        counts = Counter(verdict["status"] for verdict in verdicts)
        told = ", ".join(f"{count} {status}" for status, count in counts.items())
        about = ", ".join(dict.fromkeys(verdict["about"] for verdict in verdicts if verdict["about"]))
        found.setdefault(clause, []).append(f"{group}: {told}" + (f" ({about})" if about else ""))
    return found
