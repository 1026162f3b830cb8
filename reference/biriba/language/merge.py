"""Inheritance: from a rule file and the files it extends to one flat list of parameters and clauses.

A rule set that `extends` another begins with all of its parameters and clauses, in their order. It
may then set a parameter, add a clause (it comes last), replace a clause (it keeps its place), or drop
a clause or a parameter. A part is a file of such changes by itself: a rule set takes it in `with` its
name, before its own changes. Nothing is typed here: the clauses stay syntax trees.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import cast

from lark import Token, Tree

from biriba.language.chapters import chapter_at
from biriba.language.diagnostics import Diagnostic, RulesError, did_you_mean
from biriba.language.parser import parse, span_of
from biriba.language.source import Source
from biriba.model.span import Span

_VERSION = r"[A-Za-z0-9_.:+-]+"

Find = Callable[[str, Source], Source | None]
"""Finds the source of a rule set or part by its name, seen from the file that extends it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A parameter or clause as it was written, and where; a clause also in which chapter."""

    tree: Tree[Token]
    source: Source
    origin: str
    chapter: str = ""

    @property
    def span(self) -> Span:
        return span_of(self.tree, self.source.name)


@dataclass(slots=True)
class Flat:
    """A rule set with inheritance resolved.

    Attributes:
        parents: the rule sets it extends, nearest first.
        parts: the parts that it and its parents take in, in the order in which they take effect.
        own_parts: those that it takes in itself.
        headers: `source` lines, own and inherited, by id.
        settings: for each parameter that a child sets, the piece that sets it last.
        dropped: for each clause that a child drops, the clause, and the piece that drops it.
        dropped_parameters: for each parameter that a child drops, the piece that drops it.
        claims: for each clause or parameter that a part of the rule set now read has changed, that part's piece.
        files: every source read, by name.
        problems: faults found so far.
    """

    name: str
    title: str
    version: str
    parents: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    own_parts: tuple[str, ...] = ()
    headers: dict[str, Piece] = field(default_factory=dict)
    parameters: dict[str, Piece] = field(default_factory=dict)
    settings: dict[str, Piece] = field(default_factory=dict)
    clauses: dict[str, Piece] = field(default_factory=dict)
    dropped: dict[str, tuple[Piece, Piece]] = field(default_factory=dict)
    dropped_parameters: dict[str, Piece] = field(default_factory=dict)
    claims: dict[str, Piece] = field(default_factory=dict)
    files: dict[str, Source] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)

    def gone(self, name: str) -> str | None:
        """Where a clause or parameter was dropped, if it was."""
        drop = self.dropped[name][1] if name in self.dropped else self.dropped_parameters.get(name)
        return None if drop is None else f"'{drop.origin}' drops it at {drop.span}"


def flatten(source: Source, find: Find) -> Flat:
    """The flat rule set of a file.

    Raises:
        RulesError: a file does not parse, a parent cannot be found, or the chain of parents is a circle.
            Faults of single pieces are collected in `Flat.problems` instead.
    """
    return _flatten(source, find, ())


@lru_cache(maxsize=32)
def _parsed(source: Source) -> Tree[Token]:
    """The tree of a source; a family of rule sets reads the files that all extend again and again."""
    return parse(source)


def _flatten(source: Source, find: Find, chain: tuple[tuple[str, Source], ...]) -> Flat:
    tree = _parsed(source)
    header = _header(tree)
    what, name, title = _word(header.children[0]), header.children[1], _text(header.children[2])
    parent = cast("Token | None", header.children[3])
    if what == "part":
        span = span_of(cast(Token, name), source.name)
        hint = f'a rule set takes it in: ruleset NAME "..." extends ... with {name}'
        fault = Diagnostic("E0208", f"'{name}' is a part, not a rule set", span, hint)
        raise RulesError((fault,), {source.name: source})
    versions = [_text(t.children[0]) for t in header.find_data("version")]
    if parent is None:
        flat = Flat(str(name), title, versions[-1] if versions else "0")
    else:
        flat = _parent(source, find, chain, str(name), parent)
        flat.parents = (flat.name, *flat.parents)
        flat.name, flat.title = str(name), title
        flat.version = versions[-1] if versions else flat.version
    own = [p for p in tree.children if isinstance(p, Tree) and p.data in _MERGERS]
    _check_versions(flat, source, list(header.find_data("version")))
    flat.claims, flat.own_parts = {}, ()
    decided = {_subject(piece) for piece in own}
    for token in header.children[4].children if isinstance(header.children[4], Tree) else ():
        _take_in(flat, cast(Token, token), source, find, decided)
    _merge(flat, source, flat.name, tree, own)
    return flat


def _check_versions(flat: Flat, source: Source, lines: list[Tree[Token]]) -> None:
    """A version is one word, since records of games name it in a line with others."""
    for line in lines[1:]:
        span = span_of(line, source.name)
        flat.problems.append(Diagnostic("E0202", "a rule set has one version, and this is a second one", span))
    for line in lines:
        if not re.fullmatch(_VERSION, _text(line.children[0])):
            span = span_of(cast(Token, line.children[0]), source.name)
            hint = "letters, digits and . + - _ : in one word, such as 1.0.0"
            flat.problems.append(Diagnostic("E0101", "this is no version", span, hint))


def _merge(flat: Flat, source: Source, origin: str, tree: Tree[Token], pieces: list[Tree[Token]]) -> None:
    """Let the pieces of a file take effect."""
    flat.files[source.name] = source
    for line in _header(tree).find_data("source"):
        flat.headers[str(line.children[0])] = Piece(line, source, origin)
    for piece in pieces:
        _MERGERS[piece.data](flat, Piece(piece, source, origin))


def _take_in(flat: Flat, token: Token, source: Source, find: Find, decided: set[str]) -> None:
    """Let a part take effect; `decided` names what the rule set that takes it in decides by itself."""
    span = span_of(token, source.name)
    found = find(str(token), source)
    if found is None:
        hint = f"a part is looked for beside this file and among those that come with biriba: {_known_parts()}"
        fault = Diagnostic("E0205", f"there is no part '{token}' to take in", span, _like(token) or hint)
        raise RulesError((fault,), {source.name: source})
    tree = _parsed(found)
    header = _header(tree)
    if _word(header.children[0]) != "part":
        hint = f"a rule set is built on: extends {token}"
        fault = Diagnostic("E0208", f"'{token}' is a rule set, not a part", span, hint)
        raise RulesError((fault,), {source.name: source})
    if str(token) in flat.parts:
        fault = Diagnostic("E0202", f"part '{token}' is taken in twice", span, "once is enough; a parent may have it")
        flat.problems.append(fault)
        return
    pieces = [p for p in tree.children if isinstance(p, Tree) and p.data in _MERGERS]
    for piece in pieces:
        subject, there = _subject(piece), Piece(piece, found, str(token))
        other = flat.claims.get(subject)
        if other is not None and subject not in decided:
            message = f"parts '{other.origin}' and '{token}' contradict each other: both change {subject}"
            hint = f"say in rule set '{flat.name}' what holds: change {subject} there, too"
            flat.problems.append(Diagnostic("E0209", message, span, hint))
        flat.claims[subject] = there
    flat.parts, flat.own_parts = (*flat.parts, str(token)), (*flat.own_parts, str(token))
    _merge(flat, found, str(token), tree, pieces)


def _like(name: str) -> str | None:
    """A rule set or part whose name is like one that is not there."""
    from biriba.language.load import available, available_parts

    return did_you_mean(name, [*available(), *available_parts()])


def _known_parts() -> str:
    from biriba.language.load import available_parts

    return ", ".join(sorted(available_parts()))


def _subject(piece: Tree[Token]) -> str:
    """What a piece declares or changes, in words."""
    if piece.data == "clause":
        return f"clause '{piece.children[1]}'"
    return f"{'clause' if piece.data == 'drop' else 'parameter'} '{piece.children[0]}'"


def title_of(source: Source) -> str:
    """The title of a rule set or part.

    Raises:
        RulesError: the source does not parse.
    """
    return _text(_header(parse(source)).children[2])


def _header(tree: Tree[Token]) -> Tree[Token]:
    return next(part for part in tree.children if isinstance(part, Tree) and part.data == "header")


def _word(tree: object) -> str:
    assert isinstance(tree, Tree)
    return str(tree.children[0])


def _parent(source: Source, find: Find, chain: tuple[tuple[str, Source], ...], name: str, parent: Token) -> Flat:
    span = span_of(parent, source.name)
    chain = (*chain, (name, source))
    names = [n for n, _ in chain]
    if parent in names:
        circle = " extends ".join([*names[names.index(str(parent)) :], str(parent)])
        raise RulesError(
            (Diagnostic("E0206", f"rule sets extend one another in a circle: {circle}", span),),
            {s.name: s for _, s in chain},
        )
    found = find(str(parent), source)
    if found is None:
        message = f"there is no rule set '{parent}' to extend"
        hint = (
            "a parent is looked for beside this file and among the rule sets that come with biriba;"
            " `biriba variants --list` names these"
        )
        raise RulesError((Diagnostic("E0205", message, span, _like(parent) or hint),), {source.name: source})
    return _flatten(found, find, chain)


def _parameter(flat: Flat, piece: Piece) -> None:
    name = str(piece.tree.children[0])
    if name in flat.parameters:
        first = flat.parameters[name]
        hint = f"it was declared at {first.span}"
        if first.origin != piece.origin:
            hint += f"; to change its value write: set {name} = ..."
        flat.problems.append(Diagnostic("E0202", f"parameter '{name}' is declared twice", piece.span, hint))
        return
    flat.parameters[name] = piece


def _setting(flat: Flat, piece: Piece) -> None:
    name = str(piece.tree.children[0])
    if name not in flat.parameters:
        hint = flat.gone(name) or did_you_mean(name, flat.parameters)
        flat.problems.append(Diagnostic("E0201", f"there is no parameter '{name}' to set", piece.span, hint))
        return
    first = flat.settings.get(name)
    if first is not None and (first.origin, first.source) == (piece.origin, piece.source):
        hint = f"the first time is at {first.span}; leave one of them out"
        flat.problems.append(Diagnostic("E0202", f"parameter '{name}' is set twice", piece.span, hint))
        return
    flat.settings[name] = piece


def _clause(flat: Flat, piece: Piece) -> None:
    replaces, id_ = piece.tree.children[0] is not None, str(piece.tree.children[1])
    known = flat.clauses.get(id_)
    span = span_of(piece.tree.children[1], piece.source.name)
    if replaces and known is None:
        hint = flat.gone(id_) or did_you_mean(id_, flat.clauses) or "without `replace`, a clause is added"
        flat.problems.append(Diagnostic("E0207", f"there is no clause '{id_}' to replace", span, hint))
    elif replaces and known is not None and known.origin == piece.origin:
        hint = f"it stands at {known.span}, in the same rule set; change it there"
        flat.problems.append(Diagnostic("E0204", f"clause '{id_}' is replaced by its own rule set", span, hint))
    elif not replaces and known is not None:
        hint = f"the first is at {known.span}"
        if known.origin != piece.origin:
            hint += f"; to change what '{known.origin}' says write: replace clause {id_}"
        flat.problems.append(Diagnostic("E0204", f"clause '{id_}' is declared twice", span, hint))
    else:
        chapter = known.chapter if known else chapter_at(piece.source, span.line) or _chapter_like(flat, id_)
        flat.clauses[id_] = replace(piece, chapter=chapter)


def _chapter_like(flat: Flat, id_: str) -> str:
    """The chapter of an added clause that stands in none: that of the last clause of its group, or the last."""
    group = id_.partition(".")[0]
    alike = [piece.chapter for known, piece in flat.clauses.items() if known.partition(".")[0] == group]
    return (alike or [piece.chapter for piece in flat.clauses.values()] or [""])[-1]


def _drop(flat: Flat, piece: Piece) -> None:
    id_ = str(piece.tree.children[0])
    if id_ not in flat.clauses:
        hint = flat.gone(id_) or did_you_mean(id_, flat.clauses)
        flat.problems.append(Diagnostic("E0207", f"there is no clause '{id_}' to drop", piece.span, hint))
        return
    flat.dropped[id_] = (flat.clauses.pop(id_), piece)


def _drop_parameter(flat: Flat, piece: Piece) -> None:
    name = str(piece.tree.children[0])
    if name not in flat.parameters:
        hint = flat.gone(name) or did_you_mean(name, flat.parameters)
        flat.problems.append(Diagnostic("E0207", f"there is no parameter '{name}' to drop", piece.span, hint))
        return
    del flat.parameters[name]
    flat.settings.pop(name, None)
    flat.dropped_parameters[name] = piece


def _text(token: object) -> str:
    """The contents of a string token."""
    return unquote(str(token))


def unquote(literal: str) -> str:
    """The contents of a string literal: `\\"`, `\\\\` and `\\n` are the only escapes that change."""
    return literal[1:-1].replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")


_MERGERS: dict[str, Callable[[Flat, Piece], None]] = {
    "parameter": _parameter,
    "setting": _setting,
    "clause": _clause,
    "drop": _drop,
    "drop_parameter": _drop_parameter,
}
