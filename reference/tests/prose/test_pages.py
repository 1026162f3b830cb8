"""The pages that are written for the rule sets beside the main one."""

from __future__ import annotations

import pytest

import biriba
from biriba.prose.catalogue import Catalogue
from biriba.sphinx.library import Book
from biriba.sphinx.pages import rulebook_page


@pytest.mark.parametrize("name", ["biriba", "gin_rummy", "classic"])
def test_a_rulebook_is_on_lines_of_its_own(name: str) -> None:
    ruleset = biriba.load(name).ruleset
    lines = rulebook_page(Book(name, ruleset), Catalogue("en", {})).splitlines()
    assert f"```{{biriba:rulebook}} {name}" in lines
    assert (f"```{{biriba:compare}} {name}" in lines) is bool(ruleset.parents)
