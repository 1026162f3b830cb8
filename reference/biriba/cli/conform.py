"""Commands that test implementations: conform, with compare, verify and new."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from biriba.cli import common
from biriba.cli.common import (
    DEFAULT_RULES,
    NO,
    OK,
    UNKNOWN,
    BadInput,
    Command,
    RulesOption,
    answers,
    console,
    emit_json,
    write_text,
)
from biriba.count import counted

if TYPE_CHECKING:
    from biriba.conformance.harness import Options
    from biriba.conformance.results import Report, Result
    from biriba.conformance.suite import Suite
    from biriba.scenario.scenario import Scenario

MOST_FAILURES = 20
"""So many failures are shown in full on a terminal; a report has them all."""


class _RunByDefault(TyperGroup):
    """A group whose first command is meant where none is named: `biriba conform -- node adapter.js`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args or args[0] not in (*self.commands, "--help", "-h"):
            args = ["run", *args]
        rest: list[str] = super().parse_args(ctx, args)
        return rest


app = typer.Typer(
    name="conform",
    cls=_RunByDefault,
    help="Test an implementation: biriba conform -- COMMAND, which speaks the protocol (see new).",
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)

AdapterArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="-- COMMAND...", help="The program that speaks the protocol, with its arguments."),
]
OnlyOption = Annotated[list[str] | None, typer.Option(metavar="ID", help="Only these vectors: an id, or packet/*.")]
LevelOption = Annotated[list[str] | None, typer.Option(metavar="LEVEL", help="Only vectors of these levels.")]
ClauseOption = Annotated[list[str] | None, typer.Option(metavar="ID", help="Only vectors that test these clauses.")]
FolderOption = Annotated[
    Path | None, typer.Option("--vectors", metavar="DIR", help="A folder of vectors other than the catalogue.")
]
TIMEOUT, STARTUP = 10.0, 20.0
TimeoutOption = Annotated[float, typer.Option("--timeout", min=0.01, help="Seconds for the answers to one vector.")]
StartupOption = Annotated[float, typer.Option("--startup", min=0.01, help="Seconds to start and say who it is.")]


@app.command("run", cls=Command)
@answers
def run(
    adapter: AdapterArgument = None,
    rules: RulesOption = DEFAULT_RULES,
    reference: Annotated[bool, typer.Option("--self", help="Test the reference interpreter itself.")] = False,
    only: OnlyOption = None,
    level: LevelOption = None,
    clause: ClauseOption = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=64, help="Processes of the implementation.")] = 1,
    fail_fast: Annotated[bool, typer.Option("--fail-fast", "-x", help="Stop at the first failure.")] = False,
    known_failures: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Ids of vectors that fail; one that passes is an error.")
    ] = None,
    smoke: Annotated[bool, typer.Option("--smoke", help="Only see whether the adapter speaks the protocol.")] = False,
    timeout: TimeoutOption = TIMEOUT,
    startup: StartupOption = STARTUP,
    vectors: FolderOption = None,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the report as JSON.")] = None,
    junit_file: Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML.")] = None,
    html_file: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write a page to look at.")] = None,
    badge_file: Annotated[Path | None, typer.Option("--badge", metavar="FILE", help="Write a badge (SVG).")] = None,
    claim_file: Annotated[
        Path | None, typer.Option("--claim", metavar="FILE", help="Write a claim that others can verify.")
    ] = None,
) -> int:
    """Put the vectors to an implementation, and report what it gets wrong.

    Exit code 0 if nothing it claims to be able to do is wrong, 1 if something is or it does not start, 4 if nothing
    was tested because all vectors were skipped or not covered.
    """
    from biriba.conformance.harness import Options
    from biriba.conformance.known import read_known
    from biriba.conformance.suite import load_suite

    command = _command(adapter, rules, reference=reference)
    files = [path for path in (json_file, junit_file, html_file, badge_file, claim_file) if path]
    if smoke:
        if files:
            raise BadInput("--smoke puts no vectors to the adapter, so that there is nothing to report")
        return _smoke(command, timeout, startup)
    for path in files:
        common.check_writable(path)
    if claim_file and (only or level or clause or fail_fast):
        raise BadInput("a claim is of the whole suite: no --only, --level, --clause or --fail-fast goes with --claim")
    suite = load_suite(common.load_rules(rules), vectors)
    chosen = suite.chosen(only or (), level or (), clause or ())
    if not chosen:
        raise BadInput(_none_chosen(suite, rules, vectors))
    if vectors is not None:
        suite.check(chosen, vectors)
    ids = [scenario.id for scenario in suite.scenarios]
    known = read_known(known_failures, common.read_file(known_failures, "list"), ids) if known_failures else frozenset()
    told = {name: value for name, value in (("only", only), ("level", level), ("clause", clause)) if value}
    again = again_options(rules, vectors, timeout, startup)
    options = Options(timeout, startup, jobs, fail_fast, known, told, again)
    for name, unknown in suite.unknown.items():
        print(f"warning: {name} cites {', '.join(unknown)}, which these rules do not have", file=sys.stderr)
    for name, changed in suite.stale.items():
        print(f"warning: {name} was written before the clause {', '.join(changed)} changed", file=sys.stderr)
    report = _with_progress(command, suite, chosen, options)
    _print_report(report, suite)
    _write(report, suite, json_file, junit_file, html_file, badge_file, claim_file)
    return _code(report)


