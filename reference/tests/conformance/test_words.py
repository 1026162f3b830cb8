"""What is said of a failure: where it happened, what was expected, and what of a long list is not right."""

from __future__ import annotations

from functools import cache

import pytest

from biriba.conformance import Suite, load_suite, run
from biriba.conformance.compare import Wrong
from biriba.conformance.words import MOST_WRONG, apart, failure
from tests.conformance.seeded import Example


@cache
def suite() -> Suite:
    return load_suite("biriba")


def told(fault: str, name: str) -> list[str]:
    """What is said when an implementation with a seeded fault meets a vector."""
    report = run(Example(fault), suite(), suite().chosen(only=[name]))
    (result,) = report.results
    assert result.bad
    return list(failure(result, report, suite()))


@pytest.mark.parametrize(
    ("level", "fault", "name", "lines"),
    [
        (
            "melds",
            "no high ace",
            "bugs/beyond-the-high-ace",
            ["  asked     the melds of ", "  expected  melds JK QH KH AH", "  found     none", "  meld.run: A run is "],
        ),
        (
            "scoring",
            "jokers of fifty",
            "boundary/deck.values.value-joker-20",
            ["  asked     the value of JK", "  expected  value 20", "  found     50", "  deck.values: Joker 20, "],
        ),
        (
            "actions",
            "two wilds in a meld",
            "example/meld.one-wild.a-second-wild-is-one-too-many",
            [
                "  given     melds X [4H 5H 6H JK]; hand A 2S KS QS; turn A play",
                "  asked     extend X1 with 2S low",
                "  expected  extend X1 with 2S low is rejected",
                "  found     it is legal",
                "  meld.one_wild: A meld holds at most 1 substitute",
            ],
        ),
        (
            "legal",
            "passes with a stock",
            "finish/lone-joker",
            [
                "  given     ",
                "  asked     ",
                "  expected  no other legal action",
                "  found     pass is said to be legal",
            ],
        ),
        (
            "games",
            "the dealer is dealt to first",
            "exact/fourteen-from-the-deck",
            [
                "  given     a deal by D, the first cards AH 2H ",
                "  position  after 1 action: turn A play; dealer D; discard 8D; hand A AH 2H ",
                "  asked     lay AH 2H ",
                "  expected  lay AH 2H ",
                "  found     it is rejected",
            ],
        ),
        (
            "views",
            "hands are seen",
            "view/after-a-draw",
            [
                "  position  after 1 action: turn A play; dealer D; discard AH; hand A 9H QS KS",
                "  asked     what holds now",
                "  expected  A knows of hand B only the number of cards",
                "  found     AH 2H 2H ",
            ],
        ),
        (
            "match",
            "exactly 5000 ends",
            "match/exactly-the-target",
            [
                "  given     totals X 5000, Y 4000 after 1 deal",
                "  expected  match: over no",
                "  found     yes",
                "  match.target: ",
            ],
        ),
    ],
)
def test_a_failure_of_each_level_is_readable(level: str, fault: str, name: str, lines: list[str]) -> None:
    assert suite().chosen(only=[name])[0].level == level
    left = told(fault, name)
    for line in lines:
        assert any(said.startswith(line) for said in left), (line, left)
        left = left[next(i for i, said in enumerate(left) if said.startswith(line)) + 1 :]


def test_of_many_differences_the_first_are_shown() -> None:
    lines = told("hands are seen", "view/at-the-start-of-a-turn")
    assert sum(line.startswith("  expected") for line in lines) == MOST_WRONG
    assert "  …         and 4 differences more" in lines


def test_an_answer_that_failed_is_no_answer_of_the_wrong_form() -> None:
    assert any(line.startswith("  errored   the meld run QH ") for line in told("round the corner", "bugs/beyond*"))


@pytest.mark.parametrize(
    ("expected", "found", "said"),
    [
        ("hand A 3H 4H 5H 6H 7H 8H 9H", "3H 4H 5H 6H 7H 8H KS", [("missing", "9H"), ("too many", "KS")]),
        ("stock 3H 4H 5H 6H 7H 8H 9H", "4H 3H 5H 6H 7H 8H 9H", [("so", "the same in another order")]),
        ("melds Y " + "[3H 4H 5H] " * 7, "[3H 4H 5H] " * 6, [("missing", "[3H 4H 5H]")]),
        ("melds A, B, C, D, E, F, G", "A, B, C, D, E, F, H", [("missing", "[G]"), ("too many", "[H]")]),
        ("hand A 3H 4H", "3H", []),
        ("hand A 3H 4H 5H 6H 7H 8H 9H", "empty", []),
    ],
)
def test_of_long_lists_it_is_told_what_is_not_right(expected: str, found: str, said: list[tuple[str, str]]) -> None:
    assert list(apart(suite().rules.ruleset, Wrong(0, "what holds now", expected, found))) == said
