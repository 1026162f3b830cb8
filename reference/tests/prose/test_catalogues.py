"""Translations: their holes, and how many there are."""

from __future__ import annotations

from pathlib import Path

import pytest

from biriba.cache import cached_ruleset
from biriba.data import spec_dir
from biriba.notation import parse_meld
from biriba.notation.given import parse_given
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


def test_a_catalogue_of_ones_own_needs_only_what_is_new(tmp_path: Path) -> None:
    (tmp_path / "fr.po").write_text('msgctxt "suit"\nmsgid "hearts"\nmsgstr "petits cœurs"\n', encoding="utf-8")
    found = load("fr", tmp_path)
    assert found.name("suit", "hearts") == "petits cœurs"
    assert found.label("Example") == "Exemple"


@pytest.mark.parametrize(
    ("action", "told"),
    [
        ("lay 3H JK 5H JK", "В 3H JK 5H JK было бы 2 заменителя, а допускается не больше 1."),
        ("discard 9S", "рука A: нет 9S."),
        ("draw", "draw относится к фазе хода «начать ход», а сейчас фаза «ходить»."),
    ],
)
def test_rejections_are_told_in_the_language(action: str, told: str) -> None:
    rules = load("ru").spoken(cached_ruleset("biriba"))
    given = parse_given(rules.ruleset, "hand A 3H 5H JK JK KS; turn A play", rules.dealt_sizes)
    assert told in [r.sentence for r in rules.judge(given, rules.read(given, action)).rejections]


def test_a_rejection_that_is_not_translated_says_so() -> None:
    rules = Catalogue("xx").spoken(cached_ruleset("biriba"))
    meld = parse_meld(rules.ruleset, "3H JK 5H JK")
    said = [r.sentence for r in rules.judge_meld(meld).rejections]
    assert said == ["3H JK 5H JK would hold 2 substitutes, and 1 is the most. [en]"]


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
