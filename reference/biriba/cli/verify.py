"""The command `biriba verify`: what can be proved about a rule set."""

from __future__ import annotations

import sys
import time
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from biriba.cli import common
from biriba.cli.common import DEFAULT_RULES, BadInput, JsonOption, answers, emit_json

if TYPE_CHECKING:
    from biriba.interpreter.rules import Rules
    from biriba.verify.run import Report
    from biriba.verify.verdicts import Result, Witness

STYLES = {"proved": "green", "refuted": "bold red", "unknown": "yellow", "noted": "cyan"}


@answers
def verify(
    rules: Annotated[str, typer.Argument(metavar="RULES", help="A rule set by name, or a rule file.")] = DEFAULT_RULES,
    only: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this part, clause, action or group; may be repeated.")
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=0.001, help="Seconds of processor time for one question to the solver.")
    ] = 60.0,
    jobs: Annotated[int, typer.Option(min=0, help="Processes side by side; 0 means one for each processor.")] = 0,
    first: Annotated[bool, typer.Option("--first", help="Stop at the first refutation.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Prove everything anew, whatever was proved before.")] = False,
    against: Annotated[
        str | None, typer.Option(metavar="RULES", help="Compare with another rule set, action by action.")
    ] = None,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write a JUnit report.")] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write what was found as vectors, one file each.")
    ] = None,
    table: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the summary as a Markdown table.")
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Prove what the rules claim, or show a position in which it fails.

    Exit code 0: everything is proved; 1: something is refuted; 4: something is unknown.
    """
    from biriba.verify.report import junit as to_junit
    from biriba.verify.report import markdown, to_json
    from biriba.verify.run import Options
    from biriba.verify.run import verify as run
    from biriba.verify.z3api import MissingZ3

    loaded = common.load_rules(rules)
    options = Options(timeout, jobs, frozenset(only or ()), remember=not fresh, first=first)
    if against is not None:
        return _compare(loaded, common.load_rules(against), timeout, options.names, as_json=as_json)
    _check_names(loaded, options.names)
    begun = time.perf_counter()
    shown: set[Key] = set()
    try:
        report = run(loaded.ruleset, options, None if as_json else _progress(loaded, shown))
    except MissingZ3 as missing:
        raise BadInput(str(missing)) from None
    report.seconds = time.perf_counter() - begun
    if sys.stderr.isatty() and not as_json:
        print("\r\033[K", end="", file=sys.stderr)
    if junit is not None:
        common.write_text(junit, to_junit(report))
    if save is not None:
        _save(loaded, report, save)
    if table is not None:
        common.write_text(table, markdown(report) + "\n")
    if as_json:
        emit_json(to_json(report))
    else:
        for result in report.results:
            _show_once(loaded, result, shown)  # what is remembered was found without progress
        _show(loaded, report)
    return report.exit_code


def _save(rules: Rules, report: Report, folder: Path) -> None:
    import json

    from biriba.verify.vectors import vectors

    found = vectors(report, rules.ruleset)
    texts = {of["id"].replace("/", "."): json.dumps(of, ensure_ascii=False, indent=2) + "\n" for of in found}
    common.write_vectors(folder, texts)


def _compare(rules: Rules, other: Rules, timeout: float, names: frozenset[str], *, as_json: bool) -> int:
    from biriba.verify.compare import CALLED, compare, known_names
    from biriba.verify.z3api import MissingZ3

    neither = f"neither {rules.ruleset.name} nor {other.ruleset.name} has a part, clause, action or definition"
    _check(neither, names, known_names(rules.ruleset, other.ruleset), tuple(CALLED))
    told = None if as_json else lambda r: _show_compared(rules, r)
    try:
        results = compare(rules.ruleset, other.ruleset, timeout, told, names)
    except MissingZ3 as reason:
        raise BadInput(str(reason)) from None
    if as_json:
        emit_json([result.to_json() for result in results])
    if any(result.status == "unknown" for result in results):
        return 4
    return 0 if all(result.status == "proved" for result in results) else 1


def _show_compared(rules: Rules, result: Result) -> None:
    from rich.text import Text

    from biriba.verify.compare import ASIDE

    out = common.console()
    if result.group == ASIDE:
        out.print(Text.assemble((ASIDE, STYLES["unknown"]), f": {result.note}"))
        return
    says = {"proved": "they agree", "noted": "they differ", "unknown": "unknown"}[result.status]
    out.print(
        Text.assemble((says, STYLES[result.status]), f" on {result.about}{': ' if result.note else ''}{result.note}")
    )
    if result.witness is not None:
        _show_witness(rules, result.witness)


def _check_names(rules: Rules, names: frozenset[str]) -> None:
    from biriba.verify.run import PARTS

    known = [*PARTS, *rules.ruleset.clauses, *rules.ruleset.actions]
    _check(f"{rules.ruleset.name} has no part, clause or action", names, known, PARTS)


def _check(nobody_has: str, names: frozenset[str], known: Collection[str], parts: tuple[str, ...]) -> None:
    from biriba.suggest import did_you_mean

    for name in sorted(names):
        if name not in known:
            hint = did_you_mean(name, known) or f"parts are: {', '.join(parts)}"
            raise BadInput(f"{nobody_has} '{name}'; {hint}")


Key = tuple[str, str, str]


def _show_once(rules: Rules, result: Result, shown: set[Key]) -> None:
    """Show a refutation that has not been shown yet."""
    key = (result.group, result.subject, result.about)
    if result.status == "refuted" and key not in shown:
        shown.add(key)
        print("\r\033[K" if sys.stderr.isatty() else "", end="", file=sys.stderr)
        _show_refuted(rules, result)


def _progress(rules: Rules, shown: set[Key]):  # type: ignore[no-untyped-def]
    """Shows refutations as they come, and on a terminal how far the work is."""

    def told(done: int, of: int, results: list[Result]) -> None:
        for result in results:
            _show_once(rules, result, shown)
        if sys.stderr.isatty():
            print(f"\r\033[K{done} of {of}", end="", file=sys.stderr, flush=True)

    return told


def _show_refuted(rules: Rules, result: Result) -> None:
    from rich.text import Text

    out = common.console()
    out.print(Text.assemble((result.status, STYLES[result.status]), f" {result.group} {result.subject} {result.about}"))
    out.print(f"  {rules.sentence(result.subject)}" if result.subject in rules.ruleset.clauses else "")
    if result.note:
        out.print(f"  {result.note}")
    if result.witness is not None:
        _show_witness(rules, result.witness)


def _show_witness(rules: Rules, witness: Witness) -> None:
    from biriba.cli.paint import paint

    out = common.console()
    lines = [witness.position, *(f"-> {action}" for action in witness.actions)]
    if witness.after is not None:
        lines.append(f"=> {witness.after}")
    for line in lines:
        for i, part in enumerate(line.split("; ")):
            out.print(paint(rules.ruleset, ("    " if i == 0 else "      ") + part))
    if witness.shows:
        out.print(f"    the interpreter confirms: {', '.join(witness.shows)}")
    if witness.reachable:
        out.print(f"    {witness.reachable.splitlines()[0]}")
    if witness.deal is not None:
        out.print(paint(rules.ruleset, f"      dealer {witness.deal['dealer']}; deck {' '.join(witness.deal['deck'])}"))
        for action in witness.deal["actions"]:
            out.print(paint(rules.ruleset, f"      -> {action['text']}"))


def _show(rules: Rules, report: Report) -> None:
    from rich.text import Text

    from biriba.verify.report import ORDER, summary

    out = common.console()
    rows = summary(report)
    wide = [max((len(str(row[i])) for row in rows), default=0) for i in (0, 1)]
    head = f"{'property':{wide[0]}}  {'clause':{wide[1]}}  " + "  ".join(ORDER) + "  seconds"
    out.print(Text(head, "bold"))
    for group, subject, counts, seconds in rows:
        line = Text(f"{group:{wide[0]}}  {subject:{wide[1]}}")
        for status in ORDER:
            line.append(f"  {counts[status] or '':>{len(status)}}", STYLES[status])
        out.print(line.append(f"  {seconds:7.2f}"))
    print()
    for result in report.results:
        if result.status in ("unknown", "noted"):
            out.print(f"{result.status}: {result.group} {result.subject} {result.about}: {result.note}")
    total = ", ".join(f"{len(report.having(status))} {status}" for status in ORDER)
    out.print(
        f"{report.name} {report.version}: {total} in {report.seconds:.1f} s "
        f"({report.remembered} of {report.jobs} jobs remembered, Z3 {report.z3})"
    )
