"""Sentences, expressions, chapters and relations: what documents say of the rules."""

from __future__ import annotations

import dataclasses
import re

import pytest

from biriba.cache import cached_ruleset
from biriba.interpreter.rules import Rules
from biriba.language.diagnostics import RulesError
from biriba.language.load import compile_rules
from biriba.language.source import Source
from biriba.model.meaning import formal_text, meaning
from biriba.model.ruleset import Ruleset
from biriba.prose.chapters import chapters
from biriba.prose.differences import differences
from biriba.prose.expressions import expression_source, parameter_text
from biriba.prose.relations import relations
from biriba.prose.scoring import card_values, score_rows
from biriba.prose.sentences import Piece, counted, plain, template


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return cached_ruleset("biriba")


def child(text: str) -> Ruleset:
    return compile_rules(Source("child.rules", f'ruleset child "A child" extends biriba\n\n{text}'))[0]


def bare(text: str) -> str:
    """A text without brackets and line breaks: a source may have more of them than it needs."""
    return " ".join(text.replace("(", " ").replace(")", " ").split())


def test_every_hole_of_every_sentence_has_a_value(rules: Ruleset) -> None:
    assert [c.id for c in rules.clauses.values() if "{" in plain(rules, c.prose)] == []


def test_a_template_is_the_sentence_as_it_was_written(rules: Ruleset) -> None:
    for clause in rules.clauses.values():
        assert f'{template(rules, clause.prose)}"' in clause.source or '"\n' in clause.source


def test_a_hole_may_compute(rules: Ruleset) -> None:
    assert plain(rules, rules.clauses["deal.rest"].prose).startswith("41 cards")


def test_guards_are_written_back_as_their_source_has_them(rules: Ruleset) -> None:
    for guard in rules.guards:
        text = bare(formal_text(rules.clauses[guard.clause]))
        assert bare(expression_source(rules, guard.body)) in text


def test_all_clauses_stand_in_one_chapter(rules: Ruleset) -> None:
    found = chapters(rules)
    assert [c.id for chapter in found for c in chapter.clauses] == list(rules.clauses)
    assert len({chapter.slug for chapter in found}) == len(found) > 5


def test_an_added_clause_without_a_ruler_joins_its_group() -> None:
    changed = child('clause turn.extra\n  "One more."\n  because "a test"\n  follows from turn.draw\n')
    assert changed.clauses["turn.extra"].chapter == "the end of a turn and of the deal"


def test_a_replaced_clause_keeps_its_chapter() -> None:
    text = 'replace clause run.ends\n  "A run grows at its ends."\n  because "a test"\n  grow run at an end\n'
    assert child(text).clauses["run.ends"].chapter == "how melds grow"


NUMBERS = [p.name for p in cached_ruleset("biriba").parameters.values() if type(p.value) is int]


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_changes_every_sentence_and_table_that_mentions_it_and_no_other(rules: Ruleset, name: str) -> None:
    """For each number of the canonical rules, one more than it is."""
    old = rules.parameters[name]
    assert isinstance(old.value, int)
    assert old.high is not None
    changed = child(f"set {name} = {old.value + 1 if old.value < old.high else old.value - 1}\n")
    sentences = {id_: [line for line in c.source.splitlines() if line[:3] == '  "'] for id_, c in rules.clauses.items()}
    mention = {id_ for id_, lines in sentences.items() if re.search(rf"{{[^}}]*\b{name}\b", "\n".join(lines))}
    told = {
        id_ for id_, c in rules.clauses.items() if plain(rules, c.prose) != plain(changed, changed.clauses[id_].prose)
    }
    assert set() != mention <= told
    known = relations(rules)  # a sentence may also name what its clause defines by the number
    assert all(name in known[id_].parameters for id_ in told - mention)
    scored = [new.clause for row, new in zip(score_rows(rules), score_rows(changed), strict=True) if row != new]
    assert all(name in known[clause].parameters for clause in scored)
    values = [new.points for row, new in zip(card_values(rules), card_values(changed), strict=True) if row != new]
    assert values == ([changed.parameters[name].value] if name.startswith("value_") else [])


def test_relations_go_both_ways(rules: Ruleset) -> None:
    known = relations(rules)
    for id_, of in known.items():
        assert all(id_ in known[other].used_by for other in of.uses)
    assert known["discard.keep_one"].actions == ("discard",)
    assert known["run.max_size"].parameters == ("max_run",)
    assert "turn.lay" in rules.clauses["meld.several"].follows
    assert "meld.several" in known["turn.lay"].implied


