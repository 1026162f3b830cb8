"""From a flat list of clauses to the typed rule set: the items of all clauses, kind by kind.

Items are taken in the order in which they depend on one another (cards, table, zones, melds, actions,
then everything that has expressions), whatever their order in the file. The order of clauses decides
only where it means something: consequences, steps of the deal, lines of the score sheet.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from lark import Token, Tree

from biriba.language.diagnostics import Diagnostic
from biriba.language.elaborate import actions, clauses, melds, parameters, statements
from biriba.language.elaborate.cards import elaborate_cards
from biriba.language.elaborate.cycles import check_cycles
from biriba.language.elaborate.dealing import check_deal
from biriba.language.elaborate.names import Fault
from biriba.language.elaborate.table import declare_state, declare_zone, elaborate_table
from biriba.language.elaborate.work import Work
from biriba.language.lint import lint
from biriba.language.merge import Flat, Piece
from biriba.language.parser import span_of
from biriba.model import expr as x
from biriba.model import ruleset as r
from biriba.model.frozen import FrozenMap
from biriba.model.pure import evaluate


def elaborate(flat: Flat) -> tuple[r.Ruleset, tuple[Diagnostic, ...]]:
    """The typed rule set of a flat one, and the lint's warnings about it.

    Raises:
        RulesError: with every fault that was found.
    """
    work = Work.on(flat)
    parameters.parameters(work)
    work.stop_if_broken()
    elaborate_cards(work.names, work.items, lambda tree, piece: parameters.count(work, tree, piece))
    elaborate_table(work.names, work.items)
    work.stop_if_broken()
    _headers(work)
    work.stop_if_broken()
    ruleset = _bodies(work)
    _check_settings(work, ruleset)
    with work.names.catching():
        check_cycles(ruleset)
    with work.names.catching():
        check_deal(ruleset.deal, ruleset.cards.total, ruleset.parameters, ruleset.table)
    work.stop_if_broken()
    return ruleset, lint(ruleset, work.names.used, work.effects.moved, work.effects.entered)


def _headers(work: Work) -> None:
    """Everything that expressions may name: zones, phases, templates, definitions, states, actions."""
    work.each("zone", lambda w, tree, piece: declare_zone(w.names, w.expressions, tree, piece))
    work.each("phases", _phases)
    work.each("template", melds.template_header)
    work.each("define", _definition_header)
    work.each("state", lambda w, tree, piece: declare_state(w.names, w.expressions, tree, piece))
    work.each("template", melds.template_bodies)
    work.each("action", actions.action_header)


def _phases(work: Work, tree: Tree[Token], piece: Piece) -> None:
    for token in tree.children:
        if str(token) in (*work.names.phases, r.OVER):
            raise Fault("E0202", f"phase '{token}' is declared twice", span_of(token, piece.source.name))
        work.names.phases = (*work.names.phases, str(token))


def _definition_header(work: Work, tree: Tree[Token], piece: Piece) -> None:
    token = tree.children[0]
    if work.names.ordinary(str(token)) or str(token) == "phase":
        hint = "every parameter, zone, state variable and definition needs a name of its own"
        raise Fault("E0202", f"'{token}' is declared twice", span_of(token, piece.source.name), hint)
    work.names.definition_trees[str(token)] = (tree, piece)


def _bodies(work: Work) -> r.Ruleset:
    """Everything that has expressions, and the rule set made of it all."""
    names = work.names
    work.each("define", lambda w, t, p: w.expressions.definition(str(t.children[0]), span_of(t, p.source.name)))
    laws = work.each("law", melds.law)
    growings = tuple(g for kind in ("grow_end", "grow_card", "grow_shift") for g in work.each(kind, melds.growing))
    # Guards come before effects: what an action requires makes its effects possible.
    work.each("guard", actions.guard)
    work.effects.trusting = bool(names.problems)
    work.each("action", actions.action_effects)
    work.each("consequence", actions.consequence)
    deal = work.each("deal", statements.deal)
    invariants = work.each("invariant", statements.invariant)
    steps = work.each("step_invariant", statements.step_statement)
    facts = work.each("fact", statements.statement)
    after = work.each("after_deal", statements.statement)
    score = work.each("score", statements.score)
    match = statements.match(work)
    sources = clauses.sources(work)
    found = clauses.all_clauses(work, sources)
    work.stop_if_broken()
    assert names.cards is not None
    assert names.table is not None
    return r.Ruleset(
        name=work.flat.name,
        title=work.flat.title,
        version=work.flat.version,
        parents=work.flat.parents,
        parts=work.flat.parts,
        own_parts=work.flat.own_parts,
        sources=FrozenMap(sources),
        parameters=FrozenMap(names.parameters),
        clauses=FrozenMap(found),
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
        guards=tuple(work.guards),
        consequences=tuple(work.consequences),
        deal=deal,
        after_deal=after,
        facts=facts,
        invariants=invariants,
        step_invariants=steps,
        score=score,
        match=match,
        digest=_digest(names.parameters, found),
    )


_OF_PARAMETERS = (x.Param, x.Const, x.Compare, x.Arith, x.Not, x.And, x.Or, x.Implies)


def _check_settings(work: Work, rules: r.Ruleset) -> None:
    """Facts about parameters alone must hold: they say which values go together."""
    for fact in rules.facts:
        nodes = list(fact.body.walk())
        if not all(isinstance(node, _OF_PARAMETERS) for node in nodes) or evaluate(rules, fact.body):
            continue
        used = sorted({node.name for node in nodes if isinstance(node, x.Param)})
        values = ", ".join(f"{name} = {parameters.shown(rules.parameters[name].value)}" for name in used)
        places = [work.flat.settings[name].span for name in used if name in work.flat.settings]
        message = f"these values contradict clause '{fact.clause}': {values}"
        clause, span = rules.clauses[fact.clause], fact.body.span
        # Of a fact that is broken into lines, the first one is shown.
        line = clause.source.splitlines()[span.line - clause.span.line].split("fact ", 1)[-1].strip()
        sentence = re.search(r'"([^"]*)"', clause.source)
        hint = f"line {span.line} of {Path(span.file).name} asks that {line}" + (
            f"; the clause says: {sentence[1]}" if sentence else ""
        )
        with work.names.catching():
            raise Fault("E0503", message, places[-1] if places else fact.body.span, hint)


def _digest(values: Mapping[str, r.Parameter], found: Mapping[str, r.Clause]) -> str:
    """Equal rules have equal digests: it covers the values of all parameters and the text of all clauses."""
    settings = "\n".join(f"{p.name}={parameters.shown(p.value)}" for p in values.values())
    text = "\n".join(c.source for c in found.values())
    return hashlib.sha256(f"{settings}\n{text}".encode()).hexdigest()
