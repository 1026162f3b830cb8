"""A step under way."""

from __future__ import annotations

from dataclasses import dataclass

from biriba.verify.symbols import SymPosition
from biriba.verify.terms import Term


@dataclass(frozen=True)
class Draft:
    """A step under way: the position so far, and whether the deal has ended in this step."""

    position: SymPosition
    ended: Term = False
