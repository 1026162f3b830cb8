"""Random play: nothing crashes, every deal ends, and every invariant of the rules holds at every step."""

from __future__ import annotations

from random import Random

import pytest

from biriba.interpreter.rules import Rules
from tests.interpreter.tables import biriba, played, variant


def check_deal(rules: Rules, seed: int, most: int = 5_000) -> None:
    start = rules.deal(seed=seed).position
    assert rules.violated_invariants(start) == []
    assert rules.violated_after_deal(start) == []
    position = start
    for before, action, position in played(rules, seed, most):
        assert rules.violated_invariants(position, before) == [], (seed, action)
    assert rules.over(position), seed
    score = rules.score(position)
    assert score.totals == tuple(
        sum(entry.points for entry in score.lines(side)) for side in range(len(rules.ruleset.table.sides))
    )


@pytest.mark.parametrize("seed", range(100))
def test_a_random_deal(seed: int) -> None:
    check_deal(biriba(), seed)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
def test_a_thousand_random_deals(block: int) -> None:
    for seed in range(1000 + 100 * block, 1100 + 100 * block):
        check_deal(biriba(), seed)


VARIANTS = [
    ("set max_run = 5",),
    ("set biriba_length = 4",),
    ("set max_wilds = 2", "set sets_of_twos = yes"),
    (
        'drop clause meld.one_wild because "any number of wilds"',
        'drop clause cards.meld_kinds because "a meld of wilds is of no kind"',
    ),
    ("set runs_only = yes",),
    ("set packet_needs_biriba = no",),
    ("set close_with_wild = no", "set lone_take_may_close = no"),
    ("set stall_limit = 12", "set active_from = first_draw"),
    ("set hand_size = 7", "set packet_size = 5", "set packs = 3"),
]


@pytest.mark.parametrize("lines", VARIANTS, ids=" ".join)
def test_random_deals_of_variants(lines: tuple[str, ...]) -> None:
    for seed in range(4):
        check_deal(variant(*lines), seed)


def test_a_broken_rule_is_caught_by_its_invariant() -> None:
    """The same checks see it when a rule set lets a hand run empty."""
    rules = variant('drop clause discard.keep_one because "to see an invariant fail"')
    rng = Random(1)
    violated: set[str] = set()
    for seed in range(60):
        position = rules.deal(seed=seed).position
        while (legal := rules.legal(position)) and not violated:
            laying = [action for action in legal if action.name in ("lay", "extend")]
            after = rules.apply(position, rng.choice(laying or legal))
            violated.update(rules.violated_invariants(after, position))
            position = after
    assert violated == {"turn.hand_not_emptied"}
