"""Rates of random play: the interpreter, the generated engine in Python and under numba, OpenSpiel and RLCard.

Every engine lists all legal actions at every step and plays a random one; one thread each, all in one
run, in turns, so that they meet the same machine. OpenSpiel plays gin rummy in its own loop in C++. We play
Biriba, and the same gin rummy: `benchmarks.gin_replay` shows that it is the same. All rates are by processor
time, so that other work on the machine counts less.

``python -m benchmarks.engine`` from the folder `reference`; ``--peers PYTHON`` names the interpreter of an
environment that has the peers; ``--json FILE`` and ``--plot FILE`` keep the results.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import biriba
from biriba.engine import Engine, EngineError
from biriba.engine.generate import generate
from biriba.interpreter.rules import Rules

BARS = {"engine, Python": 1.0, "engine, numba": 10.0, "gin rummy: engine, numba": 5.0}
"""Least actions per second as multiples of OpenSpiel's."""
SAME = "gin_rummy"
"""Our rules of the game that OpenSpiel plays."""
OPENSPIEL, RLCARD = "OpenSpiel gin rummy, C++", "RLCard gin rummy, Python"

Players = dict[str, Callable[[int], dict[str, Any]]]
"""What plays for some time with a seed and tells its rates, by name."""


def interpreter(rules: Rules, seconds: float, seed: int) -> dict[str, float]:
    """Deals in the interpreter."""
    rng = Random(seed)
    deals = actions = choices = 0
    start = time.process_time()
    while (elapsed := time.process_time() - start) < seconds:
        position = rules.deal(seed=rng.getrandbits(32)).position
        while legal := rules.legal(position):
            choices += len(legal)
            position = rules.apply(position, rng.choice(legal))
            actions += 1
        deals += 1
    return _rates(elapsed, deals, actions, choices)


def engine(made: Engine, seconds: float, seed: int) -> dict[str, float]:
    """Deals in a generated engine: shuffling, dealing, and random play in its own loop."""
    module = made.module
    random = made.array([seed, 0, 0])
    deck = made.array([face.index for face in made.rules.cards.faces for _ in range(face.copies)])
    state, buffer = made.ints(module.LENGTH), made.ints(1 << 14)
    seats = len(made.rules.table.seats)
    deals = 0
    start = time.process_time()
    while (elapsed := time.process_time() - start) < seconds:
        module.shuffle(deck, random)
        module.deal(state, deck, deals % seats)
        module.playout(state, buffer, random, 100_000)
        deals += 1
    return _rates(elapsed, deals, int(random[1]), int(random[2]))


def _rates(elapsed: float, deals: int, actions: int, choices: int) -> dict[str, float]:
    return {
        "actions_per_second": actions / elapsed,
        "deals_per_second": deals / elapsed,
        "actions_per_deal": actions / deals,
        "branching": choices / actions,
    }


