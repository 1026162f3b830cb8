"""A whole site, book or print for any rule files: the sources are written to a folder of their own and built there."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

from biriba.data import conformance_dir
from biriba.prose.catalogue import BASE
from biriba.sphinx.epub import put_in_order
from biriba.sphinx.library import Book, Library
from biriba.sphinx.pages import MARK

FORMATS = {"html": "html", "print": "singlehtml", "pdf": "singlehtml", "epub": "epub"}
"""What can be made, and the builder that makes it."""
MOST_WARNINGS = 20


class BuildFailed(Exception):
    """The build ended with warnings or errors; the message holds them."""


@dataclass(frozen=True, slots=True)
class Order:
    """What to build.

    Attributes:
        rules: names or paths of rule sets, the main one first.
        out: the folder that the result goes to.
        language: of the pages, as far as it is translated.
        kind: one of `FORMATS`.
        others: the other languages of a site, each with the way from this one's folder to that one's.
    """

    rules: tuple[str, ...]
    out: Path
    language: str = BASE
    kind: str = "html"
    others: Mapping[str, str] = field(default_factory=dict)


Tell = Callable[[str], None]
"""Takes what is told of a build that is no fault: how much is not translated."""


def _nobody(line: str) -> None:
    pass


def build(order: Order, tell: Tell = _nobody) -> Path:
    """Build what is ordered.

    Returns: what to open: a page, a PDF or an EPUB.

    Raises:
        RulesError: a rule set does not compile.
        BuildFailed: Sphinx found fault with the pages.
    """
    library = Library(list(order.rules))
    books = library.books()
    order.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="biriba-docs-") as name:
        source, built = Path(name, "source"), Path(name, "built")
        source.mkdir()
        for path, text in _sources(order, library, books).items():
            (source / path).write_text(text, encoding="utf-8", newline="\n")
        try:
            _sphinx(source, built, FORMATS[order.kind], {"language": order.language}, tell)
        except BuildFailed as error:
            raise BuildFailed(_where_it_stands(str(error), source, books[0])) from error
        return _deliver(order, books[0], built)


def build_own(out: Path, languages: tuple[str, ...], tell: Tell = _nobody) -> Path:
    """Build biriba's own site in some languages: the rules' own language in the folder itself, others inside it.

    Raises:
        BuildFailed: there is no such site here, or Sphinx found fault with its pages.
    """
    source = own_docs()
    if source is None:
        raise BuildFailed("biriba's own site is built in a checkout of its repository")
    places = {language: "" if language == BASE else f"{language}/" for language in languages}
    for language, place in places.items():
        up = "../" if place else ""
        others = {other: up + there for other, there in places.items() if other != language}
        with tempfile.TemporaryDirectory(prefix="biriba-docs-") as name:
            built = Path(name, "built")
            _sphinx(source, built, "html", {"language": language, "biriba_languages": others}, tell)
            _copy(built, out / place, (".buildinfo",))
    return out / "index.html"


def _sphinx(source: Path, built: Path, builder: str, settings: dict[str, Any], tell: Tell) -> None:
    from sphinx import locale
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    from biriba.sphinx.progress import untranslated

    warnings = StringIO()
    doctrees = built.with_name("doctrees")
    locale.translators.clear()  # else the words of an earlier build in another language come first
    try:
        with patch_docutils(source), docutils_namespace():
            app = Sphinx(source, source, built, doctrees, builder, settings, status=None, warning=warnings)
            app.build()
    except Exception as error:
        raise BuildFailed(_plain(warnings.getvalue()) + str(error)) from error
    if warnings.getvalue().strip():
        raise BuildFailed(_first(_plain(warnings.getvalue()).strip().splitlines()))
    for line in untranslated(app):
        tell(line)


def _copy(built: Path, out: Path, unneeded: tuple[str, ...]) -> None:
    for name in unneeded:
        (built / name).unlink(missing_ok=True)
    shutil.copytree(built, out, dirs_exist_ok=True)


def _first(lines: list[str]) -> str:
    """The first warnings, and how many there are besides."""
    more = [f"and {len(lines) - MOST_WARNINGS} lines more"] if len(lines) > MOST_WARNINGS else []
    return "\n".join([*lines[:MOST_WARNINGS], *more])


def _where_it_stands(text: str, source: Path, book: Book) -> str:
    """Warnings about pages that were made from rules, each once, at the clause of the rule file that they are about."""

    def place(found: re.Match[str]) -> str:
        clause = book.ruleset.clauses.get(found["page"].removeprefix("clauses/"))
        return f"page '{found['page']}': " if clause is None else f"{clause.span.file}:{clause.span.line}: "

    at_page = re.compile(rf"{re.escape(str(source))}/(?P<page>[^:\n]+)\.md(?::\d+)?: (?:[A-Z]+: )?")
    once: dict[str, str] = {}
    for line in text.splitlines():
        said = line.removesuffix(" [docutils]")
        once.setdefault(at_page.sub("", said), at_page.sub(place, said))
    return "\n".join(once.values())


def _plain(text: str) -> str:
    """A text without the colours of a terminal."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def _deliver(order: Order, book: Book, built: Path) -> Path:
    """Move what was built to where it was ordered."""
    name = book.name
    if order.kind == "pdf":
        target = order.out / f"{name}.pdf"
        import_module("weasyprint").HTML(filename=str(built / "index.html")).write_pdf(str(target))
        return target
    if order.kind == "epub":
        target = order.out / f"{name}.epub"
        put_in_order(next(built.glob("*.epub")), target)
        return target
    _copy(built, order.out, (".buildinfo", "objects.inv" if order.kind == "print" else ".nojekyll"))
    return order.out / "index.html"


