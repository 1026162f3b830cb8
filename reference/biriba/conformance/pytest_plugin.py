"""A pytest plugin: each vector is a test of your own engine.

In your `conftest.py`:

    pytest_plugins = ["biriba.conformance.pytest_plugin"]

    @pytest.fixture
    def biriba_engine():
        return MyEngine()          # an object with the members of `biriba.conformance.Engine`

and in a test module:

    def test_biriba(biriba_vector):
        biriba_vector.check()

There is one test for each vector; `--biriba-only`, `--biriba-level`, `--biriba-rules` and `--biriba-vectors` choose
(a file or folder after `=`, as in `--biriba-vectors=found`, since pytest takes it for one of tests otherwise).
What the engine does not claim, or says that it cannot answer, is a skipped test and no passed one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from biriba.conformance.engine import Engine
from biriba.conformance.harness import run_one
from biriba.conformance.results import SKIPPED, UNCOVERED, Report, Result
from biriba.conformance.suite import Suite, load_suite
from biriba.conformance.words import failure
from biriba.language.diagnostics import RulesError
from biriba.scenario.scenario import Scenario, ScenarioError


@dataclass(frozen=True)
class Vector:
    """A vector as a test."""

    scenario: Scenario
    suite: Suite
    engine: Engine

    def check(self) -> Result:
        """Put the vector to the engine; the test fails, or is skipped, if it is not passed."""
        result = run_one(self.engine, self.suite, self.scenario)
        if result.verdict in (SKIPPED, UNCOVERED):
            pytest.skip(f"{result.verdict}: {result.message}")
        if result.bad:
            report = Report(self.engine.implementation, (), self.suite.identity, {}, (result,))
            pytest.fail("\n".join(failure(result, report, self.suite)), pytrace=False)
        return result


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options that choose vectors."""
    group = parser.getgroup("biriba")
    group.addoption("--biriba-only", action="append", default=[], metavar="ID", help="only these vectors: packet/*")
    group.addoption("--biriba-level", action="append", default=[], metavar="LEVEL", help="only vectors of these levels")
    group.addoption("--biriba-rules", default="biriba", metavar="NAME|PATH", help="the rule set")
    group.addoption("--biriba-vectors", type=Path, metavar="DIR", help="a folder of vectors other than the catalogue")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each vector."""
    if "biriba_vector" in metafunc.fixturenames:
        config = metafunc.config
        try:
            chosen = _suite_of(config).chosen(config.getoption("--biriba-only"), config.getoption("--biriba-level"))
        except (ScenarioError, RulesError) as error:
            raise pytest.Collector.CollectError(str(error)) from None
        if not chosen:
            raise pytest.Collector.CollectError("no vector is of all that was asked for")
        metafunc.parametrize("biriba_vector", chosen, indirect=True, ids=[scenario.id for scenario in chosen])


@pytest.fixture
def biriba_vector(request: pytest.FixtureRequest, biriba_engine: Engine) -> Vector:
    """The vector of this test, with the engine of the fixture `biriba_engine`."""
    return Vector(request.param, _suite_of(request.config), biriba_engine)


def _suite_of(config: pytest.Config) -> Suite:
    return _suite(config.getoption("--biriba-rules"), config.getoption("--biriba-vectors"))


@cache
def _suite(name: str, folder: Path | None) -> Suite:
    return load_suite(name, folder)
