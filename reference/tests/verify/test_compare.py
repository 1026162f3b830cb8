"""Two rule sets: what they agree on is proved, where they differ the smallest position is shown, the rest is told."""

from __future__ import annotations

import pytest

pytest.importorskip("z3")

from biriba.language.load import available, load_ruleset
from biriba.model.ruleset import Ruleset
from biriba.verify.compare import ASIDE, Comparison, compare, subjects
from biriba.verify.shared import Shared
from biriba.verify.steps import PROOF
from biriba.verify.verdicts import NOTED, PROVED, Result
from tests.language.rulefiles import changed, compiled, with_parameter

TIMEOUT = 30.0


def compared(a: Ruleset, b: Ruleset, *names: str) -> dict[str, Result]:
    """The results by what they are about, without what is left aside."""
    return {r.about: r for r in compare(a, b, TIMEOUT, names=frozenset(names)) if r.group != ASIDE}


def canonical() -> Ruleset:
    return load_ruleset("biriba")


def test_equal_rules_agree_on_actions_and_properties() -> None:
    again = compiled(changed(("ruleset biriba ", "ruleset again ")))
    results = compared(canonical(), again, "draw", "has_biriba", "turn.stock_lasts", "score.hands")
    assert {r.status for r in results.values()} == {PROVED}
    assert set(results) >= {"the action draw", "the definition has_biriba", "the score by score.hands"}


def test_the_smallest_position_is_shown() -> None:
    """Where a player must hold back two cards, two in hand are the fewest of which one may be discarded or not."""
    stricter = compiled(with_parameter("held_back", 2))
    (result,) = compared(canonical(), stricter, "discard").values()
    assert result.status == NOTED
    assert result.note.endswith("(5 cards in hands and melds)")
    assert result.witness is not None
    assert result.witness.confirmed
    assert result.witness.actions


def test_definitions_are_compared_for_all_arguments() -> None:
    longer = compiled(with_parameter("biriba_length", 8))
    (result,) = compared(canonical(), longer, "biriba").values()
    assert result.status == NOTED
    assert "biriba says yes" in result.note


def test_lines_of_the_score_sheet_are_compared() -> None:
    dearer = compiled(with_parameter("run_clean", 250))
    results = compared(canonical(), dearer, "score.run", "score.set")
    assert results["the score by score.set"].status == PROVED
    assert "biriba says 200, biriba 250" in results["the score by score.run"].note


def test_what_only_one_has_is_left_aside() -> None:
    results = compare(canonical(), load_ruleset("individual-3"), TIMEOUT, names=frozenset(("draw",)))
    aside = [r.note for r in results if r.group == ASIDE]
    assert "only biriba has the seats D" in aside
    assert any(note.startswith("the sides of biriba are AC and BD") for note in aside)
    assert results[-1].status == PROVED


def test_decks_of_different_sizes() -> None:
    six = load_ruleset("guide-six")
    assert any("cards and" in note for note in Shared(load_ruleset("guide"), six).aside)


def encoded(parent: str, child: str, *names: str) -> int:
    """Questions about two rule sets as symbols; how many there are."""
    a, b = load_ruleset(parent), load_ruleset(child)
    comparison, asked = Comparison(Shared(a, b), TIMEOUT), 0
    for subject in subjects(a, b, frozenset(names)):
        for question in comparison.questions(subject) if subject.only is None else ():
            question.ask(PROOF)
            asked += 1
    return asked


def test_rule_sets_for_other_tables_can_be_compared() -> None:
    assert encoded("classic", "three-handed", "take", "can_finish", "score.hands") == 3


@pytest.mark.slow
@pytest.mark.parametrize("child", [name for name in available() if load_ruleset(name).parents])
def test_every_rule_set_can_be_compared_with_its_parent(child: str) -> None:
    assert encoded(load_ruleset(child).parents[0], child) > 20
