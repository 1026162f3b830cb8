"""The examples of the pages about the language and the variants are what they say they are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from biriba.data import spec_dir
from biriba.language.load import available, compile_rules, other_games
from biriba.language.source import Source
from biriba.model.builtins import BUILTINS

DOCS = spec_dir().parent / "docs"
LANGUAGE = (DOCS / "language.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```biriba\n(.*?)```", LANGUAGE, re.DOTALL)
FRAGMENTS = ("clause", "replace", "parameter", "set ", "drop")


def squeezed(text: str) -> str:
    return " ".join(text.split())


SPEC = squeezed("\n".join(path.read_text(encoding="utf-8") for path in spec_dir().rglob("*.rules")))


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_blocks_compile_or_are_quoted(block: str, tmp_path: Path) -> None:
    if block.startswith("part "):
        name = block.split()[1]
        (tmp_path / f"{name}.rules").write_text(block, encoding="utf-8")
        block = f'ruleset page "Page" extends biriba with {name}\n'
    elif block.startswith(FRAGMENTS):
        block = f'ruleset page "Page" extends biriba\n  version "1"\n\n{block}'
    if block.startswith("ruleset "):
        _, warnings = compile_rules(Source(str(tmp_path / "page.rules"), block))
        assert not warnings
        return
    for line in block.splitlines():
        assert squeezed(line) in SPEC, line


def test_every_function_is_there() -> None:
    for builtin in BUILTINS:
        assert f"`{builtin.name}(" in LANGUAGE
        assert builtin.text in LANGUAGE


def test_every_rule_set_is_described() -> None:
    page = (DOCS / "variants.md").read_text(encoding="utf-8")
    missing = [name for name in available().keys() - other_games().keys() if f"`{name}`" not in page]
    assert not missing
