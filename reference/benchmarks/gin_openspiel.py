"""Hands of gin rummy as OpenSpiel plays them, to be compared with: one line of JSON for each.

``python gin_openspiel.py HANDS SEED`` needs OpenSpiel only, so it can run in another environment than ours. A line
holds the players' policies, the cards in the order in which chance gave them, for each action who acted, what was
legal and what was done, and the returns. Random players seldom knock and never save for gin, so there are others.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Sequence
from typing import Any

import pyspiel
from pyspiel import gin_rummy as gin

TAKE, DRAW, PASS, KNOCK, MELDS = 52, 53, 54, 55, 56
UTILS = gin.GinRummyUtils(gin.DEFAULT_NUM_RANKS, gin.DEFAULT_NUM_SUITS, gin.DEFAULT_HAND_SIZE)

Policy = Callable[[Any, list[int], random.Random], int]


def anything(state: Any, legal: list[int], rng: random.Random) -> int:
    """Any legal action."""
    return rng.choice(legal)


def taker(state: Any, legal: list[int], rng: random.Random) -> int:
    """Takes every upcard and often gives it back: hands end by repetition, or when the takes run out."""
    if TAKE in legal:
        return TAKE
    if state.history()[-1] == TAKE and rng.random() < 0.3:
        return int(state.prev_upcard())
    return rng.choice([a for a in legal if a != KNOCK])


def eager(state: Any, legal: list[int], rng: random.Random) -> int:
    """Improves the hand, knocks as soon as possible, lays and lays off all that goes."""
    if KNOCK in legal:
        return KNOCK
    hand = state.hands()[state.current_player()]
    if TAKE in legal:
        better = deadwood(hand, state.upcard()) < deadwood(hand)
        return TAKE if better else next(a for a in legal if a != TAKE)
    if legal[0] < TAKE and len(hand) > gin.DEFAULT_HAND_SIZE:
        left = {card: deadwood([c for c in hand if c != card]) for card in legal}
        return rng.choice([card for card in legal if left[card] == min(left.values())])
    return rng.choice([a for a in legal if a != PASS] or legal)


def patient(state: Any, legal: list[int], rng: random.Random) -> int:
    """Like `eager`, but knocks with gin only, or else seldom."""
    if KNOCK in legal and PASS not in legal:
        hand = state.hands()[state.current_player()]
        if deadwood(hand) > 0 and rng.random() < 0.9:
            legal = [a for a in legal if a != KNOCK]
    return eager(state, legal, rng)


def careless(state: Any, legal: list[int], rng: random.Random) -> int:
    """Like `eager`, but does anything after a knock and sometimes before: undercuts, and melds left unlaid."""
    after = state.current_phase() in (gin.Phase.KNOCK, gin.Phase.LAYOFF)
    return anything(state, legal, rng) if after or rng.random() < 0.1 else eager(state, legal, rng)


POLICIES: dict[str, Policy] = {p.__name__: p for p in (anything, taker, eager, patient, careless)}


def deadwood(hand: Sequence[int], upcard: int | None = None) -> int:
    """What is left of a hand, after the best discard if it has a card more than it should."""
    return int(UTILS.min_deadwood(list(hand) if upcard is None else [*hand, upcard]))


def play(game: Any, names: tuple[str, str], rng: random.Random) -> dict[str, Any]:
    """A hand between two policies."""
    state = game.new_initial_state()
    cards: list[int] = []
    actions: list[int] = []
    players: list[int] = []
    choices: list[list[int]] = []
    while not state.is_terminal():
        legal = state.legal_actions()
        if state.is_chance_node():
            action = rng.choice(legal)
            cards.append(action)
        else:
            action = POLICIES[names[state.current_player()]](state, legal, rng)
            players.append(state.current_player())
            choices.append(legal)
            actions.append(action)
        state.apply_action(action)
    returns = [int(points) for points in state.returns()]
    return {
        "policies": names,
        "cards": cards,
        "players": players,
        "legal": choices,
        "actions": actions,
        "returns": returns,
    }


def main() -> None:
    hands, seed = int(sys.argv[1]), int(sys.argv[2])
    game = pyspiel.load_game("gin_rummy")
    for number in range(hands):
        rng = random.Random(f"{seed} {number}")
        names = rng.choice(list(POLICIES)), rng.choice(list(POLICIES))
        print(json.dumps(play(game, names, rng), separators=(",", ":")))


if __name__ == "__main__":
    main()
