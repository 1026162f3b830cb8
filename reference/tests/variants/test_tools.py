"""The tools for families of rule sets: tree, differences, witnesses, starter files, combinations, judging anew."""

from __future__ import annotations

import json
import shlex
import shutil
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from biriba.cli.app import app
from biriba.data import conformance_dir
from biriba.interpreter.rules import Rules
from biriba.language.load import load_ruleset
from biriba.scenario.run import run as judge
from biriba.scenario.vectors import load_vector
from biriba.variants import compat
from biriba.variants.compat import bounds, combined, compatible, narrowed, source_with, toggles
from biriba.variants.difference import ADDED, DROPPED, NUMBERS, REPLACED, WORDS, Difference, difference
from biriba.variants.family import family, tree
from biriba.variants.rejudge import DIFFERS, HOLDS, UNSAYABLE, rejudge
from biriba.variants.render import NOTHING_DECIDED, SMALLEST, WORDS_ALONE, as_data, as_page, as_text
from biriba.variants.starter import good_name
from biriba.variants.trial import TRIED
from biriba.variants.witness import Witness, witnesses

run = CliRunner().invoke


@cache
def rules(name: str) -> Rules:
    return Rules(load_ruleset(name))


def compared(old: str, new: str) -> Difference:
    return difference(rules(old), rules(new))


def kinds(found: Difference) -> dict[str, str]:
    return {change.clause: change.kind for change in found.clauses}


@cache
def shown(old: str, new: str) -> dict[str, Witness]:
    return {change.clause: found for change, found in witnesses(compared(old, new)) if found is not None}


def test_the_tree_has_every_rule_set_under_its_parent() -> None:
    members = family()
    order = [member.name for _, member in tree(members)]
    assert sorted(order) == sorted(members)
    for name, member in members.items():
        if member.parent is not None:
            assert order.index(member.parent) < order.index(name)
    assert members["biriba-bounded"].line == "stall_limit 60"
    assert members["biriba-runs-only"].line == "runs_only yes; replaces set.allowed"


def test_kinds_of_differences() -> None:
    found = kinds(compared("biriba", "classic"))
    assert found["turn.pass"] == DROPPED
    assert found["meld.dirt_stays"] == ADDED
    assert found["discard.keep_one"] == REPLACED
    assert found["match.first_dealer"] == WORDS
    assert found["match.target"] == NUMBERS
    assert "score.closing" not in found


def test_no_difference() -> None:
    found = compared("classic", "classic")
    assert not found.clauses
    assert "The rules are the same." in as_text(found, {})
    assert "The rules are the same." in as_page(found, {})


def test_differences_as_text_data_and_page() -> None:
    found = compared("classic", "cyprus")
    example = shown("classic", "cyprus")
    text = as_text(found, example, 80)
    assert "full_run_dirty" in text
    assert "500 -> 100" in text
    assert all(len(line) <= 120 for line in text.splitlines())
    data = json.loads(json.dumps(as_data(found, example)))
    assert data["parameters"] == [
        {"name": "full_run_dirty", "text": "bonus of a dirty full run", "old": "500", "new": "100"}
    ]
    assert data["clauses"][0]["witness"]["new"] == "lawful, bonus 100"
    page = as_page(found, example)
    assert page.count("<table") == page.count("</table>") == 2
    assert "score.full_run" in page


@pytest.mark.parametrize(
    ("old", "new", "clause", "kind", "words"),
    [
        ("biriba", "biriba-runs-only", "set.allowed", "meld", "unlawful by set.allowed"),
        ("biriba", "biriba-free-packet", "packet.right", "action", "legal"),
        ("biriba", "classic", "turn.pass", "action", "no such action"),
        ("biriba", "classic", "match.dealer", "match", "after A, D deals"),
        ("classic", "tenth", "score.tenths", "points", "written 33.5"),
        ("guide", "guide-2", "turn.passes_run_out", "action", "turn B over"),
        ("guide", "guide-no-twos", "deck.wilds", "cards", "no"),
        ("guide", "guide-hard", "close.by_discard", "action", "rejected by discard.keep_one"),
        ("biriba", "biriba-entry-minimum", "entry.taken_back", "action", "shown X empty"),
        ("biriba", "biriba-entry-minimum", "entry.due", "deal", "entry X 90"),
    ],
)
def test_witnesses(old: str, new: str, clause: str, kind: str, words: str) -> None:
    found = shown(old, new).get(clause)
    assert found is not None
    assert found.kind == kind
    assert words in found.new
    assert found.old != found.new


