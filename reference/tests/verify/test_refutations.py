"""What refutes an invariant: a position as small as can be, and a deal that leads to it."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("z3")

from biriba import notation
from biriba.interpreter.rules import Rules
from biriba.scenario import vectors as format_
from biriba.scenario.run import run
from biriba.verify import invariants
from biriba.verify.reach import Reach
from biriba.verify.readings import carried
from biriba.verify.run import Report
from biriba.verify.steps import Steps
from biriba.verify.vectors import vectors
from biriba.verify.verdicts import REFUTED, Result, Witness
from biriba.verify.witness import Referee
from tests.verify.mutations import MUTATIONS
from tests.verify.rules import mutated


def refuted(name: str, action: str, clause: str, which: int = 0) -> tuple[Referee, Result]:
    """The refutation of a clause by an action of the first seat, under a mutation of the rules."""
    rules = mutated(next(m for m in MUTATIONS if m.name == name))
    cases = [case for case in Steps(rules).cases(action) if case.me == 0]
    referee = Referee(rules)
    results = invariants.prove_step(referee, cases[which], carried(rules), 60.0, frozenset({clause}))
    return referee, next(r for r in results if r.status == REFUTED and r.subject == clause)


def witness_of(result: Result) -> Witness:
    assert result.witness is not None
    return result.witness


def test_nothing_can_be_left_out_of_a_counterexample() -> None:
    """Taking one card of the pile needs two on it; every hand keeps one, and nothing is laid out."""
    referee, result = refuted("half of the pile", "take", "turn.take")
    position = notation.position_from_json(referee.ruleset, witness_of(result).json["position"])
    sizes: dict[str, list[int]] = {}
    for (name, _), zone in zip(referee.rules.layout.zone_slots, position.zones, strict=True):
        sizes.setdefault(name, []).append(len(zone))
    assert (sizes["discard"], sizes["hand"], sizes["melds"]) == ([2], [1, 1, 1, 1], [0, 0])


def test_a_deal_that_leads_to_a_refutation_is_played_again_and_is_a_vector() -> None:
    referee, result = refuted("half of the pile", "take", "turn.take")
    sentence, deal = Reach(referee).told("turn.take", witness_of(result))
    assert deal is not None
    assert sentence.startswith(f"reached by {len(deal['actions'])} actions")
    game = referee.rules.deal(deck=deal["deck"], dealer=deal["dealer"])
    for action in deal["actions"]:
        before = game.position
        game.apply(action["text"])
    assert "turn.take" in referee.rules.violated_invariants(game.position, before=before)
    rules = referee.ruleset
    told = replace(result, witness=replace(witness_of(result), deal=deal))
    documents = list(vectors(Report(rules.name, rules.version, rules.digest, "z", [told]), rules))
    assert [d["level"] for d in documents] == ["actions", "games"]
    assert all(run(format_.read_vector(document), Rules(rules)).passed for document in documents)


@pytest.mark.slow
def test_a_plan_is_found_where_play_at_random_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("biriba.verify.reach.DEALS", 0)
    referee, result = refuted("packet twice", "extend", "packet.one_each")
    sentence, deal = Reach(referee).told("packet.one_each", witness_of(result))
    assert deal is not None
    assert "planning" in sentence
