"""A badge: a small picture that says how many vectors an implementation passes, for its own page."""

from __future__ import annotations

from html import escape

from biriba.conformance.results import PASSED, Report

_WIDTH = 6.6
"""About the width of a letter."""


def badge(report: Report) -> str:
    """The SVG of a report's badge; always with the number of all vectors, never a bare percentage."""
    passed, total = report.counts[PASSED], len(report.results)
    bad = any(result.bad for result in report.results) or bool(report.complaint)
    text = "does not start" if report.complaint else f"{passed}/{total}"
    color = "#b3261e" if bad else "#2e7d32" if passed == total else "#8a6d00"
    label = f"biriba {report.suite['ruleset']['version']}"
    left, right = round(len(label) * _WIDTH + 14), round(len(text) * _WIDTH + 14)
    said = escape(f"{label}: {text} vectors passed", quote=True)
    font = "font-family='Verdana,DejaVu Sans,sans-serif' font-size='11' fill='#fff' text-anchor='middle'"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" aria-label="{said}">'
        f"<title>{said}</title>"
        f'<clipPath id="r"><rect width="{left + right}" height="20" rx="3"/></clipPath><g clip-path="url(#r)">'
        f'<rect width="{left}" height="20" fill="#3d4451"/>'
        f'<rect x="{left}" width="{right}" height="20" fill="{color}"/></g>'
        f'<text x="{left / 2:g}" y="14" {font}>{escape(label)}</text>'
        f'<text x="{left + right / 2:g}" y="14" {font}>{escape(text)}</text></svg>\n'
    )
