"""Whether a broken invariant comes about in a deal: looked for by playing, within fixed bounds."""

from __future__ import annotations

import time
from dataclasses import dataclass
from random import Random

from biriba.interpreter.game import Game
from biriba.verify.witness import Referee

DEALS = 40
STEPS = 400
SECONDS = 15.0


@dataclass(frozen=True)
class Reached:
    """A deal in which a clause's invariant breaks: the seed of its deck, the actions, as a record."""

    seed: int
    steps: int
    record: str

    def __str__(self) -> str:
        return f"reached by {self.steps} actions from the deal with seed {self.seed}\n{self.record}"

    @staticmethod
    def nothing() -> str:
        return f"not found in {DEALS} deals played at random, {STEPS} actions each, {SECONDS:.0f} seconds in all"


def reach(referee: Referee) -> dict[str, Reached]:
    """The first deal found for each clause whose invariant breaks in play, and for a dead end in each phase.

    Play is at random, an action's name first and then its arguments, so that cards are laid often.
    """
    found: dict[str, Reached] = {}
    rules, until = referee.rules, time.monotonic() + SECONDS
    for seed in range(DEALS):
        game, rng = rules.deal(seed=seed), Random(seed)
        for _ in range(STEPS):
            legal = game.legal()
            if time.monotonic() > until:
                break
            if not legal:
                stuck = f"phase {game.position.phase}"
                if not game.over and stuck not in found:
                    found[stuck] = _noted(game, seed)
                break
            before = game.position
            name = rng.choice(sorted({action.name for action in legal}))
            after = game.apply(rng.choice([action for action in legal if action.name == name]))
            for clause in rules.violated_invariants(after, before=before):
                if clause not in found:
                    found[clause] = _noted(game, seed)
    return found


def _noted(game: Game, seed: int) -> Reached:
    try:
        record = game.record()
    except Exception:  # a position that breaks an invariant may have no text
        record = ""
    return Reached(seed, len(game.steps), record)
