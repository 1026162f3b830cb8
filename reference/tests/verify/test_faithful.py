"""The encoding and the interpreter agree: on the verdict, the violated clauses and the next position.

Rule sets are drawn at random: some of those that come with biriba, each with one change. Positions come from deals
played at random; actions are legal ones, actions of other moments, melds and growths against the laws.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("z3")

from biriba.conformance.strength.mutants import Mutant, mutants
from biriba.language.load import load_ruleset
from biriba.model.position import Action, LaidMeld, Meld, Position
from biriba.verify.replay import encoded
from biriba.verify.witness import Referee
from tests.verify.mutations import MUTATIONS, Mutation
from tests.verify.positions import IMPOSSIBLE, played, unordered, well_typed
from tests.verify.rules import mutated

RULES = ("biriba", "biriba", "biriba", "guide", "venezuelan", "biriba-entry-minimum", "three-handed", "classic-atout")
"""The rule sets that are changed; the canonical one more often than the others."""


@cache
def changes_of(name: str) -> list[Mutant]:
    return mutants(load_ruleset(name))


@lru_cache(maxsize=32)
def referee(name: str, i: int) -> Referee | None:
    """The interpreter of a rule set that differs from a given one at one place; None if that makes no rules."""
    chosen = changes_of(name)[i % len(changes_of(name))]
    rules = chosen.make()
    return None if rules is None else Referee(rules)


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


def check(umpire: Referee, seed: int, most: int, what: str) -> int:
    """Compare verdicts, violated clauses and next positions; how many actions were compared."""
    rng, compared = Random(seed), 0
    try:
        position, seen = played(umpire, rng, seed)
        actions = list(candidates(umpire, rng, position, seen))
    except IMPOSSIBLE:
        return 0
    if not well_typed(umpire, position):
        return 0
    for action, mode in actions:
        try:
            verdict = umpire.rules.judge(position, action)
        except IMPOSSIBLE:
            continue
        found = encoded(umpire, position, action, mode)
        assert found is not None, (what, position, action)
        assert found.clauses == set(verdict.clauses), (what, position, action)
        if verdict.position is not None:
            assert found.after is not None
            assert unordered(found.after) == unordered(verdict.position), (what, position, action)
        compared += 1
        if compared == most:
            break
    return compared


def check_mutant(name: str, i: int, seed: int, most: int) -> None:
    umpire = referee(name, i)
    if umpire is not None:
        check(umpire, seed, most, changes_of(name)[i % len(changes_of(name))].name)


DRAWN = (st.sampled_from(RULES), st.integers(0, 10**4), st.integers(0, 10**6))
"""A rule set, which of its mutants, and how the deal goes."""


@settings(max_examples=4)
@given(*DRAWN)
def test_encoding_and_interpreter_agree(name: str, i: int, seed: int) -> None:
    check_mutant(name, i, seed, 2)


PARTS = 20
"""In so many parts a campaign is done, so that `-v` shows how far it is; each part has mutants of its own."""


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@settings(max_examples=300 // PARTS)
@given(*DRAWN)
def test_encoding_and_interpreter_agree_widely(part: int, name: str, i: int, seed: int) -> None:
    check_mutant(name, i * PARTS + part, seed, 4)


@pytest.mark.slow
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.name)
def test_encoding_and_interpreter_agree_on_rules_broken_by_hand(mutation: Mutation) -> None:
    assert check(Referee(mutated(mutation)), 7, 4, mutation.name) > 0
