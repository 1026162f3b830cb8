"""Dealing, from the order of the deck alone."""

from __future__ import annotations

from collections import Counter

import pytest

from biriba.interpreter.deal import DealError
from biriba.model.position import Position
from tests.interpreter.tables import biriba, card, variant

DECK = [face.symbol for face in biriba().ruleset.cards.faces for _ in range(face.copies)]


def zone(position: Position, name: str, owner: int = 0) -> tuple[object, ...]:
    return position.zones[biriba().layout.zone_base[name] + owner]


def test_the_deck_is_dealt_one_card_at_a_time_from_the_dealers_right() -> None:
    deck = list(biriba().shuffled(1))
    position = biriba().deal(deck=deck, dealer="C").position
    dealt_to = {"D": 0, "A": 1, "B": 2, "C": 3}
    for seat, first in dealt_to.items():
        assert zone(position, "hand", "ABCD".index(seat)) == tuple(sorted(deck[first:44:4]))
    assert zone(position, "packet", 0) == tuple(deck[44:55])
    assert zone(position, "packet", 1) == tuple(deck[55:66])
    assert zone(position, "discard") == (deck[66],)
    assert zone(position, "stock") == tuple(reversed(deck[67:])), "the top of a pile is its last card"
    assert (position.turn, position.phase, position.dealer) == (3, "start", 2)
    assert not biriba().violated_after_deal(position)


@pytest.mark.parametrize("symbol", ["JK", "2S", "3H"])
def test_whatever_is_turned_up_stays(symbol: str) -> None:
    deck = [c for c in DECK if c != symbol]
    deck[66:66] = [symbol]
    deck += [symbol] * (DECK.count(symbol) - 1)
    position = biriba().deal(deck=deck).position
    assert zone(position, "discard") == (card(symbol),)


def test_equal_seeds_give_equal_deals() -> None:
    assert biriba().deal(seed=7).position == biriba().deal(seed=7).position
    assert biriba().deal(seed=7).position != biriba().deal(seed=8).position
    assert biriba().shuffled(7)[:5] == tuple(map(card, ["8C", "4S", "3D", "QH", "AH"])), "the same on every machine"
    assert Counter(biriba().shuffled(7)) == Counter(map(card, DECK))


@pytest.mark.parametrize(
    ("deck", "message"),
    [
        (DECK[:-1], "the deck has 107 cards, and these rules need 108; missing: JK"),
        ([], "the deck has 0 cards, and these rules need 108; missing: AH, 2H, 3H, 4H, 5H, ..."),
        ([*DECK[:-1], "AH"], "the deck has AH 3 times, and these rules have 2 of it"),
        ([*DECK[:-1], "XX"], "card 108 of the deck is 'XX', and these rules have no such card"),
        ([53, *DECK[1:]], "card 1 of the deck is 53, and these rules have no such card"),
        ([True, *DECK[1:]], "card 1 of the deck is True, and these rules have no such card"),
        ([None, *DECK[1:]], "card 1 of the deck is None, and these rules have no such card"),
    ],
)
def test_a_wrong_deck_is_refused(deck: list[int | str], message: str) -> None:
    with pytest.raises(DealError) as error:
        biriba().deal(deck=deck)
    assert str(error.value) == message
    assert isinstance(error.value, ValueError)


def test_a_deal_needs_a_seed_or_a_deck() -> None:
    with pytest.raises(TypeError):
        biriba().deal()
    with pytest.raises(TypeError):
        biriba().deal(seed=1, deck=DECK)
    with pytest.raises(ValueError, match="no seat 'Z'"):
        biriba().deal(seed=1, dealer="Z")


def test_the_facts_about_the_cards_are_true() -> None:
    assert biriba().false_facts() == []
    wrong = variant(
        "replace clause deck.red_threes",
        '  "Red threes are wild."',
        '  because "to see a fact fail"',
        "  fact wild(3H)",
    )
    assert wrong.false_facts() == ["deck.red_threes"]
