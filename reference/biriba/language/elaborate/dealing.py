"""Whether a deal can be dealt: the pile must never run short. Checked by counting cards, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from biriba.language.elaborate.names import Fault
from biriba.model import expr as x
from biriba.model import stmt as s
from biriba.model.ruleset import DealStep, Parameter, Table


def check_deal(steps: Iterable[DealStep], total: int, parameters: Mapping[str, Parameter], table: Table) -> None:
    """
    Raises:
        Fault: a step takes more cards from a pile than lie there.
    """
    sizes: dict[tuple[str, int | None], int] = {}
    for step in steps:
        _run(step.effects, step.clause, sizes, {}, total, parameters, table)


def _run(
    block: s.Block,
    clause: str,
    sizes: dict[tuple[str, int | None], int],
    env: dict[str, int],
    total: int,
    parameters: Mapping[str, Parameter],
    table: Table,
) -> None:
    def number(node: x.Node) -> int:
        match node:
            case x.Const(value=int() as value):
                return value
            case x.Param(name=name):
                setting = parameters[name].value
                assert isinstance(setting, int)
                return setting
            case x.Var(name=name):
                return env[name]
            case x.Arith(op=op, left=left, right=right):
                a, b = number(left), number(right)
                return a + b if op == "+" else a - b if op == "-" else a * b
        raise Fault("E0305", "the deal moves a number of cards that the rules do not fix", node.span)

    def slot(zone: x.Zone) -> tuple[str, int | None]:
        return zone.name, env.get(zone.index.name, 0) if isinstance(zone.index, x.Var) else None

    def again(body: s.Block, **more: int) -> None:
        _run(body, clause, sizes, {**env, **more}, total, parameters, table)

    for effect in block:
        match effect:
            case s.Shuffle(target=target):
                sizes[slot(target)] = total
            case s.MoveTop(count=count, source=source, target=target):
                wanted, there = number(count), sizes.get(slot(source), 0)
                if wanted > there:
                    cards, left = f"{wanted} card{'s'[: wanted != 1]}", f"{there} {'is' if there == 1 else 'are'}"
                    message = f"clause '{clause}' deals {cards} from '{source.name}', where only {left} left"
                    hint = f"the pack has {total} cards; make it larger, or deal fewer"
                    raise Fault("E0504", message, effect.span, hint)
                sizes[slot(source)] = there - wanted
                sizes[slot(target)] = sizes.get(slot(target), 0) + wanted
            case s.MoveAll(source=source, target=target):
                sizes[slot(target)] = sizes.get(slot(target), 0) + sizes.pop(slot(source), 0)
            case s.Repeat(times=times, body=body):
                for _ in range(number(times)):
                    again(body)
            case s.ForEach(binder=binder, body=body):
                for value in _values(binder, number, table):
                    again(body, **{binder.var: value})
            case s.When(then=then, otherwise=otherwise):
                # Which branch is taken may depend on the cards, so the pile must last in either.
                before = dict(sizes)
                again(then)
                after = dict(sizes)
                sizes.clear()
                sizes.update(before)
                again(otherwise)
                sizes.update({key: min(sizes.get(key, 0), after.get(key, 0)) for key in sizes | after})
            case s.WithOne(binder=binder, body=body):
                again(body, **{binder.var: 0})
            case _:
                pass


def _values(binder: x.Binder, number: object, table: Table) -> range:
    assert callable(number)
    match binder.domain:
        case x.Range(low=low, high=high):
            return range(number(low), number(high) + 1)
        case x.Every(type=type_) if type_.kind == "side":
            return range(len(table.sides))
        case _:
            return range(len(table.seats))
