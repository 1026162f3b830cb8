"""Gin rummy is the game that OpenSpiel plays: a few hands that it played are replayed.

The hands are of every kind, by how they ended; `benchmarks.gin_replay` recorded them and replays thousands.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import biriba
from benchmarks.gin_replay import KNOCK, Differs, Found, Interpreted, backends, least_deadwood, overlooked, replay
from biriba.engine import Engine
from biriba.interpreter.frame import Standing
from biriba.interpreter.rules import Rules
from biriba.language.load import compile_rules
from biriba.language.source import Source

from .walks import compare

HANDS = [json.loads(line) for line in Path(__file__).with_name("gin_rummy.jsonl").read_text("utf-8").splitlines()]
KINDS = {
    "knocked",
    "- with gin",
    "- and undercut",
    "- with cards laid off",
    "knocked at the wall",
    "passed at the wall",
    "the upcard given back twice",
    "too many upcards taken",
}


@pytest.mark.parametrize("name", ["interpreter", "engine, Python"])
def test_openspiels_hands_are_hands_of_ours(name: str) -> None:
    backend, found = backends(fast=False)[name], Found()
    for hand in HANDS:
        replay(backend, hand, found)
    assert found.hands == len(HANDS) >= 30
    assert found.decisions > 2000
    assert {*found.ends} == KINDS
    assert not found.overlooked


def _changed(**changes: Any) -> dict[str, Any]:
    return {**HANDS[0], **changes}


@pytest.mark.parametrize(
    ("hand", "message"),
    [
        (_changed(returns=[1, -1]), "points, OpenSpiel has"),
        (_changed(players=[1 - player for player in HANDS[0]["players"]]), "another player's turn"),
        (_changed(legal=[[*legal, KNOCK] for legal in HANDS[0]["legal"]]), "OpenSpiel's"),
        (_changed(legal=[legal[:-1] for legal in HANDS[0]["legal"]]), "OpenSpiel's"),
    ],
)
def test_a_difference_is_noticed(hand: dict[str, Any], message: str) -> None:
    with pytest.raises(Differs, match=message):
        replay(Interpreted(biriba.load("gin_rummy")), hand, Found())


def test_the_knock_that_openspiel_overlooks_is_one() -> None:
    """4C 5C 6C and 4D 5D 6D leave 16 points and a six to discard; three fours and three sixes leave a five at most."""
    rules = biriba.load("gin_rummy")
    cards = ["2S", "3S", "4C", "5C", "6C", "AD", "4D", "5D", "6D", "4H", "6H"]
    faces = tuple(sorted(face.index for face in rules.ruleset.cards.faces if face.symbol in cards))
    others = [face.index for face in rules.ruleset.cards.faces if face.index not in faces]
    # Ten of the cards are dealt, the last one is the upcard.
    deck = [*faces[:-1], *others[:10], faces[-1], *others[10:]]
    backend = Interpreted(rules)
    backend.position = rules.dealt(deck, 1, Standing((0, 0), 0))
    backend.legal()
    backend.play(52)
    legal = backend.legal()
    assert legal == [*faces, KNOCK]
    assert overlooked(backend.position, legal, [*faces]) == faces
    assert overlooked(backend.position, legal, [*faces[1:]]) is None
    assert min(least_deadwood(frozenset(faces) - {card}) for card in faces) == 10


def test_deadwood_of_two_packs_with_wilds() -> None:
    text = (
        'ruleset left "What is left counts" extends biriba-bounded\n  version "1"\n\nset hand_size = 6\n\n'
        'clause score.left\n  "What is left of the hands counts."\n  because "a test"\n'
        '  score "left" for side p: sum of deadwood(hand[s], 1) - deadwood(hand[s]) for each seat s of p\n'
    )
    ruleset = compile_rules(Source("left.rules", text))[0]
    rules, engine = Rules(ruleset), Engine(ruleset)
    assert sum(compare(rules, engine, seed, 30) for seed in range(4)) > 60
