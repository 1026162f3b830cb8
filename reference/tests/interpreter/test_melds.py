"""Templates and laws: which cards make melds, how they lie, and how they grow."""

from __future__ import annotations

from itertools import combinations, permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biriba.interpreter.rules import Rules
from biriba.model.position import Meld
from biriba.model.shapes import Shapes
from tests.interpreter.tables import biriba, card, cards, meld, texts, variant


def broken(text: str) -> list[str]:
    """The clauses that a stated meld breaks."""
    return [rejection.clause for rejection in biriba().judge_meld(meld(text)).rejections]


@pytest.mark.parametrize(
    "text",
    [
        "9H 9H 9S",
        "9H 9S JK",
        "AH 2H 3H",
        "QH KH AH",
        "2H KH AH",
        "2H 2H 4H",
        "2H JK 4H",
        "4H JK 6H",
        "4H 5H JK",
        "JK 4H 5H",
        "JK KH AH",
        "AH JK 3H",
        "QH KH JK",
        "5C 6C 7C 8C 9C TC JC",
        "4H 2S 6H",
        "4D 2C 6D",
        "KH KC 2D",
        "TH JK QH",
        "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH",
        "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH",
        "9H 9H 9S 9S 9D 9D 9C 9C JK",
    ],
)
def test_lawful_melds(text: str) -> None:
    assert broken(text) == []


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("set 9H 2S JK", "meld.one_wild"),
        ("set of 2 2H 2S 2D", "set.no_twos"),
        ("run of H 2S JK 4H", "meld.one_wild"),
        ("4H 5H", "meld.min_size"),
        ("AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH", "run.max_size"),
        ("4H 2S 6H 2C", "meld.one_wild"),
        ("9H 9H 9H", "deck.cards"),
    ],
)
def test_unlawful_melds(text: str, clause: str) -> None:
    assert broken(text) == [clause]


@pytest.mark.parametrize(
    ("text", "layouts"),
    [
        ("KH AH 2H", ["2H KH AH"]),
        ("AH 2H 4H JK 5H", ["AH 2H JK 4H 5H"]),
        ("2H 3H 4H", ["2H 3H 4H", "3H 4H 2H"]),
        ("4H 5H JK", ["JK 4H 5H", "4H 5H JK"]),
        ("5H 5H 6H 8H", []),
        ("5H 5H 6H JK 8H", []),
        ("JK JK JK", []),
        ("KC KD AD", []),
        ("7H 7D 7C 8H", []),
        ("AH AH QH KH", []),
        ("9S 9H 9H", ["9H 9H 9S"]),
        ("9H 9H 9H", []),
        ("", []),
    ],
)
def test_layouts_of_cards_in_any_order(text: str, layouts: list[str]) -> None:
    for order in permutations(cards(text)):
        assert texts(biriba().meld_layouts(order)) == layouts


def test_a_wild_may_stand_at_every_place_of_a_run() -> None:
    for length in range(4, 14):
        natural = cards("AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH")[:length]
        for place in range(length):
            stated = Meld("run", 0, 1, (*natural[:place], card("JK"), *natural[place + 1 :]))
            verdict = biriba().judge_meld(stated)
            assert verdict.lawful
            assert verdict.properties["clean"] is False
            assert stated in biriba().meld_layouts(stated.cards)


@pytest.mark.parametrize(
    ("text", "value", "bonus", "clean"),
    [
        ("3H 4H 5H 6H 7H 8H 9H", 45, 200, True),
        ("3H 4H 5H 6H JK 8H 9H", 60, 100, False),
        ("3H 4H 5H 6H 7H 8H", 35, 0, True),
        ("AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH", 110, 1000, True),
        ("AH 2H 3H 4H JK 6H 7H 8H 9H TH JH QH KH", 125, 500, False),
        ("AH 2H 3H 4H 2S 6H 7H 8H 9H TH JH QH KH", 115, 500, False),
        ("9H 9H 9S 9S 9D 9D 9C", 70, 300, True),
        ("9H 9H 9S 9S 9D 9C JK", 80, 150, False),
        ("AH AH AS AS AD AD AC AC JK", 140, 150, False),
        ("JK 2H 3H 4H 5H 6H 7H", 55, 100, False),
    ],
)
def test_value_bonus_and_cleanness(text: str, value: int, bonus: int, clean: bool) -> None:
    verdict = biriba().judge_meld(meld(text))
    assert (verdict.value, verdict.bonus, verdict.properties["clean"]) == (value, bonus, clean)


def growths(text: str, by: str) -> list[str]:
    melds = biriba()._evaluator.melds
    return texts([growth.result for growth in melds.growths_from(meld(text), cards(by))])


