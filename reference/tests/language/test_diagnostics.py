"""How messages look, and that each has a documented code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import biriba
from biriba.language.diagnostics import CODES, EXCERPT_WIDTH, Diagnostic, RulesError, did_you_mean, render
from biriba.language.source import Source
from biriba.model.span import Span

TEXT = 'ruleset a "b"\nclause c.d\n\tfact wrong\n'
SOURCES = {"a.rules": Source("a.rules", TEXT)}


def at(line: int, column: int, length: int = 1) -> Span:
    return Span("a.rules", line, column, line, column + length)


def excerpt(text: str, column: int, length: int = 1) -> tuple[str, str]:
    """The source line and the carets as shown."""
    shown = render([Diagnostic("E0101", "m", at(1, column, length))], {"a.rules": Source("a.rules", text)})
    lines = shown.split("\n")
    return lines[3][4:], lines[4][4:]


def test_a_message_names_the_place_shows_the_line_and_gives_a_hint():
    shown = render([Diagnostic("E0201", "'wrong' is not defined", at(3, 7, 5), "did you mean 'right'?")], SOURCES)
    assert shown == (
        "error[E0201]: 'wrong' is not defined\n"
        " --> a.rules:3:7\n"
        "  |\n"
        "3 |     fact wrong\n"
        "  |          ^^^^^\n"
        "  = hint: did you mean 'right'?\n"
        "\n"
        "1 error"
    )


def test_messages_come_in_the_order_of_the_source_and_are_counted():
    found = [
        Diagnostic("W0603", "third", at(3, 1), severity="warning"),
        Diagnostic("E0101", "second", at(2, 8)),
        Diagnostic("E0101", "first", at(2, 1)),
    ]
    shown = render(found, SOURCES)
    assert re.findall(r"(?:error|warning)\[.*\]: (\w+)", shown) == ["first", "second", "third"]
    assert shown.endswith("\n\n2 errors, 1 warning")
    assert str(RulesError(found, SOURCES)) == shown


def test_no_messages():
    assert render([], {}) == "no errors"


def test_a_message_about_a_file_shows_no_line():
    shown = render([Diagnostic("E0112", "there is no such file", Span("x.rules", 0, 0, 0, 0))], {})
    assert shown == "error[E0112]: there is no such file\n --> x.rules\n\n1 error"


def test_colours_change_nothing_else():
    found = [Diagnostic("E0101", "m", at(2, 1, 6), "h"), Diagnostic("W0601", "n", at(1, 1), severity="warning")]
    assert re.sub(r"\x1b\[[0-9;]*m", "", render(found, SOURCES, color=True)) == render(found, SOURCES)


def test_a_span_of_several_lines_is_underlined_to_the_end_of_the_first():
    shown = render([Diagnostic("E0101", "m", Span("a.rules", 1, 9, 3, 2))], SOURCES)
    assert shown.split("\n")[3:5] == ['1 | ruleset a "b"', "  |         ^^^^^"]


@pytest.mark.parametrize(
    ("line", "column", "shown", "carets"),
    [
        ("\tx", 2, "    x", "    ^"),
        ("a\0b", 3, "a␀b", "  ^"),
        ("a\x7f\u202eb", 4, "a␡\\u{202e}b", "          ^"),
        ("日本x", 3, "日本x", "    ^"),
        ("e\u0301x", 3, "e\u0301x", " ^"),
        ("end", 4, "end", "   ^"),
        ("", 1, "", "^"),
    ],
)
def test_carets_stand_under_their_place(line, column, shown, carets):
    assert excerpt(line, column) == (shown, carets)


def test_long_lines_are_cut_around_the_place():
    text, carets = excerpt("a" * 500 + "wrong" + "b" * 500, 501, 5)
    assert text.startswith("…")
    assert text.endswith("…")
    assert len(text) <= EXCERPT_WIDTH + 2
    assert text[carets.index("^") : len(carets)] == "wrong"


def test_a_mark_longer_than_the_line_is_cut():
    text, carets = excerpt("x" * 500, 1, 500)
    assert len(carets) == len(text) - 1 == EXCERPT_WIDTH


@given(st.text(), st.text(), st.integers(0, 30), st.integers(0, 30), st.integers(0, 5))
def test_any_text_can_be_shown(message, text, line, column, lines):
    source = Source("a.rules", text)
    span = Span("a.rules", line, column, line + lines, column + 1)
    shown = render([Diagnostic("E0101", message, span, message)], {"a.rules": source})
    assert all(c == "\n" or c.isprintable() or c.isspace() for c in shown), "control characters are made visible"
    assert not set(shown) & set("\t\r\v\f\0\x1b\x85\u2028\u2029\u202e")
    assert len(shown.split("\n")) <= 8


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("hnad", "hand"),
        ("hands", "hand"),
        ("HAND", "hand"),
        ("discrad", "discard"),
        ("stockpile", None),
        ("x", None),
        ("", None),
        ("hand", None),
        ("h" * 10_000, None),
    ],
)
def test_did_you_mean(word, wanted):
    assert did_you_mean(word, ["stock", "hand", "discard"]) == (wanted and f"did you mean '{wanted}'?")


def test_every_code_in_use_is_documented_and_every_documented_code_is_in_use():
    files = [path for path in Path(biriba.__file__).parent.rglob("*.py") if path.name != "diagnostics.py"]
    used = {code for path in files for code in re.findall(r'"([EW]\d{4})"', path.read_text(encoding="utf-8"))}
    assert used == set(CODES)
