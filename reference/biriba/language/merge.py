"""Inheritance: from a rule file and the files it extends to one flat list of parameters and clauses.

A rule set that `extends` another begins with all of its parameters and clauses, in their order. It
may then set a parameter, add a clause (it comes last), replace a clause (it keeps its place) or drop
one. Nothing is typed here: the clauses stay syntax trees.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import cast

from lark import Token, Tree

from biriba.language.chapters import chapter_at
from biriba.language.diagnostics import Diagnostic, RulesError, did_you_mean
from biriba.language.parser import parse, span_of
from biriba.language.source import Source
from biriba.model.span import Span

Find = Callable[[str, Source], Source | None]
"""Finds the source of a rule set by its name, seen from the file that extends it."""


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
        headers: `source` lines, own and inherited, by id.
        settings: for each parameter that a child sets, the piece that sets it last.
        dropped: for each clause that a child drops, the piece that drops it.
        files: every source read, by name.
        problems: faults found so far.
    """

    name: str
    title: str
    version: str
    parents: tuple[str, ...] = ()
    headers: dict[str, Piece] = field(default_factory=dict)
    parameters: dict[str, Piece] = field(default_factory=dict)
    settings: dict[str, Piece] = field(default_factory=dict)
    clauses: dict[str, Piece] = field(default_factory=dict)
    dropped: dict[str, Piece] = field(default_factory=dict)
    files: dict[str, Source] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)


def flatten(source: Source, find: Find) -> Flat:
    """The flat rule set of a file.

    Raises:
        RulesError: a file does not parse, a parent cannot be found, or the chain of parents is a circle.
            Faults of single pieces are collected in `Flat.problems` instead.
    """
    return _flatten(source, find, ())


def _flatten(source: Source, find: Find, chain: tuple[tuple[str, Source], ...]) -> Flat:
    tree = parse(source)
    header = next(tree.find_data("header"))
    name, title = header.children[0], _text(header.children[1])
    parent = cast("Token | None", header.children[2])
    versions = [_text(t.children[0]) for t in header.find_data("version")]
    if parent is None:
        flat = Flat(str(name), title, versions[-1] if versions else "0")
    else:
        flat = _parent(source, find, chain, str(name), parent)
        flat.parents = (flat.name, *flat.parents)
        flat.name, flat.title = str(name), title
        flat.version = versions[-1] if versions else flat.version
    flat.files[source.name] = source
    for line in header.find_data("source"):
        flat.headers[str(line.children[0])] = Piece(line, source, flat.name)
    for piece in tree.children:
        if isinstance(piece, Tree) and piece.data in _MERGERS:
            _MERGERS[piece.data](flat, Piece(piece, source, flat.name))
    return flat


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
        hint = "a parent is looked for beside this file and among the rule sets that come with biriba"
        raise RulesError((Diagnostic("E0205", message, span, hint),), {source.name: source})
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
        hint = did_you_mean(name, flat.parameters)
        flat.problems.append(Diagnostic("E0201", f"there is no parameter '{name}' to set", piece.span, hint))
        return
    flat.settings[name] = piece


def _clause(flat: Flat, piece: Piece) -> None:
    replaces, id_ = piece.tree.children[0] is not None, str(piece.tree.children[1])
    known = flat.clauses.get(id_)
    span = span_of(piece.tree.children[1], piece.source.name)
    if replaces and known is None:
        hint = did_you_mean(id_, flat.clauses) or "without `replace`, a clause is added"
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
    group = id_.split(".")[0]
    alike = [piece.chapter for known, piece in flat.clauses.items() if known.split(".")[0] == group]
    return (alike or [piece.chapter for piece in flat.clauses.values()] or [""])[-1]


def _drop(flat: Flat, piece: Piece) -> None:
    id_ = str(piece.tree.children[0])
    if id_ not in flat.clauses:
        hint = did_you_mean(id_, flat.clauses)
        flat.problems.append(Diagnostic("E0207", f"there is no clause '{id_}' to drop", piece.span, hint))
        return
    del flat.clauses[id_]
    flat.dropped[id_] = piece


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
}
