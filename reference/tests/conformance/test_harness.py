"""The harness against fakes: whatever an implementation does is a verdict, and the run goes on."""

from __future__ import annotations

import os
import sys
import time
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from biriba.cli.app import app
from biriba.conformance import Options, Report, Suite, conform, load_suite

FAKES = Path(__file__).with_name("fakes.py")
FAST = Options(timeout=1.0, startup=8.0)


@cache
def suite() -> Suite:
    return load_suite("biriba")


def tried(fake: str, *args: str, only: tuple[str, ...] = ("meld/ace-*",), options: Options = FAST) -> Report:
    command = [sys.executable, "-S", str(FAKES), fake, *args]
    return conform(command, suite(), suite().chosen(only=only), options)


def kinds(report: Report) -> set[str]:
    return {result.kind or result.verdict for result in report.results}


def test_who_always_says_yes_passes_little() -> None:
    report = tried("always_yes", only=(), options=Options(timeout=10, startup=10))
    assert report.counts["passed"] < len(suite().scenarios) // 15
    assert not report.ok
    assert sum(report.counts.values()) == len(suite().scenarios)


def test_who_always_says_no_passes_little() -> None:
    report = tried("always_no", only=(), options=Options(timeout=10, startup=10))
    assert report.counts["passed"] < len(suite().scenarios) // 15
    assert not report.ok


def test_what_is_not_claimed_is_not_covered_and_what_is_skipped_is_not_passed() -> None:
    report = tried("modest", only=("meld/ace-*", "turn/no-minimum"))
    assert report.counts == {"passed": 0, "failed": 0, "errored": 0, "skipped": 2, "not covered": 1}
    assert not report.ok
    assert "too hard" in report.results[0].message


def test_skipped_cases_have_the_reason() -> None:
    assert {(r.verdict, r.message) for r in tried("skips_cases").results} == {("skipped", "not today")}


def test_an_error_is_told_with_its_context() -> None:
    result = tried("errs").results[0]
    assert (result.verdict, result.kind) == ("errored", "errored")
    assert "NullPointerException" in result.message
    assert "7" in result.message


def test_who_plays_by_another_version_is_not_covered() -> None:
    assert {r.verdict for r in tried("other_rules").results} == {"not covered"}


@pytest.mark.parametrize(
    ("fake", "kind", "words"),
    [
        ("crashes", "exit", "exit code 3"),
        ("babbles", "garbage", "thinking"),
        ("partial", "exit", "in the middle of a line"),
        ("wrong_seq", "sequence", "expected the answer with seq"),
        ("too_few", "form", "there are 0 answers"),
        ("bad_form", "form", "true or false"),
        ("no_object", "garbage", "an answer is a JSON object"),
        ("floods", "flood", "bytes without the end of a line"),
        ("floods_lines", "sequence", "expected the answer with seq"),
    ],
)
def test_misbehaviour_is_a_verdict_for_each_case(fake: str, kind: str, words: str) -> None:
    report = tried(fake, options=Options(timeout=8.0, startup=8.0))
    assert len(report.results) == 2
    assert kinds(report) == {kind}
    assert all(words in result.message for result in report.results)


def test_what_was_printed_is_kept() -> None:
    assert {result.stderr for result in tried("crashes").results} == {"out of cards"}


def test_floods_on_standard_error_are_bounded() -> None:
    report = tried("floods_stderr", options=Options(timeout=10, startup=10))
    assert all(result.verdict == "errored" and len(result.stderr) <= 4000 for result in report.results)


def test_time_outs_do_not_add_up_beyond_their_sum() -> None:
    begun = time.monotonic()
    assert kinds(tried("slow", options=Options(timeout=0.4, startup=8))) == {"timeout"}
    assert kinds(tried("never_reads", options=Options(timeout=0.4, startup=8))) == {"timeout"}
    assert time.monotonic() - begun < 12


