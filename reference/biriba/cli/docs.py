"""`biriba docs`: a site, a print, a PDF or an EPUB of any rule files; and the catalogues of translations."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from biriba.cli.common import DEFAULT_RULES, NO, OK, BadInput, Command, answers, emit_json

app = typer.Typer(no_args_is_help=True, help="Publish rules: as a site, on paper, in other languages.")


@app.command("build", cls=Command)
@answers
def build(
    rules: Annotated[
        list[str] | None,
        typer.Argument(metavar="[RULES]...", help="Rule sets, the main one first: names or files."),
    ] = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder for what is built.")] = Path("rulebook"),
    lang: Annotated[
        list[str] | None, typer.Option("--lang", "-l", help="A language: en, el, ru, fr or pt. May be given again.")
    ] = None,
    format_: Annotated[
        str, typer.Option("--format", "-f", help="html (a site), print (one page), pdf or epub.")
    ] = "html",
) -> int:
    """Build the published rules of rule sets."""
    _require("sphinx", "docs")
    from biriba.prose.catalogue import BASE
    from biriba.sphinx.site import FORMATS, BuildFailed, Order
    from biriba.sphinx.site import build as build_site

    if format_ not in FORMATS:
        raise BadInput(f"there is no format '{format_}': it is one of {', '.join(FORMATS)}")
    if format_ == "pdf":
        _require("weasyprint", "pdf")
    names = rules or [DEFAULT_RULES]
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        raise BadInput(f"{twice} is named twice; other rule sets beside the main one are compared with it")
    _check_folder(out)
    languages = _languages(lang) or (BASE,)
    for language in languages:
        folder = out if len(languages) == 1 else out / language
        others = {other: f"../{other}/" for other in languages if other != language}
        try:
            print(build_site(Order(tuple(names), folder, language, format_, others), _told))
        except BuildFailed as error:
            raise BadInput(f"the pages could not be built:\n{error}") from None
    return OK


@app.command("site", cls=Command)
@answers
def site(
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder for the site.")] = Path("docs/_build"),
    lang: Annotated[
        list[str] | None, typer.Option("--lang", "-l", help="A language, by default all. May be given again.")
    ] = None,
) -> int:
    """Build biriba's own site in all its languages; in a checkout of its repository."""
    _require("sphinx", "docs")
    from biriba.prose.catalogue import LANGUAGES
    from biriba.sphinx.site import BuildFailed, build_own

    _check_folder(out)
    try:
        print(build_own(out, _languages(lang) or tuple(LANGUAGES), _told))
    except BuildFailed as error:
        raise BadInput(f"the pages could not be built:\n{error}") from None
    return OK


def _check_folder(out: Path) -> None:
    """Errors: `BadInput` if there is something else where a folder is to be."""
    if out.exists() and not out.is_dir():
        raise BadInput(f"{out} is a file; --out names the folder for what is built")


@app.command("bundle", cls=Command)
@answers
def bundle(
    rules: Annotated[str, typer.Argument(metavar="[RULES]", help="A rule set: a name or a file.")] = DEFAULT_RULES,
) -> int:
    """Print all clauses of a rule set as JSON, to publish them with other tools."""
    from biriba.cache import cached_ruleset
    from biriba.prose.bundle import bundle as all_clauses

    emit_json(all_clauses(cached_ruleset(rules)))
    return OK


@app.command("mutants", cls=Command)
@answers
def mutants(
    rules: Annotated[str, typer.Argument(metavar="[RULES]", help="A rule set: a name or a file.")] = DEFAULT_RULES,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=64, help="Processes at a time.")] = 1,
) -> int:
    """Print which mutants of each clause the vectors catch, as evidence for the clauses' pages; takes minutes."""
    from biriba.cli.common import load_rules
    from biriba.conformance.strength.score import fates
    from biriba.conformance.suite import load_suite
    from biriba.model.meaning import meaning
    from biriba.prose.evidence import mutants_evidence

    suite = load_suite(load_rules(rules), forms=False)
    found = [(fate.clause, fate.name, fate.fate, fate.by) for fate in fates(suite, jobs)]
    emit_json(mutants_evidence(meaning(suite.rules.ruleset), found))
    return OK


