"""The rule sets that there are, as a family: who extends whom, and by what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from biriba.cache import cached_ruleset
from biriba.language.load import available
from biriba.model.ruleset import Ruleset
from biriba.prose.differences import Differences, differences
from biriba.prose.expressions import parameter_text

NAMED = 3
"""Most clauses that a line of differences names; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Member:
    """A rule set of the family.

    Attributes:
        differences: from its parent, None for a rule set that extends no other.
        line: the same in one line.
    """

    rules: Ruleset
    differences: Differences | None
    line: str

    @property
    def name(self) -> str:
        return self.rules.name

    @property
    def parent(self) -> str | None:
        return self.rules.parents[0] if self.rules.parents else None


def family(*folders: Path) -> dict[str, Member]:
    """All rule sets that come with biriba, and those in the folders, by name.

    Raises:
        RulesError: one of them does not compile.
    """
    rules = {name: cached_ruleset(path) for name, path in sorted(available(*folders).items())}
    return {name: _member(found, rules) for name, found in rules.items()}


def _member(rules: Ruleset, known: Mapping[str, Ruleset]) -> Member:
    parent = known.get(rules.parents[0]) if rules.parents else None
    found = None if parent is None else differences(parent, rules)
    return Member(rules, found, "" if found is None else summary(rules, found))


def summary(rules: Ruleset, found: Differences) -> str:
    """The differences of a rule set from its parent in one line."""
    parts = [f"with {', '.join(rules.own_parts)}"] if rules.own_parts else []
    values = [f"{name} {parameter_text(rules, name)}" for name in found.parameters if name in rules.parameters]
    if values:
        parts.append(", ".join(values[:NAMED]) + (f" and {len(values) - NAMED} more" if len(values) > NAMED else ""))
    for word, clauses in (("replaces", found.changed), ("adds", found.added), ("drops", found.dropped)):
        if clauses:
            parts.append(f"{word} {_listed(clauses)}")
    return "; ".join(parts) or "the same rules"


def _listed(clauses: tuple[str, ...]) -> str:
    more = len(clauses) - NAMED
    return ", ".join(clauses[:NAMED]) + (f" and {more} more" if more > 0 else "")


def tree(members: Mapping[str, Member]) -> Iterator[tuple[str, Member]]:
    """The members with the branch that each hangs on, parents first."""
    children: dict[str | None, list[Member]] = {}
    for member in members.values():
        children.setdefault(member.parent if member.parent in members else None, []).append(member)

    def under(parent: str | None, stem: str) -> Iterator[tuple[str, Member]]:
        found = children.get(parent, [])
        for i, member in enumerate(found):
            last = i == len(found) - 1
            branch = "" if parent is None else f"{stem}{'└─ ' if last else '├─ '}"
            yield branch, member
            yield from under(member.name, "" if parent is None else f"{stem}{'   ' if last else '│  '}")

    yield from under(None, "")
