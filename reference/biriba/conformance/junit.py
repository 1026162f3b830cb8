"""A report as JUnit XML, for machines that show test results."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

from biriba.conformance.results import ERRORED, FAILED, SKIPPED, UNCOVERED, Report, Result
from biriba.conformance.suite import Suite
from biriba.conformance.words import STALE, failure

_NO_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(report: Report, suite: Suite) -> str:
    """The XML of a report: one test suite for each level, one test case for each vector.

    A failure is told as on a terminal. The property ``open`` says how many facts were left to the implementation,
    and not compared.
    """
    who = report.implementation.name if report.implementation is not None else "unknown"
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append(f"<testsuites name={_quoted(who)} {_counts(report, report.results)} time={_seconds(report.seconds)}>")
    for level in report.by_level():
        results = [result for result in report.results if result.level == level]
        spent = _seconds(sum(result.seconds for result in results))
        counts = f"{_counts(report, results)} timestamp={_quoted(report.date)} time={spent}"
        lines.append(f'  <testsuite name="{level}" {counts}>')
        facts = sum(result.open for result in results)
        if facts:
            lines.append(f'    <properties><property name="open" value="{facts}"/></properties>')
        lines += [line for result in results for line in _case(result, report, suite)]
        lines.append("  </testsuite>")
    if report.complaint:
        lines.append('  <testsuite name="start" tests="1" failures="0" errors="1" skipped="0">')
        lines.append(f'    <testcase name="start"><error message={_quoted(report.complaint)}/></testcase>')
        lines.append("  </testsuite>")
    lines.append("</testsuites>")
    return "\n".join(lines) + "\n"


def _case(result: Result, report: Report, suite: Suite) -> list[str]:
    head = f'    <testcase classname="{result.level}.{result.id.split("/")[0]}" name={_quoted(result.id)}'
    head += f" time={_seconds(result.seconds)}"
    body = []
    if result.open:
        body.append(f'      <properties><property name="open" value="{result.open}"/></properties>')
    if result.bad and not result.known:
        kind = "failure" if result.verdict == FAILED else "error"
        told = result.message or f"{result.wrong[0].expected}; found: {result.wrong[0].found}"
        text = "\n".join(failure(result, report, suite))
        kind_of = _quoted(result.kind or result.verdict)
        body.append(f"      <{kind} message={_quoted(told)} type={kind_of}>{_clean(escape(text))}</{kind}>")
        if result.stderr:
            body.append(f"      <system-err>{_clean(escape(result.stderr))}</system-err>")
    elif report.stale(result):
        body.append(f"      <failure message={_quoted(STALE)} type={_quoted(result.verdict)}/>")
    elif result.verdict in (SKIPPED, UNCOVERED) or result.known:
        why = "a known failure" if result.known else f"{result.verdict}: {result.message}"
        body.append(f"      <skipped message={_quoted(why)}/>")
    return [f"{head}>", *body, "    </testcase>"] if body else [f"{head}/>"]


def _counts(report: Report, results: tuple[Result, ...] | list[Result]) -> str:
    def number(verdict: str) -> int:
        return sum(result.verdict == verdict and not result.known for result in results)

    skipped = number(SKIPPED) + number(UNCOVERED) + sum(result.known for result in results)
    failures = number(FAILED) + sum(report.stale(result) for result in results)
    return f'tests="{len(results)}" failures="{failures}" errors="{number(ERRORED)}" skipped="{skipped}"'


def _seconds(seconds: float) -> str:
    return f'"{seconds:.3f}"'


def _quoted(text: str) -> str:
    return quoteattr(_clean(text))


def _clean(text: str) -> str:
    """The text without what must not stand in XML."""
    return _NO_XML.sub("�", text)
