"""The parts of a rule set: where parsing starts anew after a syntax error."""

from __future__ import annotations

import re
from dataclasses import dataclass

from biriba.suggest import closest

PART_WORDS = {
    "ruleset": "header",
    "part": "header",
    "parameter": "parameter",
    "set": "setting",
    "drop": "drop",
    "replace": "clause",
    "clause": "clause",
}
"""The words that begin a part at the left margin, with the grammar's rule for it."""

RULES = ("start", "expr", *dict.fromkeys(PART_WORDS.values()))
"""The rules of the grammar with which a parse may start."""

_WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a rule set: its first line's number, its text, the grammar's rule for it."""

    line: int
    text: str
    rule: str


def split(text: str) -> list[Part]:
    """The parts of a text, in order; what comes before the first of them is taken as a clause, too.

    A part begins at the left margin with one of `PART_WORDS`, or a word that looks like one misspelt.
    """
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    starts = [i for i, line in enumerate(lines) if _part_word(line)]
    first = next((i for i, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")), None)
    if first is not None and first not in starts:
        starts.insert(0, first)
    parts = []
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=False):
        word = _part_word(lines[start].lstrip(" \t"))
        parts.append(Part(start + 1, "".join(lines[start:end]), PART_WORDS.get(word or "", "clause")))
    return parts


def _part_word(line: str) -> str | None:
    """The word of `PART_WORDS` that a line begins with, or what was meant by a word like it."""
    word = _WORD.match(line)
    if word is None or word[0] in PART_WORDS:
        return word and word[0]
    return closest(word[0], PART_WORDS)
