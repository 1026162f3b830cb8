"""Deadwood in proofs: the encoding of gin rummy judges as the interpreter does, and its invariants are proved."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

pytest.importorskip("z3")

from biriba.language.load import load_ruleset
from biriba.model.position import Action
from biriba.verify.invariants import prove_step
from biriba.verify.replay import encoded
from biriba.verify.steps import Steps
from biriba.verify.verdicts import PROVED
from biriba.verify.witness import Referee

REFEREE = Referee(load_ruleset("gin_rummy"))


def test_knocks_in_play_are_judged_alike() -> None:
    rules, rng = REFEREE.rules, Random(5)
    for seed in range(4):
        game = rules.deal(seed=seed)
        while game.position.phase != "play":
            game.apply(rng.choice(game.legal()))
        verdict = rules.judge(game.position, Action("knock"))
        found = encoded(REFEREE, game.position, Action("knock"), None)
        assert found is not None
        assert found.clauses == set(verdict.clauses) == {"knock.knock"}


@pytest.mark.parametrize(
    "hand",
    [
        "3C 4C 5C 9H 9S 9D 7S QH 2D AS KH",  # 10 at most, a king or a queen set aside
        "2S 3S 4C 5C 6C AD 4D 5D 6D 4H 6H",  # 10, if the six is set aside
        "4S 5S 6S AC 3C 4C 5C 6C 3D 6D 5H",
        "3S 4S 5S 6S 7S 8S 9S TS JS QS KS",
    ],
)
def test_knocks_that_depend_on_the_melds(hand: str) -> None:
    rules, ruleset = REFEREE.rules, REFEREE.ruleset
    faces = {face.symbol: face.index for face in ruleset.cards.faces}
    held = tuple(sorted(faces[card] for card in hand.split()))
    position, base = rules.deal(seed=1).position, rules.layout.zone_base
    others = [face for face in range(len(ruleset.cards.faces)) if face not in held]
    zones = list(position.zones)
    zones[base["hand"] : base["hand"] + 2] = [held, tuple(others[:10])]
    zones[base["discard"]], zones[base["stock"]] = tuple(others[10:12]), tuple(others[12:])
    position = replace(position, phase="play", turn=0, zones=tuple(zones))
    for action in (Action("knock"), Action("discard", (held[0],))):
        verdict = rules.judge(position, action)
        found = encoded(REFEREE, position, action, None)
        assert found is not None
        assert found.clauses == set(verdict.clauses)


def test_what_a_knock_promises_is_proved() -> None:
    steps = Steps(REFEREE.ruleset)
    keep = tuple(range(len(REFEREE.ruleset.step_invariants)))
    for action in ("knock", "put_down"):
        (case, *_) = steps.cases(action)
        only = frozenset({"knock.knock", "knock.discard"})
        results = prove_step(REFEREE, case, keep, 20.0, only)
        assert {result.status for result in results} == {PROVED}
        assert {"knock.knock", "knock.discard"} <= {result.subject for result in results}
