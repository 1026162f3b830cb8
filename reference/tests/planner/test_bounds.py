"""Why some positions never come about."""

from __future__ import annotations

import pytest

from biriba.notation import parse_given
from biriba.planner import Goal
from biriba.planner.bounds import impossible, ruled_out
from biriba.scenario.rulesets import load_named


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("turn A start; hand A KS QS; hand B KS; hand C 3H", None),
        (
            "turn A start; packet 1 AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH",
            "packet 1 has 12 cards, the deal puts 11 there, and no action puts any",
        ),
    ],
)
def test_some_goals_are_impossible(given: str, why: str | None) -> None:
    rules = load_named("biriba")
    assert impossible(rules, Goal.stated(rules, given)) == why


def test_the_stock_never_grows() -> None:
    rules = load_named("biriba")
    position = parse_given(rules.ruleset, "turn A start; hand A KS QS", rules.dealt_sizes)
    why = impossible(rules, Goal.exactly(position))
    assert why == "stock has 50 cards, the deal puts 41 there, and no action puts any"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("turn A start; hand A KS QS", None),
        ("turn A over", "it breaks what always holds: turn.passes_run_out"),
        ("turn A start; taken X yes", "it breaks what always holds: packet.one_each, packet.after_biriba"),
        ("turn A play; melds X [4H 5H 6H 7H]; hand A 8H", "it is a dead end: no action is legal there"),
    ],
)
def test_some_positions_break_what_always_holds(given: str, why: str | None) -> None:
    rules = load_named("biriba")
    assert ruled_out(rules, parse_given(rules.ruleset, given, rules.dealt_sizes)) == why
