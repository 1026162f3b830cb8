"""Cards in colour: any text of the notation, with a style for each suit."""

from __future__ import annotations

import re
from functools import cache

from rich.text import Text

from biriba.model.ruleset import Ruleset

STYLES = {"hearts": "red", "spades": "bold", "diamonds": "bright_blue", "clubs": "green"}
"""Four colours, so that no suit is taken for another; suits of other names go through `OTHERS`."""
OTHERS = ("cyan", "yellow", "bright_red", "bright_green")
NO_SUIT = "bold magenta"


def paint(rules: Ruleset, text: str) -> Text:
    """The text with every card symbol of the rule set in the style of its suit."""
    pattern, styles = _symbols(rules)
    painted = Text(text)
    for match in pattern.finditer(text):
        painted.stylize(styles[match.group()], *match.span())
    return painted


@cache
def _patterns(faces: tuple[tuple[str, str], ...]) -> tuple[re.Pattern[str], dict[str, str]]:
    words = "|".join(re.escape(symbol) for symbol, _ in sorted(faces, key=lambda f: -len(f[0])))
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)"), dict(faces)


def _symbols(rules: Ruleset) -> tuple[re.Pattern[str], dict[str, str]]:
    suits = [STYLES.get(suit.name) or OTHERS[i % len(OTHERS)] for i, suit in enumerate(rules.cards.suits)]
    return _patterns(
        tuple((face.symbol, NO_SUIT if face.suit is None else suits[face.suit]) for face in rules.cards.faces)
    )
