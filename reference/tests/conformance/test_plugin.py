"""The pytest plugin, in a pytest of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from biriba.cli.app import app
from biriba.conformance import load_suite
from tests.conformance.test_cli import OWN

CONFTEST = """
import pytest
from biriba.conformance import Implementation, Reference
from biriba.scenario.rulesets import load_named

pytest_plugins = ["biriba.conformance.pytest_plugin"]

class Forgetful(Reference):
    def answer(self, case):
        answers = super().answer(case)
        return [{"skipped": "no idea"} if "layouts" in q else a for q, a in zip(case["questions"], answers)]

class Wrong(Reference):
    def answer(self, case):
        return [{**a, "lawful": True} if "lawful" in a else a for a in super().answer(case)]

@pytest.fixture
def biriba_engine():
    return ENGINE(load_named)
"""


def run(tmp_path: Path, engine: str, *args: str) -> str:
    (tmp_path / "conftest.py").write_text(CONFTEST.replace("ENGINE", engine))
    (tmp_path / "test_it.py").write_text("def test_biriba(biriba_vector):\n    biriba_vector.check()\n")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-rs", *args, str(tmp_path)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False).stdout


def test_the_reference_passes(tmp_path: Path) -> None:
    out = run(tmp_path, "Reference", "--biriba-level", "melds")
    assert f"{len(load_suite('biriba').chosen(levels=['melds']))} passed" in out


def test_what_it_cannot_answer_is_skipped(tmp_path: Path) -> None:
    out = run(tmp_path, "Forgetful", "--biriba-only", "meld/joker-at-either-end", "--biriba-only", "meld/ace-low")
    assert "1 passed, 1 skipped" in out
    assert "no idea" in out


def test_a_failure_says_what_is_wrong(tmp_path: Path) -> None:
    out = run(tmp_path, "Wrong", "--biriba-only", "meld/fourteen")
    assert "1 failed" in out
    assert "is unlawful" in out
    assert "run.max_size: A run has at most 13 cards." in out


def test_rules_and_vectors_of_one_s_own(tmp_path: Path) -> None:
    rules, folder = tmp_path / "own.rules", tmp_path / "vectors"
    rules.write_text(OWN, encoding="utf-8")
    assert CliRunner().invoke(app, ["test", str(rules), "--save", str(folder)]).exit_code == 0
    engine = f"(lambda load: Reference(load, [load({str(rules)!r})]))"
    assert "1 passed" in run(tmp_path, engine, f"--biriba-rules={rules}", f"--biriba-vectors={folder}")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--biriba-level=meld",), "there is no level 'meld'"),
        (("--biriba-rules=nosuch",), "there is no rule set 'nosuch'"),
        (("--biriba-level=melds", "--biriba-only=turn/*"), "no vector is of all that was asked for"),
        (("--biriba-vectors=nowhere",), "there are no vectors here"),
    ],
)
def test_what_cannot_be_chosen_is_one_message(tmp_path: Path, args: tuple[str, ...], words: str) -> None:
    out = run(tmp_path, "Reference", *args)
    assert words in out
    assert "1 error" in out
    assert "Traceback" not in out
    assert "pytest_generate_tests" not in out
