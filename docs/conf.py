"""Sphinx settings of the documentation site."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "reference"))

from biriba.data import spec_dir  # noqa: E402  (after the path is set)
from biriba.version import __version__  # noqa: E402

project = "Biriba"
copyright = "The Biriba authors"  # noqa: A001  (the name that Sphinx asks for)
author = "The Biriba authors"
version = release = __version__

extensions = ["myst_parser", "biriba.sphinx"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence", "deflist", "attrs_inline"]
myst_heading_anchors = 3
nitpicky = True
language = "en"
locale_dirs = ["locales"]
gettext_compact = "site"
gettext_uuid = False
translation_progress_classes = "untranslated"

# The main rule set comes first; the variants are found by their place.
biriba_rulesets = ["biriba", *sorted(path.stem for path in (spec_dir() / "variants").glob("*.rules"))]
biriba_complete = ["biriba"]
biriba_clause_pages = "clauses"
biriba_rulebook_pages = "rulebooks"
# Made anew with `biriba verify --json > docs/evidence/proofs.json` and `biriba docs mutants >
# docs/evidence/mutants.json`; a report on older rules is left out.
biriba_evidence = [(ROOT / "docs" / "evidence" / f"{name}.json").as_posix() for name in ("mutants", "proofs")]

html_theme = "furo"
html_title = "Biriba"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_theme_options = {
    "navigation_with_keys": True,
    "footer_icons": [],
    # The theme's own grey is too faint on panels.
    "light_css_variables": {"color-foreground-muted": "#5a6068"},
    "dark_css_variables": {"color-foreground-muted": "#a3a9b3"},
}
html_copy_source = False
html_show_sourcelink = False
html_last_updated_fmt = None
epub_show_urls = "no"