@app.command("verdicts", cls=Command)
@answers
def verdicts(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Rule sets to prove anew.")] = None,
    timeout: Annotated[
        float, typer.Option(min=0.001, help="Seconds of processor time for one question to the solver.")
    ] = 60.0,
    folder: Annotated[Path, typer.Option("--docs", help="The folder of the documentation.")] = Path("docs"),
) -> int:
    """Prove rule sets, and write the page that says what is proved of each; a minute or more for each of them.

    Without names nothing is proved anew: the page is written from the evidence that there is.
    """
    import json
    import time

    from biriba.cache import cached_ruleset
    from biriba.cli.common import load_rules, write_text
    from biriba.model.meaning import meaning
    from biriba.verify.run import Options
    from biriba.verify.run import verify as run
    from biriba.verify.table import figures, page
    from biriba.verify.z3api import MissingZ3

    kept = folder / "evidence" / "verdicts.json"
    evidence = json.loads(kept.read_text(encoding="utf-8")) if kept.is_file() else {}
    kept.parent.mkdir(parents=True, exist_ok=True)
    for name in names or ():
        ruleset, begun = load_rules(name).ruleset, time.process_time()
        try:
            report = run(ruleset, Options(timeout, jobs=1, remember=False))
        except MissingZ3 as missing:
            raise BadInput(str(missing)) from None
        evidence[ruleset.name] = figures(report, timeout, time.process_time() - begun)
        write_text(kept, json.dumps(dict(sorted(evidence.items())), ensure_ascii=False, indent=1) + "\n")
        print(f"{ruleset.name}: {evidence[ruleset.name]['counts']}")
    meanings = {name: meaning(cached_ruleset(name)) for name in (DEFAULT_RULES, *_variants())}
    write_text(folder / "verdicts.md", page(evidence, meanings))
    return OK


@app.command("history", cls=Command)
@answers
def tell_history(
    rules: Annotated[str, typer.Argument(metavar="[RULES]", help="A rule set: a name or a file.")] = DEFAULT_RULES,
    record_it: Annotated[bool, typer.Option("--record", help="Record what the clauses say in this version.")] = False,
) -> int:
    """Find clauses that have changed since the version last recorded, and of which the history says nothing."""
    from biriba.cache import cached_ruleset
    from biriba.prose.history import record, unrecorded

    ruleset = cached_ruleset(rules)
    try:
        if record_it:
            print(record(ruleset))
            return OK
        faults = unrecorded(ruleset)
    except ValueError as error:
        raise BadInput(str(error)) from None
    for fault in faults:
        print(fault)
    return NO if faults else OK


@app.command("catalogue", cls=Command)
@answers
def catalogue(
    languages: Annotated[list[str], typer.Argument(metavar="LANGUAGE...", help="el, ru, fr, pt.")],
    rules: Annotated[
        list[str] | None,
        typer.Option("--rules", "-r", metavar="NAME|PATH", help="Rule sets; by default all of ours."),
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--folder", help="Where the catalogues lie; by default those that come with biriba.")
    ] = None,
    write: Annotated[bool, typer.Option("--write", help="Bring the catalogues up to date with the rules.")] = False,
) -> int:
    """Count what is not translated, and check that every translation has the holes of its sentence."""
    _require("babel", "docs")
    from biriba.cache import cached_ruleset
    from biriba.data import spec_dir
    from biriba.prose.catalogue import faults, load, messages, missing, write_template

    rule_sets = [cached_ruleset(name) for name in rules or [DEFAULT_RULES, *_variants()]]
    place = folder or spec_dir() / "translations"
    code = OK
    for language in languages:
        if write:
            write_template(rule_sets, language, place / f"{language}.po")
        found = load(language, place)
        wrong = [fault for ruleset in rule_sets for fault in faults(ruleset, found)]
        for fault in wrong:
            print(fault)
            code = NO
        total = len({message for ruleset in rule_sets for message in messages(ruleset)})
        lacking = len({message for ruleset in rule_sets for message in missing(ruleset, found)})
        print(f"{language}: {total - lacking} of {total} translated, {lacking} missing")
    return code


def _told(line: str) -> None:
    print(line, file=sys.stderr)


def _languages(named: list[str] | None) -> tuple[str, ...]:
    from biriba.prose.catalogue import LANGUAGES

    for language in named or ():
        if language not in LANGUAGES:
            raise BadInput(f"there is no language '{language}': it is one of {', '.join(LANGUAGES)}")
    return tuple(dict.fromkeys(named or ()))


def _variants() -> list[str]:
    from biriba.data import spec_dir

    return sorted(path.stem for path in (spec_dir() / "variants").glob("*.rules"))


def _require(module: str, extra: str) -> None:
    from importlib.util import find_spec

    if find_spec(module) is None:
        raise BadInput(f"this needs {module}: pip install 'biriba[{extra}]', in a checkout '.[{extra}]'")
