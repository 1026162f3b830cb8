"""The example adapters and the starters, where their languages are installed."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from biriba.conformance import Options, Suite, conform, load_suite
from biriba.conformance.smoke import smoke
from biriba.conformance.starter import LANGUAGES, write_starter
from biriba.data import conformance_dir
from biriba.scenario.scenario import LEVELS

EXAMPLES = {"python": [sys.executable], "javascript": ["node"], "java": ["java"]}
PROGRAMS = {**EXAMPLES, "typescript": ["node"], "csharp": ["dotnet"]}
COVERED = {"python": LEVELS, "javascript": ("melds", "scoring"), "java": ("melds", "scoring")}


@cache
def suite() -> Suite:
    return load_suite("biriba")


def needed(language: str) -> list[str]:
    program = PROGRAMS[language]
    if shutil.which(program[0]) is None:
        pytest.skip(f"{program[0]} is not installed")
    if language == "typescript" and not reads_types() and shutil.which("tsc") is None:
        pytest.skip("this Node does not read types (22.18 does), and tsc is not installed")
    return program


def reads_types() -> bool:
    """Whether Node runs TypeScript as it stands."""
    said = subprocess.run(["node", "-p", "process.features.typescript"], capture_output=True, text=True, check=False)
    return "strip" in said.stdout or "transform" in said.stdout


@pytest.mark.parametrize("language", EXAMPLES)
def test_the_example_passes_all_that_it_claims(language: str) -> None:
    file = conformance_dir() / "adapters" / language / LANGUAGES[language].file
    report = conform([*needed(language), str(file)], suite(), options=Options(60, 60))
    assert not report.complaint
    assert [result for result in report.results if result.bad] == []
    covered = [result for result in report.results if result.level in COVERED[language]]
    assert all(result.verdict != "not covered" for result in covered)
    skipped = [result.id for result in covered if result.verdict == "skipped"]
    assert all("no texts" in result.message for result in covered if result.verdict == "skipped"), (
        "only what has no JSON form is skipped"
    )
    assert len([name for name in skipped if not name.startswith("from-deck/")]) < 10
    assert report.counts["passed"] == len(covered) - len(skipped)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_starter_checks_itself_and_passes_the_smoke_test(language: str, tmp_path: Path) -> None:
    needed(language)
    chosen, folder = LANGUAGES[language], tmp_path / "new"
    said = list(write_starter(folder, language))
    assert "biriba conform --smoke" in "".join(said)
    if chosen.build:
        subprocess.run(shlex.split(chosen.build), cwd=folder, check=True)
    first, *rest = shlex.split(chosen.command)
    if language == "typescript" and not reads_types():
        options = ["--noCheck", "--target", "es2022", "--module", "nodenext"]  # Node's own types need not be there
        subprocess.run(["tsc", *options, chosen.file], cwd=folder, check=True)
        rest = [str(Path(name).with_suffix(".js")) for name in rest]
    program = sys.executable if language == "python" else str(folder / first) if "/" in first else first
    command = [program, *(str(folder / name) for name in rest)]
    checked = subprocess.run([*command, "--check"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    assert "the self-check has passed" in checked.stdout
    assert all(check.passed for check in smoke(command, 30, 30))
    report = conform(command, suite(), suite().chosen(only=["meld/*"]), Options(30, 30))
    assert {result.verdict for result in report.results} == {"skipped"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_starter_is_whole_and_knows_the_protocol(language: str, tmp_path: Path) -> None:
    """What can be said of it without its language: its files, its levels, a line for every question."""
    folder = tmp_path / "new"
    said = "\n".join(write_starter(folder, language))
    chosen = LANGUAGES[language]
    assert sorted(path.name for path in folder.iterdir()) == sorted([chosen.file, *chosen.others])
    assert all(command in said for command in (chosen.command, chosen.build))
    text = (folder / chosen.file).read_text(encoding="utf-8")
    assert [level for level in LEVELS if f'"{level}"' not in text and f"'{level}'" not in text] == []
    schema = json.loads((conformance_dir() / "schema" / "protocol.schema.json").read_text(encoding="utf-8"))
    questions = {name for one in schema["$defs"]["question"]["oneOf"] for name in one["required"] if name != "tell"}
    assert questions >= {"act", "judge", "meld", "layouts", "value"}
    for name in (*questions, "tell", "seq", "skipped", "errored", "answers", "--check"):
        assert name in text, name
    assert "// JSON" not in text, "what is filled in is filled in"
