"""How far a site is translated: counted page by page, told on the pages and at the end of the build."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, cast

from sphinx.util import logging

from biriba.prose.catalogue import BASE
from biriba.sphinx.domain import RulesDomain
from biriba.sphinx.library import library

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

logger = logging.getLogger(__name__)


def setup(app: Sphinx) -> None:
    app.connect("doctree-read", _count)
    app.connect("html-page-context", _tell, priority=800)
    app.connect("build-finished", _sum)


def _domain(app: Sphinx) -> RulesDomain:
    return cast(RulesDomain, app.env.get_domain("biriba"))


def _count(app: Sphinx, doctree: nodes.document) -> None:
    found = doctree.get("translation_progress")
    if found and (app.config.language or BASE) != BASE:
        _domain(app).note_progress(app.env.docname, found["translated"], found["total"])


def _tell(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """A page that is partly in the rules' own language says so at its top."""
    language = app.config.language or BASE
    translated, total = _domain(app).progress(page)
    if language == BASE or doctree is None or translated >= total:
        return
    words = library(app).catalogue(language)
    text = words.label("{count} of {total} texts of this page are translated; the others are in English.")
    told = escape(text.format(count=translated, total=total))
    context["body"] = f'<p class="biriba-progress">{told}</p>{context["body"]}'


def _sum(app: Sphinx, error: Exception | None) -> None:
    language = app.config.language or BASE
    if error is None and language != BASE:
        pages, texts = _domain(app).progress(), library(app).catalogue(language)
        logger.info("%s: %d of %d texts of the pages are translated", language, *pages)
        if texts.missed:
            logger.info("%s: %d texts of the rules are not translated", language, len(texts.missed))
