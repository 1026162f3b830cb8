"""The examples of docs/notation.md are what they claim to be: canonical."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from biriba.notation import (
    format_action_text,
    format_meld,
    format_position,
    format_record,
    parse_action,
    parse_given,
    parse_meld,
    parse_position,
    parse_record,
    position_hash,
)
from biriba.notation.vocabulary import vocabulary
from tests.notation.games import biriba

STANDARD = (Path(__file__).parents[3] / "docs" / "notation.md").read_text(encoding="utf-8")


def shown(name: str) -> str:
    """The block of examples that the page has under a name."""
    found = re.findall(rf"<!-- {name} -->\n```text\n(.*?)```", STANDARD, re.DOTALL)
    assert len(found) == 1, name
    return str(found[0])


@pytest.mark.parametrize("line", shown("melds").splitlines())
def test_melds(line: str) -> None:
    assert format_meld(biriba(), parse_meld(biriba(), line)) == line


@pytest.mark.parametrize("line", shown("actions").splitlines())
def test_actions(line: str) -> None:
    assert format_action_text(biriba(), parse_action(biriba(), line)) == line


def test_position() -> None:
    text = shown("position").strip()
    position = parse_position(biriba(), text)
    assert format_position(biriba(), position) == text
    assert position_hash(biriba(), position) == shown("hash").strip()


def test_partial_position() -> None:
    (text,) = re.findall(r"```text\n(melds X .*)\n```", STANDARD)
    assert parse_given(biriba(), text, [1] * len(vocabulary(biriba()).zone_of)).phase == "start"


def test_record() -> None:
    rules = biriba()
    text = shown("record").replace("1.0.0 sha256:…", f"{rules.version} sha256:{rules.digest}")
    assert format_record(rules, parse_record(rules, text)) == text


def test_the_order_of_faces() -> None:
    (line,) = re.findall(r"```text\n(AH .*)\n```", STANDARD)
    symbols = [face.symbol for face in biriba().cards.faces]
    assert [symbol for symbol in line.split() if symbol != "…"] == [s for s in symbols if s in line.split()]


def test_words_of_the_notation_name_nothing_in_the_canonical_rules() -> None:
    (listed,) = re.findall(r"as the name of anything:\n(.*?)\n\n", STANDARD, re.DOTALL)
    words = vocabulary(biriba())
    rules = biriba()
    names = [*words.faces, *words.seats, *words.sides, *rules.zones, *rules.states, *rules.actions, *rules.templates]
    assert set(re.findall(r"`(\w+)`", listed)).isdisjoint(names)
    assert {"turn", "moving", "record", "none", "over"} <= set(re.findall(r"`(\w+)`", listed))
