"""The fuzzer: its positions are possible, its findings small, true, and made again from seed and number."""

from __future__ import annotations

import json
import shlex
import sys
import tempfile
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
from typer.testing import CliRunner, Result

from biriba.cli.app import app
from biriba.conformance import Suite, load_suite, run
from biriba.conformance.fuzz.positions import Positions
from biriba.conformance.fuzz.run import EnginePeer, Finding, Fuzzer
from biriba.data import conformance_dir
from biriba.notation import format_position, parse_cards, parse_meld, parse_position
from biriba.scenario import run as run_scenario
from biriba.scenario.build import encode_vector
from biriba.scenario.scenario import Claim, Value
from biriba.scenario.vectors import vector
from tests.conformance.seeded import Example, faulty


@cache
def suite() -> Suite:
    return load_suite("biriba")


def findings(fault: str, seed: int = 1) -> list[Finding]:
    return list(Fuzzer(suite().rules, EnginePeer(Example(fault), suite()), seed, most=1).run(seconds=60))


def test_random_positions_are_possible_and_of_all_kinds() -> None:
    rules, made = suite().rules, Positions(suite().rules, Random(5))
    found = [position for position in (made.position() for _ in range(40)) if position is not None]
    assert len(found) > 30
    for position in found:
        text = format_position(rules.ruleset, position)
        assert parse_position(rules.ruleset, text) == position
        assert rules.violated_invariants(position) == []
    assert {position.phase for position in found} == set(rules.ruleset.phases)
    again = Positions(suite().rules, Random(5))
    assert found[:5] == [again.position() for _ in range(5)]


