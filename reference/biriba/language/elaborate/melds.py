"""Templates of melds, the laws about them and the ways in which they grow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from lark import Token, Tree

from biriba.language.diagnostics import did_you_mean
from biriba.language.elaborate.cards import clause_of
from biriba.language.elaborate.names import Fault, Scope
from biriba.language.elaborate.work import SCALARS, Work
from biriba.language.merge import Piece
from biriba.language.parser import span_of
from biriba.model import expr as x
from biriba.model import ruleset as r
from biriba.model.types import BOOL, CARD, RANK, SUIT, Type, number


def template_header(work: Work, tree: Tree[Token], piece: Piece) -> None:
    name, key_word, key, layout, natural, _ = tree.children
    file = piece.source.name
    if str(layout) not in ("sequence", "group"):
        span = span_of(cast(Token, layout), file)
        raise Fault(
            "E0201",
            f"a meld lies in sequence or in group, not in {layout}",
            span,
            did_you_mean(str(layout), ("sequence", "group")),
        )
    if str(name) in work.names.templates or str(name) in ("meld", *SCALARS):
        raise Fault("E0202", f"template '{name}' is declared twice", span_of(cast(Token, name), file))
    key_type = None
    if key_word is not None:
        if str(key_word) not in ("suit", "rank"):
            raise Fault(
                "E0201",
                f"a template is of a suit or of a rank, not of a {key_word}",
                span_of(cast(Token, key_word), file),
            )
        key_type = SUIT if str(key_word) == "suit" else RANK
    natural = cast("Tree[Token]", natural)
    card, place = str(natural.children[0]), natural.children[1]
    if (place is not None) != (str(layout) == "sequence"):
        hint = "sequence: `natural c at p when ...`; group: `natural c when ...`"
        raise Fault("E0305", "only a sequence has places", span_of(natural, file), hint)
    if str(layout) == "sequence" and work.names.cards is not None and not work.names.cards.places:
        raise Fault(
            "E0210",
            "a sequence needs `places`",
            span_of(tree, file),
            "a clause must declare them: places A 2 3 ...",
        )
    yes = x.Const(value=True, type=BOOL)
    work.names.templates[str(name)] = r.Template(
        str(name), str(layout), None if key is None else str(key), key_type, card,
        None if place is None else str(place), yes, None, clause_of(piece),
    )  # fmt: skip


def template_bodies(work: Work, tree: Tree[Token], piece: Piece) -> None:
    natural, substitute = cast("Tree[Token]", tree.children[4]), tree.children[5]
    template = work.names.templates[str(tree.children[0])]
    bound: dict[str, Type] = {template.card: CARD}
    if template.key is not None and template.key_type is not None:
        bound[template.key] = template.key_type
    if template.place is not None and work.names.cards is not None:
        bound[template.place] = number(1, len(work.names.cards.places))
    scope = Scope(piece.source.name, bound)
    body = work.expressions.boolean(natural.children[2], scope)
    _by_itself(work, body, "how a card may lie")
    other = None
    if isinstance(substitute, Tree):
        alone = Scope(piece.source.name, {**bound, str(substitute.children[0]): CARD})
        if str(substitute.children[0]) != template.card:
            message = f"the card is called '{template.card}' in this template"
            raise Fault(
                "E0201",
                message,
                span_of(substitute, piece.source.name),
                f"write: substitute {template.card} when ...",
            )
        other = work.expressions.boolean(substitute.children[1], alone)
        _by_itself(work, other, "how a card may lie")
    work.names.templates[template.name] = replace(template, natural=body, substitute=other)


def law(work: Work, tree: Tree[Token], piece: Piece) -> r.Law:
    word, var, body = tree.children
    type_ = work.expressions.type_named(cast(Token, word), piece.source.name)
    if type_.kind != "meld":
        message = f"a law is about melds, not about a {type_.kind}"
        hint = "what must hold for all of them in every position is an invariant: invariant every ..."
        raise Fault("E0305", message, span_of(cast(Token, word), piece.source.name), hint)
    work.bind(piece, str(var), type_)
    node = work.expressions.boolean(cast("Tree[Token]", body), Scope(piece.source.name, {str(var): type_}))
    _by_itself(work, node, "whether a meld is lawful")
    return r.Law(type_.detail, str(var), node, clause_of(piece))


_POSITION = (x.State, x.Zone, x.Everywhere, x.Context, x.PhaseIs, x.May, x.Old)
_LAWFUL = (x.Grown, x.MeldsFrom)
_GUARD = "a condition on the situation is a guard: on ... require ..."


def _by_itself(work: Work, node: x.Node, what: str) -> None:
    """
    Raises:
        Fault: a condition on melds or their cards looks at the position or the match, or at which melds
            are lawful; that is what it has to say itself.
    """
    for part in _reached(work, node, set()):
        called = part.function if isinstance(part, x.Call) else ""
        if isinstance(part, _POSITION) or called in ("total", "subtotal", "points"):
            raise Fault("E0305", f"{what} cannot depend on the position", part.span, _GUARD)
        if isinstance(part, _LAWFUL) or called in ("lawful", "room"):
            raise Fault("E0305", f"{what} cannot depend on which melds are lawful", part.span, _GUARD)


def _reached(work: Work, node: x.Node, seen: set[str]) -> Iterator[x.Node]:
    """All expressions in an expression and in the definitions that it applies."""
    for part in node.walk():
        yield part
        if isinstance(part, x.Apply) and part.definition not in seen and part.definition in work.names.definitions:
            seen.add(part.definition)
            yield from _reached(work, work.names.definitions[part.definition].body, seen)


def growing(work: Work, tree: Tree[Token], piece: Piece) -> r.Growing:
    token = cast(Token, tree.children[0])
    template = work.names.templates.get(str(token))
    if template is None:
        hint = did_you_mean(token, work.names.templates)
        raise Fault("E0201", f"there is no template '{token}'", span_of(token, piece.source.name), hint)
    mode = str(tree.data).removeprefix("grow_")
    wanted, layout = {
        "end": (("an", "end"), "sequence"),
        "card": (("card",), "group"),
        "shift": (("an", "end"), "sequence"),
    }[mode]
    words = tuple(str(t) for t in tree.children[1:])
    if words != wanted:
        hint = f"write: {' '.join(wanted)}"
        raise Fault("E0101", f"'{' '.join(words)}' is not known here", span_of(tree, piece.source.name), hint)
    if template.layout != layout:
        message = f"a {template.name} lies in {template.layout}, so it cannot grow this way"
        raise Fault("E0305", message, span_of(tree, piece.source.name))
    return r.Growing(template.name, mode, clause_of(piece))