def again_options(rules: str, vectors: Path | None, timeout: float, startup: float) -> tuple[str, ...]:
    """The options with which a vector is found and asked again, without those that have their usual values."""
    given = {"--rules": rules, "--vectors": vectors, "--timeout": timeout, "--startup": startup}
    usual = {"--rules": DEFAULT_RULES, "--vectors": None, "--timeout": TIMEOUT, "--startup": STARTUP}
    return tuple(word for name, value in given.items() if value != usual[name] for word in (name, str(value)))


def _none_chosen(suite: Suite, rules: str, folder: Path | None) -> str:
    """Why there is nothing to run."""
    from biriba.conformance.suite import read_vectors

    if suite.scenarios:
        return f"no vector of {rules} is of all that was asked for"
    every = read_vectors(folder)
    others = sorted({" ".join(ruleset) for scenario in every for ruleset in scenario.rulesets})
    which = " or ".join(others[:4]) + (" …" if len(others) > 4 else "")
    there = f"there {'is 1' if len(every) == 1 else f'are {len(every)}'}, for {which}"
    none = f"no vector here is for {' '.join(suite.ruleset)}; {there}"
    if folder is not None:
        return none
    saved = f"biriba test {shlex.quote(rules)} --save DIR"
    return f"{none}\n  hint: `{saved}` writes the examples of these rules as vectors, and --vectors DIR takes them"


def _code(report: Report) -> int:
    """The exit code of a run."""
    if report.complaint or report.tested or report.stale_known:
        return OK if report.ok else NO
    print("nothing was tested: every vector was skipped or is not covered", file=sys.stderr)
    return UNKNOWN


def _command(adapter: list[str] | None, rules: str, *, reference: bool) -> list[str]:
    if reference and not adapter:
        return [sys.executable, "-m", "biriba.conformance.adapter", rules]
    if not adapter or reference:
        raise BadInput(
            "say what to test: biriba conform -- COMMAND (or --self for the reference itself); "
            "`biriba conform new --help` tells how to write an adapter"
        )
    return adapter


def _with_progress(command: list[str], suite: Suite, chosen: list[Scenario], options: Options) -> Report:
    """Run the vectors, with a bar that goes on if somebody is looking."""
    from biriba.conformance.harness import conform

    if not sys.stderr.isatty():
        return conform(command, suite, chosen, options)
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as progress:
        task = progress.add_task("vectors", total=len(chosen))
        bad = 0

        def step(result: Result) -> None:
            nonlocal bad
            bad += result.bad
            progress.update(task, advance=1, description=f"vectors, {bad} wrong" if bad else "vectors")

        return conform(command, suite, chosen, options, step)


def _print_report(report: Report, suite: Suite) -> None:
    from biriba.conformance.words import failure, summary

    if report.complaint:
        print(f"error: {report.complaint}", file=sys.stderr)
        return
    shown = [result for result in report.results if result.bad and not result.known]
    for result in shown[:MOST_FAILURES]:
        for line in failure(result, report, suite):
            common.say(suite.rules, line)
        print()
    if len(shown) > MOST_FAILURES:
        print(f"… and {len(shown) - MOST_FAILURES} more; --html FILE or --json FILE writes them all\n")
    for line in summary(report):
        print(line)


def _write(
    report: Report,
    suite: Suite,
    json_file: Path | None,
    junit_file: Path | None,
    html_file: Path | None,
    badge_file: Path | None,
    claim_file: Path | None,
) -> None:
    import json

    from biriba.conformance.badge import badge
    from biriba.conformance.claim import claim
    from biriba.conformance.junit import junit
    from biriba.conformance.page import page

    if json_file:
        write_text(json_file, json.dumps(report.to_json(), ensure_ascii=False, indent=1) + "\n")
    if junit_file:
        write_text(junit_file, junit(report, suite))
    if html_file:
        write_text(html_file, page(report, suite))
    if badge_file:
        write_text(badge_file, badge(report))
    if claim_file:
        try:
            document = claim(report)
        except ValueError as error:
            raise BadInput(f"no claim was written: {error}") from None
        write_text(claim_file, json.dumps(document, ensure_ascii=False, indent=1) + "\n")


def _smoke(command: list[str], timeout: float, startup: float) -> int:
    from biriba.conformance.smoke import smoke

    ok = True
    for check in smoke(command, timeout, startup):
        print(f"{'ok   ' if check.passed else 'FAULT'}  {check.what}")
        if not check.passed:
            ok = False
            print(f"       {check.told}")
    print("the adapter speaks the protocol" if ok else "the fault is in the adapter, not in the game behind it")
    return OK if ok else NO


