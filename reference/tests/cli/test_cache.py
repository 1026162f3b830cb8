"""The cache of compiled rules: never stale, never in the way."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from biriba import cache
from biriba.language.diagnostics import RulesError

PARENT = """ruleset parent "A parent" extends biriba
  version "0.1"

set target = {target}
"""
CHILD = """ruleset child "A child" extends parent
  version "0.1"

set packets = 2
"""


class Boom:
    """What a stranger would put into the folder."""

    def __reduce__(self) -> tuple[object, ...]:
        return (os.system, ("exit 1",))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BIRIBA_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def entries(folder: Path) -> list[Path]:
    """The files of compiled rules in the folder; the parser keeps its tables there too."""
    return list(folder.glob("ruleset-*"))


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the sources that are compiled, one after another."""
    from biriba.language import load

    names: list[str] = []
    compile_rules = load.compile_rules

    def counted(source, *args):
        names.append(Path(source.name).stem)
        return compile_rules(source, *args)

    monkeypatch.setattr(load, "compile_rules", counted)
    return names


def test_what_did_not_change_is_compiled_once(folder, compiled):
    first, again = cache.cached_ruleset("biriba"), cache.cached_ruleset("biriba")
    assert compiled == ["biriba"]
    assert again == first
    assert len(entries(folder)) == 1


def test_a_changed_file_or_parent_is_compiled_anew(folder, compiled, tmp_path):
    parent, child = tmp_path / "parent.rules", tmp_path / "child.rules"
    parent.write_text(PARENT.format(target=1000))
    child.write_text(CHILD)
    assert cache.cached_ruleset(child).parameters["target"].value == 1000
    parent.write_text(PARENT.format(target=2000))
    assert cache.cached_ruleset(child).parameters["target"].value == 2000
    child.write_text(CHILD.replace("set packets = 2", "set target = 3000"))
    assert cache.cached_ruleset(child).parameters["target"].value == 3000
    assert compiled == ["child"] * 3
    parent.unlink()
    with pytest.raises(RulesError):
        cache.cached_ruleset(child)


def test_a_changed_part_of_a_parent_is_compiled_anew(folder, tmp_path):
    part = 'part extra "More points"\n  version "0.1"\n\nset target = {}\n'
    (tmp_path / "parent.rules").write_text(
        PARENT.format(target=1000)
        .replace("extends biriba", "extends biriba with extra")
        .replace("set target = 1000", "")
    )
    child = tmp_path / "child.rules"
    child.write_text(CHILD)
    for target in (1000, 2000):
        (tmp_path / "extra.rules").write_text(part.format(target))
        assert cache.cached_ruleset(child).parameters["target"].value == target


def test_a_file_that_comes_to_stand_before_the_parent_is_seen(folder, tmp_path):
    path = tmp_path / "parent.rules"
    path.write_text(PARENT.format(target=1000))
    assert cache.cached_ruleset(path).parents == ("biriba",)
    (tmp_path / "biriba.rules").write_text("ruleset biriba")
    with pytest.raises(RulesError):
        cache.cached_ruleset(path)


def test_equal_files_in_two_places_do_not_share_an_entry(folder, tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "child.rules").write_text(CHILD)
        (tmp_path / name / "parent.rules").write_text(PARENT.format(target=1000 if name == "a" else 2000))
    targets = [cache.cached_ruleset(tmp_path / name / "child.rules").parameters["target"].value for name in "ab"]
    assert targets == [1000, 2000]


@pytest.mark.parametrize("data", [b"", b"nonsense", pickle.dumps(([], None)), pickle.dumps(7)])
def test_an_entry_that_cannot_be_used_is_replaced(folder, compiled, data):
    first = cache.cached_ruleset("biriba")
    (entry,) = entries(folder)
    entry.write_bytes(data)
    assert cache.cached_ruleset("biriba") == first
    assert cache.cached_ruleset("biriba") == first
    assert compiled == ["biriba"] * 2


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners as POSIX has them")
def test_an_entry_that_others_could_have_written_is_not_read(folder, compiled):
    cache.cached_ruleset("biriba")
    (entry,) = entries(folder)
    entry.write_bytes(pickle.dumps(Boom()))
    entry.chmod(0o666)
    assert cache.cached_ruleset("biriba").name == "biriba"
    assert compiled == ["biriba"] * 2


def test_old_entries_are_removed(folder, monkeypatch, tmp_path):
    monkeypatch.setattr(cache, "MOST_ENTRIES", 3)
    path = tmp_path / "parent.rules"
    for target in range(1000, 1006):
        path.write_text(PARENT.format(target=target))
        cache.cached_ruleset(path)
    assert len(entries(folder)) == 3


def test_a_folder_that_cannot_be_written_is_no_fault(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BIRIBA_CACHE", str(tmp_path / "file" / "cache"))
    assert cache.cached_ruleset("biriba").name == "biriba"


def test_the_cache_can_be_off(monkeypatch, tmp_path, compiled):
    monkeypatch.setenv("BIRIBA_CACHE", "off")
    assert cache.cache_folder() is None
    cache.cached_ruleset("biriba")
    cache.cached_ruleset("biriba")
    assert compiled == ["biriba"] * 2


@pytest.mark.skipif(os.name == "nt", reason="folders as POSIX has them")
def test_the_cache_lies_where_the_user_keeps_caches(monkeypatch, tmp_path):
    monkeypatch.delenv("BIRIBA_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.cache_folder() == tmp_path / "biriba"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache.cache_folder() == tmp_path / "home" / ".cache" / "biriba"
