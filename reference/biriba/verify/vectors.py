"""Positions that the proofs found, as vectors: each a position and an action that is accepted or rejected."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from biriba.model.ruleset import Ruleset
from biriba.scenario.vectors import FORMAT
from biriba.verify.run import Report
from biriba.verify.verdicts import Result, Witness

KIND = "solver"


def vectors(report: Report, rules: Ruleset) -> Iterator[dict[str, Any]]:
    """A vector for each result that shows one action in one position, as conformance/format.md describes them."""
    for result in report.results:
        witness = result.witness
        if witness is not None and len(witness.actions) == 1 and witness.json.get("action") is not None:
            yield _vector(result, witness, rules)
        if witness is not None and witness.deal is not None and witness.deal["actions"]:
            yield _played(result, witness.deal, rules)


def _played(result: Result, deal: dict[str, Any], rules: Ruleset) -> dict[str, Any]:
    """A whole deal that leads to what was found."""
    *before, last = deal["actions"]
    note = "found by biriba verify; the last action leads to what it refutes"
    return {
        **_head(result, rules, [result.subject], "games", note, id_end="-reached", title_end=", in a deal"),
        "given": {"dealer": deal["dealer"], "deck": deal["deck"], "actions": before},
        "steps": [{"accept": last}],
    }


def _vector(result: Result, witness: Witness, rules: Ruleset) -> dict[str, Any]:
    action = {"text": witness.actions[0], "json": witness.json["action"]}
    note = f"found by biriba verify; {result.note}".removesuffix("; ")
    head = _head(result, rules, witness.shows or (result.subject,), "actions", note)
    step = {"accept": action} if witness.after is not None else {"reject": action, "because": head["clauses"]}
    return {
        **head,
        "given": {"text": witness.position, "position": witness.json["position"]},
        "steps": [step],
    }


def _head(
    result: Result, rules: Ruleset, shown: Iterable[str], level: str, note: str, id_end: str = "", title_end: str = ""
) -> dict[str, Any]:
    """What a vector says of itself."""
    clauses = [clause for clause in shown if clause in rules.clauses]
    return {
        "format": FORMAT,
        "id": f"proof/{_slug(f'{rules.name} {result.group} {result.subject} {result.about}')}{id_end}",
        "title": f"{result.status}: {result.group} {result.subject} {result.about}{title_end}".strip(),
        "level": level,
        "rulesets": [{"name": rules.name, "version": rules.version}],
        "clauses": clauses,
        "digests": {clause: rules.clauses[clause].digest for clause in clauses},
        "provenance": {"kind": KIND, "note": note},
    }


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
