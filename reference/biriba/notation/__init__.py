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
from biriba.notation.fields import Fields, parse_fields
from biriba.notation.given import parse_given
from biriba.notation.growths import GrowthText
from biriba.notation.jsonform import (
    action_from_json,
    action_to_json,
    meld_from_json,
    meld_to_json,
    position_from_json,
    position_to_json,
)
from biriba.notation.jsonrecord import header_from_json, record_from_json, record_to_json
from biriba.notation.jsonvalue import decode, encode
from biriba.notation.melds import MeldText, format_meld, layouts, parse_meld, parse_meld_text, readings
from biriba.notation.positions import format_position, parse_position, position_hash
from biriba.notation.records import (
    DealRecord,
    Header,
    Move,
    Record,
    Result,
    check_deck,
    format_record,
    parse_record,
    read_header,
)

__all__ = [
    "ActionText",
    "DealRecord",
    "Fields",
    "GrowthText",
    "Header",
    "JsonError",
    "MeldName",
    "MeldText",
    "Move",
    "NotationError",
    "Record",
    "Result",
    "action_from_json",
    "action_to_json",
    "check_deck",
    "decode",
    "encode",
    "format_action",
    "format_action_text",
    "format_card",
    "format_cards",
    "format_meld",
    "format_meld_name",
    "format_position",
    "format_record",
    "format_value",
    "header_from_json",
    "laid_meld",
    "layouts",
    "meld_from_json",
    "meld_to_json",
    "parse_action",
    "parse_card",
    "parse_cards",
    "parse_fields",
    "parse_given",
    "parse_meld",
    "parse_meld_name",
    "parse_meld_text",
    "parse_position",
    "parse_record",
    "position_from_json",
    "position_hash",
    "position_to_json",
    "read_header",
    "readings",
    "record_from_json",
    "record_to_json",
    "resolve",
    "state",
]