@pytest.mark.parametrize(
    ("text", "by", "results"),
    [
        ("3H 4H 2H 6H 7H 8H", "5H", ["2H 3H 4H 5H 6H 7H 8H", "3H 4H 5H 6H 7H 8H 2H"]),
        ("AH JK 3H", "2H", ["AH 2H 3H JK"]),
        ("QH JK AH", "KH", ["JK QH KH AH"]),
        ("AH 2H 3H 4H JK 6H 7H 8H 9H TH JH QH KH", "5H", []),
        ("AH 2H 3H 4H JK 6H 7H 8H 9H TH JH QH", "5H", ["AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH JK"]),
        ("3H 4H 2H 6H", "JK", []),
        ("4H 5H 6H JK", "2S", []),
        ("4H 5H JK", "7H", ["4H 5H JK 7H"]),
        ("4H JK 6H", "7H", ["4H JK 6H 7H"]),
        ("5H 6H 7H", "2H", ["2H 5H 6H 7H", "5H 6H 7H 2H"]),
        ("4H 5H 6H 2H", "3H", ["3H 4H 5H 6H 2H"]),
        ("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH", "AH",
         ["AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH", "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"]),
        ("9H 9H 9S 9S 9D 9D 9C", "9C", ["9H 9H 9S 9S 9D 9D 9C 9C"]),
        ("9H 9S JK", "9H JK 2S", ["9H 9H 9S JK"]),
    ],
)  # fmt: skip
def test_growths(text: str, by: str, results: list[str]) -> None:
    assert sorted(growths(text, by)) == sorted(results)


def test_room_counts_copies_that_can_follow_one_another() -> None:
    melds = biriba()._evaluator.melds
    assert melds.room(meld("9H 9S 9D"), card("9C")) == 2
    assert melds.room(meld("3H 4H 5H"), card("6H")) == 1
    assert melds.room(meld("3H 4H 5H"), card("JK")) == 1
    assert melds.room(meld("3H 4H 5H"), card("2H")) == 2, "one stands for a card, the other in its own place"
    assert melds.room(meld("3H 4H JK"), card("2S")) == 0


def test_grown_are_the_melds_on_the_way() -> None:
    melds = biriba()._evaluator.melds
    assert texts(melds.grown(meld("9H 9S 9D"), card("9C"), 1)) == ["9H 9S 9D 9C"]
    assert texts(melds.grown(meld("9H 9S 9D"), card("9C"), 5)) == ["9H 9S 9D 9C", "9H 9S 9D 9C 9C"]
    assert melds.grown(meld("9H 9S 9D"), card("9C"), 0) == ()


# ---------------------------------------------------------------- against trying everything


def by_trying(rules: Rules, hand: tuple[int, ...]) -> set[Meld]:
    """All lawful melds of some of the cards, found by trying every order of every part of the hand."""
    shapes = Shapes(rules.ruleset)
    parts = {part for n in range(1, len(hand) + 1) for part in combinations(sorted(hand), n)}
    orders = {order for part in parts for order in permutations(part)}
    return {m for order in orders for m in shapes.layouts(order) if rules.lawful(m)}


NO_LIMIT = variant('drop clause meld.one_wild because "to search without a bound"')
MORE_NATURALS = variant(
    "replace clause meld.one_wild",
    '  "Naturals outnumber substitutes, and nothing else limits those."',
    '  because "a law that bounds nothing by itself"',
    "  every meld m: naturals(m) > substitutes(m)",
)
SHORT = variant("set max_run = 4", "set min_meld = 2", "set max_wilds = 2", "set sets_of_twos = yes")


@pytest.mark.parametrize(
    "rules", [biriba(), NO_LIMIT, MORE_NATURALS, SHORT], ids=["biriba", "free", "naturals", "short"]
)
@settings(max_examples=8)
@given(seed=st.integers(0, 10**6))
def test_every_lawful_meld_of_a_hand_is_found_once(rules: Rules, seed: int) -> None:
    rng = Random(seed)
    pool = cards("AH 2H 2H 3H 4H KH QH 2S 3S 3D JK JK")
    hand = tuple(sorted(rng.sample(pool, 5)))
    found = rules.melds_among(hand)
    assert len(found) == len(set(found))
    assert set(found) == by_trying(rules, hand)
    order = {key: i for i, key in enumerate(rules._evaluator.melds.templates.shapes)}
    assert found == sorted(found, key=lambda m: (order[m.template, m.key], m.low or 0, m.cards))


@settings(max_examples=20)
@given(seed=st.integers(0, 10**6))
def test_layouts_are_the_melds_with_all_the_cards(seed: int) -> None:
    hand = tuple(sorted(Random(seed).sample(cards("AH 2H 2H 3H 4H 5H KH QH 2S 3S 3D JK JK"), 4)))
    found = biriba().meld_layouts(hand)
    assert set(found) == {m for m in biriba().melds_among(hand) if len(m.cards) == 4}
    everything = set(biriba()._evaluator.melds.layouts(hand, lawful=False))
    shapes = Shapes(biriba().ruleset)
    assert everything == {m for order in permutations(hand) for m in shapes.layouts(order)}
