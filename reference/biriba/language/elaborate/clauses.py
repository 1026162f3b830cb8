"""What every clause has: sentences with holes, sources, examples."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from typing import cast

from lark import Token, Tree

from biriba.language.diagnostics import did_you_mean
from biriba.language.elaborate.names import Fault, Scope
from biriba.language.elaborate.parameters import shown
from biriba.language.elaborate.prose import sentences
from biriba.language.elaborate.work import Work
from biriba.language.merge import Piece, unquote
from biriba.language.parser import span_of
from biriba.model import ruleset as r


def sources(work: Work) -> dict[str, r.Source]:
    found = {}
    for id_, piece in work.flat.headers.items():
        _, file, language = piece.tree.children
        found[id_] = r.Source(id_, unquote(str(file)), None if language is None else str(language))
    return found


def _clause(work: Work, id_: str, piece: Piece, sources: dict[str, r.Source]) -> r.Clause:
    file = piece.source.name
    parts: dict[str, list[Tree[Token]]] = defaultdict(list)
    for tree in piece.tree.children[2:]:
        if isinstance(tree, Tree):
            parts[str(tree.data)].append(tree)
    cites = tuple(_cite(c, sources, file) for t in parts["cites"] for c in t.children)
    scope = Scope(file, work.clause_vars[id_], acting=True)
    prose = sentences(work, [t for p in parts["prose"] for t in p.children], Scope(file))
    says = None
    if parts["says"] and id_ not in work.broken:
        says = sentences(work, list(parts["says"][0].children), scope)
    because = sentences(work, list(parts["ruling"][0].children), Scope(file)) if parts["ruling"] else None
    examples = tuple(_example(t, id_, file) for t in parts["example"])
    text = _source_text(piece)
    mentioned = tuple(sorted(_words(text) & work.names.parameters.keys()))
    values = "\n".join(f"{name}={shown(work.names.parameters[name].value)}" for name in mentioned)
    return r.Clause(
        id=id_,
        prose=prose,
        says=says,
        cites=cites,
        covers=tuple(str(t) for c in parts["covers"] for t in c.children),
        because=because,
        follows=tuple(str(t) for f in parts["follows"] for t in f.children),
        examples=examples,
        origin=piece.origin,
        source=text,
        mentions=mentioned,
        digest=hashlib.sha256(f"{text}\n{values}".encode()).hexdigest()[:16],
        chapter=piece.chapter,
        span=piece.span,
    )


def _words(text: str) -> set[str]:
    """The names that stand in the formal lines of a clause and between the braces of its sentences."""
    code = re.sub(r'"[^"]*"', lambda quoted: " ".join(re.findall(r"\{[^{}]*\}", quoted[0])), text)
    return set(re.findall(r"(?<!\w)(?<!\w\.)[a-z_][a-z0-9_]*(?!\w|\.\w)", re.sub(r"#.*", "", code)))


def _cite(tree: object, sources: dict[str, r.Source], file: str) -> r.Cite:
    assert isinstance(tree, Tree)
    source, section = tree.children
    if str(source) not in sources:
        hint = did_you_mean(str(source), sources) or f'name it in the header: source {source} "file"'
        raise Fault("E0212", f"there is no source '{source}'", span_of(cast(Token, source), file), hint)
    return r.Cite(str(source), str(section))


def _example(tree: Tree[Token], clause: str, file: str) -> r.Example:
    title, *lines = tree.children
    found = []
    for token in cast("list[Token]", lines):
        keyword, _, text = str(token).partition(" ")
        found.append(r.ExampleLine(keyword, text.split("#")[0].strip(), span_of(token, file)))
    return r.Example(unquote(str(title)), clause, tuple(found), span_of(tree, file))


def _check_follows(work: Work, found: dict[str, r.Clause]) -> None:
    for clause_id, piece in work.flat.clauses.items():
        lines = [line for line in piece.tree.children if isinstance(line, Tree) and line.data == "follows"]
        for token in (t for line in lines for t in cast("list[Token]", line.children)):
            if str(token) not in found:
                message = f"clause '{clause_id}' follows from '{token}', which does not exist"
                hint = "a child drops it" if str(token) in work.flat.dropped else did_you_mean(token, found)
                with work.names.catching():
                    raise Fault("E0201", message, span_of(token, piece.source.name), hint)


def all_clauses(work: Work, known: dict[str, r.Source]) -> dict[str, r.Clause]:
    """All clauses by id, in order."""
    found = {}
    for id_, piece in work.flat.clauses.items():
        with work.names.catching():
            found[id_] = _clause(work, id_, piece, known)
    _check_follows(work, found)
    return found


def _source_text(piece: Piece) -> str:
    """The lines of a clause as written, without what follows its last line."""
    span = piece.span
    lines = list(piece.source.lines[span.line - 1 : span.end_line])
    while lines and (not lines[-1].strip() or not lines[-1].startswith((" ", "clause", "replace"))):
        lines.pop()
    return "\n".join(line.rstrip() for line in lines)
