"""What rules mean, apart from how they are worded: two rule sets that mean the same play the same game."""

from __future__ import annotations

import hashlib

from biriba.model.ruleset import Clause, Ruleset

_WORDS = ("cites ", "covers ", "because ", "says ", "follows ")


def formal_text(clause: Clause) -> str:
    """The formal lines of a clause: without its sentence, sources, comments and examples."""
    lines = []
    for line in clause.source.splitlines()[1:]:
        bare = line.strip()
        if bare.startswith("example "):
            break
        if bare.startswith(('"', "#", *_WORDS)):
            continue
        lines.append(line.split(" #")[0].rstrip())
    return "\n".join(lines)


def meaning(rules: Ruleset) -> str:
    """A digest of the parameters and of the formal lines of all clauses: other words leave it as it is."""
    settings = [f"{p.name} = {p.value} in {p.low}..{p.high} of {p.options}" for p in rules.parameters.values()]
    clauses = [f"{clause.id}\n{formal_text(clause)}" for clause in rules.clauses.values()]
    return hashlib.sha256("\n".join([*settings, *clauses]).encode()).hexdigest()
