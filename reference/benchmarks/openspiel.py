"""Random play of gin rummy in OpenSpiel's own loop in C++, by processor time, in a process of its own.

``python openspiel.py SECONDS SEED`` prints one line of JSON. Each game starts from a copy of one first state,
because making that state anew costs OpenSpiel more than the game.
"""

from __future__ import annotations

import json
import random
import sys
import time

import pyspiel

SAMPLE = 60
"""How many games, outside the timed part, tell a game's length and branching: the loop in C++ does not count."""


def main() -> None:
    seconds, seed = float(sys.argv[1]), int(sys.argv[2])
    game = pyspiel.load_game("gin_rummy")
    root = game.new_initial_state()
    rng = random.Random(seed)
    choices = steps = 0
    for _ in range(SAMPLE):
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
    rates = {
        "actions_per_second": games * steps / SAMPLE / elapsed,
        "deals_per_second": games / elapsed,
        "actions_per_deal": steps / SAMPLE,
        "branching": choices / steps,
    }
    print(json.dumps(rates))


if __name__ == "__main__":
    main()
