"""Records of games as JSON: the same as their text tells, and nothing less."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from biriba.model.ruleset import Ruleset
from biriba.notation.errors import quoted
from biriba.notation.jsonform import action_to_json, read_action, read_card
from biriba.notation.jsonvalue import Json
from biriba.notation.records import (
    FORMAT,
    HASH,
    DealRecord,
    Header,
    Move,
    Record,
    Result,
    check_deck,
    check_points,
    check_rules,
    check_tag_name,
    check_text,
)
from biriba.notation.vocabulary import Vocabulary, vocabulary

_WORD = re.compile(r"[A-Za-z0-9_.:+-]+")


def record_to_json(rules: Ruleset, record: Record) -> dict[str, Any]:
    """A record as an object."""
    sides = rules.table.sides
    result = record.result
    return {
        "record": FORMAT,
        "rules": {"name": record.rules, "version": record.version, "digest": HASH + record.digest},
        "tags": dict(record.tags),
        "deals": [_deal_to_json(rules, deal) for deal in record.deals],
        "result": None
        if result is None
        else {
            "totals": dict(zip(sides, result.totals, strict=True)),
            "winner": None if result.winner is None else sides[result.winner],
        },
    }


def header_from_json(value: Any) -> Header:
    """The rule set that a record names, read without knowing the rule set.

    Raises:
        JsonError: the value does not begin like a record.
    """
    return _header(Json(value))


def record_from_json(rules: Ruleset, value: Any) -> Record:
    """The record of a JSON value.

    Raises:
        JsonError: it is no record, names other rules, a deck is not whole, or points do not add up.
    """
    words = vocabulary(rules)
    whole = Json(value)
    header = _header(whole)
    members = whole.members("record", "rules", "tags", "deals", "result")
    deals = tuple(_read_deal(words, item) for item in members["deals"].items())
    result = None if members["result"].value is None else _read_result(words, members["result"])
    record = Record(header.rules, header.version, header.digest, deals, result, _read_tags(members["tags"]))
    wrong = check_rules(rules, record)
    if wrong is not None:
        raise members["rules"].fault(wrong)
    clash = check_points(rules, record)
    if clash is not None:
        index, message = clash
        raise (members["result"] if index is None else members["deals"].items()[index]).fault(message)
    return record


def _header(whole: Json) -> Header:
    members = whole.members("record", "rules", optional=("tags", "deals", "result"))
    members["record"].integer(FORMAT, FORMAT)
    rules = members["rules"].members("name", "version", "digest")
    texts = {name: _word(value) for name, value in rules.items()}
    if not texts["digest"].startswith(HASH):
        raise rules["digest"].fault(f"the digest of the rules begins with '{HASH}'")
    return Header(texts["name"], texts["version"], texts["digest"].removeprefix(HASH))


def _word(value: Json) -> str:
    """A string that can stand as one word of a record's text."""
    word = value.string()
    if not _WORD.fullmatch(word):
        raise value.fault(f"expected one word, found {quoted(word)}")
    return word


def _read_tags(value: Json) -> tuple[tuple[str, str], ...]:
    names = list(value.value) if isinstance(value.value, dict) else []
    wrong = next((wrong for wrong in (check_tag_name(str(name)) for name in names) if wrong is not None), None)
    if wrong is not None:
        raise value.fault(wrong)
    tags: list[tuple[str, str]] = []
    for name, item in value.members(*names).items():
        try:
            tags.append((name, check_text(item.string())))
        except UnicodeError:
            raise item.fault("the text has half a character") from None
    return tuple(tags)


def _deal_to_json(rules: Ruleset, deal: DealRecord) -> dict[str, Any]:
    return {
        "dealer": rules.table.seats[deal.dealer],
        "deck": [rules.cards.faces[card].symbol for card in deal.deck],
        "moves": [{"seat": rules.table.seats[m.seat], **action_to_json(rules, m.action)} for m in deal.moves],
        "score": None if deal.scores is None else dict(zip(rules.table.sides, deal.scores, strict=True)),
    }


def _read_deal(words: Vocabulary, value: Json) -> DealRecord:
    members = value.members("dealer", "deck", "moves", "score")
    deck = tuple(read_card(words, item) for item in members["deck"].items())
    wrong = check_deck(words.rules, deck)
    if wrong is not None:
        raise members["deck"].fault(wrong)
    return DealRecord(
        words.seats[members["dealer"].one_of(words.seats, "seat")],
        deck,
        tuple(_read_move(words, item) for item in members["moves"].items()),
        None if members["score"].value is None else _read_points(words, members["score"]),
    )


def _read_move(words: Vocabulary, value: Json) -> Move:
    members = value.members("seat", "action", "args")
    seat = words.seats[members["seat"].one_of(words.seats, "seat")]
    return Move(seat, read_action(words, members["action"], members["args"]))


def _read_result(words: Vocabulary, value: Json) -> Result:
    members = value.members("totals", "winner")
    winner = members["winner"]
    return Result(
        _read_points(words, members["totals"]),
        None if winner.value is None else words.sides[winner.one_of(words.sides, "side")],
    )


def _read_points(words: Vocabulary, value: Json) -> tuple[int, ...]:
    sides: Sequence[str] = words.rules.table.sides
    members = value.members(*sides)
    return tuple(members[side].integer(-999_999_999, 999_999_999) for side in sides)
