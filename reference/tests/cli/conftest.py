"""Running the command inside the test's own process, as the shell would see it."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from biriba.cli.app import app


@dataclass(frozen=True)
class Result:
    """What a run of the command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Result]


@pytest.fixture(scope="session")
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, cache_folder: Path) -> Run:
    """Runs ``biriba`` with some arguments and a text on standard input."""
    monkeypatch.setenv("BIRIBA_CACHE", str(cache_folder))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")

    def run_command(*args: str | Path, stdin: str | bytes = "") -> Result:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            app([str(arg) for arg in args])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return Result(int(ended.value.code or 0), out, err)

    return run_command


@pytest.fixture(scope="session")
def match_record(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The record of a whole match between bots."""
    path = tmp_path_factory.mktemp("record") / "match.txt"
    with pytest.raises(SystemExit) as ended:
        app(["play", "--seed", "7", "--match", "--bots", "random", "--record", str(path)])
    assert ended.value.code == 0
    return path.read_text(encoding="utf-8")
