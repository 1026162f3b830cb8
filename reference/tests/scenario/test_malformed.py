"""What is not of its form gives one clear message: where, what was expected, and a hint where there is one."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import biriba
from biriba.data import conformance_dir
from biriba.interpreter.rules import Rules
from biriba.notation import JsonError, NotationError
from biriba.scenario import ScenarioError, load_vector, read_catalogue, read_vector, run

VECTOR = conformance_dir() / "vectors" / "packet" / "by-melding.json"
MELDS = conformance_dir() / "vectors" / "bugs" / "beyond-the-high-ace.json"
SCHEMA = json.loads((conformance_dir() / "schema" / "vector.schema.json").read_text(encoding="utf-8"))


@cache
def rules() -> Rules:
    return biriba.load("biriba")


def example(tmp_path: Path, lines: str) -> Path:
    path = tmp_path / "some.examples"
    path.write_text(lines, encoding="utf-8")
    return path


HEAD = 'example some "Some example"\n  tests turn.discard\n  '

LINES = [
    ("expct unchanged", "no line begins with 'expct'"),
    ("expect hnad A KS", "there is no zone or state 'hnad'", "did you mean 'hand'?"),
    ("expect hand KS", "'hand' needs an owner, found 'KS'", "it is one of A, B, C, D"),
    ("expect hand A KX", "there is no card 'KX'"),
    ("expect hand A", "'hand A' does not say what lies there"),
    ("expect turn E start", "there is no seat 'E'"),
    ("expect turn A midgame", "there is no phase 'midgame'"),
    ("expect taken X maybe", "expected a number, found 'maybe'"),
    ("expect taken X", "'taken X' should end with one value of taken"),
    ("expect over; ; over", "there is nothing between two ';'"),
    ("expect over; goes on", "'over' is said twice in one line"),
    ("expect melds X 3H 4H 5H", "expected melds in square brackets"),
    ("expect melds X [3H 4S 5H]", "in this order are no run and no set"),
    ("expect score Z 5", "there is no side 'Z'"),
    ("expect score X: meldd cards 5", "the score has no line 'meldd cards'", "did you mean 'melded cards'?"),
    ("expect view E hides stock", "there is no seat 'E'"),
    ("expect view A hides pocket", "there is no zone or state 'pocket'", "did you mean 'packet'?"),
    ("expect meld X1: clean perhaps", "'clean perhaps' says nothing about a meld"),
    ("value AH 2H", "the value of cards is written 'value AH 2H = 25'"),
    ("reject draw by turn.drow", "the rules have no clause 'turn.drow'", "did you mean 'turn.draw'?"),
    ("given hand A KS", "'hand' cannot stand beside a deal", "a position needs its turn"),
    ("given hand A KS KS KS; turn A start", "KS"),
    ("given totals X 5; stock empty", "'stock' cannot stand beside totals of a match"),
    ("given hand A KS QS; turn A play\n  expect written X 3,5", "expected points such as 33.5"),
    ("given dealer E", "there is no seat 'E'"),
    ("given deck KD at 0", "place 0 is taken, or not in the deck"),
    ("given deck KD at 1, KS at 1", "place 1 is taken, or not in the deck"),
    ("given deck KD at 1, KD at 2, KD at 3", "the deck has no more copies of KD"),
    ("given deck KD", "'KD' places no card", "write 'deck KD at 1, JK at 67'"),
    ("expect unchanged\n  given turn A start", "an example has one 'given' line, and begins with it"),
]


@pytest.mark.parametrize(("line", "messages"), [(line, messages) for line, *messages in LINES])
def test_lines(line: str, messages: list[str], tmp_path: Path) -> None:
    with pytest.raises(ScenarioError) as caught:
        read_catalogue(rules(), example(tmp_path, HEAD + line + "\n"))
    for message in messages:
        assert message in str(caught.value)
    assert str(caught.value).startswith(f"some.examples:{3 + line.count(chr(10))}: ")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("given turn A start\n", "some.examples:1: expected the head of an example"),
        ('example Some "title"\n', "some.examples:1: expected the head of an example"),
        (HEAD.replace("turn.discard", "turn.dicsard") + "expect over\n", "did you mean 'turn.discard'?"),
        (HEAD + "level hard\n  expect over\n", "there is no level 'hard'"),
        (HEAD + "expect over\n  case TV-001\n", "'case' must stand once, before the other lines"),
        (HEAD + "value AH = 15\n" + HEAD + "value AH = 15\n", "the id 'some/some' stands twice"),
    ],
)
def test_heads(lines: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ScenarioError) as caught:
        read_catalogue(rules(), example(tmp_path, lines))
    assert message in str(caught.value)


FAILING = [
    ("given hand A KS; turn A start\n  play dicsard KS", "there is no action 'dicsard'"),
    ("given hand A KS; turn A start\n  play discard KS", "turn.discard: discard belongs to the phase play"),
    (
        "given hand A KS QS; turn A play\n  reject discard KS",
        "expected  discard KS is rejected\n    found     it is legal",
    ),
    ("given hand A KS QS; turn A play\n  accept draw", "expected  draw is legal"),
    (
        "given hand A KS QS; turn A start\n  reject pass by turn.draw",
        "expected  rejected by turn.draw\n    found     rejected by turn.pass",
    ),
    ("given hand A KS QS; turn A play\n  reject discard KS as malformed", "it is read as discard KS"),
    (
        "given hand A KS QS; turn A play\n  expect legal discard KS",
        "no other legal action\n    found     discard QS is",
    ),
    ("given hand A KS QS; turn A play\n  expect 3 legal actions", "legal actions 3\n    found     2"),
    (
        "given hand A KS QS; turn A play\n  play discard KS\n  expect unchanged",
        "expected  turn as before, since it is not mentioned",
    ),
    (
        "given hand A KS QS; turn A play\n  play discard KS\n  expect only turn B start; discard 2 cards",
        "found     changed but not mentioned: hand A 2 → 1, without KS",
    ),
    ("given hand A KS QS; turn A play\n  expect hand A KS", "expected  hand A KS\n    found     QS KS"),
    ("given hand A KS QS; turn A play\n  expect hand A holds KS KS", "expected  hand A holds KS KS"),
    ("given hand A KS QS; turn A play\n  expect hand A 3 cards", "hand A: 3 lie there\n    found     2 lie there"),
    ("given hand A KS QS; turn A play\n  expect taken X yes", "expected  taken X yes\n    found     no"),
    ("given hand A KS QS; turn A play\n  expect over", "expected  the deal is over\n    found     phase play"),
    ("given hand A KS QS; turn A play\n  expect meld X1: clean yes", "there is no meld X1"),
    ("given hand A KS QS; turn A play\n  expect score X 5", "expected  score X 5\n    found     "),
    (
        "given hand A KS QS; turn A play\n  expect view A hides stock",
        "hidden from A: stock\n    found     stock, hand B",
    ),
    ("given hand A KS QS; turn A play\n  expect match over", "no totals"),
    ("given totals X 5; deck KD at 1\n  expect match over", "no totals"),
    ("given hand A KS QS; rest in hand B; turn A play\n  expect written X 3.5", "found     -240"),
    ("given totals X 5, Y 6\n  expect match over", "expected  match: over yes\n    found     no"),
    ("expect hand A KS", "no position: the scenario does not begin with one"),
    ("expect deck 52 cards, value 1", "expected  cards in the deck 52\n    found     108"),
    ("expect next A is C", "expected  next A C\n    found     B"),
    ("meld 3H 4H", "expected  3H 4H is lawful\n    found     it breaks meld.min_size"),
    ("reject meld 3H 4H 5H", "expected  3H 4H 5H is not lawful\n    found     it is lawful"),
    ("reject meld 3H 4H by meld.set", "expected  3H 4H breaks meld.set\n    found     it breaks meld.min_size"),
    ("meld 3H 4H 5H: tidy yes", "nothing called 'tidy' can be said of it"),
    ("meld 3H 4H 5H in any order: none", "expected  none\n    found     3H 4H 5H"),
    ("meld JK JK JK", "may lie in"),
    ("value AH = 5", "expected  value 5\n    found     value 15"),
]


@pytest.mark.parametrize(("lines", "message"), FAILING)
def test_a_step_that_fails_is_reported(lines: str, message: str, tmp_path: Path) -> None:
    (scenario,) = read_catalogue(rules(), example(tmp_path, HEAD + lines + "\n"))
    outcome = run(scenario, rules())
    assert not outcome.passed
    assert message in str(outcome)


def changed(change: Callable[[Any], object], path: Path = VECTOR) -> Any:
    document = json.loads(path.read_text(encoding="utf-8"))
    change(document)
    return document


DOCUMENTS: list[tuple[str, Callable[[Any], object], str]] = [
    ("no id", lambda d: d.pop("id"), "$: the member 'id' is missing"),
    ("a stranger", lambda d: d.update(notes=1), "$: there is no member 'notes' here"),
    ("a list", lambda d: d.update(steps={}), "$.steps: expected a list, found an object"),
    ("no steps", lambda d: d.update(steps=[]), "$.steps: the list is empty"),
    ("an id", lambda d: d.update(id="packet"), "$.id: 'packet' is not an id such as"),
    ("a format", lambda d: d.update(format=1), "$.format: expected format 2, found 1\nhint: in format 1, what"),
    ("a level", lambda d: d.update(level="meld"), "$.level: there is no level 'meld'\nhint: did you mean 'melds'?"),
    ("a title", lambda d: d.update(title=" "), "$.title: the text is empty"),
    ("a clause", lambda d: d["clauses"].append("x"), "$.clauses[3]: 'x' is not a clause id"),
    ("a kind", lambda d: d["provenance"].update(kind="idea"), "$.provenance.kind: there is no kind 'idea'"),
    ("a version", lambda d: d["rulesets"][0].update(version=1), "$.rulesets[0].version: expected a string"),
    ("two givens", lambda d: d["given"].update(deck=[]), "$.given: expected one of the members position, deck, totals"),
    ("a standing", lambda d: d.update(given={"deck": ["9H"], "dealer": "D", "totals": {}}), "the member 'deals' is"),
    ("a form", lambda d: d.update(form_of="packet"), "$.form_of: 'packet' is not an id such as"),
    ("nothing stated", lambda d: d["given"].update(stated=""), "$.given.stated: the text is empty"),
    ("no given", lambda d: d.update(given={}), "$.given: expected one of the members position, deck, totals, found no"),
    ("a step", lambda d: d["steps"].append({"plai": {}}), "$.steps[7]: expected one of the members play, accept"),
    ("two steps", lambda d: d["steps"][0].update(expect={}), "$.steps[0]: expected one of the members"),
    ("no JSON", lambda d: d["steps"][0]["play"].pop("json"), "$.steps[0].play: the member 'json' is missing"),
    ("no text", lambda d: d["steps"][0]["play"].update(text=5), "$.steps[0].play.text: expected a string"),
    ("no reason", lambda d: d["steps"][3].update(because=[]), "$.steps[3].because: the list is empty"),
    ("no fact", lambda d: d["steps"][2].update(expect={"rest": "any"}), "$.steps[2].expect: nothing is expected"),
    ("nothing else", lambda d: d["steps"][2]["expect"].update(also={}), "expect.also: nothing else is expected"),
    ("a score beside", lambda d: d["steps"][2]["expect"].update(also={"score": {}}), "there is no member 'score' here"),
    ("two rests", lambda d: d["steps"][2]["expect"].update(also={"turn": "A"}, rest="any"), "'also' says what else"),
    ("open twice", lambda d: d["steps"][2]["expect"].update(open=["stock"] * 2), "one part of it speaks of 'stock'"),
    ("only", lambda d: d["steps"][2]["expect"].update(only=True), "there is no member 'only' here"),
    ("a fact", lambda d: d["steps"][2]["expect"].update(truth=1), "$.steps[2].expect: there is no member 'truth' here"),
    ("a count", lambda d: d["steps"][2]["expect"].update(legal_count=-1), "legal_count: expected a number"),
    ("a rest", lambda d: d["steps"][2]["expect"].update(rest="all"), "$.steps[2].expect.rest: there is no rest 'all'"),
    ("a score", lambda d: d["steps"][2]["expect"].update(score={"X": "5"}), "score.X: expected a whole number"),
    ("a size", lambda d: d["steps"][2]["expect"].update(sizes={"hand": {"A": True}}), "sizes.hand.A: expected a whole"),
    ("a zone", lambda d: d["steps"][2]["expect"].update(zones={"stock": 5}), "zones.stock: expected a list"),
    (
        "a card",
        lambda d: d["steps"][2]["expect"].update(holds={"hand": {"A": [5]}}),
        "A[0]: expected a string, found a n",
    ),
    (
        "a quality",
        lambda d: d["steps"][2]["expect"].update(meld={"X1": {"clean": "yes"}}),
        "'clean' should be true, false",
    ),
    ("a view", lambda d: d["steps"][2]["expect"].update(view={"A": {}}), "view.A: the member 'hides' is missing"),
    ("a repetition", lambda d: d["steps"].append({"repeat": {"times": 0, "steps": [{}]}}), "$.steps[7].repeat"),
]


SAID_TWICE = [
    (
        "open, stated",
        lambda d: d["steps"][2]["expect"].update(turn="A", open=["turn"]),
        "one part of it speaks of 'turn'",
    ),
    ("twice", lambda d: d["steps"][2].update(expect={"over": True, "also": {"phase": "over"}}), "speaks of 'phase'"),
    (
        "stated and beside",
        lambda d: d["steps"][2].update(expect={"zones": {"hand": {"A": []}}, "also": {"zones": {"hand": {"A": []}}}}),
        "more than one part of it speaks of 'hand A'",
    ),
]
"""What a schema cannot tell."""


@pytest.mark.parametrize(
    ("change", "message"), [(c, m) for _, c, m in SAID_TWICE], ids=[name for name, *_ in SAID_TWICE]
)
def test_what_is_said_twice(change: Callable[[Any], object], message: str) -> None:
    with pytest.raises(JsonError) as caught:
        read_vector(changed(change))
    assert message in str(caught.value)


@pytest.mark.parametrize(("change", "message"), [(c, m) for _, c, m in DOCUMENTS], ids=[name for name, *_ in DOCUMENTS])
def test_vectors(change: Callable[[Any], object], message: str, tmp_path: Path) -> None:
    document = changed(change)
    path = tmp_path / "vector.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(ScenarioError) as caught:
        load_vector(path)
    assert str(caught.value).replace("\n  hint", "\nhint").startswith(str(path))
    assert message in str(caught.value).replace("\n  hint", "\nhint")
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, SCHEMA)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "this is no JSON"),
        (b"[]", "$: expected an object, found a list"),
        (b"\xff\xfe", "is not UTF-8 text: byte 0 cannot be read"),
        (b'{"id": 1, "id": 2}', "an object has the member 'id' twice"),
        (b"[" * 100_000, "the JSON is nested too deeply"),
        (b'{"format": NaN}', "NaN is no JSON number"),
        (b" " * 5_000_000, "has 5000000 bytes, and 4000000 is the most that is read"),
    ],
)
def test_files(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "vector.json"
    path.write_bytes(content)
    with pytest.raises(ScenarioError) as caught:
        load_vector(path)
    assert message in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"nothing\.json: cannot be read: No such file"):
        load_vector(tmp_path / "nothing.json")


FORMS: list[tuple[str, Path, Callable[[Any], object], str]] = [
    (
        "an action",
        VECTOR,
        lambda d: d["steps"][0]["play"].update(text="extend X1 with TH high"),
        "means something else",
    ),
    ("a meld", MELDS, lambda d: d["steps"][0]["meld"].update(text="run of H TH JH QH"), "means something else"),
    ("a position", VECTOR, lambda d: d["given"]["position"].update(turn="B"), "a text that tells another position"),
    ("a card too many", VECTOR, lambda d: d["given"]["position"]["zones"]["stock"].append("JK"), "JK"),
    (
        "a foreign card",
        VECTOR,
        lambda d: d["given"]["position"]["zones"]["stock"].append("1H"),
        "there is no card '1H'",
    ),
    (
        "a foreign zone",
        VECTOR,
        lambda d: d["steps"][2]["expect"].update(sizes={"pocket": 1}),
        "nothing called 'pocket'",
    ),
    (
        "something else stated",
        VECTOR,
        lambda d: d["given"].update(stated="hand A KS; turn A start"),
        "a position that is not the one that follows from what is stated",
    ),
    ("a foreign seat", VECTOR, lambda d: d["steps"][3].update(seat="E"), "there is no seat 'E'"),
    ("a foreign side", VECTOR, lambda d: d["steps"][2]["expect"].update(score={"Z": 1}), "no side 'Z'"),
    (
        "a foreign view",
        VECTOR,
        lambda d: d["steps"][2]["expect"].update(view={"E": {"hides": []}}),
        "there is no seat 'E'",
    ),
]


@pytest.mark.parametrize(("path", "change", "message"), [f[1:] for f in FORMS], ids=[name for name, *_ in FORMS])
def test_vectors_of_other_rules(path: Path, change: Callable[[Any], object], message: str) -> None:
    """A vector of the right form that does not fit the rules fails, with a report; nothing is raised."""
    outcome = run(read_vector(changed(change, path)), rules())
    assert not outcome.passed
    assert message in str(outcome)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path]
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        found += places(item, (*path, key))
    return found


BASE = json.loads(VECTOR.read_text(encoding="utf-8"))
SMALL = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 200) | st.sampled_from(["", "A", "X1", "9H", "draw", "run", "start"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["A", "text", "hand"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.sampled_from(places(BASE)[1:]), SMALL)
def test_nothing_but_a_message_comes_of_a_spoilt_vector(path: tuple[Any, ...], value: Any) -> None:
    document = copy.deepcopy(BASE)
    inner = document
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    try:
        scenario = read_vector(document)
    except JsonError:
        return
    str(run(scenario, rules()))


WORDS = """
    given play accept reject expect meld value hand A X1 9H JK [ ] ; , : = by as malformed in any order none only over
    turn start legal view hides score 5 -5 cards empty holds deck at totals times stock taken yes copies of match winner
    next dealer is 99999999999 turn.draw draw extend with low ♠ ٠ §
"""


@given(
    st.sampled_from(["given", "play", "accept", "reject", "expect", "meld", "value"]),
    st.lists(st.sampled_from(WORDS.split()), max_size=9),
)
def test_nothing_but_a_message_comes_of_a_spoilt_line(keyword: str, words: list[str]) -> None:
    from biriba.scenario.given import parse_given_line
    from biriba.scenario.lines import parse_line

    ruleset, text = rules().ruleset, " ".join(words)
    try:
        if keyword == "given":
            parse_given_line(ruleset, text, rules().dealt_sizes)
        else:
            parse_line(ruleset, keyword, text, "here")
    except (ScenarioError, NotationError):
        return
