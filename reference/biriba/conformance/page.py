"""A report as one HTML page that needs nothing else: by level, by clause, and every failure with its cards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from html import escape
from importlib.resources import files

from biriba.conformance.results import ERRORED, FAILED, MEANINGS, PASSED, SKIPPED, UNCOVERED, VERDICTS, Report, Result
from biriba.conformance.suite import Suite
from biriba.conformance.words import STALE, all_open, apart, fraction, given_lines, left_open, position_then, reproduce
from biriba.model.ruleset import Ruleset

_CLASS = {PASSED: "passed", FAILED: "failed", ERRORED: "errored", SKIPPED: "skipped", UNCOVERED: "uncovered"}
_SIGNS = {"hearts": "♥", "diamonds": "♦", "spades": "♠", "clubs": "♣"}
_RED = ("hearts", "diamonds")

_SEARCH = """
const box = document.querySelector('input[type=search]');
box.addEventListener('input', () => {
  const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const item of document.querySelectorAll('[data-text]'))
    item.classList.toggle('hidden', !words.every(word => item.dataset.text.includes(word)));
});
"""


def page(report: Report, suite: Suite) -> str:
    """The HTML of a report."""
    who = report.implementation
    name = "An implementation that does not start" if who is None else f"{who.name} {who.version}"
    body = "\n".join(_body(report, suite, name))
    style = files("biriba.conformance").joinpath("page.css").read_text(encoding="utf-8")
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(name)}: conformance</title>\n<style>\n{style}</style>\n</head>\n<body>\n{body}\n"
        f"<script>{_SEARCH}</script>\n</body>\n</html>\n"
    )


def _body(report: Report, suite: Suite, name: str) -> Iterator[str]:
    draw = partial(cards, suite.rules.ruleset)
    ruleset = report.suite["ruleset"]
    yield f"<header><h1>{escape(name)}</h1>"
    language = f"{escape(report.implementation.language)} · " if report.implementation is not None else ""
    yield (
        f'<p class="sub">{language}rules {escape(ruleset["name"])} {escape(ruleset["version"])} · '
        f"suite {report.suite['digest'][:12]} · {escape(report.date)}</p></header>"
    )
    if report.complaint:
        yield f'<div class="failure errored"><pre>{escape(report.complaint)}</pre></div>'
    yield f'<p class="big">{fraction(report.counts)} <small>{escape(_told(report.counts))}</small></p>'
    yield _bar(report.counts)
    if report.open["facts"]:
        yield f'<p class="sub">{escape(all_open(report))}</p>'
    yield "<h2>By level</h2><table><tr><th>level</th><th>passed</th><th></th></tr>"
    for level, counts in report.by_level().items():
        yield _row(level, counts)
    yield "</table>"
    yield '<div class="find"><h2><label for="find">Find</label></h2>'
    yield '<input id="find" type="search" placeholder="a vector, a clause, a word …"></div>'
    for name in report.stale_known:
        yield f'<p class="failure failed"><code>{escape(name)}</code> is {STALE}</p>'
    bad = [result for result in report.results if result.bad]
    yield f"<h2>What is wrong ({len(bad)})</h2>" if bad else "<h2>Nothing is wrong</h2>"
    for result in bad:
        yield from _failure(result, report, suite)
    yield "<h2>By clause</h2><table><tr><th>clause</th><th>passed</th><th></th></tr>"
    for clause, counts in report.by_clause().items():
        known = clause in suite.rules.ruleset.clauses
        sentence = draw(suite.rules.sentence(clause)) if known else "not in these rules"
        yield _row(clause, counts, f'<div class="clause">{sentence}</div>', f"{clause} {sentence}")
    yield "</table>"
    yield '<h2>All vectors</h2><p class="paper">Those that have passed are left out on paper.</p>'
    yield "<table><tr><th>vector</th><th>verdict</th></tr>"
    for result in report.results:
        text = escape(f"{result.id} {result.title} {result.verdict} {' '.join(result.clauses)}".lower(), quote=True)
        notes = [result.message] if result.message and not result.bad else []
        notes += [left_open(result)] if result.open else []
        why = "".join(f'<div class="clause">{escape(note)}</div>' for note in notes)
        of = _CLASS[result.verdict]
        name = f'<code>{escape(result.id)}</code><div class="clause">{draw(result.title)}</div>{why}'
        verdict = f'<span class="tag {of}">{result.verdict}</span>'
        yield f'<tr class="{of}" data-text="{text}"><td>{name}</td><td>{verdict}</td></tr>'
    yield "</table><h2>What the verdicts mean</h2><dl>"
    yield from (f"<dt>{verdict}</dt><dd>{meaning}</dd>" for verdict, meaning in MEANINGS.items())
    yield "</dl>"


def _failure(result: Result, report: Report, suite: Suite) -> Iterator[str]:
    draw = partial(cards, suite.rules.ruleset)

    def fields(text: str) -> str:
        return "<br>".join(draw(field) for field in text.split("; "))

    text = escape(f"{result.id} {result.title} {result.verdict} {' '.join(result.clauses)}".lower(), quote=True)
    known = " · known" if result.known else ""
    yield f'<section class="failure {_CLASS[result.verdict]}" data-text="{text}"><h3>{draw(result.title)}</h3>'
    yield f'<span class="tag">{result.verdict}{known}</span> <code>{escape(result.id)}</code><dl>'
    scenario = next((s for s in suite.scenarios if s.id == result.id), None)
    if scenario is not None:
        for line in given_lines(scenario):
            yield f"<dt>given</dt><dd>{fields(line)}</dd>"
        if here := position_then(suite, scenario, result):
            yield f"<dt>position</dt><dd>{fields(here)}</dd>"
    if result.message:
        yield f"<dt>{escape(result.kind or 'why')}</dt><dd>{escape(result.message)}</dd>"
    asked = None
    for wrong in result.wrong:
        if wrong.question != asked:
            yield f"<dt>asked</dt><dd>{draw(wrong.asked)}</dd>"
            asked = wrong.question
        yield f'<dt>expected</dt><dd class="exp">{draw(wrong.expected)}</dd>'
        yield f'<dt>found</dt><dd class="got">{draw(wrong.found)}</dd>'
        for name, items in apart(suite.rules.ruleset, wrong):
            yield f"<dt>{name}</dt><dd>{draw(items)}</dd>"
    if result.open:
        yield f"<dt>open</dt><dd>{left_open(result)}</dd>"
    yield "</dl>"
    for clause in result.clauses:
        if clause in suite.rules.ruleset.clauses:
            yield f'<p class="clause"><code>{escape(clause)}</code> {draw(suite.rules.sentence(clause))}</p>'
    if result.stderr:
        yield f"<details><summary>standard error</summary><pre>{escape(result.stderr)}</pre></details>"
    if report.command:
        yield f"<pre>{escape(reproduce(result, report))}</pre>"
    yield "</section>"


def _row(name: str, counts: Mapping[str, int], more: str = "", search: str = "") -> str:
    data = f' data-text="{escape(search.lower(), quote=True)}"' if search else ""
    return (
        f"<tr{data}><td><code>{escape(name)}</code>{more}</td>"
        f'<td class="n">{fraction(counts).removesuffix(" passed")}</td><td class="wide">{_bar(counts)}</td></tr>'
    )


def _bar(counts: Mapping[str, int]) -> str:
    parts = "".join(
        f'<i class="{_CLASS[v]}" style="flex:{counts[v]}" title="{counts[v]} {v}"></i>' for v in VERDICTS if counts[v]
    )
    said = escape(", ".join(f"{counts[v]} {v}" for v in VERDICTS if counts[v]), quote=True)
    return f'<div class="bar" role="img" aria-label="{said}">{parts}</div>'


def _told(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{counts[v]} {v}" for v in VERDICTS if v != PASSED and counts[v])


def cards(ruleset: Ruleset, text: str) -> str:
    """The text as HTML, each card drawn."""
    faces = {face.symbol: face for face in ruleset.cards.faces}
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(faces, key=len, reverse=True)))})(?!\w)")

    def drawn(match: re.Match[str]) -> str:
        face = faces[match.group()]
        if face.rank is None or face.suit is None:
            return f'<span class="card plain" title="{escape(face.name)}">{escape(face.symbol)}</span>'
        suit, rank = ruleset.cards.suits[face.suit], ruleset.cards.ranks[face.rank]
        shown = f"{'10' if rank.name == 'ten' else rank.symbol}{_SIGNS.get(suit.name, suit.symbol)}"
        red = " red" if suit.name in _RED else ""
        return f'<span class="card{red}" title="{escape(face.name)}">{escape(shown)}</span>'

    return pattern.sub(drawn, escape(text, quote=False))
