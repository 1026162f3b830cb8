"""Where several definitions, cases, kinds or winners could apply, one does, or the overlap is told."""

from __future__ import annotations

import pytest

pytest.importorskip("z3")

from biriba.language.diagnostics import RulesError
from biriba.language.load import load_ruleset
from biriba.model.ruleset import Ruleset
from biriba.verify import kinds, matches
from biriba.verify.choices import choices, prove_choices
from biriba.verify.verdicts import NOTED, PROVED, Result
from biriba.verify.witness import Referee
from tests.language.rulefiles import changed, compiled

TIMEOUT = 30.0
DEFINED = "  define can_finish = "


def grades(value: str) -> list[Result]:
    """The verdicts about the cases of a definition of melds' grades."""
    rules = compiled(changed((DEFINED, f"  define grade(m: meld) = {value}\n{DEFINED}")))
    return prove_choices(rules, TIMEOUT, frozenset(("turn.can_finish",)))


def statuses(results: list[Result]) -> dict[str, str]:
    return {r.about.removeprefix("grade: ").removeprefix("grade, "): r.status for r in results}


def test_cases_of_a_definition_that_are_apart() -> None:
    assert statuses(grades("if size(m) >= 7 then 2 else if 5 <= size(m) < 7 then 1 else 0")) == {
        "cases 1 and 2 apart": PROVED,
        "case 1 reached": PROVED,
        "case 2 reached": PROVED,
        "else reached": PROVED,
    }


def test_cases_of_a_definition_that_overlap_are_told_with_a_meld() -> None:
    (overlap, *_) = grades("if size(m) >= 7 then 2 else if size(m) >= 5 then 1 else 0")
    assert overlap.status == NOTED
    assert overlap.note.startswith("both may apply, the first counts, for instance for m = ")


def test_a_case_that_an_earlier_one_leaves_nothing_to() -> None:
    told = statuses(grades("if size(m) >= 5 then 2 else if size(m) >= 7 then 1 else 0"))
    assert told["case 2 reached"] == NOTED
    told = statuses(grades("if size(m) >= 5 then 1 + (if size(m) < 5 then 1 else 0) else 0"))
    assert told["choice 2: case 1 reached"] == NOTED


def test_every_choice_of_the_canonical_rules_has_cases_that_are_reached() -> None:
    rules = load_ruleset("biriba")
    results = prove_choices(rules, TIMEOUT)
    assert {r.status for r in results} == {PROVED}
    assert {r.subject for r in results} == {c.clause for c in choices(rules)}


def test_an_overlap_of_points_is_told_with_the_points() -> None:
    results = prove_choices(load_ruleset("biriba-entry-minimum"), TIMEOUT, frozenset(("entry.due",)))
    told = [r for r in results if r.status == NOTED]
    assert [r.about for r in told] == ["deal: cases 1 and 2 apart"]
    assert "totals X " in told[0].note


@pytest.mark.parametrize("again", ["define can_finish = yes", "value JK 10", "value 4..6 10"])
def test_nothing_is_said_twice(again: str) -> None:
    """A definition, or the points of a card: there the language allows no overlap at all."""
    with pytest.raises(RulesError):
        compiled(changed((DEFINED, f"  {again}\n{DEFINED}")))


def kind(rules: Ruleset) -> Result:
    (found,) = (r for r in kinds.prove_kinds(Referee(rules), TIMEOUT) if r.about == "one kind for the same cards")
    return found


@pytest.mark.slow
def test_many_substitutes_leave_one_kind_where_naturals_must_be_more() -> None:
    assert kind(load_ruleset("guide")).status == PROVED


def test_one_winner_or_the_score_at_which_there_is_none() -> None:
    def told(body: str) -> list[str]:
        line = "match winner is side p when "
        rules = compiled(changed((f"{line}one_leads and total(p) = best", f"{line}{body}")))
        results = [r for r in matches.prove_matches(Referee(rules), TIMEOUT) if r.group == "match winner"]
        return [r.note.split(":")[0] for r in results]

    assert told("one_leads and total(p) = best") == ["", ""]
    assert told("total(p) > best") == ["not so", ""]
    assert told("total(p) <= best") == ["", "not so"]
