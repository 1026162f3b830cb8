"""A turn can be finished: the closed form in the rules says the same as trying everything."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from biriba.interpreter.rules import Rules
from biriba.model.position import Action, Meld, Position
from tests.interpreter.tables import biriba, card, cards, variant

LAYING = ("lay", "extend")
FREE = variant('drop clause turn.can_finish because "to search for what it forbids"')

# Few faces, so that twins, wilds and cards that fit one another come up often.
POOL = cards(
    "AH 2H 2H 3H 4H 5H 6H 6H 7H 7H 8H 8H 9H 9H 2S 2S 9S 9S 9D 9D 9C 9C 8S 8S 8D 8D 8C JK JK JK JK KS QS 3S 3D 3C 3C 3D"
)


def can_finish_by_trying(rules: Rules, position: Position, known: dict[Position, bool]) -> bool:
    """Whether some lays and extensions, or none, lead to a discard that the rules allow."""
    if position not in known:
        legal = rules.legal(position)
        laying = (action for action in legal if action.name in LAYING)
        known[position] = any(action.name == "discard" for action in legal) or any(
            can_finish_by_trying(rules, rules.apply(position, action), known) for action in laying
        )
    return known[position]


def small_position(rng: Random) -> Position:
    """A position in the middle of A's turn: few cards in hand, a few melds, perhaps a barred card."""
    rules = biriba()
    zone, state = rules.layout.zone_base, rules.layout.state_base
    pool = list(POOL)
    rng.shuffle(pool)
    melds: list[Meld] = []
    for _ in range(rng.choice((0, 1, 1, 2))):
        options = rules.melds_among(tuple(rng.sample(pool, min(len(pool), 16))))
        size = rng.choice((3, 4, 5, 6, 7, 8))
        options = [m for m in options if len(m.cards) <= size] or options
        if options:
            longest = max(len(m.cards) for m in options)
            melds.append(rng.choice([m for m in options if len(m.cards) == longest]))
            for c in melds[-1].cards:
                pool.remove(c)
    useful = [g.card for m in melds for g in rules._evaluator.melds.growths(m) if g.card in pool]
    hand: list[int] = []
    for _ in range(rng.choice((1, 1, 2, 2, 2, 3, 4))):
        same = [c for c in pool if c in hand]
        wanted = [c for c in pool if c in useful]
        chosen = rng.choice(rng.choice([options for options in (same, wanted, pool) if options]))
        hand.append(chosen)
        pool.remove(chosen)
    biribas = any(len(m.cards) >= 7 for m in melds)
    mine, other = biribas and rng.random() < 0.4, rng.random() < 0.5
    packets = [tuple(cards("4S 5S 6S 4D 5D 6D 4C 5C 6C TS TD"))] * (2 - mine - other)
    zones: list[tuple[object, ...]] = [()] * len(rules.layout.zone_slots)
    zones[zone["hand"]] = tuple(sorted(hand))
    zones[zone["discard"]] = (card("KD"),)
    zones[zone["melds"]] = tuple(melds)
    for i, packet in enumerate(packets):
        zones[zone["packet"] + i] = packet
    states = list(rules.empty_table(3).states)
    states[state["taken"]], states[state["taken"] + 1] = mine, other
    states[state["barred"]] = rng.choice([None, hand[0], hand[0], card("KD")])
    return replace(rules.empty_table(3), phase="play", turn=0, zones=tuple(zones), states=tuple(states))  # type: ignore[arg-type]


def compare(count: int, seed: int) -> Counter[tuple[bool, int]]:
    """Compare on many positions; returns how often the answer was what with how many cards in hand."""
    rng = Random(seed)
    seen: Counter[tuple[bool, int]] = Counter()
    known: dict[Position, bool] = {}
    hand = biriba().layout.zone_base["hand"]
    for _ in range(count):
        position = small_position(rng)
        says = biriba().defined(position, "can_finish")
        assert says == can_finish_by_trying(FREE, position, known), position
        seen[says, min(len(position.zones[hand]), 3)] += 1
    return seen


def test_the_closed_form_is_what_trying_everything_finds() -> None:
    seen = compare(4_000, seed=1)
    assert all(seen[says, size] > 20 for says in (False, True) for size in (1, 2)), seen


@pytest.mark.slow
def test_the_closed_form_is_what_trying_everything_finds_at_length() -> None:
    compare(200_000, seed=2)


def test_no_legal_action_leads_to_a_dead_end() -> None:
    rng = Random(3)
    known: dict[Position, bool] = {}
    for _ in range(300):
        position = small_position(rng)
        for action in biriba().legal(position):
            if action.name in LAYING:
                assert can_finish_by_trying(FREE, biriba().apply(position, action), known)


def test_the_search_sees_the_dead_ends() -> None:
    dead = small_position(Random(0))
    zone = biriba().layout.zone_base
    zones = list(dead.zones)
    zones[zone["hand"]], zones[zone["melds"]] = cards("KS"), ()
    dead = replace(dead, zones=tuple(zones))
    assert not can_finish_by_trying(FREE, dead, {})
    assert FREE.legal(dead) == []
    assert Action("discard", (card("KS"),)) not in biriba().legal(dead)
