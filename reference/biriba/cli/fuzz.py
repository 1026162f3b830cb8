"""The command `biriba fuzz`: an implementation beside the reference in random positions and games."""

from __future__ import annotations

import json
import shlex
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from biriba.cli import common
from biriba.cli.common import DEFAULT_RULES, NO, OK, UNKNOWN, BadInput, RulesOption, answers, write_text
from biriba.cli.conform import STARTUP, TIMEOUT, StartupOption, TimeoutOption, again_options
from biriba.count import counted

if TYPE_CHECKING:
    from biriba.conformance.fuzz.run import Finding
    from biriba.conformance.fuzz.state import State
    from biriba.conformance.protocol import Implementation
    from biriba.conformance.suite import Suite


@answers
def fuzz(
    adapter: Annotated[
        list[str], typer.Argument(metavar="-- COMMAND...", help="The program that speaks the protocol.")
    ],
    rules: RulesOption = DEFAULT_RULES,
    seed: Annotated[int | None, typer.Option(help="All cases follow from it.", show_default="0")] = None,
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
    timeout: TimeoutOption = TIMEOUT,
    startup: StartupOption = STARTUP,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=64, help="Processes of the implementation.")] = 1,
    state_file: Annotated[
        Path | None, typer.Option("--state", metavar="FILE", help="Keep what was done here, and go on from there.")
    ] = None,
) -> int:
    """Compare an implementation with the reference in random positions and games.

    Each difference is made as small as possible and written as a vector that is ready to be filed. Exit code 1
    if there are differences or it does not start, 4 if it has answered no question or plays by other rules.
    """
    from biriba.conformance.child import ChildError
    from biriba.conformance.fuzz.campaign import campaign, one_by_one, side_by_side
    from biriba.conformance.fuzz.run import ChildPeer, Fuzzer
    from biriba.conformance.suite import load_suite

    suite = load_suite(common.load_rules(rules))
    again = again_options(rules, out, timeout, startup)
    if out is not None and out.exists() and not out.is_dir():
        raise BadInput(f"{out}: is no folder; --out names one, for the vectors that are found")
    if cases is None and seconds is None:
        seconds = 60.0
    try:
        peer = ChildPeer(adapter, suite, timeout, startup)
    except ChildError as error:
        print(f"error: {error}", file=sys.stderr)
        return NO
    try:
        if not peer.implementation.plays(suite.ruleset):
            named = f"{peer.implementation.name} does not play by {' '.join(suite.ruleset)}"
            print(f"nothing was compared: {named}", file=sys.stderr)
            return UNKNOWN
        state = _state(suite, peer.implementation, seed, first, state_file)
        if jobs > 1:
            peer.close()
            source = side_by_side(adapter, rules, state.seed, jobs, timeout=timeout, startup=startup)
        else:
            source = one_by_one(Fuzzer(suite.rules, peer, state.seed, seen=state.looks))
        keeper = _Keeper(state_file, state)
        try:
            for finding in campaign(source, state, count=cases, seconds=seconds, most=most, look=keeper.look):
                keeper.keep()
                _show(finding, peer.implementation, suite, adapter, out, again)
        finally:
            keeper.keep()
    finally:
        peer.close()
    return _summary(state, state_file, most)


def _summary(state: State, state_file: Path | None, most: int) -> int:
    """Say what came of the run and how to go on; the exit code."""
    skipped = f", {state.skipped} skipped" if state.skipped else ""
    again = f"--state {shlex.quote(str(state_file))}" if state_file else f"--seed {state.seed} --from {state.next}"
    print(
        f"{counted(len(state.found), 'different finding')} in {counted(state.cases, 'case')} "
        f"({counted(state.asked, 'question')}{skipped}), "
        f"seed {state.seed}; to go on: {again}"
        + (f" --max-findings {2 * most}" if len(state.found) >= most and state_file else "")
    )
    if state.skipped == state.asked:
        print("nothing was compared: the implementation has answered no question", file=sys.stderr)
        return UNKNOWN
    return NO if state.found else OK


def _state(suite: Suite, implementation: Implementation, seed: int | None, first: int, path: Path | None) -> State:
    """The state to begin with: that of a file, if there is one."""
    from biriba.conformance.fuzz.state import begun, read_state
    from biriba.notation import decode

    fresh = begun(suite.identity["ruleset"], implementation, seed or 0, first)
    if path is None or not path.exists():
        return fresh
    if first:
        raise BadInput("--from says where to begin, and --state FILE knows already: give one of them")
    with common.stating(str(path)):
        state = read_state(decode(common.read_file(path, "state")))
    if seed is None:
        fresh.seed = state.seed
    other = state.differs(fresh)
    if other:
        raise BadInput(f"{path} is the state of another run: {other}; name another file to begin anew")
    return state


class _Keeper:
    """Writes the state now and then, and shows how far the run is if somebody is looking."""

    EVERY = 2.0
    """Seconds between two writes."""

    def __init__(self, path: Path | None, state: State) -> None:
        self.path, self.state = path, state
        self.begun = self.kept = time.monotonic()
        if path is not None:
            self.keep()  # so that what cannot be written is told at once

    def keep(self) -> None:
        if self.path is not None:
            write_text(self.path, json.dumps(self.state.to_json(), ensure_ascii=False, indent=1) + "\n")
            self.kept = time.monotonic()

    def look(self, state: State) -> None:
        if time.monotonic() - self.kept > self.EVERY:
            self.keep()
        if sys.stderr.isatty():
            spent = time.monotonic() - self.begun
            text = f"{state.cases} cases, {state.asked} questions, {len(state.found)} findings, {spent:.0f} s"
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def _show(
    finding: Finding,
    implementation: Implementation,
    suite: Suite,
    adapter: list[str],
    out: Path | None,
    again: tuple[str, ...],
) -> None:
    """Write a finding as a vector, if there is a folder for it, and tell what it is and how to see it again."""
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
    command = tuple(adapter) if out is not None else ()
    report = Report(implementation, command, only.identity, {}, (named,), options=again)
    if out is not None:
        (path,) = common.write_vectors(out, {scenario.id: encode_vector(vector(scenario))})
    for line in failure(named, report, only):
        common.say(suite.rules, line)
    print("  --out DIR writes it as a vector" if out is None else f"  written:  {path}")
    print()
