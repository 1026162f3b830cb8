"""The notation: cards, melds, actions, positions and game records as text and as JSON.

docs/notation.md is the standard; this package reads and writes it for any rule set. Every function
that reads raises `NotationError`, and nothing else, for a text or JSON value that is not of its form.
"""

from biriba.notation.actions import (
    ActionText,
    MeldName,
    format_action,
    format_action_text,
    format_meld_name,
    laid_meld,
    parse_action,
    parse_meld_name,
    resolve,
    state,
)
from biriba.notation.cards import format_card, format_cards, format_value, parse_card, parse_cards
from biriba.notation.errors import JsonError, NotationError
from biriba.notation.growths import GrowthText
from biriba.notation.melds import MeldText, format_meld, layouts, parse_meld, parse_meld_text, readings

__all__ = [
    "ActionText",
    "GrowthText",
    "JsonError",
    "MeldName",
    "MeldText",
    "NotationError",
    "format_action",
    "format_action_text",
    "format_card",
    "format_cards",
    "format_meld",
    "format_meld_name",
    "format_value",
    "laid_meld",
    "layouts",
    "parse_action",
    "parse_card",
    "parse_cards",
    "parse_meld",
    "parse_meld_name",
    "parse_meld_text",
    "readings",
    "resolve",
    "state",
]
