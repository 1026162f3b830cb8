"""Melds that stand for all lawful ones, and the invariants that they break."""

from __future__ import annotations

import pytest

from biriba.interpreter.evaluate import Evaluator
from biriba.interpreter.rules import Rules
from biriba.interpreter.specimens import specimens
from biriba.language.load import available, load_ruleset
from biriba.notation import format_meld
from tests.interpreter.tables import biriba, variant


def broken(*lines: str) -> dict[str, str]:
    """The clauses whose invariants lawful melds break under some settings, with the first meld of each."""
    rules = variant(*lines)
    return {statement.clause: format_meld(rules.ruleset, meld) for statement, meld in rules.broken_by_melds()}


def test_specimens_are_lawful_and_of_all_kinds() -> None:
    found = list(specimens(Evaluator(biriba().ruleset)))
    assert all(map(biriba().lawful, found))
    runs = [meld for meld in found if meld.template == "run"]
    assert {len(meld.cards) for meld in runs} == set(range(3, 14))
    assert {meld.low for meld in runs} == set(range(1, 13))
    assert {meld.key for meld in found if meld.template == "set"} == {r for r in range(13) if r != 1}
    texts = {format_meld(biriba().ruleset, meld) for meld in found}
    assert {"AH 2H 3H", "QS KS AS", "9H 9S 9D"} <= texts


@pytest.mark.parametrize("name", ["biriba", "guide-super", "venezuelan", "gin_rummy"])
def test_no_lawful_meld_breaks_an_invariant_of_a_rule_set(name: str) -> None:
    assert Rules(load_ruleset(name)).broken_by_melds() == []


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(available()))
def test_nor_of_any_other_rule_set(name: str) -> None:
    test_no_lawful_meld_breaks_an_invariant_of_a_rule_set(name)


def test_numbers_that_do_not_go_together() -> None:
    longest = "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
    assert broken("set max_run = 14") == {"score.full_run": longest}
    assert broken("set max_run = 14", "set full_run = 14") == {}
    assert "score.full_run" in broken("set full_run = 12")
    assert broken("set max_run = 12", "set full_run = 12") == {}
    assert list(broken("set run_dirty = 1001")) == ["score.greatest_bonus"]
    assert broken("set run_dirty = 1001", "set full_run_clean = 1001") == {}


def test_what_depends_on_more_than_the_meld_is_left_to_play() -> None:
    """Only in a position can it be said whether the pair has its packet."""
    lines = (
        "clause house.late",
        '  "Who has no packet has no meld of six cards."',
        '  because "it is a test"',
        "  invariant every side p: every m in melds[p]: size(m) < 6 or taken[p]",
    )
    assert broken(*lines) == {}
    assert list(broken(*(line.replace(" or taken[p]", "") for line in lines))) == ["house.late"]


@pytest.mark.parametrize(
    "line", ["run_dirty = 1001", "full_run = 12", "max_run = 14", "min_meld = 5", "hand_size = 9", "packs = 3"]
)
def test_beside_a_sound_rule_set_only_what_differs_is_asked_again(line: str) -> None:
    changed = variant(f"set {line}")
    assert changed.broken_by_melds(sound=biriba().ruleset) == changed.broken_by_melds()


def test_another_clause_may_make_any_invariant_false() -> None:
    """It may change a definition that an invariant uses, though no number differs."""
    clause = "replace clause score.greatest_bonus", '  "No bonus is great."', '  because "it is a test"'
    sound = variant(*clause, "  define greatest_bonus = full_run_clean")
    small = variant(
        *clause,
        "  define greatest_bonus = run_dirty",
        "  invariant every side p: every m in melds[p]: points(m) <= greatest_bonus",
    )
    assert [b.statement.clause for b in small.broken_by_melds(sound=sound.ruleset)] == ["score.greatest_bonus"]
