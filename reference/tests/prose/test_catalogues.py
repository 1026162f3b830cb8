"""Translations: their holes, and how many there are."""

from __future__ import annotations

from pathlib import Path

import pytest

from biriba.cache import cached_ruleset
from biriba.data import spec_dir
from biriba.prose.catalogue import BASE, LANGUAGES, Catalogue, faults, load, messages, missing, write_template
from biriba.prose.sentences import holes

OTHERS = [language for language in LANGUAGES if language != BASE]


@pytest.mark.parametrize("language", OTHERS)
def test_translations_have_the_holes_of_their_sentences(language: str) -> None:
    assert faults(cached_ruleset("biriba"), load(language)) == []


@pytest.mark.parametrize("language", OTHERS)
def test_nearly_all_of_the_canonical_rules_is_translated(language: str) -> None:
    """A changed sentence is shown in English until its translation follows; a language left behind is a fault."""
    rules = cached_ruleset("biriba")
    assert len(missing(rules, load(language))) <= len(list(messages(rules))) // 10


def test_a_hole_that_is_lost_is_found() -> None:
    rules = cached_ruleset("biriba")
    text = next(m for m in messages(rules) if m.context == "run.max_size")
    assert holes(text.text) == ["max_run"]
    catalogue = Catalogue("xx", {(text.context, text.text): "sans nombre"})
    assert len(faults(rules, catalogue)) == 1


def test_what_is_not_translated_is_shown_and_counted() -> None:
    rules, catalogue = cached_ruleset("biriba"), Catalogue("xx")
    found, done = catalogue.sentence(rules, rules.clauses["run.max_size"])
    assert not done
    assert "".join(piece.text for piece in found) == "A run has at most 13 cards."
    assert len(catalogue.missed) == 1


def test_a_catalogue_written_anew_keeps_its_translations(tmp_path: Path) -> None:
    rules = cached_ruleset("biriba")
    path = tmp_path / "fr.po"
    path.write_text('msgctxt "suit"\nmsgid "hearts"\nmsgstr "cœurs"\n', encoding="utf-8")
    empty = write_template([rules], "fr", path)
    assert load("fr", tmp_path).name("suit", "hearts") == "cœurs"
    assert empty == len(missing(rules, load("fr", tmp_path)))


@pytest.mark.parametrize("language", OTHERS)
def test_the_variants_are_translated_as_well(language: str) -> None:
    names = sorted(path.stem for path in (spec_dir() / "variants").glob("*.rules"))
    found = load(language)
    asked = {message for name in names for message in messages(cached_ruleset(name))}
    lacking = {message for name in names for message in missing(cached_ruleset(name), found)}
    assert len(lacking) <= len(asked) // 10
    assert [fault for name in names for fault in faults(cached_ruleset(name), found)] == []


def test_a_counted_word_needs_all_forms_of_its_language() -> None:
    rules = cached_ruleset("biriba")
    text = next(m.text for m in messages(rules) if m.context == "meld.min_size")
    wanted = {"ru": "{min_meld|карта|карты|карт}", "fr": "{min_meld|carte|cartes}"}
    for language, hole in wanted.items():
        found = Catalogue(language, {("meld.min_size", text): hole})
        assert faults(rules, found) == []
        assert found.sentence(rules, rules.clauses["meld.min_size"])[0][1].text in (" карты", " cartes")
        assert len(faults(rules, Catalogue(language, {("meld.min_size", text): "{min_meld|cartes}"}))) == 1
