"""State diagrams as SVG: the phases of a turn with the actions between them, and the deal step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape

from biriba.interpreter.sentences import Words, as_it_is
from biriba.model.ruleset import OVER, Ruleset
from biriba.prose.flow import Arrow, arrows, deal_lines

Link = Callable[[str], str | None]
"""The address of a clause, None if it has no page."""

_GAP, _BOX, _HIGH, _LINE = 230, 120, 56, 22
_MARK = "biriba-arrow-of-its-kind"
"""Stands for the id of the arrow's head: a page may have several diagrams, and each has its own."""
_FILL = 'fill="#eef3fb" stroke="#3b5b92" class="biriba-box"'
_FONT = "font-family='Helvetica Neue,Arial,sans-serif' font-size='15'"


def turn_diagram(rules: Ruleset, link: Link = lambda _: None, say: Words = as_it_is) -> str:
    """The phases of a turn and the end of the deal, with the actions that lead from one to another."""
    names = [*rules.phases, OVER]
    grouped: dict[tuple[str, str], list[Arrow]] = {}
    for arrow in arrows(rules):
        grouped.setdefault((arrow.source, arrow.target), []).append(arrow)
    loops = max((len(group) for (a, b), group in grouped.items() if a == b), default=0)
    far = sum(names.index(b) - names.index(a) != 1 and a != b for a, b in grouped)
    top = 40 + loops * _LINE
    width, height = _GAP * (len(names) - 1) + _BOX + 20, top + _HIGH + 40 + far * 46
    drawn: list[str] = []
    below = 0
    for (source, target), group in grouped.items():
        i, j = names.index(source), names.index(target)
        if i == j:
            drawn += _loop(i, top, group, link, say)
        elif j == i + 1:
            drawn += _straight(i, top, group, link, say)
        else:
            below += 1
            drawn += _under(i, j, top, below, group, link, say)
    boxes = [_box(i, top, name, say) for i, name in enumerate(names)]
    said = "; ".join(
        f"{a.action} leads from {a.source} to {a.target}{' of the next player' if a.passes_turn else ''}"
        for a in arrows(rules)
    )
    return _svg("turn", width, height, f"Phases of a turn: {said}", [*drawn, *boxes])


def deal_diagram(rules: Ruleset, link: Link = lambda _: None, say: Words = as_it_is) -> str:
    """The steps of the deal from top to bottom."""
    lines = deal_lines(rules)
    step = 62
    longest = max((len(line.text) for line in lines), default=10)
    width, height = max(420, 60 + round(longest * 8.2)), step * len(lines)
    drawn: list[str] = []
    for i, line in enumerate(lines):
        y = i * step + 4
        if i:
            drawn.append(_path(f"M{width / 2:g} {y - 22}V{y - 3}"))
        text = f'<text x="{width / 2:g}" y="{y + 25}" text-anchor="middle" {_FONT} fill="#1b1f24" class="biriba-label">'
        text = f"{text}{i + 1}. {escape(line.text)}</text>"
        box = f'<rect x="4" y="{y}" width="{width - 8}" height="38" rx="8" {_FILL}/>'
        drawn.append(_linked(box + text, line.clause, link))
    said = "; then ".join(line.text for line in lines)
    return _svg("deal", width, height, f"The deal: {said}", drawn)


def _svg(kind: str, width: float, height: float, said: str, drawn: list[str]) -> str:
    said = escape(said, quote=True)
    arrow = (
        f'<defs><marker id="biriba-arrow-{kind}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" '
        'markerHeight="8" '
        'orient="auto-start-reverse"><path d="M0 0 10 5 0 10Z" fill="#5a6472" class="biriba-head"/></marker></defs>'
    )
    # A picture with links in it is a group to a screen reader, or the links could not be reached.
    role = "group" if any("<a " in piece for piece in drawn) else "img"
    return (
        f'<svg class="biriba-diagram" role="{role}" aria-label="{said}" xmlns="http://www.w3.org/2000/svg" '
        f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"><title>{said}</title>{arrow}'
        f"{''.join(drawn).replace(_MARK, f'biriba-arrow-{kind}')}</svg>"
    )


def _box(i: int, top: int, name: str, say: Words) -> str:
    over = ' stroke-dasharray="5 4"' if name == OVER else ""
    label = say("ui", "deal over") if name == OVER else say("phase", name)
    x = i * _GAP + 10
    return (
        f'<rect x="{x}" y="{top}" width="{_BOX}" height="{_HIGH}" rx="14" {_FILL} '
        f'stroke-width="2"{over}/><text x="{x + _BOX / 2:g}" y="{top + _HIGH / 2 + 6:g}" '
        f'text-anchor="middle" {_FONT} font-weight="700" fill="#1b1f24" class="biriba-label">{escape(label)}</text>'
    )


def _path(d: str, dashed: bool = False) -> str:
    dash = ' stroke-dasharray="6 4"' if dashed else ""
    return (
        f'<path d="{d}" fill="none" stroke="#5a6472" stroke-width="1.6" class="biriba-arrow"{dash} '
        f'marker-end="url(#{_MARK})"/>'
    )


def _labels(x: float, y: float, group: list[Arrow], link: Link, say: Words) -> Iterator[str]:
    """The actions of an arrow, the last one lowest."""
    for i, arrow in enumerate(reversed(group)):
        text = arrow.action + (f" → {say('ui', 'next player')}" if arrow.passes_turn else "")
        label = (
            f'<text x="{x:g}" y="{y - i * _LINE:g}" text-anchor="middle" {_FONT} fill="#1b1f24" '
            f'class="biriba-label">{escape(text)}</text>'
        )
        yield _linked(label, arrow.clause, link)


def _loop(i: int, top: int, group: list[Arrow], link: Link, say: Words) -> Iterator[str]:
    x = i * _GAP + 10 + _BOX / 2
    yield _path(f"M{x - 26:g} {top}C{x - 40:g} {top - 34} {x + 40:g} {top - 34} {x + 26:g} {top}", group[0].passes_turn)
    yield from _labels(x + (24 if group[0].passes_turn else 0), top - 32, group, link, say)


def _straight(i: int, top: int, group: list[Arrow], link: Link, say: Words) -> Iterator[str]:
    x, y = i * _GAP + 10 + _BOX, top + _HIGH / 2 - 8
    yield _path(f"M{x} {y:g}H{x + _GAP - _BOX - 2}")
    yield from _labels(x + (_GAP - _BOX) / 2, y - 8, group, link, say)


def _under(i: int, j: int, top: int, nth: int, group: list[Arrow], link: Link, say: Words) -> Iterator[str]:
    """An arrow below the boxes, back or past a box, each deeper than the one before."""
    shift = 14 if j < i else -14
    a, b = i * _GAP + 10 + _BOX / 2 + shift, j * _GAP + 10 + _BOX / 2 + shift
    y, bottom = top + _HIGH, top + _HIGH + nth * 46 + 4
    turn = 14 if b > a else -14
    down = f"M{a:g} {y}V{bottom - 14}Q{a:g} {bottom} {a + turn:g} {bottom}"
    up = f"H{b - turn:g}Q{b:g} {bottom} {b:g} {bottom - 14}V{y + 3}"
    yield _path(down + up, group[0].passes_turn)
    yield from _labels((a + b) / 2, bottom - 8, group, link, say)


def _linked(drawn: str, clause: str, link: Link) -> str:
    address = link(clause)
    return drawn if address is None else f'<a href="{escape(address, quote=True)}">{drawn}</a>'
