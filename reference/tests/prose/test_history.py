"""The history of a rule set, clause by clause."""

from __future__ import annotations

from pathlib import Path

import pytest

from biriba.cache import cached_ruleset
from biriba.language.load import load_ruleset
from biriba.model.ruleset import Ruleset
from biriba.prose.history import history, record, retired, unrecorded

LANTERNS = Path(__file__).parents[1] / "notation" / "lanterns.rules"
HEAD = "version\tclause\tchange\ttext\tsuccessor\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A rule set with a history, recorded in its first version."""
    (tmp_path / "game.rules").write_text(LANTERNS.read_text(encoding="utf-8"), encoding="utf-8")
    tell(tmp_path, "1\t*\tnew\tThe first.\t", version="1")
    record(compiled(tmp_path))
    return tmp_path


def tell(folder: Path, *lines: str, version: str) -> None:
    (folder / "game.history.tsv").write_text(HEAD + "".join(f"{line}\n" for line in lines), encoding="utf-8")
    path = folder / "game.rules"
    head, _, rest = path.read_text(encoding="utf-8").partition("  version ")
    path.write_text(f'{head}  version "{version}"\n{rest.partition(chr(10))[2]}', encoding="utf-8")


def compiled(folder: Path) -> Ruleset:
    return load_ruleset(folder / "game.rules")


def change(folder: Path, old: str, new: str) -> None:
    path = folder / "game.rules"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_every_change_of_the_canonical_rules_stands_in_their_history() -> None:
    assert unrecorded(cached_ruleset("biriba")) == []
    assert history(cached_ruleset("biriba"))


def test_a_changed_clause_needs_a_line_under_a_new_version(folder: Path) -> None:
    rules = compiled(folder)
    assert unrecorded(rules) == []
    clause = next(iter(rules.clauses.values()))
    change(folder, str(clause.prose.parts[0])[:12], "Other words ")
    assert [f"'{clause.id}' has changed" in fault for fault in unrecorded(compiled(folder))] == [True]
    tell(folder, "1\t*\tnew\tThe first.\t", f"1\t{clause.id}\tchanged\tOther words.\t", version="1")
    assert len(unrecorded(compiled(folder))) == 1  # that version is recorded already
    tell(folder, "1\t*\tnew\tThe first.\t", f"2\t{clause.id}\tchanged\tOther words.\t", version="2")
    assert unrecorded(compiled(folder)) == []


def test_a_clause_that_is_gone_needs_a_line(folder: Path) -> None:
    rules = compiled(folder)
    change(folder, f"clause {(id_ := next(iter(rules.clauses)))}\n", "clause other.id\n")
    told = unrecorded(compiled(folder))
    assert [f"'{id_}' is gone" in told[0], "'other.id' was added" in told[1]] == [True, True]
    tell(
        folder,
        "1\t*\tnew\tThe first.\t",
        f"2\t{id_}\tdropped\tRenamed.\tother.id",
        "2\tother.id\tnew\tRenamed.\t",
        version="2",
    )
    assert unrecorded(compiled(folder)) == []
    assert retired(compiled(folder)) == {id_: "other.id"}


def test_a_version_is_recorded_only_if_the_history_speaks_of_it(folder: Path) -> None:
    tell(folder, "1\t*\tnew\tThe first.\t", version="2")
    with pytest.raises(ValueError, match="no line about version 2"):
        record(compiled(folder))


@pytest.mark.parametrize(("line", "fault"), [("1\ta.b\tturned\tSo.\t", "turned"), ("1\ta.b", "columns")])
def test_a_faulty_line_is_named(folder: Path, line: str, fault: str) -> None:
    tell(folder, line, version="1")
    with pytest.raises(ValueError, match=fault):
        history(compiled(folder))


def test_a_rule_set_without_a_history_has_no_faults(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(LANTERNS.read_text(encoding="utf-8"), encoding="utf-8")
    assert unrecorded(compiled(tmp_path)) == []
