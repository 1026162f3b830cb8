"""plan: from a position to a deal that leads there."""

from __future__ import annotations

import pytest

import biriba

LONE = "turn A start; discard 9H; hand A 9H KS"


def test_the_actions_lead_from_the_deck_to_what_is_told(run):
    told = run("plan", "--given", LONE, "--json").json
    game = biriba.load("biriba").deal(deck=told["deck"], dealer=told["dealer"])
    for action in told["actions"]:
        game.apply(action["text"])
    assert told["found"]
    assert "turn A start" in told["position"]
    assert "discard 9H; hand A 9H KS;" in told["position"]
    assert run("plan", "--given", LONE).out.splitlines()[-1] == f"reached  {told['position']}"


def test_a_record_can_be_replayed(run):
    record = run("plan", "--given", LONE, "--record").out
    assert "all legal, all scores right" in run("replay", "-", stdin=record).out


def test_a_whole_position_comes_about_exactly(run):
    position = run("deal", "--seed", "3").out
    found = run("plan", position, "--json").json
    assert (found["actions"], found["position"]) == ([], " ".join(position.replace("\n", "; ").split()).rstrip("; "))


def test_further_melds_lie_beside_those_that_are_told_only_if_asked_for(run):
    few = ("--given", "turn A play; melds X [3H 4H 5H]; hand A KS QS")
    assert run("plan", *few, "--seconds", "1").code == 4
    assert " [3H 4H 5H] [" in run("plan", *few, "--more-melds").out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ["--given", "turn A start; packet 1 AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH"],
            1,
            "no deal leads there: packet 1 has 12 cards, the deal puts 11 there, and no action puts any",
        ),
        (["--given", "hand A KS"], 2, "turn"),
        (["--given", LONE, "--record", "--json"], 2, "--record and --json cannot both be printed"),
        (["turn A start"], 2, "--given"),
    ],
)
def test_what_is_not_to_be_had_is_told(run, arguments, code, message):
    result = run("plan", *arguments)
    assert result.code == code
    assert message in result.out + result.err
