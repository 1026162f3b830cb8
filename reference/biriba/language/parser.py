"""The syntax of rule sets: from text to a tree by `grammar/rules.lark`."""

from __future__ import annotations

import functools
import hashlib
import pickle
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import lark
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput
from lark.utils import TextSlice

from biriba.cache import cache_folder
from biriba.data import grammar_dir
from biriba.files import replacing
from biriba.language.diagnostics import Diagnostic, RulesError
from biriba.language.layout import LAYOUT, MAX_NESTING, Layout, LayoutFault
from biriba.language.parts import RULES, split
from biriba.language.source import MAX_BYTES, Source, too_large
from biriba.language.syntax import Place, explain, header_fault
from biriba.model.span import Span

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""They would act on the terminal on which a sentence is printed."""


def parse(source: Source) -> Tree[Token]:
    """The tree of a rule set, with positions.

    Errors: a `RulesError` with all syntax errors of the file: after one, parsing starts anew at the next
    line that begins with `clause`, `parameter` or the like.
    """
    if len(source.text) > MAX_BYTES:
        raise RulesError([Diagnostic("E0110", too_large(), Span(source.name, 0, 0, 0, 0))], {source.name: source})
    text = source.text if source.text.endswith("\n") else source.text + "\n"
    try:
        tree = grammar().parse(text, start="start")
    except (UnexpectedInput, LayoutFault) as error:
        faults = list(_faults(source, text)) or [explain(error, grammar(), Place(source.name, text))]
        raise RulesError(faults, {source.name: source}) from None
    _check_depth(tree.children, source)
    control = _CONTROL.search(text)
    if control is not None:
        span = source.span(control.start(), control.end())
        message = "a control character cannot stand in a text or comment"
        raise RulesError([Diagnostic("E0102", message, span, "a line break in a text is \\n")], {source.name: source})
    return tree


@functools.lru_cache(maxsize=1024)
def parse_expression(source: Source, start: int, end: int) -> Tree[Token]:
    """The tree of the expression between two offsets in a source: a hole in a sentence.

    A token of a tree knows its offset, `start_pos`. The trees are kept: a family of rule sets has most of its sentences
    in common. Errors: a `RulesError`.
    """
    try:
        tree = grammar().parse(TextSlice(source.text, start, end), start="expr")
    except (UnexpectedInput, LayoutFault) as error:
        place = Place(source.name, source.text[:end], hole=start)
        raise RulesError([explain(error, grammar(), place)], {source.name: source}) from None
    _check_depth([tree], source)
    return tree


def span_of(tree_or_token: Tree[Token] | Token, source_name: str) -> Span:
    """Where a tree or token stands; line 0 if it has no text."""
    place: Any = tree_or_token if isinstance(tree_or_token, Token) else tree_or_token.meta
    if getattr(place, "line", None) is None:
        return Span(source_name, 0, 0, 0, 0)
    return Span(source_name, place.line, place.column, place.end_line, place.end_column)


@functools.cache
def grammar() -> Lark:
    """The parser of the rule language, made once; its tables are kept in the user's cache folder."""
    text = (grammar_dir() / "rules.lark").read_text(encoding="utf-8")
    options: dict[str, Any] = {"postlex": Layout(), "propagate_positions": _has_place}
    path = _cache_path(text)
    # A cache that cannot be read or written only costs time; what is in it is as trusted as the user's own files.
    if path is not None:
        with suppress(Exception), path.open("rb") as file:
            loaded: Lark = Lark.__new__(Lark)._load(file, **options)
            return loaded
    parser = Lark(text, parser="lalr", lexer="contextual", start=list(RULES), maybe_placeholders=True, **options)
    if path is not None:
        with suppress(OSError, pickle.PicklingError):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with replacing(path) as aside, aside.open("wb") as file:
                parser.save(file, exclude_options=options)
    return parser


def _faults(source: Source, text: str) -> Iterator[Diagnostic]:
    """The syntax errors of a text that has some, one at most for each of its parts."""
    parts = split(text)
    yield from header_fault(parts, source.name)
    for part in parts:
        try:
            grammar().parse(part.text, start=part.rule)
        except (UnexpectedInput, LayoutFault) as error:
            yield explain(error, grammar(), Place(source.name, part.text, part.line))


def _check_depth(trees: Iterable[Any], source: Source) -> None:
    """Refuses trees so deep that a recursive walk over them could fail; one message for each tree."""
    deep = [node for tree in trees for node in _first_too_deep(tree)]
    if deep:
        message = f"this is nested more than {MAX_NESTING} levels deep"
        hint = "define parts of it by name"
        raise RulesError(
            [Diagnostic("E0109", message, span_of(n, source.name), hint) for n in deep], {source.name: source}
        )


def _first_too_deep(root: Any) -> Iterator[Tree[Token]]:
    stack = [(root, 1)]
    while stack:
        node, depth = stack.pop()
        if depth > MAX_NESTING:
            yield node
            return
        if isinstance(node, Tree):
            stack += [(child, depth + 1) for child in reversed(node.children) if isinstance(child, Tree)]


def _has_place(node: Any) -> bool:
    """Whether the text of a node counts towards the span of the tree around it."""
    return not (isinstance(node, Token) and node.type in LAYOUT)


def _cache_path(text: str) -> Path | None:
    key = hashlib.sha256(f"{lark.__version__} {sys.version} {RULES}\n{text}".encode()).hexdigest()[:24]
    folder = cache_folder()
    return folder and folder / f"rules-{key}.pickle"
