"""Positions as text: canonical, whole or partial."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given

from biriba.model.position import Layout, Meld
from biriba.model.ruleset import Ruleset
from biriba.notation import (
    NotationError,
    format_cards,
    format_meld,
    format_position,
    parse_cards,
    parse_fields,
    parse_given,
    parse_position,
    position_from_json,
    position_hash,
    position_to_json,
)
from biriba.notation.positions import cards_in, format_zone
from biriba.notation.vocabulary import vocabulary
from tests.notation.games import biriba, dice, games, random_position, whole_deck


def dealt_sizes() -> list[int]:
    """How many cards lie in each zone of Biriba after the deal."""
    sizes = {"stock": 41, "discard": 1, "hand": 11, "packet": 11, "melds": 0}
    return [sizes[name] for name, _ in Layout(biriba()).zone_slots]


def completed(text: str) -> dict[str, str]:
    """The zones of the position that a partial one stands for, by name."""
    rules = biriba()
    position = parse_given(rules, text, dealt_sizes())
    assert parse_position(rules, format_position(rules, position)) == position
    return {vocabulary(rules).zone_name(slot): format_zone(rules, zone) for slot, zone in enumerate(position.zones)}


def size(cards: str) -> int:
    return 0 if cards == "empty" else len(cards.split())


@given(game=games, rng=dice)
def test_position_text_and_json_lose_nothing(game: Callable[[], Ruleset], rng: Random) -> None:
    rules = game()
    position = random_position(rules, rng)
    text = format_position(rules, position)
    assert parse_position(rules, text) == position
    assert position_from_json(rules, position_to_json(rules, position)) == position
    assert position_hash(rules, position) == position_hash(rules, parse_position(rules, text))


@given(game=games, rng=dice)
def test_however_it_is_written_a_position_has_one_canonical_text(game: Callable[[], Ruleset], rng: Random) -> None:
    rules = game()
    position = random_position(rules, rng)
    words = vocabulary(rules)
    fields = [
        f"turn {rules.table.seats[position.turn]} {position.phase}",
        f"dealer {rules.table.seats[position.dealer]}",
    ]
    for slot, zone in enumerate(position.zones):
        items = list(zone)
        if words.zone_of[slot].kind == "hand":
            rng.shuffle(items)
        melds = [f"[ {format_meld(rules, item)} ]" for item in items if isinstance(item, Meld)]
        cards = format_cards(rules, [item for item in items if isinstance(item, int)])
        fields.append(f"{words.zone_name(slot)}  {' '.join(melds) or cards or 'empty'}")
    canonical = format_position(rules, position).split("; ")
    fields += [field for field in canonical if field.split()[0] in rules.states]
    rng.shuffle(fields)
    separator = rng.choice(["; ", "\n", " ;\r\n", ";;"])
    assert format_position(rules, parse_position(rules, separator.join(fields) + separator)) == "; ".join(canonical)


def test_the_canonical_text() -> None:
    rules = biriba()
    left = whole_deck(rules)
    for card in parse_cards(rules, "9H 4C KS QS 3H JK 5H"):
        left.remove(card)
    text = (
        f"turn B play; dealer D; stock {format_cards(rules, left)}; discard 9H 4C; hand A QS KS; "
        "melds Y [3H JK 5H]; passes 2; barred 9H; closer X; taken Y yes; idle C yes"
    )
    assert format_position(rules, parse_position(rules, text)) == text
    over = text.replace("turn B play", "turn B over")
    assert parse_position(rules, over).phase == "over"
    assert position_hash(rules, parse_position(rules, over)) != position_hash(rules, parse_position(rules, text))


def test_a_view_tells_how_many_cards_are_hidden() -> None:
    rules = biriba()
    position = parse_given(rules, "turn A play; hand B 9H; hand A KS QS", dealt_sizes())
    layout = Layout(rules)
    hidden = [
        slot for slot, (name, owner) in enumerate(layout.zone_slots) if name == "packet" or (name, owner) == ("hand", 1)
    ]
    text = format_position(rules, position, hidden)
    assert "; hand A QS KS; hand B 1 card; hand C " in text
    assert text.endswith("; packet 1 11 cards; packet 2 11 cards")
    fields = parse_fields(rules, text)
    assert [fields.zones[slot] for slot in hidden] == [1, 11, 11]
    zones = position_to_json(rules, position, hidden)["zones"]
    assert zones["packet"] == {"1": 11, "2": 11}
    assert zones["hand"]["B"] == 1
    with pytest.raises(NotationError, match="hand B is hidden, and a position tells every card"):
        parse_position(rules, text)


@pytest.mark.parametrize(
    ("text", "message", "column", "hint"),
    [
        ("turn A strat", "there is no phase 'strat'", 8, "did you mean 'start'?"),
        ("turn E play", "there is no seat 'E'", 6, "A, B, C, D"),
        ("turn A", "found the end", 7, None),
        ("dealer D", "does not say whose turn it is", 9, "turn A start"),
        ("turn A play", "does not say who dealt", 12, "dealer D"),
        ("turn A play; dealer D", "108 cards of the deck lie nowhere: AH AH 2H", 22, None),
        ("turn A play; turn B play", "turn is stated twice", 19, None),
        ("dealer A; dealer B", "dealer is stated twice", 18, None),
        ("hand A 9H; hand A 8H", "hand A is stated twice", 12, None),
        ("hnd A 9H", "there is no zone or state 'hnd'", 1, "did you mean 'hand'?"),
        ("hand E 9H", "whose hand?", 6, "A, B, C, D"),
        ("hand", "whose hand?", 5, None),
        ("hand A", "expected cards, or 'empty'", 7, None),
        ("hand A 9X", "there is no card '9X'", 8, None),
        ("hand A 9H 9H 9H", "one 9H too many: there are 2 in the deck", 14, None),
        ("hand A 9H; discard 9H; melds X [9H 9S 9D]", "one 9H too many", 33, None),
        ("hand A 9H empty", "'9H' cannot stand here", 8, None),
        ("hand A cards", "expected how many cards", 7, None),
        ("hand A 109 cards", "the deck has 108 cards, not 109", 8, None),
        ("hand A 9H cards", "expected a number, found '9H'", 8, None),
        ("stock [3H 4H 5H]", "stock holds cards, not melds", 8, "brackets"),
        ("melds X 3H 4H 5H", "each meld stands in brackets", 9, None),
        ("melds X [3H 4H 6H]", "are no run and no set", 10, None),
        ("melds X [JK JK JK]", "may lie in 61 ways", 10, None),
        ("melds X 2 cards", "melds are laid open", 1, None),
        ("melds X []", "found ']'", 10, None),
        ("passes 5", "5 is out of range: it must be a number 0..4", 8, None),
        ("passes 99999999999999", "too large", 8, None),
        ("passes", "passes has one value: number 0..4", 7, None),
        ("taken X maybe", "there is no yes or no 'maybe'", 9, None),
        ("taken yes", "whose taken?", 7, None),
        ("closer Z", "there is no side 'Z'", 8, None),
        ("rest in stock", "there is no zone or state 'rest'", 1, None),
    ],
)
def test_what_no_position_is(text: str, message: str, column: int, hint: str | None) -> None:
    with pytest.raises(NotationError) as caught:
        parse_position(biriba(), text)
    assert message in str(caught.value)
    assert caught.value.column == column
    assert hint is None or hint in str(caught.value)


def test_a_position_with_a_card_missing() -> None:
    rules = biriba()
    text = format_position(rules, parse_given(rules, "turn A play", dealt_sizes()))
    with pytest.raises(NotationError, match="1 card of the deck lies nowhere: 9D"):
        parse_position(rules, text.replace(" 9D", "", 1))
    with pytest.raises(NotationError, match="one JK too many: there are 4 in the deck"):
        parse_position(rules, text.replace(" 9D", " JK", 1))


def test_a_partial_position_is_filled_up_in_the_order_of_the_deck() -> None:
    zones = completed("melds X [3H 4H 5H 6H 7H 8H]; hand A KS QS; stock 9H; turn A start")
    assert zones["hand A"] == "QS KS"
    assert zones["discard"] == "AH"
    assert zones["hand B"] == "AH 2H 2H 3H 4H 5H 6H 7H 8H 9H TH"
    assert zones["packet 2"] == "7D 6D 6D 5D 5D 4D 4D 3D 3D 2D 2D"  # a pile: the first of the cards on top
    assert zones["stock"].startswith("JK JK JK JK KC KC ")
    assert zones["stock"].endswith(" 7D 9H")
    assert zones["melds X"] == "[3H 4H 5H 6H 7H 8H]"
    assert zones["melds Y"] == "empty"


def test_partial_positions_with_stated_numbers_and_another_place_for_the_rest() -> None:
    zones = completed("turn A start\ndiscard KS 9H\nstock empty\npacket 1 empty\nhand B 3 cards\nrest in discard\n")
    sizes = {name: size(cards) for name, cards in zones.items() if not name.startswith("melds")}
    assert sizes == {
        "stock": 0, "discard": 61, "hand A": 11, "hand B": 3, "hand C": 11, "hand D": 11, "packet 1": 0, "packet 2": 11,
    }  # fmt: skip
    assert zones["discard"].endswith(" KS 9H")
    assert size(completed("turn A play; rest in hand C; hand C 9H")["hand C"]) == 11


def test_states_and_the_dealer_of_a_partial_position() -> None:
    rules = biriba()
    position = parse_given(rules, "turn A over; taken X yes", dealt_sizes())
    assert format_position(rules, position).startswith("turn A over; dealer D; ")
    assert format_position(rules, position).endswith("; taken X yes")
    assert parse_given(rules, "turn A play; dealer B", dealt_sizes()).dealer == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hand A 9H", "does not say whose turn it is"),
        ("turn A play; stock empty", "41 cards that are not mentioned go to stock, which is stated to be empty"),
        ("turn A play; stock 5 cards", "their number cannot be stated"),
        ("turn A play; hand A 100 cards", "hand B should have 11 cards, and only 7 are left"),
        ("turn A play; rest in melds X", "cards cannot be left over into a zone of melds"),
        ("turn A play; rest in hand", "whose hand?"),
        ("turn A play; rest in nowhere", "there is no zone 'nowhere'"),
        ("turn A play; rest in stock 9H", "expected the end of the field"),
        ("turn A play; rest in stock; rest in discard", "rest is stated twice"),
    ],
)
def test_what_no_partial_position_is(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_given(biriba(), text, dealt_sizes())


@given(rng=dice)
def test_any_part_of_a_position_can_be_given(rng: Random) -> None:
    rules = biriba()
    position = random_position(rules, rng)
    words = vocabulary(rules)
    told = rng.sample(range(len(position.zones)), rng.randint(0, 4))
    fields = [f"{words.zone_name(slot)} {format_zone(rules, position.zones[slot])}" for slot in told]
    try:
        found = parse_given(rules, "; ".join([*fields, "turn C play"]), dealt_sizes())
    except NotationError:
        return
    assert cards_in(found.zones) == cards_in(position.zones)
    for slot in told:
        if slot != words.deck_slot:
            assert found.zones[slot] == position.zones[slot]
