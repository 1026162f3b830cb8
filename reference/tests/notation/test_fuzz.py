"""Whatever is read, what is wrong with it is said in one message: no other exception for any text or JSON."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biriba.model.ruleset import Ruleset
from biriba.notation import (
    NotationError,
    action_from_json,
    action_to_json,
    decode,
    encode,
    format_action,
    format_position,
    format_record,
    header_from_json,
    meld_from_json,
    parse_action,
    parse_card,
    parse_cards,
    parse_fields,
    parse_given,
    parse_meld,
    parse_meld_name,
    parse_position,
    parse_record,
    position_from_json,
    position_to_json,
    read_header,
    record_from_json,
    record_to_json,
    resolve,
)
from biriba.notation.vocabulary import vocabulary
from tests.notation.games import biriba, dice, random_action, random_position
from tests.notation.test_records import random_record


def acted(rules: Ruleset, text: str) -> object:
    return resolve(rules, random_position(rules, Random(1)), parse_action(rules, text))


def filled(rules: Ruleset, text: str) -> object:
    return parse_given(rules, text, [1] * len(vocabulary(rules).zone_of))


READERS: list[Callable[[Ruleset, str], object]] = [
    parse_card,
    parse_cards,
    parse_meld,
    parse_meld_name,
    acted,
    parse_position,
    parse_fields,
    filled,
    parse_record,
    lambda _, text: read_header(text),
    lambda _, text: decode(text),
]
JSON_READERS: list[Callable[[Ruleset, Any], object]] = [
    meld_from_json,
    action_from_json,
    position_from_json,
    record_from_json,
    lambda _, value: header_from_json(value),
]
_WORDS = (
    "9H JK 2H 3H 4H AH 7 run set of @2 @0 @ [ ] ; draw take lay extend discard X1 X2 Y9 with at moving low high "
    "turn A B play start over dealer stock hand melds X packet 1 taken yes no none passes 2 barred empty cards 11 "
    'rest in record rules biriba 1.0.0 sha256:0 tag "x" deal deck score result winner -5 X.1 999999999999 { } : , é \0'
)
WORDS = _WORDS.split(" ")
wordy = st.lists(st.sampled_from([*WORDS, "\n", "\n ", "\r\n", ";"]), max_size=30).map(" ".join)


@pytest.mark.parametrize("reader", READERS)
@given(text=st.one_of(st.text(), wordy))
def test_no_text_is_answered_with_another_exception(reader: Callable[[Ruleset, str], object], text: str) -> None:
    with contextlib.suppress(NotationError):
        reader(biriba(), text)


@given(rng=dice)
def test_texts_with_small_faults(rng: Random) -> None:
    rules = biriba()
    position = random_position(rules, rng)
    action = random_action(rules, rng, position)
    texts: list[tuple[Callable[[Ruleset, str], object], str]] = [
        (parse_position, format_position(rules, position)),
        (filled, format_position(rules, position)),
        (parse_record, format_record(rules, random_record(rules, rng))),
        (acted, format_action(rules, action) if action is not None else "draw"),
    ]
    for reader, text in texts:
        for _ in range(4):
            start = rng.randrange(len(text))
            with contextlib.suppress(NotationError):
                reader(rules, text[:start] + rng.choice(["", *WORDS]) + text[start + rng.randint(0, 9) :])


NAMES = "phase turn dealer zones states action args record rules deals template key low cards m g c A X"
leaves = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=4), st.sampled_from(WORDS), st.integers(0, 9)
)
names = st.one_of(
    st.text(max_size=4),
    st.sampled_from(NAMES.split(" ")),
)
values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=6))


@pytest.mark.parametrize("reader", JSON_READERS)
@given(value=values)
def test_no_json_is_answered_with_another_exception(reader: Callable[[Ruleset, Any], object], value: object) -> None:
    with contextlib.suppress(NotationError):
        reader(biriba(), value)


@given(rng=dice, value=values)
def test_json_with_small_faults(rng: Random, value: object) -> None:
    rules = biriba()
    position = random_position(rules, rng)
    documents: list[tuple[Callable[[Ruleset, Any], object], Any]] = [
        (position_from_json, position_to_json(rules, position)),
        (record_from_json, record_to_json(rules, random_record(rules, rng))),
    ]
    action = random_action(rules, rng, position)
    if action is not None:
        documents.append((action_from_json, action_to_json(rules, action)))
    for reader, document in documents:
        place, spoilt = document, decode(encode(document))
        place = spoilt
        while True:
            steps = list(place) if isinstance(place, dict) else list(range(len(place)))
            if not steps:
                break
            step = rng.choice(steps)
            if rng.random() < 0.4 or not isinstance(place[step], (dict, list)):
                place[step] = value
                break
            place = place[step]
        with contextlib.suppress(NotationError):
            reader(rules, spoilt)
