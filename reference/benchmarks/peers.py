"""Random play of the engines that we compare ourselves with, each in a process of its own, by processor time.

Needs only the engine that is asked for, so it can run in another environment than ours:
``python peers.py rlcard --seconds 3`` prints one line of JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

LENGTH_SAMPLE = 60
"""How many games, outside the timed part, tell a game's length and branching."""


def rlcard_env(seconds: float, seed: int) -> dict[str, Any]:
    """Gin rummy in RLCard, through its documented loop: `env.run` with random agents."""
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make("gin-rummy", config={"seed": seed})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])
    games = actions = 0
    start = time.process_time()
    while (elapsed := time.process_time() - start) < seconds:
        env.run(is_training=False)
        games += 1
        actions += len(env.game.actions)

    rng = random.Random(seed)
    choices = steps = 0
    for _ in range(LENGTH_SAMPLE):
        state, _player = env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            choices += len(legal)
            steps += 1
            state, _player = env.step(rng.choice(legal))
    return _result("RLCard gin rummy, env.run (Python)", version("rlcard"), elapsed, games, actions, choices / steps)


def openspiel(seconds: float, seed: int) -> dict[str, Any]:
    """Gin rummy in OpenSpiel: random bots in its own C++ loop, each game from a copy of one first state.

    Making that state anew costs OpenSpiel more than the game.
    """
    import pyspiel

    game = pyspiel.load_game("gin_rummy")
    root = game.new_initial_state()
    rng = random.Random(seed)
    choices = steps = 0
    for _ in range(LENGTH_SAMPLE):
        state = root.clone()
        while not state.is_terminal():
            legal = state.legal_actions()
            if not state.is_chance_node():
                choices += len(legal)
                steps += 1
            state.apply_action(rng.choice(legal))

    bots = [pyspiel.make_uniform_random_bot(player, seed + player) for player in range(game.num_players())]
    games = 0
    start = time.process_time()
    while (elapsed := time.process_time() - start) < seconds:
        pyspiel.evaluate_bots(root.clone(), bots, seed + games)
        games += 1
    actions = round(games * steps / LENGTH_SAMPLE)  # the loop in C++ does not count its actions
    name = "OpenSpiel gin rummy (C++ loop)"
    return _result(name, version("open_spiel"), elapsed, games, actions, choices / steps)


def _result(
    engine: str, release: str, elapsed: float, games: int, actions: int, branching: float
) -> dict[str, str | float]:
    return {
        "engine": engine,
        "version": release,
        "actions_per_second": actions / elapsed,
        "deals_per_second": games / elapsed,
        "branching": branching,
        "actions_per_deal": actions / games,
    }


PEERS: dict[str, Callable[[float, int], dict[str, Any]]] = {"rlcard": rlcard_env, "openspiel": openspiel}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(json.dumps(PEERS[options.peer](options.seconds, options.seed)))


if __name__ == "__main__":
    main()
