"""Commands for the authors of rule files: show, check, fmt, test."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from biriba.cli import common
from biriba.cli.common import BAD_INPUT, DEFAULT_RULES, NO, OK, BadInput, JsonOption, answers, emit_json
from biriba.count import counted

if TYPE_CHECKING:
    from biriba.interpreter.rules import Rules
    from biriba.language.diagnostics import Diagnostic, RulesError
    from biriba.language.source import Source
    from biriba.model.ruleset import Ruleset
    from biriba.scenario.scenario import Scenario
    from biriba.variants.rejudge import Inherited

TargetsArgument = Annotated[
    list[str], typer.Argument(metavar="RULES...", help="Rule sets by name, rule files, or folders of them.")
]
MOST_LOST = 5
"""Most examples that hold no longer of which `test` tells by name."""
RulesArgument = Annotated[str, typer.Argument(metavar="RULES", help="A rule set by name, or a rule file.")]


@answers
def show(
    rules: RulesArgument = DEFAULT_RULES,
    flat: Annotated[bool, typer.Option("--flat", help="Print one rule file that extends no other.")] = False,
    clause: Annotated[str | None, typer.Option(metavar="ID", help="Show one clause, with its source text.")] = None,
    as_json: JsonOption = False,
) -> int:
    """Print a rule set, inheritance resolved.

    Its parameters, and every clause with where it comes from; --clause shows one in full. With --json
    the whole typed model, for other programs.
    """
    from biriba.cli.export import flat_text, to_json

    loaded = common.load_rules(rules)
    model = loaded.ruleset
    if clause is not None:
        return _show_clause(loaded, clause, as_json=as_json)
    if as_json:
        emit_json(to_json(model))
    elif flat:
        print(flat_text(model), end="")
    else:
        _show_overview(loaded)
    return OK


def _show_clause(rules: Rules, clause_id: str, *, as_json: bool) -> int:
    from biriba.cli.export import to_json
    from biriba.suggest import did_you_mean

    clauses = rules.ruleset.clauses
    if clause_id not in clauses:
        hint = did_you_mean(clause_id, clauses) or f"`biriba show {rules.ruleset.name}` lists them"
        raise BadInput(f"{rules.ruleset.name} has no clause '{clause_id}'; {hint}")
    clause = clauses[clause_id]
    if as_json:
        emit_json(to_json(clause) | {"sentence": rules.sentence(clause_id), "because": rules.reason(clause_id)})
        return OK
    print(f"{clause.id}  ({clause.origin}, {clause.span})")
    print(f"  {rules.sentence(clause_id)}")
    if clause.cites:
        print(f"  sources: {', '.join(map(str, clause.cites))}")
    if clause.because:
        print(f"  a ruling, because {rules.reason(clause_id)}")
    print(f"\n{clause.source.strip()}")
    return OK


def _show_overview(rules: Rules) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    model = rules.ruleset
    out = common.console()
    out.print(f"[bold]{model.name}[/bold] {model.version}: {model.title}")
    if model.parents:
        out.print(f"extends {', '.join(model.parents)}")
    for source in model.sources.values():
        out.print(f"source {source.id}: {source.file}")
    out.print(f"digest {model.digest}")

    parameters = Table("parameter", "value", "may be", "what it is", box=box.SIMPLE_HEAD)
    for parameter in model.parameters.values():
        if parameter.options:
            allowed = ", ".join(parameter.options)
        elif parameter.low is not None:
            allowed = f"{parameter.low}..{'' if parameter.high is None else parameter.high}"
        else:
            allowed = "yes, no" if isinstance(parameter.value, bool) else ""
        parameters.add_row(parameter.name, Text(_parameter_value(parameter.value)), allowed, Text(parameter.text))
    out.print(parameters)

    clauses = Table("clause", "what it says", "from", box=box.SIMPLE_HEAD)
    for clause in model.clauses.values():
        origin = ", ".join(map(str, clause.cites)) or "ruling"
        clauses.add_row(clause.id, Text(rules.sentence(clause.id)), Text(origin, style="dim"))
    out.print(clauses)


def _parameter_value(value: int | bool | str) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


@answers
def check(
    rules: TargetsArgument,
    strict: Annotated[bool, typer.Option("--strict", help="Count warnings as errors.")] = False,
    deals: Annotated[
        int | None,
        typer.Option(
            min=0, max=100000, metavar="N", help="Deals of random play that must keep all invariants; by default a few."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Report all that is wrong with rule files.

    Errors, and warnings about what is probably not meant; exit code 1 if there are errors. Examples are
    counted, not run: that is for `biriba test`. A few deals are played at random, or as many as you like.
    """
    from biriba.language.diagnostics import RulesError, render
    from biriba.language.load import compile_rules
    from biriba.language.parser import parse
    from biriba.variants.trial import TRIED
    from biriba.variants.untrue import untrue

    reports: list[dict[str, Any]] = []
    unreadable: list[RulesError] = []

    def report(file: str, summary: str, found: Sequence[Diagnostic], sources: dict[str, Source]) -> None:
        bad = any(strict or d.severity == "error" for d in found)
        reports.append({"file": file, "ok": not bad, "diagnostics": [_diagnostic(d) for d in found]})
        if not as_json:
            if found:
                print(render(found, sources, color=_coloured()), end="\n\n")
            print(f"{file}: {'ok, ' if not bad else ''}{summary}")

    for source in _sources(rules, unreadable):
        try:
            if _is_part(source):
                parse(source)
                report(source.name, "a part; what it means is checked in the rule sets that take it in", (), {})
            else:
                model, found = compile_rules(source)
                found = (*found, *untrue(model, source, TRIED if deals is None else deals))
                report(source.name, _summary(model), found, _with_files(found, {source.name: source}))
        except RulesError as error:
            report(source.name, "cannot be used", error.diagnostics, dict(error.sources))
    for failure in unreadable:
        report(failure.diagnostics[0].span.file, "cannot be read", failure.diagnostics, dict(failure.sources))
    if as_json:
        emit_json(reports)
    if unreadable:
        return BAD_INPUT
    return OK if all(each["ok"] for each in reports) else NO


