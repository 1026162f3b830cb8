"""The command as a process of its own: start, help, signals, pipes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from biriba import load
from biriba.cli import common
from biriba.cli.app import app
from biriba.version import __version__

COMMANDS = [str(command.name) for command in app.registered_commands]
ANSWERING = ["play", "replay", "deal", "legal", "apply", "score", "explain", "meld", "show", "check", "fmt", "test"]
BIRIBA = [sys.executable, "-m", "biriba"]


@pytest.fixture
def environment(cache_folder):
    path = os.pathsep.join(sys.path)
    return os.environ | {"BIRIBA_CACHE": str(cache_folder), "PYTHONPATH": path, "COLUMNS": "100"}


def test_help_names_every_command_and_the_exit_codes(run):
    result = run("--help")
    assert result.code == 0
    for command in COMMANDS:
        assert f" {command} " in result.out
    assert "Exit codes" in result.out
    codes = (common.OK, common.NO, common.BAD_INPUT, common.FAULT, common.INTERRUPTED, common.BROKEN_PIPE)
    for code in codes:
        assert f" {code} " in result.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run, command):
    result = run(command, "--help")
    assert result.code == 0
    assert f"biriba {command}" in result.out or f" {command} " in result.out


@pytest.mark.parametrize("command", [*ANSWERING])
def test_a_command_that_answers_a_question_can_answer_in_json(run, command):
    assert "--json" in run(command, "--help").out


def test_version(run):
    assert run("--version").out == f"biriba {__version__} (rules: biriba {load('biriba').ruleset.version})\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [((), "Usage"), (("plya",), "play"), (("deal", "--sed", "1"), "--seed"), (("legal",), "POSITION")],
)
def test_wrong_usage_is_exit_code_2(run, args, message):
    result = run(*args)
    assert result.code == 2
    assert message in result.out + result.err


def test_help_starts_without_the_compiler_or_the_interpreter():
    code = "import sys; from biriba.cli.app import app; print(*sorted(m for m in sys.modules if 'biriba' in m))"
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env).stdout
    assert "biriba.cli.app" in loaded
    for module in ("biriba.language", "biriba.model", "biriba.interpreter", "biriba.notation", "lark"):
        assert module not in loaded.split()


def test_a_reader_that_goes_away_is_no_error(environment):
    process = subprocess.Popen(
        [*BIRIBA, "show", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )
    assert process.stdout is not None
    process.stdout.read(10)
    process.stdout.close()
    _, err = process.communicate(timeout=60)
    assert process.returncode == common.BROKEN_PIPE
    assert err == b""


@pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
def test_an_interrupt_ends_the_command_cleanly(environment):
    process = subprocess.Popen(
        [*BIRIBA, "legal", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )
    time.sleep(2)  # until it waits for its input
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == common.INTERRUPTED
    assert out == b""
    assert b"Traceback" not in err


def test_a_fault_of_ours_is_exit_code_3(run, monkeypatch):
    def fail(name: str) -> None:
        raise KeyError("lost")

    monkeypatch.setattr("biriba.load", fail)
    result = run("show")
    assert result.code == common.FAULT
    assert result.err.startswith("error: internal fault, a bug in biriba: KeyError: 'lost'")
    monkeypatch.setenv("BIRIBA_DEBUG", "1")
    with pytest.raises(KeyError):
        app(["show"], standalone_mode=False)


def test_it_works_without_a_cache(environment):
    done = subprocess.run(
        [*BIRIBA, "meld", "3H", "4H", "5H"],
        capture_output=True,
        text=True,
        check=False,
        env=environment | {"BIRIBA_CACHE": "off"},
    )
    assert (done.returncode, done.stdout) == (0, "3H 4H 5H: run, lawful, not biriba, clean, value 15\n")
