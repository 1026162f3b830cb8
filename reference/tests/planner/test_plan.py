"""Plans: each is played again by the interpreter, from the deck to the position that was wanted."""

from __future__ import annotations

import pytest

import biriba
from biriba.interpreter.rules import Rules
from biriba.model.position import Position
from biriba.notation import format_position
from biriba.planner import Goal, Plan, plan
from biriba.planner.plan import Plans
from biriba.scenario.rulesets import load_named


@pytest.fixture(scope="module")
def plans() -> Plans:
    return Plans(load_named("biriba"))


def played(rules: Rules, found: Plan) -> Position:
    """Where the actions lead from the deck, each judged by the rules."""
    position = rules.dealt(found.deck, found.dealer)
    for action in found.actions:
        position = rules.apply(position, action)
    return position


@pytest.mark.parametrize(
    "given",
    [
        "discard 9H; hand A 9H KS; turn A start",
        "melds X [3H 4H 5H 6H 7H 8H]; hand A 9H KS QS; turn A play",
        "melds X [AH 2H 3H 4H JK 6H 7H 8H 9H TH JH QH]; hand A 5H KS QS; turn A play",
        "stock 3D 9H; discard 4C; hand A KS QS; rest in hand D; turn A start",
        "stock empty; hand A KS QS; rest in discard; turn A start",
        "melds X [3S 4S 5S 6S 7S 8S 9S]; taken X yes; packet 2 empty; melds Y [3H 4H 5H 6H 7H 8H 9H]; hand B TH KS; "
        "turn B play",
    ],
)
def test_what_is_stated_comes_about(plans: Plans, given: str) -> None:
    goal = Goal.stated(plans.rules, given).with_more_melds(plans.rules)
    found = plans.find(goal)
    assert found is not None
    assert played(plans.rules, found) == found.position
    assert goal.reached(plans.rules, found.position), format_position(plans.rules.ruleset, found.position)


def test_a_whole_position_comes_about_exactly(plans: Plans) -> None:
    game = plans.rules.deal(seed=5, dealer="B")
    for action in ("draw", "discard QS", "take"):
        game.apply(action if action != "discard QS" else game.legal()[-1])
    found = plans.find(Goal.exactly(game.position))
    assert found is not None
    assert played(plans.rules, found) == game.position


def test_equal_seeds_give_equal_plans() -> None:
    rules = biriba.load("biriba")
    goal = Goal.stated(rules, "hand A KS QS; turn A start")
    assert plan(rules, goal, seed=3) == plan(rules, goal, seed=3)
    assert plan(rules, goal, seed=3) != plan(rules, goal, seed=4)


def test_more_copies_than_the_deck_has_are_found_out_before_any_search(plans: Plans) -> None:
    position = plans.rules.deal(seed=1).position
    hands = list(position.zones)
    hands[2] = hands[3]
    assert plans.find(Goal.exactly(Position("start", 0, 3, tuple(hands), position.states))) is None


@pytest.mark.parametrize("name", ["classic", "six-handed", "venezuelan-2"])
def test_it_knows_no_game(name: str) -> None:
    rules = load_named(name)
    seat = rules.ruleset.table.seats[0]
    found = plan(rules, Goal.stated(rules, f"hand {seat} KS QS; turn {seat} play"))
    assert found is not None
    assert played(rules, found) == found.position


def test_the_plan_must_be_accepted(plans: Plans) -> None:
    seen: list[Plan] = []
    goal = Goal.stated(plans.rules, "hand A KS QS; turn A start")
    assert plans.find(goal, accept=lambda found: bool(seen.append(found))) is None
    assert len(seen) > 1
