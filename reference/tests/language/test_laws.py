"""Laws and templates speak of melds and cards alone, so that whether a meld is lawful is always known."""

from __future__ import annotations

import pytest

from tests.language.rulefiles import CANONICAL, faults

CLAUSE = """
clause probe.law
  "A law to look at."
  because "tests"
"""


def messages(*lines: str) -> list[str]:
    return [fault.partition(": ")[2] for fault in faults(CANONICAL + CLAUSE + "".join(f"  {line}\n" for line in lines))]


@pytest.mark.parametrize(
    "lines",
    [
        ("every meld m: size(m) < 20 or taken[X]",),
        ("define rich = taken[X]", "every meld m: size(m) < 20 or rich"),
        ("every meld m: size(m) < 20 or phase is play",),
        ("every meld m: every n in melds: size(n) > 1",),
    ],
)
def test_a_law_does_not_look_at_the_position(lines: tuple[str, ...]) -> None:
    assert messages(*lines) == ["whether a meld is lawful cannot depend on the position"]


@pytest.mark.parametrize(
    "lines",
    [
        ("every meld m: lawful(m)",),
        ("every meld m: room(m, JK) < 3",),
        ("every meld m: some g in grown(m, JK, 1): size(g) > 3",),
        ("define fine(m: meld) = lawful(m)", "define good(m: meld) = fine(m)", "every meld m: good(m)"),
    ],
)
def test_a_law_does_not_rest_on_the_laws(lines: tuple[str, ...]) -> None:
    assert messages(*lines) == ["whether a meld is lawful cannot depend on which melds are lawful"]


@pytest.mark.parametrize("line", ["natural c when taken[X]", "natural c when some m in melds: lawful(m)"])
def test_how_a_card_may_lie_depends_on_nothing_else(line: str) -> None:
    assert messages("template heap in group", f"  {line}") == ["how a card may lie cannot depend on the position"]