def _summary(model: Ruleset) -> str:
    examples = len(list(model.own_examples()))
    counts = f"{len(model.clauses)} clauses, {len(model.parameters)} parameters"
    own = f"{counted(examples, 'example')} for `biriba test`"
    return f"{model.name} {model.version}, {counts}, {own}"


def _is_part(source: Source) -> bool:
    """Whether a file is a part of rule sets, which cannot be compiled by itself."""
    lines = (line.strip() for line in source.text.splitlines())
    first = next((line for line in lines if line and not line.startswith("#")), "")
    return first.split()[:1] == ["part"]


def _with_files(found: tuple[Diagnostic, ...], sources: dict[str, Source]) -> dict[str, Source]:
    """The sources with those of the parents that a warning speaks of."""
    from biriba.language.source import read_source

    named = {d.span.file for d in found if d.span.file} - sources.keys()
    return sources | {name: read_source(name) for name in named}


def _diagnostic(diagnostic: Diagnostic) -> dict[str, Any]:
    span = diagnostic.span
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def _coloured() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


@answers
def fmt(
    rules: TargetsArgument,
    check: Annotated[bool, typer.Option("--check", help="Change nothing; exit code 1 if something would.")] = False,
    as_json: JsonOption = False,
) -> int:
    """Bring rule files into the standard layout.

    Comments stay. With - for a file the text comes from standard input and goes to standard output.
    """
    from biriba.language.formatter import format_source

    if rules == ["-"]:
        from biriba.language.source import Source

        text = common.read_text("-", "rule file")
        formatted = format_source(Source("standard input", text))
        if not check:
            print(formatted, end="")
        return NO if check and formatted != text else OK
    changed = []
    for source in _sources(rules):
        formatted = format_source(source)
        if formatted != source.text:
            changed.append(source.name)
            if not check:
                common.write_text(Path(source.name), formatted)
            if not as_json:
                print(f"{source.name}: {'would be changed' if check else 'changed'}")
    if as_json:
        emit_json({"changed": changed, "written": not check})
    return NO if check and changed else OK


def _sources(targets: list[str], unreadable: list[RulesError] | None = None) -> Iterator[Source]:
    """The rule files that names, files and folders stand for, each once.

    Args:
        unreadable: takes the errors of the files in a folder that cannot be read; without it, the first is raised.

    Errors: `BadInput` for a folder without rule files; `RulesError` for a file that cannot be read.
    """
    from biriba.language.diagnostics import RulesError
    from biriba.language.load import SUFFIX, available, find_source
    from biriba.language.source import read_source

    seen = set()
    for target in targets:
        path = Path(target)
        if target in available():
            sources = [find_source(target)]  # even if there is a folder of that name, such as a checkout of biriba
        elif path.is_dir():
            files, sources = sorted(path.rglob(f"*{SUFFIX}")), []
            for file in files:
                try:
                    sources.append(read_source(file))
                except RulesError as error:
                    if unreadable is None:
                        raise
                    unreadable.append(error)
            if not files:
                raise BadInput(f"{target}: no rule files (*{SUFFIX}) in this folder")
        else:
            sources = [read_source(path) if path.is_file() else find_source(target)]
        for source in sources:
            if source.name not in seen:
                seen.add(source.name)
                yield source


