"""What is legal, what an action makes of a position, and what is said of one that is not legal."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biriba.interpreter.rules import Illegal, Rules
from biriba.model.position import Action, Growth, LaidMeld, Meld, Position
from biriba.notation import NotationError, format_action, format_position
from tests.interpreter.tables import after, at, biriba, card, cards, meld, reached, refused, variant

BIRIBA = "3H 4H 5H 6H 7H 8H 9H"


def allowed(text: str, rules: Rules | None = None) -> list[str]:
    """All legal actions of a position, as text."""
    rules = rules or biriba()
    return [format_action(rules.ruleset, action) for action in rules.legal(at(text, rules))]


# ---------------------------------------------------------------- the start of a turn


def test_a_turn_begins_with_the_stock_or_the_pile() -> None:
    start = at("hand A 3C 3D 3S KH; turn A start")
    assert [action.name for action in biriba().legal(start)] == ["draw", "take"]
    assert refused(start, "lay 3S 3D 3C") == ("turn.lay",)
    assert refused(start, "discard KH") == ("turn.discard",)
    assert refused(start, "pass") == ("turn.pass",)


def test_with_an_empty_stock_one_takes_or_passes() -> None:
    start = at(
        "discard 4C; hand A KS QS; stock empty; turn A start; packet 1 11 cards; packet 2 11 cards; rest in hand B"
    )
    assert [action.name for action in biriba().legal(start)] == ["take", "pass"]
    assert refused(start, "draw") == ("turn.stock_lasts",)


def test_only_some_actions_may_be_asked_for() -> None:
    start = at("hand A 3C 3D 3S KH QS; turn A play")
    legal = biriba().legal(start)
    assert {action.name for action in legal} == {"lay", "discard"}
    assert biriba().legal(start, names=("discard",)) == [action for action in legal if action.name == "discard"]
    assert biriba().legal(start, names=("draw",)) == []


def test_taking_is_all_or_nothing() -> None:
    start = at("discard 4C 8D QC; hand A KS QS; turn A start")
    taken = after(start, "take")
    assert taken.zones[biriba().layout.zone_base["hand"]] == tuple(sorted(cards("KS QS 4C 8D QC")))
    with pytest.raises(NotationError):
        biriba().judge(start, "take QC")


def test_who_takes_a_lone_card_keeps_it_and_its_twin() -> None:
    taken = after(at("discard 9H; hand A 9H KS; melds X [6H 7H 8H]; turn A start"), "take")
    assert refused(taken, "discard 9H") == ("discard.not_what_you_took",)
    melded = after(taken, "extend X1 with 9H high")
    assert refused(melded, "discard 9H") == ("discard.not_what_you_took",)
    assert refused(melded, "discard KS") == ()


@pytest.mark.parametrize(
    ("hand", "lone", "legal"),
    [("9H", "9H", False), ("9H KS", "9H", True), ("JK", "JK", False), ("JK JK JK", "JK", False), ("JK KS", "JK", True)],
)
def test_a_lone_card_is_taken_only_if_the_turn_can_end(hand: str, lone: str, legal: bool) -> None:
    start = at(f"discard {lone}; hand A {hand}; turn A start")
    assert refused(start, "take") == (() if legal else ("turn.can_finish",))
    assert refused(start, "draw") == ()


def test_a_forced_way_out_is_a_way_out() -> None:
    start = at("discard 9H; hand A 9H; melds X [9S 9S 9D 9D 9C 9C JK]; turn A start")
    taken = after(start, "take")
    assert [format_action(biriba().ruleset, a) for a in biriba().legal(taken)] == ["extend X1 with 9H"]


# ---------------------------------------------------------------- laying out


@pytest.mark.parametrize(
    ("given_", "action", "clauses"),
    [
        ("hand A 9C TC KS", "lay 9C TC JC", ("turn.lay",)),
        ("hand A 9H 9H KS", "lay 9H 9H 9S", ("turn.lay",)),
        ("hand A 2H 2S 2D KS QS", "lay set of 2 2H 2S 2D", ("set.no_twos",)),
        ("hand A 9H JK 2S KS QS", "lay set 9H 2S JK", ("meld.one_wild",)),
        ("hand A KH AH 2H KS QS", "lay KH AH 2H", ("meld.run", "meld.set")),
        ("hand A KH AH 2H KS QS", "lay run KH AH 2H", ("meld.run",)),
        ("hand A 7H 7D 7C 8H QS", "lay 7H 7D 7C 8H", ("meld.run", "meld.set")),
        ("hand A KS QS", "lay KS", ("meld.min_size",)),
        ("hand A 7H KS QS; melds Y [4H 5H 6H]", "extend Y1 with 7H high", ("meld.own",)),
        ("hand A 7H KS QS; melds Y [4H 5H 6H]", "extend Y1 with 8H high", ("run.ends", "turn.extend", "meld.own")),
        ("hand A 2S KS QS; melds X [4H 5H 6H JK]", "extend X1 with 2S low", ("meld.one_wild",)),
        ("hand A 2H KS QS; melds X [AH JK 3H]", "extend X1 with 2H moving JK low", ("run.shift",)),
        ("hand A 2H KS QS; melds X [AH JK 3H]", "extend X1 with 2H moving JK high", ()),
        ("hand A KH KS QS; melds X [QH JK AH]", "extend X1 with KH moving JK high", ("run.shift",)),
        ("hand A KH KS QS; melds X [QH JK AH]", "extend X1 with KH moving JK low", ()),
        ("hand A 5H KS QS; melds X [AH 2H 3H 4H JK 6H 7H 8H 9H TH JH QH KH]", "extend X1 with 5H moving JK high",
         ("run.max_size",)),
        ("hand A JK KS QS; melds X [3H 4H 2H 6H]", "extend X1 with JK moving 2H low", ("run.shift",)),
        ("hand A 7H KS QS; melds X [4H JK 6H]", "extend X1 with 7H moving JK high", ("run.shift",)),
        ("hand A 9H KS QS; melds X [4H 5H 6H]", "extend X1 with 9H high", ("run.ends",)),
        ("hand A 8H KS QS; melds X [9S 9D 9C]", "extend X1 with 8H", ("set.grows",)),
        ("hand A JK KS QS; melds X [QH KH AH]", "extend X1 with JK high", ("run.ends",)),
        (f"hand A JK KS QS; melds X [{BIRIBA}]", "extend X1 with JK high", ()),
    ],
)  # fmt: skip
def test_laying_out(given_: str, action: str, clauses: tuple[str, ...]) -> None:
    assert refused(at(f"{given_}; turn A play"), action) == clauses


def test_the_keep_rule_is_judged_at_the_end_of_laying_out() -> None:
    position = at("melds X [3H 4H 5H 6H 7H 8H]; hand A 3S 3D 3C 9H; turn A play")
    threes_first = after(position, "lay 3S 3D 3C", "extend X1 with 9H high")
    nine_first = after(position, "extend X1 with 9H high", "lay 3S 3D 3C")
    assert threes_first == nine_first
    taken = biriba().layout.state_base["taken"]
    assert threes_first.states[taken]


@pytest.mark.parametrize(
    ("given_", "legal"),
    [
        ("hand A 3S 3D 3C KH", False),
        ("hand A 3S 3D 3C KH QD", True),
        (f"hand A 3S 3D 3C KH; melds X [{BIRIBA}]", True),
        (f"hand A 3S 3D 3C; melds X [{BIRIBA}]", True),
        (f"hand A 3S 3D 3C; melds X [{BIRIBA}]; taken X yes; packet 2 empty", False),
    ],
)
def test_a_meld_may_not_lead_to_a_dead_end(given_: str, legal: bool) -> None:
    position = at(f"{given_}; turn A play")
    assert refused(position, "lay 3S 3D 3C") == (() if legal else ("turn.can_finish",))


def test_the_sixth_card_may_leave_one_only_if_that_completes_the_biriba() -> None:
    position = at("melds X [4H 5H 6H 7H 8H]; hand A 9H TH; turn A play")
    assert after(position, "extend X1 with 9H high", "extend X1 with TH high").phase == "play"
    assert refused(at("melds X [4H 5H 6H 7H]; hand A 8H 9H; turn A play"), "extend X1 with 8H high") == (
        "turn.can_finish",
    )


# ---------------------------------------------------------------- the end of a turn


def test_the_last_card_brings_the_packet_or_closes() -> None:
    packet = after(at(f"melds X [{BIRIBA}]; hand A TH KS; turn A play"), "extend X1 with TH high", "discard KS")
    hand, taken = biriba().layout.zone_base["hand"], biriba().layout.state_base["taken"]
    assert len(packet.zones[hand]) == 11
    assert packet.states[taken]
    assert (packet.phase, packet.turn) == ("start", 1)
    closed = after(at(f"melds X [{BIRIBA}]; hand A KS; taken X yes; packet 2 empty; turn A play"), "discard KS")
    assert closed.phase == "over"
    assert closed.turn == 0, "nothing takes effect after the end of the deal"
    assert closed.states[biriba().layout.state_base["closer"]] == 0
    assert biriba().legal(closed) == []
    assert refused(closed, "draw") == ("turn.draw",)


def test_four_passes_end_the_deal() -> None:
    empty = at("discard 4C; stock empty; hand A KS QS; rest in hand C; turn A start")
    position = after(empty, "pass", "pass", "pass")
    assert after(position, "pass").phase == "over"
    taken = after(position, "take")
    assert taken.states[biriba().layout.state_base["passes"]] == 0


# ---------------------------------------------------------------- what is said


@pytest.mark.parametrize(
    ("given_", "action", "sentence"),
    [
        ("hand A 9H KS; turn A play", "draw", "draw belongs to the phase start of a turn, and this is the phase play."),
        ("hand A 9H KS; turn A play", "discard QS", "In hand A there is no QS."),
        ("hand A 9H KS; turn A play", "lay 9H 9H 9S", "In hand A there is only 1 of 9H and no 9S."),
        ("hand A 9H 9H KS; turn A play", "lay 9H 9H 9H", "In hand A there are only 2 of 9H."),
        ("hand A 8H KS; melds X [4H 5H 6H]; turn A play", "extend X1 with 8H high",
         "8H does not fit at the high end of 4H 5H 6H."),
        ("hand A 8H KS; melds X [9H 9S 9D]; turn A play", "extend X1 with 8H", "8H does not fit in 9H 9S 9D."),
        ("hand A 2H KS; melds X [AH JK 3H]; turn A play", "extend X1 with 2H moving JK low",
         "2H cannot take the place of JK in AH JK 3H, with JK moving to the low end."),
        ("hand A JK KS; melds X [3H 4H 2H 6H]; turn A play", "extend X1 with JK moving 2H low",
         "JK cannot take the place of 2H in 3H 4H 2H 6H, with 2H moving to the low end."),
        ("hand A KS; turn A play", "discard KS", "A would be left with 0 cards, and the pair has no biriba."),
        ("hand A KS 3C; barred KS; turn A play", "discard KS", "KS is the card that A took from a pile of one."),
        ("hand A 2S KS; melds X [4H 5H 6H JK]; turn A play", "extend X1 with 2S low",
         "2S 4H 5H 6H JK would hold 2 substitutes, and 1 is the most."),
        ("hand A 7H KS; melds Y [4H 5H 6H]; turn A play", "extend Y1 with 7H high",
         "4H 5H 6H belongs to the other pair."),
        ("hand A KS QS; turn A start", "pass", "{} cards are left in the stock, so A must draw or take the pile."),
    ],
)  # fmt: skip
def test_a_rejection_speaks_of_the_cards_at_hand(given_: str, action: str, sentence: str) -> None:
    position = at(given_)
    stock = len(position.zones[biriba().layout.zone_base["stock"]])
    rejections = biriba().judge(position, action).rejections
    assert [r.sentence for r in rejections] == [sentence.format(stock)]
    with pytest.raises(Illegal, match=rejections[0].clause):
        biriba().apply(position, action)


def test_all_violated_clauses_are_listed_in_the_order_of_the_rules() -> None:
    rules = variant("set close_with_wild = no")
    position = at("hand A JK; barred JK; taken X yes; packet 2 empty; turn A play", rules)
    violated = ("discard.not_what_you_took", "discard.keep_one", "discard.wild_may_close")
    assert refused(position, "discard JK", rules) == violated


def test_the_seat_must_be_the_one_to_act() -> None:
    start = at("turn A start")
    verdict = biriba().judge(start, "draw", seat="B")
    assert [str(r) for r in verdict.rejections] == ["turn.draw: It is the turn of A, not of B."]
    assert biriba().judge(start, "draw", seat="A").legal
    with pytest.raises(ValueError, match="no seat 'E'"):
        biriba().judge(start, "draw", seat="E")


NONSENSE: list[Action] = [
    Action("discard"),
    Action("discard", (None,)),
    Action("discard", (999,)),
    Action("discard", (-1,)),
    Action("discard", (meld("9H 9S 9D"),)),
    Action("draw", (1,)),
    Action("lay", (3,)),
    Action("lay", (Meld("run", 0, 0, cards("AH 2H 3H")),)),
    Action("lay", (Meld("run", 9, 1, cards("AH 2H 3H")),)),
    Action("lay", (Meld("run", 0, 13, cards("KH AH 2H")),)),
    Action("lay", (Meld("set", 8, None, cards("9S 9H 9H")),)),
    Action("lay", (Meld("set", 8, 3, cards("9H 9H 9S")),)),
    Action("lay", (Meld("heap", None, None, cards("9H 9H 9S")),)),
    Action("lay", (Meld("run", 0, 1, ()),)),
    Action("lay", (Meld("run", 0, 1, (999, 999, 999)),)),
    Action("extend", (0, 0)),
    Action("extend", (LaidMeld(11, 5, 0, meld("4H 5H 6H")), Growth(card("7H"), meld("4H 5H 6H 7H"), "high"))),
    Action("extend", (LaidMeld(11, 0, 0, meld("4H 5H 6H")), 5)),
    Action("extend", (LaidMeld(11, 0, 0, meld("4H 5H 6H")), Growth(card("7H"), meld("4H 5H 6H"), "high"))),
    Action("extend", (LaidMeld(11, 0, 0, meld("4H 5H 6H")), Growth(999, meld("4H 5H 6H 7H"), "high"))),
    Action("extend", (None, Growth(card("7H"), meld("4H 5H 6H 7H"), "high"))),
]


@pytest.mark.parametrize("action", NONSENSE, ids=str)
def test_nonsense_is_rejected(action: Action) -> None:
    position = at("hand A 7H 9H KS QS; melds X [4H 5H 6H]; turn A play")
    verdict = biriba().judge(position, action)
    assert not verdict.legal
    assert all(r.clause in biriba().ruleset.clauses and r.sentence for r in verdict.rejections)


def test_an_unknown_action_is_an_error() -> None:
    with pytest.raises(ValueError, match="no action 'shout'; there are: draw, take"):
        biriba().judge(at("turn A start"), Action("shout"))


# ---------------------------------------------------------------- legal and judge agree


def attempts(rules: Rules, position: Position, rng: Random) -> list[Action]:
    """Actions of every kind, most of them illegal: any card, any cards as a meld, any growth of any meld."""
    faces = range(len(rules.ruleset.cards.faces))
    melds = rules._evaluator.melds
    found = [Action(name) for name, decl in rules.ruleset.actions.items() if not decl.params]
    found += [Action("discard", (face,)) for face in faces]
    pool = [c for slot in range(len(position.zones)) for c in position.zones[slot] if isinstance(c, int)]
    for _ in range(10):
        chosen = rng.sample(pool, rng.randint(1, 5))
        layouts = melds.layouts(chosen, lawful=False)
        found += [Action("lay", (m,)) for m, _ in zip(layouts, range(20), strict=False)]
    for slot, zone in enumerate(position.zones):
        owner = rules.layout.zone_slots[slot][1]
        for i, laid in enumerate(zone):
            if isinstance(laid, Meld):
                growths = [growth for _, growth in melds.possible_growths(laid)]
                found += [Action("extend", (LaidMeld(slot, i, owner, laid), g)) for g in growths]
    return found


@pytest.mark.parametrize(
    "rules",
    [biriba(), variant("set max_wilds = 3", "set lone_take_may_close = no", "set packet_needs_biriba = no")],
    ids=["biriba", "variant"],
)
@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), steps=st.integers(0, 250))
def test_an_action_is_legal_if_and_only_if_it_is_listed(rules: Rules, seed: int, steps: int) -> None:
    position = reached(rules, seed, steps)
    legal = rules.legal(position)
    assert len(legal) == len(set(legal))
    before = format_position(rules.ruleset, position)
    for action in [*legal, *attempts(rules, position, Random(seed))]:
        verdict = rules.judge(position, action)
        assert verdict.legal == (action in legal), (action, verdict.rejections)
        assert verdict.legal != bool(verdict.rejections)
    assert format_position(rules.ruleset, position) == before


@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), steps=st.integers(0, 200))
def test_every_legal_action_can_be_written_and_read(seed: int, steps: int) -> None:
    position = reached(biriba(), seed, steps)
    for action in biriba().legal(position):
        assert biriba().read(position, format_action(biriba().ruleset, action)) == action
