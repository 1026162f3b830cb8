"""Actions and deals per second of random play, ours beside other engines, on the same machine in the same run.

Every engine lists all legal actions at every step and plays a random one. No packaged engine plays
Biriba; the others play gin rummy, its nearest packaged relative. The games differ in length and in
the number of choices, so both stand beside each rate. The engines take turns, several rounds each,
and the median of an engine's rounds counts.

``python -m benchmarks.actions`` from the folder `reference`, with the extra ``bench`` installed; or
``--peers PYTHON`` names the interpreter of another environment that has the peers.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import sys
from typing import Any

import biriba
from benchmarks.engine import interpreter, peer
from biriba.version import __version__

BAR = 1 / 3
"""The least share of RLCard's actions per second that `--check` accepts."""


def biriba_random(seconds: float, seed: int) -> dict[str, Any]:
    """Deals of the canonical rules from the first card to the end."""
    rates = interpreter(biriba.load("biriba"), seconds, seed)
    return {"engine": "Biriba, our interpreter (Python)", "version": __version__, **rates}


def measure(seconds: float, rounds: int, python: str) -> dict[str, Any]:
    """All engines, each in `rounds` rounds of that many seconds."""
    runs: dict[str, list[dict[str, Any]]] = {"biriba": [], "rlcard": [], "openspiel": []}
    biriba_random(min(seconds, 0.5), 0)
    for seed in range(1, rounds + 1):
        runs["biriba"].append(biriba_random(seconds, seed))
        for name in ("rlcard", "openspiel"):
            runs[name].append(peer(python, name, seconds, seed))
    engines = {name: _median(results) for name, results in runs.items()}
    ours = engines["biriba"]
    ratios = {
        name: {key: ours[key] / engines[name][key] for key in ("actions_per_second", "deals_per_second")}
        for name in ("rlcard", "openspiel")
        if "error" not in engines[name]
    }
    machine = {"python": platform.python_version(), "machine": platform.machine(), "system": platform.system()}
    return machine | {"seconds": seconds, "rounds": rounds, "engines": engines, "ratio_to": ratios}


def _median(results: list[dict[str, Any]]) -> dict[str, Any]:
    failed = [r for r in results if "error" in r]
    if failed:
        return failed[0]
    numbers = ("actions_per_second", "deals_per_second", "branching", "actions_per_deal")
    spread = sorted(r["actions_per_second"] for r in results)
    return (
        results[0]
        | {n: statistics.median(r[n] for r in results) for n in numbers}
        | {"slowest_and_fastest_round": [spread[0], spread[-1]]}
    )


def report(measured: dict[str, Any]) -> str:
    """The measurement as a table."""
    lines = [f"{'engine':40}{'actions/s':>11}{'deals/s':>10}{'choices':>9}{'actions/deal':>14}"]
    for engine in measured["engines"].values():
        if "error" in engine:
            lines.append(f"{engine['engine']:40}not measured: {engine['error']}")
        else:
            lines.append(
                f"{engine['engine']:40}{engine['actions_per_second']:11,.0f}{engine['deals_per_second']:10,.1f}"
                f"{engine['branching']:9.1f}{engine['actions_per_deal']:14.0f}"
            )
    for name, ratio in measured["ratio_to"].items():
        lines.append(f"ours to {name}: {ratio['actions_per_second']:.2f} of its actions per second")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each round (3)")
    parser.add_argument("--rounds", type=int, default=3, help="of each engine (3)")
    parser.add_argument("--peers", metavar="PYTHON", default=sys.executable, help="the interpreter that has the peers")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--check", action="store_true", help="exit 1 unless ours has a third of RLCard's actions/s")
    options = parser.parse_args()
    measured = measure(options.seconds, options.rounds, options.peers)
    print(json.dumps(measured, indent=2) if options.json else report(measured))
    if not options.check:
        return 0
    ratio = measured["ratio_to"].get("rlcard", {}).get("actions_per_second")
    if ratio is None:
        print("RLCard was not measured", file=sys.stderr)
        return 2
    verdict = "passed" if ratio >= BAR else "failed"
    print(f"{verdict}: {ratio:.2f} of RLCard's actions per second, {BAR:.2f} is the least", file=sys.stderr)
    return 0 if ratio >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
