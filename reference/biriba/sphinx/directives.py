"""The directives of the domain: a clause, a rulebook, examples, positions, melds, tables and diagrams."""

from __future__ import annotations

from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from sphinx.util.docutils import SphinxDirective

from biriba.data import grammar_dir
from biriba.language.diagnostics import RulesError
from biriba.notation import NotationError, parse_fields, parse_meld
from biriba.notation.given import parse_given
from biriba.prose.cards import fan, meld_cards, signs
from biriba.prose.differences import Differences
from biriba.prose.glossary import TONGUES, terms
from biriba.prose.html import row_html, row_text
from biriba.prose.strips import position_rows
from biriba.prose.traceability import atomic_rules, covering
from biriba.scenario.scenario import ScenarioError
from biriba.sphinx.library import Book, library
from biriba.sphinx.nodes import make_picture
from biriba.sphinx.parts import Cell, Parts, anchor
from biriba.sphinx.railroad import sections


class _Directive(SphinxDirective):
    """A directive about a rule set: option `ruleset`, by default the main one of the site."""

    has_content = False
    option_spec: ClassVar[Any] = {"ruleset": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        try:
            self.book = library(self.env.app).book(self.ruleset())
            for file in self.book.files:
                self.env.note_dependency(file)
            return _own(self.build())
        except (RulesError, NotationError, ScenarioError, ValueError) as error:
            raise self.error(str(error)) from None

    def ruleset(self) -> str | None:
        named: str | None = self.options.get("ruleset")
        return named

    def parts(self, book: Book | None = None) -> Parts:
        return Parts(library(self.env.app), book or self.book, self.config.language or "en", self.env.docname)

    def build(self) -> list[nodes.Node]:
        raise NotImplementedError

    def all_books(self) -> list[Book]:
        books = library(self.env.app).books()
        for file in (file for book in books for file in book.files):
            self.env.note_dependency(file)
        return books


def _own(found: list[nodes.Node]) -> list[nodes.Node]:
    """What is made here is in the language of the page already: gettext is to leave its headings alone."""
    for node in (part for top in found for part in top.findall()):
        if isinstance(node, (nodes.title, nodes.rubric)):
            node["translatable"] = False
    return found


class RuleDirective(_Directive):
    """The description of a clause: this is what references lead to. ``brief`` quotes its sentence only."""

    required_arguments = 1
    option_spec: ClassVar[Any] = {"ruleset": directives.unchanged, "brief": directives.flag}

    def build(self) -> list[nodes.Node]:
        id_ = self.arguments[0]
        clause = self.book.clause(id_)
        if clause is None:
            raise ValueError(f"there is no clause '{id_}' in '{self.book.name}'")
        parts = self.parts()
        if "brief" in self.options:
            return [parts.paragraph(clause, None)]
        domain: Any = self.env.get_domain("biriba")
        domain.note(self.book.name, id_, self.env.docname, anchor(id_))
        # docutils would make an id of letters and dashes only: the anchor is the clause's own id.
        target = nodes.container("", *parts.clause_page(clause), ids=[anchor(id_)], classes=["biriba-clause-page"])
        return [target]


class RulebookDirective(_Directive):
    """A rule set as a book for players, or one chapter of it."""

    optional_arguments = 1
    option_spec: ClassVar[Any] = {"chapter": directives.unchanged, "parent": directives.unchanged}

    def ruleset(self) -> str | None:
        return self.arguments[0] if self.arguments else None

    def build(self) -> list[nodes.Node]:
        known = library(self.env.app)
        parent = self.options.get("parent") or (self.book.ruleset.parents or (None,))[0]
        change = None
        if parent is not None:
            change = known.differences(known.book(parent).name, self.book.name)
        chosen = self.options.get("chapter")
        if chosen is None and (self.book is not known.main or not self.config.biriba_clause_pages):
            domain: Any = self.env.get_domain("biriba")
            for id_ in self.book.ruleset.clauses:
                domain.note(self.book.name, id_, self.env.docname, f"{self.book.name}-{id_}")
        found: list[nodes.Node] = list(self.parts().rulebook(chosen, change))
        if not found:
            titles = ", ".join(chapter.title for chapter in self.book.chapters)
            raise ValueError(f"there is no chapter '{chosen}' in '{self.book.name}'; there are: {titles}")
        if change is not None and chosen is None:
            dropped = [nodes.list_item("", nodes.paragraph("", "", nodes.literal("", i))) for i in change.dropped]
            if dropped:
                found.append(nodes.rubric("", self.parts().label("dropped")))
                found.append(nodes.bullet_list("", *dropped))
        return found


class ExampleDirective(_Directive):
    """The examples of a clause as picture strips; with a second argument only that one, from 1."""

    required_arguments = 1
    optional_arguments = 1

    def build(self) -> list[nodes.Node]:
        clause = self.book.clause(self.arguments[0])
        if clause is None or not clause.examples:
            raise ValueError(f"'{self.arguments[0]}' is no clause of '{self.book.name}' with an example")
        chosen = list(clause.examples)
        if len(self.arguments) > 1:
            number = int(self.arguments[1])
            if not 1 <= number <= len(chosen):
                raise ValueError(f"clause '{clause.id}' has {len(chosen)} examples, and no number {number}")
            chosen = [chosen[number - 1]]
        return [self.parts().example(example) for example in chosen]


class PositionDirective(_Directive):
    """A position, stated in whole or in part as in a `given` line; it shows the zones that are mentioned."""

    has_content = True

    def build(self) -> list[nodes.Node]:
        rules, text = self.parts().spoken, "; ".join(line for line in self.content if line.strip())
        position = parse_given(rules.ruleset, text, rules.dealt_sizes)
        rows = position_rows(rules, position, sorted(parse_fields(rules.ruleset, text).zones))
        speech = self.parts().speech
        drawn = "".join(row_html(rules.ruleset, row, speech) for row in rows)
        said = "\n".join(row_text(rules.ruleset, row) for row in rows)
        return [make_picture(f'<figure class="biriba-position">{drawn}</figure>', said)]


class MeldDirective(_Directive):
    """A meld as a picture, with what the rules say of it."""

    required_arguments = 1
    final_argument_whitespace = True

    def build(self) -> list[nodes.Node]:
        rules = self.parts().spoken
        meld = parse_meld(rules.ruleset, self.arguments[0])
        shown, verdict = meld_cards(rules.ruleset, meld), rules.judge_meld(meld)
        parts = self.parts()
        found: list[nodes.Node] = [
            make_picture(fan(rules.ruleset, shown, speech=parts.speech), signs(rules.ruleset, shown))
        ]
        if verdict.lawful:
            words = [
                f"{parts.words.name('property', name.replace('_', ' '))}: {parts.label(_word(value))}"
                for name, value in verdict.properties.items()
            ]
            words.append(parts.label("value {count}").format(count=verdict.value))
            words.append(parts.label("bonus {count}").format(count=verdict.bonus))
            found.append(nodes.paragraph("", ", ".join(words), classes=["biriba-caption"]))
        for rejection in verdict.rejections:
            text = f"{rejection.sentence} "
            found.append(nodes.paragraph("", text, parts.reference(rejection.clause), classes=["biriba-caption"]))
        return [nodes.container("", *found, classes=["biriba-meld"])]


def _word(value: bool | int) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


class ScoringTableDirective(_Directive):
    """What cards are worth, and the lines of the score sheet."""

    optional_arguments = 1

    def ruleset(self) -> str | None:
        return self.arguments[0] if self.arguments else None

    def build(self) -> list[nodes.Node]:
        parts = self.parts()
        return [
            nodes.rubric("", parts.label("The values of the cards")),
            parts.card_values(),
            nodes.rubric("", parts.label("The score sheet")),
            parts.score_sheet(),
        ]


class ParametersDirective(_Directive):
    """The parameters of a rule set with the clauses that mention them."""

    optional_arguments = 1

    def ruleset(self) -> str | None:
        return self.arguments[0] if self.arguments else None

    def build(self) -> list[nodes.Node]:
        return [self.parts().parameters(mentions=True)]


class QuickReferenceDirective(_Directive):
    """A rule set on one page: every sentence, chapter by chapter, then the tables."""

    optional_arguments = 1

    def ruleset(self) -> str | None:
        return self.arguments[0] if self.arguments else None

    def build(self) -> list[nodes.Node]:
        parts, cards = self.parts(), []
        for chapter in self.book.chapters:
            title = parts.words.name("chapter", chapter.title)
            lines = [nodes.list_item("", nodes.paragraph("", "", parts.sentence(clause))) for clause in chapter.clauses]
            box = nodes.container("", nodes.rubric("", title[:1].upper() + title[1:]), nodes.bullet_list("", *lines))
            box["classes"].append("biriba-quick-chapter")
            cards.append(box)
        return [nodes.container("", *cards, classes=["biriba-quick"]), *self.tables(parts)]

    def tables(self, parts: Parts) -> list[nodes.Node]:
        return [nodes.rubric("", parts.label("The values of the cards")), parts.card_values()]


class ClauseIndexDirective(_Directive):
    """All clauses of a rule set, chapter by chapter, with their sentences."""

    def build(self) -> list[nodes.Node]:
        parts, found = self.parts(), []
        for chapter in self.book.chapters:
            title = parts.words.name("chapter", chapter.title)
            section = nodes.section("", nodes.title("", title[:1].upper() + title[1:]), ids=[f"index-{chapter.slug}"])
            rows: list[list[Cell]] = [[parts.reference(c.id), parts.sentence(c)] for c in chapter.clauses]
            section += parts.table(["Clause", "Sentence"], rows)
            found.append(section)
        return [*found]


class StateDiagramDirective(_Directive):
    """How a ``turn`` or the ``deal`` goes, drawn from the actions of the rules."""

    required_arguments = 1

    def build(self) -> list[nodes.Node]:
        if self.arguments[0] not in ("turn", "deal"):
            raise ValueError("a state diagram is of the 'turn' or of the 'deal'")
        return [self.parts().diagram(self.arguments[0])]


class TraceabilityDirective(_Directive):
    """Every atomic rule of the sources, and the clauses that state it."""

    def build(self) -> list[nodes.Node]:
        clauses, parts = covering(self.book.ruleset), self.parts()
        domain: Any = self.env.get_domain("biriba")
        rows: list[list[Cell]] = []
        for atomic in atomic_rules():
            anchor_ = f"atomic-{atomic.id}"
            domain.note_atomic(atomic.id, self.env.docname, anchor_)
            named = nodes.inline("", atomic.id, ids=[anchor_])
            rows.append([named, atomic.text, atomic.source, parts.references(clauses.get(atomic.id, ())) or "–"])
        return [parts.table(["Rule", "In one sentence", "Source", "Clauses"], rows)]


class CompareDirective(_Directive):
    """What a rule set changes in another: in its parent, or in the one that is named second."""

    required_arguments = 1
    optional_arguments = 1

    def ruleset(self) -> str | None:
        return str(self.arguments[0])

    def build(self) -> list[nodes.Node]:
        named = self.arguments[1] if len(self.arguments) > 1 else (self.book.ruleset.parents or (None,))[0]
        return self.parts().changes(library(self.env.app).book(named))


class VariantMatrixDirective(_Directive):
    """All rule sets of the site side by side: the parameters that differ, then the clauses."""

    def build(self) -> list[nodes.Node]:
        others = [book for book in self.all_books() if book is not self.book]
        known, parts = library(self.env.app), self.parts()
        changes = {book.name: known.differences(self.book.name, book.name) for book in others}
        found: list[nodes.Node] = [nodes.rubric("", parts.label("Parameters"))]
        names = [name for name in self.all_names(others) if any(name in c.parameters for c in changes.values())]
        rows = [self.numbers(name, changes, parts) for name in names]
        found.append(parts.table(["Parameter", self.book.name, *changes], rows, ["biriba-matrix"]))
        found.append(nodes.rubric("", parts.label("Clauses")))
        ids = dict.fromkeys(id_ for book in (self.book, *others) for id_ in book.ruleset.clauses)
        told = {id_: {name: c.of(id_) for name, c in changes.items()} for id_ in ids}
        cells = [self.marks(id_, how, parts) for id_, how in told.items() if any(how.values())]
        found.append(parts.table(["Clause", *changes], cells, ["biriba-matrix"]))
        return found

    def all_names(self, others: list[Book]) -> list[str]:
        return list(dict.fromkeys(name for book in (self.book, *others) for name in book.ruleset.parameters))

    def numbers(self, name: str, changes: dict[str, Differences], parts: Parts) -> list[Cell]:
        first = next(change.parameters[name][0] for change in changes.values() if name in change.parameters)
        row: list[Cell] = [nodes.literal("", name), parts.written(first)]
        for change in changes.values():
            pair = change.parameters.get(name)
            row.append("" if pair is None else _differing(parts.written(pair[1])))
        return row

    def marks(self, id_: str, how: dict[str, str | None], parts: Parts) -> list[Cell]:
        row: list[Cell] = [parts.reference(id_) if self.book.clause(id_) else nodes.literal("", id_)]
        for name, mark in how.items():
            if mark is None or mark == "dropped":
                row.append("" if mark is None else parts.label(mark))
                continue
            link = self.parts(library(self.env.app).book(name)).reference(id_, parts.label(mark))
            row.append(nodes.inline("", "", link, classes=[f"biriba-{mark.split()[0]}"]))
        return row


class GlossaryDirective(_Directive):
    """The words of the game, in alphabetical order, with their names in other languages."""

    def build(self) -> list[nodes.Node]:
        parts = self.parts()
        rows: list[list[Cell]] = []
        for term in terms():
            target = nodes.inline("", term.word, ids=[f"term-{nodes.make_id(term.word)}"], classes=["biriba-term"])
            names: list[Cell] = [nodes.inline("", name, lang=tongue) for tongue, name in term.names.items()]
            rows.append([target, parts.words.marked("term", term.meaning), *names])
        head = ["Term", "Meaning", *TONGUES.values()]
        return [parts.table(head, rows, ["biriba-glossary"])]


class GrammarDirective(_Directive):
    """The grammar of the rule language, or of the notation, as railroad diagrams."""

    required_arguments = 1

    def build(self) -> list[nodes.Node]:
        name = self.arguments[0]
        path = grammar_dir() / f"{name}.lark"
        if not path.is_file():
            raise ValueError(f"there is no grammar '{name}'")
        self.env.note_dependency(str(path))
        found: list[nodes.Node] = []
        for title, rules in sections(path.read_text(encoding="utf-8")):
            section = nodes.section("", nodes.title("", title), ids=[nodes.make_id(f"{name}-{title}")])
            for rule in rules:
                drawn = make_picture(f'<div class="biriba-scroll biriba-railroad">{rule.svg}</div>', rule.text)
                term = nodes.paragraph("", "", nodes.literal("", rule.name), classes=["biriba-rule-name"])
                section += nodes.container("", term, drawn, ids=[f"grammar-{name}-{rule.name}"])
            found.append(section)
        return found


def _differing(text: str) -> nodes.Node:
    return nodes.inline("", text, classes=["biriba-value"])


DIRECTIVES: dict[str, type[Directive]] = {
    "rule": RuleDirective,
    "rulebook": RulebookDirective,
    "quick-reference": QuickReferenceDirective,
    "example": ExampleDirective,
    "position": PositionDirective,
    "meld": MeldDirective,
    "scoring-table": ScoringTableDirective,
    "parameters": ParametersDirective,
    "clause-index": ClauseIndexDirective,
    "state-diagram": StateDiagramDirective,
    "traceability": TraceabilityDirective,
    "glossary": GlossaryDirective,
    "grammar": GrammarDirective,
    "compare": CompareDirective,
    "variant-matrix": VariantMatrixDirective,
}
