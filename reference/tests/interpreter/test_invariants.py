"""Invariants asked with a memory find what the plain ones find, at the same step, in sound rules and in broken ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from biriba.interpreter.evaluate import Evaluator
from biriba.interpreter.invariants import Invariants
from biriba.interpreter.rules import Rules
from biriba.language.load import compile_rules, load_ruleset
from biriba.language.source import Source
from biriba.model.position import Meld, Position
from biriba.model.ruleset import Ruleset
from tests.interpreter.tables import at
from tests.verify.mutations import MUTATIONS
from tests.verify.rules import mutated

RULE_SETS = ["biriba", "guide", "venezuelan", "classic-atout-vulnerable", "three-handed", "gin_rummy"]


def broken(name: str) -> Ruleset:
    return mutated(next(m for m in MUTATIONS if m.name == name))


def walk(rules: Rules, rng: Random, most: int) -> Iterator[tuple[Position | None, Position]]:
    """A deal at random with a liking for melds: each position with the one before."""
    position = rules.deal(seed=rng.randrange(10**6)).position
    yield None, position
    for _ in range(most):
        legal = rules.legal(position)
        if not legal:
            return
        laying = [action for action in legal if action.name in ("lay", "extend")]
        after = rules.apply(position, rng.choice(laying if laying and rng.random() < 0.8 else legal))
        yield position, after
        position = after


def compare(ruleset: Ruleset, deals: int, most: int = 250) -> set[str]:
    """The clauses that are violated in some deals, the same at each step with a memory and without."""
    rules, plain = Rules(ruleset), Invariants(Evaluator(ruleset), remember=False)
    rng, found = Random(ruleset.name), set[str]()
    for _ in range(deals):
        for before, position in walk(rules, rng, most):
            violated = rules.violated_invariants(position, before)
            assert violated == plain.violated(position, before)
            found.update(violated)
    return found


@pytest.mark.parametrize(
    ("mutation", "clause"),
    [
        ("a second wild", "meld.one_wild"),
        ("melds of two", "cards.meld_kinds"),
        ("the others' melds", "meld.permanent"),
    ],
)
def test_broken_rules_are_found_at_the_same_step(mutation: str, clause: str) -> None:
    assert clause in compare(broken(mutation), 2, 120)


@pytest.mark.slow
@pytest.mark.parametrize("mutation", [m.name for m in MUTATIONS])
def test_all_broken_rules(mutation: str) -> None:
    compare(broken(mutation), 4)


def spoiled(rules: Rules, position: Position, rng: Random) -> Position:
    """A position in which one thing has become something else."""
    zones, states = list(position.zones), list(position.states)
    if states and rng.random() < 0.3:
        slot = rng.randrange(len(states))
        same = [i for i, (name, _) in enumerate(rules.layout.state_slots) if name == rules.layout.state_slots[slot][0]]
        states[slot] = states[rng.choice(same)]
        return replace(position, states=tuple(states), turn=rng.randrange(len(rules.ruleset.table.seats)))
    slot = rng.choice([i for i, zone in enumerate(zones) if zone])
    place, other = rng.randrange(len(zones[slot])), rng.randrange(len(rules.ruleset.cards.faces))
    changed = list(zones[slot])
    item = changed[place]
    if isinstance(item, Meld):
        cards = list(item.cards)
        cards[rng.randrange(len(cards))] = other
        changed[place] = item._replace(cards=tuple(cards))
    else:
        changed[place] = other
    zones[slot] = tuple(changed)  # type: ignore[assignment]  # melds stay melds, cards cards
    return replace(position, zones=tuple(zones))


@pytest.mark.parametrize("name", RULE_SETS)
def test_spoiled_positions(name: str) -> None:
    ruleset = load_ruleset(name)
    rules, plain, rng = Rules(ruleset), Invariants(Evaluator(ruleset), remember=False), Random(name)
    found = set[str]()
    for before, position in walk(rules, rng, 80):
        worse = spoiled(rules, position, rng)
        for asked in (position, worse):
            violated = rules.violated_invariants(asked, before)
            assert violated == plain.violated(asked, before)
            found.update(violated)
    assert found


def test_a_value_is_asked_again_when_something_else_that_counts_has_changed() -> None:
    """The same meld, under another bonus suit: what it earns depends on both."""
    text = """ruleset dear "A limit on what melds earn" extends biriba-bonus-suit
  version "1"

clause house.modest
  "No meld earns more than 200."
  because "to see an invariant fail"
  invariant every side p: every m in melds[p]: points(m) <= 200
"""
    rules = Rules(compile_rules(Source("dear.rules", text))[0])
    run = "melds X [3H 4H 5H 6H 7H 8H 9H]; turn A play"
    for suit, violated in (("S", False), ("H", True), ("S", False), ("H", True)):
        position = at(f"bonus {suit}; {run}", rules)
        assert ("house.modest" in rules.violated_invariants(position)) is violated


def test_what_is_seldom_asked_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("biriba.interpreter.invariants.REMEMBERED", 2)
    assert "meld.one_wild" in compare(broken("a second wild"), 1, 120)
