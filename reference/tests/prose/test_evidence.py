"""What tools found out about clauses."""

from __future__ import annotations

from typing import Any

from biriba.prose.catalogue import load
from biriba.prose.evidence import mutants_evidence, read_evidence, spoken

REPORT: dict[str, Any] = {
    "rules": {"name": "biriba", "digest": "x", "meaning": "d"},
    "results": [
        {"group": "invariant", "subject": "a.b", "about": "draw", "status": "proved"},
        {"group": "invariant", "subject": "a.b", "about": "take", "status": "proved"},
        {"group": "invariant", "subject": "a.b", "about": "lay", "status": "unknown"},
        {"group": "decisive", "subject": "a.c", "about": "", "status": "proved"},
    ],
}


def test_a_report_of_proofs_tells_what_is_proved_of_each_clause() -> None:
    assert read_evidence(REPORT, "d").clauses == {
        "a.b": ["invariant: 2 proved, 1 unknown (draw, take, lay)"],
        "a.c": ["decisive: 1 proved"],
    }


def test_a_report_on_other_rules_tells_nothing() -> None:
    assert read_evidence(REPORT, "other").clauses == {}


def test_other_evidence_is_taken_as_it_is() -> None:
    told = {"title": "Mutants", "clauses": {"a.b": ["3 of 3 caught"]}}
    assert read_evidence(told, "d").clauses == told["clauses"]
    assert read_evidence({**told, "meaning": "e"}, "d").clauses == {}


def test_fates_of_mutants_become_evidence() -> None:
    told = mutants_evidence(
        "d", [("a.b", "a.b: 3 -> 4", "caught", "melds/one"), ("a.b", "a.b: < -> <=", "survived", "")]
    )
    assert read_evidence(told, "d").clauses == {"a.b": ["3 -> 4 – caught: melds/one", "< -> <= – survived"]}


def test_evidence_is_told_in_the_language_of_the_page() -> None:
    say = load("fr").label
    assert spoken("invariant: 2 proved, 1 unknown (draw, take, lay)", say) == (
        "invariant: 2 prouvés, 1 inconnus (draw, take, lay)"
    )
    assert spoken("3 -> 4 – caught: melds/one", say) == "3 -> 4 – attrapé: melds/one"
    assert spoken("It always holds.", say) == "It always holds."
