"""What the compiler says about rule files that make no sense: one clear message for each fault."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from biriba.language.diagnostics import Diagnostic, RulesError
from biriba.language.load import compile_rules, load_ruleset
from biriba.language.source import Source
from tests.language.rulefiles import CANONICAL, changed, clause_text, compiled, faults, with_parameter, without_clause


def test_the_canonical_rules_compile_without_a_warning() -> None:
    rules, warnings = compile_rules(Source("biriba.rules", CANONICAL))
    assert warnings == ()
    assert rules.name == "biriba"
    assert rules.cards.total == 108
    assert list(rules.actions) == ["draw", "take", "pass", "lay", "extend", "discard"]


def line_of(text: str, piece: str) -> int:
    return text[: text.index(piece)].count("\n") + 1


FAULTS = [
    # (what is replaced, by what, code, words of the message)
    ("every meld m: size(m) >= min_meld", "every meld m: size(m) >= min_mled", "E0201", "'min_mled' is not defined"),
    ("every meld m: size(m) >= min_meld", "every meld m: size(m)", "E0301", "this is a number 0..108"),
    ("every meld m: size(m) >= min_meld", "every meld m: suit(m) = H", "E0302", "suit does not take (meld)"),
    ("every meld m: size(m) >= min_meld", "every meld m: size(discard) > 2", "E0305", "cannot depend on the position"),
    ("every meld m: size(m) >= min_meld", "every meld m: m > 3", "E0303", "cannot be compared"),
    ("every meld m: size(m) >= min_meld", "every card m: value(m) > 3", "E0305", "a law is about melds"),
    ("every run m: size(m) <= max_run", "every rum m: size(m) <= max_run", "E0201", "there is no type 'rum'"),
    ("on draw require stock is not empty", "on drow require stock is not empty", "E0201", "there is no action 'drow'"),
    ("on draw require stock is not empty", "on draw require yes", "E0403", "'stock' may hold fewer cards"),
    ("on extend(m) require owner(m) = mine", "on extend(n) require owner(n) = mine", "E0201", "has no parameter 'n'"),
    ("on extend(m) require owner(m) = mine", "on extend(m) require owner(m) = me", "E0303", "cannot be compared"),
    ("define closes = size(hand[me]) = 1",
     "define closes = wild(top(discard))", "E0402", "top of a zone that may be empty"),
    ("on discard(c) require c != barred", "on discard(c) require value(barred) > 0", "E0401", "this may be none"),
    ("on discard(c) require c != barred", "on discard(c) require c != 9X", "E0201", "there is no card '9X'"),
    ("passes := min(passes + 1, pass_limit)", "passes := passes + 1", "E0502", "'passes' is a number 0..4"),
    ("passes := min(passes + 1, pass_limit)", "stock := 1", "E0304", "nothing is assigned to it"),
    ("    move c from hand[me] to discard", "    move c from stock to discard", "E0403", "this card may not lie there"),
    ("    move c from hand[me] to discard",
     "    move c from hand to discard", "E0306", "there is one 'hand' for each seat"),
    ("    move c from hand[me] to discard",
     "    move c from hand[mine] to discard", "E0301", "this is a side, where a seat"),
    ("    grow m by g from hand[me]", "    grow m by m from hand[me]", "E0403", "is no growth of"),
    ("grow set by a card", "grow set at an end", "E0305", "a set lies in group"),
    ("= turn_start  one of", "= turn_stat  one of", "E0501", "cannot be 'turn_stat'"),
    ("wild JK, 2", "wild JK, 22", "E0201", "there is no rank '22'"),
    ("value JK value_joker,", "value JK value_jokr,", "E0201", "'value_jokr' is no number here"),
    ("value JK value_joker, A value_ace,", "value A value_ace,", "E0504", "no value is given for JK"),
    ("sides X = A C, Y = B D", "sides X = A C, Y = B", "E0210", "seat D is on no side"),
    ("sides X = A C, Y = B D", "sides X = A C, Y = B C", "E0202", "seat C is on two sides"),
    ("play to the right", "play to the front", "E0201", "to the right or to the left"),
    ("zone stock pile seen by nobody", "zone stock pyle seen by nobody", "E0201", "'pyle' is not known here"),
    ("action draw in start", "action draw in begin", "E0201", "there is no phase 'begin'"),
    ("follows from turn.lay, meld.permanent", "follows from turn.ley", "E0201", "which does not exist"),
    ('"A run has at most {max_run} cards."', '"A run has at most {max_rum} cards."',
     "E0201", "'max_rum' is not defined"),
    ('"A run has at most {max_run} cards."', '"A run has at most {max_run cards."',
     "E0108", "a brace that is not closed"),
    ("invariant phase is over or every seat s", "invariant phase is ovre or every seat s", "E0201", "no phase 'ovre'"),
    ("old(stock))", "old(stok))", "E0201", "'stok' is not defined"),
    ("match next dealer right(dealer)", "match next dealer mine", "E0305", "here nobody does"),
    ("repeat hand_size times:",
     "repeat hand_size + 20 times:", "E0504", "clause 'deal.hands' deals 1 card from 'stock'"),
    ("define clean(m: meld) =", "define clean(m: meld) = clean(m) and", "E0405", "defined through itself"),
    ("define closes = size(hand[me]) = 1", "define closes = may discard(9H) and size(hand[me]) = 1", "E0405", "itself"),
    ("every side p: p = mine or", "every side p: old(p) = mine or p = mine or", None, ""),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "code", "words"), FAULTS, ids=[f"{f[2]}-{i}" for i, f in enumerate(FAULTS)])
def test_one_fault_gives_one_message_at_its_line(old: str, new: str, code: str | None, words: str) -> None:
    text = changed((old, new))
    found = faults(text)
    if code is None:
        assert found == []
        return
    assert len(found) == 1, found
    assert found[0].startswith(code)
    assert words in found[0]
    if code not in ("E0403", "E0504"):  # these stand where the cards would be missing
        assert found[0].startswith(f"{code} {line_of(text, new.strip())}:") or "itself" in words


@pytest.mark.parametrize(
    ("value", "code", "words"),
    [(31, "E0501", "outside its range 1..20"), ("yes", "E0301", "so it is a number, not yes or no")],
)
def test_a_parameter_outside_its_range(value: object, code: str, words: str) -> None:
    found = faults(with_parameter("hand_size", value))
    assert len(found) == 1
    assert found[0].startswith(code)
    assert words in found[0]


def test_all_faults_of_a_file_are_found_in_one_run() -> None:
    text = changed(
        ("every meld m: size(m) >= min_meld", "every meld m: size(m) >= minmeld"),
        ("on draw require stock is not empty", "on draw require stok is not empty"),
        ('score "closing" for side p: if closer = p', 'score "closing" for side p: if closr = p'),
    )
    assert [f.split()[0] for f in faults(text)][:3] == ["E0201", "E0201", "E0201"]
    lines = {int(re.match(r"E\d+ (\d+)", f).group(1)) for f in faults(text)}  # type: ignore[union-attr]
    assert {line_of(text, "minmeld"), line_of(text, "stok is"), line_of(text, "closr")} <= lines


def test_a_message_shows_the_line_and_suggests_the_name() -> None:
    with pytest.raises(RulesError) as caught:
        compiled(changed(("every meld m: size(m) >= min_meld", "every meld m: size(m) >= min_mled")))
    shown = str(caught.value)
    assert "every meld m: size(m) >= min_mled" in shown
    assert "^^^^^^^^" in shown
    assert "min_meld" in shown.split("hint")[1]


def test_a_clause_may_not_be_declared_twice() -> None:
    assert [f[:5] for f in faults(CANONICAL + "\n" + clause_text("score.closing"))] == ["E0204"]


def test_a_rule_set_needs_cards_and_seats() -> None:
    assert any("has no `seats`" in f for f in faults(without_clause("table.pairs")))
    assert any("has no `deck`" in f for f in faults(without_clause("deck.cards")))


def test_a_dropped_definition_is_missed_where_it_is_used() -> None:
    found = faults(without_clause("meld.clean"))
    assert found
    assert all("no function 'clean'" in f for f in found)


CHILD = """ruleset child "A child" extends biriba
  version "2"

