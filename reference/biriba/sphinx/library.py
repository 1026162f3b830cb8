"""The rule sets that a site publishes, with everything that its pages ask about them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from biriba.data import conformance_dir
from biriba.interpreter.rules import Rules
from biriba.language.load import SUFFIX
from biriba.model.meaning import meaning
from biriba.model.ruleset import Clause, Ruleset
from biriba.prose.catalogue import Catalogue, load
from biriba.prose.chapters import Chapter, chapters
from biriba.prose.differences import Differences, differences
from biriba.prose.evidence import read_evidence
from biriba.prose.history import EVERY, Entry, history, retired
from biriba.prose.relations import Relations, mentions, relations

if TYPE_CHECKING:
    from sphinx.application import Sphinx


class Book:
    """One rule set: the interpreter, and what documents say of it."""

    def __init__(self, name: str, ruleset: Ruleset) -> None:
        self.name, self.ruleset = name, ruleset

    @cached_property
    def relations(self) -> Mapping[str, Relations]:
        return relations(self.ruleset)

    @cached_property
    def mentions(self) -> Mapping[str, tuple[str, ...]]:
        return mentions(self.ruleset)

    @cached_property
    def chapters(self) -> tuple[Chapter, ...]:
        return chapters(self.ruleset)

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The rule files that it is made of."""
        return tuple(dict.fromkeys(clause.span.file for clause in self.ruleset.clauses.values()))

    def changes(self, clause: str) -> tuple[Entry, ...]:
        """What has happened to a clause, version by version."""
        return tuple(entry for entry in self.history if entry.clause in (clause, EVERY))

    @cached_property
    def history(self) -> tuple[Entry, ...]:
        return history(self.ruleset)

    @cached_property
    def retired(self) -> Mapping[str, str]:
        """Ids that are no longer in use, and what has taken their place."""
        return retired(self.ruleset)

    def clause(self, id_: str) -> Clause | None:
        return self.ruleset.clauses.get(id_)


@dataclass(frozen=True, slots=True)
class Vector:
    """A conformance vector: its file, and the rule sets under which it holds."""

    path: Path
    rulesets: tuple[str, ...]


class Library:
    """The rule sets of a site, compiled once.

    Attributes:
        names: as configured, the main rule set first; paths are relative to a folder.
    """

    def __init__(
        self,
        names: list[str],
        translations: Path | None = None,
        folder: Path | None = None,
        evidence: tuple[Path, ...] = (),
    ) -> None:
        self._evidence = evidence
        self.names = names
        self._folder = folder or Path()
        self._translations = translations
        self._books: dict[str, Book] = {}
        self._catalogues: dict[str, Catalogue] = {}
        self._spoken: dict[tuple[str, str], Rules] = {}
        self._differences: dict[tuple[str, str], Differences] = {}

    def book(self, name: str | None = None) -> Book:
        """The book of a rule set, by its name or path; the main one by default.

        Raises:
            RulesError: there is no such rule set, or it does not compile.
        """
        from biriba.cache import cached_ruleset

        name = name or self.names[0]
        if name not in self._books and (known := next((b for b in self._books.values() if b.name == name), None)):
            return known  # a file of the site's own, asked for by the name of its rule set
        if name not in self._books:
            # A rule set of a file is asked for by its name, too, which no folder knows.
            named = next((book for book in self._books.values() if book.name == name), None)
            if named is not None:
                return named
            file = self._folder / name
            ruleset = cached_ruleset(file if name.endswith(SUFFIX) and file.is_file() else name)
            known = next((book for book in self._books.values() if book.name == ruleset.name), None)
            self._books[name] = known or Book(ruleset.name, ruleset)
        return self._books[name]

    @property
    def main(self) -> Book:
        return self.book()

    def books(self) -> list[Book]:
        """All rule sets of the site."""
        return [self.book(name) for name in self.names]

    def differences(self, old: str, new: str) -> Differences:
        key = (old, new)
        if key not in self._differences:
            self._differences[key] = differences(self.book(old).ruleset, self.book(new).ruleset)
        return self._differences[key]

    def catalogue(self, language: str) -> Catalogue:
        if language not in self._catalogues:
            self._catalogues[language] = load(language, self._translations)
        return self._catalogues[language]

    def spoken(self, book: Book, language: str) -> Rules:
        """The rules of a book, speaking a language."""
        key = (book.name, language)
        if key not in self._spoken:
            self._spoken[key] = self.catalogue(language).spoken(book.ruleset)
        return self._spoken[key]

    @cached_property
    def evidence(self) -> Mapping[str, dict[str, list[str]]]:
        """For each clause of the main rule set what tools found out about it: titles, and lines under them."""
        found: dict[str, dict[str, list[str]]] = {}
        for path in self._evidence:
            told = read_evidence(json.loads(path.read_text(encoding="utf-8")), meaning(self.main.ruleset))
            for clause, lines in told.clauses.items():
                found.setdefault(clause, {}).setdefault(told.title, []).extend(lines)
        return found

    @cached_property
    def vectors(self) -> Mapping[str, list[Vector]]:
        """For each clause the vectors that test it, those of the variants after those of the canonical rules."""
        found: dict[str, list[Vector]] = {}
        for folder in ("vectors", "variants"):
            for path in sorted((conformance_dir() / folder).rglob("*.json")):
                with path.open(encoding="utf-8") as file:
                    document = json.load(file)
                vector = Vector(path, tuple(of["name"] for of in document.get("rulesets", ())))
                for clause in document.get("clauses", ()):
                    found.setdefault(clause, []).append(vector)
        return found


def retired_ids(app: Sphinx) -> dict[str, str]:
    """The ids that are no longer in use: those of the main rule set's history, and those of the settings."""
    settings: dict[str, str] = app.config.biriba_retired
    return {**library(app).main.retired, **settings}


def library(app: Sphinx) -> Library:
    """The library of a build."""
    found: Library | None = getattr(app, "biriba_library", None)
    if found is None:
        folder = app.config.biriba_translations
        path = None if folder is None else Path(app.confdir, folder)
        evidence = tuple(Path(app.confdir, name) for name in app.config.biriba_evidence)
        found = Library(app.config.biriba_rulesets, path, Path(app.confdir), evidence)
        app.biriba_library = found  # type: ignore[attr-defined]
    return found
