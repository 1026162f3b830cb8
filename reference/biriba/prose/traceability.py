"""From the atomic rules of the sources to the clauses that state them.

`spec/atomic.tsv` lists what the sources say, rule by rule, and the rulings on what they leave open, each
in one sentence. The table says for each which clauses cover it; a clause names them itself (`covers`).
"""

from __future__ import annotations

import csv
from dataclasses import dataclass

from biriba.data import spec_dir
from biriba.model.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Atomic:
    """An atomic rule (``R-3.07``) or ruling (``C-34``), in one sentence, and its places in the sources."""

    id: str
    text: str
    source: str


def atomic_rules() -> tuple[Atomic, ...]:
    """All atomic rules and rulings, in order."""
    with (spec_dir() / "atomic.tsv").open(encoding="utf-8", newline="") as file:
        return tuple(Atomic(*row) for row in list(csv.reader(file, delimiter="\t"))[1:])


def covering(rules: Ruleset) -> dict[str, tuple[str, ...]]:
    """For each atomic id the clauses of a rule set that cover it, in clause order."""
    found: dict[str, tuple[str, ...]] = {}
    for clause in rules.clauses.values():
        for id_ in clause.covers:
            found[id_] = (*found.get(id_, ()), clause.id)
    return found


def traceability_table(rules: Ruleset) -> str:
    """A Markdown table: every atomic rule, where it stands in the sources, and the clauses that state it."""
    clauses = covering(rules)
    lines = ["| Rule | In one sentence | Source | Clauses |", "|---|---|---|---|"]
    for atomic in atomic_rules():
        named = ", ".join(f"`{id_}`" for id_ in clauses.get(atomic.id, ())) or "none"
        lines.append(f"| {atomic.id} | {atomic.text} | {atomic.source} | {named} |")
    return "\n".join(lines) + "\n"
