"""Proofs by Z3 that nobody can tell a mutant from the original.

All that is outside of actions must have the same normal form. Then the verifier is asked whether both agree on every
action in every position in which the invariants hold: from equal positions they go on to equal positions for ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from biriba.conformance.strength.normal import Normal, names_in
from biriba.model import expr as x
from biriba.model.ruleset import Ruleset

TIMEOUT = 30.0
"""Seconds for one question to the solver."""
_OF_ACTIONS = ("actions", "guards", "definitions")


def proved(original: Ruleset, mutant: Ruleset, timeout: float = TIMEOUT) -> bool:
    """Whether the rule sets are proved to play alike; false if that is not seen.

    Raises:
        MissingZ3: Z3 is not installed.
    """
    from biriba.verify.compare import compare
    from biriba.verify.verdicts import PROVED

    if _elsewhere(original) != _elsewhere(mutant):
        return False
    results = compare(original, mutant, timeout, names=frozenset({"actions"}))
    return len(results) == len(original.actions) and all(result.status == PROVED for result in results)


def _elsewhere(rules: Ruleset) -> Any:
    """All that decides a game but the actions, and the order of piles, which the solver sees the top of alone.

    The invariants are among it: they are assumed of both, and known of the original.
    """
    normal = Normal(rules)
    told = normal.parts()
    told = {name: part for name, part in told.items() if name not in _OF_ACTIONS}
    told["invariants"] = [normal.fold(statement.body) for statement in rules.invariants]
    told["params"] = [(a.name, a.params, a.phases) for a in rules.actions.values()]
    told["piles"] = [(name, list(_onto_piles(normal.sequence(name), rules))) for name in rules.actions]
    names = names_in(told)
    while names != (wider := names.union(*(names_in(normal.definitions[name]) for name in names))):
        names = wider
    told["definitions"] = {name: normal.definitions[name] for name in names}
    return told


def _onto_piles(effects: Any, rules: Ruleset) -> Iterator[Any]:
    """The effects that put cards on piles or take them from there, in their order."""
    for effect in effects:
        zones = [getattr(effect, name, None) for name in ("source", "target")]
        if any(rules.zones[zone.name].kind == "pile" for zone in zones if isinstance(zone, x.Zone)):
            yield effect
        for name in ("then", "otherwise", "body"):
            inner = getattr(effect, name, ())
            if isinstance(inner, tuple):
                yield from _onto_piles(inner, rules)
