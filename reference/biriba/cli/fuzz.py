"""The command `biriba fuzz`: an implementation beside the reference in random positions and games."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from biriba.cli import common
from biriba.cli.common import DEFAULT_RULES, NO, OK, BadInput, RulesOption, answers, write_text

if TYPE_CHECKING:
    from biriba.conformance.fuzz.run import Finding, Fuzzer, Progress
    from biriba.conformance.suite import Suite


@answers
def fuzz(
    adapter: Annotated[
        list[str], typer.Argument(metavar="-- COMMAND...", help="The program that speaks the protocol.")
    ],
    rules: RulesOption = DEFAULT_RULES,
    seed: Annotated[int, typer.Option(help="All cases follow from it.")] = 0,
    first: Annotated[
        int, typer.Option("--from", metavar="CASE", min=0, help="Begin with this case: go on after a stop.")
    ] = 0,
    cases: Annotated[int | None, typer.Option(min=1, help="So many cases; by default until the time is over.")] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0.1, help="So long; by default 60 if --cases is not given.")
    ] = None,
    most: Annotated[int, typer.Option("--max-findings", min=1, help="Stop after so many different findings.")] = 5,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write each finding as a vector into this folder.")
    ] = None,
    timeout: Annotated[float, typer.Option(min=0.01, help="Seconds for an answer.")] = 10.0,
    startup: Annotated[float, typer.Option(min=0.01, help="Seconds to start.")] = 20.0,
) -> int:
    """Compare an implementation with the reference in random positions and games.

    Each difference is made as small as possible and written as a vector that is ready to be filed. Exit code 1
    if there are differences.
    """
    from biriba.conformance.child import ChildError
    from biriba.conformance.fuzz.run import ChildPeer, Fuzzer
    from biriba.conformance.suite import load_suite

    suite = load_suite(common.load_rules(rules))
    if cases is None and seconds is None:
        seconds = 60.0
    try:
        peer = ChildPeer(adapter, suite, timeout, startup)
    except ChildError as error:
        raise BadInput(f"the implementation does not start: {error}") from None
    try:
        if not peer.implementation.plays(suite.ruleset):
            raise BadInput(f"{peer.implementation.name} does not play by {' '.join(suite.ruleset)}")
        fuzzer = Fuzzer(suite.rules, peer, seed, most)
        begun = time.monotonic()
        for finding in fuzzer.run(first, cases, seconds, _look(begun)):
            _show(finding, fuzzer, suite, adapter, out)
        progress = fuzzer.progress
        print(
            f"{progress.found} different findings in {progress.cases} cases ({progress.asked} questions), seed {seed}; "
            f"to go on: --seed {seed} --from {first + progress.cases}"
        )
        return NO if progress.found else OK
    finally:
        peer.close()


def _look(begun: float) -> Callable[[Progress], None]:
    """Shows how far the run is, if somebody is looking."""

    def look(progress: Progress) -> None:
        if sys.stderr.isatty():
            spent = time.monotonic() - begun
            text = f"{progress.cases} cases, {progress.asked} questions, {progress.found} findings, {spent:.0f} s"
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)

    return look


def _show(finding: Finding, fuzzer: Fuzzer, suite: Suite, adapter: list[str], out: Path | None) -> None:
    from biriba.conformance.results import Report
    from biriba.conformance.suite import Suite as Vectors
    from biriba.conformance.words import failure
    from biriba.scenario.build import encode_vector
    from biriba.scenario.vectors import vector

    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    scenario, only = finding.scenario, Vectors(suite.rules, (finding.scenario,))
    result = finding.result
    named = replace(result, id=scenario.id, title=scenario.title, level=scenario.level, clauses=scenario.clauses)
    report = Report(fuzzer.peer.implementation, (), only.identity, {}, (named,))
    for line in failure(named, report, only):
        common.say(suite.rules, line)
    if out is not None:
        path = out / f"{scenario.id}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, encode_vector(vector(scenario)))
        print(f"  written:  {path}")
        print(f"  again:    biriba conform --vectors {out} -- {' '.join(adapter)}")
    else:
        print("  --out DIR writes it as a vector")
    print()
