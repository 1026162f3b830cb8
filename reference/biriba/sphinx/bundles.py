"""The rule sets of a site as JSON files beside its pages: `rules/NAME.json` and their schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from biriba.prose.bundle import bundle, schema
from biriba.prose.catalogue import BASE, LANGUAGES
from biriba.sphinx.library import library

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def write_bundles(app: Sphinx, error: Exception | None) -> None:
    """Write the bundles of an HTML site."""
    if error is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir, "rules")
    folder.mkdir(exist_ok=True)
    known = library(app)
    catalogues = tuple(known.catalogue(language) for language in LANGUAGES if language != BASE)
    for book in known.books():
        _write(folder / f"{book.name}.json", bundle(book.ruleset, catalogues))
    _write(folder / "clauses.schema.json", schema())


def _write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n")
