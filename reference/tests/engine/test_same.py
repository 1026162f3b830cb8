"""The engine is the interpreter, faster: both are walked side by side."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import biriba
from biriba.engine import Engine, EngineError
from biriba.interpreter.rules import Rules
from biriba.language.load import available
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
        except (AssertionError, IndexError, ValueError, TypeError):
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
    from biriba.model.position import Action, Meld

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
