"""The glossary: the words of the game with their meaning, and what they are called in other languages."""

from __future__ import annotations

import csv
from dataclasses import dataclass

from biriba.data import spec_dir

TONGUES = {"el": "Greek", "ru": "Russian", "fr": "French", "pt": "Portuguese", "it": "Italian"}
"""The languages of the columns of `spec/glossary.tsv`; Italian is that of Burraco, the sister game."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the game, its meaning, and its names by language."""

    word: str
    meaning: str
    names: dict[str, str]


def terms() -> tuple[Term, ...]:
    """All words, in alphabetical order."""
    with (spec_dir() / "glossary.tsv").open(encoding="utf-8", newline="") as file:
        found = [
            Term(row["term"], row["meaning"], {tongue: row[tongue] for tongue in TONGUES})
            for row in csv.DictReader(file, delimiter="\t")
        ]
    return tuple(sorted(found, key=lambda term: term.word))
