"""Sites in other languages: the words around the pages, and the ways between the languages."""

from __future__ import annotations

import gettext
import json
from pathlib import Path

import pytest

pytest.importorskip("sphinx")

import furo
import sphinx
from jinja2.ext import babel_extract

from biriba.prose.catalogue import BASE, LANGUAGES, load
from biriba.prose.labels import LABELS, THEME
from biriba.sphinx.site import Order, build

LANTERNS = Path(__file__).parents[1] / "notation" / "lanterns.rules"
OTHERS = [language for language in LANGUAGES if language != BASE]
UNUSED = ("edit-this-page", "view-this-page", "rtd-versions", "variant-selector")
"""Templates of Furo for what our sites do not have: links to a repository and to a hoster."""
NAMES = ("Last updated on", "https://github.com/pradyunsg/furo", 'href="%(path)s"')
"""Texts that are not shown, or are names."""

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning")


@pytest.mark.parametrize("language", OTHERS)
def test_no_label_is_left_in_english(language: str) -> None:
    known = load(language)
    assert [label for label in LABELS if ("ui", label) not in known.texts] == []


@pytest.mark.parametrize("language", OTHERS)
def test_no_word_of_the_theme_is_left_in_english(language: str) -> None:
    """Every text of Furo's templates is translated by Sphinx or by us."""
    words = gettext.translation("sphinx", Path(sphinx.package_dir) / "locale", [language])
    left = []
    for path in (Path(furo.__file__).parent / "theme" / "furo").rglob("*.html"):
        if path.stem in UNUSED:
            continue
        with path.open("rb") as file:
            for _, _, text, _ in babel_extract(file, ["_", "gettext"], [], {"trimmed": "true", "encoding": "utf-8"}):
                ours = text in THEME or any(name in text for name in NAMES)
                left += [] if ours or words.gettext(text) != text else [text]
    assert left == []


def test_sites_built_one_after_the_other_lead_to_each_other_and_keep_their_languages(tmp_path: Path) -> None:
    for language, other in (("el", "ru"), ("ru", "el")):
        build(Order((str(LANTERNS),), tmp_path / language, language, others={other: f"../{other}/"}))
    for language, other in (("el", "ru"), ("ru", "el")):
        for page in sorted((tmp_path / language).rglob("*.html")):
            way = f"{'../' * len(page.relative_to(tmp_path / language).parents)}{other}/"
            text = page.read_text(encoding="utf-8")
            link = f'href="{way}{page.relative_to(tmp_path / language).as_posix()}" lang="{other}"'
            assert link in text, page
            assert (page.parent / way).resolve() == tmp_path / other
        index = (tmp_path / language / "index.html").read_text(encoding="utf-8")
        assert load(language).label("Skip to content") in index
        assert load(other).label("Skip to content") not in index


def test_the_search_page_has_no_empty_words(tmp_path: Path) -> None:
    """Sphinx's own file for Portuguese holds nothing but empty texts."""
    build(Order((str(LANTERNS),), tmp_path, "pt"))
    text = (tmp_path / "_static" / "translations.js").read_text(encoding="utf-8")
    words = json.loads(text.partition("(")[2].rpartition(")")[0])["messages"]
    assert words["Search Results"] == "Resultados da Pesquisa"
    assert all(word and all(word) for word in words.values())