def test_a_finding_is_small_true_and_caught_again() -> None:
    (finding,) = findings("the ban ignored")
    scenario = finding.scenario
    document = json.loads(encode_vector(vector(scenario)))
    schema = json.loads((conformance_dir() / "schema" / "vector.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(document)
    assert run_scenario(scenario, suite().rules).passed, "the reference agrees with what is expected"
    assert finding.result.verdict == "failed"
    only = Suite(suite().rules, (scenario,))
    assert run(Example("the ban ignored"), only).results[0].verdict == "failed"
    assert run(Example(), only).results[0].verdict == "passed"
    zones = document["given"]["position"]["zones"]
    assert sum(map(len, zones["melds"].values())) <= 1
    assert all(len(hand) <= 2 for hand in zones["hand"].values())


def test_a_question_about_cards_alone_is_made_as_small_as_shows_the_same() -> None:
    fuzzer = Fuzzer(suite().rules, EnginePeer(Example("jokers of fifty"), suite()))
    cards = parse_cards(suite().rules.ruleset, "2H 2H 2S JK 2D JK")
    asked = fuzzer.prober.value(cards)
    assert fuzzer.fewer_cards(asked, fuzzer.ask(asked)).steps[-1].body == Value(("JK",), 20)
    fuzzer = Fuzzer(suite().rules, EnginePeer(Example("a biriba of six"), suite()))
    for text in ("3H 4H 5H 6H 7H 8H", "2S 4S 5S 6S 7S 8S", "9H 9H 9S 9S 9D 9D"):
        claim = fuzzer.prober.claim(parse_meld(suite().rules.ruleset, text), scored=True)
        assert claim is not None
        assert fuzzer.fewer_cards(claim, fuzzer.ask(claim)) == claim, "six cards are as few as show it"
    fuzzer = Fuzzer(suite().rules, EnginePeer(Example("sevens of ten"), suite()))
    longer = fuzzer.prober.claim(parse_meld(suite().rules.ruleset, "3H 4H 5H 6H 7H 8H"), scored=True)
    assert longer is not None
    body = fuzzer.fewer_cards(longer, fuzzer.ask(longer)).steps[-1].body
    assert isinstance(body, Claim)
    assert body.meld.text == "6H 7H 8H"


def test_a_wrong_score_in_a_deal_is_shown_in_a_position() -> None:
    fuzzer = Fuzzer(suite().rules, EnginePeer(Example("jokers of fifty"), suite()))
    for number in range(20):
        deal = fuzzer.scenario("deal", Random(number))
        if deal is not None and (result := fuzzer.ask(deal)).bad:
            found = fuzzer.as_probe(deal, result)
            assert found is not None
            assert found[0].kind == "score"
            break
    else:
        raise AssertionError("no deal shows it")


def test_findings_come_again() -> None:
    first, second = findings("jokers of fifty"), findings("jokers of fifty")
    assert [f.scenario for f in first] == [f.scenario for f in second]
    number = first[0].number
    fuzzer = Fuzzer(suite().rules, EnginePeer(Example("jokers of fifty"), suite()), 1, most=1)
    assert [f.scenario for f in fuzzer.run(first=number, count=1)] == [f.scenario for f in first]


def test_the_command_writes_a_vector_that_fails_again(tmp_path: Path) -> None:
    program = tmp_path / "adapter.py"
    program.write_text(faulty("sevens of ten"), encoding="utf-8")
    command = ["--", sys.executable, str(program)]
    args = ["fuzz", "--seconds", "30", "--max-findings", "1", "--out", str(tmp_path / "found"), *command]
    result = CliRunner().invoke(app, args)
    assert result.exit_code == 1, result.output
    assert "1 different finding in" in result.output
    (line,) = (line for line in result.output.splitlines() if line.startswith("  again:"))
    again = CliRunner().invoke(app, shlex.split(line)[2:])
    assert again.exit_code == 1
    assert "0/1 passed" in again.output
    nowhere = CliRunner().invoke(app, ["fuzz", "--cases", "1", "--out", str(program), *command])
    assert nowhere.exit_code == 2
    assert "is no folder" in nowhere.output


def test_the_command_is_bounded_and_says_how_to_go_on() -> None:
    example = str(conformance_dir() / "adapters" / "python" / "adapter.py")
    result = CliRunner().invoke(app, ["fuzz", "--cases", "3", "--seed", "9", "--", sys.executable, example])
    assert result.exit_code == 0, result.output
    assert "--seed 9 --from 3" in result.output
    wrong = CliRunner().invoke(app, ["fuzz", "--", "/no/such/program"])
    assert wrong.exit_code == 1
    assert "does not start" in wrong.output


@cache
def program(fault: str) -> Path:
    path = Path(tempfile.mkdtemp()) / "adapter.py"
    path.write_text(faulty(fault), encoding="utf-8")
    return path


def fuzzed(*args: object, fault: str = "sevens of ten") -> Result:
    return CliRunner().invoke(
        app, ["fuzz", *map(str, args), "--max-findings", "9", "--", sys.executable, str(program(fault))]
    )


def told(state: Path) -> dict[str, Any]:
    document = json.loads(state.read_text(encoding="utf-8"))
    assert isinstance(document, dict)
    return document


def test_a_run_that_is_taken_up_again_comes_to_the_same(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.json", tmp_path / "parts.json"
    assert fuzzed("--cases", 8, "--state", whole).exit_code == 1
    assert fuzzed("--cases", 5, "--state", parts).exit_code == 1
    again = fuzzed("--cases", 3, "--state", parts)
    assert again.exit_code == 1
    assert f"to go on: --state {parts}" in again.output
    assert told(whole) == told(parts)
    assert told(whole)["next"] == told(whole)["cases"] == 8
    assert len(told(whole)["found"]) >= 2


def test_several_processes_find_the_same(tmp_path: Path) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    assert fuzzed("--cases", 8, "--state", one).exit_code == 1
    assert fuzzed("--cases", 8, "--state", two, "--jobs", 2).exit_code == 1
    # Each process learns for itself what has been seen, so that more questions may be asked.
    assert told(one) | {"asked": 0} == told(two) | {"asked": 0}


def test_a_state_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    assert fuzzed("--cases", 1, "--state", state).exit_code in (0, 1)
    text = state.read_text(encoding="utf-8")
    for wrong, words in (
        (text[: len(text) // 2], "this is no JSON"),
        ("{}", "this is no state of a fuzzing run"),
        (json.dumps(told(state) | {"fuzz": 2}), "expected a state of form 1"),
        (json.dumps(told(state) | {"next": -1}), "$.next: expected a number"),
        (json.dumps(told(state) | {"implementation": {"name": "other", "version": "1"}}), "the implementation other 1"),
    ):
        state.write_text(wrong, encoding="utf-8")
        result = fuzzed("--cases", 1, "--state", state)
        assert result.exit_code == 2, result.output
        assert words in result.output
        assert state.read_text(encoding="utf-8") == wrong, "what cannot be used is left alone"
    state.write_text(text, encoding="utf-8")
    assert "of the seed 0, and this run is of 3" in fuzzed("--cases", 1, "--seed", 3, "--state", state).output
    assert "give one of them" in fuzzed("--from", 3, "--state", state).output
    assert "cannot be written" in fuzzed("--state", tmp_path / "nowhere" / "state.json").output


def test_who_answers_nothing_is_not_said_to_agree() -> None:
    fake = str(Path(__file__).with_name("fakes.py"))
    result = CliRunner().invoke(app, ["fuzz", "--cases", "2", "--", sys.executable, "-S", fake, "skips_cases"])
    assert result.exit_code == 4, result.output
    assert "nothing was compared" in result.output
    other = CliRunner().invoke(app, ["fuzz", "--cases", "2", "--", sys.executable, "-S", fake, "other_rules"])
    assert other.exit_code == 4, other.output
    assert "other_rules does not play by biriba 1.0.0" in other.output
