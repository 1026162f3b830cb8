"""What effects do, seen in a small game made for that."""

from __future__ import annotations

from functools import cache

import pytest

from biriba.interpreter.rules import Rules
from biriba.language.diagnostics import RulesError
from biriba.language.load import compile_rules
from biriba.language.source import Source
from biriba.model.position import Position
from tests.interpreter.tables import after, at, refused, variant

GAME = """
ruleset workshop "A game made for tests of effects"
  version "1"

clause cards.all
  "Nine cards of one suit, two of each."
  suits  H "hearts"
  ranks  1 "one", 2 "two", 3 "three", 4 "four", 5 "five", 6 "six", 7 "seven", 8 "eight", 9 "nine"
  places 1 2 3 4 5 6 7 8 9
  deck   2 of every rank in every suit
  value  1..9 1

clause table.all
  "Three players, each for himself."
  seats A, B, C
  sides X = A, Y = B, Z = C
  play to the left
  zone deck pile seen by nobody
  zone box[1..3] pile seen by all
  zone tray[seat] hand seen by owner
  zone row[side] melds seen by all
  state tally: 0..18 = 0
  state last_seat: seat or none = none
  state done[side]: yes/no = no

clause deal.all
  "Two cards each, dealt in turn; the rest stays."
  deal
    shuffle the deck into deck
    repeat 2 times: for each seat s from dealer: move 1 from deck to tray[s]
    for each i in 1..3: move i from deck to box[i]
    turn goes to next(dealer)

clause meld.all
  "Pairs."
  template pair of rank k in group
    natural c when rank(c) = k
  grow pair by a card

clause turn.all
  "One phase, and actions to look at."
  phases go, rest
  action stack in go
    move 3 from deck to box[1]
  on stack require size(deck) >= 3
  action gather(i: 1..3) in go
    move all of box[i] to tray[me]
    tally := size(tray[me])
  action first in go
    with first i in 1..3 where size(box[i]) > 1: move all of box[i] to deck
  action last in go
    with last i in 1..3 where size(box[i]) > 1: move all of box[i] to deck
  action nobody in go
    with last i in 1..3 where size(box[i]) > 7: move all of box[i] to deck
  action give(s: seat) in go
    for each seat t from s where t != me: when tray[t] is not empty: tally := min(tally + 1, 18)
    last_seat := s
    turn goes to s
    done[side(s)] := yes
    go to rest
  action finish in go, rest
    tally := 5
    when me = A: end the deal
    tally := 7
  on finish then
    tally := 8
  on finish before
    last_seat := me
"""


@cache
def workshop() -> Rules:
    return Rules(compile_rules(Source("workshop.rules", GAME))[0])


DECK = [f"{n}H" for n in (*range(1, 10), *range(1, 10))]


def start() -> Position:
    return workshop().deal(deck=DECK, dealer="A").position


def symbols(position: Position, name: str, owner: int = 0) -> str:
    faces = workshop().ruleset.cards.faces
    zone = position.zones[workshop().layout.zone_base[name] + owner]
    return " ".join(faces[c].symbol[0] for c in zone if isinstance(c, int))


def state(position: Position, name: str, owner: int = 0) -> object:
    return position.states[workshop().layout.state_base[name] + owner]


def test_the_deal_follows_its_loops() -> None:
    dealt = start()
    # To the left of A sits C; from A on, play goes A C B.
    assert [symbols(dealt, "tray", seat) for seat in range(3)] == ["1 4", "3 6", "2 5"]
    assert [symbols(dealt, "box", i) for i in range(3)] == ["7", "8 9", "1 2 3"]
    assert symbols(dealt, "deck") == "9 8 7 6 5 4", "the top is the last"
    assert (dealt.turn, dealt.phase) == (2, "go")


def test_cards_from_a_pile_are_moved_one_at_a_time() -> None:
    moved = workshop().apply(start(), "stack")
    assert symbols(moved, "box", 0) == "7 4 5 6"
    assert symbols(moved, "deck") == "9 8 7"