def test_what_shows_a_difference_is_decided_by_the_clause_itself_or_says_so(tmp_path: Path) -> None:
    """Ten cards in hand: the clause that deals them decides; the one that counts the rest of the stock only states."""
    path = tmp_path / "ten.rules"
    path.write_text(
        'ruleset ten "Ten" extends biriba\n  version "1"\n\nset hand_size = 10\n\n'
        'replace clause score.closing\n  "The pair that closes earns {closing_bonus}, and one more."\n'
        '  because "a test"\n'
        '  score "closing" for side p: if closer = p then closing_bonus + 1 else 0\n'
    )
    found = difference(rules("biriba"), Rules(load_ruleset(path)))
    example = {change.clause: witness for change, witness in witnesses(found)}
    hands, rest, closing = (example[name] for name in ("deal.hands", "deal.rest", "score.closing"))
    assert hands is not None
    assert closing is not None
    assert rest is not None
    assert hands.beside == closing.beside == rest.beside == ""
    assert (rest.kind, rest.given) == ("statement", "dealer D; deck AH at 1")
    assert (rest.old, rest.new) == ("what it states does not hold", "what it states holds")
    kinds = shown("biriba", "guide")["cards.meld_kinds"]
    assert kinds.beside == "max_wilds in all clauses"
    text = as_text(compared("biriba", "guide"), shown("biriba", "guide"))
    assert "(not by this clause alone, but exchanged together with max_wilds in all clauses)" in text
    assert "not by this clause alone" in as_page(compared("biriba", "guide"), shown("biriba", "guide"))


def test_what_shows_a_difference_is_no_larger_than_it_must_be() -> None:
    example = shown("biriba", "biriba-bonus-suit")
    assert example["bonus.choice"].given == "dealer D; deck JK at 67"
    assert shown("biriba", "biriba-runs-only")["set.allowed"].given == "9H 9H 9S"
    assert SMALLEST in as_text(compared("biriba", "biriba-bonus-suit"), example)
    assert SMALLEST in as_page(compared("biriba", "biriba-bonus-suit"), example)


def test_where_nothing_shows_a_difference_it_says_why() -> None:
    found = compared("biriba", "classic")
    example = dict.fromkeys(kinds(found)) | shown("biriba", "classic")
    text, data = as_text(found, example), as_data(found, example)
    unshown = {c["clause"]: c["unshown"] for c in data["clauses"] if "unshown" in c}
    assert unshown["deal.packets"] == WORDS_ALONE
    assert unshown["meld.dirt_stays"] == NOTHING_DECIDED
    assert f"({NOTHING_DECIDED})" in text
    assert f"({NOTHING_DECIDED})" in as_page(found, example)
    gone = example["packet.after_biriba"]
    assert gone is not None
    assert (gone.old, gone.new) == ("what it states does not hold", "there is no such clause")


def test_most_differences_can_be_shown() -> None:
    found = compared("classic", "three-handed")
    silent = {change.clause for change in found.clauses} - shown("classic", "three-handed").keys()
    assert silent <= {"deal.rest", "meld.permanent", "close.by_discard"}


def test_a_starter_file_is_a_rule_set(tmp_path: Path) -> None:
    made = run(app, ["new", "mine", "--extends", "guide", "--in", str(tmp_path)])
    assert made.exit_code == 0, made.output
    path = tmp_path / "mine.rules"
    assert load_ruleset(path).parents == ("guide", "biriba")
    assert not difference(rules("guide"), Rules(load_ruleset(path))).clauses
    assert run(app, ["fmt", "--check", str(path)]).exit_code == 0


def test_the_command_that_is_suggested_can_be_copied(tmp_path: Path) -> None:
    folder = tmp_path / "my rules"
    folder.mkdir()
    made = run(app, ["new", "mine", "--in", str(folder)])
    command = made.output.partition("then: ")[2]
    assert shlex.split(command) == ["biriba", "check", str(folder / "mine.rules")]


