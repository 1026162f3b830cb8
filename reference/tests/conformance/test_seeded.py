"""Implementations with one fault each: the vectors catch every one of them, and so does the fuzzer on its own."""

from __future__ import annotations

from functools import cache

import pytest

from biriba.conformance import Options, Suite, load_suite, run
from biriba.conformance.fuzz.run import EnginePeer, Fuzzer
from tests.conformance.seeded import FAULTS, Example


@cache
def suite() -> Suite:
    return load_suite("biriba")


def test_without_a_fault_nothing_is_found() -> None:
    report = run(Example(), suite())
    assert [result for result in report.results if result.bad] == []
    fuzzer = Fuzzer(suite().rules, EnginePeer(Example(), suite()), seed=11)
    assert list(fuzzer.run(count=6)) == []
    assert fuzzer.progress.asked > 30


@pytest.mark.parametrize("fault", FAULTS)
def test_vectors_catch_it(fault: str) -> None:
    report = run(Example(fault), suite(), options=Options(fail_fast=True))
    assert any(result.bad for result in report.results)


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_the_fuzzer_finds_it_in_a_minute(fault: str) -> None:
    fuzzer = Fuzzer(suite().rules, EnginePeer(Example(fault), suite()), seed=1, most=1)
    findings = list(fuzzer.run(seconds=60))
    assert findings
    assert findings[0].result.bad
