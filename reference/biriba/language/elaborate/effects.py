"""From syntax trees of effects to statements, each shown to be possible where it stands."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from lark import Token, Tree

from biriba.language.diagnostics import did_you_mean
from biriba.language.elaborate import facts
from biriba.language.elaborate.expressions import Expressions
from biriba.language.elaborate.names import Fault, Names, Scope
from biriba.language.elaborate.table import check_range
from biriba.language.parser import span_of
from biriba.model import expr as x
from biriba.model import stmt as s
from biriba.model.ruleset import Action
from biriba.model.span import Span
from biriba.model.types import BOOL, CARD, SEAT, number

Syntax = Tree[Token] | Token


class Effects:
    """Elaborates blocks of effects.

    Attributes:
        moved: names of the zones that something is moved into, for the lint.
        entered: names of the phases that something goes to.
        trusting: some guard is faulty, so that what it would have made sure is not missed again.
    """

    def __init__(self, names: Names, expressions: Expressions) -> None:
        self.names, self.expressions = names, expressions
        self.moved: set[str] = set()
        self.entered: set[str] = set()
        self.trusting = False

    def suite(self, tree: Syntax, scope: Scope, action: Action | None = None) -> s.Block:
        """The effects of a suite in order.

        Args:
            action: the action whose own effects these are; its domains say which cards are there.

        Raises:
            Fault: an effect is ill-typed or may be impossible.
        """
        effects: list[s.Effect] = []
        for child in _effects(tree):
            effects.append(self._effect(child, scope, action))
            scope = replace(scope, facts=facts.surviving(scope.facts, _changed(effects[-1])))
            if action is not None:
                action = _still_held(action, _lessened(effects[-1]))
        return tuple(effects)

    def _effect(self, tree: Tree[Token], scope: Scope, action: Action | None) -> s.Effect:
        span = span_of(tree, scope.file)
        match tree.data:
            case "move":
                return self._move(tree, scope, action, span)
            case "move_top" | "move_all":
                return self._move_pile(tree, scope, span)
            case "lay":
                return self._lay(tree, scope, action, span)
            case "grow_meld":
                return self._grow(tree, scope, action, span)
            case "assign":
                target = self.expressions.state_ref(tree.children[0], scope)
                wanted = self.names.states[target.name].type
                value = self.expressions.of_type(tree.children[1], scope, wanted)
                check_range(value, wanted, target.name)
                return s.Assign(target=target, value=value, span=span)
            case "go":
                phase = self.names.phase(cast(Token, tree.children[0]), scope.file)
                self.entered.add(phase)
                return s.GoTo(phase=phase, span=span)
            case "turn_goes":
                return s.TurnTo(seat=self.expressions.of_type(tree.children[0], scope, SEAT), span=span)
            case "end_deal":
                return s.EndDeal(span=span)
            case "shuffle":
                pile = self._pile(tree.children[0], scope)
                self.moved.add(pile.name)
                return s.Shuffle(target=pile, span=span)
            case "cut":
                seat = self.expressions.of_type(tree.children[1], scope, SEAT)
                return s.Cut(target=self._pile(tree.children[0], scope), seat=seat, span=span)
            case "when":
                condition = self.expressions.boolean(tree.children[0], scope)
                then = self.suite(tree.children[1], scope.knowing(facts.when_true(condition)), action)
                other = tree.children[2]
                otherwise = (
                    () if other is None else self.suite(other, scope.knowing(facts.when_false(condition)), action)
                )
                return s.When(condition=condition, then=then, otherwise=otherwise, span=span)
            case "for_each":
                binder, inner = self.expressions.binder(tree.children[0], scope)
                return s.ForEach(binder=binder, body=self.suite(tree.children[1], inner.forgetting()), span=span)
            case "repeat":
                times = self.expressions.of_type(tree.children[0], scope, number())
                return s.Repeat(times=times, body=self.suite(tree.children[1], scope.forgetting()), span=span)
            case "with_one":
                last = str(cast("Tree[Token]", tree.children[0]).children[0]) == "last"
                binder, inner = self.expressions.binder(tree.children[1], scope)
                return s.WithOne(last=last, binder=binder, body=self.suite(tree.children[2], inner), span=span)
        raise AssertionError(tree.data)

    # ------------------------------------------------------------ moving cards

    def _move(self, tree: Tree[Token], scope: Scope, action: Action | None, span: Span) -> s.Effect:
        source, target = self.expressions.ref(tree.children[1], scope), self._target(tree.children[2], scope)
        what = self.expressions.expr(tree.children[0], scope)
        if what.type.kind == "int":
            self._must_be_pile(source)
            return self._counted(what, source, target, scope, span)
        self.expressions.require_type(what, CARD)
        self._one_zone(source)
        if source.type.detail == "melds":
            raise Fault("E0305", "cards are not taken out of melds", source.span, "melds only grow")
        held = action is not None and any(
            p.domain == "card" and p.zone == source and isinstance(what, x.Var) and what.name == p.name
            for p in action.params
        )
        if not held and x.Contains(card=what, zone=source, type=BOOL) not in scope.facts:
            hint = (
                "take the card as a parameter of the action: `c: card in ...`, and move it before others are taken"
                " from there; or write: when c in ...: move c ..."
            )
            raise Fault("E0403", "this card may not lie there", what.span, hint)
        return s.MoveCard(card=what, source=source, target=target, span=span)

    def _move_pile(self, tree: Tree[Token], scope: Scope, span: Span) -> s.Effect:
        source = self.expressions.ref(tree.children[0], scope)
        self._one_zone(source)
        if tree.data == "move_all" and source.type.detail == "melds":
            target = self.expressions.ref(tree.children[1], scope)
            self._one_zone(target)
            self.moved.add(target.name)
            return s.MoveAll(source=source, target=target, span=span)
        target = self._target(tree.children[1], scope)
        if tree.data == "move_all":
            return s.MoveAll(source=source, target=target, span=span)
        self._must_be_pile(source)
        return self._counted(x.Const(value=1, type=number(1, 1), span=span), source, target, scope, span)

    def _counted(self, count: x.Node, source: x.Zone, target: x.Zone, scope: Scope, span: Span) -> s.Effect:
        """Moving cards from the top of a pile: inside the deal the counts are checked by dealing."""
        most = count.type.high
        sure = most is not None and facts.at_least(source, scope.facts) >= most
        if scope.acting and not self.trusting and not sure:
            hint = f"add a guard such as: on ... require {source.name} is not empty"
            raise Fault("E0403", f"'{source.name}' may hold fewer cards than are moved", span, hint)
        return s.MoveTop(count=count, source=source, target=target, span=span)

    def _target(self, tree: Syntax, scope: Scope) -> x.Zone:
        target = self.expressions.ref(tree, scope)
        self._one_zone(target)
        if target.type.detail == "melds":
            raise Fault("E0305", "cards come among melds only by `lay` and `grow`", target.span)
        self.moved.add(target.name)
        return target

    def _pile(self, tree: Syntax, scope: Scope) -> x.Zone:
        node = self.expressions.ref(tree, scope)
        self._one_zone(node)
        self._must_be_pile(node)
        return node

    def _must_be_pile(self, node: x.Zone) -> None:
        if node.type.detail != "pile":
            raise Fault("E0301", f"only a pile has a top, and '{node.name}' is a {node.type.detail}", node.span)

    def _one_zone(self, node: x.Zone) -> None:
        decl = self.names.zones[node.name]
        if decl.owner is not None and node.index is None:
            raise Fault(
                "E0306", f"there is one '{node.name}' for each {decl.owner}", node.span, f"write {node.name}[...]"
            )

    # ------------------------------------------------------------ melds

    def _lay(self, tree: Tree[Token], scope: Scope, action: Action | None, span: Span) -> s.Effect:
        name = cast(Token, tree.children[0])
        source, target = self.expressions.ref(tree.children[1], scope), self.expressions.ref(tree.children[2], scope)
        self._one_zone(target)
        if target.type.detail != "melds":
            raise Fault("E0301", f"'{target.name}' holds no melds", target.span)
        params = () if action is None else action.params
        if not any(p.name == str(name) and p.domain == "new_meld" and p.zone == source for p in params):
            hint = "take it as a parameter of the action: `m: meld from ...`, and lay it from there, once"
            raise Fault("E0403", f"'{name}' is no new meld from '{source.name}'", span_of(name, scope.file), hint)
        self.moved.add(target.name)
        return s.Lay(meld=str(name), source=source, target=target, span=span)

    def _grow(self, tree: Tree[Token], scope: Scope, action: Action | None, span: Span) -> s.Effect:
        meld, growth = cast(Token, tree.children[0]), cast(Token, tree.children[1])
        source = self.expressions.ref(tree.children[2], scope)
        params = () if action is None else action.params
        fits = any(
            p.name == str(growth) and p.domain == "growth" and p.of == str(meld) and p.zone == source for p in params
        )
        if not fits:
            hint = did_you_mean(growth, [p.name for p in params]) or "take it as a parameter: `g: growth of m from ...`"
            raise Fault("E0403", f"'{growth}' is no growth of '{meld}' from '{source.name}'", span, hint)
        return s.Grow(meld=str(meld), growth=str(growth), source=source, span=span)


def _effects(tree: Syntax) -> list[Tree[Token]]:
    """The effects of a suite, lines opened up."""
    assert isinstance(tree, Tree)
    found: list[Tree[Token]] = []
    for child in tree.children:
        assert isinstance(child, Tree)
        found += _effects(child) if child.data == "line" else [child]
    return found


def _still_held(action: Action, lessened: set[str]) -> Action:
    """The action with those parameters alone that surely still lie where they did when something was taken away."""
    kept = [p for p in action.params if p.zone is None or lessened.isdisjoint(_places(p.zone))]
    names = {p.name for p in kept}
    return replace(action, params=tuple(p for p in kept if p.of is None or p.of in names))


def _places(zone: x.Zone) -> set[str]:
    """The name of a zone, and those of what tells which one it is."""
    return {part.name for part in zone.walk() if isinstance(part, (x.Zone, x.State))}


def _lessened(effect: s.Effect) -> set[str]:
    """The names of the zones from which an effect may take something, and of the state variables that it may change."""
    found = set[str]()
    for each in s.walk((effect,)):
        match each:
            case s.MoveCard() | s.MoveTop() | s.MoveAll() | s.Lay() | s.Grow():
                found.add(each.source.name)
            case s.Assign() | s.Shuffle():
                found.add(each.target.name)
    return found


def _changed(effect: s.Effect) -> set[str]:
    """The names of the zones and state variables that an effect may change."""
    moves = (s.MoveCard, s.MoveTop, s.MoveAll, s.Lay)
    return _lessened(effect) | {each.target.name for each in s.walk((effect,)) if isinstance(each, moves)}