def test_what_a_starter_file_suggests_works(tmp_path: Path) -> None:
    run(app, ["new", "mine", "--extends", "classic", "--in", str(tmp_path)])
    path = tmp_path / "mine.rules"
    lines = path.read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if line == "# clause house.clean_start")
    clause = "\n".join(line.removeprefix("# ") for line in lines[start:])
    settings = [line.removeprefix("# ") for line in lines if line.startswith("# set ")]
    path.write_text("\n".join([*lines[:start], *settings, "", clause]) + "\n")
    checked = run(app, ["check", "--strict", str(path)])
    assert checked.exit_code == 0, checked.output
    tested = run(app, ["test", str(path)])
    assert "1 of 1" in tested.output


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("classic", "a rule set 'classic' comes"),
        ("bonus-suit", "a part 'bonus-suit' comes"),
        ("clause", "is a word of"),
    ],
)
def test_names_that_are_taken(tmp_path: Path, name: str, words: str) -> None:
    made = run(app, ["new", name, "--in", str(tmp_path)])
    assert made.exit_code == 2
    assert words in made.output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["9", "a b", "Ä", "ruleset", "x.rules", "", "a-"])
def test_names_that_are_none(name: str) -> None:
    assert not good_name(name)
    assert run(app, ["new", "--", name]).exit_code == 2


def test_no_file_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine.rules").write_text("precious")
    assert run(app, ["new", "mine", "--in", str(tmp_path)]).exit_code == 2
    assert (tmp_path / "mine.rules").read_text() == "precious"


def test_toggles_combine() -> None:
    ruleset = load_ruleset("biriba")
    names = [toggle.name for toggle in toggles(ruleset)]
    assert "with free-packet" in names
    assert "runs_only = yes" in names
    assert "active_from = first_draw" in names


@pytest.mark.slow
def test_all_toggles_of_the_canonical_rules_combine() -> None:
    names = toggles(load_ruleset("biriba"))
    verdicts = compatible(load_ruleset("biriba"), "biriba.rules", deals=3)
    assert len(verdicts) == len(names) + len(names) * (len(names) - 1) // 2
    assert all(verdict.trouble is None for verdict in verdicts)


def test_a_change_alone_is_tried_in_as_many_deals_as_check_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(compat, "tried_out", lambda rules, deals: asked.append(deals))
    biriba = load_ruleset("biriba")
    chosen = [t for t in toggles(biriba) if t.name in ("runs_only = yes", "sets_of_twos = yes")]
    combined(biriba, "biriba.rules", chosen, deals=1)
    assert asked == [TRIED, TRIED, 1]


def test_toggles_that_contradict(tmp_path: Path) -> None:
    text = 'ruleset small "Small" extends guide\n  version "1"\n\nparameter a = no "a"\nparameter b = no "b"\n\n'
    text += 'clause x.y\n  "Not both."\n  because "it is a test"\n  fact not (a and b)\n'
    path = tmp_path / "small.rules"
    path.write_text(text)
    chosen = [t for t in toggles(load_ruleset(path)) if t.name in ("a = yes", "b = yes", "runs_only = yes")]
    found = {v.names: v.trouble for v in combined(load_ruleset(path), str(path), chosen, deals=0)}
    assert found["a = yes",] is None
    assert found["b = yes",] is None
    assert "contradict clause 'x.y': a = yes, b = yes" in (found["a = yes", "b = yes"] or "")
    assert "close.both_kinds" in (found["runs_only = yes",] or "")


NUMBERED = """ruleset numbered "Numbered" extends lanterns
  version "1"

parameter n = 5 in 1..100 cards "a number"
parameter a = no "a switch"

clause deal.more
  "The first player gets {n|card|cards} more, three at least; not more than eight if we play that way."
  because "it is a test"
  fact n >= 3 and (a implies n <= 8)
  deal move n from heap to tray[P1]
"""


