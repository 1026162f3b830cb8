"""One page for each clause, and one for each further rule set: small source files, written before the build.

The pages are made anew from the rules, so they are kept out of version control; the toctree that lists
them is written by hand, and a clause that it leaves out fails the build.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from biriba.prose.catalogue import BASE, Catalogue
from biriba.sphinx.library import Book, library, retired_ids

if TYPE_CHECKING:
    from sphinx.application import Sphinx

MARK = "% Written by biriba.sphinx from the rules: changes are lost."


def clause_page(ruleset: str, clause: str) -> str:
    """The source of a clause's page."""
    return f"{MARK}\n\n# {clause}\n\n```{{biriba:rule}} {clause}\n:ruleset: {ruleset}\n```\n"


def retired_page(clause: str, successor: str, words: Catalogue) -> str:
    """The source of the page of an id that is no longer in use: it leads to its successor."""
    address = f"{successor}.html#{successor}"
    told = words.label("This clause is now {clause}.").format(clause=f"{{biriba:rule}}`{successor}`")
    return (
        f"{MARK}\n---\norphan: true\n---\n\n# {clause}\n\n{told}\n\n"
        f'```{{raw}} html\n<meta http-equiv="refresh" content="3; url={address}">\n```\n'
    ).replace(f"{MARK}\n---\norphan: true\n---\n", f"---\norphan: true\n---\n\n{MARK}\n")


def rulebook_page(book: Book, words: Catalogue) -> str:
    """The source of the rulebook of a rule set that is not the main one."""
    name, title = book.name, words.name("title", book.ruleset.title)
    parents = ", ".join(f"`{parent}`" for parent in book.ruleset.parents)
    changes = ""
    if book.ruleset.parents:
        extends = words.label("It extends {names}.").format(names=parents)
        heading = words.label("What it changes")
        changes = f" {extends}\n\n## {heading}\n\n```{{biriba:compare}} {name}\n```"
    told = words.label("Rule set {name}.").format(name=f"`{name}`")
    return f"{MARK}\n\n# {title}\n\n{told}{changes}\n\n```{{biriba:rulebook}} {name}\n```\n"


def write_pages(app: Sphinx) -> None:
    """Bring the pages of clauses and rulebooks up to date; an unchanged one is left alone."""
    known = library(app)
    words = known.catalogue(app.config.language or BASE)
    if folder := app.config.biriba_clause_pages:
        main = app.config.biriba_rulesets[0]
        wanted = {f"{id_}.md": clause_page(main, id_) for id_ in known.main.ruleset.clauses}
        wanted |= {f"{old}.md": retired_page(old, new, words) for old, new in retired_ids(app).items()}
        _update(Path(app.srcdir, folder), wanted)
    if folder := app.config.biriba_rulebook_pages:
        others = (book for book in known.books() if book is not known.main)
        _update(Path(app.srcdir, folder), {f"{book.name}.md": rulebook_page(book, words) for book in others})


def _update(folder: Path, wanted: dict[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.md"):
        if path.name not in wanted and MARK in path.read_text(encoding="utf-8"):
            path.unlink()
    for name, text in wanted.items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8", newline="\n")
