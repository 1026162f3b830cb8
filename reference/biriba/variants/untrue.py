"""Warnings about what a rule set states and its cards, a deal, a lawful meld or random play show to be wrong."""

from __future__ import annotations

from collections.abc import Iterator

from biriba.interpreter.rules import Rules
from biriba.language.diagnostics import Diagnostic
from biriba.language.source import Source
from biriba.model.ruleset import Ruleset
from biriba.model.span import Span
from biriba.notation import format_meld
from biriba.variants.trial import Trouble, tried_out


def untrue(model: Ruleset, source: Source, deals: int) -> list[Diagnostic]:
    """Statements about the cards and the deal first, then invariants; play tries out what is otherwise sound.

    Args:
        source: the file of the rule set.
        deals: so many deals of random play try it out.
    """
    rules = Rules(model)
    found = [*_statements(rules), *_melds(rules)]
    if found:
        return found
    trouble = tried_out(rules, deals)
    return [] if trouble is None else list(_in_play(model, source, trouble))


def _statements(rules: Rules) -> Iterator[Diagnostic]:
    hint = "replace or drop this clause as well, or change what it speaks of"
    for id_ in (*rules.false_facts(), *rules.violated_after_deal(rules.deal(seed=0).position)):
        message = f"what clause '{id_}' states does not hold"
        yield Diagnostic("W0607", message, rules.ruleset.clauses[id_].span, hint, "warning")


def _melds(rules: Rules) -> Iterator[Diagnostic]:
    hint = "change a number on which it depends, or a clause: what an invariant says must hold of every lawful meld"
    for statement, meld in rules.broken_by_melds():
        shown = format_meld(rules.ruleset, meld)
        message = f"the meld {shown} is lawful, but breaks an invariant of '{statement.clause}'"
        yield Diagnostic("W0606", message, statement.body.span, hint, "warning")


def _in_play(model: Ruleset, source: Source, trouble: Trouble) -> Iterator[Diagnostic]:
    if not trouble.clauses:
        line, header = next((n, text) for n, text in enumerate(source.lines, 1) if text.startswith("ruleset"))
        span = Span(source.name, line, 1, line, len(header) + 1)
        hint = "some clause that is changed, added or dropped here leads to a dead end; `biriba verify` looks for how"
        yield Diagnostic("W0608", f"nothing is legal any more {trouble.where}", span, hint, "warning")
    for id_ in trouble.clauses:
        message = f"an invariant of '{id_}' does not hold {trouble.where}, played at random"
        hint = f"a number or a clause that was changed lets it be broken; `biriba verify --only {id_}` looks for how"
        yield Diagnostic("W0608", message, model.clauses[id_].span, hint, "warning")
