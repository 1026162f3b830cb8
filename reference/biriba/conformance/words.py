"""A report in words, for a terminal: a summary with whole fractions, and each failure with what is needed to see it."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping

from biriba.conformance.compare import Wrong
from biriba.conformance.results import ERRORED, FAILED, PASSED, SKIPPED, UNCOVERED, Report, Result
from biriba.conformance.suite import Suite
from biriba.count import counted
from biriba.model.ruleset import Ruleset
from biriba.notation import format_position
from biriba.scenario.run import read_action, start
from biriba.scenario.scenario import GivenDeck, GivenPosition, GivenTotals, Play, Scenario

MOST_CARDS = 16
"""A pile with more cards is told by its number and its top cards."""
MOST_WRONG = 8
"""So many differences of one vector are shown on a terminal: the others mostly follow from the first."""
STALE = "listed as a known failure, and passed: take it from the list"
LAST = 6
"""So many of the actions that were played are told."""
LONG = 6
"""Of lists with more items it is told which are missing and which are too many."""


def reproduce(result: Result, report: Report) -> str:
    """The command that runs this one vector again, to be copied to a shell in the same folder."""
    return shlex.join(["biriba", "conform", *report.options, "--only", result.id, "--", *report.command])


def failure(result: Result, report: Report, suite: Suite) -> Iterator[str]:
    """What there is to say of a vector that failed or was errored, line by line."""
    mark = {FAILED: "FAILED", ERRORED: "ERROR"}.get(result.verdict, result.verdict)
    yield f"{mark}  {result.id}: {result.title}" + ("  (a known failure)" if result.known else "")
    scenario = next((s for s in suite.scenarios if s.id == result.id), None)
    if scenario is not None:
        for line in given_lines(scenario):
            yield f"  given     {line}"
        if here := position_then(suite, scenario, result):
            yield f"  position  {here}"
    if result.message:
        yield f"  {result.kind or result.verdict:<9} {result.message}"
    asked = None
    for wrong in result.wrong[:MOST_WRONG]:
        if wrong.question != asked:
            yield f"  asked     {wrong.asked}"
            asked = wrong.question
        yield f"  expected  {wrong.expected}"
        yield f"  found     {wrong.found}"
        for name, items in apart(suite.rules.ruleset, wrong):
            yield f"  {name:<9} {items}"
    if len(result.wrong) > MOST_WRONG:
        yield f"  …         and {counted(len(result.wrong) - MOST_WRONG, 'difference')} more"
    if result.open:
        yield f"  open      {left_open(result)}"
    for clause in result.clauses:
        if clause in suite.rules.ruleset.clauses:
            yield f"  {clause}: {suite.rules.sentence(clause)}"
    if result.stderr:
        yield "  it printed on standard error:"
        yield from (f"    {line}" for line in result.stderr.splitlines()[-10:])
    if report.command:
        yield f"  again:    {reproduce(result, report)}"


def given_lines(scenario: Scenario) -> Iterator[str]:
    """Where a vector begins, as far as it matters to a reader."""
    match scenario.given:
        case GivenPosition(stated=stated) if stated:
            yield stated
        case GivenPosition(text=text):
            yield _shown(text)
        case GivenDeck(dealer=dealer, deck=deck, actions=actions, totals=totals, deals=deals):
            if totals:
                yield _standing(totals, deals)
            yield f"a deal by {dealer}, the first cards {' '.join(deck[:MOST_CARDS])} …"
            if actions:
                last = ", ".join(act.text for act in actions[-LAST:])
                yield f"{counted(len(actions), 'action')}{', the last:' if len(actions) > LAST else ':'} {last}"
        case GivenTotals(totals=totals, deals=deals):
            yield _standing(totals, deals)
        case _:
            return


def position_then(suite: Suite, scenario: Scenario, result: Result) -> str:
    """The position in which the first wrong answer was given, as far as it matters; empty if it is the one given."""
    questions = suite.case(scenario).questions[: result.wrong[0].question] if result.wrong else ()
    bodies = [question.step.body for question in questions if question.step is not None]
    played = [body.act for body in bodies if isinstance(body, Play)]
    position = start(suite.rules, scenario) if played or isinstance(scenario.given, GivenDeck) else None
    if position is None or not result.wrong:
        return ""
    for act in played:
        position = suite.rules.apply(position, read_action(suite.rules, position, act))
    after = f"after {counted(len(played), 'action')}: " if played else ""
    return after + _shown(format_position(suite.rules.ruleset, position))


def apart(ruleset: Ruleset, wrong: Wrong) -> Iterator[tuple[str, str]]:
    """What is missing and what is too many in a long list of cards, melds or layouts."""
    wanted, found = _items(ruleset, wrong.expected), _items(ruleset, wrong.found)
    if wanted.keys() & found.keys() and max(wanted.total(), found.total()) > LONG:
        missing, more = [" ".join(items.elements()) for items in (wanted - found, found - wanted)]
        if missing:
            yield "missing", missing
        if more:
            yield "too many", more
        if not missing and not more:
            yield "so", "the same in another order"


def _items(ruleset: Ruleset, text: str) -> Counter[str]:
    """The cards and melds of a text, or the layouts of a list of them."""
    if ", " in text:
        return Counter(f"[{layout}]" for layout in text.removeprefix("melds ").split(", "))
    cards = {face.symbol for face in ruleset.cards.faces}
    return Counter(item for item in re.findall(r"\[[^]]*\]|\S+", text) if item.startswith("[") or item in cards)


def _shown(position: str) -> str:
    """A position without the long fields of others."""
    fields = position.split("; ")
    turn = fields[0].split()[1]
    return "; ".join(_short(field) for field in fields if not _hidden(field, turn))


def _standing(totals: Mapping[str, int], deals: int) -> str:
    return f"totals {', '.join(f'{side} {points}' for side, points in totals.items())} after {counted(deals, 'deal')}"


def _hidden(text: str, turn: str) -> bool:
    """Whether a field of a position is a long one that belongs to nobody who acts."""
    words = text.split()
    return len(words) > MOST_CARDS // 2 and "[" not in text and turn not in words[:2]


def _short(text: str) -> str:
    words = text.split()
    if len(words) <= MOST_CARDS + 2 or "[" in text:
        return text
    return f"{' '.join(words[:2])} … {' '.join(words[-MOST_CARDS:])}"


def summary(report: Report) -> Iterator[str]:
    """The counts of a run, by level."""
    who = report.implementation
    if who is not None:
        yield f"{who.name} {who.version} ({who.language})"
    ruleset = report.suite["ruleset"]
    chosen = f"{len(report.results)} of {report.suite['vectors']} vectors chosen"
    yield f"rules {ruleset['name']} {ruleset['version']}, {chosen}"
    yield ""
    levels = {level: [result for result in report.results if result.level == level] for level in report.by_level()}
    for level, counts in report.by_level().items():
        times = f"{sum(result.seconds for result in levels[level]):6.2f} s"
        yield f"  {level:<9} {fraction(counts):<16} {times}  {_rest(counts)}".rstrip()
    yield ""
    yield f"  {'all':<9} {fraction(report.counts):<16} {report.seconds:6.2f} s  {_rest(report.counts)}".rstrip()
    known = sum(result.known for result in report.results)
    if known:
        yield f"  {known} of the failures {'is' if known == 1 else 'are'} known"
    if report.open["facts"]:
        yield f"  {all_open(report)}"
    for name in report.stale_known:
        yield f"error: {name} is {STALE}"
    if who is not None and not who.reasons:
        yield "  its reasons were not compared, only its verdicts"
    if who is not None and who.omits:
        yield f"  its positions do not tell {', '.join(who.omits)}"


def left_open(result: Result) -> str:
    """How much of what a vector speaks of was not compared."""
    return f"{counted(result.open, 'fact')} left to the implementation, and not compared"


def all_open(report: Report) -> str:
    """How much of what the vectors speak of was not compared."""
    facts, vectors = report.open["facts"], report.open["vectors"]
    return f"left to the implementation, and not compared: {counted(facts, 'fact')} in {counted(vectors, 'vector')}"


def fraction(counts: Mapping[str, int]) -> str:
    """The number of passed vectors and of all: ``151/200 passed``."""
    return f"{counts[PASSED]}/{sum(counts[v] for v in (PASSED, FAILED, ERRORED, SKIPPED, UNCOVERED))} passed"


def _rest(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{counts[v]} {v}" for v in (FAILED, ERRORED, SKIPPED, UNCOVERED) if counts[v])
