"""Every proof of the canonical rules fails where the rules are weakened, as `weakenings` lists it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("z3")

from biriba.verify.verdicts import PROVED, Result
from tests.verify import weakenings
from tests.verify.weakenings import TIGHTER, UNTIL, Key, canonical, key

EVIDENCE = Path(__file__).parents[3] / "docs" / "evidence" / "proofs.json"
"""The report on the canonical rules that is published: the proofs that there are."""

TURN = int(canonical().ruleset.digest[:8], 16)
"""What a sample begins with; another one whenever the rules change."""


def proofs() -> list[Key]:
    report = json.loads(EVIDENCE.read_text(encoding="utf-8"))
    return [(r["group"], r["subject"], r["about"]) for r in report["results"] if r["status"] == PROVED]


def still_proved(results: list[Result]) -> list[Key]:
    assert results
    return [key(result) for result in results if result.status == PROVED]


def test_the_table_is_about_every_invariant() -> None:
    rules = canonical().ruleset
    declared = Counter(s.clause for s in (*rules.invariants, *rules.step_invariants, *rules.after_deal))
    assert declared == {clause: len(texts) for clause, texts in TIGHTER.items()}
    assert set(UNTIL) == set(rules.actions)


def test_after_the_deal() -> None:
    assert still_proved(weakenings.of_deal()) == []


@pytest.mark.parametrize("action", [["draw", "take", "pass", "discard"][TURN % 4]])
def test_an_action_under_tighter_invariants(action: str) -> None:
    results = weakenings.of_steps(action)
    statements = len(canonical().ruleset.invariants) + len(canonical().ruleset.step_invariants)
    assert len([r for r in results if r.group != "carried"]) == statements
    assert still_proved(results) == []


def test_values_out_of_range() -> None:
    assert still_proved(weakenings.of_ranges([*UNTIL][TURN % len(UNTIL)])) == []


def test_first_values_out_of_range() -> None:
    results = weakenings.of_first_values()
    assert still_proved(results) == []
    assert {r.subject for r in results} == {p[1] for p in proofs() if (p[0], p[2]) == ("state range", "deal")}


def test_effects_under_a_condition_that_never_holds() -> None:
    assert still_proved(weakenings.of_used([*UNTIL][TURN % len(UNTIL)])) == []


def test_clauses_and_endings_that_others_repeat() -> None:
    assert still_proved(weakenings.of_matches()) == []
    assert still_proved(weakenings.of_decisive("draw")) == []


def test_lemma_with_a_card_lost() -> None:
    assert still_proved(weakenings.of_lemmas()) == []


@pytest.mark.slow
def test_every_proof_has_a_weakening_under_which_it_fails() -> None:
    """Some minutes of work; with `-s` it shows how far it is."""
    failing: dict[Key, bool] = {}
    for result in weakenings.everything():
        print(*key(result), result.status, sep=", ", flush=True)
        failing[key(result)] = failing.get(key(result), True) and result.status != PROVED
    assert [proof for proof in proofs() if not failing.get(proof)] == []
