"""The rules of Biriba as a program: load a rule set, play by it, ask it what is legal and why not.

>>> import biriba
>>> rules = biriba.load("biriba")
>>> rules.ruleset.title
'Biriba for four, in pairs, without kozi'

Everything else is reached from the rules: `rules.deal`, `rules.match`, `rules.legal`, `rules.judge`.
`biriba.notation` reads and writes cards, melds, actions, positions and records; `biriba.model` is the
compiled rule set itself.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from biriba.version import __version__

if TYPE_CHECKING:
    from biriba.interpreter.rules import Rules

__all__ = ["__version__", "load"]


def load(name_or_path: str | os.PathLike[str] = "biriba") -> Rules:
    """The rules of that name (a rule set that comes with biriba) or in that file, ready to play by.

    Errors: `biriba.language.diagnostics.RulesError` with everything that is wrong with a rule file.
    """
    from biriba.cache import cached_ruleset
    from biriba.interpreter.rules import Rules

    return Rules(cached_ruleset(name_or_path))
