"""Chapters of a rule file: a comment that is a ruler with a title begins one.

    # ---------------------------------------------------------------- the cards

Chapters mean nothing to the game; the published rules take their headings and order from them.
"""

from __future__ import annotations

import re
from bisect import bisect
from functools import lru_cache

from biriba.language.source import Source

_RULER = re.compile(r"^# ?-{8,} +(\S.*?) *$")


def chapter_at(source: Source, line: int) -> str:
    """The title of the chapter in which a line (from 1) of a rule file stands; empty before the first."""
    lines, titles = _rulers(source.text)
    found = bisect(lines, line)
    return titles[found - 1] if found else ""


@lru_cache(maxsize=32)
def _rulers(text: str) -> tuple[list[int], list[str]]:
    found = [(i, match[1]) for i, text in enumerate(text.splitlines(), 1) if (match := _RULER.match(text))]
    return [line for line, _ in found], [title for _, title in found]
