"""A difference between rule sets as text, as data and as a page."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from html import escape
from typing import Any

from biriba.variants.difference import NUMBERS, WORDS, ClauseDifference, Difference, Said
from biriba.variants.witness import Witness, decides_nothing

Shown = Mapping[str, Witness | None]
"""What shows the difference of a clause, by its id; empty if nobody looked."""

GAP = 3
NOTHING_FOUND = "nothing was found that shows it, in melds, deals, the examples of both and random play"
NOTHING_DECIDED = "nothing was found that breaks it: it only states what holds, and decides nothing by itself"
WORDS_ALONE = "nothing can show it: formally both say the same"
TOGETHER = "not by this clause alone, but exchanged together with {}"
SMALLEST = "Each situation is the smallest that was found: nothing can be left out of it."
EXCHANGED = "Under the first name stands what the second rule set says once it has that clause from the first."
WIDEST = 100
GIVEN = ("action", "score", "deal", "match", "statement")
"""The kinds of situations that can stand in an example as they are, after `given`."""


def as_text(found: Difference, shown: Shown, width: int = 100) -> str:
    """The difference for a terminal: both rule sets side by side."""
    names = (_name(found.old.name), _name(found.new.name))
    lines = [f"{found.old.name} {found.old.version}  ->  {found.new.name} {found.new.version}", ""]
    if not found.parameters and not found.clauses:
        return "\n".join([*lines, "The rules are the same."]) + "\n"
    if found.parameters:
        size = max(len(p.name) for p in found.parameters)
        lines += [
            f"{p.name:{size}}  {p.old or '-':>10} -> {p.new or '-':10}  {p.text}".rstrip() for p in found.parameters
        ]
        lines.append("")
    if any(shown.values()):
        lines += [SMALLEST, *textwrap.wrap(EXCHANGED, width), ""]
    for change in found.clauses:
        numbers = f" ({', '.join(change.parameters)})" if change.kind == NUMBERS else ""
        lines += [f"{change.clause}: {change.kind}{numbers}"]
        lines += _beside(change, names, width)
        lines += _witness_lines(change, shown, found)
        lines.append("")
    return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"


def _name(name: str) -> str:
    return f"[{name}]"


def _beside(change: ClauseDifference, names: tuple[str, str], width: int) -> list[str]:
    """What both say in two columns; what only one says over the whole width."""
    sides = [(name, said) for name, said in zip(names, (change.old, change.new), strict=True) if said is not None]
    column = (width - 2 - GAP * (len(sides) - 1)) // len(sides)
    blocks = [_block(name, said, column, formally=change.kind not in (NUMBERS, WORDS)) for name, said in sides]
    height = max(map(len, blocks))
    rows = zip(*(block + [""] * (height - len(block)) for block in blocks), strict=True)
    return ["  " + (" " * GAP).join(f"{cell:{column}}" for cell in row) for row in rows]


def _block(name: str, said: Said, width: int, *, formally: bool) -> list[str]:
    lines = [name, *textwrap.wrap(said.sentence, width)]
    for line in said.formal.splitlines() if formally else ():
        indent = " " * (len(line) - len(line.lstrip()))
        lines += textwrap.wrap(
            line, width, initial_indent="", subsequent_indent=f"{indent}    ", break_on_hyphens=False
        ) or [""]
    return lines


def _witness_lines(change: ClauseDifference, shown: Shown, found: Difference) -> list[str]:
    if change.clause not in shown:
        return []
    witness = shown[change.clause]
    if witness is None:
        return [f"  ({_unshown(change, found)})"]
    size = max(len(found.old.name), len(found.new.name)) + 1
    together = f"({TOGETHER.format(witness.beside)})" if witness.beside else ""
    given = textwrap.wrap(together, WIDEST, initial_indent="  ", subsequent_indent="   ")
    given.append(f"  {'given' if witness.kind in GIVEN else witness.kind}  {witness.given}")
    if witness.action:
        given.append(f"  {witness.action}")
    return [
        *given,
        f"    {found.old.name + ':':{size}} {witness.old}",
        f"    {found.new.name + ':':{size}} {witness.new}",
    ]


def _unshown(change: ClauseDifference, found: Difference) -> str:
    """Why there is no situation that shows a difference."""
    if change.kind == WORDS:
        return WORDS_ALONE
    return NOTHING_DECIDED if decides_nothing(found, change) else NOTHING_FOUND


def as_data(found: Difference, shown: Shown) -> dict[str, Any]:
    """The difference as JSON objects."""
    return {
        "old": {"name": found.old.name, "version": found.old.version, "digest": found.old.digest},
        "new": {"name": found.new.name, "version": found.new.version, "digest": found.new.digest},
        "parameters": [{"name": p.name, "text": p.text, "old": p.old, "new": p.new} for p in found.parameters],
        "clauses": [_clause_data(change, shown, found) for change in found.clauses],
    }


def _clause_data(change: ClauseDifference, shown: Shown, found: Difference) -> dict[str, Any]:
    data: dict[str, Any] = {
        "clause": change.clause,
        "kind": change.kind,
        "parameters": list(change.parameters),
        "old": _said_data(change.old),
        "new": _said_data(change.new),
    }
    if change.clause in shown:
        witness = shown[change.clause]
        names = ("kind", "given", "action", "old", "new", "beside")
        data["witness"] = None if witness is None else {name: getattr(witness, name) for name in names}
        if witness is None:
            data["unshown"] = _unshown(change, found)
    return data


def _said_data(said: Said | None) -> dict[str, Any] | None:
    if said is None:
        return None
    return {"sentence": said.sentence, "formal": said.formal, "because": said.because, "origin": said.origin}


_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; table-layout: fixed; width: 100%; margin: 0 0 2rem; overflow-wrap: anywhere; }
th, td { border: 1px solid #8886; padding: .4rem .6rem; text-align: left; vertical-align: top; }
table.numbers { table-layout: auto; overflow-wrap: normal; }
td.said { width: 50%; }
pre { white-space: pre-wrap; font-size: .85em; margin: .4rem 0 0; }
@media (max-width: 40rem) {
  body { margin: 1rem auto; } th, td { padding: .3rem; } pre { font-size: .75em; }
  table.numbers { font-size: .8em; } table.numbers code { overflow-wrap: anywhere; }
}
.kind { font-weight: normal; opacity: .7; }
.reason { font-style: italic; }
:root { color-scheme: light dark; }
"""