def test_a_hand_is_sorted() -> None:
    gathered = workshop().apply(start(), "gather 3")
    assert symbols(gathered, "tray", 2) == "1 2 2 3 5"
    assert state(gathered, "tally") == 5
    assert symbols(gathered, "box", 2) == ""


@pytest.mark.parametrize(
    ("action", "boxes", "deck"),
    [
        ("first", ["7", "", "1 2 3"], "9 8 7 6 5 4 8 9"),
        ("last", ["7", "8 9", ""], "9 8 7 6 5 4 1 2 3"),
        ("nobody", ["7", "8 9", "1 2 3"], "9 8 7 6 5 4"),
    ],
)
def test_with_one_of_several(action: str, boxes: list[str], deck: str) -> None:
    position = workshop().apply(start(), action)
    assert [symbols(position, "box", i) for i in range(3)] == boxes
    assert symbols(position, "deck") == deck


def test_me_stays_the_same_through_a_step() -> None:
    given = workshop().apply(start(), "give B")
    assert (given.turn, given.phase) == (1, "rest")
    assert state(given, "tally") == 2
    assert state(given, "last_seat") == 1
    assert [state(given, "done", side) for side in range(3)] == [False, True, False]


def test_nothing_takes_effect_after_the_end_of_the_deal() -> None:
    rules = workshop()
    ended = rules.apply(rules.apply(start(), "give A"), "finish")
    assert (ended.phase, state(ended, "tally"), state(ended, "last_seat")) == ("over", 5, 0)
    going_on = rules.apply(start(), "finish")
    assert (going_on.phase, state(going_on, "tally"), state(going_on, "last_seat")) == ("go", 8, 2)


def test_values_and_numbers_are_enumerated_in_order() -> None:
    legal = [(action.name, *action.args) for action in workshop().legal(start())]
    assert legal == [
        ("stack",),
        ("gather", 1),
        ("gather", 2),
        ("gather", 3),
        ("first",),
        ("last",),
        ("nobody",),
        ("give", 0),
        ("give", 1),
        ("give", 2),
        ("finish",),
    ]


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        ("gather 4", "4 is not between 1 and 3."),
        ("stack", None),
    ],
)
def test_a_number_out_of_range_is_rejected(action: str, sentence: str | None) -> None:
    rejections = workshop().judge(start(), action).rejections
    assert [r.sentence for r in rejections] == ([] if sentence is None else [sentence])


SWAP = (
    "clause swap.top",
    '  "Before he takes cards, a player may exchange a card of his hand for the top card of the pile, once in a turn."',
    '  because "a rule of a table"',
    "  state swapped: yes/no = no",
    "  action swap(c: card in hand[me]) in start",
    "    move top of discard to hand[me]",
    "    move c from hand[me] to discard",
    "    swapped := yes",
    "  on swap require discard is not empty and not swapped",
    "  on draw, take, pass then swapped := no",
)


def test_a_card_still_lies_where_more_are_put() -> None:
    """The card that an action is about may be moved after others have come to it, not after others have gone."""
    rules = variant(*SWAP)
    swapped = after(at("discard 7S; hand A KH QS; turn A start", rules), "swap KH", rules=rules)
    assert swapped == at("discard KH; hand A 7S QS; swapped yes; turn A start", rules)
    assert refused(swapped, "swap QS", rules) == ("swap.top",)
    away = [*SWAP[:6], "    move all of hand[me] to discard", *SWAP[6:]]
    with pytest.raises(RulesError) as caught:
        variant(*away)
    assert caught.value.diagnostics[0].code == "E0403"
    assert "move it before others are taken from there" in (caught.value.diagnostics[0].hint or "")


def test_a_zone_that_a_state_variable_names_is_another_one_when_that_changes() -> None:
    lines = (
        "clause steal.one",
        '  "A card of a chosen player goes to the pile."',
        '  because "a rule of a table"',
        "  state victim: seat = B",
        "  action steal(c: card in hand[victim]) in start",
        "    victim := C",
        "    move c from hand[victim] to discard",
    )
    with pytest.raises(RulesError) as caught:
        variant(*lines)
    assert caught.value.diagnostics[0].message == "this card may not lie there"