def test_every_clause_has_a_role_or_follows_from_others(rules: Ruleset) -> None:
    known = relations(rules)
    without = [c.id for c in rules.clauses.values() if not known[c.id].roles and not c.follows]
    assert [id_ for id_ in without if not id_.startswith("turn.phases")] == []


def test_cards_of_equal_value_stand_together(rules: Ruleset) -> None:
    found = [(value.cards, value.points) for value in card_values(rules)]
    low, high = (int(parameter_text(rules, name)) for name in ("value_low", "value_high"))
    assert found[-2:] == [("three to seven", low), ("eight to king", high)]


def test_the_score_sheet_has_every_line_with_its_points(rules: Ruleset) -> None:
    rows = {row.clause: row.cells for row in score_rows(rules)}
    assert list(rows) == [line.clause for line in rules.score]
    assert rows["score.run"] == (("clean", "200"), ("not clean", "100"))


def test_differences_name_what_is_changed(rules: Ruleset) -> None:
    found = differences(rules, child("set target = 3000\n\ndrop clause match.max_deals\n"))
    assert found.parameters == {"target": ("5000", "3000")} | {
        name: pair for name, pair in found.parameters.items() if pair[1] == "–"
    }
    assert (found.dropped, found.changed, found.added) == (("match.max_deals",), (), ())
    assert found.of("match.target") == "other numbers"


def test_a_rule_set_does_not_differ_from_itself(rules: Ruleset) -> None:
    assert not differences(rules, dataclasses.replace(rules))


@pytest.mark.parametrize(("number", "words"), [(1, "at most 1 substitute at"), (2, "at most 2 substitutes at")])
def test_a_counted_word_goes_with_its_number(number: int, words: str) -> None:
    rules = child(f"set max_wilds = {number}\n")
    assert words in plain(rules, rules.clauses["meld.one_wild"].prose)


@pytest.mark.parametrize(
    ("limit", "words"), [(0, "for as many deals as that takes"), (1, "after 1 deal."), (9, "9 deals.")]
)
def test_a_sentence_is_said_when_it_holds(limit: int, words: str) -> None:
    rules = child(f"set max_deals = {limit}\n")
    assert words in plain(rules, rules.clauses["match.max_deals"].prose)
    assert Rules(rules).sentence("match.max_deals") == plain(rules, rules.clauses["match.max_deals"].prose)


@pytest.mark.parametrize(
    ("sentence", "fault"),
    [
        ("{packs|pack}", "this counts nothing"),
        ("{runs_only|run|runs}", "this counts nothing"),
        ("{when packs} Packs.", "a sentence depends on parameters only"),
        ("{when size(stock) > 0} Cards.", "a sentence depends on parameters only"),
        ("{when no_such > 0} Cards.", "no_such"),
        ("Cards} and {packs}", "a brace that is not closed, or not opened"),
    ],
)
def test_a_faulty_hole_is_told_at_its_place(sentence: str, fault: str) -> None:
    with pytest.raises(RulesError) as found:
        child(f'clause house.cards\n  "{sentence}"\n  because "a test"\n  follows from deck.cards\n')
    assert fault in str(found.value)
    assert "child.rules:4:" in str(found.value)


@pytest.mark.parametrize(
    ("language", "number", "word"),
    [
        *(("ru", n, "карта") for n in (1, 21, 101)),
        *(("ru", n, "карты") for n in (2, 4, 23)),
        *(("ru", n, "карт") for n in (0, 5, 11, 12, 14, 111)),
        *(("fr", n, "карта") for n in (0, 1)),
        *(("fr", n, "карты") for n in (2, 11)),
        *(("el", n, "карты") for n in (0, 2)),
        ("pt", 1, "карта"),
    ],
)
def test_each_language_has_its_plurals(language: str, number: int, word: str) -> None:
    forms = ("карта", "карты", "карт")
    text = "".join(piece.text for piece in counted(Piece(str(number), "n"), forms, language))
    assert text == f"{number} {word}"


def test_other_words_mean_the_same_and_other_numbers_do_not() -> None:
    one = child('clause house.cards\n  "So."\n  because "a test"\n  fact packs > 0\n')
    other = child('clause house.cards\n  "In other words."\n  because "of a test"\n  fact packs > 0\n')
    assert one.digest != other.digest
    assert meaning(one) == meaning(other) != meaning(child("set target = 4000\n"))
