"""JSON forms: what they look like, and what is said of values that are not of that form."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from biriba.notation import (
    JsonError,
    action_from_json,
    action_to_json,
    decode,
    encode,
    meld_from_json,
    meld_to_json,
    parse_action,
    parse_given,
    parse_meld,
    position_from_json,
    position_to_json,
)
from biriba.notation.vocabulary import vocabulary
from tests.notation.games import biriba, lanterns


def whole() -> dict[str, Any]:
    rules = biriba()
    sizes = [1] * len(vocabulary(rules).zone_of)
    text = "turn A play; melds X [3H 4H JK] [9H 9S 9D]; taken X yes; barred 9H"
    return position_to_json(rules, parse_given(rules, text, sizes))


def test_melds() -> None:
    rules = biriba()
    run = {"template": "run", "key": "H", "low": 3, "cards": ["3H", "JK", "5H"]}
    assert meld_to_json(rules, parse_meld(rules, "3H JK 5H")) == run
    assert meld_from_json(rules, run) == parse_meld(rules, "3H JK 5H")
    assert meld_from_json(rules, {**run, "template": None, "key": None, "low": None}) == parse_meld(rules, "3H JK 5H")
    group = {"template": "set", "key": "9", "low": None, "cards": ["9H", "9S", "JK"]}
    assert meld_to_json(rules, parse_meld(rules, "JK 9S 9H")) == group


def test_actions() -> None:
    rules = biriba()
    assert action_to_json(rules, parse_action(rules, "draw")) == {"action": "draw", "args": {}}
    assert action_to_json(rules, parse_action(rules, "extend X2 with 5H moving 2H low")) == {
        "action": "extend",
        "args": {
            "m": {"owner": "X", "number": 2},
            "g": {"card": "5H", "at": None, "moving": "2H", "end": "low"},
        },
    }
    named = {"action": "name", "args": {"s": "P2", "u": "G", "k": "4"}}
    assert action_to_json(lanterns(), parse_action(lanterns(), "name P2 G 4")) == named
    ambiguous = parse_action(rules, "lay 4H JK JK")
    assert action_to_json(rules, ambiguous)["args"]["m"]["template"] is None
    assert action_from_json(rules, action_to_json(rules, ambiguous)) == ambiguous


def test_a_position_tells_every_zone_and_state_by_name() -> None:
    position = whole()
    assert list(position) == ["phase", "turn", "dealer", "zones", "states"]
    assert position["zones"]["hand"] == {"A": ["AH"], "B": ["2H"], "C": ["2H"], "D": ["3H"]}
    assert position["zones"]["melds"]["X"][1]["cards"] == ["9H", "9S", "9D"]
    assert position["zones"]["melds"]["Y"] == []
    assert position["states"]["taken"] == {"X": True, "Y": False}
    assert position["states"]["barred"] == "9H"
    assert position["states"]["closer"] is None
    assert position["states"]["passes"] == 0
    assert position_to_json(biriba(), position_from_json(biriba(), decode(encode(position)))) == position


MISSING = object()


@pytest.mark.parametrize(
    ("path", "value", "error"),
    [
        (["phase"], MISSING, "$: the member 'phase' is missing"),
        (["phase"], "strat", "$.phase: there is no phase 'strat'\nhint: did you mean 'start'?"),
        (["turn"], 0, "$.turn: expected a string, found a number"),
        (["turn"], "E", "$.turn: there is no seat 'E'"),
        (["trun"], "A", "$: there is no member 'trun' here\nhint: did you mean 'turn'?"),
        (["zones"], [], "$.zones: expected an object, found a list"),
        (["zones", "stock"], MISSING, "$.zones: the member 'stock' is missing"),
        (["zones", "stock"], 41, "$.zones.stock: expected a list, found a number"),
        (["zones", "stock", 2], "9X", "$.zones.stock[2]: there is no card '9X'"),
        (["zones", "stock", 2], 9, "$.zones.stock[2]: expected a string, found a number"),
        (["zones", "stock", 2], "3H", "$.zones.melds.X[0]: one 3H too many: there are 2 in the deck"),
        (["zones", "hand", "A"], [], "$.zones: 1 card of the deck lies nowhere: AH"),
        (["zones", "hand", "E"], [], "$.zones.hand: there is no member 'E' here"),
        (["zones", "packet", "1"], MISSING, "$.zones.packet: the member '1' is missing"),
        (["zones", "melds", "X", 0, "low"], 4, "$.zones.melds.X[0]: 3H 4H JK do not lie as a run"),
        (["zones", "melds", "X", 0, "low"], 99, "$.zones.melds.X[0].low: expected a number in 1..14, found 99"),
        (["zones", "melds", "X", 0, "low"], True, "$.zones.melds.X[0].low: expected a whole number, found true"),
        (["zones", "melds", "X", 0, "key"], "9", "$.zones.melds.X[0].key: there is no suit '9'"),
        (["zones", "melds", "X", 0, "template"], "rum", "$.zones.melds.X[0].template: there is no kind of meld 'rum'"),
        (["zones", "melds", "X", 0, "template"], None, "$.zones.melds.X[0].key: only a meld of a template"),
        (["zones", "melds", "X", 0, "cards"], [], "$.zones.melds.X[0].cards: a meld needs cards"),
        (["zones", "melds", "X", 1, "low"], 9, "$.zones.melds.X[1].low: a set has no places"),
        (["states", "passes"], 5, "$.states.passes: expected a number in 0..4, found 5"),
        (["states", "passes"], 10**40, "$.states.passes: the number is too large"),
        (["states", "passes"], 1.5, "$.states.passes: expected a whole number, found a number"),
        (["states", "passes"], None, "$.states.passes: expected a whole number, found null"),
        (["states", "taken", "X"], "yes", "$.states.taken.X: expected true or false, found a string"),
        (["states", "closer"], "Z", "$.states.closer: there is no side 'Z'"),
        (["states", "barred"], "none", "$.states.barred: there is no card 'none'"),
    ],
)
def test_what_no_position_is(path: list[str | int], value: object, error: str) -> None:
    position = copy.deepcopy(whole())
    place: Any = position
    for step in path[:-1]:
        place = place[step]
    if value is MISSING:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    with pytest.raises(JsonError) as caught:
        position_from_json(biriba(), position)
    assert str(caught.value).startswith(error)
    assert caught.value.path == error.partition(":")[0]


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (None, "$: expected an object, found null"),
        ({"action": "draw"}, "$: the member 'args' is missing"),
        ({"action": "drow", "args": {}}, "$.action: there is no action 'drow'\nhint: did you mean 'draw'?"),
        ({"action": "discard", "args": {}}, "$.args: the member 'c' is missing"),
        ({"action": "discard", "args": {"c": "7C", "d": 1}}, "$.args: there is no member 'd' here"),
        ({"action": "discard", "args": {"c": []}}, "$.args.c: expected a string, found a list"),
        (
            {"action": "extend", "args": {"m": {"owner": "Z", "number": 1}, "g": {}}},
            "$.args.m.owner: there is no owner",
        ),
        (
            {"action": "extend", "args": {"m": {"owner": "X", "number": 0}, "g": {}}},
            "$.args.m.number: expected a number",
        ),
    ],
)
def test_what_no_action_is(value: object, error: str) -> None:
    with pytest.raises(JsonError) as caught:
        action_from_json(biriba(), value)
    assert str(caught.value).startswith(error)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("{", "this is no JSON: expecting property name"),
        ("", "this is no JSON: expecting value at line 1, column 1"),
        ('{"a": 1, "a": 2}', "an object has the member 'a' twice"),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 5_000, "is too large"),
        ("NaN", "NaN is no JSON number"),
        ('"\ud800', "this is no JSON"),
    ],
)
def test_what_no_json_is(text: str, error: str) -> None:
    with pytest.raises(JsonError, match=error):
        decode(text)
