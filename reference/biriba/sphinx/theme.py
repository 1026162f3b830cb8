"""The words of a site around its pages, and the way to the same page in its other languages."""

from __future__ import annotations

import json
from gettext import NullTranslations
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx.util.osutil import relative_uri

from biriba.prose.catalogue import BASE, LANGUAGES, Catalogue
from biriba.prose.labels import THEME
from biriba.sphinx.library import library

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_FORMS = {
    "Search finished, found one page matching the search query.": (
        "Search finished, found one page matching the search query.",
        "Search finished, found ${resultCount} pages matching the search query.",
    )
}
"""What the search page counts: its texts for one thing and for several."""
_TEMPLATES = Path(__file__).parent / "templates"


def setup(app: Sphinx) -> None:
    app.add_config_value("biriba_languages", {}, "html", [dict])
    app.connect("config-inited", _templates)
    app.connect("config-inited", _translate)
    app.connect("html-page-context", _context)
    app.connect("build-finished", _searched)


def _searched(app: Sphinx, error: Exception | None) -> None:
    """What the search page says: texts that Sphinx has left empty would be shown so."""
    path = Path(app.outdir, "_static", "translations.js")
    if error is not None or app.builder.format != "html" or not path.is_file():
        return
    head, _, rest = path.read_text(encoding="utf-8").partition("(")
    told = json.loads(rest.rpartition(")")[0])
    for text, found in list(told["messages"].items()):
        if found and all(found):
            continue
        own = [app.translator.gettext(form) for form in _FORMS.get(text, (text,))]
        if own[0] != text:  # a form for one thing, and the same for any other number of them
            told["messages"][text] = own[0] if isinstance(found, str) else [own[0], *(own[-1:] * (len(found) - 1))]
        else:
            del told["messages"][text]
    path.write_text(f"{head}({json.dumps(told, ensure_ascii=False, indent=1)});\n", encoding="utf-8", newline="\n")


class _Words(NullTranslations):
    """What a catalogue of the rules knows of the theme's words; asked for what Sphinx does not translate itself."""

    def __init__(self, catalogue: Catalogue) -> None:
        super().__init__()
        self._catalogue = catalogue

    def gettext(self, message: str) -> str:
        words = " ".join(message.split())
        return message.replace(message.strip(), self._catalogue.label(words)) if words in THEME else message


def _templates(app: Sphinx, config: Any) -> None:
    """Furo's templates are extended; in other themes `biriba-languages.html` is there to be included."""
    config.templates_path.append(str(_TEMPLATES))
    if config.html_theme == "furo":
        config.templates_path.append(str(_TEMPLATES / "furo"))


def _translate(app: Sphinx, config: Any) -> None:
    language = config.language or BASE
    if language != BASE:
        app.translator.add_fallback(_Words(library(app).catalogue(language)))


def _context(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    words = library(app).catalogue(app.config.language or BASE)
    context["biriba_words"] = lambda text: _spoken(text, words)
    context["biriba_languages"] = ways = list(_ways(app, page))
    for code, _, address in ways:
        if address:
            link = f'<link rel="alternate" hreflang="{code}" href="{escape(address, quote=True)}">\n'
            context["metatags"] = context.get("metatags", "") + link


def _spoken(text: str, words: Catalogue) -> str:
    """A page of Furo whose labels for screen readers are translated."""
    for label in (label for label in THEME if label.startswith("Toggle ")):
        text = text.replace(f'aria-label="{label}"', f'aria-label="{escape(words.label(label), quote=True)}"')
    return text


def _ways(app: Sphinx, page: str) -> Any:
    """For each language of the site its code, its name, and the address of the page; empty for the page's own."""
    here = app.builder.get_target_uri(page)
    own = (app.config.language or BASE).partition("_")[0]
    for code in LANGUAGES:
        if code == own and app.config.biriba_languages:
            yield code, LANGUAGES[code], ""
        elif code in app.config.biriba_languages:
            yield code, LANGUAGES[code], relative_uri(here, app.config.biriba_languages[code] + here)
