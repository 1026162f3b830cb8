"""Positions, melds and random play for the tests of the interpreter."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

from biriba.interpreter.rules import Rules
from biriba.language.load import compile_rules, load_ruleset
from biriba.language.source import Source
from biriba.model.position import Action, Meld, Position
from biriba.notation import format_meld, parse_cards, parse_given, parse_meld


@cache
def biriba() -> Rules:
    """The canonical rules."""
    return Rules(load_ruleset("biriba"))


@cache
def variant(*lines: str) -> Rules:
    """The canonical rules with lines of a rule file added: settings, dropped or replaced clauses."""
    text = "\n".join(['ruleset variant "A variant for tests" extends biriba', '  version "1"', *lines, ""])
    return Rules(compile_rules(Source("variant.rules", text))[0])


def at(text: str, rules: Rules | None = None) -> Position:
    """A position told as in an example's `given` line."""
    rules = rules or biriba()
    return parse_given(rules.ruleset, text, rules.dealt_sizes)


def cards(text: str) -> tuple[int, ...]:
    return parse_cards(biriba().ruleset, text)


def card(text: str) -> int:
    return cards(text)[0]


def meld(text: str) -> Meld:
    return parse_meld(biriba().ruleset, text)


def texts(melds: object, rules: Rules | None = None) -> list[str]:
    """The canonical texts of melds."""
    assert isinstance(melds, (list, tuple))
    return [format_meld((rules or biriba()).ruleset, m) for m in melds]


def after(position: Position, *actions: str, rules: Rules | None = None) -> Position:
    """The position after legal actions."""
    for action in actions:
        position = (rules or biriba()).apply(position, action)
    return position


def refused(position: Position, action: str, rules: Rules | None = None) -> tuple[str, ...]:
    """The clauses that an action violates; none if it is legal."""
    return (rules or biriba()).judge(position, action).clauses


def played(rules: Rules, seed: int, most: int = 100_000) -> Iterator[tuple[Position, Action, Position]]:
    """The steps of a deal in which every action is chosen at random among the legal ones."""
    rng = Random(seed)
    position = rules.deal(seed=seed).position
    for _ in range(most):
        legal = rules.legal(position)
        if not legal:
            return
        action = rng.choice(legal)
        reached = rules.apply(position, action)
        yield position, action, reached
        position = reached


def reached(rules: Rules, seed: int, steps: int) -> Position:
    """A position that random play reaches."""
    position = rules.deal(seed=seed).position
    for _, _, after_step in played(rules, seed, steps):
        position = after_step
    return position
