"""Commands about families of rule sets: variants, diff, new, compat, rejudge."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from biriba.cli import common
from biriba.cli.common import DEFAULT_RULES, NO, OK, BadInput, JsonOption, answers, emit_json

if TYPE_CHECKING:
    from biriba.variants.compat import Bounds
    from biriba.variants.difference import Difference
    from biriba.variants.witness import Witness

RulesArgument = Annotated[str, typer.Argument(metavar="RULES", help="A rule set by name, or a rule file.")]
NARROWEST, WIDEST = 60, 140
MOST_LETTERS = 240
"""Of a line that was judged otherwise so much is shown."""


class Form(StrEnum):
    """How an answer is written."""

    TEXT = "text"
    JSON = "json"
    HTML = "html"


@answers
def variants(
    flat: Annotated[bool, typer.Option("--list", help="Names and titles only, one rule set a line.")] = False,
    as_json: JsonOption = False,
) -> int:
    """Show all rule sets that come with biriba, each under the one that it extends.

    With what it changes there: parts taken in, numbers set, clauses replaced, added and dropped.
    """
    from biriba.variants.family import family, tree

    members = family()
    if as_json:
        emit_json(
            [
                {
                    "name": m.name,
                    "title": m.rules.title,
                    "version": m.rules.version,
                    "extends": m.parent,
                    "with": list(m.rules.own_parts),
                    "differences": m.line,
                }
                for m in members.values()
            ]
        )
        return OK
    branches = list(tree(members))
    size = max(len(branch) + len(member.name) for branch, member in branches)
    for branch, member in branches:
        if flat:
            print(f"{member.name:{size}}  {member.rules.title}")
        else:
            print(f"{branch + member.name:{size}}  {member.line or member.rules.title}")
    return OK


@answers
def diff(
    old: Annotated[str, typer.Argument(metavar="A", help="A rule set by name, or a rule file.")],
    new: Annotated[str, typer.Argument(metavar="B", help="The one to compare it with.")],
    witness: Annotated[
        bool, typer.Option("--witness", help="Look for a small situation that shows each difference.")
    ] = False,
    form: Annotated[Form, typer.Option("--format", help="How to write it.")] = Form.TEXT,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to a file.")] = None,
) -> int:
    """Show how two rule sets differ, clause by clause.

    What each says in words and formally, side by side, with the numbers; exit code 1 if they differ.
    """
    from biriba.variants.difference import difference

    found = difference(common.load_rules(old), common.load_rules(new))
    shown: dict[str, Witness | None] = {}
    if witness:
        from biriba.variants.witness import witnesses

        shown = {change.clause: example for change, example in witnesses(found)}
    text = _written(found, shown, form)
    if output is None:
        print(text, end="")
    else:
        common.write_text(output, text)
    return NO if found.parameters or found.clauses else OK


def _written(found: Difference, shown: Mapping[str, Witness | None], form: Form) -> str:
    import json

    from biriba.variants import render

    match form:
        case Form.JSON:
            return json.dumps(render.as_data(found, shown), ensure_ascii=False, indent=2) + "\n"
        case Form.HTML:
            return render.as_page(found, shown)
        case _:
            width = shutil.get_terminal_size((100, 24)).columns
            return render.as_text(found, shown, min(max(width, NARROWEST), WIDEST))


@answers
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of your rule set.")],
    extends: Annotated[str, typer.Option(metavar="RULES", help="The rule set that yours changes.")] = DEFAULT_RULES,
    folder: Annotated[Path, typer.Option("--in", metavar="FOLDER", help="Where to put the file.")] = Path(),
) -> int:
    """Begin a rule set of your own: write NAME.rules, with all that you may change in comments."""
    from biriba.language.load import available, available_parts, compile_rules, find_source
    from biriba.language.merge import title_of
    from biriba.language.parts import PART_WORDS
    from biriba.language.source import Source, read_source
    from biriba.variants.starter import good_name, starter

    if name in PART_WORDS:
        raise BadInput(f"'{name}' is a word of the rule language; give your rule set another name")
    if not good_name(name):
        raise BadInput(f"'{name}' is no name for a rule set: use letters, digits and hyphens, and begin with a letter")
    if name in available() or name in available_parts():
        kind = "rule set" if name in available() else "part"
        raise BadInput(f"a {kind} '{name}' comes with biriba; give yours another name")
    path = folder / f"{name}.rules"
    if path.exists():
        raise BadInput(f"{path}: there is such a file already")
    if not folder.is_dir():
        raise BadInput(f"{folder}: no such folder")
    parent = compile_rules(find_source(extends))[0]
    if parent.name not in available() and not (folder / f"{parent.name}.rules").is_file():
        raise BadInput(f"{extends} must lie beside the new file, as {folder / f'{parent.name}.rules'}")
    parts = {part: title_of(read_source(file)) for part, file in available_parts().items()}
    text = starter(name, parent, parts)
    compile_rules(Source(str(path), text))
    common.write_text(path, text)
    print(f"{path}: extends {parent.name}. Change it, then: biriba check {shlex.quote(str(path))}")
    return OK


@answers
def compat(
    rules: RulesArgument = DEFAULT_RULES,
    deals: Annotated[
        int, typer.Option(min=0, max=1000, metavar="N", help="Deals of random play that each combination must end.")
    ] = 1,
    as_json: JsonOption = False,
) -> int:
    """Show which changes to a rule set go together.

    Every part and every yes-or-no parameter alone and in pairs, and which values each number may have,
    by itself and beside each of them: whether the rules compile, and whether random play keeps their
    invariants. Exit code 1 if some parts or switches do not go together.
    """
    from biriba.language.load import compile_rules, find_source
    from biriba.variants.compat import bounds, compatible, itself, narrowed

    source = find_source(rules)
    ruleset = compile_rules(source)[0]
    as_it_is = itself(ruleset, source.name, deals)
    if as_it_is.trouble is not None and not as_json:
        print(f"{ruleset.name} as it is: {as_it_is.trouble}")
        return NO
    verdicts = compatible(ruleset, source.name, deals)
    troubles = [verdict for verdict in verdicts if verdict.trouble is not None]
    working = [verdict.toggles[0] for verdict in verdicts if len(verdict.toggles) == 1 and verdict.trouble is None]
    numbers = bounds(ruleset, source.name, deals)
    beside = narrowed(ruleset, source.name, numbers, working)
    if as_json:
        emit_json(
            {
                "changes": [
                    {"changes": list(v.names), "ok": v.trouble is None, "trouble": v.trouble} for v in verdicts
                ],
                "numbers": [_number_data(bound) for bound in (*numbers, *beside)],
            }
        )
        return NO if troubles else OK
    alone = [verdict for verdict in verdicts if len(verdict.toggles) == 1]
    print("Each by itself:")
    for verdict in alone:
        print(f"  {verdict.names[0]:32} {verdict.trouble or 'ok'}")
    pairs = [verdict for verdict in troubles if len(verdict.toggles) > 1]
    print(f"\nOf {len(verdicts) - len(alone)} pairs, {len(verdicts) - len(alone) - len(pairs)} go together.")
    for verdict in pairs:
        print(f"  {' and '.join(verdict.names)}: {verdict.trouble}")
    bounded = [bound for bound in numbers if not bound.whole]
    print(
        f"\nOf {len(numbers)} numbers, {len(numbers) - len(bounded)} may have any value of their range by themselves."
    )
    for bound in (*bounded, *beside):
        print("\n".join(_number_lines(bound)))
    return NO if troubles else OK


def _number_lines(bound: Bounds) -> Iterator[str]:
    beside = "" if bound.beside is None else f" beside {bound.beside.name}"
    low, high = ("" if end is None else str(end) for end in bound.declared)
    yield f"  {bound.name}{beside}: {bound.least}..{bound.most} of {low}..{high}"
    if bound.below is not None:
        yield f"    {bound.least - 1}: {bound.below}"
    if bound.above is not None:
        yield f"    {bound.most + 1}: {bound.above}"
    if bound.trouble is not None:
        yield f"    {bound.trouble}"


def _number_data(bound: Bounds) -> dict[str, object]:
    return {
        "name": bound.name,
        "beside": None if bound.beside is None else bound.beside.name,
        "value": bound.value,
        "range": list(bound.declared),
        "allowed": [bound.least, bound.most],
        "below": bound.below,
        "above": bound.above,
        "trouble": bound.trouble,
    }


@answers
def rejudge(
    rules: RulesArgument,
    all_: Annotated[bool, typer.Option("--all", help="Also list what holds and what cannot be said.")] = False,
    save: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write what holds as vectors of the rule set into this folder.")
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Judge all examples and catalogues under a rule set, whichever they were written for.

    Shows what the rule set decides otherwise, and counts what holds and what speaks of things it does
    not have.
    """
    from biriba.data import conformance_dir
    from biriba.variants import rejudge as tool

    judge = common.load_rules(rules)
    found = list(tool.rejudge(judge, conformance_dir() / "catalogue"))
    if save is not None:
        from biriba.variants.vectors import that_hold

        common.write_vectors(save, that_hold(judge, [j.scenario for j in found if j.scenario is not None]))
    if as_json:
        emit_json([{"id": j.id, "title": j.title, "verdict": j.verdict, "report": j.report} for j in found])
        return OK
    cut = False
    for judgement in found:
        if all_ or judgement.verdict == tool.DIFFERS:
            print(f"{judgement.verdict:15} {judgement.id}  {judgement.title}".rstrip())
            for line in judgement.report.splitlines():
                long = not all_ and len(line) > MOST_LETTERS
                cut |= long
                print(f"  {line[:MOST_LETTERS].rpartition(' ')[0]} …" if long else f"  {line}")
    counts = {kind: sum(j.verdict == kind for j in found) for kind in (tool.HOLDS, tool.DIFFERS, tool.UNSAYABLE)}
    print(", ".join(f"{count} {kind}" for kind, count in counts.items()) + f", of {len(found)}")
    if cut:
        print("lines that end in … are longer; --all shows them whole, and --json too")
    return OK
