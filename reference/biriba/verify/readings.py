"""Invariants of steps that can be read as invariants of positions."""

from __future__ import annotations

from biriba.model import expr as x
from biriba.model.ruleset import Ruleset, Statement


def looks_back(statement: Statement, rules: Ruleset) -> bool:
    """Whether a statement speaks of the position before the step."""
    nodes = list(statement.body.walk())
    names = {n.definition for n in nodes if isinstance(n, x.Apply)}
    inner = [rules.definitions[name].body for name in names]
    return any(isinstance(n, x.Old) for body in [statement.body, *inner] for n in body.walk())


def carried(rules: Ruleset) -> tuple[int, ...]:
    """The invariants of steps, by index, that can be read as invariants of positions.

    They are read so with the seat to act for the one that acted.
    """
    return tuple(i for i, s in enumerate(rules.step_invariants) if not looks_back(s, rules))
