"""Perft: counts that add up, and that an engine of its own agrees with."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from biriba.cli.app import app
from biriba.conformance import load_suite, run
from biriba.scenario.perft import counts, divide, perft
from biriba.scenario.rulesets import load_named
from tests.conformance.seeded import Example

GIVEN = "stock 3D 9H; discard 4C; hand A KS QS; rest in hand D; turn A start"


def test_counts_are_the_sum_of_what_divide_says() -> None:
    rules = load_named("biriba")
    position = rules.deal(seed=3).position
    for depth in (1, 2, 3):
        assert sum(count for _, count in divide(rules, position, depth)) == perft(rules, position, depth)
    assert counts(rules, position, 1) == [len(rules.legal(position))]


def test_an_engine_of_its_own_agrees() -> None:
    suite = load_suite("biriba")
    report = run(Example(), suite, suite.chosen(only=["perft/*"]))
    assert report.counts["passed"] == len(report.results) > 5


def test_no_sequence_goes_on_after_the_end() -> None:
    rules = load_named("biriba")
    from biriba.notation import parse_given

    text = "melds X [3H 4H 5H 6H 7H 8H 9H]; taken X yes; packet 2 empty; hand A KS; turn A play"
    assert counts(rules, parse_given(rules.ruleset, text, rules.dealt_sizes), 3) == [1, 0, 0]


def test_the_command() -> None:
    result = CliRunner().invoke(app, ["perft", "-g", GIVEN, "--json"])
    assert json.loads(result.output) == {"perft": [2, 5, 10]}
    told = CliRunner().invoke(app, ["perft", "-g", GIVEN, "--divide"])
    assert "10  all, depth 3" in told.output
