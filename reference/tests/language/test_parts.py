"""Parts, dropped parameters and actions, and settings that contradict each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from biriba.language.diagnostics import Diagnostic, RulesError
from biriba.language.load import compile_rules, load_ruleset
from biriba.language.source import Source
from biriba.model.ruleset import Ruleset

CLOSING = """
replace clause score.closing
  "The pair that closes earns {AMOUNT}."
  because "a rule of our table"
  score "closing" for side p: if closer = p then AMOUNT else 0
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}.rules"
    path.write_text(text, encoding="utf-8")
    return path


def part(folder: Path, name: str, amount: int) -> None:
    write(folder, name, f'part {name} "A closing bonus of its own"\n' + CLOSING.replace("AMOUNT", str(amount)))


def ruleset(folder: Path, head: str, body: str = "") -> Ruleset:
    return load_ruleset(write(folder, "mine", f'ruleset mine "Mine" {head}\n  version "1"\n\n{body}'))


def fault(folder: Path, head: str, body: str = "") -> Diagnostic:
    with pytest.raises(RulesError) as caught:
        ruleset(folder, head, body)
    assert len(caught.value.diagnostics) == 1, str(caught.value)
    return caught.value.diagnostics[0]


def test_a_part_is_taken_in(tmp_path: Path) -> None:
    part(tmp_path, "fifty", 50)
    rules = ruleset(tmp_path, "extends biriba with fifty")
    assert rules.own_parts == rules.parts == ("fifty",)
    assert rules.parents == ("biriba",)
    assert rules.clauses["score.closing"].origin == "fifty"
    assert "50" in rules.clauses["score.closing"].source


def test_a_child_has_the_parts_of_its_parent(tmp_path: Path) -> None:
    part(tmp_path, "fifty", 50)
    ruleset(tmp_path, "extends biriba with fifty")
    child = load_ruleset(write(tmp_path, "child", 'ruleset child "Child" extends mine with bonus-suit\n'))
    assert child.parts == ("fifty", "bonus-suit")
    assert child.own_parts == ("bonus-suit",)
    own = {example.clause for example in child.own_examples()}
    assert own == {"bonus.suit", "bonus.choice", "score.run", "score.greatest_bonus"}


def test_parts_that_contradict_each_other(tmp_path: Path) -> None:
    part(tmp_path, "fifty", 50)
    part(tmp_path, "sixty", 60)
    found = fault(tmp_path, "extends biriba with fifty, sixty")
    assert found.code == "E0209"
    assert "'fifty' and 'sixty'" in found.message
    assert "clause 'score.closing'" in found.message


def test_the_rule_set_may_decide_between_parts(tmp_path: Path) -> None:
    part(tmp_path, "fifty", 50)
    part(tmp_path, "sixty", 60)
    rules = ruleset(tmp_path, "extends biriba with fifty, sixty", CLOSING.replace("AMOUNT", "70"))
    assert "70" in rules.clauses["score.closing"].source


@pytest.mark.parametrize(
    ("head", "code", "words"),
    [
        ("extends biriba with fifti", "E0205", "there is no part 'fifti'"),
        ("extends birriba", "E0205", "there is no rule set 'birriba'"),
        ("extends biriba with classic", "E0208", "'classic' is a rule set"),
        ("extends free-packet", "E0208", "'free-packet' is a part"),
        ("extends classic with free-packet", "E0202", "taken in twice"),
    ],
)
def test_what_cannot_be_built_on(tmp_path: Path, head: str, code: str, words: str) -> None:
    found = fault(tmp_path, head)
    assert found.code == code
    assert words in found.message


def test_a_name_that_is_nearly_right_is_suggested(tmp_path: Path) -> None:
    assert fault(tmp_path, "extends clasic").hint == "did you mean 'classic'?"
    assert fault(tmp_path, "extends biriba with bonus-siut").hint == "did you mean 'bonus-suit'?"
    assert "bonus-suit, entry-minimum, free-packet" in (fault(tmp_path, "extends biriba with bonus").hint or "")


def test_settings_that_contradict_a_fact(tmp_path: Path) -> None:
    found = fault(tmp_path, "extends guide", "set runs_only = yes\n")
    assert found.code == "E0503"
    assert "clause 'close.both_kinds'" in found.message
    assert "runs_only = yes" in found.message
    assert (found.hint or "").endswith(
        " of guide.rules asks that not runs_only; "
        "the clause says: A rule set that asks for a run and a set allows sets."
    )
    assert found.span.line == 4


@pytest.mark.parametrize(
    ("head", "settings", "clause", "asked"),
    [
        ("extends biriba", "set hand_size = 2\nset held_back = 3\n", "discard.keep_one", "held_back <= hand_size"),
        ("extends classic", "set packet_size = 1\n", "discard.keep_one", "packet_size > held_back"),
        ("extends three-handed", "set packets = 3\n", "deal.packets", "packets = 2"),
    ],
)
def test_settings_that_would_leave_a_player_without_a_move(
    tmp_path: Path, head: str, settings: str, clause: str, asked: str
) -> None:
    found = fault(tmp_path, head, settings)
    assert found.code == "E0503"
    assert f"clause '{clause}'" in found.message
    assert f"asks that {asked}; the clause says: " in (found.hint or "")


