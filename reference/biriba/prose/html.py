"""Pictures of cards, zones and strips as HTML; and the same as text, for media without pictures."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from biriba.model.ruleset import Ruleset
from biriba.prose.cards import ENGLISH, Speech, fan, signs
from biriba.prose.strips import Frame, Row, Strip

Link = Callable[[str], str | None]
"""The address of a clause, None if it has no page."""

_MARKS = {"legal": "✓", "lawful": "✓", "illegal": "✗", "unlawful": "✗"}
_WORDS = {"legal": "allowed", "lawful": "lawful", "illegal": "not allowed", "unlawful": "not lawful"}


def row_html(rules: Ruleset, row: Row, speech: Speech = ENGLISH) -> str:
    """A zone with its cards."""
    label = f'<span class="biriba-zone">{escape(row.label)}</span>' if row.label else ""
    cards = "".join(fan(rules, cards, label=row.label, speech=speech) for cards in row.fans)
    count = escape(speech.say("+ {count} more").format(count=row.more))
    more = f'<span class="biriba-more">{count}</span>' if row.more else ""
    cards = cards or f"<em>{escape(speech.say('empty'))}</em>"
    return f'<div class="biriba-row">{label}<span class="biriba-fans">{cards}{more}</span></div>'


def frame_html(rules: Ruleset, frame: Frame, link: Link, speech: Speech = ENGLISH) -> str:
    """One picture of a strip."""
    mark = ""
    if frame.kind in _MARKS:
        said = escape(speech.say(_WORDS[frame.kind]), quote=True)
        mark = f'<span class="biriba-mark" title="{said}" aria-hidden="true">{_MARKS[frame.kind]}</span>'
        mark += f'<span class="biriba-said">{said}: </span>'
    act = f"<code>{escape(frame.text)}</code>" if frame.kind in ("legal", "illegal") else escape(frame.text)
    head = f'<div class="biriba-head">{mark}{act}</div>' if mark or frame.text else ""
    if frame.kind == "legal" and frame.rows:
        head += '<div class="biriba-then" aria-hidden="true">↓</div>'
    rows = "".join(row_html(rules, row, speech) for row in frame.rows)
    notes = "".join(f"<p>{escape(note)}</p>" for note in frame.notes)
    clauses = ", ".join(clause_html(clause, link) for clause in frame.clauses)
    why = f'<p class="biriba-why">{clauses}</p>' if clauses else ""
    return f'<li class="biriba-frame biriba-{frame.kind}">{head}{rows}{notes}{why}</li>'


def clause_html(clause: str, link: Link) -> str:
    """A clause's id, linked where it has a page."""
    address = link(clause)
    text = f"<code>{escape(clause)}</code>"
    return text if address is None else f'<a class="biriba-clause" href="{escape(address, quote=True)}">{text}</a>'


def strip_html(rules: Ruleset, strip: Strip, link: Link = lambda _: None, speech: Speech = ENGLISH) -> str:
    """All pictures of a strip, in order."""
    frames = "".join(frame_html(rules, frame, link, speech) for frame in strip.frames)
    return f'<ol class="biriba-strip" role="list">{frames}</ol>'


def row_text(rules: Ruleset, row: Row) -> str:
    """A zone with its cards as text."""
    cards = " | ".join(signs(rules, cards) for cards in row.fans) or "empty"
    more = f" + {row.more} more" if row.more else ""
    return f"{row.label}: {cards}{more}" if row.label else cards + more


def strip_text(rules: Ruleset, strip: Strip) -> str:
    """A strip as lines of text."""
    lines = []
    for frame in strip.frames:
        mark = f"{_MARKS[frame.kind]} " if frame.kind in _MARKS else ""
        parts = [mark + frame.text, *(row_text(rules, row) for row in frame.rows), *frame.notes, *frame.clauses]
        lines.append("; ".join(part for part in parts if part.strip()))
    return "\n".join(lines)
