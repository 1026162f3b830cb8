"""Guesses at what a misspelt word was meant to be."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_LONGEST = 60


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """A hint that names the candidate nearest to a word, None if no candidate is near.

    >>> did_you_mean("hnad", ["stock", "hand"])
    "did you mean 'hand'?"
    """
    if len(word) > _LONGEST:
        return None
    names = sorted(set(candidates))
    same = [name for name in names if name.casefold() == word.casefold()]
    near = same or get_close_matches(word, names, n=1, cutoff=0.6)
    return f"did you mean '{near[0]}'?" if near else None
