"""What fits a template, and the expressions that say so."""

from __future__ import annotations

import pytest

from biriba.language.load import compile_rules
from biriba.language.source import Source
from biriba.model.pure import evaluate
from biriba.model.ruleset import Ruleset
from biriba.model.shapes import Shapes
from biriba.notation import parse_cards, parse_meld
from tests.notation.games import LANTERNS, biriba, lanterns


def fact(text: str) -> bool:
    """Whether a statement about the cards of Lanterns holds."""
    game = LANTERNS.read_text(encoding="utf-8").replace("  phases go\n", f"  phases go\n  fact {text}\n")
    rules = compile_rules(Source("test.rules", game))[0]
    return bool(evaluate(rules, rules.facts[0].body))


def symbols(rules: Ruleset, faces: frozenset[int]) -> set[str]:
    return {rules.cards.faces[face].symbol for face in faces}


def test_the_faces_of_each_place() -> None:
    rules = biriba()
    shapes = Shapes(rules)
    assert symbols(rules, shapes.fitting("run", 0, 2).natural) == {"2H"}
    assert symbols(rules, shapes.fitting("run", 0, 2).substitute) == {"2S", "2D", "2C", "JK"}
    assert symbols(rules, shapes.fitting("run", 0, 14).natural) == {"AH"}
    assert symbols(rules, shapes.fitting("set", 1, None).natural) == {"2H", "2S", "2D", "2C"}
    assert symbols(rules, shapes.fitting("set", 1, None).substitute) == {"JK"}
    assert shapes.keys("run") == (0, 1, 2, 3)
    assert Shapes(lanterns()).keys("lamps") == (None,)


def test_what_fits() -> None:
    rules = biriba()
    shapes = Shapes(rules)
    meld = parse_meld(rules, "QH KH AH")
    assert shapes.fits(meld)
    assert shapes.substitutes(meld) == 0
    for wrong in (
        meld._replace(low=13), meld._replace(low=0), meld._replace(low=None), meld._replace(key=1),
        meld._replace(key=None), meld._replace(template=""), meld._replace(cards=()), meld._replace(template="set"),
    ):  # fmt: skip
        assert not shapes.fits(wrong)
    group = parse_meld(rules, "9H 9S JK")
    assert shapes.fits(group)
    assert not shapes.fits(group._replace(cards=group.cards[::-1])), "a group has one order"
    assert not shapes.fits(group._replace(low=1))


def test_all_layouts_of_cards() -> None:
    rules = biriba()
    cards = parse_cards(rules, "2H 2S")
    found = [(meld.template, meld.key, meld.low) for meld in Shapes(rules).layouts(cards)]
    assert ("set", 1, None) in found
    assert [low for template, key, low in found if template == "run" and key == 0] == list(range(1, 14))
    assert list(Shapes(rules).layouts(())) == []


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("every card c: wild(c) implies value(c) >= 1", True),
        ("every card c: some rank k: rank(c) = k or rank(c) is none", True),
        ("no card c where wild(c): suit(c) is none", False),
        ("every i in 1..6: rank_at(i) is not none", True),
        ("rank_at(7) is none and rank_at(6) = rank_at(1)", True),
        ("min(2, 3) + max(2, 3) * 2 - 1 = 7", True),
        ("every seat s: next(s) = left(s) and right(left(s)) = s", True),
        ("every seat s: side(s) != side(next(s))", True),
        ("if copies(LAMP) = 2 then copies(1R) = 3 else no", True),
        ("not (2 < 1) and 1 <= 2 and 2 > 1 and not (1 > 2)", True),
    ],
)
def test_statements_about_cards(text: str, holds: bool) -> None:
    assert fact(text) == holds
