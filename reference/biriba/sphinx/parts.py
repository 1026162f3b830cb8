"""Pieces of pages as docutils nodes: sentences, tables, the description of a clause, a whole rulebook."""

from __future__ import annotations

import html
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from docutils import nodes
from sphinx import addnodes

from biriba.data import conformance_dir
from biriba.interpreter.rules import Illegal, Rules
from biriba.model.ruleset import Clause, Example, Parameter
from biriba.notation import NotationError
from biriba.prose.catalogue import BASE, Catalogue
from biriba.prose.chapters import Chapter
from biriba.prose.diagrams import deal_diagram, turn_diagram
from biriba.prose.differences import Differences
from biriba.prose.evidence import spoken
from biriba.prose.expressions import parameter_text
from biriba.prose.flow import arrows
from biriba.prose.html import strip_html, strip_text
from biriba.prose.scoring import CardValue, ScoreRow, card_values, score_rows
from biriba.prose.sentences import Piece, pieces
from biriba.prose.strips import Strip, example_strip, scenario_strip
from biriba.scenario.examples import parse_example
from biriba.scenario.run import run
from biriba.scenario.scenario import ScenarioError
from biriba.scenario.vectors import load_vector
from biriba.sphinx.library import Book, Library, Vector
from biriba.sphinx.nodes import clause_link, make_picture

Cell: TypeAlias = str | nodes.Node | Sequence[nodes.Node]
MOST_STRIPS = 12
"""A page shows at most so many vectors as pictures; the others are named."""


def anchor(clause: str) -> str:
    """The permanent anchor of a clause on its page."""
    return clause


