"""The order of a rulebook: chapters, and the clauses of each, as the rule file has them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from biriba.model.ruleset import Clause, Ruleset

UNNAMED = "rules"


@dataclass(frozen=True, slots=True)
class Chapter:
    """Clauses under a common heading.

    Attributes:
        title: as in the rule file.
        slug: for addresses, from the title.
    """

    title: str
    slug: str
    clauses: tuple[Clause, ...]

    @property
    def heading(self) -> str:
        """The title with a capital."""
        return self.title[:1].upper() + self.title[1:]


def chapters(rules: Ruleset) -> tuple[Chapter, ...]:
    """All chapters of a rule set, in the order in which they begin; a later part joins an earlier one of its title."""
    found: dict[str, list[Clause]] = {}
    for clause in rules.clauses.values():
        found.setdefault(clause.chapter or UNNAMED, []).append(clause)
    return tuple(Chapter(title, slug(title), tuple(clauses)) for title, clauses in found.items())


def slug(title: str) -> str:
    """A title as it stands in an address: ``the-cards``."""
    return re.sub(r"[^\w]+", "-", title.lower()).strip("-") or UNNAMED
