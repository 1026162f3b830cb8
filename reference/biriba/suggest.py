"""Guesses at what a misspelt word was meant to be."""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST = 60


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """A hint that names the candidate nearest to a word, None if no candidate is near.

    >>> did_you_mean("hnad", ["stock", "hand"])
    "did you mean 'hand'?"
    """
    best = closest(word, candidates)
    return f"did you mean '{best}'?" if best else None


def closest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that was probably meant by a misspelt word, None if no candidate is near.

    One slip in every three letters is forgiven, and capitals count for nothing.

    >>> closest("claus", ["clause", "cause"])
    'clause'
    """
    best: tuple[int, str] | None = None
    limit = max(1, len(word) // 3)
    if len(word) > _LONGEST:
        return None
    for candidate in candidates:
        if candidate != word and abs(len(candidate) - len(word)) <= limit:
            slips = _slips(word.lower(), candidate.lower())
            if slips <= limit and slips < len(candidate) and (best is None or (slips, candidate) < best):
                best = (slips, candidate)
    return best and best[1]


def _slips(a: str, b: str) -> int:
    """How many letters to insert, delete, change or swap with their neighbour to turn one word into the other."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        next_row = [i]
        for j, y in enumerate(b, 1):
            cost = min(row[j] + 1, next_row[j - 1] + 1, row[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, before[j - 2] + 1)
            next_row.append(cost)
        before, row = row, next_row
    return row[-1]