@pytest.fixture
def numbered(tmp_path: Path) -> Path:
    shutil.copy(conformance_dir().parent / "reference" / "tests" / "notation" / "lanterns.rules", tmp_path)
    path = tmp_path / "numbered.rules"
    path.write_text(NUMBERED)
    return path


def test_what_numbers_may_be(numbered: Path) -> None:
    ruleset = load_ruleset(numbered)
    (n,) = bounds(ruleset, str(numbered), deals=0)
    assert (n.least, n.most) == (3, 20)
    assert "contradict clause 'deal.more': a = no, n = 2" in (n.below or "")
    assert "clause 'deal.more' deals 21 cards from 'heap', where only 20 are left" in (n.above or "")
    switch = [toggle for toggle in toggles(ruleset) if toggle.name == "a = yes"]
    (beside,) = narrowed(ruleset, str(numbered), [n], switch)
    assert (beside.least, beside.most) == (3, 8)
    assert beside.beside == switch[0]
    assert "a = yes, n = 9" in (beside.above or "")


def test_compat_tells_of_numbers(numbered: Path) -> None:
    shown = run(app, ["compat", str(numbered), "--deals", "0"])
    assert shown.exit_code == 1  # the parts speak of what this game does not have
    assert "  n: 3..20 of 1..100\n    2: these values contradict clause 'deal.more': a = no, n = 2" in shown.output
    assert "  n beside a = yes: 3..8 of 1..100" in shown.output
    told = json.loads(run(app, ["compat", str(numbered), "--deals", "0", "--json"]).output)
    assert {"name": "n", "beside": "a = yes", "allowed": [3, 8]}.items() <= told["numbers"][-1].items()


def test_numbers_that_a_lawful_meld_refutes() -> None:
    found = {b.name: b for b in bounds(load_ruleset("biriba"), "biriba.rules", 0, ["max_run", "full_run"])}
    assert (found["max_run"].least, found["max_run"].most) == (3, 13)
    assert "breaks an invariant of score.full_run" in (found["max_run"].above or "")
    assert (found["full_run"].least, found["full_run"].most) == (13, 14)
    assert found["full_run"].below is not None


def test_a_number_that_play_refutes(tmp_path: Path) -> None:
    path = tmp_path / "late.rules"
    path.write_text(
        'ruleset late "Late" extends biriba\n  version "1"\n\nparameter most = 13 in 2..13 cards "the most"\n\n'
        'clause house.late\n  "Who has no packet has no meld of more than {most|card|cards}."\n'
        '  because "it is a test"\n'
        "  invariant every side p: every m in melds[p]: size(m) <= most or taken[p]\n"
    )
    (most,) = bounds(load_ruleset(path), str(path), 1, ["most"])
    assert not most.whole
    assert "with 2, an invariant of house.late does not hold" in (most.trouble or "")


def test_a_changed_source_says_what_it_changes() -> None:
    chosen = [t for t in toggles(load_ruleset("biriba")) if t.name in ("with bonus-suit", "runs_only = yes")]
    text = source_with("biriba", "biriba.rules", chosen).text
    assert "extends biriba with bonus-suit" in text
    assert "set runs_only = yes" in text


def test_the_catalogue_is_judged_anew() -> None:
    found = list(rejudge(rules("classic"), conformance_dir() / "catalogue"))
    verdicts = {judgement.id: judgement.verdict for judgement in found}
    assert verdicts["meld/set-of-twos"] == DIFFERS
    assert verdicts["meld/identical-copies"] == HOLDS
    assert UNSAYABLE in verdicts.values()
    assert verdicts["biriba-bounded/sixty-turns-end-the-deal"] == DIFFERS
    canonical = {
        judgement.id: judgement.verdict for judgement in rejudge(rules("biriba"), conformance_dir() / "catalogue")
    }
    assert canonical["guide/values"] == canonical["biriba-bounded/sixty-turns-end-the-deal"] == DIFFERS
    own = {path.stem for path in (conformance_dir() / "catalogue").glob("*.examples")}
    assert {verdict for id_, verdict in canonical.items() if id_.partition("/")[0] in own} == {HOLDS}