class Parts:
    """Builds nodes about one rule set, in one language, for the page `docname`."""

    def __init__(self, library: Library, book: Book, language: str, docname: str) -> None:
        self.library, self.book, self.docname = library, book, docname
        self.words: Catalogue = library.catalogue(language)
        self.rules = book.ruleset
        self.speech = self.words.speech(book.ruleset)

    @property
    def spoken(self) -> Rules:
        """The interpreter, speaking the language of the page."""
        return self.library.spoken(self.book, self.words.language)

    # ------------------------------------------------------------ small things

    def label(self, text: str) -> str:
        return self.words.label(text)

    def reference(self, clause: str, text: str | None = None) -> addnodes.pending_xref:
        """A link to the page of a clause."""
        name = clause if self.same(clause) else f"{self.book.name}:{clause}"
        node: addnodes.pending_xref = addnodes.pending_xref(
            "", refdomain="biriba", reftype="rule", reftarget=name, refexplicit=False, refdoc=self.docname, refwarn=True
        )
        node += nodes.literal("", text or clause, classes=["xref", "biriba-id"])
        return node

    def atomic(self, id_: str) -> nodes.Node:
        """A link to an atomic rule of the sources, if some page lists them."""
        return addnodes.pending_xref(
            "",
            nodes.inline("", id_),
            refdomain="biriba",
            reftype="atomic",
            reftarget=id_,
            refexplicit=False,
            refdoc=self.docname,
            refwarn=False,
        )

    def same(self, clause: str) -> bool:
        """Whether the main rule set has the clause as well, written alike."""
        main = self.library.main
        if self.book is main:
            return True
        how = self.library.differences(main.name, self.book.name).of(clause)
        return clause in main.ruleset.clauses and how in (None, "other numbers")

    def references(self, clauses: Iterable[str]) -> list[nodes.Node]:
        return _separated([self.reference(clause) for clause in clauses])

    def sentence(self, clause: Clause) -> nodes.inline:
        """A clause's sentence, its numbers marked; in its own language if it is not translated."""
        found, done = self.words.sentence(self.rules, clause)
        node = nodes.inline("", "", *self.marked(found), classes=["biriba-prose"])
        if not done:
            node["classes"].append("biriba-untranslated")
            note = self.label("not translated yet")
            node += nodes.inline("", f" [{BASE}]", classes=["biriba-untranslated-mark"], title=note)
        return node

    def marked(self, found: Iterable[Piece]) -> Iterator[nodes.Node]:
        for piece in found:
            if piece.source is None:
                yield nodes.Text(piece.text)
            elif piece.known:
                yield nodes.inline("", piece.text, classes=["biriba-value"])
            else:
                yield nodes.literal("", f"{{{piece.text}}}")

    def link(self, clause: str) -> str:
        return clause_link(self.library.main.name if self.same(clause) else self.book.name, clause)

    def figure(self, strip: Strip) -> nodes.Node:
        return make_picture(strip_html(self.rules, strip, self.link, self.speech), strip_text(self.rules, strip))

    # ------------------------------------------------------------ examples

    def example(self, example: Example, folded: bool = False) -> nodes.Node:
        """An example with its pictures; one that was written for another rule set and does not hold here is left out.

        Raises:
            ValueError: it was written for this rule set and does not hold, so that its pictures would be wrong.
        """
        title = f"{self.label('Example')}: {self.words.marked('example', example.title)}"
        try:
            outcome = run(parse_example(self.spoken, example), self.spoken)
            if outcome.passed:
                return self.strip(example_strip(self.spoken, example), title, folded)
            wrong = next(result for result in outcome.results if not result.passed)
            told = "; ".join(f"expected {d.expected}, found {d.found}" for d in wrong.differences)
            fault = f"{wrong.step.line}: {told}"
        except (ScenarioError, NotationError, Illegal) as error:
            fault = str(error)
        if not self.inherited(example):
            raise ValueError(f"example '{example.title}' of clause '{example.clause}' does not hold: {fault}")
        return nodes.comment("", example.title)

    def inherited(self, example: Example) -> bool:
        """Whether an example was written for another rule set: then it may not hold in this one."""
        origin = self.rules.clauses[example.clause].origin
        return origin not in (self.rules.name, *self.rules.own_parts)

    def strip(self, strip: Strip, title: str, folded: bool) -> nodes.Node:
        drawn = strip_html(self.rules, strip, self.link, self.speech)
        source = "\n".join(strip.source)
        source = f'<pre class="biriba-lines">{html.escape(source)}</pre>' if source and folded else ""
        head = html.escape(title)
        if folded:
            page = f'<details class="biriba-example"><summary>{head}</summary>{drawn}{source}</details>'
        else:
            page = f'<figure class="biriba-example"><figcaption>{head}</figcaption>{drawn}</figure>'
        return make_picture(page, f"{title}\n{strip_text(self.rules, strip)}")

    def vectors(self, clause: Clause) -> list[nodes.Node]:
        """The vectors of this rule set that test a clause, as pictures that unfold."""
        found = [v for v in self.library.vectors.get(clause.id, ()) if self.rules.name in v.rulesets]
        return [self.vector(vector, drawn=i < MOST_STRIPS) for i, vector in enumerate(found)]

    def vector(self, vector: Vector, drawn: bool) -> nodes.Node:
        scenario = load_vector(vector.path)
        title = f"{scenario.id}: {self.words.marked('example', scenario.title)}"
        if drawn:
            with suppress(ScenarioError, NotationError, ValueError):
                return self.strip(scenario_strip(self.spoken, scenario), title, folded=True)
        return nodes.paragraph("", title)

    # ------------------------------------------------------------ tables

    def table(self, head: Sequence[str], rows: Iterable[Sequence[Cell]], classes: Sequence[str] = ()) -> nodes.Node:
        group = nodes.tgroup(cols=len(head))
        group += [nodes.colspec(colwidth=1) for _ in head]
        group += nodes.thead("", _row([self.label(title) for title in head]))
        group += nodes.tbody("", *(_row(row) for row in rows))
        table = nodes.table("", group, classes=["biriba-table", *classes])
        return nodes.container("", table, classes=["biriba-scroll"])

    def parameters(self, names: Iterable[str] | None = None, mentions: bool = False) -> nodes.Node:
        """A table of parameters, all of them by default."""
        chosen = [self.rules.parameters[name] for name in (names if names is not None else self.rules.parameters)]
        head = ["Parameter", "Value", "Range", "Meaning", *(["Clauses"] if mentions else [])]
        rows: list[Sequence[Cell]] = []
        for parameter in chosen:
            row: list[Cell] = [
                nodes.literal("", parameter.name),
                nodes.inline("", self.value(parameter), classes=["biriba-value"]),
                self.range(parameter),
                self.words.name("parameter", parameter.text),
            ]
            if mentions:
                row.append(self.references(self.book.mentions[parameter.name]))
            rows.append(row)
        return self.table(head, rows)

    def value(self, parameter: Parameter) -> str:
        text = parameter_text(self.rules, parameter.name).replace("_", " ")
        text = self.words.name("option", text) if parameter.options else self.label(text)
        return f"{text} {self.words.name('unit', parameter.unit)}" if parameter.unit else text

    def range(self, parameter: Parameter) -> str:
        if parameter.options:
            return ", ".join(self.words.name("option", option.replace("_", " ")) for option in parameter.options)
        if isinstance(parameter.value, bool):
            return self.label("yes, no")
        low, high = ("…" if bound is None else str(bound) for bound in (parameter.low, parameter.high))
        return f"{low}–{high}"

    def card_values(self) -> nodes.Node:
        rows = [(self.spanned(value), value.written) for value in card_values(self.rules)]
        return self.table(["Cards", "Points"], rows, ["biriba-narrow"])

    def spanned(self, value: CardValue) -> str:
        """The cards of a value; in other languages than the rules' own only names stand, which need no grammar."""
        if self.words.language == BASE:
            return value.cards
        ranks = {rank.name for rank in self.rules.cards.ranks}
        names = [self.words.name("rank" if name in ranks else "card", name) for name in value.names]
        return " – ".join((names[0], names[-1])) if len(names) > 2 else ", ".join(names)

    def score_sheet(self) -> nodes.Node:
        """The lines of the score sheet: the clause's sentence beside the points."""
        rows: list[Sequence[Cell]] = []
        for row in score_rows(self.rules, self.condition):
            clause = self.rules.clauses[row.clause]
            what = [self.sentence(clause), nodes.Text(" "), self.reference(clause.id)]
            label = self.words.name("score", row.label)
            rows.append((label[:1].upper() + label[1:], what, _points(row)))
        return self.table(["Score", "What counts", "Points"], rows)

    def called(self, names: str) -> str:
        """What templates, zones and lines of the score sheet are called; names of actions and definitions stay."""

        def call(name: str) -> str:
            found = (self.words.texts.get((kind, name)) for kind in ("template", "zone", "score"))
            return next(filter(None, found), name)

        return ", ".join(call(name) for name in names.split(", "))

    def condition(self, text: str) -> str:
        """What stands beside points: what melds are called, or a label."""
        return self.words.texts.get(("property", text)) or self.label(text)

    def diagram(self, kind: str) -> nodes.Node:
        draw = {"turn": turn_diagram, "deal": deal_diagram}[kind]
        said = "; ".join(f"{a.source} → {a.action} → {a.target}" for a in arrows(self.rules)) if kind == "turn" else ""
        return make_picture(f'<div class="biriba-scroll">{draw(self.rules, self.link, self.words.word)}</div>', said)

    # ------------------------------------------------------------ a clause

    def clause_page(self, clause: Clause) -> list[nodes.Node]:
        """Everything that is to be said of a clause."""
        found: list[nodes.Node] = [nodes.paragraph("", "", self.sentence(clause), classes=["biriba-sentence"])]
        found.append(self.facts(clause))
        if names := self.book.relations[clause.id].parameters:
            found += [nodes.rubric("", self.label("Parameters")), self.parameters(names)]
        found += [nodes.rubric("", self.label("In formal words")), self.source(clause)]
        if clause.says is not None:
            words = self.spoken.ruleset.clauses[clause.id].says or clause.says
            said = nodes.paragraph("", "", *self.marked(pieces(self.rules, words)))
            found += [nodes.rubric("", self.label("What a rejection says")), said]
        if clause.examples:
            found.append(nodes.rubric("", self.label("Examples")))
            found += [self.example(example) for example in clause.examples]
        if tests := self.vectors(clause):
            found += [nodes.rubric("", f"{self.label('Tested by')} ({len(tests)})"), *tests]
        for title, told in self.library.evidence.get(clause.id, {}).items() if self.book is self.library.main else ():
            lines = "".join(f"<li>{html.escape(spoken(text, self.label))}</li>" for text in told)
            head = html.escape(f"{self.label(title)} ({len(told)})")
            page = f'<details class="biriba-example"><summary>{head}</summary><ul>{lines}</ul></details>'
            found.append(make_picture(page, "\n".join(told)))
        if events := self.book.changes(clause.id):
            events_rows = [(e.version, self.label(e.change), self.label(e.text)) for e in events]
            columns = ["Version", "What changed", "Meaning"]
            found += [nodes.rubric("", self.label("History")), self.table(columns, events_rows, ["biriba-narrow"])]
        if others := list(self.elsewhere(clause)):
            found += [nodes.rubric("", self.label("In other rule sets")), nodes.bullet_list("", *others)]
        return found

    def source(self, clause: Clause) -> nodes.Node:
        return nodes.literal_block(clause.source, clause.source, language="biriba")

    def facts(self, clause: Clause) -> nodes.Node:
        """What a clause rests on and what it has to do with others, as a list of fields."""
        relations = self.book.relations[clause.id]
        fields: list[tuple[str, list[nodes.Node]]] = []

        def say(name: str, *what: nodes.Node) -> None:
            if what:
                fields.append((self.label(name), list(what)))

        chapter = self.words.name("chapter", clause.chapter)
        say("Chapter", nodes.Text(chapter[:1].upper() + chapter[1:]))
        say("Sources", *([nodes.Text(", ".join(str(cite) for cite in clause.cites))] if clause.cites else []))
        ruling = self.words.reason(self.rules, clause)
        say("Ruling", *([nodes.Text(ruling)] if ruling else []))
        say("Covers", *_separated([self.atomic(id_) for id_ in clause.covers]))
        roles = "; ".join(self.label(role.words).format(names=self.called(role.names)) for role in relations.roles)
        say("Role", *([nodes.Text(roles)] if roles else []))
        say("Actions", *_separated([nodes.literal("", name) for name in relations.actions]))
        say("Follows from", *self.references(clause.follows))
        say("What follows", *self.references(relations.implied))
        say("Uses", *self.references(relations.uses))
        say("Used by", *self.references(relations.used_by))
        where = f"{_short(clause.span.file)}:{clause.span.line}"
        version = f"{clause.origin} {self.rules.version}, {where}, "
        say("Stands in", nodes.Text(version), nodes.literal("", clause.digest))
        body = [
            nodes.field("", nodes.field_name("", name), nodes.field_body("", nodes.paragraph("", "", *what)))
            for name, what in fields
        ]
        return nodes.field_list("", *body, classes=["biriba-facts"])

    def elsewhere(self, clause: Clause) -> Iterator[nodes.Node]:
        """The rule sets of the site that have the clause otherwise, or not at all."""
        for book in self.library.books():
            if book is self.book:
                continue
            found = self.library.differences(self.book.name, book.name)
            how = found.of(clause.id)
            if how is None:
                continue
            there = book.clause(clause.id)
            line = nodes.paragraph("", "", nodes.strong("", book.name), nodes.Text(f" – {self.label(how)}"))
            if there is not None:
                line += [nodes.Text(": "), self.beside(book).sentence(there)]
            yield nodes.list_item("", line, *self.variant_vectors(clause, book))

    def variant_vectors(self, clause: Clause, book: Book) -> list[nodes.Node]:
        """The vectors of a variant that test a clause: each under the first rule set of the site that it holds for."""
        names = [other.name for other in self.library.books()]
        found = []
        for vector in self.library.vectors.get(clause.id, ()):
            first = next((name for name in names if name in vector.rulesets), None)
            if first == book.name:
                found.append(self.beside(book).vector(vector, drawn=True))
        return found

    # ------------------------------------------------------------ the rulebook

    def rulebook(self, only: str | None = None, parent: Differences | None = None) -> list[nodes.Node]:
        """The chapters of the rule set as sections; with what differs from a parent marked."""
        return [self.chapter(c, parent) for c in self.book.chapters if only is None or only in (c.title, c.slug)]

    def chapter(self, chapter: Chapter, parent: Differences | None) -> nodes.section:
        title = self.words.name("chapter", chapter.title)
        section = nodes.section("", nodes.title("", title[:1].upper() + title[1:]), ids=[f"chapter-{chapter.slug}"])
        for clause in chapter.clauses:
            section += self.paragraph(clause, parent)
            own = not self.same(clause.id)
            if own:
                section += self.folded_source(clause)
            section += [self.example(example) for example in clause.examples]
            if own and (tests := self.vectors(clause)):
                title = f"{self.label('Tested by')} ({len(tests)})"
                section += nodes.container("", nodes.paragraph("", title), *tests, classes=["biriba-tests"])
        ids = {clause.id for clause in chapter.clauses}
        if any(step.clause in ids for step in self.rules.score):
            section += [nodes.rubric("", self.label("The score sheet")), self.score_sheet()]
        if self.rules.cards.clauses.get("value") in ids:
            section += [nodes.rubric("", self.label("The values of the cards")), self.card_values()]
        if any(action.clause in ids for action in self.rules.actions.values()):
            section += [nodes.rubric("", self.label("How a turn goes")), self.diagram("turn")]
        return section

    def folded_source(self, clause: Clause) -> nodes.Node:
        """The formal words of a clause that has no page of its own."""
        head, text = html.escape(self.label("In formal words")), html.escape(clause.source)
        page = f'<details class="biriba-formal"><summary>{head}</summary><pre>{text}</pre></details>'
        return make_picture(page, clause.source)

    def changes(self, old: Book) -> list[nodes.Node]:
        """What this rule set changes in another one: numbers, then clauses with both sentences."""
        found: list[nodes.Node] = []
        change = self.library.differences(old.name, self.book.name)
        if change.parameters:
            rows: list[Sequence[Cell]] = [
                (nodes.literal("", name), a, nodes.inline("", b, classes=["biriba-value"]), self.meaning(old, name))
                for name, (a, b) in self.shown(change).items()
            ]
            found.append(self.table(["Parameter", old.name, self.book.name, "Meaning"], rows))
        ids = [*(i for i in old.ruleset.clauses if change.of(i)), *change.added]
        rows = []
        for id_ in ids:
            before, after = old.clause(id_), self.book.clause(id_)
            link = self.reference(id_) if after else nodes.literal("", id_)
            cell = self.sentence(after) if after else nodes.inline("", self.label("dropped"), classes=["biriba-badge"])
            rows.append((link, self.beside(old).sentence(before) if before else "–", cell))
        if rows:
            found.append(self.table(["Clause", old.name, self.book.name], rows))
        return found or [nodes.paragraph("", "–")]

    def beside(self, book: Book) -> Parts:
        """The same for another rule set."""
        return Parts(self.library, book, self.words.language, self.docname)

    def shown(self, change: Differences) -> dict[str, tuple[str, str]]:
        """The values that differ, in the language of the page."""

        return {name: (self.written(old), self.written(new)) for name, (old, new) in change.parameters.items()}

    def written(self, value: str) -> str:
        """The value of some parameter, in the language of the page."""
        text = value.replace("_", " ")
        return self.words.texts.get(("option", text)) or self.label(text)

    def meaning(self, old: Book, name: str) -> str:
        parameter = self.rules.parameters.get(name) or old.ruleset.parameters[name]
        return self.words.name("parameter", parameter.text)

    def paragraph(self, clause: Clause, parent: Differences | None) -> nodes.Node:
        """A clause in the rulebook: its sentence, and its id as a link."""
        line = nodes.paragraph("", "", self.sentence(clause), nodes.Text(" "), classes=["biriba-line"])
        line += self.reference(clause.id)
        box = nodes.container("", line, classes=["biriba-rule"], ids=[f"{self.book.name}-{clause.id}"])
        how = None if parent is None else parent.of(clause.id)
        if how is not None:
            box["classes"].append("biriba-differs")
            line += [nodes.Text(" "), nodes.inline("", self.label(how), classes=["biriba-badge"])]
        return box


def _points(row: ScoreRow) -> str:
    cells = [f"{points} {condition}".strip() for condition, points in row.cells]
    return cells[0].partition(" ")[0] if len(cells) == 1 and row.cells[0][1].lstrip("−").isdigit() else ", ".join(cells)


def _short(file: str) -> str:
    """A file's name as readers know it: from the root of the checkout, or without its folders."""
    path, root = Path(file), conformance_dir().parent
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else os.path.basename(file)


def _row(cells: Iterable[Cell]) -> nodes.row:
    row = nodes.row()
    for cell in cells:
        content: Sequence[nodes.Node] = [nodes.Text(cell)] if isinstance(cell, str) else _listed(cell)
        row += nodes.entry("", nodes.paragraph("", "", *content))
    return row


def _listed(cell: nodes.Node | Sequence[nodes.Node]) -> Sequence[nodes.Node]:
    return [cell] if isinstance(cell, nodes.Node) else cell


def _separated(found: Sequence[nodes.Node]) -> list[nodes.Node]:
    separated: list[nodes.Node] = []
    for i, node in enumerate(found):
        separated += [nodes.Text(", "), node] if i else [node]
    return separated
