"""The node of a picture: HTML where a builder can show it, text elsewhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from docutils import nodes

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_LINK = re.compile(r' href="biriba-clause:([^/"]*)/([^"]*)"')


class picture(nodes.General, nodes.Inline, nodes.Element):  # noqa: N801  (nodes are named like this)
    """A picture, with ``html`` and ``text``; `clause_link` makes the links inside it."""


def clause_link(ruleset: str, clause: str) -> str:
    """A link to a clause that is resolved when the page is written."""
    return f"biriba-clause:{quote(ruleset)}/{quote(clause)}"


def make_picture(html: str, text: str) -> picture:
    """A picture node."""
    return picture("", html=html, text=text)


def _visit_html(translator: Any, node: picture) -> None:
    builder = translator.builder

    def resolve(match: re.Match[str]) -> str:
        domain = builder.env.get_domain("biriba")
        place = domain.place(unquote(match[1]), unquote(match[2]))
        if place is None:
            return ""
        docname, anchor = place
        return f' href="{builder.get_relative_uri(translator.builder.current_docname, docname)}#{anchor}"'

    translator.body.append(_LINK.sub(resolve, node["html"]))
    raise nodes.SkipNode


def _visit_text(translator: Any, node: picture) -> None:
    translator.add_text(node["text"])
    raise nodes.SkipNode


def _visit_latex(translator: Any, node: picture) -> None:
    translator.body.append(translator.encode(node["text"]))
    raise nodes.SkipNode


def _visit_nothing(translator: Any, node: picture) -> None:
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Register the node."""
    app.add_node(
        picture,
        html=(_visit_html, None),
        epub=(_visit_html, None),
        text=(_visit_text, None),
        latex=(_visit_latex, None),
        man=(_visit_nothing, None),
        texinfo=(_visit_nothing, None),
    )
