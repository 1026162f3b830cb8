"""The encoding and the interpreter agree: on the verdict, the violated clauses and the next position.

Rule sets are the canonical one and some that differ from it at random; positions come from deals
played at random; actions are legal ones, actions of other moments, melds and growths against the laws.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("z3")

from biriba.language.load import compile_rules
from biriba.language.source import Source
from biriba.model.position import Action, LaidMeld, Meld, Position
from biriba.verify.replay import encoded
from biriba.verify.witness import Referee
from tests.language.rulefiles import with_parameter
from tests.verify.mutations import MUTATIONS
from tests.verify.positions import played, unordered
from tests.verify.rules import mutated

PARAMETERS = [("max_wilds", 1), ("max_wilds", 3), ("held_back", 2), ("stall_limit", 2), ("packet_needs_biriba", "no")]
PARAMETERS += [("close_with_wild", "no"), ("lone_take_may_close", "no"), ("sets_of_twos", "yes"), ("min_meld", 2)]


@cache
def referee(i: int) -> Referee:
    """The interpreter of a rule set: the first few differ in a parameter, the others in a clause."""
    if i < len(PARAMETERS):
        return Referee(compile_rules(Source("test.rules", with_parameter(*PARAMETERS[i])))[0])
    return Referee(mutated(MUTATIONS[i - len(PARAMETERS)]))


def candidates(
    referee: Referee, rng: Random, position: Position, seen: list[Action]
) -> Iterator[tuple[Action, str | None]]:
    """Actions to judge, each with the mode of its growth if it has one."""
    rules = referee.ruleset
    # An action of another moment makes sense only if it names no meld that lies elsewhere.
    actions = [*referee.rules.legal(position), *(a for a in seen if not any(isinstance(x, LaidMeld) for x in a.args))]
    rng.shuffle(actions)
    yield from ((action, None) for action in actions if len(action.args) < 2)
    for decl in rules.actions.values():
        if [p.domain for p in decl.params] == ["new_meld"]:
            hand = rng.sample(range(len(rules.cards.faces)), 4)
            melds = [m for k in (1, 2, 3) for m in referee.melds.layouts(hand[:k] * 2, lawful=False)]
            yield from ((Action(decl.name, (meld,)), None) for meld in rng.sample(melds, min(2, len(melds))))
    for decl in rules.actions.values():
        if [p.domain for p in decl.params] == ["laid_meld", "growth"]:
            laid = list(laid_melds(referee, position))
            for on in rng.sample(laid, min(3, len(laid))):
                growths = list(referee.melds.possible_growths(on.meld))
                for mode, growth in rng.sample(growths, min(3, len(growths))):
                    yield Action(decl.name, (on, growth)), mode


def laid_melds(referee: Referee, position: Position) -> Iterator[LaidMeld]:
    for slot, zone in enumerate(position.zones):
        owner = referee.rules.layout.zone_slots[slot][1]
        yield from (LaidMeld(slot, i, owner, meld) for i, meld in enumerate(zone) if isinstance(meld, Meld))


def check(i: int, seed: int, most: int) -> int:
    rng, umpire = Random(seed), referee(i)
    position, seen = played(umpire, rng, seed)
    compared = 0
    for action, mode in candidates(umpire, rng, position, seen):
        verdict = umpire.rules.judge(position, action)
        found = encoded(umpire, position, action, mode)
        assert found is not None, (position, action)
        assert found.clauses == set(verdict.clauses), (position, action)
        if verdict.position is not None:
            assert found.after is not None
            assert unordered(found.after) == unordered(verdict.position), (position, action)
        compared += 1
        if compared == most:
            break
    return compared


RULE_SETS = st.integers(0, len(PARAMETERS) + len(MUTATIONS) - 1)


@settings(max_examples=3)
@given(RULE_SETS, st.integers(0, 10**6))
def test_encoding_and_interpreter_agree(i: int, seed: int) -> None:
    check(i, seed, 2)


@pytest.mark.slow
@settings(max_examples=300)
@given(RULE_SETS, st.integers(0, 10**6))
def test_encoding_and_interpreter_agree_widely(i: int, seed: int) -> None:
    check(i, seed, 12)
