"""Positions from deals played at random, and how they are compared."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

from biriba.model.position import Action, Position
from biriba.verify.witness import Referee


def played(referee: Referee, rng: Random, seed: int) -> tuple[Position, list[Action]]:
    """A position some steps into a deal played at random, and actions that were legal on the way."""
    game, seen = referee.rules.deal(seed=seed), list[Action]()
    for _ in range(rng.choice([0, 1, 5, 30, 120, 250])):
        legal = game.legal()
        if not legal:
            break
        seen += rng.sample(legal, min(3, len(legal)))
        name = rng.choice(sorted({action.name for action in legal}))
        game.apply(rng.choice([action for action in legal if action.name == name]))
    return game.position, seen


def unordered(position: Position) -> Position:
    """The position without the order of melds, and of piles but for their size: what the encoding follows."""
    zones = tuple(tuple(sorted(Counter(zone).items(), key=str)) for zone in position.zones)
    return replace(position, zones=zones)  # type: ignore[arg-type]