def _sources(order: Order, library: Library, books: list[Book]) -> dict[str, str]:
    """The source files of the site, by name."""
    main = books[0].ruleset
    whole = order.kind in ("html", "epub")
    pages = {"conf.py": _conf(order, books, library)}
    words = library.catalogue(order.language)
    label, title = words.label, words.name("title", main.title)
    rulebook = f"```{{biriba:rulebook}}\n```\n\n# {label('The numbers of the game')}\n\n```{{biriba:parameters}}\n```\n"
    if not whole:
        pages["index.md"] = f"# {title}\n\n{main.name} {main.version}\n\n{rulebook.replace('# ', '## ', 1)}"
        return pages
    entries = ["rulebook", "quick", "clauses"]
    pages["rulebook.md"] = f"# {label('The rulebook')}\n\n{rulebook.replace('# ', '## ', 1)}"
    pages["quick.md"] = f"# {label('Quick reference')}\n\n```{{biriba:quick-reference}}\n```\n"
    diagrams = "".join(
        f"## {label(title)}\n\n```{{biriba:state-diagram}} {kind}\n```\n\n"
        for title, kind in (("How a turn goes", "turn"), ("How the deal goes", "deal"))
    )
    listed = "\n".join(f"clauses/{clause}" for clause in main.clauses)
    toctree = f"```{{toctree}}\n:hidden:\n\n{listed}\n```\n"
    pages["clauses.md"] = f"# {label('The clauses')}\n\n{diagrams}```{{biriba:clause-index}}\n```\n\n{toctree}"
    if len(books) > 1:
        entries.append("matrix")
        others = "```{toctree}\n:glob:\n:maxdepth: 1\n\nrulebooks/*\n```\n"
        named = [f"{book.name} {books[0].name}" for book in books[1:] if len(books) == 2]
        compared = "".join(f"```{{biriba:compare}} {pair}\n```\n\n" for pair in named)
        others = compared + others
        pages["matrix.md"] = f"# {label('Rule sets compared')}\n\n```{{biriba:variant-matrix}}\n```\n\n{others}"
    listed = "\n".join(entries)
    pages["index.md"] = f"# {title}\n\n{main.name} {main.version}\n\n```{{toctree}}\n:maxdepth: 1\n\n{listed}\n```\n"
    return pages


def _conf(order: Order, books: list[Book], library: Library) -> str:
    """The settings of the site: every value is written as Python writes it, so no text of a rule file is code."""
    main, whole = books[0].ruleset, order.kind in ("html", "epub")
    title = library.catalogue(order.language).name("title", main.title)
    rules = [str(Path(name).resolve()) if Path(name).is_file() else name for name in order.rules]
    values = {
        "project": title,
        "author": main.name,
        "copyright": main.name,
        "epub_publisher": main.name,
        "epub_description": f"{main.name} {main.version}",
        "epub_identifier": f"{main.name}-{main.version}-{main.digest}",
        "epub_uid": f"{main.name}-{main.version}-{main.digest}",
        "epub_exclude_files": [f"_static/{name}" for name in ("biriba-print.css", "try.css", "try.js")],
        "version": main.version,
        "release": main.version,
        "extensions": ["myst_parser", "biriba.sphinx"],
        "source_suffix": {".md": "markdown"},
        "nitpicky": True,
        "biriba_rulesets": rules,
        "biriba_languages": dict(order.others),
        "biriba_complete": [rules[0]] if whole else [],
        "biriba_clause_pages": "clauses" if whole else "",
        "biriba_rulebook_pages": "rulebooks" if whole and len(books) > 1 else "",
        "html_theme": "furo" if order.kind == "html" else "basic",
        "html_title": title,
        "html_copy_source": False,
        "html_show_sourcelink": False,
        "html_show_copyright": False,
        "html_sidebars": {} if order.kind == "html" else {"**": []},
        "html_css_files": ["biriba-print.css"] if order.kind in ("pdf", "print") else [],
        "epub_theme": "epub",
        "epub_show_urls": "no",
        "epub_tocdup": False,
        "suppress_warnings": ["epub.unknown_project_files"],
    }
    lines = "\n".join(f"{name} = {value!r}" for name, value in values.items())
    return f'"""{MARK.removeprefix("% ")}"""\n\n{lines}\n'


def own_docs() -> Path | None:
    """The folder of biriba's own site in a checkout, None in an installed package."""
    found = conformance_dir().parent / "docs"
    return found if (found / "conf.py").is_file() else None