@app.command("list", cls=Command)
@answers
def list_vectors(
    rules: RulesOption = DEFAULT_RULES,
    only: OnlyOption = None,
    level: LevelOption = None,
    clause: ClauseOption = None,
    counts: Annotated[bool, typer.Option("--counts", help="Only how many there are, by level and by origin.")] = False,
    vectors: FolderOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Answer in JSON, for programs.")] = False,
) -> int:
    """List the vectors, each with what it shows."""
    from collections import Counter

    from biriba.conformance.suite import load_suite

    suite = load_suite(common.load_rules(rules), vectors)
    chosen = suite.chosen(only or (), level or (), clause or ())
    levels = Counter(scenario.level for scenario in chosen)
    kinds = Counter(scenario.provenance.kind for scenario in chosen)
    if as_json:
        told = [
            {"id": s.id, "title": s.title, "level": s.level, "clauses": list(s.clauses), "kind": s.provenance.kind}
            for s in chosen
        ]
        emit_json({"suite": suite.identity, "levels": levels, "kinds": kinds, "vectors": told})
        return OK
    for scenario in () if counts else chosen:
        common.say(suite.rules, f"{scenario.level:<8} {scenario.id}: {scenario.title}")
    print(counted(len(chosen), "vector"))
    print(f"  by level:  {', '.join(f'{n} {name}' for name, n in levels.most_common())}")
    print(f"  by origin: {', '.join(f'{n} {name}' for name, n in kinds.most_common())}")
    return OK


@app.command("compare", cls=Command)
@answers
def compare(
    reports: Annotated[list[Path], typer.Argument(metavar="REPORT...", help="Reports that --json has written.")],
    every: Annotated[
        bool, typer.Option("--all", help="Show all vectors, not only those that some have got wrong.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Answer in JSON, for programs.")] = False,
) -> int:
    """Show several implementations side by side."""
    from biriba.conformance import matrix
    from biriba.conformance.results import read_report
    from biriba.notation import decode

    read = []
    for path in reports:
        with common.stating(str(path)):
            read.append(read_report(decode(common.read_file(path, "report"))))
    try:
        matrix.check(read)
    except matrix.DifferentSuites as error:
        raise BadInput(str(error)) from None
    names = matrix.names(read)
    rows = list(matrix.rows(read, differing=not every))
    if as_json:
        levels = {level: dict(zip(names, of, strict=True)) for level, of in matrix.levels(read)}
        vectors = {name: dict(zip(names, of, strict=True)) for name, of in rows}
        emit_json({"implementations": names, "levels": levels, "vectors": vectors})
        return OK
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("", overflow="fold")
    for name in names:
        table.add_column(name, overflow="fold")
    for level, fractions in matrix.levels(read):
        table.add_row(level, *fractions)
    table.add_section()
    for name, verdicts in rows:
        table.add_row(name, *(matrix.SIGNS[verdict] for verdict in verdicts))
    console(whole=True).print(table)
    print("  ".join(f"{sign} {verdict}" for verdict, sign in matrix.SIGNS.items()))
    return OK


@app.command("verify", cls=Command)
@answers
def verify(
    claim: Annotated[Path, typer.Argument(metavar="CLAIM", help="A file that --claim has written.")],
    adapter: AdapterArgument = None,
    rules: Annotated[
        str | None, typer.Option("--rules", metavar="NAME|PATH", help="The file of the rule set that is claimed.")
    ] = None,
    vectors: FolderOption = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=64)] = 1,
    timeout: TimeoutOption = TIMEOUT,
    startup: StartupOption = STARTUP,
) -> int:
    """Run an implementation again and see whether its claim is borne out.

    The command and the rule set are those of the claim, unless others are given. Exit code 1 if it is not.
    """
    from biriba.conformance.claim import differences, read_claim
    from biriba.conformance.harness import Options, conform
    from biriba.conformance.suite import load_suite
    from biriba.notation import decode

    with common.stating(str(claim)):
        claimed = read_claim(decode(common.read_file(claim, "claim")))
    command = list(adapter or claimed.command)
    print(f"starting {shlex.join(command)}", file=sys.stderr)
    suite = load_suite(common.load_rules(rules or claimed.ruleset), vectors)
    report = conform(command, suite, None, Options(timeout, startup, jobs))
    if report.complaint:
        print(f"error: {report.complaint}", file=sys.stderr)
        return NO
    found = list(differences(claimed, report))
    for line in found:
        print(f"not borne out: {line}")
    if not found:
        counts = claimed.document["counts"]
        print(f"borne out: {counts['passed']}/{counts['vectors']} vectors passed")
    return NO if found else OK


@app.command("new", cls=Command)
@answers
def new(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that does not exist yet.")],
    lang: Annotated[
        str, typer.Option("--lang", metavar="LANG", help="python, javascript, typescript, java or csharp.")
    ] = "python",
) -> int:
    """Write an adapter to begin with, and a self-check for it."""
    from biriba.conformance.starter import LANGUAGES, write_starter

    if lang not in LANGUAGES:
        raise BadInput(f"there is no starter for '{lang}'; there is one for {', '.join(LANGUAGES)}")
    if folder.exists():
        raise BadInput(f"{folder}: is there already")
    for line in write_starter(folder, lang):
        print(line)
    return OK