def test_a_deal_that_needs_more_cards_than_there_are(tmp_path: Path) -> None:
    found = fault(tmp_path, "extends classic", "set hand_size = 20\nset packets = 6\n")
    assert found.code == "E0504"
    assert "clause 'deal.packets'" in found.message
    found = fault(tmp_path, "extends six-handed", "set packs = 1\n")
    assert found.message == "clause 'deal.hands' deals 1 card from 'stock', where only 0 are left"


def test_a_parameter_outside_its_range(tmp_path: Path) -> None:
    found = fault(tmp_path, "extends classic", "set hand_size = 40\n")
    assert found.code == "E0501"
    assert "'hand_size' is 40, outside its range 1..20" in found.message


def test_what_hangs_on_a_dropped_action_falls_with_it() -> None:
    rules = load_ruleset("classic")
    assert "pass" not in rules.actions
    assert not [c for c in rules.consequences if c.action == "pass"]
    assert "pass_limit" not in rules.parameters


def test_a_dropped_parameter_must_be_there(tmp_path: Path) -> None:
    found = fault(tmp_path, "extends biriba", "drop parameter jokerz\n")
    assert found.code == "E0207"
    assert found.hint == "did you mean 'jokers'?"


@pytest.mark.parametrize(
    ("body", "message", "place"),
    [
        ("set pass_limit = 3\n", "there is no parameter 'pass_limit' to set", "drop parameter pass_limit"),
        ("drop parameter pass_limit\n", "there is no parameter 'pass_limit' to drop", "drop parameter pass_limit"),
        ('drop clause turn.pass because "x"\n', "there is no clause 'turn.pass' to drop", "drop clause turn.pass"),
        (CLOSING.replace("score.closing", "turn.pass"), "no clause 'turn.pass' to replace", "drop clause turn.pass"),
    ],
)
def test_what_the_parent_dropped_is_told(tmp_path: Path, body: str, message: str, place: str) -> None:
    found = fault(tmp_path, "extends classic", body)
    assert message in found.message
    assert found.hint is not None
    assert found.hint.startswith("'classic' drops it at ")
    path, line = found.hint.removeprefix("'classic' drops it at ").rsplit(":", 2)[:2]
    assert Path(path).read_text(encoding="utf-8").splitlines()[int(line) - 1].startswith(place)


def test_a_part_that_needs_a_parameter_which_the_parent_dropped(tmp_path: Path) -> None:
    with pytest.raises(RulesError) as caught:
        ruleset(tmp_path, "extends venezuelan with bonus-suit")
    assert all((d.hint or "").startswith("'venezuelan' drops it at ") for d in caught.value.diagnostics)


def test_a_dropped_parameter_that_is_used(tmp_path: Path) -> None:
    with pytest.raises(RulesError) as caught:
        ruleset(tmp_path, "extends biriba", "drop parameter closing_bonus\n")
    assert {d.code for d in caught.value.diagnostics} == {"E0201"}


HOUSE = """
clause house.rule
  "A rule of the house."
  because "it is tested here"
"""


def house(folder: Path, line: str) -> Ruleset:
    return ruleset(folder, "extends biriba", f"{HOUSE}  {line}\n")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("on discard require total(mine) < 100", "'total' is known only"),
        ("on discard require deals < 3", "'deals' is known only"),
        ('score "x" for meld m: subtotal(X)', "'subtotal' is known only"),
        ("invariant subtotal(X) = 0", "'subtotal' is known only"),
        ("on lay(m) require points(m) = 0", "'points' is known only"),
        ('score "x" for meld m: points(m)', "'points' is known only"),
        ("on discard require quotient(size(stock), size(discard)) > 1", "may divide by zero"),
        ("invariant every meld m from melds: lawful(m)", "new melds are made of a pile or hand"),
        ("invariant every seat s from A with 9H: hand[s] is empty", "only melds are made with a card"),
        ("match points written divided by 0", "points are divided by a number"),
    ],
)
def test_what_has_no_meaning_there(tmp_path: Path, line: str, words: str) -> None:
    found = {d.message for d in _faults(tmp_path, line)}
    assert any(words in message for message in found), found


def _faults(folder: Path, line: str) -> tuple[Diagnostic, ...]:
    with pytest.raises(RulesError) as caught:
        house(folder, line)
    return caught.value.diagnostics


@pytest.mark.parametrize(
    "line",
    [
        "deal for each side p: when total(p) > 100: taken[p] := no",
        'score "x" for side p: quotient(subtotal(p), 2)',
        "on extend(m, g) require substitutes(result(g)) <= substitutes(m)",
        "on take require discard is not empty and some meld m from hand[me] with top(discard): size(m) = 3",
        "on lay then move all of melds[X] to melds[Y]",
        "match points written divided by packs * 5",
    ],
)
def test_what_has_one(tmp_path: Path, line: str) -> None:
    assert house(tmp_path, line).clauses["house.rule"]


def test_a_definition_passes_on_what_it_needs(tmp_path: Path) -> None:
    body = f"{HOUSE}  define ahead(p: side) = total(p) > 100\n  on discard require not ahead(mine)\n"
    found = fault(tmp_path, "extends biriba", body)
    assert "'total' is known only" in found.message


def test_a_part_cannot_be_compiled_by_itself() -> None:
    with pytest.raises(RulesError) as caught:
        compile_rules(Source("x.rules", 'part x "X"\n'))
    assert caught.value.diagnostics[0].code == "E0208"
