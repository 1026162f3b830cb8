"""Each clause in which a rule set differs from its parent is told by words alone, or a vector shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache

import pytest

from biriba.data import conformance_dir
from biriba.interpreter.rules import Rules
from biriba.language.load import available
from biriba.model.ruleset import Ruleset
from biriba.scenario import run
from biriba.scenario.rulesets import load_named
from biriba.scenario.scenario import Scenario
from biriba.scenario.vectors import load_vector
from biriba.variants.difference import DROPPED, WORDS, ClauseDifference, Difference, difference
from biriba.variants.hybrid import hybrid, together

CHILDREN = sorted(name for name in available() if load_named(name).ruleset.parents)

WORDS_ONLY = {
    "biriba-bonus-suit": {"score.no_colour"},
    "classic": {
        "deal.shuffle",
        "deal.packets",
        "match.first_dealer",
        "close.by_discard",
        "score.no_packet",
        "score.full_run",
    },
    "classic-atout": {"score.no_colour"},
    "classic-atout-vulnerable": {"score.no_colour"},
    "guide": {"turn.pass", "turn.passes_run_out", "score.no_floor"},
    "venezuelan": {"deal.packets", "match.first_dealer", "run.max_size", "turn.passes_run_out", "score.no_packet"},
    "venezuelan-2": {"deal.first_player"},
}
"""By rule set, the clauses that it says in other words than its parent, and that mean the same."""

SAME_PLAY = {
    "close.both_kinds": "a fact about parameters",
    "deal.first_player": "after the cut another clause says whose turn it is",
    "deal.rest": "it states what follows from the deal",
    "deal.shuffle": "who cuts a shuffled pack makes no difference to the deck",
    "cards.meld_kinds": "it states what follows from the laws of melds",
    "deck.same_face": "a fact about the deck",
    "deck.third_pack": "a fact about the deck",
    "entry.order": "a fact about parameters",
    "meld.dirt_stays": "it follows from other clauses",
    "meld.permanent": "it states what always holds",
    "score.greatest_bonus": "it states what follows from the bonuses",
    "packet.after_biriba": "it states what follows from who takes a packet",
    "packet.right": "what it defines is asked by packet.take, which differs as well",
}
"""The clauses without which some rule set is played in the same way; the vectors that cite them show what they say."""


@cache
def vectors() -> dict[tuple[str, str], list[Scenario]]:
    """All vectors by rule set and clause."""
    found: dict[tuple[str, str], list[Scenario]] = {}
    for folder in ("vectors", "variants"):
        for path in sorted((conformance_dir() / folder).rglob("*.json")):
            scenario = load_vector(path)
            for name, _ in scenario.rulesets:
                for clause in scenario.clauses:
                    found.setdefault((name, clause), []).append(scenario)
    return found


@cache
def from_parent(name: str) -> Difference:
    rules = load_named(name)
    return difference(load_named(rules.ruleset.parents[0]), rules)


def parts(value: object, clause: str) -> Iterator[object]:
    """What a clause declares in a rule set, without its words: whatever in the model names it as its origin."""
    if isinstance(value, tuple):
        items: Iterator[object] = iter(value)
    elif hasattr(value, "values"):
        items = iter(value.values())
    elif is_dataclass(value):
        if getattr(value, "clause", None) == clause:
            yield value
            return
        items = (getattr(value, field.name) for field in fields(value))
    else:
        return
    for item in items:
        yield from parts(item, clause)


def meant(rules: Ruleset, clause: str) -> list[object]:
    found = [parts(getattr(rules, field.name), clause) for field in fields(rules) if field.name != "clauses"]
    return [part for some in found for part in some]


@pytest.mark.parametrize("name", CHILDREN)
def test_what_differs_in_words_alone_means_the_same(name: str) -> None:
    found = from_parent(name)
    words = {change.clause for change in found.clauses if change.kind == WORDS}
    assert words == WORDS_ONLY.get(name, set())
    for clause in words:
        assert meant(found.old, clause) == meant(found.new, clause), clause


@pytest.mark.parametrize("name", CHILDREN)
def test_every_other_difference_has_a_vector(name: str) -> None:
    changes = [change for change in from_parent(name).clauses if change.kind not in (WORDS, DROPPED)]
    assert not [change.clause for change in changes if not vectors().get((name, change.clause))]


@pytest.mark.parametrize("name", CHILDREN)
def test_what_a_vector_of_the_parent_says_of_a_dropped_clause_holds_no_more(name: str) -> None:
    rules = load_named(name)
    for change in from_parent(name).clauses:
        if change.kind == DROPPED:
            cited = vectors()[rules.ruleset.parents[0], change.clause]
            assert any(not run(scenario, rules).passed for scenario in cited), change.clause


@pytest.mark.slow
@pytest.mark.parametrize("name", CHILDREN)
def test_a_vector_tells_the_rule_set_from_one_without_the_difference(name: str) -> None:
    found = from_parent(name)
    changes = [change for change in found.clauses if change.kind not in (WORDS, DROPPED)]
    silent = {change.clause for change in changes if not told(name, found, change)}
    assert silent <= SAME_PLAY.keys()


def told(name: str, found: Difference, change: ClauseDifference) -> bool:
    """Whether a vector of the clause fails when the clause is as in the parent, alone or with what hangs on it."""
    for clauses, parameters in (({change.clause}, set(change.parameters)), together(found, change)):
        try:
            other = Rules(hybrid(found.new, found.old, clauses, parameters))
            if any(not run(scenario, other).passed for scenario in vectors()[name, change.clause]):
                return True
        except (KeyError, AssertionError, IndexError, TypeError, AttributeError, ValueError, StopIteration):
            continue  # without the clause the rules make no whole
    return False
