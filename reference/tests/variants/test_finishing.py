"""Whoever may begin something can end his turn, and whoever can end it may begin: the closed forms are exact.

What the `ensure` guards refuse is tried out without them: whether some order of laying leads to the end of the turn.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from biriba.interpreter.frame import Standing
from biriba.interpreter.rules import Rules
from biriba.language.load import available, load_ruleset, other_games
from biriba.model.position import Position

MOST_TRIED = 400
"""Positions that are tried for one refused action; what takes more is left open."""
SMALL_HAND = 7
LAYING = ("lay", "extend")


class Trial:
    """Looks for a way to end a turn when no guard looks ahead."""

    def __init__(self, free: Rules, seat: int) -> None:
        self.free, self.seat, self.tried = free, seat, 0

    def ends(self, position: Position) -> bool | None:
        """Whether the turn can be ended; None if that was not found out."""
        self.tried += 1
        if self.tried > MOST_TRIED:
            return None
        if self.free.over(position) or position.turn != self.seat:
            return True
        legal = self.free.legal(position)
        if any(self.free.apply(position, action).turn != self.seat for action in legal if action.name not in LAYING):
            return True
        found: bool | None = False
        for action in legal:
            if action.name in LAYING:
                ends = self.ends(self.free.apply(position, action))
                if ends:
                    return True
                found = None if ends is None else found
        return found


def wrongly_refused(name: str, deals: int) -> list[str]:
    ruleset = load_ruleset(name)
    full = Rules(ruleset)
    free = Rules(replace(ruleset, guards=tuple(guard for guard in ruleset.guards if guard.timing == "require")))
    hands = [i for i, (zone, _) in enumerate(full.layout.zone_slots) if ruleset.zones[zone].kind == "hand"]
    rng = random.Random(name)
    found = []
    for seed in range(deals):
        standing = Standing(tuple(rng.choice((0, 1200, 1700)) for _ in ruleset.table.sides), seed)
        position = full.deal(seed, standing=standing).position
        while not full.over(position):
            legal = full.legal(position)
            if len(position.zones[hands[position.turn]]) <= SMALL_HAND:
                refused = [action for action in free.legal(position) if action not in legal]
                found += [
                    f"{name}, seed {seed}: {action}"
                    for action in refused
                    if Trial(free, position.turn).ends(free.apply(position, action))
                ]
            laying = [action for action in legal if action.name in LAYING]
            position = full.apply(position, rng.choice(laying if laying and rng.random() < 0.8 else legal))
    return found


@pytest.mark.parametrize("name", ["classic-vulnerable", "three-handed", "venezuelan"])
def test_nothing_is_refused_that_could_be_ended(name: str) -> None:
    assert not wrongly_refused(name, 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*available()} - {*other_games()}))
def test_nothing_is_refused_that_could_be_ended_in_many_deals(name: str) -> None:
    assert not wrongly_refused(name, 60)
