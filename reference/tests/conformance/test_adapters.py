"""The example adapters and the starters, where their languages are installed."""

from __future__ import annotations

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

PROGRAMS = {"python": [sys.executable], "javascript": ["node"], "java": ["java"]}
COVERED = {"python": LEVELS, "javascript": ("melds", "scoring"), "java": ("melds", "scoring")}


@cache
def suite() -> Suite:
    return load_suite("biriba")


def needed(language: str) -> list[str]:
    program = PROGRAMS[language]
    if shutil.which(program[0]) is None:
        pytest.skip(f"{program[0]} is not installed")
    return program


@pytest.mark.parametrize("language", LANGUAGES)
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
    program, folder = needed(language), tmp_path / "new"
    said = list(write_starter(folder, language))
    assert "biriba conform --smoke" in "".join(said)
    file = folder / LANGUAGES[language].file
    checked = subprocess.run([*program, str(file), "--check"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    assert "the self-check has passed" in checked.stdout
    assert all(check.passed for check in smoke([*program, str(file)], 30, 30))
    report = conform([*program, str(file)], suite(), suite().chosen(only=["meld/*"]), Options(30, 30))
    assert {result.verdict for result in report.results} == {"skipped"}
