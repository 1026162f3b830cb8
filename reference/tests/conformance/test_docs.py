"""What docs/conformance.md shows is what the commands print."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from biriba.cli.app import app
from biriba.conformance import Suite, load_suite
from biriba.conformance.engine import Reference
from biriba.data import conformance_dir
from biriba.scenario.rulesets import load_named
from tests.conformance.seeded import faulty

PAGE = Path(__file__).parents[3] / "docs" / "conformance.md"
pytestmark = pytest.mark.skipif(not PAGE.is_file(), reason="the pages are not part of an installed package")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_the_failure_is_printed_as_shown(tmp_path: Path) -> None:
    (shown,) = [block for block in blocks("text") if block.startswith("FAILED")]
    (tmp_path / "adapter.py").write_text(faulty("the ban ignored"), encoding="utf-8")
    name = "example/discard.not-what-you-took.neither-the-card-nor-its-twin"
    command = ["conform", "--only", name, "--", sys.executable, str(tmp_path / "adapter.py")]
    printed = CliRunner().invoke(app, command).output
    for line in shown.splitlines():
        assert line in printed or line.startswith("  again:"), line
    assert f"again:    biriba conform --only {name} -- " in printed


def test_questions_and_answers_are_as_shown() -> None:
    suite: Suite = load_suite("biriba")
    shown = [json.loads(block) for block in blocks("json")]
    questions = [value for value in shown if "meld" in value or "layouts" in value]
    case = {"ruleset": {"name": "biriba", "version": suite.ruleset[1]}, "questions": questions}
    answers = Reference(load_named).answer(case)
    assert answers[0] == {"lawful": True, "clean": False}
    melds = next(value for value in shown if "melds" in value)["melds"]
    assert sorted(answers[1]["melds"], key=str) == sorted(melds, key=str)


def test_what_new_prints(tmp_path: Path) -> None:
    (shown,) = [block for block in blocks("console") if "conform new" in block]
    printed = CliRunner().invoke(app, ["conform", "new", str(tmp_path / "my-adapter"), "--lang", "javascript"]).output
    for line in shown.splitlines()[1:]:
        assert line.removeprefix("wrote my-adapter").strip() in printed.replace("\n", " ") or "cd my-adapter" in line


def test_the_consumer_in_another_language() -> None:
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    program = conformance_dir() / "adapters" / "javascript" / "consumer.js"
    assert len(program.read_text(encoding="utf-8").splitlines()) <= 40
    command = ["node", str(program), str(conformance_dir() / "vectors")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert int(done.stdout.split()[0]) > 150


def test_the_format_lists_the_names_of_the_canonical_rules() -> None:
    """Each with what it is, since who implements the game has nothing but the documents."""
    table = (conformance_dir() / "format.md").read_text(encoding="utf-8").split("### The names of Biriba")[1]
    rows = re.findall(r"^\| (`.*?) \| (.*?) \|", table.split("\n## ")[0], re.MULTILINE)
    told = [(name, kind) for names, kind in rows for name in re.findall(r"`(\w+)`", names)]
    rules = load_named("biriba").ruleset
    assert {name for name, kind in told if kind == "phase"} == {*rules.phases, "over"}
    zones = {name: kind.rpartition(": ")[2] for name, kind in told if kind.startswith("zone")}
    assert zones == {name: zone.kind for name, zone in rules.zones.items()}
    assert {name for name, kind in told if kind.startswith("state")} == set(rules.states)
    actions = {name: re.findall(r"`(\w+)`", kind) for name, kind in told if kind.startswith("action")}
    assert actions == {name: [param.name for param in action.params] for name, action in rules.actions.items()}