def peer(python: str, name: str, seconds: float, seed: int) -> dict[str, Any]:
    """A peer's rates, or why there are none.

    Args:
        python: the interpreter of an environment that has it.
        name: that of the peer in `peers.py`.
    """
    command = [python, str(Path(__file__).with_name("peers.py")), name, "--seconds", str(seconds), "--seed", str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    if done.returncode:
        return {"engine": name, "error": (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]}
    rates: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return rates


def costs(name: str) -> dict[str, float]:
    """What is paid once: seconds to generate the source and to make an engine of it, and bytes of a state."""
    ruleset = biriba.load(name).ruleset
    start = time.process_time()
    source = generate(ruleset)
    generated = time.process_time() - start
    made = Engine(ruleset)
    return {
        "generate_seconds": generated,
        "load_seconds": time.process_time() - start - generated,
        "lines": source.count("\n"),
        "state_bytes_fast": 8 * made.module.LENGTH,
    }


def fast(name: str) -> tuple[Engine, float] | None:
    """The engine under numba and the seconds until its first deal was played, None if there is no numba."""
    start = time.process_time()
    try:
        made = Engine(biriba.load(name).ruleset, fast=True)
    except EngineError:
        return None
    engine(made, 0.01, 1)
    return made, time.process_time() - start


def by_hand(made: Engine, seconds: float) -> list[dict[str, float]]:
    """Time to list the legal actions, by the number of cards in hand and of melds on the table."""
    found: dict[tuple[int, int], list[float]] = {}
    layout = made.generator.layout
    hands = [layout.zones[z.name] for z in made.rules.zones.values() if z.kind == "hand"]
    melds = [layout.zones[z.name] for z in made.rules.zones.values() if z.kind == "melds"]
    deck = made.array([face.index for face in made.rules.cards.faces for _ in range(face.copies)])
    random, rng = made.array([5, 0, 0]), Random(5)
    start = time.process_time()
    while time.process_time() - start < seconds:
        made.module.shuffle(deck, random)
        state = made.deal([int(card) for card in deck], 0)
        while not made.over(state):
            turn = int(state[layout.constants[layout.turn]])
            held = int(state[hands[0].address(turn) + layout.planes + 1])
            laid = sum(int(state[place.address(i)]) for place in melds for i in range(place.owners))
            before = time.perf_counter()
            legal = made.legal(state)
            found.setdefault((held // 5 * 5, laid // 5 * 5), []).append(time.perf_counter() - before)
            made.play(state, rng.choice(legal))
    return [
        {"cards": cards, "melds": laid, "microseconds": 1e6 * statistics.median(times), "positions": len(times)}
        for (cards, laid), times in sorted(found.items())
        if len(times) >= 30
    ]


def measure(name: str, seconds: float, rounds: int, python: str) -> dict[str, Any]:
    """All engines, in turns."""
    ours, numba_seconds = _players(name, "", seconds)
    same, _ = _players(SAME, "gin rummy: ", seconds)
    players: Players = {
        **ours,
        OPENSPIEL: lambda seed: peer(python, "openspiel", seconds, seed),
        RLCARD: lambda seed: peer(python, "rlcard", seconds, seed),
        **same,
    }
    runs: dict[str, list[dict[str, Any]]] = {key: [] for key in players}
    for seed in range(1, rounds + 1):
        for key, play in players.items():
            runs[key].append(play(seed))
    return {
        "rules": name,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "seconds": seconds,
        "rounds": rounds,
        "once": costs(name) | numba_seconds,
        "engines": {key: _median(results) for key, results in runs.items()},
        "legal_by_hand": by_hand(Engine(biriba.load(name).ruleset), seconds),
    }


def _players(name: str, prefix: str, seconds: float) -> tuple[Players, dict[str, float]]:
    """Our engines of a rule set, by the names under which their rates are shown, and what numba's took to begin."""
    rules = biriba.load(name)
    plain, compiled = Engine(rules.ruleset), fast(name)
    players: Players = {
        f"{prefix}interpreter": lambda seed: interpreter(rules, seconds, seed),
        f"{prefix}engine, Python": lambda seed: engine(plain, seconds, seed),
    }
    if compiled is None:
        return players, {}
    players[f"{prefix}engine, numba"] = lambda seed: engine(compiled[0], seconds, seed)
    return players, {"numba_seconds": compiled[1]}


def _median(results: list[dict[str, Any]]) -> dict[str, Any]:
    failed = [r for r in results if "error" in r]
    if failed:
        return failed[0]
    keys = ("actions_per_second", "deals_per_second", "actions_per_deal", "branching")
    return {key: statistics.median(r[key] for r in results) for key in keys}


def report(measured: dict[str, Any]) -> str:
    """The measurement as text."""
    lines = [f"{'engine':28}{'actions/s':>12}{'deals/s':>10}{'actions/deal':>14}{'choices':>9}"]
    for key, rates in measured["engines"].items():
        if "error" in rates:
            lines.append(f"{key:28}not measured: {rates['error']}")
            continue
        lines.append(
            f"{key:28}{rates['actions_per_second']:12,.0f}{rates['deals_per_second']:10,.1f}"
            f"{rates['actions_per_deal']:14.0f}{rates['branching']:9.1f}"
        )
    lines += [f"{key}: {value:,.2f}" for key, value in measured["once"].items()]
    lines += [f"{key} to OpenSpiel: {value:.2f}" for key, value in ratios(measured).items()]
    return "\n".join(lines)


def ratios(measured: dict[str, Any]) -> dict[str, float]:
    """Our actions per second as multiples of OpenSpiel's, if it was measured."""
    engines = measured["engines"]
    theirs = engines[OPENSPIEL].get("actions_per_second")
    if theirs is None:
        return {}
    return {key: engines[key]["actions_per_second"] / theirs for key in engines if "engine" in key}


def plot(measured: dict[str, Any], path: Path) -> None:
    """Rates as bars, and the time to list legal actions by cards in hand."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(12, 4.2))
    shown = {key: r["actions_per_second"] for key, r in measured["engines"].items() if "error" not in r}
    left.barh(list(shown), list(shown.values()), color="#1b6ca8")
    left.invert_yaxis()
    left.set(xscale="log", xlim=(1e3, None), xlabel="actions per second, one thread", title="Random play")
    rows = measured["legal_by_hand"]
    for melds in sorted({row["melds"] for row in rows}):
        line = [(row["cards"], row["microseconds"]) for row in rows if row["melds"] == melds]
        right.plot(*zip(*line, strict=True), marker="o", label=f"{melds} to {melds + 4} melds")
    right.set(xlabel="cards in hand", ylabel="microseconds", title="Listing the legal actions, engine in Python")
    right.legend()
    figure.tight_layout()
    figure.savefig(path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", default="biriba-bounded", help="the rule set (biriba-bounded)")
    parser.add_argument("--seconds", type=float, default=3.0, help="of each round (3)")
    parser.add_argument("--rounds", type=int, default=3, help="of each engine (3)")
    parser.add_argument("--peers", metavar="PYTHON", default=sys.executable, help="the interpreter that has the peers")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw them")
    parser.add_argument("--check", action="store_true", help="exit 1 unless all bars are met")
    options = parser.parse_args()
    measured = measure(options.rules, options.seconds, options.rounds, options.peers)
    print(report(measured))
    if options.json is not None:
        options.json.write_text(json.dumps(measured, indent=2) + "\n", encoding="utf-8")
    if options.plot is not None:
        plot(measured, options.plot)
    if not options.check:
        return 0
    found = ratios(measured)
    return 0 if all(found.get(key, 0) >= bar for key, bar in BARS.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
