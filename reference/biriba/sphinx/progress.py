"""How far a site is translated: counted page by page, told on the pages and at the end of the build."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Any, cast

from docutils import nodes
from sphinx import addnodes
from sphinx.util import logging

from biriba.count import counted
from biriba.prose.catalogue import BASE
from biriba.sphinx.domain import RulesDomain
from biriba.sphinx.library import library

if TYPE_CHECKING:
    from sphinx.application import Sphinx

logger = logging.getLogger(__name__)
ENOUGH = 0.8
"""A page with so many of its texts translated is not announced as lacking: texts of names only stay as they are."""


def setup(app: Sphinx) -> None:
    app.connect("doctree-read", _count)
    app.connect("html-page-context", _tell, priority=800)
    app.connect("build-finished", _sum)


def _domain(app: Sphinx) -> RulesDomain:
    return cast(RulesDomain, app.env.get_domain("biriba"))


def _count(app: Sphinx, doctree: nodes.document) -> None:
    """Pages that are made from the rules have their translations elsewhere and are left out."""
    found = [node["translated"] for node in doctree.findall(nodes.Element) if _text(node)]
    made = [folder for folder in (app.config.biriba_clause_pages, app.config.biriba_rulebook_pages) if folder]
    written = not any(app.env.docname.startswith(f"{folder}/") for folder in made)
    if found and written and (app.config.language or BASE) != BASE:
        _domain(app).note_progress(app.env.docname, sum(found), len(found))


def _text(node: nodes.Node) -> bool:
    """Whether a node is a text to translate; of captions of toctrees Sphinx does not say whether it is translated."""
    return isinstance(node, nodes.Element) and "translated" in node and not isinstance(node, addnodes.translatable)


def _tell(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """A page that is partly in the rules' own language says so at its top."""
    language = app.config.language or BASE
    translated, total = _domain(app).progress(page)
    if language == BASE or doctree is None or translated >= ENOUGH * total:
        return
    words = library(app).catalogue(language)
    text = words.label("{count} of {total} texts of this page are translated; the others are in English.")
    told = escape(text.format(count=translated, total=total))
    told = f'<p class="biriba-progress">{told}</p>'
    context["body"] = re.sub(r"(</h1>|\A(?!.*</h1>))", rf"\g<1>{told}", context["body"], count=1, flags=re.DOTALL)


def untranslated(app: Sphinx) -> list[str]:
    """What is not translated in a site that is built, counted; nothing if all is."""
    language = app.config.language or BASE
    if language == BASE:
        return []
    (done, total), texts = _domain(app).progress(), library(app).catalogue(language).missed
    found = [f"{total - done} of {counted(total, 'text')} of the pages"] if done < total else []
    found += [f"{counted(len(texts), 'text')} of the rules"] if texts else []
    return [f"{language}: not translated: {what}" for what in found]


def _sum(app: Sphinx, error: Exception | None) -> None:
    for line in untranslated(app) if error is None else ():
        logger.info(line)
