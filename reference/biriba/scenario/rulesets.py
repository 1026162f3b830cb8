"""The rule sets that scenarios name, each loaded once."""

from __future__ import annotations

from functools import cache

from biriba.interpreter.rules import Rules
from biriba.model.ruleset import Ruleset


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


@cache
def heirs(name: str) -> tuple[Rules, ...]:
    """The rule sets that extend one that comes with biriba, directly or not."""
    from biriba.language.load import available

    others = (load_named(other) for other in sorted(available()) if other != name)
    return tuple(other for other in others if name in other.ruleset.parents)


@cache
def akin(name: str) -> tuple[Rules, ...]:
    """The heirs of a rule set with the same positions, so that they can be asked of its scenarios, too."""
    first = load_named(name).ruleset
    return tuple(other for other in heirs(name) if same_positions(first, other.ruleset))


def same_positions(a: Ruleset, b: Ruleset) -> bool:
    """Whether positions of one rule set are positions of the other, slot by slot."""
    return _shape(a) == _shape(b)


def _shape(rules: Ruleset) -> tuple[object, ...]:
    zones = tuple((zone.name, zone.kind, zone.owner, zone.low, zone.high) for zone in rules.zones.values())
    # The range of a number may differ: what goes beyond it is refused when a scenario is read.
    states = tuple((state.name, state.owner, state.type.kind, state.type.optional) for state in rules.states.values())
    faces = tuple((face.symbol, face.copies) for face in rules.cards.faces)
    return zones, states, faces, rules.phases, rules.table.seats, rules.table.sides, rules.table.members
