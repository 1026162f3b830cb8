"""Actions with their domains, and what clauses hang on them: guards and consequences."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from lark import Token, Tree

from biriba.language.diagnostics import did_you_mean
from biriba.language.elaborate import facts
from biriba.language.elaborate.cards import clause_of
from biriba.language.elaborate.names import Fault, Scope
from biriba.language.elaborate.work import SCALARS, Work
from biriba.language.merge import Piece
from biriba.language.parser import span_of
from biriba.model import expr as x
from biriba.model import ruleset as r
from biriba.model.types import CARD, Type, number


def action_header(work: Work, tree: Tree[Token], piece: Piece) -> None:
    name, *rest = tree.children
    file = piece.source.name
    if str(name) in work.names.actions:
        first = work.names.actions[str(name)].clause
        raise Fault(
            "E0202",
            f"action '{name}' is declared twice",
            span_of(cast(Token, name), file),
            f"clause '{first}' has it",
        )
    params: list[r.ActionParam] = []
    for part in rest:
        if isinstance(part, Tree) and part.data == "domain_of":
            params.append(_action_param(work, part, params, file))
    phases = tuple(work.names.phase(t, file) for t in rest if isinstance(t, Token))
    work.names.actions[str(name)] = r.Action(str(name), tuple(params), phases, (), clause_of(piece))


def _action_param(work: Work, tree: Tree[Token], before: list[r.ActionParam], file: str) -> r.ActionParam:
    name, domain = str(tree.children[0]), cast("Tree[Token]", tree.children[1])
    scope, span = Scope(file, {p.name: p.type for p in before}, acting=True), span_of(tree, file)
    if name in scope.vars or work.names.ordinary(name):
        raise Fault("E0202", f"'{name}' already means something here", span, work.names.clash_hint(name))
    match domain.data:
        case "new_meld":
            _word(domain.children[0], ("meld",), file)
            zone = work.expressions.ref(domain.children[1], scope)
            return r.ActionParam(name, Type("meld"), "new_meld", zone)
        case "member":
            _word(domain.children[0], ("card", "meld"), file)
            zone = work.expressions.ref(domain.children[1], scope)
            if str(domain.children[0]) == "meld":
                if zone.type.detail != "melds":
                    raise Fault("E0301", f"'{zone.name}' holds no melds", zone.span)
                return r.ActionParam(name, Type("meld", laid=True), "laid_meld", zone)
            return r.ActionParam(name, CARD, "card", zone)
        case "growth":
            _word(domain.children[0], ("growth",), file)
            of = str(domain.children[1])
            if not any(p.name == of and p.domain == "laid_meld" for p in before):
                hint = "name an earlier parameter: `m: meld in melds, g: growth of m from ...`"
                raise Fault("E0201", f"'{of}' is no meld on the table here", span, hint)
            return r.ActionParam(name, Type("growth"), "growth", work.expressions.ref(domain.children[2], scope), of)
        case "any_value":
            word = cast(Token, domain.children[0])
            _word(word, tuple(SCALARS), file)
            return r.ActionParam(name, SCALARS[str(word)], "value")
        case _:
            low, high = (work.expressions.of_type(c, scope, number()) for c in domain.children)
            return r.ActionParam(name, number(low.type.low, high.type.high), "number", None, None, low, high)


def _word(token: object, known: tuple[str, ...], file: str) -> None:
    if str(token) not in known:
        hint = did_you_mean(str(token), known) or f"one of: {', '.join(known)}"
        raise Fault("E0201", f"'{token}' is not known here", span_of(cast(Token, token), file), hint)


def _hooks(work: Work, tree: Tree[Token], piece: Piece) -> list[tuple[r.Action, dict[str, Type]]]:
    """The actions that an `on` names, each with the parameters it lists."""
    found = []
    for hook in cast("Tree[Token]", tree.children[0]).children:
        assert isinstance(hook, Tree)
        token, *words = (t for t in hook.children if t is not None)
        action = work.names.actions.get(str(token))
        span = span_of(cast(Token, token), piece.source.name)
        if action is None and str(token) in _dropped_actions(work):
            continue
        if action is None:
            hint = did_you_mean(str(token), work.names.actions) or work.names.dropped_hint(str(token))
            raise Fault("E0201", f"there is no action '{token}'", span, hint)
        known = {p.name: p.type for p in action.params}
        for word in words:
            if str(word) not in known:
                hint = f"its parameters are: {', '.join(known)}" if known else "it has no parameters"
                message = f"action '{action.name}' has no parameter '{word}'"
                raise Fault("E0201", message, span_of(cast(Token, word), piece.source.name), hint)
        bound = {str(w): known[str(w)] for w in words}
        for name, type_ in bound.items():
            work.bind(piece, name, type_)
        found.append((action, bound))
    return found


def _dropped_actions(work: Work) -> set[str]:
    """The actions of dropped clauses: what hangs on them falls with them."""
    dropped = (piece.tree for piece, _ in work.flat.dropped.values())
    return {str(action.children[0]) for tree in dropped for action in tree.find_data("action")}


def guard(work: Work, tree: Tree[Token], piece: Piece) -> None:
    timing = str(cast("Tree[Token]", tree.children[1]).children[0])
    for action, bound in _hooks(work, tree, piece):
        body = work.expressions.boolean(tree.children[2], Scope(piece.source.name, bound, acting=True))
        work.guards.append(r.Guard(action.name, timing, body, clause_of(piece)))


def _known_before(work: Work, action: r.Action) -> frozenset[x.Node]:
    """What holds when an action begins: its `require` guards."""
    return frozenset(
        fact
        for g in work.guards
        if g.action == action.name and g.timing == "require"
        for fact in facts.when_true(g.body)
    )


def action_effects(work: Work, tree: Tree[Token], piece: Piece) -> None:
    action = work.names.actions[str(tree.children[0])]
    if action.clause != clause_of(piece):
        return
    bound = {p.name: p.type for p in action.params}
    scope = Scope(piece.source.name, bound, _known_before(work, action), acting=True)
    effects = work.effects.suite(tree.children[-1], scope, action)
    work.names.actions[action.name] = replace(action, effects=effects)


def consequence(work: Work, tree: Tree[Token], piece: Piece) -> None:
    moment = str(cast("Tree[Token]", tree.children[1]).children[0])
    for action, bound in _hooks(work, tree, piece):
        known = _known_before(work, action) if moment == "before" else frozenset()
        scope = Scope(piece.source.name, bound, known, acting=True)
        effects = work.effects.suite(tree.children[2], scope)
        work.consequences.append(r.Consequence(action.name, moment, effects, clause_of(piece)))
