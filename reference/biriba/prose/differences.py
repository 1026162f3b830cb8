"""What differs between two rule sets: parameters by value, clauses by meaning."""

from __future__ import annotations

from dataclasses import dataclass

from biriba.model.ruleset import Clause, Ruleset
from biriba.prose.expressions import parameter_text


@dataclass(frozen=True, slots=True)
class Differences:
    """What a rule set has that another has not, and the other way round.

    Attributes:
        parameters: name to both values as text; a dash where one of them has no such parameter.
        added, dropped: ids of clauses that only one of them has.
        changed: ids of clauses that are written differently.
        shifted: ids of clauses written alike that mention a parameter with another value.
    """

    parameters: dict[str, tuple[str, str]]
    added: tuple[str, ...]
    dropped: tuple[str, ...]
    changed: tuple[str, ...]
    shifted: tuple[str, ...]

    def of(self, clause: str) -> str | None:
        """How a clause differs: ``new``, ``dropped``, ``changed``, ``other numbers``, or None if it does not."""
        if clause in self.added:
            return "new"
        if clause in self.dropped:
            return "dropped"
        if clause in self.changed:
            return "changed"
        return "other numbers" if clause in self.shifted else None

    def __bool__(self) -> bool:
        return any((self.parameters, self.added, self.dropped, self.changed, self.shifted))


def differences(old: Ruleset, new: Ruleset) -> Differences:
    """What changes from one rule set to another."""
    names = dict.fromkeys((*old.parameters, *new.parameters))
    values = {name: (_value(old, name), _value(new, name)) for name in names}
    both = [id_ for id_ in new.clauses if id_ in old.clauses]
    changed = [id_ for id_ in both if _body(old.clauses[id_]) != _body(new.clauses[id_])]
    return Differences(
        parameters={name: pair for name, pair in values.items() if pair[0] != pair[1]},
        added=tuple(id_ for id_ in new.clauses if id_ not in old.clauses),
        dropped=tuple(id_ for id_ in old.clauses if id_ not in new.clauses),
        changed=tuple(changed),
        shifted=tuple(i for i in both if i not in changed and old.clauses[i].digest != new.clauses[i].digest),
    )


def _value(rules: Ruleset, name: str) -> str:
    return parameter_text(rules, name) if name in rules.parameters else "–"


def _body(clause: Clause) -> str:
    """The clause as written; that it replaces another is no part of what it says."""
    return clause.source.removeprefix("replace ")
