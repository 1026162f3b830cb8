"""Many deals: the same whatever plays them, recorded honestly, broken off only when asked."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

import biriba
from biriba.engine import Engine
from biriba.explore.deals import Shard, Table, chance, columns_of, endless, play_shard, players_of
from biriba.explore.errors import ExploreError
from biriba.explore.run import Here, Order, Processes, collect, workers
from biriba.model.ruleset import Ruleset


def bounded() -> Ruleset:
    return biriba.load("biriba-bounded").ruleset


def shard(count: int = 4, players: tuple[int, ...] = (1, 0, 1, 0), first: int = 0) -> Shard:
    rules = bounded()
    return Shard(pickle.dumps(rules), rules.digest, players, "s", first, count, 5000)


def test_a_deal_follows_from_the_seed_and_its_number_alone() -> None:
    whole = play_shard(shard(4)).columns
    parts = [play_shard(shard(2)).columns, play_shard(shard(2, first=2)).columns]
    assert whole == {name: [*parts[0][name], *parts[1][name]] for name in whole}
    assert whole["chance"] == [chance("s", i) for i in range(4)]
    assert len(set(whole["actions"])) > 1


def test_a_recorded_deal_is_that_of_the_interpreter() -> None:
    rules = biriba.load("biriba-bounded")
    engine = Engine(rules.ruleset)
    table = Table(engine, (0, 1, 0, 1))
    names = [column.name for column in engine.columns]
    row = dict(zip(names, table.play(chance("x", 1), 2, 5000), strict=True))
    last = engine.position(table.state)
    assert rules.over(last)
    assert not rules.violated_invariants(last)
    score = rules.score(last)
    assert [row["score_X"], row["score_Y"]] == list(score.totals)
    assert row["points_melded_cards_X"] == sum(e.points for e in score.lines(0) if e.label == "melded cards")
    slots = rules.layout.zone_base["melds"]
    assert row["melds_run_X"] == sum(m.template == "run" for m in last.zones[slots])  # type: ignore[union-attr]
    assert row["melds_biriba_Y"] == sum(len(m.cards) >= 7 for m in last.zones[slots + 1])  # type: ignore[union-attr]
    assert row["dealer"] == 2
    assert row["ended"] == 1
    assert row["actions"] == sum(row[f"{a}_{s}"] or 0 for a in rules.ruleset.actions for s in "XY")


def test_every_column_says_what_it_means() -> None:
    engine = Engine(bounded())
    columns = columns_of(engine, matches=True)
    assert len({name for name, _ in columns}) == len(columns)
    assert all(text for _, text in columns)


def test_matches_are_played_to_their_end() -> None:
    rules = replace_target(bounded(), 500)
    played = play_shard(Shard(pickle.dumps(rules), "few", (1, 1, 1, 1), "m", 0, 2, 5000, matches=True)).columns
    assert played["match_ends"].count(1) == 2
    assert set(played["match"]) == {0, 1}
    assert played["match_winner"][-1] in (0, 1)


def replace_target(rules: Ruleset, target: int) -> Ruleset:
    parameters = {**rules.parameters, "target": replace(rules.parameters["target"], value=target)}
    return replace(rules, parameters=parameters)


def test_players_are_named_for_all_for_sides_or_for_seats() -> None:
    rules = bounded()
    assert players_of("greedy", rules)[0] == (1, 1, 1, 1)
    assert players_of("greedy,random", rules)[0] == (1, 0, 1, 0)
    assert players_of("random,random,greedy,montecarlo", rules)[0] == (0, 0, 1, 2)
    with pytest.raises(ExploreError, match="no bot 'fox'"):
        players_of("fox", rules)
    with pytest.raises(ExploreError, match="3 bots are named"):
        players_of("greedy,greedy,greedy", rules)


def test_a_rule_set_without_a_bound_is_found_out() -> None:
    assert endless(Engine(biriba.load("biriba").ruleset))
    assert not endless(Engine(bounded()))


def test_a_player_does_not_see_hidden_cards() -> None:
    """Where the hidden cards lie makes no difference to the guess that a greedy player decides on."""
    rules = biriba.load("biriba-bounded")
    engine = Engine(rules.ruleset)
    position = rules.deal(seed=5).position
    stock = rules.layout.zone_base["stock"]
    other = list(position.zones)
    other[stock] = tuple(reversed(position.zones[stock]))
    guesses = []
    for p in (position, replace(position, zones=tuple(other))):
        state, guess = engine.state(p), engine.ints(engine.module.LENGTH)
        engine.module.guess(state, guess, [7, 0, 0])
        guessed = engine.position(guess)
        view = rules.view(p, p.turn)
        hidden = set(view.hidden)
        assert [z for i, z in enumerate(guessed.zones) if i not in hidden] == [
            z for i, z in enumerate(p.zones) if i not in hidden
        ]
        assert [len(z) for z in guessed.zones] == [len(z) for z in p.zones]
        guesses.append(sorted(c for i in hidden for c in guessed.zones[i]))
    assert guesses[0] == guesses[1]


def test_processes_give_the_same_as_one() -> None:
    order = Order(bounded(), (0, 0, 0, 0), 6, "s", 5000)
    alone = collect(order, Here(), lambda count: None)
    with workers(2, None) as place:
        assert isinstance(place, Processes)
        assert collect(order, place, lambda count: None) == alone


@pytest.mark.slow
def test_each_player_beats_the_one_before() -> None:
    for players in ((1, 0, 1, 0), (2, 1, 2, 1)):
        count = 100 if 2 not in players else 6
        columns = play_shard(shard(count, players)).columns
        ahead = sum(x > y for x, y in zip(columns["score_X"], columns["score_Y"], strict=True))  # type: ignore[operator]
        assert ahead > 0.6 * count
