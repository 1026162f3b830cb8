"""The engine is the interpreter, faster: both are walked side by side."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import biriba
from biriba.engine import Engine, EngineError
from biriba.interpreter.rules import Rules
from biriba.language.load import available
from biriba.model.position import Action, Growth
from biriba.scenario.perft import perft

from .walks import compare, mutant


@pytest.mark.parametrize("name", sorted(available()))
def test_every_rule_set_plays_alike(name: str) -> None:
    rules = biriba.load(name)
    engine = Engine(rules.ruleset)
    assert sum(compare(rules, engine, seed, 150) for seed in range(2)) > 10


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(available()))
def test_thousands_of_games_are_alike(name: str) -> None:
    rules = biriba.load(name)
    engine = Engine(rules.ruleset)
    for seed in range(1000, 1200):
        compare(rules, engine, seed)


@pytest.mark.parametrize("name", ["biriba-bounded", "classic", "venezuelan", "guide"])
def test_mutants_play_alike(name: str) -> None:
    assert _mutants(name, range(12)) >= 5


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(available()))
def test_many_mutants_play_alike(name: str) -> None:
    assert _mutants(name, range(200)) > 50


def _mutants(name: str, seeds: range) -> int:
    """Compare mutants; returns how many could be played. Some break the interpreter: they are no rules of a game."""
    played = 0
    original = biriba.load(name).ruleset
    for seed in seeds:
        changed = mutant(original, seed)
        rules = Rules(changed)
        try:
            _play(rules, seed)
        except (AssertionError, AttributeError, IndexError, ValueError, TypeError):
            continue
        compare(rules, Engine(changed), seed, 120)
        played += 1
    return played


def _play(rules: Rules, seed: int) -> None:
    rng = Random(seed)
    position = rules.deal(seed=seed).position
    for _ in range(120):
        legal = rules.legal(position)
        if not legal:
            break
        position = rules.apply(position, rng.choice(legal))


@pytest.mark.parametrize("name", ["biriba", "guide", "venezuelan", "classic-atout-vulnerable"])
def test_perft_counts_are_equal(name: str) -> None:
    rules = biriba.load(name)
    engine = Engine(rules.ruleset)
    for seed in (1, 2):
        position = rules.deal(seed=seed).position
        for depth in range(4 if name == "biriba" else 3):
            assert engine.perft(engine.state(position), depth) == perft(rules, position, depth)


def test_laws_on_single_cards_of_a_meld(tmp_path: Path) -> None:
    """A law that asks for copies looks at more than the head of a meld."""
    path = tmp_path / "jokerless.rules"
    law = "every meld m: copies(JK, m) = 0 and copies(9H, m) <= 1"
    path.write_text(
        f'ruleset jokerless "No jokers in melds" extends biriba\n\nclause house.law\n  "So."\n  because "so"\n  {law}\n'
    )
    rules = biriba.load(str(path))
    assert sum(compare(rules, Engine(rules.ruleset), seed, 150) for seed in range(2)) > 10


def test_a_card_is_moved_after_others_have_come_to_it(tmp_path: Path) -> None:
    path = tmp_path / "swap.rules"
    path.write_text(
        'ruleset swap "Swap" extends biriba\n\nclause swap.top\n  "A card for the top one."\n  because "so"\n'
        "  state swapped: yes/no = no\n  action swap(c: card in hand[me]) in start\n"
        "    move top of discard to hand[me]\n    move c from hand[me] to discard\n    swapped := yes\n"
        "  on swap require discard is not empty and not swapped\n  on draw, take, pass then swapped := no\n"
    )
    rules = biriba.load(str(path))
    assert sum(compare(rules, Engine(rules.ruleset), seed, 150) for seed in range(2)) > 100


def test_a_game_is_replayed_until_an_action_is_forbidden() -> None:
    rules = biriba.load("biriba-bounded")
    engine = Engine(rules.ruleset)
    played, position = [], rules.deal(seed=3).position
    rng = Random(3)
    for _ in range(60):
        played.append(rng.choice(rules.legal(position)))
        position = rules.apply(position, played[-1])
    state = engine.state(rules.deal(seed=3).position)
    engine.replay(state, played)
    assert engine.position(state) == position
    again = engine.state(rules.deal(seed=3).position)
    with pytest.raises(EngineError, match=r"action 2, draw, is forbidden by turn\.draw"):
        engine.replay(again, [Action("draw"), Action("draw")])


def test_a_growth_that_is_not_lawful_is_left_to_the_interpreter() -> None:
    rules = biriba.load("biriba-bounded")
    engine = Engine(rules.ruleset)
    rng, position = Random(4), rules.deal(seed=4).position
    while "extend" not in {action.name for action in rules.legal(position)}:
        position = rules.apply(position, rng.choice(rules.legal(position)))
    lawful = next(action for action in rules.legal(position) if action.name == "extend")
    laid, growth = lawful.args
    assert isinstance(growth, Growth)
    nowhere = growth._replace(end="low" if growth.end is None else None)
    with pytest.raises(EngineError, match="ask the interpreter"):
        engine.rejected(engine.state(position), engine.pack(Action("extend", (laid, nowhere))))


def test_playouts_end_and_conserve_cards() -> None:
    rules = biriba.load("biriba-bounded")
    engine = Engine(rules.ruleset)
    random = [1, 0, 0]
    for seed in range(20):
        state = engine.deal(rules.shuffled(seed), 0)
        steps = engine.playout(state, random, 10_000)
        assert 0 < steps < 10_000
        assert engine.over(state)
        assert not rules.violated_invariants(engine.position(state))
    assert random[1] < random[2]


def test_a_meld_that_cannot_be_is_refused() -> None:
    rules = biriba.load("biriba")
    engine = Engine(rules.ruleset)
    from biriba.model.position import Meld

    with pytest.raises(EngineError, match="do not make a run"):
        engine.pack(Action("lay", (Meld("run", 0, 1, (30, 31, 32)),)))
    with pytest.raises(EngineError, match="no action"):
        engine.pack(Action("fold"))


def test_the_source_is_stable_and_names_the_clauses() -> None:
    rules = biriba.load("biriba").ruleset
    source = Engine(rules).source
    assert source == Engine(rules).source
    for clause in ("turn.can_finish", "packet.take", "discard.not_what_you_took"):
        assert clause in source
