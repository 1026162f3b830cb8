"""The rule sets that scenarios name, each loaded once."""

from __future__ import annotations

from functools import cache

from biriba.interpreter.rules import Rules


@cache
def load_named(name: str) -> Rules:
    """The rule set of that name that comes with biriba.

    Raises:
        RulesError: there is none.
    """
    from biriba import load

    return load(name)


def holds_under(rules: Rules, rulesets: tuple[tuple[str, str], ...]) -> bool:
    """Whether a rule set is one of those, in that version, under which a scenario holds."""
    return (rules.ruleset.name, rules.ruleset.version) in rulesets
