"""deal, legal, apply, score: commands about one position."""

from __future__ import annotations

from pathlib import Path

import pytest

OWN_RUN = "melds X [3H 4H 5H]; hand A 6H KS QS; turn A play"


def test_a_seed_stands_for_a_deal(run):
    first, again, other = (run("deal", "--seed", seed) for seed in ("7", "7", "8"))
    assert first.code == 0
    assert first.out == again.out != other.out
    assert first.out.startswith("turn A start\ndealer D\n")


def test_without_a_seed_one_is_chosen_and_told(run):
    result = run("deal")
    assert result.code == 0
    seed = result.err.removeprefix("seed ").strip()
    assert run("deal", "--seed", seed).out == result.out


def test_a_deal_from_its_own_deck_is_the_same_deal(run):
    dealt = run("deal", "--seed", "3", "--dealer", "B", "--json").json
    again = run("deal", "--deck", " ".join(dealt["deck"]), "--dealer", "B", "--json").json
    assert again["hash"] == dealt["hash"]
    assert again["position"]["dealer"] == "B"


def test_the_deck_may_come_from_a_file(run, tmp_path):
    deck = run("deal", "--seed", "3", "--json").json["deck"]
    path = tmp_path / "deck.txt"
    path.write_text("\n".join(deck))
    assert run("deal", "--deck", path).out == run("deal", "--seed", "3").out


def test_positions_go_from_command_to_command(run, tmp_path):
    dealt = run("deal", "--seed", "7")
    assert run("legal", "-", stdin=dealt.out).out.split() == ["draw", "take"]
    path = tmp_path / "position.txt"
    path.write_text(dealt.out)
    drawn = run("apply", path, "draw")
    assert drawn.code == 0
    assert drawn.out.startswith("turn A play\n")
    assert "discard AH" in run("legal", "-", stdin=drawn.out).out.splitlines()


def test_a_position_may_be_json(run):
    dealt = run("deal", "--seed", "7", "--json").json
    import json

    assert run("legal", json.dumps(dealt["position"])).out.split() == ["draw", "take"]


def test_several_actions_are_played_in_turn(run):
    result = run("apply", "--given", OWN_RUN, "extend X1 with 6H high", "discard KS", "--json")
    assert result.code == 0
    assert result.json["legal"]
    assert result.json["position"]["turn"] == "B"
    assert result.json["position"]["zones"]["hand"]["A"] == ["QS"]


def test_an_action_may_be_json(run):
    result = run("apply", "--given", OWN_RUN, '{"action": "discard", "args": {"c": "6H"}}')
    assert result.code == 0
    assert "hand A QS KS" in result.out.splitlines()


def test_an_illegal_action_names_its_clauses_and_prints_no_position(run):
    result = run("apply", "--given", OWN_RUN, "discard KS", "draw", "take")
    assert result.code == 1
    assert result.out == ""
    assert result.err.splitlines() == [
        "action 3, take, is illegal:",
        "  turn.take: take belongs to the phase start of a turn, and this is the phase play.",
    ]


def test_an_illegal_action_as_json(run):
    result = run("apply", "--given", OWN_RUN, "discard 9H", "--json")
    assert result.code == 1
    assert result.json["legal"] is False
    assert [violated["clause"] for violated in result.json["violated"]] == ["turn.discard"]


def test_legal_actions_as_json(run):
    actions = run("legal", "--given", OWN_RUN, "--json").json
    assert {action["text"] for action in actions} == {
        "discard 6H", "discard QS", "discard KS", "extend X1 with 6H high"
    }  # fmt: skip
    assert all(action["action"] in ("discard", "extend") for action in actions)


def test_no_action_is_legal_when_the_deal_is_over(run):
    result = run("legal", "--given", "turn A over")
    assert (result.code, result.out) == (1, "")


