"""The messages are as the schema says, the questions give nothing away, and the reference passes all vectors."""

from __future__ import annotations

import io
import json
import sys
from functools import cache
from typing import Any

import jsonschema
import pytest
from referencing import Registry, Resource

from biriba.conformance import Options, Reference, Suite, conform, load_suite, run, serve
from biriba.conformance.protocol import run_message, start_message, stop_message
from biriba.conformance.results import read_report
from biriba.data import conformance_dir
from biriba.notation import JsonError
from biriba.scenario.rulesets import load_named
from biriba.scenario.scenario import Expect, ScenarioError


@cache
def suite() -> Suite:
    return load_suite("biriba")


def schema(name: str) -> Any:
    return json.loads((conformance_dir() / "schema" / f"{name}.schema.json").read_text(encoding="utf-8"))


def validator(name: str, part: str = "") -> jsonschema.Draft202012Validator:
    names = ("vector", "protocol", "report", "claim")
    registry: Registry[Any] = Registry().with_resources(
        (f"{n}.schema.json", Resource.from_contents(schema(n))) for n in names
    )
    reference = {"$ref": f"{name}.schema.json{part}"}
    return jsonschema.Draft202012Validator(reference, registry=registry)


def test_every_message_is_as_the_schema_says() -> None:
    request, response = validator("protocol", "#/$defs/request"), validator("protocol", "#/$defs/response")
    messages = [start_message(0), *(run_message(n, suite().case(s).asked) for n, s in enumerate(suite().scenarios, 1))]
    messages.append(stop_message(len(messages)))
    out = io.StringIO()
    serve(Reference(load_named), io.StringIO("".join(f"{json.dumps(m)}\n" for m in messages)), out)
    for message in messages[:: len(messages) // 60]:
        request.validate(message)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [answer["seq"] for answer in answers] == list(range(len(messages) - 1))
    for answer in answers[:: len(answers) // 60]:
        response.validate(answer)


def test_nothing_expected_is_sent() -> None:
    """A vector whose expectations are all changed is asked in just the same way."""
    for scenario in suite().scenarios:
        case = suite().case(scenario)
        text = json.dumps(case.asked)
        assert scenario.title not in text
        assert scenario.id not in text
        for word in ("because", "lawful", "expect", "reject", "accept", '"play":'):
            assert word not in text, (scenario.id, word)
        for question in case.questions:
            if question.step is not None and isinstance(question.step.body, Expect):
                values = [v for v in question.asked["tell"].values() if isinstance(v, int) and not isinstance(v, bool)]
                assert set(question.asked["tell"]) - {"perft"} or values


def test_rejections_cannot_be_told_from_plays() -> None:
    """Both kinds of question are asked about legal and about illegal actions."""
    seen = set()
    for scenario in suite().scenarios:
        for question in suite().case(scenario).questions:
            if question.step is not None:
                seen.add((type(question.step.body).__name__, next(iter(question.asked))))
    assert {("Play", "act"), ("Reject", "act"), ("Reject", "judge"), ("Accept", "judge")} <= seen


def test_the_reference_passes_in_a_process_of_its_own() -> None:
    report = conform([sys.executable, "-m", "biriba.conformance.adapter"], suite(), options=Options(60, 60))
    assert report.counts["passed"] == len(report.results) == len(suite().scenarios)
    assert report.seconds < 40
    document = report.to_json()
    validator("report").validate(document)
    again = read_report(json.loads(json.dumps(document)))
    assert again.counts == report.counts
    assert again.implementation == report.implementation


def test_the_reference_passes_in_this_process() -> None:
    report = run(Reference(load_named), suite())
    assert report.ok
    assert report.counts["passed"] == len(suite().scenarios)


def test_no_vector_is_older_than_its_clauses() -> None:
    assert suite().stale == {}


def test_choosing() -> None:
    assert {s.level for s in suite().chosen(levels=["melds"])} == {"melds"}
    assert all("turn.pass" in s.clauses for s in suite().chosen(clauses=["turn.pass"]))
    for wrong in ({"only": ["packet/by-discrad"]}, {"levels": ["meld"]}, {"clauses": ["turn.pas"]}):
        with pytest.raises(ScenarioError, match="did you mean"):
            suite().chosen(**wrong)


def test_an_implementation_that_omits_states_is_skipped_where_they_matter() -> None:
    from dataclasses import replace

    class Partial(Reference):
        def answer(self, case: Any) -> Any:
            answers = super().answer(case)
            for answer in answers:
                answer.get("position", {"states": {}})["states"].pop("passes", None)
            return answers

    engine = Partial(load_named)
    engine.implementation = replace(engine.implementation, omits=("passes",), texts=False)
    report = run(engine, suite())
    skipped = {result.id: result.message for result in report.results if result.verdict != "passed"}
    assert "stock/pass-takes-nothing" in skipped or any("passes" in message for message in skipped.values())
    assert {result.verdict for result in report.results} == {"passed", "skipped"}
    assert report.counts["skipped"] < len(suite().scenarios) // 10


def test_an_omission_that_is_not_declared_is_an_error() -> None:
    class Partial(Reference):
        def answer(self, case: Any) -> Any:
            answers = super().answer(case)
            for answer in answers:
                answer.get("position", {"states": {}})["states"].pop("passes", None)
            return answers

    report = run(Partial(load_named), suite(), suite().chosen(only=["turn/*"]))
    assert any(result.verdict == "errored" and "passes" in result.message for result in report.results)


def test_a_report_that_is_none() -> None:
    for document in ([], {}, {"report": 2}, {"report": 1}):
        with pytest.raises(JsonError):
            read_report(document)
