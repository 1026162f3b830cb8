"""Deadwood: the least that is left of a hand when melds are made, against a search that knows no short cut."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

import biriba
from biriba.interpreter.rules import Rules
from biriba.language.diagnostics import RulesError
from biriba.language.load import compile_rules
from biriba.language.source import Source


def by_subsets(rules: Rules, cards: tuple[int, ...], aside: int) -> int:
    """The deadwood by all sets of cards that can be parted into lawful melds."""
    every = range(len(cards))
    melds = [
        chosen
        for n in range(3, len(cards) + 1)
        for chosen in map(frozenset, combinations(every, n))
        if any(rules.meld_layouts([cards[i] for i in chosen]))
    ]
    made = {frozenset[int]()}
    for meld in melds:
        made |= {other | meld for other in made if not other & meld}
    left = [sorted(rules.ruleset.cards.faces[cards[i]].value for i in every if i not in m) for m in made]
    return min(sum(values[: len(values) - aside]) for values in left if len(values) >= aside)


@pytest.mark.parametrize(("name", "size"), [("gin_rummy", 9), ("biriba", 7), ("venezuelan", 7)])
@pytest.mark.parametrize("aside", [0, 1, 2])
def test_deadwood_is_the_least_that_can_be_left(name: str, size: int, aside: int) -> None:
    rules, rng = biriba.load(name), Random(name)
    faces = rules.ruleset.cards.faces
    below = 0
    for _ in range(60):
        # Cards of few ranks and suits, so that there are melds.
        ranks = rng.sample(range(13), 4)
        near = [f.index for f in faces for _ in range(f.copies) if f.rank in ranks or f.suit == 0 or f.rank is None]
        cards = tuple(sorted(rng.sample(near, size)))
        expected = by_subsets(rules, cards, aside)
        assert rules.deadwood(cards, aside) == expected, cards
        below += expected < sum(sorted(faces[c].value for c in cards)[: size - aside])
    assert below > 20


def test_few_cards() -> None:
    deadwood = biriba.load("gin_rummy").deadwood
    assert deadwood((), 0) == 0
    assert deadwood((12,), 1) == 0
    assert deadwood((12,), 3) == 0
    assert deadwood((0, 1, 2), 0) == 0
    # A card that is set aside is in no meld.
    assert deadwood((0, 1, 2), 1) == 3


def test_a_number_below_zero_is_refused() -> None:
    text = 'ruleset x "X" extends gin_rummy\n  version "1"\n\nclause x.y\n  "Y."\n  because "a test"\n'
    with pytest.raises(RulesError) as caught:
        compile_rules(Source("x.rules", f"{text}  define z(n: number) = deadwood(hand[me], n)\n"))
    assert "this may be a number below zero" in str(caught.value)
