"""show, check, fmt, test: commands for the authors of rule files."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from biriba.cli.export import flat_text, to_json
from biriba.data import spec_dir
from biriba.language.load import SUFFIX, available, load_ruleset

VARIANT = """ruleset short "A short game" extends biriba
  version "0.1"

set target = 1000
set sets_of_twos = yes
"""
BROKEN = VARIANT.replace("target", "targit")


@pytest.fixture
def variant(tmp_path: Path) -> Path:
    path = tmp_path / f"short{SUFFIX}"
    path.write_text(VARIANT, encoding="utf-8")
    return path


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / f"broken{SUFFIX}"
    path.write_text(BROKEN, encoding="utf-8")
    return path


def test_show_lists_parameters_and_clauses(run):
    result = run("show")
    assert result.code == 0
    assert "Biriba for four, in pairs, without kozi" in result.out
    rules = load_ruleset("biriba")
    for name in [*rules.parameters, *rules.clauses]:
        assert name in result.out
    assert "A run has at most 13 cards." in result.out


def test_show_resolves_inheritance(run, variant):
    out = run("show", variant).out
    assert "extends biriba" in out
    assert "exceeds 1000" in " ".join(out.split())


def test_a_reason_has_its_numbers_filled_in(run, variant):
    reason = "the length of a run and the size of a set"
    shown = run("show", "guide", "--clause", "meld.one_wild").out
    assert f"as in the canonical rules; 4 follows from {reason}" in shown
    assert f"; 4 follows from {reason}" in run("show", "guide", "--clause", "meld.one_wild", "--json").json["because"]
    illegal = ("--rules", "guide", "--given", "hand A 3H 4H JK JK KS; turn A play", "lay 3H 4H JK JK")
    assert f"; 4 follows from {reason}" in run("explain", *illegal).out
    assert f"; 4 follows from {reason}" in run("diff", "biriba", "guide", "--format", "html").out
    clauses = {clause["id"]: clause for clause in run("docs", "bundle", "guide").json["clauses"]}
    assert f"; 4 follows from {reason}" in clauses["meld.one_wild"]["because"]


def test_a_reason_with_a_hole_for_nothing_is_an_error(run, variant):
    variant.write_text(
        variant.read_text() + '\nclause house.x\n  "So."\n  because "of {nothing}"\n  fact yes\n', encoding="utf-8"
    )
    result = run("check", variant)
    assert result.code == 1
    assert "error[E0201]" in result.out
    assert "'nothing'" in result.out
    assert 'because "of {nothing}"' in result.out


def test_check_tells_of_statements_that_do_not_hold(run, tmp_path):
    """Two cards are turned up, and an inherited clause counts what is left of the stock as if it were one."""
    path = tmp_path / "fat.rules"
    path.write_text(
        'ruleset fat "A fat pile" extends biriba\n  version "1"\n\n'
        'replace clause deal.upcard\n  "Two cards are turned up."\n  because "a test"\n'
        "  deal move 2 from stock to discard\n"
        'clause house.plain\n  "No card is worth anything."\n  because "a test"\n  fact no card c: value(c) > 0\n',
        encoding="utf-8",
    )
    result = run("check", path)
    assert result.code == 0
    assert "warning[W0607]: what clause 'deal.rest' states does not hold" in result.out
    assert "warning[W0607]: what clause 'house.plain' states does not hold" in result.out


def test_check_tells_of_numbers_that_do_not_go_together(run, tmp_path):
    path = tmp_path / "long.rules"
    path.write_text('ruleset long "Long runs" extends biriba\n  version "1"\n\nset max_run = 14\n', encoding="utf-8")
    result = run("check", path)
    assert result.code == 0
    assert "warning[W0606]: the meld AH 2H 3H 4H" in result.out
    assert "breaks an invariant of 'score.full_run'" in result.out
    assert run("check", "--strict", path).code == 1


@pytest.mark.parametrize(
    ("parent", "change", "broken"),
    [
        ("biriba-bonus-suit", "set bonus_dirty = 5000", "score.greatest_bonus"),
        ("biriba", 'drop clause discard.keep_one because "a test"', "turn.hand_not_emptied"),
    ],
)
def test_check_tells_of_invariants_that_do_not_hold_in_play(run, tmp_path, parent, change, broken):
    """A number in its range, and a clause on which another rests."""
    path = tmp_path / "odd.rules"
    path.write_text(f'ruleset odd "Odd" extends {parent}\n  version "1"\n\n{change}\n', encoding="utf-8")
    result = run("check", path)
    assert result.code == 0
    assert f"warning[W0608]: an invariant of '{broken}' does not hold after" in result.out
    assert f"`biriba verify --only {broken}` looks for how" in result.out


def test_check_tells_where_nobody_can_do_anything(run, tmp_path):
    path = tmp_path / "stuck.rules"
    path.write_text(
        'ruleset stuck "Stuck" extends biriba\n  version "1"\n\n'
        'clause house.never\n  "Nobody draws or takes the pile."\n  because "a test"\n'
        "  on draw, take require no seat s: s = me\n",
        encoding="utf-8",
    )
    result = run("check", path)
    assert result.code == 0
    assert "warning[W0608]: nothing is legal any more after 0 actions of the deal of seed 0" in result.out
    assert f"{path}:1:1" in result.out


def test_one_clause_is_shown_in_full(run):
    out = run("show", "--clause", "run.shift").out
    assert out.startswith("run.shift  (biriba, ")
    assert "sources: S000 §3, S001 §3" in out
    assert 'example "clean at last' in out
    assert "a ruling, because" in run("show", "--clause", "set.no_twos").out
    answer = run("show", "--clause", "run.max_size", "--json").json
    assert answer["id"] == "run.max_size"
    assert answer["sentence"] == "A run has at most 13 cards."


@pytest.mark.parametrize("name", sorted(available()))
def test_flat_rules_are_the_same_rules_and_extend_nothing(run, tmp_path, name):
    out = run("show", name, "--flat").out
    flat = tmp_path / f"{name}{SUFFIX}"
    flat.write_text(out, encoding="utf-8")
    assert " extends " not in out.splitlines()[0]
    before, after = load_ruleset(name), load_ruleset(flat)
    assert list(after.clauses) == list(before.clauses)
    for part in fields(before):
        if part.name not in ("parents", "parts", "own_parts", "clauses", "digest"):
            assert getattr(after, part.name) == getattr(before, part.name), part.name


def test_flat_text_says_every_kind_of_parameter():
    text = flat_text(load_ruleset("biriba"))
    assert 'parameter max_run = 13 in 3..14 cards "most cards in a run"' in text
    assert 'parameter runs_only = no "sets are not allowed"' in text
    assert "parameter active_from = turn_start one of turn_start, first_draw" in text


def test_the_model_as_json_tells_nodes_and_places(run):
    model = run("show", "--json").json
    assert model["name"] == "biriba"
    law = next(law for law in model["laws"] if law["clause"] == "run.max_size")
    assert law["body"]["node"] == "Compare"
    assert law["body"]["span"].split(":")[0].endswith("biriba.rules")
    assert to_json(load_ruleset("biriba"))["digest"] == model["digest"]


def test_check_says_what_was_checked(run, variant):
    result = run("check", "biriba", variant)
    assert result.code == 0
    lines = [line for line in result.out.splitlines() if ": ok, " in line]
    assert len(lines) == 2
    assert "biriba 1.0.0" in lines[0]
    assert "short 0.1" in lines[1]


def test_examples_are_counted_when_checked_and_told_when_inherited(run, tmp_path):
    path = tmp_path / f"long{SUFFIX}"
    path.write_text('ruleset long "Long" extends biriba\n  version "1"\n\nset max_run = 14\n', encoding="utf-8")
    assert "0 examples for `biriba test`" in run("check", path).out
    tested = run("test", path)
    assert tested.code == 0
    assert "long: no examples yet." in tested.out
    assert 'holds no longer: run.max_size "thirteen, never fourteen" (max_run = 14 here)' in tested.out
    (report,) = run("test", path, "--json").json
    assert [lost["clause"] for lost in report["hold_no_longer"]] == ["run.max_size"]
    assert run("test", "guide").out.splitlines()[-1].endswith("`biriba rejudge guide` tells what differs.")


def test_check_shows_what_is_wrong_at_its_place(run, broken):
    result = run("check", broken)
    assert result.code == 1
    assert "error[E0201]: there is no parameter 'targit' to set" in result.out
    assert f"--> {broken}:4:" in result.out
    assert "did you mean 'target'?" in result.out
    (report,) = run("check", broken, "--json").json
    assert report["ok"] is False
    assert report["diagnostics"][0] | {"end_line": 0, "end_column": 0, "column": 0} == {
        "code": "E0201",
        "severity": "error",
        "message": "there is no parameter 'targit' to set",
        "hint": "did you mean 'target'?",
        "file": str(broken),
        "line": 4,
        "column": 0,
        "end_line": 0,
        "end_column": 0,
    }


def test_check_goes_on_after_a_broken_file(run, broken, variant):
    result = run("check", broken.parent)
    assert result.code == 1
    assert f"{broken}: cannot be used" in result.out
    assert f"{variant}: ok, " in result.out


def test_warnings_count_only_if_strict(run, tmp_path):
    path = tmp_path / f"odd{SUFFIX}"
    path.write_text(VARIANT + '\nclause table.manners\n  "Be kind."\n  because "it is a game"\n', encoding="utf-8")
    assert run("check", path).code == 0
    assert "warning[" in run("check", path).out
    assert run("check", "--strict", path).code == 1


def test_a_broken_rule_file_is_bad_input_to_other_commands(run, broken):
    result = run("deal", "--seed", "1", "--rules", broken)
    assert result.code == 2
    assert result.err.startswith("error[E0201]")
    assert run("deal", "--seed", "1", "--rules", broken, "--json").json["error"].startswith("error[E0201]")


def test_fmt_changes_what_is_not_in_layout_and_leaves_no_trace(run, tmp_path):
    path = tmp_path / f"short{SUFFIX}"
    path.write_text(VARIANT.replace("set target = 1000", "set   target=1000"), encoding="utf-8")
    assert run("fmt", "--check", path).code == 1
    assert "target=1000" in path.read_text(encoding="utf-8")
    result = run("fmt", path)
    assert result.code == 0
    assert result.out == f"{path}: changed\n"
    assert path.read_text(encoding="utf-8") != VARIANT.replace("set target = 1000", "set   target=1000")
    assert list(tmp_path.iterdir()) == [path]
    assert run("fmt", "--check", path).code == 0
    assert run("fmt", path, "--json").json == {"changed": [], "written": True}


def test_fmt_of_standard_input(run):
    ragged = VARIANT.replace("set target = 1000", "set   target=1000")
    assert run("fmt", "-", "--check", stdin=ragged).code == 1
    formatted = run("fmt", "-", stdin=ragged)
    assert formatted.code == 0
    assert run("fmt", "-", "--check", stdin=formatted.out).code == 0
    assert run("fmt", "-", stdin=formatted.out).out == formatted.out


def test_fmt_does_not_touch_a_file_with_a_syntax_error(run, tmp_path):
    path = tmp_path / f"bad{SUFFIX}"
    path.write_text("ruleset ruleset\n", encoding="utf-8")
    assert run("fmt", path).code == 2
    assert path.read_text(encoding="utf-8") == "ruleset ruleset\n"


def test_the_examples_and_vectors_of_the_rules_pass(run):
    result = run("test", "biriba", "--json")
    assert result.code == 0
    (report,) = result.json
    assert report["failed"] == []
    assert report["passed"] > 20


def test_rule_sets_of_a_folder_are_tested_but_not_parts(run, variant):
    part = variant.with_name(f"extra{SUFFIX}")
    part.write_text('part extra "More points"\n\nset target = 3000\n', encoding="utf-8")
    assert [report["rules"] for report in run("test", variant.parent, "--json").json] == ["short"]
    result = run("check", part)
    assert result.code == 0
    assert "ok, a part" in result.out


def test_a_rule_set_that_breaks_an_example_is_told_which(run, tmp_path):
    path = tmp_path / f"biriba{SUFFIX}"
    text = (spec_dir() / f"biriba{SUFFIX}").read_text(encoding="utf-8")
    changed = re.sub(r"(parameter max_wilds += )1", r"\g<1>2", text)
    assert changed != text
    path.write_text(changed, encoding="utf-8")
    result = run("test", path)
    assert result.code == 1
    assert "FAILED  example/meld.one-wild." in result.out
    assert "expected  " in result.out


def test_a_catalogue_of_ones_own_is_tested_too(run, tmp_path):
    path = tmp_path / "mine.examples"
    path.write_text(
        'example keep-it "A discard"\n  tests turn.discard\n  given hand A KS QS; turn A play\n  accept discard KS\n',
        encoding="utf-8",
    )
    before, after = (run("test", "biriba", *extra, "--json").json[0]["passed"] for extra in ((), ("--vectors", path)))
    assert after == before + 1


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("show", "birba"), "did you mean 'biriba'?"),
        (("show", "--clause", "run.shft"), "did you mean 'run.shift'?"),
        (("show", "--clause", "x.y"), "`biriba show biriba` lists them"),
        (("check",), "Missing argument"),
        (("check", "nowhere.rules"), "there is no such file"),
        (("fmt", "nowhere.rules"), "there is no such file"),
        (("test", "--vectors", "nowhere"), "nowhere: there is no such file or folder"),
    ],
)
def test_bad_input_gets_one_message_and_exit_code_2(run, args, message):
    result = run(*args)
    assert result.code == 2
    assert message in " ".join(result.err.split())
    assert result.out == ""


def test_a_folder_without_rules_is_told_so(run, tmp_path):
    result = run("check", tmp_path)
    assert result.code == 2
    assert "no rule files" in result.err


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"\xff" * 10, "E0111"), (b"# " + b"x" * 10_000_000, "E0110"), (b"ruleset x " + b"(" * 10_000, "E01")],
)
def test_files_that_are_no_rules_are_refused(run, tmp_path, data, code):
    path = tmp_path / f"odd{SUFFIX}"
    path.write_bytes(data)
    result = run("show", path)
    assert result.code == 2
    assert f"error[{code}" in result.err


def test_examples_become_vectors(run, tmp_path):
    path = tmp_path / f"house{SUFFIX}"
    path.write_text(
        'ruleset house "House" extends biriba\n  version "1"\n\n'
        'clause house.clean\n  "A new meld is clean."\n  because "it is our way"\n'
        "  on lay(m) require substitutes(m) = 0\n"
        '  example "no joker"\n'
        "    given  hand A 4H 5H JK KS QS; turn A play\n"
        "    reject lay 4H 5H JK by house.clean\n",
        encoding="utf-8",
    )
    folder = tmp_path / "vectors"
    assert "1 of 1" in run("test", path, "--save", folder).out
    assert [file.relative_to(folder).as_posix() for file in folder.rglob("*.json")] == [
        "house/house.clean.no-joker.json"
    ]
    assert "2 of 2" in run("test", path, "--vectors", folder).out