def test_the_run_goes_on_after_a_crash() -> None:
    report = tried("crashes_at_second", only=("meld/a*", "meld/j*"))
    assert {"exit", "failed"} <= kinds(report) | {r.verdict for r in report.results}
    assert report.results[0].verdict != "errored"
    assert report.results[2].verdict != "errored"


def test_who_cannot_be_started_again_is_not_tried_for_ever(tmp_path: Path) -> None:
    report = tried("starts_once", str(tmp_path / "mark"), only=("meld/*",))
    messages = [result.message for result in report.results]
    assert messages[0].startswith("the process has ended")
    assert "I am tired" in report.results[1].stderr
    assert messages[-1] == "it could not be started again, several times in a row"


@pytest.mark.parametrize(
    ("fake", "words"),
    [
        ("never_starts", "no display"),
        ("sleeps_at_start", "no answer within"),
        ("lies", "telepathy"),
        ("other_protocol", "protocol 1, not 2"),
        ("no_such_fake", "KeyError"),
    ],
)
def test_who_does_not_start_is_told_so(fake: str, words: str) -> None:
    report = tried(fake, options=Options(timeout=1, startup=1.0 if fake == "sleeps_at_start" else 8.0))
    assert words in report.complaint
    assert not report.ok
    assert report.results == ()


def test_a_program_that_is_not_there() -> None:
    report = conform(["/no/such/program"], suite(), suite().chosen(only=["meld/*"]))
    assert "No such file" in report.complaint


@pytest.mark.skipif(sys.platform == "win32", reason="process groups")
def test_all_processes_are_ended(tmp_path: Path) -> None:
    """A child that ignores being ended, and its own child, are gone after the run."""
    mark = tmp_path / "pid"
    report = tried("deaf", str(mark), only=("meld/ace-low",), options=Options(timeout=0.3, startup=8))
    assert kinds(report) == {"timeout"}
    pid = int(mark.read_text())
    for _ in range(100):
        try:
            with open(f"/proc/{pid}/stat") as file:
                if file.read().split()[2] == "Z":
                    break
            os.kill(pid, 0)
        except (ProcessLookupError, FileNotFoundError):
            break
        time.sleep(0.05)
    else:
        pytest.fail("a process is still there")


def test_who_does_not_stop_is_ended() -> None:
    begun = time.monotonic()
    assert len(tried("deaf_to_stop").results) == 2
    assert time.monotonic() - begun < 15


def test_fail_fast_stops() -> None:
    options = Options(timeout=5, startup=8, fail_fast=True)
    assert len(tried("always_no", only=("meld/*",), options=options).results) < 5


def test_known_failures() -> None:
    failing = next(r.id for r in tried("always_yes", only=("meld/*",)).results if r.bad)
    lawful_only = ("boundary/meld.one-wild.*",)
    passing = next(r.id for r in tried("always_yes", only=lawful_only).results if not r.bad)
    known = tried("always_yes", only=(failing,), options=Options(5, 8, known=frozenset([failing])))
    assert known.results[0].known
    stale = tried("always_yes", only=(passing,), options=Options(5, 8, known=frozenset([passing])))
    assert stale.stale_known == (passing,)
    assert not stale.ok


def test_the_reference_plays_by_a_rule_set_of_one_s_own(tmp_path: Path) -> None:
    rules, vectors = tmp_path / "own.rules", tmp_path / "vectors"
    rules.write_text(
        'ruleset own "My own" extends biriba\n  version "0.1.0"\n\nset value_joker = 25\n\n'
        'clause own.joker\n  "A joker counts {value_joker}."\n  because "an example"\n  follows from deck.values\n'
        '  example "a joker"\n    value JK = 25\n',
        encoding="utf-8",
    )
    saved = CliRunner().invoke(app, ["test", str(rules), "--save", str(vectors)])
    assert saved.exit_code == 0, saved.output
    done = CliRunner().invoke(app, ["conform", "--rules", str(rules), "--vectors", str(vectors), "--self"])
    assert done.exit_code == 0, done.output
    assert "1/1 passed" in done.output