def as_page(found: Difference, shown: Shown) -> str:
    """The difference as an HTML page that needs nothing else."""
    old, new = escape(found.old.name), escape(found.new.name)
    title = f"{old} and {new}"
    rows = [
        f"<tr><td><code>{escape(p.name)}</code></td><td>{escape(p.old or '–')}</td><td>{escape(p.new or '–')}</td>"
        f"<td>{escape(p.text)}</td></tr>"
        for p in found.parameters
    ]
    numbers = ""
    if rows:
        head = f"<tr><th>parameter</th><th>{old}</th><th>{new}</th><th>what it is</th></tr>"
        numbers = f'<h2>Numbers</h2>\n<table class="numbers">{head}\n{chr(10).join(rows)}</table>\n'
    clauses = "\n".join(_clause_page(change, shown, found) for change in found.clauses)
    if any(shown.values()):
        clauses = f"<p>{SMALLEST} {EXCHANGED}</p>\n{clauses}"
    same = "" if found.parameters or found.clauses else "<p>The rules are the same.</p>"
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>'
        f"<style>{_STYLE}</style></head>\n<body>\n<h1>{title}</h1>\n{numbers}{same}{clauses}\n</body>\n</html>\n"
    )


def _clause_page(change: ClauseDifference, shown: Shown, found: Difference) -> str:
    old, new = escape(found.old.name), escape(found.new.name)
    cells = "".join(f'<td class="said">{_said_page(said)}</td>' for said in (change.old, change.new))
    witness = shown.get(change.clause)
    example = ""
    if witness is not None:
        what = escape(" ".join(filter(None, (witness.given, "–" if witness.action else "", witness.action))))
        said = f"<td>{escape(witness.old)}</td><td>{escape(witness.new)}</td>"
        together = f"<p>{escape(TOGETHER.format(witness.beside))}</p>" if witness.beside else ""
        example = f'<tr><td colspan="2">{together}<code>{what}</code></td></tr><tr>{said}</tr>'
    elif change.clause in shown:
        example = f'<tr><td colspan="2">({escape(_unshown(change, found))})</td></tr>'
    return (
        f'<h3 id="{escape(change.clause)}"><code>{escape(change.clause)}</code> '
        f'<span class="kind">{escape(change.kind)}</span></h3>\n'
        f"<table><tr><th>{old}</th><th>{new}</th></tr><tr>{cells}</tr>{example}</table>"
    )


def _said_page(said: Said | None) -> str:
    if said is None:
        return "–"
    reason = f'<p class="reason">A ruling, because {escape(said.because)}.</p>' if said.because else ""
    return f"{escape(said.sentence)}<pre>{escape(said.formal)}</pre>{reason}"
