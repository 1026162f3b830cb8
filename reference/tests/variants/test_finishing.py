"""Whoever may begin something can end his turn, and whoever can end it may begin: the closed forms are exact.

What the `ensure` guards refuse is tried out without them: whether some order of laying leads to the end of the turn.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from biriba import notation
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

    def done(self, position: Position) -> bool:
        return self.free.over(position) or position.turn != self.seat

    def ends(self, position: Position) -> bool | None:
        """Whether the turn can be ended; None if that was not found out."""
        self.tried += 1
        if self.tried > MOST_TRIED:
            return None
        if self.done(position):
            return True
        legal = self.free.legal(position)
        if any(action.name not in LAYING and self.done(self.free.apply(position, action)) for action in legal):
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


# ---------------------------------------------------------------- a group of wilds, and little in hand

MELDS = (
    *("3H 4H 5H 6H 7H 8H", "4H 5H 6H 7H 8H 9H", "3H 4H 5H 6H 7H", "3S 4S 5S 6S 7S 8S", "8S 9S TS JS QS KS"),
    *("AH JK 3H 4H 5H 6H", "AH 2S 3H 4H 5H 6H", "3H 4H 5H 6H 7H JK", "4H 2H 6H 7H 8H 9H", "2H 3H 4H 5H 6H 7H"),
    *("9S 9D 9C", "9S 9D 9C JK", "9S 9D 9C 9S 9D 9C", "9S 9D 9C 9S 9D 2D"),
    *("JK JK JK", "JK 2S 2D", "2H 2S 2D", "2S 2S 2D 2D 2C", "2S 2S 2D 2D 2C 2C", "2S 2S 2D 2D 2C 2C JK"),
)
HANDS = ("JK", "JK JK", "JK JK JK", "JK JK JK JK", "2H", "2H 2H", "2S", "2S 2S", "9H", "9H 9H", "5H")


def small_positions(rules: Rules, number: int) -> Iterator[Position]:
    """Positions in play in which a hand holds one face, perhaps barred, beside up to three melds."""
    rng = random.Random(0)
    while number:
        melds = " ".join(f"[{cards}]" for cards in rng.sample(MELDS, rng.randint(1, 3)))
        hand, barred, taken = rng.choice(HANDS), rng.random() < 0.6, rng.random() < 0.75
        fields = [f"turn A play; melds X {melds}; hand A {hand}"]
        fields += [f"barred {hand.split()[0]}"] if barred else []
        fields += ["taken X yes; packet 2 empty"] if taken else []
        try:
            position = notation.parse_given(rules.ruleset, "; ".join(fields), rules.dealt_sizes)
        except notation.NotationError:
            continue  # more copies of a card than the deck has
        if not rules.violated_invariants(position):
            number -= 1
            yield position


def test_the_closed_form_is_exact_where_a_group_of_wilds_may_be_open() -> None:
    ruleset = load_ruleset("venezuelan")
    rules = Rules(ruleset)
    free = Rules(replace(ruleset, guards=tuple(guard for guard in ruleset.guards if guard.timing == "require")))
    found = {True: 0, False: 0}
    for position in small_positions(rules, 1000):
        said = "turn.can_finish" not in rules.violated_invariants(position, before=position)
        assert Trial(free, position.turn).ends(position) == said, notation.format_position(ruleset, position)
        assert not said or rules.legal(position), "a dead end"
        found[said] += 1
    assert min(found.values()) > 100, found
