"""Deals of random play that try a rule set out: whether each goes on to its end, its invariants holding all the way."""

from __future__ import annotations

import random
from dataclasses import dataclass

from biriba.count import counted
from biriba.interpreter.rules import Rules

MOST_STEPS = 4000
"""A deal of random play that takes longer is given up; it is no proof that deals do not end."""

TRIED = 4
"""So many deals try a rule set out unless more are asked for."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """What went wrong in a deal.

    Attributes:
        seed: that of the deal.
        steps: after how many actions.
        clauses: those whose invariants do not hold then; empty: nothing was legal any more.
    """

    seed: int
    steps: int
    clauses: tuple[str, ...]

    @property
    def where(self) -> str:
        return f"after {counted(self.steps, 'action')} of the deal of seed {self.seed}"


def tried_out(rules: Rules, deals: int) -> Trouble | None:
    """The first trouble in so many deals; None if all goes well in them."""
    rng = random.Random(1)
    return next((trouble for seed in range(deals) if (trouble := _deal(rules, seed, rng)) is not None), None)


def _deal(rules: Rules, seed: int, rng: random.Random) -> Trouble | None:
    position = rules.deal(seed).position
    for step in range(MOST_STEPS):
        if rules.over(position):
            return None
        legal = rules.legal(position)
        if not legal:
            return Trouble(seed, step, ())
        laying = [action for action in legal if action.args and not isinstance(action.args[0], int)]
        after = rules.apply(position, rng.choice(laying if laying and rng.random() < 0.7 else legal))
        broken = rules.violated_invariants(after, position)
        if broken:
            return Trouble(seed, step + 1, tuple(broken))
        position = after
    return None
