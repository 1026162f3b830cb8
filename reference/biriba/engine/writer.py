"""Writing source text: lines with indentation, and functions that know which names they need from outside."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

WIDEST = 116


@dataclass
class Body:
    """The lines of a function.

    Attributes:
        used, bound: the identifiers that it uses, and those of them that it binds itself.
        kept: the cells whose values it keeps so that they can be put back, with the names of those.
    """

    lines: list[str] = field(default_factory=list)
    depth: int = 1
    used: dict[str, None] = field(default_factory=dict)
    bound: set[str] = field(default_factory=set)
    kept: dict[str, str] = field(default_factory=dict)

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """A line that opens a block, and what is written inside it; an empty block gets a `pass`."""
        self.line(head)
        self.depth += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1

    @property
    def free(self) -> list[str]:
        """The identifiers that must come from outside, the state and the actor first."""
        wanted = [name for name in self.used if name not in self.bound]
        first = [name for name in ("S", "me", "mine") if name in wanted]
        return [*first, *(name for name in wanted if name not in first)]


_ADDRESS = re.compile(r"\b([A-Z]\w*) \+ (?:\d+ \* )?(me|mine)\b")
"""The address of a zone or state variable of the seat to act or of its side."""


def hoisted(lines: Sequence[str], params: Sequence[str], taken: Collection[str]) -> list[str]:
    """The lines of a function in which an address that is met more than once is worked out once, at the beginning.

    Args:
        lines: they set `me` and `mine` at the beginning, one after the other, if these are no parameters.
        taken: names that mean something else.
    """
    met = Counter(found[0] for line in lines for found in _ADDRESS.finditer(line))
    begin = max((i + 1 for i, line in enumerate(lines) if line.startswith(("    me = ", "    mine = "))), default=0)
    ahead, names = [], {}
    for address, times in met.items():
        constant, actor = address.split(" ")[0], address.rsplit(" ", 1)[1]
        name = f"{constant.lower()}_of_{actor}"
        if times > 1 and name not in taken and (begin or actor in params):
            names[address] = name
            ahead.append(f"    {name} = {address}")
    rest = [_ADDRESS.sub(lambda found: names.get(found[0], found[0]), line) for line in lines[begin:]]
    return [*lines[:begin], *ahead, *rest]


def indented(text: str, depth: int) -> str:
    """Text with every line that is not empty moved to the right."""
    return "\n".join("    " * depth + line if line else line for line in text.splitlines())
