"""Positions from deals played at random, and how they are compared."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

from biriba.model.position import Action, Position
from biriba.verify.witness import Referee


def played(referee: Referee, rng: Random, seed: int) -> tuple[Position, list[Action]]:
    """A position some steps into a deal played at random, and actions that were legal on the way.

    Rules that are broken may lead to a step that cannot be taken; the deal stops before it.
    """
    game, seen = referee.rules.deal(seed=seed), list[Action]()
    for _ in range(rng.choice([0, 1, 5, 30, 120, 250])):
        position = game.position
        try:
            legal = game.legal()
            if not legal:
                break
            chosen = rng.sample(legal, min(3, len(legal)))
            name = rng.choice(sorted({action.name for action in legal}))
            game.apply(rng.choice([action for action in legal if action.name == name]))
        except IMPOSSIBLE:
            return position, seen
        seen += chosen
    return game.position, seen


def well_typed(referee: Referee, position: Position) -> bool:
    """Whether all states have values of their types; the checker sees to that, for rules that it has seen."""
    rules = referee.ruleset
    for (name, _), value in zip(referee.rules.layout.state_slots, position.states, strict=True):
        type_ = rules.states[name].type
        if value is None:
            if not type_.optional:
                return False
        elif type_.kind == "int" and not (type_.low or 0) <= value <= (type_.high or 0):
            return False
    return True


IMPOSSIBLE = (AssertionError, IndexError, ValueError, TypeError)
"""What the interpreter raises where rules that nobody has checked move a card that is not there."""


def unordered(position: Position) -> Position:
    """The position without the order of melds, and of piles but for their size: what the encoding follows."""
    zones = tuple(tuple(sorted(Counter(zone).items(), key=str)) for zone in position.zones)
    return replace(position, zones=zones)  # type: ignore[arg-type]
