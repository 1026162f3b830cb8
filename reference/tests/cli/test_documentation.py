"""What the README and the page about the command show is what the command answers."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from biriba.cli.app import app

ROOT = Path(__file__).parents[3]
README = ROOT / "README.md"
PAGES = [README, ROOT / "docs" / "cli.md"]


def blocks(path: Path, language: str) -> list[str]:
    """The code blocks of a language on a page."""
    return re.findall(rf"^```{language}\n(.*?)^```$", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def sessions() -> list[tuple[str, str]]:
    """The command lines shown on the pages with their answers, those shortened with an ellipsis left out."""
    shown = [block.split("\n", 1) for page in PAGES for block in blocks(page, "console")]
    return [(command.removeprefix("$ "), answer) for command, answer in shown if "…" not in answer]


@pytest.mark.parametrize(("command", "answer"), sessions(), ids=lambda text: text.splitlines()[0][:50])
def test_a_session_on_a_page_is_what_happens(run, command, answer):
    out = ""
    for part in command.split(" | "):
        name, *args = shlex.split(part)
        assert name == "biriba"
        out = run(*args, stdin=out).out
    assert out == answer


def test_the_match_on_the_first_screen_is_what_the_first_command_plays(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first, _second = blocks(README, "sh")
    commands = [shlex.split(part)[1:] for part in first.split(" && ") if "/biriba " in part]
    assert len(commands) == 2
    (shown,) = (block for block in blocks(README, "text") if "seed" in block)
    assert "".join(run(*command).out for command in commands) == shown


def test_the_clause_on_the_first_screen_is_that_of_the_rules(run):
    (shown,) = (block for block in blocks(README, "text") if block.startswith("clause"))
    source = run("show", "--clause", "meld.one_wild").out
    for line in shown.splitlines():
        assert line in source


def test_the_python_on_the_first_screen_runs():
    (shown,) = blocks(README, "python")
    names: dict[str, object] = {}
    for line in shown.splitlines():
        code, _, comment = line.partition("#")
        if code.strip() == "game.score()":
            assert repr(eval(code, names)) == comment.strip()
        else:
            exec(code, names)


def commands(group: Any, before: str = "") -> Iterator[str]:
    """All commands, those of groups with the name of the group."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{before}{name} ")
        elif f"{before}{name}" != "conform run":
            yield f"{before}{name}"


def test_every_command_stands_on_the_page_about_the_command():
    described = re.findall(r"^(`.*)\n: ", (ROOT / "docs" / "cli.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    named = [name for line in described for name in re.findall(r"`([^`]+)`", line)]
    there = [*commands(typer.main.get_group(app)), "conform"]
    assert [name for name in there if not any(f"{other} ".startswith(f"{name} ") for other in named)] == []
    assert [other for other in named if not any(f"{other} ".startswith(f"{name} ") for name in there)] == []
