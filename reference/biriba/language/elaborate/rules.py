"""From a flat list of clauses to the typed rule set: the items of all clauses, kind by kind.

Items are taken in the order in which they depend on one another (cards, table, zones, melds, actions,
then everything that has expressions), whatever their order in the file. The order of clauses decides
only where it means something: consequences, steps of the deal, lines of the score sheet.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar, cast

from lark import Token, Tree

from biriba.language.diagnostics import Diagnostic, RulesError, did_you_mean
from biriba.language.elaborate import facts
from biriba.language.elaborate.cards import Item, clause_of, constant, elaborate_cards
from biriba.language.elaborate.cycles import check_cycles
from biriba.language.elaborate.dealing import check_deal
from biriba.language.elaborate.effects import Effects
from biriba.language.elaborate.expressions import Expressions
from biriba.language.elaborate.names import Fault, Names, Scope
from biriba.language.elaborate.table import declare_state, declare_zone, elaborate_table
from biriba.language.lint import lint
from biriba.language.merge import Flat, Piece, unquote
from biriba.language.parser import parse_expression, span_of
from biriba.model import expr as x
from biriba.model import ruleset as r
from biriba.model.frozen import FrozenMap
from biriba.model.types import BOOL, CARD, RANK, SEAT, SIDE, SUIT, Type, number

T = TypeVar("T")
_SCALARS = {"card": CARD, "rank": RANK, "suit": SUIT, "seat": SEAT, "side": SIDE}
_META = ("prose", "cites", "covers", "ruling", "says", "example", "follows")


def elaborate(flat: Flat) -> tuple[r.Ruleset, tuple[Diagnostic, ...]]:
    """The typed rule set of a flat one, and the lint's warnings about it.

    Raises:
        RulesError: with every fault that was found.
    """
    return _Elaborator(flat).run()


class _Elaborator:
    def __init__(self, flat: Flat) -> None:
        self.flat = flat
        self.names = Names(flat, list(flat.problems))
        self.expressions = Expressions(self.names)
        self.effects = Effects(self.names, self.expressions)
        self.items: dict[str, list[Item]] = defaultdict(list)
        self.clause_vars: dict[str, dict[str, Type]] = defaultdict(dict)
        self.guards: list[r.Guard] = []
        self.consequences: list[r.Consequence] = []

    def run(self) -> tuple[r.Ruleset, tuple[Diagnostic, ...]]:
        for piece in self.flat.clauses.values():
            for tree in piece.tree.children[2:]:
                if isinstance(tree, Tree) and tree.data not in _META:
                    self.items[str(tree.data)].append((tree, piece))
        self._parameters()
        self._stop_if_broken()
        elaborate_cards(self.names, self.items, self._count)
        elaborate_table(self.names, self.items)
        self._stop_if_broken()
        self._headers()
        self._stop_if_broken()
        ruleset = self._bodies()
        self._stop_if_broken()
        with self.names.catching():
            check_cycles(ruleset)
        with self.names.catching():
            check_deal(ruleset.deal, ruleset.cards.total, ruleset.parameters, ruleset.table)
        self._stop_if_broken()
        return ruleset, lint(ruleset, self.names.used, self.effects.moved, self.effects.entered)

    def _stop_if_broken(self) -> None:
        """Later stages would only repeat what is wrong already."""
        if self.names.problems:
            unique = tuple(dict.fromkeys(self.names.problems))
            raise RulesError(unique, self.flat.files)

    # ------------------------------------------------------------ parameters

    def _parameters(self) -> None:
        for name, piece in self.flat.parameters.items():
            with self.names.catching():
                self.names.parameters[name] = self._parameter(name, piece)

    def _parameter(self, name: str, piece: Piece) -> r.Parameter:
        _, value_tree, limits, unit, text = piece.tree.children
        setting = self.flat.settings.get(name)
        source = setting or piece
        value_tree = cast("Tree[Token]", setting.tree.children[1] if setting else value_tree)
        span = span_of(value_tree, source.source.name)
        value = _literal(value_tree)
        words = "" if text is None else unquote(str(text))
        if isinstance(limits, Tree) and limits.data == "options":
            options = tuple(str(t) for t in limits.children)
            if value not in options:
                hint = did_you_mean(str(value), options) or f"one of: {', '.join(options)}"
                raise Fault("E0501", f"parameter '{name}' cannot be '{_shown(value)}'", span, hint)
            type_ = Type("option", detail=name)
            return r.Parameter(name, value, type_, None, None, options, None, words, piece.span)
        if isinstance(_literal(cast("Tree[Token]", piece.tree.children[1])), bool):
            if not isinstance(value, bool):
                raise Fault("E0301", f"parameter '{name}' is yes or no, not '{_shown(value)}'", span)
            return r.Parameter(name, value, BOOL, text=words, span=piece.span)
        if not isinstance(value, int) or isinstance(value, bool):
            raise Fault("E0301", f"parameter '{name}' is a number, not '{_shown(value)}'", span)
        low, high = (None, None) if limits is None else (_literal(t) if t else None for t in limits.children)
        if (isinstance(low, int) and value < low) or (isinstance(high, int) and value > high):
            allowed = f"{_open(low)}..{_open(high)}"
            message = f"parameter '{name}' is {value}, outside its range {allowed}"
            hint = f"the range is declared at {piece.span}" if setting else None
            raise Fault("E0501", message, span, hint)
        bounds = (cast("int | None", low), cast("int | None", high))
        return r.Parameter(name, value, number(), *bounds, (), None if unit is None else str(unit), words, piece.span)

    def _count(self, tree: object, piece: Piece) -> int:
        """A constant expression: how many packs, how many jokers."""
        inner = tree
        if isinstance(inner, Tree) and inner.data in ("integer", "name"):
            return constant(self.names, inner, piece)
        node = self.expressions.of_type(cast("Tree[Token]", tree), Scope(piece.source.name), number())
        if node.type.low is None or node.type.low != node.type.high:
            raise Fault("E0305", "this must be a number that the rules fix", node.span, "use digits and parameters only")
        return node.type.low

    # ------------------------------------------------------------ declarations

    def _headers(self) -> None:
        """Everything that expressions may name: zones, phases, templates, definitions, states, actions."""
        names = self.names
        for tree, piece in self.items["zone"]:
            with names.catching():
                declare_zone(names, self.expressions, tree, piece)
        phases: list[str] = []
        for tree, piece in self.items["phases"]:
            for token in tree.children:
                with names.catching():
                    if str(token) in (*phases, r.OVER):
                        raise Fault("E0202", f"phase '{token}' is declared twice", span_of(token, piece.source.name))
                    phases.append(str(token))
        names.phases = tuple(phases)
        for tree, piece in self.items["template"]:
            with names.catching():
                self._template_header(tree, piece)
        for tree, piece in self.items["define"]:
            with names.catching():
                token = cast(Token, tree.children[0])
                if names.ordinary(str(token)) or str(token) == "phase":
                    hint = "every parameter, zone, state variable and definition needs a name of its own"
                    raise Fault("E0202", f"'{token}' is declared twice", span_of(token, piece.source.name), hint)
                names.definition_trees[str(token)] = (tree, piece)
        for tree, piece in self.items["state"]:
            with names.catching():
                declare_state(names, self.expressions, tree, piece)
        for tree, piece in self.items["template"]:
            with names.catching():
                self._template_bodies(tree, piece)
        for tree, piece in self.items["action"]:
            with names.catching():
                self._action_header(tree, piece)

    def _template_header(self, tree: Tree[Token], piece: Piece) -> None:
        name, key_word, key, layout, natural, _ = tree.children
        file = piece.source.name
        if str(layout) not in ("sequence", "group"):
            span = span_of(cast(Token, layout), file)
            raise Fault("E0201", f"a meld lies in sequence or in group, not in {layout}", span, did_you_mean(str(layout), ("sequence", "group")))
        if str(name) in self.names.templates or str(name) in ("meld", *_SCALARS):
            raise Fault("E0202", f"template '{name}' is declared twice", span_of(cast(Token, name), file))
        key_type = None
        if key_word is not None:
            if str(key_word) not in ("suit", "rank"):
                raise Fault("E0201", f"a template is of a suit or of a rank, not of a {key_word}", span_of(cast(Token, key_word), file))
            key_type = SUIT if str(key_word) == "suit" else RANK
        natural = cast("Tree[Token]", natural)
        card, place = str(natural.children[0]), natural.children[1]
        if (place is not None) != (str(layout) == "sequence"):
            hint = "sequence: `natural c at p when ...`; group: `natural c when ...`"
            raise Fault("E0305", "only a sequence has places", span_of(natural, file), hint)
        if str(layout) == "sequence" and self.names.cards is not None and not self.names.cards.places:
            raise Fault("E0210", "a sequence needs `places`", span_of(tree, file), "a clause must declare them: places A 2 3 ...")
        yes = x.Const(value=True, type=BOOL)
        self.names.templates[str(name)] = r.Template(
            str(name), str(layout), None if key is None else str(key), key_type, card,
            None if place is None else str(place), yes, None, clause_of(piece),
        )  # fmt: skip

    def _template_bodies(self, tree: Tree[Token], piece: Piece) -> None:
        natural, substitute = cast("Tree[Token]", tree.children[4]), tree.children[5]
        template = self.names.templates[str(tree.children[0])]
        bound: dict[str, Type] = {template.card: CARD}
        if template.key is not None and template.key_type is not None:
            bound[template.key] = template.key_type
        if template.place is not None and self.names.cards is not None:
            bound[template.place] = number(1, len(self.names.cards.places))
        scope = Scope(piece.source.name, bound)
        body = self.expressions.boolean(natural.children[2], scope)
        other = None
        if isinstance(substitute, Tree):
            alone = Scope(piece.source.name, {**bound, str(substitute.children[0]): CARD})
            if str(substitute.children[0]) != template.card:
                message = f"the card is called '{template.card}' in this template"
                raise Fault("E0201", message, span_of(substitute, piece.source.name), f"write: substitute {template.card} when ...")
            other = self.expressions.boolean(substitute.children[1], alone)
        self.names.templates[template.name] = replace(template, natural=body, substitute=other)

    def _action_header(self, tree: Tree[Token], piece: Piece) -> None:
        name, *rest = tree.children
        file = piece.source.name
        if str(name) in self.names.actions:
            first = self.names.actions[str(name)].clause
            raise Fault("E0202", f"action '{name}' is declared twice", span_of(cast(Token, name), file), f"clause '{first}' has it")
        params: list[r.ActionParam] = []
        for part in rest:
            if isinstance(part, Tree) and part.data == "domain_of":
                params.append(self._action_param(part, params, file))
        phases = tuple(self.names.phase(t, file) for t in rest if isinstance(t, Token))
        self.names.actions[str(name)] = r.Action(str(name), tuple(params), phases, (), clause_of(piece))

    def _action_param(self, tree: Tree[Token], before: list[r.ActionParam], file: str) -> r.ActionParam:
        name, domain = str(tree.children[0]), cast("Tree[Token]", tree.children[1])
        scope, span = Scope(file, {p.name: p.type for p in before}, acting=True), span_of(tree, file)
        if name in scope.vars or self.names.ordinary(name):
            raise Fault("E0202", f"'{name}' already means something here", span, "give the parameter another name")
        match domain.data:
            case "new_meld":
                self._word(domain.children[0], ("meld",), file)
                zone = self.expressions.ref(domain.children[1], scope)
                return r.ActionParam(name, Type("meld"), "new_meld", zone)
            case "member":
                self._word(domain.children[0], ("card", "meld"), file)
                zone = self.expressions.ref(domain.children[1], scope)
                if str(domain.children[0]) == "meld":
                    if zone.type.detail != "melds":
                        raise Fault("E0301", f"'{zone.name}' holds no melds", zone.span)
                    return r.ActionParam(name, Type("meld", laid=True), "laid_meld", zone)
                return r.ActionParam(name, CARD, "card", zone)
            case "growth":
                self._word(domain.children[0], ("growth",), file)
                of = str(domain.children[1])
                if not any(p.name == of and p.domain == "laid_meld" for p in before):
                    hint = "name an earlier parameter: `m: meld in melds, g: growth of m from ...`"
                    raise Fault("E0201", f"'{of}' is no meld on the table here", span, hint)
                return r.ActionParam(name, Type("growth"), "growth", self.expressions.ref(domain.children[2], scope), of)
            case "any_value":
                word = cast(Token, domain.children[0])
                self._word(word, tuple(_SCALARS), file)
                return r.ActionParam(name, _SCALARS[str(word)], "value")
            case _:
                low, high = (self.expressions.of_type(c, scope, number()) for c in domain.children)
                return r.ActionParam(name, number(low.type.low, high.type.high), "number", None, None, low, high)

    def _word(self, token: object, known: tuple[str, ...], file: str) -> None:
        if str(token) not in known:
            hint = did_you_mean(str(token), known) or f"one of: {', '.join(known)}"
            raise Fault("E0201", f"'{token}' is not known here", span_of(cast(Token, token), file), hint)

    # ------------------------------------------------------------ bodies

    def _bodies(self) -> r.Ruleset:
        names, items = self.names, self.items
        for tree, piece in items["define"]:
            with names.catching():
                self.expressions.definition(str(tree.children[0]), span_of(tree, piece.source.name))
        laws = self._each("law", self._law)
        growings = self._each("grow_end", self._growing) + self._each("grow_card", self._growing)
        growings += self._each("grow_shift", self._growing)
        for tree, piece in items["guard"]:
            with names.catching():
                self._guard(tree, piece)
        for tree, piece in items["action"]:
            with names.catching():
                self._action_effects(tree, piece)
        for tree, piece in items["consequence"]:
            with names.catching():
                self._consequence(tree, piece)
        deal = self._each("deal", self._deal)
        invariants = self._each("invariant", self._statement)
        steps = self._each("step_invariant", self._step_statement)
        facts_ = self._each("fact", self._statement)
        after = self._each("after_deal", self._statement)
        score = self._each("score", self._score)
        match = self._match()
        sources = self._sources()
        clauses = {}
        for id_, piece in self.flat.clauses.items():
            with names.catching():
                clauses[id_] = self._clause(id_, piece, sources)
        self._follows(clauses)
        self._stop_if_broken()
        assert names.cards is not None and names.table is not None
        text = "\n".join(c.source for c in clauses.values())
        settings = "\n".join(f"{p.name}={_shown(p.value)}" for p in names.parameters.values())
        return r.Ruleset(
            name=self.flat.name,
            title=self.flat.title,
            version=self.flat.version,
            parents=self.flat.parents,
            sources=FrozenMap(sources),
            parameters=FrozenMap(names.parameters),
            clauses=FrozenMap(clauses),
            cards=names.cards,
            table=names.table,
            zones=FrozenMap(names.zones),
            states=FrozenMap(names.states),
            templates=FrozenMap(names.templates),
            growings=growings,
            laws=laws,
            definitions=FrozenMap(names.definitions),
            phases=names.phases,
            actions=FrozenMap(names.actions),
            guards=tuple(self.guards),
            consequences=tuple(self.consequences),
            deal=deal,
            after_deal=after,
            facts=facts_,
            invariants=invariants,
            step_invariants=steps,
            score=score,
            match=match,
            digest=hashlib.sha256(f"{settings}\n{text}".encode()).hexdigest(),
        )

    def _each(self, kind: str, build: Callable[[Tree[Token], Piece], T]) -> tuple[T, ...]:
        """What `build` makes of every item of a kind."""
        found: list[T] = []
        for tree, piece in self.items[kind]:
            with self.names.catching():
                found.append(build(tree, piece))
        return tuple(found)

    # ------------------------------------------------------------ melds

    def _law(self, tree: Tree[Token], piece: Piece) -> r.Law:
        word, var, body = tree.children
        type_ = self.expressions.type_named(cast(Token, word), piece.source.name)
        if type_.kind != "meld":
            message = f"a law is about melds, not about a {type_.kind}"
            hint = "what must hold for all of them in every position is an invariant: invariant every ..."
            raise Fault("E0305", message, span_of(cast(Token, word), piece.source.name), hint)
        self._bind(piece, str(var), type_)
        node = self.expressions.boolean(cast("Tree[Token]", body), Scope(piece.source.name, {str(var): type_}))
        moving = next((n for n in node.walk() if isinstance(n, (x.State, x.Zone, x.Everywhere))), None)
        if moving is not None:
            hint = "a law is about the meld alone; make it a guard: on ... require ..."
            raise Fault("E0305", "whether a meld is lawful cannot depend on the position", moving.span, hint)
        return r.Law(type_.detail, str(var), node, clause_of(piece))

    def _growing(self, tree: Tree[Token], piece: Piece) -> r.Growing:
        token = cast(Token, tree.children[0])
        template = self.names.templates.get(str(token))
        if template is None:
            hint = did_you_mean(token, self.names.templates)
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

    # ------------------------------------------------------------ actions

    def _hooks(self, tree: Tree[Token], piece: Piece) -> list[tuple[r.Action, dict[str, Type]]]:
        """The actions that an `on` names, each with the parameters it lists."""
        found = []
        for hook in cast("Tree[Token]", tree.children[0]).children:
            assert isinstance(hook, Tree)
            token, *words = (t for t in hook.children if t is not None)
            action = self.names.actions.get(str(token))
            span = span_of(cast(Token, token), piece.source.name)
            if action is None:
                hint = did_you_mean(str(token), self.names.actions) or self.names.dropped_hint(str(token))
                raise Fault("E0201", f"there is no action '{token}'", span, hint)
            known = {p.name: p.type for p in action.params}
            for word in words:
                if str(word) not in known:
                    hint = f"its parameters are: {', '.join(known)}" if known else "it has no parameters"
                    message = f"action '{action.name}' has no parameter '{word}'"
                    raise Fault("E0201", message, span_of(cast(Token, word), piece.source.name), hint)
            bound = {str(w): known[str(w)] for w in words}
            for name, type_ in bound.items():
                self._bind(piece, name, type_)
            found.append((action, bound))
        return found

    def _bind(self, piece: Piece, name: str, type_: Type) -> None:
        """Remember a variable, so that the clause's `says` may use it."""
        known = self.clause_vars[clause_of(piece)]
        known[name] = type_ if known.get(name, type_) == type_ else Type(type_.kind)

    def _guard(self, tree: Tree[Token], piece: Piece) -> None:
        timing = str(cast("Tree[Token]", tree.children[1]).children[0])
        for action, bound in self._hooks(tree, piece):
            body = self.expressions.boolean(tree.children[2], Scope(piece.source.name, bound, acting=True))
            self.guards.append(r.Guard(action.name, timing, body, clause_of(piece)))

    def _known_before(self, action: r.Action) -> frozenset[x.Node]:
        """What holds when an action begins: its `require` guards."""
        return frozenset(
            fact for g in self.guards if g.action == action.name and g.timing == "require" for fact in facts.when_true(g.body)
        )

    def _action_effects(self, tree: Tree[Token], piece: Piece) -> None:
        action = self.names.actions[str(tree.children[0])]
        if action.clause != clause_of(piece):
            return
        bound = {p.name: p.type for p in action.params}
        scope = Scope(piece.source.name, bound, self._known_before(action), acting=True)
        effects = self.effects.suite(tree.children[-1], scope, action)
        self.names.actions[action.name] = replace(action, effects=effects)

    def _consequence(self, tree: Tree[Token], piece: Piece) -> None:
        moment = str(cast("Tree[Token]", tree.children[1]).children[0])
        for action, bound in self._hooks(tree, piece):
            known = self._known_before(action) if moment == "before" else frozenset()
            scope = Scope(piece.source.name, bound, known, acting=True)
            effects = self.effects.suite(tree.children[2], scope)
            self.consequences.append(r.Consequence(action.name, moment, effects, clause_of(piece)))

    # ------------------------------------------------------------ statements

    def _deal(self, tree: Tree[Token], piece: Piece) -> r.DealStep:
        return r.DealStep(self.effects.suite(tree.children[0], Scope(piece.source.name)), clause_of(piece))

    def _statement(self, tree: Tree[Token], piece: Piece) -> r.Statement:
        return r.Statement(self.expressions.boolean(tree.children[0], Scope(piece.source.name)), clause_of(piece))

    def _step_statement(self, tree: Tree[Token], piece: Piece) -> r.Statement:
        scope = Scope(piece.source.name, acting=True, old=True)
        return r.Statement(self.expressions.boolean(tree.children[0], scope), clause_of(piece))

    def _score(self, tree: Tree[Token], piece: Piece) -> r.ScoreLine:
        label, word, var, where_tree, *rest = tree.children
        file = piece.source.name
        type_ = self.expressions.type_named(cast(Token, word), file)
        if type_ != SIDE and type_.kind != "meld":
            hint = "write: score ... for side p, or: for meld m"
            raise Fault("E0305", f"points are for a side or a meld, not for a {type_.kind}", span_of(tree, file), hint)
        scope = Scope(file, {str(var): type_})
        where = None
        if where_tree is not None:
            where = self.expressions.boolean(where_tree, scope)
            scope = scope.knowing(facts.when_true(where))
        rows = [t for t in rest if isinstance(t, Tree) and t.data == "row"]
        body: x.Node
        if rows:
            body = self.expressions.table(rows, scope, span_of(tree, file))
        else:
            body = self.expressions.of_type(cast("Tree[Token]", rest[0]), scope, number())
        return r.ScoreLine(unquote(str(label)), str(var), type_, where, body, clause_of(piece))

    def _match(self) -> r.Match:
        items = self.items
        ends = self._each("ending", self._statement)
        winners = self._each("winner", self._winner)
        dealers = self._each("next_dealer", self._next_dealer)
        lots = [clause_of(piece) for _, piece in items["first_dealer"]]
        for kind, found in (("match winner", winners), ("match next dealer", dealers), ("match first dealer", lots)):
            if len(found) > 1:
                tree, piece = items[{"match winner": "winner", "match next dealer": "next_dealer"}.get(kind, "first_dealer")][1]
                with self.names.catching():
                    raise Fault("E0211", f"`{kind}` is declared twice", span_of(tree, piece.source.name))
        return r.Match(ends, winners[0] if winners else None, dealers[0] if dealers else None, lots[0] if lots else None)

    def _winner(self, tree: Tree[Token], piece: Piece) -> r.Winner:
        word, var, body = tree.children
        if str(word) != "side":
            span = span_of(cast(Token, word), piece.source.name)
            raise Fault("E0305", "a match is won by a side", span, "write: match winner is side p when ...")
        scope = Scope(piece.source.name, {str(var): SIDE})
        return r.Winner(str(var), self.expressions.boolean(cast("Tree[Token]", body), scope), clause_of(piece))

    def _next_dealer(self, tree: Tree[Token], piece: Piece) -> r.Statement:
        return r.Statement(self.expressions.of_type(tree.children[0], Scope(piece.source.name), SEAT), clause_of(piece))

    # ------------------------------------------------------------ clauses

    def _sources(self) -> dict[str, r.Source]:
        found = {}
        for id_, piece in self.flat.headers.items():
            _, file, language = piece.tree.children
            found[id_] = r.Source(id_, unquote(str(file)), None if language is None else str(language))
        return found

    def _clause(self, id_: str, piece: Piece, sources: dict[str, r.Source]) -> r.Clause:
        file = piece.source.name
        parts: dict[str, list[Tree[Token]]] = defaultdict(list)
        for tree in piece.tree.children[2:]:
            if isinstance(tree, Tree):
                parts[str(tree.data)].append(tree)
        cites = tuple(self._cite(c, sources, file) for t in parts["cites"] for c in t.children)
        scope = Scope(file, self.clause_vars[id_], acting=True)
        prose = self._prose([t for p in parts["prose"] for t in p.children], Scope(file))
        says = self._prose(list(parts["says"][0].children), scope) if parts["says"] else None
        because = unquote(str(parts["ruling"][0].children[0])) if parts["ruling"] else None
        examples = tuple(self._example(t, id_, file) for t in parts["example"])
        text = _source_text(piece)
        mentioned = sorted({word for word in re.findall(r"[a-z_][a-z0-9_]*", text) if word in self.names.parameters})
        values = "\n".join(f"{name}={_shown(self.names.parameters[name].value)}" for name in mentioned)
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
            digest=hashlib.sha256(f"{text}\n{values}".encode()).hexdigest()[:16],
            span=piece.span,
        )

    def _cite(self, tree: object, sources: dict[str, r.Source], file: str) -> r.Cite:
        assert isinstance(tree, Tree)
        source, section = tree.children
        if str(source) not in sources:
            hint = did_you_mean(str(source), sources) or f'name it in the header: source {source} "file"'
            raise Fault("E0212", f"there is no source '{source}'", span_of(cast(Token, source), file), hint)
        return r.Cite(str(source), str(section))

    def _prose(self, strings: list[object], scope: Scope) -> r.Prose:
        """Sentences joined by a blank, their holes elaborated."""
        parts: list[str | x.Node] = []
        for i, token in enumerate(cast("list[Token]", strings)):
            if i:
                parts.append(" ")
            # Holes are found in the literal itself, so that columns in messages are right.
            for piece in re.finditer(r"\{([^{}]*)\}|((?:[^{}\\]|\\.)+)|[{}]", str(token)[1:-1]):
                if piece.group(1) is not None:
                    parts.append(self._hole(token, piece, scope))
                elif piece.group(2) is None:
                    column = (token.column or 0) + 1 + piece.start()
                    span = replace(span_of(token, scope.file), column=column, end_column=column + 1)
                    raise Fault("E0108", "a brace that is not closed, or not opened", span, "a hole is written {name}")
                else:
                    parts.append(unquote(f'"{piece.group(2)}"'))
        return r.Prose(tuple(parts))

    def _hole(self, token: Token, match: re.Match[str], scope: Scope) -> x.Node:
        start = (token.start_pos or 0) + 1 + match.start(1)
        try:
            tree = parse_expression(self.flat.files[scope.file], start, start + len(match.group(1)))
        except RulesError as error:
            first = error.diagnostics[0]
            raise Fault(first.code, first.message, first.span, first.hint) from None
        return self.expressions.expr(tree, scope)

    def _example(self, tree: Tree[Token], clause: str, file: str) -> r.Example:
        title, *lines = tree.children
        found = []
        for token in cast("list[Token]", lines):
            keyword, _, text = str(token).partition(" ")
            found.append(r.ExampleLine(keyword, text.split("#")[0].strip(), span_of(token, file)))
        return r.Example(unquote(str(title)), clause, tuple(found), span_of(tree, file))

    def _follows(self, clauses: dict[str, r.Clause]) -> None:
        for clause in clauses.values():
            for id_ in clause.follows:
                if id_ not in clauses:
                    with self.names.catching():
                        message = f"clause '{clause.id}' follows from '{id_}', which does not exist"
                        dropped = "a child drops it" if id_ in self.flat.dropped else None
                        raise Fault("E0201", message, clause.span, did_you_mean(id_, clauses) or dropped)


def _source_text(piece: Piece) -> str:
    """The lines of a clause as written, without what follows its last line."""
    span = piece.span
    lines = piece.source.text.splitlines()[span.line - 1 : span.end_line]
    while lines and (not lines[-1].strip() or not lines[-1].startswith((" ", "clause", "replace"))):
        lines.pop()
    return "\n".join(line.rstrip() for line in lines)


def _literal(tree: Tree[Token]) -> int | bool | str:
    """The value of a parameter as written."""
    if tree.data == "integer":
        return int(cast(Token, tree.children[1])) * (-1 if tree.children[0] is not None else 1)
    if tree.data in ("yes", "no"):
        return tree.data == "yes"
    return str(tree.children[0])


def _shown(value: int | bool | str) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _open(bound: object) -> str:
    return "" if bound is None else str(bound)
