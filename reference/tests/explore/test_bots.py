"""Bots of one's own: they see what their seat sees, and their faults are told by file and line."""

from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import biriba
from biriba.explore.bots import Turn, read_bot
from biriba.explore.deals import Shard, play_shard, players_of
from biriba.explore.errors import ExploreError
from biriba.explore.run import Order, collect, workers
from biriba.interpreter.frame import Standing
from biriba.model.position import Meld, Position

BOTS = '''
def eager(turn):
    """The action after which its side leads by most, on one guess at the hidden cards."""
    guess = turn.guess()
    return max(turn.legal, key=lambda action: turn.lead(turn.after(guess, action)))


def last(turn):
    return turn.legal[-1]


def divides(turn):
    return turn.legal[1 // 0]


def names(turn):
    return turn.legal[0].name
'''


@pytest.fixture
def bots(tmp_path: Path) -> str:
    path = tmp_path / "mine.py"
    path.write_text(BOTS)
    return str(path)


def shard(names: str, count: int = 3, seed: str = "s") -> Shard:
    rules = biriba.load("biriba-bounded").ruleset
    players, own = players_of(names, rules)
    return Shard(pickle.dumps(rules), rules.digest, players, seed, 0, count, 5000, bots=own)


def shown(position: Position) -> Turn:
    rules = biriba.load("biriba")
    legal = tuple(rules.legal(position))
    return Turn(rules, rules.view(position, position.turn), legal, Standing((0, 0), 0), Random(3))


def test_a_bot_plays_beside_the_built_in_ones(bots: str) -> None:
    played = play_shard(shard(f"{bots}:eager,random", 6)).columns
    assert played["ended"] == [1] * 6
    ahead = [x > y for x, y in zip(played["score_X"], played["score_Y"], strict=True)]  # type: ignore[operator]
    assert sum(ahead) >= 3


def test_the_same_deals_again_and_in_other_processes(bots: str) -> None:
    first = play_shard(shard(f"{bots}:eager,{bots}:last"))
    assert play_shard(shard(f"{bots}:eager,{bots}:last")) == first
    rules = biriba.load("biriba-bounded").ruleset
    players, own = players_of(f"{bots}:eager,{bots}:last", rules)
    with workers(2, None) as place:
        assert collect(Order(rules, players, 3, "s", 5000, bots=own), place, lambda count: None) == [first]


def test_a_built_in_bot_plays_the_same_after_one_s_own_had_the_engine(bots: str) -> None:
    before = play_shard(shard("greedy,random"))
    play_shard(shard(f"{bots}:last"))
    assert play_shard(shard("greedy,random")) == before


def test_a_guess_looks_the_same_and_knows_nothing() -> None:
    rules = biriba.load("biriba")
    game = rules.deal(seed=5)
    game.apply("draw")
    position = game.position
    guess = shown(position).guess()
    view = rules.view(position, position.turn)
    assert rules.view(guess, position.turn) == view
    assert cards(guess) == cards(position)
    stock = rules.layout.zone_base["stock"]
    other = list(position.zones)
    other[stock] = tuple(reversed(position.zones[stock]))
    assert shown(replace(position, zones=tuple(other))).guess() == guess


def cards(position: Position) -> Counter[int]:
    return Counter(
        c for zone in position.zones for item in zone for c in (item.cards if isinstance(item, Meld) else (item,))
    )


@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("divides", r"mine.py:13: divides: ZeroDivisionError: integer division"),
        ("names", r"mine.py:names chose 'draw', no action of turn.legal; legal are: draw; take"),
    ],
)
def test_a_fault_of_a_bot_is_told_by_its_line(bots: str, function: str, message: str) -> None:
    with pytest.raises(ExploreError, match=message):
        play_shard(shard(f"{bots}:{function}", 1))


def test_a_bot_that_is_not_there(tmp_path: Path, bots: str) -> None:
    with pytest.raises(ExploreError, match=r"no function 'fox'; it has: eager, last, divides, names"):
        read_bot(f"{bots}:fox")
    with pytest.raises(ExploreError, match=r"nowhere.py: No such file"):
        read_bot(str(tmp_path / "nowhere.py:fox"))
    (tmp_path / "bad.py").write_text("def fox(turn:\n")
    with pytest.raises(ExploreError, match=r"bad.py:1: this is no Python"):
        read_bot(str(tmp_path / "bad.py:fox"))
    (tmp_path / "raises.py").write_text("x = 1\nimport nothing_like_it\n")
    with pytest.raises(ExploreError, match=r"raises.py:2: ModuleNotFoundError"):
        read_bot(str(tmp_path / "raises.py:fox"))
