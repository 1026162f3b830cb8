"""Cards and melds as text."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given

from biriba.model.position import Meld
from biriba.model.ruleset import Ruleset
from biriba.notation import (
    NotationError,
    format_card,
    format_cards,
    format_meld,
    layouts,
    parse_card,
    parse_cards,
    parse_meld,
    parse_meld_text,
    readings,
)
from biriba.notation.vocabulary import vocabulary
from tests.notation.games import biriba, dice, games, lanterns, random_meld, whole_deck


def told(rules: Ruleset, text: str) -> tuple[str, str | None, int | None, str]:
    """Template, key, lowest place and cards of the meld that a text means."""
    meld = parse_meld(rules, text)
    key_type = vocabulary(rules).key_type(meld.template)
    names = {} if key_type is None else {value: word for word, value in vocabulary(rules).names(key_type).items()}
    return meld.template, names.get(meld.key), meld.low, format_cards(rules, meld.cards)


def test_cards() -> None:
    rules = biriba()
    assert [format_card(rules, face.index) for face in rules.cards.faces] == [f.symbol for f in rules.cards.faces]
    assert all(parse_card(rules, f" {face.symbol} ") == face.index for face in rules.cards.faces)
    assert format_cards(rules, parse_cards(rules, "9H\tJK  2C")) == "9H JK 2C"
    assert parse_cards(rules, "  ") == ()


@pytest.mark.parametrize(
    ("text", "column", "hint"),
    [("9X", 1, None), ("jk", 1, "did you mean 'JK'?"), ("9H 10H", 4, None), ("", 1, None), ("9H JK 3h", 7, "'3H'")],
)
def test_no_card(text: str, column: int, hint: str | None) -> None:
    read = parse_card if " " not in text else parse_cards
    with pytest.raises(NotationError, match="there is no card") as caught:
        read(biriba(), text)
    assert caught.value.column == column
    assert hint is None or hint in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("text", "meld"),
    [
        ("4H JK 6H", ("run", "H", 4, "4H JK 6H")),
        ("AH 2H 3H", ("run", "H", 1, "AH 2H 3H")),
        ("QH KH AH", ("run", "H", 12, "QH KH AH")),
        ("2H KH AH", ("run", "H", 12, "2H KH AH")),
        ("2H JK 4H", ("run", "H", 2, "2H JK 4H")),  # one substitute; as a set of fours there were two
        ("2H 2H 4H", ("run", "H", 2, "2H 2H 4H")),
        ("JK 9S 9H 9H", ("set", "9", None, "9H 9H 9S JK")),
        ("2H 2S 2D", ("set", "2", None, "2H 2S 2D")),
        ("run 2H 2H 2H @2", ("run", "H", 2, "2H 2H 2H")),
        ("2H 2H 2H @2", ("run", "H", 2, "2H 2H 2H")),
        ("run of S JK JK JK @4", ("run", "S", 4, "JK JK JK")),
        ("run 4H JK JK", ("run", "H", 4, "4H JK JK")),
        ("set of K JK JK", ("set", "K", None, "JK JK")),
    ],
)
def test_what_a_text_means(text: str, meld: tuple[str, str | None, int | None, str]) -> None:
    assert told(biriba(), text) == meld


def test_other_words() -> None:
    rules = lanterns()
    assert told(rules, "1R 2R LAMP") == ("ladder", "R", 1, "1R 2R LAMP")
    assert told(rules, "5R 1R") == ("ladder", "R", 5, "5R 1R")
    assert told(rules, "LAMP LAMP") == ("lamps", None, None, "LAMP LAMP")
    with pytest.raises(NotationError, match="a lamps has no suit or rank of its own"):
        parse_meld(rules, "lamps of R LAMP")


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("JK JK JK", "may lie in 61 ways", "run of H JK JK JK @1"),
        ("run 2H 2H 2H", "may lie in 2 ways", "'2H 2H 2H @1', '2H 2H 2H @2'"),
        ("4H JK JK", "may lie in 2 ways", "'run 4H JK JK', 'set 4H JK JK'"),
        ("KH AH 2H", "are no run and no set", "low to high"),
        ("run KH AH 2H", "do not lie as a run", "low to high"),
        ("3H 4H 5H @4", "are no run and no set", "low to high"),
        ("rnu 3H 4H 5H", "neither a card nor a kind of meld", "did you mean 'run'?"),
        ("run of X 3H", "there is no suit 'X'", "H, S, D, C"),
        ("set of H 3H", "there is no rank 'H'", "2, 3, 4"),
        ("set 9H 9S 9D @3", "a set has no places", ""),
        ("run", "a meld needs cards", ""),
        ("run of", "expected a card, name or number, found the end", ""),
        ("3H 4H @99999999999", "too large", ""),
        ("", "found the end", ""),
        ("3H, 4H", "',' cannot stand here", ""),
        ("3H 4H 9Z", "there is no card '9Z'", ""),
    ],
)
def test_what_no_meld_is(text: str, message: str, hint: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_meld(biriba(), text)
    assert message in str(caught.value)
    assert hint in (caught.value.hint or "")


def test_an_error_shows_the_text_with_a_caret() -> None:
    with pytest.raises(NotationError) as caught:
        parse_meld(biriba(), "3H 4h 5H")
    lines = ["there is no card '4h' (column 4)", "  3H 4h 5H", "     ^", "hint: did you mean '4H'?"]
    assert str(caught.value).splitlines() == lines


def test_all_layouts_of_a_text() -> None:
    rules = biriba()
    stated = parse_meld_text(rules, "4H JK JK")
    assert [meld.template for meld in layouts(rules, stated)] == ["run", "set"]
    assert layouts(rules, stated) == readings(rules, stated)
    both = layouts(rules, parse_meld_text(rules, "2H JK 4H"))
    assert [meld.template for meld in both] == ["run", "set"]
    assert readings(rules, parse_meld_text(rules, "2H JK 4H")) == both[:1]
    assert layouts(rules, parse_meld_text(rules, "KH AH 2H")) == ()


@given(game=games, rng=dice)
def test_a_meld_has_one_text_and_the_text_means_it(game: Callable[[], Ruleset], rng: Random) -> None:
    rules = game()
    meld = random_meld(rules, rng, whole_deck(rules))
    if meld is not None:
        assert parse_meld(rules, format_meld(rules, meld)) == meld


@given(rng=dice)
def test_few_substitutes_need_no_more_words_than_the_cards(rng: Random) -> None:
    rules = biriba()
    meld = random_meld(rules, rng, whole_deck(rules))
    shapes = vocabulary(rules).shapes
    if meld is not None and len(meld.cards) >= 3 and shapes.substitutes(meld) <= 1:
        assert format_meld(rules, meld) == format_cards(rules, meld.cards)


@given(rng=dice)
def test_a_group_may_be_written_in_any_order(rng: Random) -> None:
    rules = biriba()
    meld = random_meld(rules, rng, whole_deck(rules))
    if meld is not None and meld.low is None and meld == parse_meld(rules, format_meld(rules, meld)):
        cards = rng.sample(meld.cards, len(meld.cards))
        words = vocabulary(rules).rules.cards.ranks[meld.key or 0].symbol
        assert parse_meld(rules, f"set of {words} {format_cards(rules, cards)}") == meld


def test_cards_that_fit_nothing_can_still_be_written() -> None:
    rules = biriba()
    cards = parse_cards(rules, "KH AH 2H")
    assert format_meld(rules, Meld("", None, None, cards)) == "KH AH 2H"
    assert format_meld(rules, Meld("run", None, None, cards)) == "run KH AH 2H"
