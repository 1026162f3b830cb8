"""The score of a deal, line by line."""

from __future__ import annotations

import pytest

from tests.interpreter.tables import at, biriba, variant

RUN = "3H 4H 5H 6H 7H 8H 9H"


@pytest.mark.parametrize(
    ("given_", "x", "y"),
    [
        (
            f"melds X [{RUN}] [QH QS QD]; melds Y [7H 7S 7D]; hand A empty; hand C JK AS 5D; hand B 2C KH KD; "
            "hand D 4D 4C; packet 2 empty; taken X yes; closer X",
            335,
            -125,
        ),
        ("melds X [3H 4H 5H 6H 7H 8H]; hand A 5D; hand C KS; hand B AC; hand D JK", -80, -135),
        ("melds Y [7S 7D 7C]; hand A KS; hand C KS; hand B KH; hand D QD", -120, -105),
        (
            f"melds X [{RUN}]; hand A empty; hand C 4S; hand B KS; hand D KS; packet 2 empty; taken X yes; closer X",
            340,
            -120,
        ),
        (
            "melds Y [5S 6S 7S 8S 9S TS JS]; hand A KD; hand C KD; hand B AC; "
            "hand D 8H 8D 8C 9H 9D 9C TH TD TC JH JD; packet 2 empty; taken Y yes",
            -120,
            130,
        ),
    ],
)  # fmt: skip
def test_totals(given_: str, x: int, y: int) -> None:
    assert biriba().score(at(f"{given_}; turn A over")).totals == (x, y)


def test_a_packet_that_sleeps_costs_a_hundred_in_place_of_its_cards() -> None:
    position = at(
        f"melds X [{RUN}]; hand A 3S 4S 5S 6S; hand C KS; packet 2 empty; taken X yes; idle A yes; "
        "hand B KH; hand D KH; turn A over"
    )
    lines = {entry.label: entry.points for entry in biriba().score(position).lines(0)}
    assert lines == {
        "melded cards": 45,
        "cards in hand": -10,
        "run biriba": 200,
        "closing": 0,
        "no packet": 0,
        "idle packet": -100,
    }


def test_an_invariant_may_speak_of_the_points_of_melds() -> None:
    rules = variant(
        "clause house.modest",
        '  "No meld earns more than a dirty run."',
        '  because "tests"',
        "  invariant every side p: every m in melds[p]: points(m) <= run_dirty",
    )
    assert "house.modest" not in rules.violated_invariants(
        at("melds X [3H 4H JK 6H 7H 8H 9H] [QH QS QD]; turn A play", rules)
    )
    assert "house.modest" in rules.violated_invariants(at(f"melds X [QH QS QD]; melds Y [{RUN}]; turn A play", rules))


def test_a_line_names_its_clause_and_its_meld() -> None:
    score = biriba().score(at(f"melds X [QH QS QD] [{RUN}]; turn A over"))
    (bonus,) = (entry for entry in score.entries if entry.label == "run biriba")
    assert (bonus.clause, bonus.side, bonus.points) == ("score.run", 0, 200)
    assert bonus.meld is not None
    assert bonus.meld.index == 1


def test_neighbouring_runs_stay_two_melds() -> None:
    score = biriba().score(at("melds X [3H 4H 5H] [6H 7H 8H 9H]; turn A over"))
    assert [entry.points for entry in score.lines(0) if entry.label in ("melded cards", "run biriba")] == [45]
