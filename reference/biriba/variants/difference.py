"""How two rule sets differ, clause by clause: what each says in words and formally, and by which numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from biriba.interpreter.rules import Rules
from biriba.model.meaning import formal_text
from biriba.model.ruleset import Ruleset
from biriba.prose.differences import differences
from biriba.prose.expressions import parameter_text

REPLACED, ADDED, DROPPED = "replaced", "added", "dropped"
NUMBERS, WORDS = "other numbers", "other words"


@dataclass(frozen=True, slots=True)
class Said:
    """What a rule set says by a clause.

    Attributes:
        sentence: in words, its numbers filled in.
        formal: the formal lines as they are written.
        because: the reason of a ruling, None if sources say it.
        origin: the rule set or part whose file holds it.
    """

    sentence: str
    formal: str
    because: str | None
    origin: str


@dataclass(frozen=True, slots=True)
class ClauseDifference:
    """A clause that two rule sets do not share.

    Attributes:
        kind: one of REPLACED, ADDED, DROPPED, NUMBERS (formally the same, with other values of parameters),
            WORDS (formally the same, with the same values).
        old, new: what each of the two says, None where it has no such clause.
        parameters: the parameters it mentions that have other values.
    """

    clause: str
    kind: str
    old: Said | None
    new: Said | None
    parameters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ParameterDifference:
    """A parameter with two values; None where a rule set does not have it."""

    name: str
    text: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True)
class Difference:
    """All differences between two rule sets."""

    old: Ruleset
    new: Ruleset
    parameters: tuple[ParameterDifference, ...]
    clauses: tuple[ClauseDifference, ...]


def difference(old: Rules, new: Rules) -> Difference:
    """What changes from one rule set to another, clauses in the order of the second."""
    found = differences(old.ruleset, new.ruleset)
    changed = tuple(found.parameters)
    kinds = {
        **dict.fromkeys(found.changed, REPLACED),
        **dict.fromkeys(found.added, ADDED),
        **dict.fromkeys(found.shifted, NUMBERS),
        **dict.fromkeys(found.dropped, DROPPED),
    }
    clauses = tuple(
        _clause(old, new, clause, kinds, changed)
        for clause in dict.fromkeys((*new.ruleset.clauses, *old.ruleset.clauses))
        if clause in kinds
    )
    return Difference(
        old.ruleset,
        new.ruleset,
        tuple(_parameter(old.ruleset, new.ruleset, name) for name in changed),
        clauses,
    )


def _clause(old: Rules, new: Rules, clause: str, kinds: Mapping[str, str], changed: Sequence[str]) -> ClauseDifference:
    parameters = _mentioned(old, new, clause, changed)
    kind = kinds[clause]
    if kind == REPLACED and formal_text(old.ruleset.clauses[clause]) == formal_text(new.ruleset.clauses[clause]):
        kind = NUMBERS if parameters else WORDS
    return ClauseDifference(clause, kind, _said(old, clause), _said(new, clause), parameters)


def _parameter(old: Ruleset, new: Ruleset, name: str) -> ParameterDifference:
    text = (new.parameters.get(name) or old.parameters[name]).text
    before, after = (parameter_text(rules, name) if name in rules.parameters else None for rules in (old, new))
    return ParameterDifference(name, text, before, after)


def _said(rules: Rules, clause: str) -> Said | None:
    found = rules.ruleset.clauses.get(clause)
    if found is None:
        return None
    return Said(rules.sentence(clause), formal(found.source), rules.reason(clause), found.origin)


_INFORMAL = re.compile(r'(replace )?clause |"|cites |covers |because |says |#')


def formal(text: str) -> str:
    """The formal lines of a clause's text, without its examples, moved to the margin."""
    lines = []
    for line in text.splitlines():
        if line.strip().startswith("example "):
            break
        if line.strip() and not _INFORMAL.match(line.strip()):
            lines.append(line.removeprefix("  ").rstrip())
    return "\n".join(lines)


def _mentioned(old: Rules, new: Rules, clause: str, changed: Sequence[str]) -> tuple[str, ...]:
    found = [rules.ruleset.clauses[clause] for rules in (old, new) if clause in rules.ruleset.clauses]
    return tuple(name for name in changed if any(name in c.mentions for c in found))