@answers
def run_tests(
    rules: Annotated[
        list[str] | None,
        typer.Argument(metavar="RULES...", help="Rule sets by name, rule files, or folders of them (biriba)."),
    ] = None,
    vectors: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH", help="Test these too: vectors, catalogues of examples, or folders of them."),
    ] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the examples as vectors into this folder.")
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Run a rule set's examples and vectors.

    Those that stand in its files, those that come with biriba, and those of --vectors. Exit code 1 if
    the rules do not do what one of them says. Examples of clauses that a rule set inherits were written
    for others: it is told which of them hold no longer, and they do not count.
    """
    from biriba.scenario.run import run

    reports: list[dict[str, Any]] = []
    for source in _sources(rules or [DEFAULT_RULES]):
        if _is_part(source):
            continue
        loaded = common.load_rules(source.name)
        outcomes = [run(scenario, loaded) for scenario in _scenarios(loaded, vectors or [])]
        failed = [outcome for outcome in outcomes if not outcome.passed]
        if save is not None and not failed:
            _save(loaded, save)
        name, passed = loaded.ruleset.name, len(outcomes) - len(failed)
        told = [{"id": outcome.scenario.id, "report": str(outcome)} for outcome in failed]
        inherited, lost = _inherited(loaded, source)
        reports.append(
            {
                "rules": name,
                "passed": passed,
                "failed": told,
                "inherited": inherited,
                "hold_no_longer": [{"clause": of.clause, "title": of.title, "changed": of.changed} for of in lost],
            }
        )
        if not as_json:
            for outcome in failed:
                print(outcome)
            print(
                f"{name}: {passed} of {len(outcomes)} examples and vectors passed." if outcomes else _no_example(name)
            )
            if inherited:
                print("\n".join(_inherited_lines(_called(name, source), inherited, lost)))
    if as_json:
        emit_json(reports)
    return NO if any(report["failed"] for report in reports) else OK


def _no_example(name: str) -> str:
    return f"{name}: no examples yet. Show by one, below each clause that you write, what it allows and forbids."


def _save(rules: Rules, folder: Path) -> None:
    """Write the vectors of a rule set's own examples."""
    from biriba.variants.vectors import of_examples

    common.write_vectors(folder, of_examples(rules))


def _inherited(rules: Rules, source: Source) -> tuple[int, list[Inherited]]:
    """How many examples a rule set inherits, and those that do not hold in it."""
    from biriba.language.load import compile_rules, find_parent
    from biriba.variants.rejudge import inherited

    parents = rules.ruleset.parents
    parent = find_parent(parents[0], source) if parents else None
    return (0, []) if parent is None else inherited(rules, compile_rules(parent)[0])


def _called(name: str, source: Source) -> str:
    """How a command is told which rule set is meant: by name if it comes with biriba, else by its file."""
    from biriba.language.load import available

    return name if str(available().get(name)) == source.name else source.name


def _inherited_lines(rules: str, count: int, lost: list[Inherited]) -> Iterator[str]:
    """What became of the examples of other rule sets, which need not hold in one that changes what they rest on."""
    yield f"  Of {count} examples of inherited clauses, {count - len(lost)} hold here too."
    for of in lost[:MOST_LOST]:
        why = f" ({', '.join(of.changed)} here)" if of.changed else ""
        yield f'  holds no longer: {of.clause} "{of.title}"{why}'
    if len(lost) > MOST_LOST:
        yield f"  and {len(lost) - MOST_LOST} more"
    if lost:
        yield f"  That is no fault: they were written for other rules. `biriba rejudge {rules}` tells what differs."


def _scenarios(rules: Rules, paths: list[str]) -> list[Scenario]:
    """The examples of a rule set, its vectors among those that come with biriba, and those of the paths.

    Errors: `BadInput`, `ScenarioError`.
    """
    from biriba.data import conformance_dir
    from biriba.scenario import examples, vectors

    found = examples.spec_examples(rules)
    for target in [
        conformance_dir() / "vectors",
        conformance_dir() / "variants",
        conformance_dir() / "played",
        *map(Path, paths),
    ]:
        if not target.exists():
            raise BadInput(f"{target}: there is no such file or folder")
        files = sorted(p for p in target.rglob("*") if p.is_file()) if target.is_dir() else [target]
        for file in files:
            if file.suffix == vectors.SUFFIX:
                scenario = vectors.load_vector(file)
                if rules.ruleset.name in dict(scenario.rulesets):
                    found.append(scenario)
            elif file.suffix == examples.SUFFIX:
                found += examples.read_catalogue(rules, file)
            elif file == target:
                raise BadInput(f"{file}: neither vectors ({vectors.SUFFIX}) nor examples ({examples.SUFFIX})")
    return found