"""


def test_a_child_has_everything_of_its_parent() -> None:
    parent, child = load_ruleset("biriba"), compiled(CHILD)
    assert child.name == "child"
    assert child.version == "2"
    assert child.parents == ("biriba",)
    assert list(child.clauses) == list(parent.clauses)
    assert child.digest == parent.digest


def test_a_child_sets_a_parameter() -> None:
    child = compiled(CHILD + "set max_run = 5\nset active_from = first_draw\n")
    assert child.parameters["max_run"].value == 5
    assert child.parameters["active_from"].value == "first_draw"
    assert child.digest != load_ruleset("biriba").digest
    changed_clauses = [c.id for c in child.clauses.values() if c.digest != load_ruleset("biriba").clauses[c.id].digest]
    assert changed_clauses == ["run.max_size", "packet.wakes"]


def test_a_replaced_clause_keeps_its_place_and_knows_its_origin() -> None:
    child = compiled(
        CHILD + 'replace clause score.closing\n  "No bonus."\n  because "tried"\n  follows from score.melds\n'
    )
    assert list(child.clauses) == list(load_ruleset("biriba").clauses)
    assert child.clauses["score.closing"].origin == "child"
    assert "closing" not in [line.label for line in child.score]


def test_an_added_clause_comes_last_and_a_dropped_one_is_gone() -> None:
    child = compiled(
        CHILD + 'drop clause set.no_twos because "allowed here"\nclause new.one\n  "New."\n  because "x"\n  fact yes\n'
    )
    assert list(child.clauses)[-1] == "new.one"
    assert "set.no_twos" not in child.clauses
    assert not any(law.clause == "set.no_twos" for law in child.laws)


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("set max_runn = 5\n", "E0201", "there is no parameter 'max_runn' to set"),
        ("set max_run = 50\n", "E0501", "outside its range 3..14"),
        ('replace clause set.no_two\n  "x"\n  because "y"\n  fact yes\n',
         "E0207", "there is no clause 'set.no_two' to replace"),
        ("drop clause set.no_two\n", "E0207", "there is no clause 'set.no_two' to drop"),
        ('clause set.no_twos\n  "x"\n  because "y"\n  fact yes\n', "E0204", "clause 'set.no_twos' is declared twice"),
        ("parameter max_run = 3\n", "E0202", "parameter 'max_run' is declared twice"),
        ("set hand_size = 20\nset packet_size = 20\n", "E0504", "clause 'deal.packets' deals 20 cards from 'stock'"),
    ],
)  # fmt: skip
def test_faults_of_inheritance(text: str, code: str, words: str) -> None:
    found = faults(CHILD + text)
    assert len(found) == 1, found
    assert found[0].startswith(code)
    assert words in found[0]


def test_an_unknown_parent() -> None:
    assert faults('ruleset child "x" extends birba\n')[0].startswith("E0205")


def test_a_circle_of_parents(tmp_path: pytest.TempPathFactory) -> None:
    for name, parent in (("one", "two"), ("two", "one")):
        (tmp_path / f"{name}.rules").write_text(f'ruleset {name} "x" extends {parent}\n')  # type: ignore[operator]
    with pytest.raises(RulesError, match="in a circle: one extends two extends one"):
        load_ruleset(tmp_path / "one.rules")  # type: ignore[operator]


LINT = [
    ('\nclause odd.one\n  because "x"\n  fact yes\n', "W0601", "has no sentence"),
    ('\nclause odd.one\n  "A sentence."\n  fact yes\n', "W0602", "names no source and no reason"),
    ('\nclause odd.one\n  "A sentence."\n  because "x"\n', "W0605", "has no formal meaning"),
    ("\nparameter odd = 3\n", "W0603", "nothing uses parameter 'odd'"),
    ('\nclause odd.one\n  "A sentence."\n  because "x"\n  define odd = 1\n', "W0603", "nothing uses definition 'odd'"),
    ('\nclause odd.one\n  "A sentence."\n  because "x"\n  zone odd pile seen by all\n', "W0603", "moved to zone 'odd'"),
    ('\nclause odd.one\n  "A sentence."\n  because "x"\n  phases odd\n', "W0603", "nothing goes to phase 'odd'"),
]


@pytest.mark.parametrize(("text", "code", "words"), LINT)
def test_lint(text: str, code: str, words: str) -> None:
    _, warnings = compile_rules(Source("test.rules", CANONICAL + text))
    assert [(w.code, words in w.message) for w in warnings] == [(code, True)]


def diagnostics(text: str, name: str = "test.rules") -> list[Diagnostic]:
    """All that is said about a rule file."""
    try:
        return list(compile_rules(Source(name, text))[1])
    except RulesError as error:
        return list(error.diagnostics)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("set max_run = 5\nset max_run = 6\n", 4, "parameter 'max_run' is set twice"),
        ('  version "3"\n', 3, "a rule set has one version, and this is a second one"),
    ],
)
def test_what_is_said_twice_is_not_silently_overruled(text: str, line: int, words: str) -> None:
    (found,) = diagnostics('ruleset child "A child" extends biriba\n  version "2"\n' + text)
    assert (found.code, found.message, found.span.line) == ("E0202", words, line)


def test_a_child_may_set_what_its_parent_has_set(tmp_path: Path) -> None:
    (tmp_path / "one.rules").write_text('ruleset one "One" extends biriba\nset max_run = 5\n', encoding="utf-8")
    text = 'ruleset two "Two" extends one\nset max_run = 6\n'
    assert not diagnostics(text, str(tmp_path / "two.rules"))


@pytest.mark.parametrize("version", ["", "1 0", "1.0\\n", "α", "1/2"])
def test_a_version_is_one_word_since_records_name_it(version: str) -> None:
    (found,) = diagnostics(f'ruleset child "A child" extends biriba\n  version "{version}"\n')
    assert (found.code, found.message, found.span.line, found.span.column) == ("E0101", "this is no version", 2, 11)


def test_what_a_dropped_clause_defined_is_missed_by_name() -> None:
    found = diagnostics('ruleset child "A child" extends biriba\ndrop clause meld.biriba because "x"\n')
    hints = {d.hint for d in found if d.message == "there is no function 'has_biriba'"}
    assert hints == {"clause 'meld.biriba' defines it, and is dropped at test.rules:2:1"}


def test_a_definition_that_takes_a_name_from_a_parameter_of_an_action_is_named() -> None:
    text = (
        'ruleset child "A child" extends biriba\nclause a.b\n  "x"\n  because "y"\n  define g(n: meld) = size(n) > 1\n'
    )
    (found,) = diagnostics(text)
    assert found.message == "'g' already means something here"
    assert found.hint == "give one of the two another name; the other is at test.rules:5:3"


@pytest.mark.parametrize("follows", [{"a.b": "a.b"}, {"a.b": "a.c", "a.c": "a.d", "a.d": "a.b"}])
def test_no_clause_follows_from_itself(follows: dict[str, str]) -> None:
    clauses = "".join(f'clause {a}\n  "x"\n  because "y"\n  follows from {b}\n' for a, b in follows.items())
    (found,) = diagnostics('ruleset child "A child" extends biriba\n' + clauses)
    assert found.code == "E0405"
    first, *_, last = re.findall(r"a\.\w", found.message.partition(": ")[2])
    assert first == last
    assert f"clause '{first}' follows from itself" in found.message


@pytest.mark.parametrize("item", ["state rest: yes/no = no", "action deck in play\n    go to start"])
def test_names_that_the_notation_keeps_for_itself(item: str) -> None:
    text = f'ruleset child "A child" extends biriba\nclause a.b\n  "x"\n  because "y"\n  {item}\n'
    (found,) = [d for d in diagnostics(text) if d.code == "W0604"]
    assert f"'{item.split()[1].rstrip(':')}'" in found.message


@pytest.mark.parametrize("character", ["\x1b", "\x00", "\x07", "\x7f", "\x9b"])
def test_no_control_character_reaches_the_terminal_by_way_of_a_sentence(character: str) -> None:
    text = f'ruleset child "A child" extends biriba\nclause a.b\n  "red {character}[31m"\n  because "y"\n  fact yes\n'
    (found,) = diagnostics(text)
    assert (found.code, found.span.line, found.span.column) == ("E0102", 3, 8)


SWAP = """ruleset child "A child" extends biriba
clause widow.swap
  "A player may exchange a card for one of the widow."
  because "x"
  zone widow pile seen by all
  deal move 4 from stock to widow
  action swap(c: card in hand[me], d: card in {source}) in play
    move c from hand[me] to widow
    move d from {source} to hand[me]
"""


def test_cards_are_exchanged_between_two_zones_and_not_taken_twice_from_one() -> None:
    assert not [d for d in diagnostics(SWAP.format(source="widow")) if d.severity == "error"]
    (found,) = diagnostics(SWAP.format(source="hand[me]"))
    assert (found.code, found.message, found.span.line) == ("E0403", "this card may not lie there", 9)
