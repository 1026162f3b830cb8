"""How many cards left are plenty, so that an action need not be tried, follows from the rules and from nothing else."""

from __future__ import annotations

import pytest

import biriba
from biriba.engine.expressions import UNKNOWN
from biriba.engine.foresight import Foresight, Loss, Plenty
from biriba.engine.generate import Generator
from biriba.interpreter.rules import Rules
from biriba.language.load import compile_rules
from biriba.language.source import Source
from biriba.model import expr as x


def plenty(rules: Rules, action: str) -> Plenty | None:
    ruleset = rules.ruleset
    known = Generator(ruleset).expressions.known
    before, then = (ruleset.consequences_of(action, when) for when in ("before", "then"))
    blocks = [*(c.effects for c in before), ruleset.actions[action].effects, *(c.effects for c in then)]
    return Foresight(ruleset, known, UNKNOWN).plenty(action, [effect for block in blocks for effect in block])


def changed(text: str) -> Rules:
    head = 'ruleset changed "Changed" extends biriba\n  version "1"\n'
    return Rules(compile_rules(Source("changed.rules", head + text))[0])


def test_two_cards_are_plenty_unless_one_is_barred() -> None:
    found = plenty(biriba.load("biriba"), "lay")
    assert found is not None
    assert (found.zone.name, found.least, found.losses) == ("hand", 2, (Loss(meld="m"),))
    ((unfit,),) = (found.unfit,)
    assert [card.name for card in unfit.cards if isinstance(card, x.State)] == ["barred"]


@pytest.mark.parametrize(("held_back", "least"), [(1, 2), (2, 3), (3, 4)])
def test_the_bound_follows_a_parameter(held_back: int, least: int) -> None:
    found = plenty(changed(f"\nset held_back = {held_back}\n"), "extend")
    assert found is not None
    assert (found.least, found.losses) == (least, (Loss(1),))


def test_what_comes_to_the_hand_counts() -> None:
    found = plenty(biriba.load("biriba"), "take")
    assert found is not None
    assert [zone.name for zone in found.gains] == ["discard"]


@pytest.mark.parametrize(
    ("guard", "count"), [("c != JK", 4), ("c != 9H", 2), ("value(c) > 5", 40), ("not wild(c)", 12)]
)
def test_cards_that_a_guard_never_lets_pass_do_not_count(guard: str, count: int) -> None:
    rules = changed(f'\nclause discard.odd\n  "Some cards stay."\n  on discard(c) require {guard}\n')
    found = plenty(rules, "lay")
    if count < 40:
        assert found is not None
        assert [unfit.count for unfit in found.unfit] == [count]
    else:
        assert found is None  # forty unfit cards are more than the largest bound that is tried


def test_a_guard_about_what_cannot_be_foreseen_has_no_bound() -> None:
    rules = changed('\nclause lay.odd\n  "The stock must be small then."\n  on lay ensure size(stock) < 20\n')
    assert plenty(rules, "lay") is None
