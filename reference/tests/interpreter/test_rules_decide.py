"""No rule of the game is in Python: change a clause in the text, and the interpreter plays by the change.

Every case names what is changed in the canonical source, a question to the interpreter, and the two
answers: under the canonical rules and under the changed ones.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from biriba import notation
from biriba.interpreter.frame import Standing
from biriba.interpreter.rules import Rules
from biriba.model.position import Position
from tests.language.rulefiles import CANONICAL, changed, compiled, with_parameter, without_clause

Question = Callable[[Rules], object]


@cache
def rules_of(text: str) -> Rules:
    return Rules(compiled(text))


def given(rules: Rules, text: str) -> Position:
    return notation.parse_given(rules.ruleset, text, rules.dealt_sizes)


def meld(text: str) -> Question:
    """Whether a meld is lawful, its bonus and its value."""

    def ask(rules: Rules) -> object:
        verdict = rules.judge_meld(notation.parse_meld(rules.ruleset, text))
        return verdict.lawful, verdict.bonus, verdict.value

    return ask


def lawful(text: str) -> Question:
    def ask(rules: Rules) -> object:
        try:
            return rules.judge_meld(notation.parse_meld(rules.ruleset, text)).lawful
        except notation.NotationError:
            return "no meld"

    return ask


def verdict(position: str, *actions: str) -> Question:
    """The clauses that the last action violates after the others were played; empty if it is legal."""

    def ask(rules: Rules) -> object:
        now = given(rules, position)
        for action in actions[:-1]:
            now = rules.apply(now, action)
        return rules.judge(now, actions[-1]).clauses

    return ask


def then(what: Callable[[Rules, Position], object], position: str, *actions: str) -> Question:
    """What can be said of the position after the actions."""

    def ask(rules: Rules) -> object:
        now = given(rules, position)
        for action in actions:
            now = rules.apply(now, action)
        return what(rules, now)

    return ask


def points(position: str, side: str) -> Question:
    def ask(rules: Rules) -> object:
        return rules.score(given(rules, position)).totals[rules.ruleset.table.sides.index(side)]

    return ask


def ended(*totals: int) -> Question:
    """Whether a match with these totals after three deals has ended."""
    return lambda rules: bool(rules.matches.ended_by(Standing(totals, 3), rules.empty_table("D")))


def winner(*totals: int) -> Question:
    return lambda rules: rules.matches.winner(Standing(totals, 3), rules.empty_table("D"))


def next_dealer(rules: Rules) -> object:
    return rules.matches.next_dealer(Standing((0, 0), 1), rules.empty_table("D"))


def turn(rules: Rules, position: Position) -> object:
    return rules.ruleset.table.seats[position.turn]


def hand_of_a(rules: Rules, position: Position) -> object:
    return len(position.zones[rules.layout.zone_base["hand"]])


def over(rules: Rules, position: Position) -> object:
    return rules.over(position)


def dealt(rules: Rules) -> object:
    return rules.dealt_sizes


CLEAN = "3H 4H 5H 6H 7H 8H 9H"
FULL = "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"
DRAWN = "stock 9C; turn A start"

CASES: list[tuple[str, str, Question, object, object]] = [
    # the cards
    ("value_joker", with_parameter("value_joker", 50), meld("9H 9S JK"), (True, 0, 40), (True, 0, 70)),
    ("value_ace", with_parameter("value_ace", 20), meld("AH AS AD"), (True, 0, 45), (True, 0, 60)),
    ("packs", with_parameter("packs", 3), lambda r: r.ruleset.cards.total, 108, 160),
    ("jokers", with_parameter("jokers", 2), lambda r: r.ruleset.cards.total, 108, 106),
    ("threes are wild", changed(("wild JK, 2", "wild JK, 2, 3")), lawful("KH KS 3D"), "no meld", True),
    ("twos are not wild", changed(("wild JK, 2", "wild JK")), lawful("KH KS 2D"), True, "no meld"),
    ("jokers are not wild", changed(("wild JK, 2", "wild 2")), lawful("KH KS JK"), True, "no meld"),
    ("ace only low", changed(("T J Q K A\n", "T J Q K\n")), lawful("QH KH AH"), True, "no meld"),
    ("ranks go round", changed(("T J Q K A\n", "T J Q K A 2\n")), lawful("KH AH 2H"), "no meld", True),
    # melds
    ("min_meld", with_parameter("min_meld", 4), lawful("9H 9S 9D"), True, False),
    ("max_run", with_parameter("max_run", 5), lawful("3H 4H 5H 6H 7H 8H"), True, False),
    ("max_wilds", with_parameter("max_wilds", 2), lawful("set 9H JK JK"), False, True),
    ("one wild dropped", without_clause("meld.one_wild"), lawful("set 9H JK JK"), False, True),
    ("run limit dropped", without_clause("run.max_size"), lawful(f"{FULL} AH"), False, True),
    ("sets_of_twos", with_parameter("sets_of_twos", "yes"), lawful("2H 2S 2D"), False, True),
    ("runs_only", with_parameter("runs_only", "yes"), lawful("9H 9S 9D"), True, False),
    ("no sets of nines", changed(("sets_of_twos or rank(m) != 2", "rank(m) != 9")), lawful("9H 9S 9D"), True, False),
    ("runs of one colour only", changed(("every run m: size(m) <= max_run", "every run m: suit(m) = S")),
     lawful("3H 4H 5H"), True, False),
    # growing
    ("no shift", without_clause("run.shift"),
     verdict("melds X [3H 4H 2H 6H]; hand A 5H KS QS; turn A play", "extend X1 with 5H moving 2H low"), (),
     ("turn.extend",)),
    ("no growth at ends", without_clause("run.ends"),
     verdict("melds X [3H 4H 5H]; hand A 6H KS QS; turn A play", "extend X1 with 6H high"), (), ("turn.extend",)),
    ("others' melds too", without_clause("meld.own"),
     verdict("melds Y [3H 4H 5H]; hand A 6H KS QS; turn A play", "extend Y1 with 6H high"), ("meld.own",), ()),
    # the deal
    ("hand_size", with_parameter("hand_size", 13), dealt, (41, 1, 11, 11, 11, 11, 11, 11, 0, 0),
     (33, 1, 13, 13, 13, 13, 11, 11, 0, 0)),
    ("packet_size", with_parameter("packet_size", 5), dealt, (41, 1, 11, 11, 11, 11, 11, 11, 0, 0),
     (53, 1, 11, 11, 11, 11, 5, 5, 0, 0)),
    ("no upcard", without_clause("deal.upcard", "deal.rest"), dealt, (41, 1, 11, 11, 11, 11, 11, 11, 0, 0),
     (42, 0, 11, 11, 11, 11, 11, 11, 0, 0)),
    ("first player", changed(("turn goes to right(dealer)", "turn goes to dealer")),
     lambda r: turn(r, r.deal(seed=1).position), "A", "D"),
    # the turn
    ("direction", changed(("play to the right", "play to the left")),
     then(turn, DRAWN, "draw", "discard 9C"), "B", "D"),
    ("pass with stock", changed(("action pass in start", "action pass in play")),
     verdict("stock empty; rest in hand D; turn A start", "pass"), (),
     ("turn.pass",)),
    ("pass at will", changed(("on pass require stock is empty", "on pass require yes")), verdict(DRAWN, "pass"),
     ("turn.pass",), ()),
    ("ban dropped", without_clause("discard.not_what_you_took").replace("    barred := none\n", ""),
     verdict("discard 9H; hand A 9H KS; turn A start", "take", "discard 9H"), ("discard.not_what_you_took",), ()),
    ("draw two", changed(("    move top of stock to hand[me]\n", "    move top of stock to hand[me]\n"
     "    when stock is not empty: move top of stock to hand[me]\n")), then(hand_of_a, DRAWN, "draw"), 12, 13),
    ("lay nothing", changed(("on take, lay, extend ensure can_finish", "on take, lay, extend ensure phase is over")),
     verdict("hand A 9H 9S 9D KS QS; turn A play", "lay 9H 9S 9D"), (), ("turn.can_finish",)),
    ("held_back", with_parameter("held_back", 2), verdict("hand A KH KS; turn A play", "discard KH"), (),
     ("discard.keep_one",)),
    ("close with a wild", with_parameter("close_with_wild", "no"),
     verdict(f"melds X [{CLEAN}]; hand A JK; taken X yes; packet 2 empty; turn A play", "discard JK"), (),
     ("discard.wild_may_close",)),
    ("lone take", with_parameter("lone_take_may_close", "no"),
     verdict(f"melds X [{CLEAN}]; hand A KS; discard TH; taken X yes; packet 2 empty; turn A start", "take",
             "extend X1 with TH high"), (), ("turn.can_finish",)),
    # packets and closing
    ("biriba_length", with_parameter("biriba_length", 4),
     verdict("melds X [3H 4H 5H 6H]; hand A KS; turn A play", "discard KS"), ("discard.keep_one",), ()),
    ("packet without biriba", with_parameter("packet_needs_biriba", "no"),
     verdict("melds X [3H 4H 5H]; hand A KS; turn A play", "discard KS"), ("discard.keep_one",), ()),
    ("no packets", without_clause("packet.take"),
     then(hand_of_a, f"melds X [{CLEAN}]; hand A KS; turn A play", "discard KS"), 11, 0),
    ("close at once", changed(("    when hand[me] is empty and taken[mine]:\n", "    when hand[me] is empty:\n")),
     then(over, f"melds X [{CLEAN}]; hand A KS; turn A play", "discard KS"), False, True),
    ("pass_limit", with_parameter("pass_limit", 2),
     then(over, "stock empty; rest in hand D; turn A start", "pass", "pass"),
     False, True),
    ("stall_limit", with_parameter("stall_limit", 1),
     then(over, "hand A 3C 8D; discard QS; turn A start", "take", "discard 8D"), False, True),
    # the score
    ("run_clean", with_parameter("run_clean", 250), meld(CLEAN), (True, 200, 45), (True, 250, 45)),
    ("full_run", with_parameter("full_run", 12), meld("AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH"), (True, 200, 100),
     (True, 1000, 100)),
    ("set bonus dropped", without_clause("score.set"), meld("9H 9H 9S 9S 9D 9D 9C"), (True, 300, 70), (True, 0, 70)),
    ("columns of the score table swapped", changed(("| run_clean | run_dirty    |", "| run_dirty | run_clean    |")),
     meld(CLEAN), (True, 200, 45), (True, 100, 45)),
    ("no_packet", with_parameter("no_packet", 150), points("hand A 3H; hand C 4H; turn A over", "X"), -110, -160),
    ("hands count double", changed(("p: -(sum of value(c)", "p: -(sum of 2 * value(c)")),
     points("hand A 3H; hand C 4H; turn A over", "X"), -110, -120),
    ("idle packets count", changed(("where not idle[s], each", "where yes, each")),
     points("hand A 3H; hand C 4H; taken X yes; packet 2 empty; idle A yes; turn A over", "X"), -105, -110),
    # the table
    ("three players",
     changed(("seats A, B, C, D", "seats A, B, C"), ("sides X = A C, Y = B D", "sides X = A, Y = B, Z = C")),
     lambda r: (len(r.ruleset.table.sides), r.dealt_sizes[0]), (2, 41), (3, 52)),
    ("hands seen by all", changed(("zone hand[seat] hand seen by owner", "zone hand[seat] hand seen by all")),
     lambda r: len(r.view(r.deal(seed=1).position, "A").hidden), 6, 3),
    # the match
    ("target", with_parameter("target", 300), ended(310, 100), False, True),
    ("more than the target", changed(("best > target and one_leads", "best >= target and one_leads")), ended(5000, 100),
     False, True),
    ("a tie ends it", changed(("match ends when best > target and one_leads", "match ends when best > target")),
     ended(5100, 5100), False, True),
    ("max_deals", with_parameter("max_deals", 3), ended(10, 20), False, True),
    ("the lower total wins", changed(("define best = greatest of total(p)", "define best = smallest of total(p)")),
     winner(5200, 5350), 1, 0),
    ("the dealer stays", changed(("match next dealer right(dealer)", "match next dealer dealer")), next_dealer, 0, 3),
]  # fmt: skip


@pytest.mark.parametrize(("text", "question", "canonical", "after"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_changing_the_text_changes_the_play(text: str, question: Question, canonical: object, after: object) -> None:
    assert question(rules_of(CANONICAL)) == canonical
    assert question(rules_of(text)) == after
    assert canonical != after
