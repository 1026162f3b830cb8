"""Rule sets for tests, made from the canonical source by changing its text in memory."""

from __future__ import annotations

import re

from biriba.data import spec_dir
from biriba.language.diagnostics import RulesError
from biriba.language.load import compile_rules
from biriba.language.source import Source
from biriba.model.ruleset import Ruleset

CANONICAL = (spec_dir() / "biriba.rules").read_text(encoding="utf-8")


def changed(*changes: tuple[str, str]) -> str:
    """The canonical source with pieces of text replaced; each must stand there exactly once."""
    text = CANONICAL
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in the canonical rules"
        text = text.replace(old, new)
    return text


def with_parameter(name: str, value: object) -> str:
    """The canonical source with another default of a parameter."""
    text, count = re.subn(rf"(?m)^(parameter {name} *= *)\S+", rf"\g<1>{value}", CANONICAL)
    assert count == 1, name
    return text


def clause_text(id_: str) -> str:
    """The source of a canonical clause."""
    start = CANONICAL.index(f"clause {id_}\n")
    ends = [CANONICAL.find(mark, start + 1) for mark in ("\nclause ", "\n# ---")]
    end = min((e for e in ends if e > 0), default=len(CANONICAL))
    return CANONICAL[start:end].rstrip() + "\n"


def without_clause(*ids: str) -> str:
    """The canonical source without some clauses."""
    text = CANONICAL
    for id_ in ids:
        text = text.replace(clause_text(id_), "")
    return text


def compiled(text: str, name: str = "test.rules") -> Ruleset:
    return compile_rules(Source(name, text))[0]


def faults(text: str) -> list[str]:
    """The diagnostics of a rule file, each as `CODE line: message`; none if it compiles."""
    try:
        compile_rules(Source("test.rules", text))
    except RulesError as error:
        return [f"{d.code} {d.span.line}: {d.message}" for d in error.diagnostics]
    return []
