"""Deals and matches as they are played."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from biriba.interpreter.frame import Standing
from biriba.interpreter.game import Game
from biriba.interpreter.match import Match
from biriba.interpreter.rules import Illegal, Rules
from biriba.notation import NotationError, parse_record
from tests.interpreter.tables import biriba, variant


def play_out(game: Game, seed: int) -> None:
    rng = Random(seed)
    while legal := game.legal():
        game.apply(rng.choice(legal))


def test_a_game_keeps_what_was_played() -> None:
    game = biriba().deal(seed=7)
    assert (game.turn, game.over) == ("A", False)
    drawn = game.apply("draw", seat="A")
    assert game.position == drawn
    assert [(step.seat, step.action.name) for step in game.steps] == [(0, "draw")]


def test_what_is_rejected_changes_nothing() -> None:
    game = biriba().deal(seed=7)
    before = game.position
    with pytest.raises(Illegal) as error:
        game.apply("discard JK")
    assert error.value.clauses == ("turn.discard",)
    with pytest.raises(Illegal):
        game.apply("draw", seat="B")
    with pytest.raises(NotationError):
        game.apply("sing")
    assert game.position is before
    assert game.steps == []


def test_a_finished_deal_is_scored_and_recorded() -> None:
    game = biriba().deal(seed=7)
    play_out(game, 1)
    assert game.over
    assert game.legal() == []
    assert all(points % 5 == 0 for points in game.score().values())
    record = parse_record(biriba().ruleset, game.record())
    again = biriba().deal(deck=record.deals[0].deck, dealer=record.deals[0].dealer)
    for step in game.steps:
        again.apply(step.action)
    assert again.position == game.position
    assert again.score() == game.score()
    assert record.deals[0].scores == tuple(game.score().values())


def play_match(rules: Rules, seed: int) -> Match:
    match = rules.match(seed)
    while not match.over:
        play_out(match.deal(), seed)
    return match


def test_a_match_goes_on_until_the_rules_end_it() -> None:
    rules = variant("set target = 100")
    match = play_match(rules, 3)
    totals = match.totals
    assert max(totals.values()) > 100
    assert match.winner == max(totals, key=lambda side: totals[side])
    assert totals == {side: sum(game.score()[side] for game in match.games) for side in rules.ruleset.table.sides}
    dealers = [game.start.dealer for game in match.games]
    assert all(b == (a + 1) % 4 for a, b in pairwise(dealers))
    assert parse_record(rules.ruleset, match.record()).result is not None
    with pytest.raises(ValueError, match="the match is over"):
        match.deal()


def test_equal_seeds_give_equal_matches() -> None:
    rules = variant("set target = 0")
    assert play_match(rules, 5).record() == play_match(rules, 5).record()


def test_a_deal_must_end_before_the_next() -> None:
    match = biriba().match(1)
    match.deal()
    assert (match.over, match.winner) == (False, None)
    with pytest.raises(ValueError, match="has not ended"):
        match.deal()


@pytest.mark.parametrize(
    ("totals", "over", "winner"),
    [
        ((5000, 4000), False, None),
        ((5005, 4000), True, 0),
        ((5200, 5350), True, 1),
        ((5100, 5100), False, None),
        ((5000, 5000), False, None),
        ((-200, 4900), False, None),
    ],
)
def test_the_end_of_a_match(totals: tuple[int, int], over: bool, winner: int | None) -> None:
    table = biriba().empty_table("D")
    standing = Standing(totals, 3)
    assert bool(biriba().matches.ended_by(standing, table)) == over
    if over:
        assert biriba().matches.winner(standing, table) == winner
    assert biriba().matches.next_dealer(standing, table) == 0


def test_a_limit_of_deals_ends_a_match_without_a_winner_if_it_is_a_tie() -> None:
    rules = variant("set max_deals = 2")
    table = rules.empty_table("D")
    assert rules.matches.ended_by(Standing((10, 10), 1), table) == []
    assert rules.matches.ended_by(Standing((10, 10), 2), table) == ["match.max_deals"]
    assert rules.matches.winner(Standing((10, 10), 2), table) is None
