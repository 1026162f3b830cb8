"""Which form of a counted word goes with a number, language by language."""

from __future__ import annotations

from collections.abc import Callable, Mapping


def _russian(number: int) -> int:
    if number % 10 == 1 and number % 100 != 11:
        return 0
    return 1 if number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14) else 2


PLURALS: Mapping[str, tuple[int, Callable[[int], int]]] = {
    "en": (2, lambda n: int(n != 1)),
    "el": (2, lambda n: int(n != 1)),
    "fr": (2, lambda n: int(n not in (0, 1))),
    "pt": (2, lambda n: int(n != 1)),
    "ru": (3, lambda n: 2 if n < 0 else _russian(n)),
}
"""For each language how many forms a counted word has, and which of them goes with a number."""


def plural(language: str, number: int) -> int:
    """Which of a language's forms goes with a number; -1 is a number not known."""
    return PLURALS.get(language, PLURALS["en"])[1](number)


def forms(language: str) -> int:
    """How many forms a counted word of a language has."""
    return PLURALS.get(language, PLURALS["en"])[0]