def test_commands() -> None:
    assert "└─ venezuelan-2" in run(app, ["variants"]).output
    assert run(app, ["diff", "biriba", "biriba"]).exit_code == 0
    assert run(app, ["diff", "biriba", "biriba-bounded", "--format", "json"]).exit_code == 1
    assert run(app, ["diff", "biriba", "nothing"]).exit_code == 2
    assert "cannot be said" in run(app, ["rejudge", "tenth"]).output


def test_long_lines_of_what_is_judged_otherwise_are_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "many.rules"
    path.write_text('ruleset many "Many wilds" extends biriba\n  version "0.1.0"\n\nset max_wilds = 5\n')
    short, whole = (run(app, ["rejudge", str(path), *more]).output for more in ([], ["--all"]))
    assert max(map(len, short.splitlines())) < 250 < max(map(len, whole.splitlines()))
    assert "      found     run of C JK JK JK @1, " in short
    assert "--all shows them whole" in short
    assert "--all" not in whole


def test_rules_that_fail_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "double.rules"
    path.write_text(
        'ruleset double "Double" extends biriba\n  version "1"\n\n'
        'clause house.double\n  "A player may draw two cards."\n  because "it is a test"\n'
        "  action double in start\n    move 2 from stock to hand[me]\n    go to play\n"
        "  on double require size(stock) >= 2\n"
    )
    shown = run(app, ["compat", str(path)])
    assert shown.exit_code == 1
    assert "double as it is: an invariant of turn.draw does not hold" in shown.output


def shown_by(tmp_path: Path, parent: str, settings: str) -> dict[str, tuple[str, str, str]]:
    """What shows each difference that some settings make: what is given, and what both rule sets say of it."""
    path = tmp_path / "changed.rules"
    path.write_text(f'ruleset changed "Changed" extends {parent}\n  version "1"\n\n{settings}\n')
    found = difference(rules(parent), Rules(load_ruleset(path)))
    return {of.clause: (shown.given, shown.old, shown.new) for of, shown in witnesses(found) if shown is not None}


def test_a_small_target_and_a_number_of_deals_are_shown_by_totals(tmp_path: Path) -> None:
    found = shown_by(tmp_path, "guide", "set target = 100\nset max_deals = 3")
    assert found["match.target"] == ("totals X 100, Y 0", "after A, D deals", "the match is over, X wins")
    assert found["match.max_deals"][0] == "totals X 5, Y 0; deals 3"
    assert found["match.max_deals"][1:] == ("after A, D deals", "the match is over, X wins")


def test_a_line_for_sets_is_shown_by_a_set(tmp_path: Path) -> None:
    """Six aces, which no example has."""
    meld, old, new = shown_by(tmp_path, "guide", "set biriba_length = 6")["score.set"]
    assert len(meld.split()) == 6
    assert {word[0] for word in meld.split()} <= {"A", "2", "J"}
    assert (old, new) == ("lawful, bonus 0", "lawful, bonus 150")


def test_what_a_deal_ends_with_shows_points(tmp_path: Path) -> None:
    path = tmp_path / "closing.rules"
    path.write_text('ruleset closing "Closing" extends biriba\n  version "1"\n\nset closing_bonus = 150\n')
    found = difference(rules("biriba"), Rules(load_ruleset(path)))
    example = {change.clause: witness for change, witness in witnesses(found)}["score.closing"]
    assert example is not None
    assert (example.given, example.new) == ("closer X; turn A over", "X closing 150")


def test_what_holds_under_a_rule_set_becomes_its_vectors(tmp_path: Path) -> None:
    made = run(app, ["rejudge", "classic", "--save", str(tmp_path / "vectors")])
    assert made.exit_code == 0
    saved = [load_vector(path) for path in (tmp_path / "vectors").rglob("*.json")]
    assert len(saved) == int(made.output.splitlines()[-1].split()[0])
    assert {vector.rulesets for vector in saved} == {(("classic", "1.0.0"),)}
    assert {clause for vector in saved for clause in vector.clauses} <= rules("classic").ruleset.clauses.keys()
    assert all(judge(vector, rules("classic")).passed for vector in saved)
    (tmp_path / "file").write_text("")
    assert run(app, ["rejudge", "classic", "--save", str(tmp_path / "file")]).exit_code == 2
