"""Random games played in the interpreter and in an engine side by side, and rule sets that differ a little."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from biriba.engine import Engine
from biriba.interpreter.domains import Domain
from biriba.interpreter.frame import Standing
from biriba.interpreter.rules import Rules
from biriba.model import expr as x
from biriba.model.position import Action, LaidMeld, Position
from biriba.model.ruleset import Ruleset

POINTS = (0, 700, 1200, 1800, 2400, 5100)


def compare(rules: Rules, engine: Engine, seed: int, most: int = 400) -> int:
    """Play a random deal in both and compare everything at every step; returns the number of steps."""
    rng = Random(seed)
    seats, sides = rules.ruleset.table.seats, rules.ruleset.table.sides
    deck, dealer = rules.shuffled(seed), rng.randrange(len(seats))
    standing = Standing(tuple(rng.choice(POINTS) for _ in sides), rng.randrange(5))
    position = rules.dealt(deck, dealer, standing)
    state = engine.deal(deck, dealer, standing.totals, standing.deals)
    seen: list[Action] = []
    for step in range(most):
        assert engine.position(state) == position, (seed, step)
        assert list(engine.state(position, standing.totals, standing.deals)[:20]) == list(state[:20])
        legal = rules.legal(position, standing)
        packed = engine.legal(state)
        assert [engine.action(state, a) for a in packed] == legal, (seed, step)
        assert [engine.pack(a) for a in legal] == packed
        assert tuple(engine.score(state)) == rules.score(position, standing).totals, (seed, step)
        _compare_verdicts(rules, engine, state, (position, standing), rng.sample(seen, min(3, len(seen))))
        possible = list(candidates(rules, position, standing))
        _compare_verdicts(rules, engine, state, (position, standing), rng.sample(possible, min(2, len(possible))))
        if not legal:
            return step
        i = rng.randrange(len(legal))
        seen += [a for a in rng.sample(legal, min(2, len(legal))) if not any(isinstance(v, LaidMeld) for v in a.args)]
        position = rules.apply(position, legal[i], standing=standing)
        engine.play(state, packed[i])
    return most


def candidates(rules: Rules, position: Position, standing: Standing) -> Iterator[Action]:
    """Everything that a seat may think of: all actions with all arguments there are, whatever the guards say."""
    frame = rules._evaluator.frame(position.turn, standing)

    def choose(name: str, domains: list[Domain], args: tuple[Any, ...]) -> Iterator[Action]:
        if not domains:
            yield Action(name, args)
            return
        for value in domains[0].values(position, frame):
            frame[domains[0].slot] = value
            yield from choose(name, domains[1:], (*args, value))

    for name, action in rules._judge._actions.items():
        yield from choose(name, action.domains, ())


def _compare_verdicts(
    rules: Rules, engine: Engine, state: Any, at: tuple[Position, Standing], asked: list[Action]
) -> None:
    """Actions that were legal once, or that guards may forbid, are judged: the same clauses speak against them."""
    position, standing = at
    for action in asked:
        before = list(state)
        clauses = rules.judge(position, action, standing=standing).clauses
        assert engine.rejected(state, engine.pack(action)) == clauses, action
        assert list(state) == before


def mutant(rules: Ruleset, seed: int) -> Ruleset:
    """A rule set that differs in a parameter, a comparison, a law, a guard or a consequence."""
    rng = Random(seed)
    match rng.randrange(5):
        case 0:
            numbers = [p for p in rules.parameters.values() if p.type.kind == "int" and isinstance(p.value, int)]
            chosen = rng.choice(numbers)
            assert isinstance(chosen.value, int)
            low, high = chosen.low or 0, chosen.high if chosen.high is not None else chosen.value + 3
            value = min(max(chosen.value + rng.choice((-2, -1, 1, 2)), low), high)
            return replace(rules, parameters={**rules.parameters, chosen.name: replace(chosen, value=value)})
        case 1:
            flags = [p for p in rules.parameters.values() if isinstance(p.value, bool)]
            if not flags:
                return mutant(rules, seed + 1000)
            flag = rng.choice(flags)
            return replace(rules, parameters={**rules.parameters, flag.name: replace(flag, value=not flag.value)})
        case 2:
            i = rng.randrange(len(rules.laws))
            laws = list(rules.laws)
            laws[i] = replace(laws[i], body=_changed(laws[i].body, rng))
            return replace(rules, laws=tuple(laws))
        case 3:
            guards = list(rules.guards)
            i = rng.randrange(len(guards))
            guards[i] = replace(guards[i], body=_changed(guards[i].body, rng))
            return replace(rules, guards=tuple(guards))
        case _:
            consequences = list(rules.consequences)
            del consequences[rng.randrange(len(consequences))]
            return replace(rules, consequences=tuple(consequences))


_OTHER = {"=": "!=", "!=": "=", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}


def _changed(node: x.Node, rng: Random) -> x.Node:
    """An expression with its first comparison, `and` or `or` made another."""
    match node:
        case x.Compare(op=op):
            return replace(node, op=_OTHER[op])
        case x.And(parts=parts):
            i = rng.randrange(len(parts))
            return replace(node, parts=(*parts[:i], _changed(parts[i], rng), *parts[i + 1 :]))
        case x.Or(parts=parts):
            return x.And(type=node.type, parts=parts) if rng.random() < 0.5 else replace(node, parts=parts[1:] or parts)
        case x.Not(body=body):
            return body
        case _:
            return x.Not(type=node.type, body=node)