def test_a_score_sheet_has_a_row_for_each_line_that_counts(run):
    result = run("score", "--given", "melds X [3H 4H 5H 6H 7H 8H 9H]; hand A KS; hand C QS; taken X yes; turn A play")
    assert result.code == 0
    rows = [line.split() for line in result.out.splitlines()]
    assert rows[0] == ["X", "Y"]
    assert ["run", "biriba", "200", "0"] in rows
    assert ["melded", "cards", "45", "0"] in rows
    assert rows[-1][:2] == ["total", str(45 + 200 - 20)]


def test_a_score_as_json_adds_up(run):
    sheet = run("score", "--given", OWN_RUN, "--json").json
    for side, total in sheet["totals"].items():
        assert sum(line["points"] for line in sheet["lines"] if line["side"] == side) == total


def test_a_record_is_scored_deal_by_deal(run, match_record, tmp_path):
    path = tmp_path / "match.txt"
    path.write_text(match_record)
    sheets = run("score", path, "--json").json
    assert len(sheets) == match_record.count("deal dealer")
    totals = [sum(sheet["totals"][side] for sheet in sheets) for side in ("X", "Y")]
    assert f"result X {totals[0]} Y {totals[1]}" in match_record
    assert run("score", path).out.count("total") == len(sheets)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("legal", "foo"), "error: foo: no such file, and no position either"),
        (("legal", "turn A start"), "with --given a position need not tell where every card lies"),
        (("legal", "--given", "hand A 9X; turn A start"), "there is no card '9X'"),
        (("legal", "--given", "hand A 9H 9H 9H; turn A start"), "one 9H too many"),
        (("legal", "--given", "hand Q 9H; turn A start"), "one of A, B, C, D"),
        (("legal", "{"), "this is no JSON"),
        (("legal", "{}"), "the member 'phase' is missing"),
        (("legal", "[" * 100_000), "error: "),
        (("legal", "--given", "passes 99999999999999999999; turn A start"), "too large"),
        (("apply", "--given", OWN_RUN, "fly"), "fly"),
        (("apply", "--given", OWN_RUN, "extend X7 with 6H"), "X7"),
        (("deal", "--seed", "x"), "--seed"),
        (("deal", "--seed", "1", "--deck", "9H"), "give one of them"),
        (("deal", "--deck", "9H 9H"), "the deck has 2 cards"),
        (("deal", "--deck", "9H 9H 9H"), "9H 3 times"),
        (("deal", "--deck", "9H ZZ"), "there is no card 'ZZ'"),
        (("deal", "--seed", "1", "--dealer", "Q"), "there is no seat 'Q'"),
        (("deal", "--seed", "1", "--rules", "birba"), "did you mean 'biriba'?"),
        (("deal", "--seed", "1", "--rules", "nowhere.rules"), "there is no such file"),
    ],
)
def test_bad_input_gets_one_message_and_exit_code_2(run, args, message):
    result = run(*args)
    assert result.code == 2
    assert message in result.err
    assert result.out == ""


def test_a_deck_of_107_cards_is_refused(run):
    deck = run("deal", "--seed", "3", "--json").json["deck"]
    result = run("deal", "--deck", " ".join(deck[1:]))
    assert result.code == 2
    assert f"the deck has 107 cards, and these rules need 108; missing: {deck[0]}" in result.err


def test_bad_input_is_json_too_if_json_is_asked_for(run):
    result = run("legal", "foo", "--json")
    assert result.code == 2
    assert result.json == {"error": "foo: no such file, and no position either"}


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"turn A start; hand A \xe9"])
def test_what_is_no_text_is_refused(run, data):
    result = run("legal", "-", stdin=data)
    assert result.code == 2
    assert "standard input: not UTF-8 text" in result.err


def test_a_huge_file_is_refused(run, tmp_path):
    path = tmp_path / "huge.txt"
    path.write_text("9H " * 3_000_000)
    result = run("legal", path)
    assert result.code == 2
    assert "larger than 8 MB" in result.err


def test_a_folder_is_no_position(run, tmp_path: Path):
    result = run("legal", tmp_path)
    assert result.code == 2
    assert str(tmp_path) in result.err
