"""What has changed in the clauses of a rule set, version by version.

Beside a rule file `NAME.rules` lie `NAME.history.tsv`, written by hand, a line for each change, and
`NAME.digests.tsv`, recorded by `biriba docs history --record`: what every clause said and meant in the last
version that was recorded. A clause that has changed since then, and of which the history of a later version
says nothing, is a fault; so is one that is gone.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from biriba.model.meaning import formal_text
from biriba.model.ruleset import Clause, Ruleset
from biriba.prose.relations import relations
from biriba.prose.sentences import template

NEW, CHANGED, RETIRED = "new", "changed", "dropped"
EVERY = "*"
_COLUMNS = ("version", "clause", "change", "text", "successor")
_RECORDED = ("version", "clause", "digest")


@dataclass(frozen=True, slots=True)
class Entry:
    """A change.

    Attributes:
        clause: the id of the clause, or `EVERY`.
        change: `NEW`, `CHANGED` or `RETIRED`.
        successor: the clause that has taken the place of a retired one, empty if none has.
    """

    version: str
    clause: str
    change: str
    text: str
    successor: str


def history(rules: Ruleset) -> tuple[Entry, ...]:
    """All changes of a rule set, the oldest first; none if it keeps no history.

    Raises:
        ValueError: a line is not of its form.
    """
    found = []
    for number, row in enumerate(_rows(rules, "history", _COLUMNS), start=2):
        entry = Entry(*row)
        if entry.change not in (NEW, CHANGED, RETIRED):
            raise ValueError(f"line {number} of the history: '{entry.change}' is not {NEW}, {CHANGED} or {RETIRED}")
        found.append(entry)
    return tuple(found)


def retired(rules: Ruleset) -> dict[str, str]:
    """The ids that are no longer in use, each with its successor."""
    return {e.clause: e.successor for e in history(rules) if e.change == RETIRED and e.successor}


def digests(rules: Ruleset) -> dict[str, str]:
    """For each clause a digest of what it says and means: its sentence, formal lines and parameters."""
    known = relations(rules)
    return {id_: _digest(rules, clause, known[id_].parameters) for id_, clause in rules.clauses.items()}


def unrecorded(rules: Ruleset) -> list[str]:
    """What the history should tell and does not, a message for each clause."""
    recorded = {clause: (version, digest) for version, clause, digest in _rows(rules, "digests", _RECORDED)}
    if not recorded:
        return []
    now = digests(rules)
    told = {(entry.clause, entry.version) for entry in history(rules)}
    gone = {entry.clause for entry in history(rules) if entry.change == RETIRED}
    return [
        f"clause '{clause}' {what} since version {version} was recorded: write a line about it under a new version in "
        f"{_file(rules, 'history').name}, or record the version anew as long as it is not published"
        for clause, version, what in _differing(recorded, now)
        if clause not in gone and (rules.version == version or (clause, rules.version) not in told)
    ]


def record(rules: Ruleset) -> Path:
    """Write down what every clause says and means in this version.

    Raises:
        ValueError: the history does not speak of this version.
    """
    if rules.version not in {entry.version for entry in history(rules)}:
        raise ValueError(f"{_file(rules, 'history')} has no line about version {rules.version}")
    path = _file(rules, "digests")
    lines = [_RECORDED, *((rules.version, clause, digest) for clause, digest in digests(rules).items())]
    path.write_text("".join("\t".join(line) + "\n" for line in lines), encoding="utf-8", newline="\n")
    return path


def _differing(recorded: dict[str, tuple[str, str]], now: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    latest = next(iter(recorded.values()))[0]
    for clause, (version, digest) in recorded.items():
        if clause not in now:
            yield clause, version, "is gone"
        elif now[clause] != digest:
            yield clause, version, "has changed"
    for clause in now:
        if clause not in recorded:
            yield clause, latest, "was added"


def _digest(rules: Ruleset, clause: Clause, parameters: tuple[str, ...]) -> str:
    values = [f"{name} = {rules.parameters[name].value}" for name in parameters]
    text = "\n".join([template(rules, clause.prose), formal_text(clause), *values])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _file(rules: Ruleset, kind: str) -> Path:
    """The file of that kind beside the rule file; where a rule set has no clause of its own, one that is not there."""
    own = next((clause for clause in rules.clauses.values() if clause.origin == rules.name), None)
    return Path(f"{rules.name}.rules" if own is None else own.span.file).with_suffix(f".{kind}.tsv")


def _rows(rules: Ruleset, kind: str, columns: tuple[str, ...]) -> list[tuple[str, ...]]:
    path = _file(rules, kind)
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        rows = [tuple(row) for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]
    for number, row in enumerate(rows, start=1):
        if len(row) != len(columns):
            raise ValueError(f"{path.name}:{number} should have the columns {', '.join(columns)}")
    return rows[1:]
