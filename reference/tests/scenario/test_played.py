"""Played forms: they lead to what their vectors state, and the list says of every other vector why it has none."""

from __future__ import annotations

from functools import cache

import pytest

from biriba.data import conformance_dir
from biriba.planner import Goal
from biriba.planner.plan import Plans
from biriba.scenario import Scenario, run
from biriba.scenario.build import encode_vector
from biriba.scenario.forms import FOLDER, LIST, Row, read_list, source, vectors_of, written_list
from biriba.scenario.played import goals, played, played_id
from biriba.scenario.rulesets import load_named
from biriba.scenario.run import start
from biriba.scenario.scenario import Expect, GivenDeck, GivenPosition, Play, Provenance, Step, Written
from biriba.scenario.vectors import load_vector, vector

HINT = "run: python -m biriba.scenario.build"


@cache
def vectors() -> dict[str, Scenario]:
    return {name: of for name, of in vectors_of(conformance_dir()).items() if isinstance(of.given, GivenPosition)}


@cache
def rows() -> dict[str, Row]:
    return read_list(conformance_dir() / LIST)


@cache
def forms() -> dict[str, Scenario]:
    return {form.id: form for form in map(load_vector, sorted((conformance_dir() / FOLDER).rglob("*.json")))}


def test_the_list_names_every_vector_that_begins_in_a_position() -> None:
    assert sorted(rows()) == sorted(vectors()), HINT
    assert {row.form for row in rows().values() if row.form} == set(forms()), HINT
    assert [name for name, row in rows().items() if row.source != source(vectors()[name])] == [], HINT
    assert all(row.why for row in rows().values() if row.form is None)


def test_most_vectors_have_a_played_form() -> None:
    assert sum(row.form is not None for row in rows().values()) > 0.75 * len(rows())


def test_the_list_is_read_as_it_is_written() -> None:
    assert written_list(list(rows().values())) == (conformance_dir() / LIST).read_text(encoding="utf-8")


@pytest.mark.parametrize("part", range(4))
def test_every_form_leads_to_what_is_stated_and_its_steps_hold(part: int) -> None:
    for form in list(forms().values())[part::4]:
        of = vectors()[form.form_of or ""]
        rules = load_named(of.rulesets[0][0])
        assert form.id == played_id(of.id)
        assert (form.title, form.clauses, len(form.steps)) == (of.title, of.clauses, len(of.steps))
        assert isinstance(form.given, GivenDeck)
        assert isinstance(of.given, GivenPosition)
        begins, given = start(rules, form), start(rules, of)
        assert begins is not None
        assert given is not None
        assert any(goal.reached(rules, begins) for goal in goals(rules, of.given, given)), form.id
        assert run(form, rules).passed, form.id
        path = conformance_dir() / FOLDER / f"{form.id}.json"
        assert path.read_text(encoding="utf-8") == encode_vector(vector(form))


# ---------------------------------------------------------------- one of them, made anew


def made(given: str, *steps: Step) -> Scenario:
    rules = load_named("biriba")
    from biriba.scenario.given import parse_given_line

    begins = parse_given_line(rules.ruleset, given, rules.dealt_sizes)
    return Scenario(
        "made/shown", "Shown", "actions", (("biriba", "1.0.0"),), ("turn.lay",), Provenance("scenario"), begins, steps
    )


def test_melds_are_counted_with_the_further_ones() -> None:
    plans = Plans(load_named("biriba"))
    of = made(
        "melds X [9H 9S 9D]; hand A 3H 4H 5H 6H QS KS; turn A play",
        Step(Play(Written("lay 3H 4H 5H"))),
        Step(Play(Written("extend X2 with 6H high"))),
        Step(Expect({"meld": {"X2": {"clean": True}}, "sizes": {"melds": {"X": 2}}})),
    )
    form = played(plans, of)
    assert form is not None
    begins = start(plans.rules, form)
    assert begins is not None
    melds = begins.zones[plans.rules.layout.zone_base["melds"]]
    assert len(melds) > 1, "a hand of six cards in the middle of a turn has laid more than three"
    number = len(melds) + 1
    assert [step.body for step in form.steps][1] == Play(
        Written(f"extend X{number} with 6H high", form.steps[1].body.act.data)  # type: ignore[union-attr]
    )
    expected = form.steps[2].body
    assert isinstance(expected, Expect)
    assert expected.facts == {"meld": {f"X{number}": {"clean": True}}, "sizes": {"melds": {"X": number}}}
    assert [len(of["X"]) for of in expected.also["zones"].values() if "X" in of] == [number]  # type: ignore[union-attr]
    assert run(form, plans.rules).passed


def test_without_anything_stated_what_the_seat_sees_matters() -> None:
    rules = load_named("biriba")
    position = start(rules, made("hand A KS QS; discard 4C; turn A start"))
    assert position is not None
    goal = Goal.seen(rules, position)
    named = {rules.layout.zone_slots[slot] for slot in goal.zones}
    assert named == {("discard", 0), ("hand", 0), ("melds", 0), ("melds", 1)}
