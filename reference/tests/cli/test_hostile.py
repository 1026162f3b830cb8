"""Surroundings and input that are not as they should be: each ends in one message and a documented exit code."""

from __future__ import annotations

import os
import stat
import subprocess
import sys

import pytest

from biriba.cli import common

BIRIBA = [sys.executable, "-m", "biriba"]
STUCK = """ruleset stuck "Nothing can be discarded" extends biriba
  version "1.0.0"

clause house.no_discard
  "Nobody discards in his first turn."
  because "a test"
  on discard(c) require passes > 0
"""


@pytest.fixture
def environment(cache_folder):
    return os.environ | {"BIRIBA_CACHE": str(cache_folder), "PYTHONPATH": os.pathsep.join(sys.path)}


@pytest.fixture
def short_rules(tmp_path):
    path = tmp_path / "short.rules"
    path.write_text('ruleset short "Short" extends biriba\n  version "1.0.0"\nset target = 100\n', encoding="utf-8")
    return path


def shell(environment, command):
    """Runs a line of the shell in which `biriba` stands for the command."""
    line = command.replace("biriba", f"{sys.executable} -m biriba", 1)
    return subprocess.run(
        ["bash", "-c", line], check=False, env=environment, capture_output=True, text=True, timeout=60
    )


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")
@pytest.mark.parametrize("arguments", ["--version", "--help", "meld 3H 4H 5H", "meld 3H 4H 5H --json", "show"])
def test_output_that_cannot_be_written_is_told(environment, arguments):
    result = shell(environment, f"biriba {arguments} > /dev/full")
    assert result.returncode == common.BAD_INPUT
    assert result.stderr == "error: the output cannot be written: No space left on device\n"


def test_closed_streams_are_told(environment):
    result = shell(environment, "biriba meld 3H 4H 5H >&-")
    assert (result.returncode, result.stderr.count("\n")) == (common.BAD_INPUT, 1)
    assert "closed" in result.stderr
    result = shell(environment, "biriba legal - <&-")
    assert result.returncode == common.BAD_INPUT
    assert "does not say whose turn it is" in result.stderr


def test_a_reader_that_goes_away_ends_a_table_with_its_own_code(environment):
    result = shell(environment, "biriba show | true; exit ${PIPESTATUS[0]}")
    assert (result.returncode, result.stderr) == (common.BROKEN_PIPE, "")


@pytest.mark.parametrize("locale", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "POSIX", "PYTHONUTF8": "0"}])
def test_output_is_utf8_whatever_the_locale(environment, locale):
    command = [*BIRIBA, "show", "--clause", "turn.draw"]
    result = subprocess.run(command, check=False, env=environment | locale, capture_output=True, timeout=60)
    assert result.returncode == common.OK
    assert "S000 §4" in result.stdout.decode()


def test_a_device_is_written_to_and_a_link_is_followed(tmp_path):
    pipe, real, link = tmp_path / "pipe", tmp_path / "real.txt", tmp_path / "link.txt"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    common.write_text(pipe, "text\n")
    assert os.read(reader, 100) == b"text\n"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    real.write_text("old", encoding="utf-8")
    real.chmod(0o640)
    link.symlink_to(real)
    common.write_text(link, "new\n")
    assert link.is_symlink()
    assert real.read_text(encoding="utf-8") == "new\n"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.txt", "pipe", "real.txt"]


@pytest.mark.parametrize("place", [".", "", "{}", "{}/none/game.txt", "{}/" + "x" * 300])
def test_a_game_is_not_begun_if_its_record_could_not_be_written(run, tmp_path, place):
    result = run("play", "--seed", "1", "--record", place.format(tmp_path))
    assert (result.code, result.out) == (common.BAD_INPUT, "")
    assert "cannot be written" in result.err


def test_rules_without_a_legal_action_stop_the_game_and_keep_its_record(run, tmp_path):
    rules, record = tmp_path / "stuck.rules", tmp_path / "game.txt"
    rules.write_text(STUCK, encoding="utf-8")
    result = run("play", "--seed", "1", "--rules", rules, "--record", record)
    assert result.code == common.NO
    assert "nothing is legal for " in result.err
    assert "unfinished" in result.out
    assert run("replay", "--rules", rules, record).code == common.OK
    assert "nothing is legal for " in run("play", "--seed", "1", "--rules", rules, "--json").json["error"]


@pytest.mark.parametrize("arguments", [("legal", ""), ("legal", "--given", ""), ("score", " "), ("deal", "--deck", "")])
def test_an_empty_argument_is_told_as_one(run, arguments):
    result = run(*arguments)
    assert result.code == common.BAD_INPUT
    assert "is empty" in result.err


def test_a_fault_in_a_file_is_told_with_file_line_and_column(run, tmp_path, match_record):
    path = tmp_path / "game.txt"
    path.write_text(match_record.replace(" draw\n", " fly\n", 1), encoding="utf-8")
    line = path.read_text(encoding="utf-8").split(" fly\n")[0].count("\n") + 1
    result = run("replay", path)
    assert result.code == common.BAD_INPUT
    assert result.err.startswith(f"error: {path}:{line}:3: there is no action 'fly'")
    assert f"error: standard input:{line}:3: " in run("score", "-", stdin=path.read_bytes()).err
    path.write_text("turn A start; hnd A 9H", encoding="utf-8")
    assert f"error: {path}:1:15: " in run("legal", "--given", path).err
    path.write_text('{"phase": 1}', encoding="utf-8")
    assert f"error: {path}: $" in run("legal", path).err


def test_a_list_is_no_position(run):
    assert "expected an object, found a list" in run("legal", "[]").err


def test_a_record_is_scored_by_the_rules_that_it_names(run, tmp_path, short_rules):
    record = tmp_path / "game.txt"
    assert run("play", "--seed", "2", "--rules", "cyprus", "--record", record).code == common.OK
    assert run("score", record).code == common.OK
    assert run("play", "--seed", "2", "--rules", short_rules, "--record", record).code == common.OK
    for command in ("score", "replay"):
        result = run(command, record)
        assert result.code == common.BAD_INPUT
        assert "--rules short.rules" in result.err
        assert run(command, "--rules", short_rules, record).code == common.OK


def test_files_that_cannot_be_read_do_not_hide_the_others(run, tmp_path, short_rules):
    (tmp_path / "large.rules").write_bytes(b"#" * 3_000_000)
    (tmp_path / "latin.rules").write_bytes(b"\xff")
    result = run("check", tmp_path)
    assert result.code == common.BAD_INPUT
    for line in ("large.rules: cannot be read", "latin.rules: cannot be read", "short.rules: ok"):
        assert line in result.out
    assert [report["ok"] for report in run("check", tmp_path, "--json").json] == [True, False, False]


def test_a_rule_set_comes_before_a_folder_of_its_name(run, tmp_path, monkeypatch):
    (tmp_path / "biriba").mkdir()
    monkeypatch.chdir(tmp_path)
    assert "biriba 1.0.0" in run("check", "biriba").out


def test_a_file_that_is_named_without_its_ending_is_pointed_out(run, short_rules, monkeypatch):
    monkeypatch.chdir(short_rules.parent)
    result = run("check", "short")
    assert result.code == common.BAD_INPUT
    assert "a file is named by its path: short.rules" in result.err


def test_what_is_legal_is_told_for_the_seat_to_act(run):
    result = run("explain", "--given", "turn A start", "draw", "--seat", "B")
    assert "It is the turn of A, not of B." in result.out
    assert "Legal for A:" in result.out
