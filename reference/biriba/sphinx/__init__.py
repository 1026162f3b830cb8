"""A Sphinx extension that publishes rules: the domain `biriba` with directives and roles.

    extensions = ["myst_parser", "biriba.sphinx"]
    biriba_rulesets = ["biriba", "my-variant.rules"]

docs/extension.md describes all directives, roles and settings.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biriba.version import __version__

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Register everything with Sphinx."""
    from biriba.sphinx import bundles, nodes, pages, progress, theme
    from biriba.sphinx.domain import RulesDomain, check_config
    from biriba.sphinx.lexer import RulesLexer

    app.add_config_value("biriba_rulesets", ["biriba"], "env", [list])
    app.add_config_value("biriba_complete", [], "env", [list])
    app.add_config_value("biriba_clause_pages", "", "env", [str])
    app.add_config_value("biriba_rulebook_pages", "", "env", [str])
    app.add_config_value("biriba_retired", {}, "env", [dict])
    app.add_config_value("biriba_evidence", [], "env", [list])
    app.add_config_value("biriba_translations", None, "env", [str, type(None)])
    app.add_domain(RulesDomain)
    app.add_lexer("biriba", RulesLexer)
    nodes.setup(app)
    progress.setup(app)
    theme.setup(app)
    app.add_css_file("biriba.css")
    app.connect("config-inited", check_config)
    app.connect("config-inited", _static)
    app.connect("config-inited", _docutils_language)
    app.connect("html-page-context", _heading_levels, priority=900)
    app.connect("builder-inited", pages.write_pages)
    app.connect("build-finished", bundles.write_bundles)
    return {"version": __version__, "env_version": 2, "parallel_read_safe": True, "parallel_write_safe": True}


def _static(app: Sphinx, config: Any) -> None:
    """Our style sheet comes before the site's own, so that a site can change it."""
    config.html_static_path.insert(0, str(Path(__file__).parent / "static"))


def _docutils_language(app: Sphinx, config: Any) -> None:
    """Docutils has words of its own for few languages, and complains of the others: it gets the English ones.

    No page shows them; Sphinx translates what readers see.
    """
    language = (config.language or "en").lower().replace("_", "-")
    for package in ("docutils.languages", "docutils.parsers.rst.languages"):
        module = f"{package}.{language.partition('-')[0]}"
        if find_spec(module) is None:
            sys.modules[module] = import_module(f"{package}.en")


def _heading_levels(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Sphinx calls the captions of toctrees headings and gives them no level, which screen readers need."""
    for name in ("furo_navigation_tree", "body"):
        if isinstance(context.get(name), str):
            context[name] = context[name].replace('role="heading">', 'role="heading" aria-level="2">')
