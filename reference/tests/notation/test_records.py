"""Records of games: text and JSON of whole, unfinished, cut off and tampered ones."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given

from biriba.model.ruleset import Ruleset
from biriba.notation import (
    DealRecord,
    Header,
    JsonError,
    Move,
    NotationError,
    Record,
    Result,
    decode,
    encode,
    format_record,
    header_from_json,
    parse_action,
    parse_record,
    read_header,
    record_from_json,
    record_to_json,
    resolve,
    state,
)
from biriba.notation.records import check_deck
from tests.notation.games import biriba, dice, games, random_action, random_position, whole_deck


def random_record(rules: Ruleset, rng: Random) -> Record:
    """A record of actions at random, finished or not; nobody says that they were legal."""
    deals: list[DealRecord] = []
    for i in range(rng.randint(0, 3)):
        deck = whole_deck(rules)
        rng.shuffle(deck)
        here = random_position(rules, rng)
        drawn = (random_action(rules, rng, here) for _ in range(rng.randint(0, 12)))
        moves = [Move(rng.randrange(len(rules.table.seats)), state(rules, action)) for action in drawn if action]
        scores = tuple(rng.randint(-500, 2000) for _ in rules.table.sides)
        deals.append(DealRecord(i % len(rules.table.seats), tuple(deck), tuple(moves), scores))
    result = None
    if deals and rng.random() < 0.5:
        deals[-1] = DealRecord(deals[-1].dealer, deals[-1].deck, deals[-1].moves)
    elif deals and rng.random() < 0.8:
        totals = tuple(sum(deal.scores[s] for deal in deals if deal.scores) for s in range(len(rules.table.sides)))
        result = Result(totals, rng.choice([None, 0]))
    tags = tuple(
        (name, rng.choice(['"Ά" \\ \n', "", "x"])) for name in rng.sample(["event", "A", "seed"], rng.randint(0, 3))
    )
    return Record(rules.name, rules.version, rules.digest, tuple(deals), result, tags)


@given(game=games, rng=dice)
def test_record_text_and_json_lose_nothing(game: Callable[[], Ruleset], rng: Random) -> None:
    rules = game()
    record = random_record(rules, rng)
    text = format_record(rules, record)
    assert parse_record(rules, text) == record
    assert format_record(rules, parse_record(rules, text.replace("\n", "\r\n"))) == text
    assert record_from_json(rules, decode(encode(record_to_json(rules, record)))) == record
    header = Header(rules.name, rules.version, rules.digest)
    assert read_header(text) == header_from_json(record_to_json(rules, record)) == header


def sample() -> str:
    rules = biriba()
    deck = tuple(whole_deck(rules))
    acts = ["draw", "lay 3H JK 5H", "extend X1 with 6H high", "discard 7C"]
    moves = tuple(Move(0, parse_action(rules, act)) for act in acts)
    deals = (DealRecord(3, deck, moves, (335, -125)), DealRecord(0, deck, moves[:1], (5000, 10)))
    tags = (("event", "Club evening"),)
    return format_record(rules, Record(rules.name, rules.version, rules.digest, deals, Result((5335, -115), 0), tags))


def test_the_text_of_a_record() -> None:
    lines = sample().splitlines()
    assert lines[0] == "record 1"
    assert lines[1] == f"rules biriba {biriba().version} sha256:{biriba().digest}"
    assert lines[2:5] == [
        'tag event "Club evening"',
        "deal dealer D",
        "deck AH AH 2H 2H 3H 3H 4H 4H 5H 5H 6H 6H 7H 7H 8H 8H 9H 9H TH TH JH JH QH QH KH KH AS",
    ]
    assert lines[5].startswith("     AS 2S")
    assert lines[8:15] == [
        "A draw",
        "A lay 3H JK 5H",
        "A extend X1 with 6H high",
        "A discard 7C",
        "score X 335 Y -125",
        "deal dealer A",
        lines[4],
    ]
    assert lines[-1] == "result X 5335 Y -115 winner X"


def test_where_things_stand_is_kept_for_messages() -> None:
    record = parse_record(biriba(), sample())
    assert [deal.line for deal in record.deals] == [4, 14]
    assert [move.line for move in record.deals[0].moves] == [9, 10, 11, 12]
    assert record.deals[0].score_line == 13
    with pytest.raises(NotationError) as caught:
        resolve(biriba(), random_position(biriba(), Random(0)), parse_action(biriba(), "extend X99 with 6H"))
    assert caught.value.column == 8
    act = record.deals[0].moves[2].action
    nowhere = act.fault(0, "there is no such meld")
    assert (nowhere.line, nowhere.column, nowhere.text) == (11, 10, "A extend X1 with 6H high")


@pytest.mark.parametrize(
    ("old", "new", "message", "line", "column"),
    [
        ("record 1", "record 2", "records of format 2 are not known", 1, 8),
        ("rules biriba", "rules birba", "made with the rules birba, not biriba", 2, 7),
        ("sha256:", "sha256:0", "made with other rules of the name biriba", 2, 7),
        ("sha256:", "md5:", "the digest of the rules begins with 'sha256:'", 2, 20),
        ('"Club', '"Club\\q', "no text in quotes", 3, 11),
        ('"Club evening"', "Club", "expected a text in quotes", 3, 11),
        ("tag event", 'tag event "x"\ntag event', "the tag 'event' stands twice", 4, 5),
        ("tag event", "tag e.1", "no name of a tag", 3, 5),
        ("dealer D", "dealer E", "there is no seat 'E'", 4, 13),
        ("dealer D", "", "expected 'dealer', found the end of the line", 4, 6),
        ("deck AH AH", "deck AH", "the deck has 107 of 108 cards: AH is missing", 8, None),
        ("deck AH AH", "deck AH AH AH", "one AH too many: there are 2 in the deck", 5, 12),
        ("deck AH AH", "deck AH 1X", "there is no card '1X'", 5, 9),
        ("A draw", "A drow", "there is no action 'drow'", 9, 3),
        ("A draw", "E draw", "there is no seat 'E'", 9, 1),
        ("A draw", "draw", "expected", 9, 5),
        ("A draw", "A", "found the end of the line", 9, 2),
        ("A draw", "A draw 9H", "one thing too many", 9, 8),
        ("discard 7C", "discard 7", "there is no card '7'", 12, 11),
        ("score X 335 Y -125", "score X 335", "the points of Y are missing", 13, 12),
        ("score X 335 Y -125", "score X 335 X 2 Y 5", "X stands twice", 13, 13),
        ("score X 335 Y -125", "score X 335 Y x", "expected a number, found 'x'", 13, 15),
        ("score X 335 Y -125", "score X 9999999999 Y 1", "too large", 13, 9),
        ("score X 335 Y -125\n", "", "deal 1 has no score, yet the record goes on after it", 12, 13),
        ("score X 335", "score X 330", "the deals' scores of X add up to 5330, not 5335", 21, 8),
        ("winner X", "winner W", "there is no side 'W'", 21, 29),
        ("winner X", "winner X\nA draw", "expected the end, found 'A'", 22, 1),
    ],
)  # fmt: skip
def test_a_tampered_record(old: str, new: str, message: str, line: int, column: int | None) -> None:
    text = sample()
    assert old in text
    with pytest.raises(NotationError) as caught:
        parse_record(biriba(), text.replace(old, new, 1))
    assert message in caught.value.message
    assert caught.value.line == line
    assert column in (None, caught.value.column)


def test_a_record_cut_off_anywhere_is_read_or_refused_with_its_place() -> None:
    text = sample()
    deck = range(text.index("deck ") + 20, text.index("A draw") - 20)
    for cut in range(len(text)):
        if cut in deck:
            continue
        refused = None
        try:
            record = parse_record(biriba(), text[:cut])
        except NotationError as error:
            refused = error
        else:
            assert record.result is None or cut >= text.index("result")
        assert refused is None or 1 <= refused.line <= text.count("\n", 0, cut) + 1


def test_unfinished_records_are_records() -> None:
    rules = biriba()
    lines = sample().splitlines()
    assert parse_record(rules, "\n".join(lines[:2])).deals == ()
    unfinished = parse_record(rules, "\n".join(lines[:10]))
    assert (unfinished.deals[0].scores, unfinished.result) == (None, None)
    assert len(unfinished.deals[0].moves) == 2


def test_blank_lines_and_wrapped_lines() -> None:
    rules = biriba()
    text = "\n\n" + sample().replace("\n", "\n\n").replace("lay 3H JK 5H", "lay 3H\n   JK 5H").replace(
        "\n\n     ", "\n "
    )
    assert format_record(rules, parse_record(rules, text)) == sample()
    assert read_header(text).rules == "biriba"


@pytest.mark.parametrize("text", ["", "\n", "record", "record 1", "record 1\n", "record 1\nrules", "PGN", "{}"])
def test_what_does_not_begin_like_a_record(text: str) -> None:
    with pytest.raises(NotationError):
        read_header(text)
    with pytest.raises(NotationError):
        parse_record(biriba(), text)


@pytest.mark.parametrize(
    ("path", "value", "error"),
    [
        (["record"], 2, "$.record: expected a number in 1..1, found 2"),
        (["rules", "name"], "x y", "$.rules.name: expected one word, found 'x y'"),
        (["rules", "name"], "birba", "$.rules: the record was made with the rules birba"),
        (["rules", "digest"], "0", "$.rules.digest: the digest of the rules begins"),
        (["tags"], {"a b": "x"}, "$.tags: 'a b' is no name of a tag"),
        (["tags"], {"a": 1}, "$.tags.a: expected a string"),
        (["tags"], {"a": "\ud800"}, "$.tags.a: the text has half a character"),
        (["tags"], [], "$.tags: expected an object"),
        (["deals"], None, "$.deals: expected a list, found null"),
        (["deals", 0, "deck"], ["AH"], "$.deals[0].deck: the deck has 1 of 108 cards"),
        (["deals", 0, "deck", 2], "AH", "$.deals[0].deck: one AH too many"),
        (["deals", 0, "moves", 1, "seat"], "E", "$.deals[0].moves[1].seat: there is no seat 'E'"),
        (["deals", 0, "moves", 1, "action"], "fly", "$.deals[0].moves[1].action: there is no action 'fly'"),
        (["deals", 0, "score"], None, "$.deals[0]: deal 1 has no score"),
        (["deals", 0, "score", "X"], 1e3, "$.deals[0].score.X: expected a whole number"),
        (["deals", 0, "score", "X"], 10**12, "$.deals[0].score.X: expected a number in"),
        (["deals", 0, "score", "X"], 330, "$.result: the deals' scores of X add up to 5330"),
        (["result", "winner"], "W", "$.result.winner: there is no side 'W'"),
    ],
)
def test_tampered_json(path: list[str | int], value: object, error: str) -> None:
    document: Any = copy.deepcopy(record_to_json(biriba(), parse_record(biriba(), sample())))
    place = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    with pytest.raises(JsonError) as caught:
        record_from_json(biriba(), document)
    assert str(caught.value).startswith(error)


def test_whole_decks() -> None:
    rules = biriba()
    deck = whole_deck(rules)
    assert check_deck(rules, deck) is None
    assert check_deck(rules, deck[2:]) == "the deck has 106 of 108 cards: AH AH are missing"
    assert check_deck(rules, [*deck, 0]) == "one AH too many: there are 2 in the deck"
    assert check_deck(rules, []) == "the deck has 0 of 108 cards: AH AH 2H 2H 3H 3H 4H 4H 5H 5H 6H 6H … are missing"
