"""explain and meld: commands that answer why."""

from __future__ import annotations

import pytest

from biriba.cli.ask import MOST_SHOWN

SECOND_WILD = "melds X [4H 5H 6H JK]; hand A 2S KS QS; turn A play"
LAST_CARD = "melds X [3H 4H 5H 6H 7H 8H 9H]; hand A TH; turn A play"


def test_an_illegal_action_is_explained_with_rule_source_and_what_is_legal(run):
    result = run("explain", "--given", SECOND_WILD, "extend X1 with 2S low")
    assert result.code == 1
    assert result.out.splitlines() == [
        "illegal: extend X1 with 2S low",
        "",
        "meld.one_wild: 2S 4H 5H 6H JK would hold 2 substitutes, and 1 is the most.",
        "  The rule: A meld holds at most 1 substitute at any moment.",
        "  From: S000 §3, S001 §3",
        "",
        "Legal instead:",
        "  discard 2S",
        "  discard QS",
        "  discard KS",
    ]


def test_all_violated_clauses_are_named(run):
    result = run("explain", "--given", "discard 9H; hand A 9H KS; turn A play; barred 9H", "lay KS KS KS", "--json")
    assert result.code == 1
    assert "turn.lay" in [violated["clause"] for violated in result.json["violated"]]


def test_a_ruling_is_explained_with_its_reason(run):
    result = run("explain", "--given", "hand A 2H 2S 2D KS QS; turn A play", "lay 2H 2S 2D")
    assert result.code == 1
    assert "set.no_twos: 2H 2S 2D would be a set of twos, and twos make no set." in result.out
    assert "  From: a ruling, because the sources give a two one natural role" in result.out


def test_a_legal_action_is_explained_with_its_outcome_and_clauses(run):
    result = run("explain", "--given", LAST_CARD, "extend X1 with TH high")
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[0] == "legal: extend X1 with TH high"
    assert "  melds X [3H 4H 5H 6H 7H 8H 9H TH]" in lines
    assert "  taken X yes" in lines
    assert any(line.startswith("  turn.can_finish: ") for line in lines)
    assert any(line.startswith("  run.max_size: ") for line in lines)
    assert not any(line.startswith("  discard.keep_one") for line in lines)


def test_a_legal_action_explained_as_json_has_the_next_position(run):
    answer = run("explain", "--given", LAST_CARD, "extend X1 with TH high", "--json").json
    assert answer["legal"] is True
    assert answer["position"]["states"]["taken"] == {"X": True, "Y": False}
    assert answer["violated"] == []


def test_a_seat_that_is_not_to_act_is_told_so(run):
    result = run("explain", "--given", "turn A start", "draw", "--seat", "B")
    assert result.code == 1
    assert "It is the turn of A, not of B." in result.out


def test_when_the_deal_is_over_nothing_is_legal(run):
    result = run("explain", "--given", "turn A over", "draw")
    assert result.code == 1
    assert result.out.endswith("Nothing is legal here.\n")


def test_a_long_list_of_alternatives_is_cut(run):
    hand = "hand A 3H 3S 3D 3C 4H 4S 4D 4C 5H 5S 5D 5C 6H 6S 6D 6C"
    result = run("explain", "--given", f"{hand}; turn A play", "draw")
    shown = result.out.split("Legal instead:\n")[1].splitlines()
    assert len(shown) == MOST_SHOWN + 1
    assert shown[-1].endswith("more (`biriba legal` lists them)")


def test_a_meld_of_cards_in_any_order(run):
    result = run("meld", "5H", "2S", "4H")
    assert result.code == 0
    assert result.out.splitlines() == [
        "2S 4H 5H: run, lawful, not biriba, not clean, value 20",
        "4H 5H 2S: run, lawful, not biriba, not clean, value 20",
    ]


def test_a_biriba_is_valued_with_its_bonus(run):
    result = run("meld", "3H 4H 5H 6H 7H 8H 9H")
    assert result.out == "3H 4H 5H 6H 7H 8H 9H: run, lawful, biriba, clean, value 45, run biriba +200\n"
    (answer,) = run("meld", "3H 4H 5H 6H 7H 8H 9H", "--json").json
    assert (answer["lawful"], answer["value"], answer["bonus"]) == (True, 45, 200)
    assert answer["properties"] == {"biriba": True, "clean": True}


@pytest.mark.parametrize(
    ("cards", "clauses"),
    [
        ("2H 2S 2D", ["set.no_twos"]),
        ("9H JK 2S", ["meld.one_wild"]),
        ("3H 4H", ["meld.min_size"]),
        ("3H 5S 9C", ["meld.run", "meld.set"]),
        ("AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH", ["run.max_size"]),
    ],
)
def test_an_unlawful_meld_names_the_clauses_that_forbid_it(run, cards, clauses):
    result = run("meld", cards)
    assert result.code == 1
    assert ", not lawful" in result.out
    answers = run("meld", cards, "--json").json
    assert [violated["clause"] for violated in answers[0]["violated"]] == clauses


def test_of_very_many_ways_the_first_are_shown(run):
    few = run("meld", "JK", "JK")
    assert few.code == 1
    assert few.out.count(", not lawful") == 3
    assert few.out.splitlines()[-1] == "… and 62 more ways, none of them lawful; --all shows them"
    assert run("meld", "JK", "JK", "--all").out.count(", not lawful") == 65
    assert len(run("meld", "JK", "JK", "--json").json) == 65


def test_cards_as_laid_are_judged_as_they_lie(run):
    assert run("meld", "KH", "AH", "2H").out.startswith("2H KH AH: run, lawful")
    result = run("meld", "--as-laid", "KH", "AH", "2H")
    assert result.code == 1
    assert result.out.startswith("KH AH 2H: no meld, not lawful")
    assert run("meld", "-l", "run 2H 2H 4H").code == 0


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("meld", "3X"), "there is no card '3X'"),
        (("meld",), "Missing argument"),
        (("meld", "flock 3H 4H 5H"), "'flock'"),
        (("explain", "--given", "turn A start"), "Missing argument"),
        (("explain", "--given", "turn A start", "drow"), "did you mean 'draw'?"),
        (("explain", "--given", "turn A start", "draw", "--seat", "Z"), "there is no seat 'Z'"),
        (("explain", "--given", "turn A start", '{"action": 1}'), "the member 'args' is missing"),
    ],
)
def test_bad_input_gets_one_message_and_exit_code_2(run, args, message):
    result = run(*args)
    assert result.code == 2
    assert message in result.err
    assert result.out == ""
