"""The command `biriba strength`: how strong the vectors are."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from biriba.cli import common
from biriba.cli.common import DEFAULT_RULES, NO, OK, BadInput, JsonOption, RulesOption, answers, console, emit_json


@answers
def strength(
    rules: RulesOption = DEFAULT_RULES,
    clause: Annotated[list[str] | None, typer.Option(metavar="ID", help="Only mutants of these clauses.")] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=64, help="Processes at a time.")] = 1,
    mutants: Annotated[bool, typer.Option("--mutants/--no-mutants", help="Make mutants; takes minutes.")] = True,
    prove: Annotated[
        bool, typer.Option("--prove", help="Ask Z3 about the mutants that no vector catches; needs biriba[proofs].")
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """Measure how strong the vectors are.

    Which clauses they cite, which conditions of the guards they show to decide, and which mutants of the rules
    they catch. Exit code 1 if a mutant survives.
    """
    from biriba.conformance.strength.measure import measure
    from biriba.conformance.strength.score import Fate, fates, made
    from biriba.conformance.suite import load_suite

    suite = load_suite(common.load_rules(rules), forms=False)
    if prove:
        _needs_z3()
    found: list[Fate] = []
    if mutants:
        if sys.stderr.isatty():
            from rich.progress import Progress

            total = sum(not clause or mutant.clause in clause for mutant in made(rules))
            with Progress(console=console(stderr=True), transient=True) as progress:
                task = progress.add_task("mutants", total=total)
                found = fates(suite, jobs, clause or (), lambda fate: progress.advance(task), source=rules, prove=prove)
        else:
            found = fates(suite, jobs, clause or (), source=rules, prove=prove)
    measured = measure(suite, tuple(found), every=not clause)
    if as_json:
        emit_json(measured.to_json())
    else:
        for line in measured.lines():
            print(line)
    return OK if measured.ok else NO


def _needs_z3() -> None:
    from biriba.verify.z3api import MissingZ3, z3_version

    try:
        z3_version()
    except MissingZ3 as missing:
        raise BadInput(str(missing)) from None
