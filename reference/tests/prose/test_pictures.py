"""Pictures of cards, strips and diagrams."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

import biriba
from biriba import notation
from biriba.interpreter.rules import Rules
from biriba.prose.cards import Shown, aloud, fan, meld_cards, signs
from biriba.prose.catalogue import load
from biriba.prose.diagrams import deal_diagram, turn_diagram
from biriba.prose.flow import arrows
from biriba.prose.html import strip_html, strip_text
from biriba.prose.strips import example_strip, scenario_strip
from biriba.scenario.vectors import load_vector


@pytest.fixture(scope="module")
def rules() -> Rules:
    return biriba.load("biriba")


def shown(rules: Rules, text: str) -> tuple[Shown, ...]:
    return meld_cards(rules.ruleset, notation.parse_meld(rules.ruleset, text))


@pytest.mark.parametrize(
    ("meld", "said"),
    [
        ("4H JK 6H", "four of hearts, joker standing for five of hearts, six of hearts"),
        ("9H 9S 2D", "nine of hearts, nine of spades, two of diamonds standing for any nine"),
        ("2H 2S 4H", "two of hearts, two of spades standing for three of hearts, four of hearts"),
    ],
)
def test_a_meld_is_read_aloud_with_what_its_wild_cards_stand_for(rules: Rules, meld: str, said: str) -> None:
    assert aloud(rules.ruleset, shown(rules, meld)) == said


def test_pictures_are_read_aloud_in_the_language_of_the_page(rules: Rules) -> None:
    speech = load("fr").speech(rules.ruleset)
    said = aloud(rules.ruleset, shown(rules, "4H JK 6H"), speech)
    assert said == "quatre de cœur, joker (à la place de : cinq de cœur), six de cœur"


def test_a_meld_has_a_form_as_text(rules: Rules) -> None:
    assert signs(rules.ruleset, shown(rules, "TH JK QH")) == "10♥ Joker(=J♥) Q♥"


def test_every_card_has_a_picture_that_names_it(rules: Rules) -> None:
    for face in rules.ruleset.cards.faces:
        picture = ElementTree.fromstring(fan(rules.ruleset, (Shown(face.index),)))
        assert picture.get("aria-label") == face.name


def test_a_picture_holds_no_text_of_the_rules_as_markup(rules: Rules) -> None:
    drawn = fan(rules.ruleset, (Shown(0),), label='<b> & "quotes"')
    assert ElementTree.fromstring(drawn).get("aria-label") == '<b> & "quotes": ace of hearts'


def test_every_example_has_a_strip(rules: Rules) -> None:
    for example in rules.ruleset.examples():
        strip = example_strip(rules, example)
        assert strip.frames
        ElementTree.fromstring(strip_html(rules.ruleset, strip))
        assert strip_text(rules.ruleset, strip)


def test_the_worked_example_shows_the_run_grow(rules: Rules) -> None:
    example = rules.ruleset.clauses["packet.take"].examples[0]
    text = strip_text(rules.ruleset, example_strip(rules, example))
    assert "3♥ 4♥ 5♥ 6♥ 7♥ 8♥\n" in text
    assert "3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥" in text


def test_vectors_have_strips(rules: Rules) -> None:
    from biriba.data import conformance_dir

    paths: list[Path] = sorted((conformance_dir() / "vectors").rglob("*.json"))
    for path in paths[::7]:
        scenario = load_vector(path)
        if rules.ruleset.name in dict(scenario.rulesets):
            assert scenario_strip(rules, scenario).frames is not None


def test_the_turn_is_read_off_the_actions(rules: Rules) -> None:
    ways = {(arrow.action, arrow.source, arrow.target) for arrow in arrows(rules.ruleset)}
    assert {("draw", "start", "play"), ("discard", "play", "start"), ("discard", "play", "over")} <= ways


def test_diagrams_are_well_formed_and_linked(rules: Rules) -> None:
    for draw in (turn_diagram, deal_diagram):
        drawn = draw(rules.ruleset, lambda clause: f"{clause}.html")
        ElementTree.fromstring(drawn)
        assert '.html"' in drawn
