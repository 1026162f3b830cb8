"""Sphinx settings of the documentation site."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "reference"))

from biriba.version import __version__

project = "Biriba"
copyright = "The Biriba authors"  # noqa: A001  (the name that Sphinx asks for)
author = "The Biriba authors"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
autodoc_typehints = "description"
nitpicky = False

html_theme = "furo"
html_title = "Biriba"
html_theme_options = {"navigation_with_keys": True}
