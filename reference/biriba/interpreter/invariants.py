"""The invariants of a rule set, asked of one position after another.

Most of what an invariant looks at is the same as a step before: other melds, other hands, the cards of the pack. So
an answer is remembered with all that it depends on (`biriba.model.reads`), and given again while that is equal: for
the whole invariant, and within it for each value over which it says ``every``, such as a meld.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from biriba.interpreter.closures import conjunction, disjunction, for_all, negation
from biriba.interpreter.evaluate import Evaluator
from biriba.interpreter.frame import DEALS, ME, MINE, SUBTOTALS, TOTALS, Code, Constant, Env, Frame
from biriba.model import expr as x
from biriba.model.position import Position
from biriba.model.reads import Read, reads
from biriba.model.ruleset import Statement

REMEMBERED = 1 << 12
"""How many answers are kept for each condition."""

_CONTEXT = {"me": ME, "mine": MINE, "deals": DEALS, "total": TOTALS, "subtotal": SUBTOTALS}


class Invariants:
    """The invariants of a rule set, and those of each step.

    Args:
        remember: whether answers are remembered. They are the same either way.
    """

    def __init__(self, evaluator: Evaluator, *, remember: bool = True) -> None:
        self._evaluator, self._remember = evaluator, remember
        rules = evaluator.rules
        self._always, self._each_step = self._compiled(rules.invariants), self._compiled(rules.step_invariants)

    def violated(self, position: Position, before: Position | None = None) -> list[str]:
        """The clauses of the invariants that do not hold, each once.

        Args:
            before: the position before the step that led here, for the invariants of steps.
        """
        frame = self._evaluator.frame(position.turn)
        found = [clause for clause, holds in self._always if not holds(position, frame)]
        if before is not None:
            frame = self._evaluator.frame(before.turn, old=before)
            found += [clause for clause, holds in self._each_step if not holds(position, frame)]
        return list(dict.fromkeys(found))

    def _compiled(self, statements: Iterable[Statement]) -> list[tuple[str, Code]]:
        compile_ = self._condition if self._remember else self._evaluator.compile
        return [(statement.clause, compile_(statement.body, {})) for statement in statements]

    def _condition(self, node: x.Node, env: Env) -> Code:
        """What `Evaluator.compile` makes of a condition, remembering."""
        match node:
            case x.And(parts=parts):
                return conjunction([self._condition(part, env) for part in parts])
            case x.Quantified(quantifier="every", binders=binders, body=body):
                return self._remembered(node, env, self._every(binders, body, env))
            case _:
                return self._remembered(node, env, self._evaluator.compile(node, env))

    def _every(self, binders: Sequence[x.Binder], body: x.Node, env: Env) -> Code:
        slot, domain, where, inner = self._evaluator.bind(binders[0], env)
        rest = self._every(binders[1:], body, inner) if binders[1:] else self._condition(body, inner)
        return for_all(slot, domain, disjunction([negation(where), rest]))

    def _remembered(self, node: x.Node, env: Env, code: Code) -> Code:
        """The same code, not asked again while all that the node looks at is equal."""
        looks_at = reads(self._evaluator.rules, node)
        if isinstance(code, Constant) or Read("old") in looks_at or not self._loops(node):
            return code
        key, known = self._key(looks_at, env), dict[Any, bool]()

        def ask(s: Any, f: Frame) -> bool:
            seen = key(s, f)
            answer = known.get(seen)
            if answer is None:
                if len(known) >= REMEMBERED:
                    known.clear()
                answer = known[seen] = bool(code(s, f))
            return answer

        return ask

    def _loops(self, node: x.Node) -> bool:
        """Whether an answer may take longer than to look up an old one."""
        definitions = self._evaluator.rules.definitions
        return any(
            isinstance(part, (x.Quantified, x.Fold, x.Everywhere, x.May))
            or (isinstance(part, x.Call) and part.function in ("points", "lawful", "room", "deadwood", "copies"))
            or (isinstance(part, x.Apply) and self._loops(definitions[part.definition].body))
            for part in node.walk()
        )

    def _key(self, looks_at: frozenset[Read], env: Env) -> Callable[[Any, Frame], Any]:
        """What all that is worth in a situation, as one value."""
        getters = [self._getter(read, env) for read in sorted(looks_at)]
        if len(getters) == 1:
            return getters[0]
        return lambda s, f: tuple([get(s, f) for get in getters])

    def _getter(self, read: Read, env: Env) -> Code:
        evaluator = self._evaluator
        match read.kind:
            case "var":
                slot = env[read.name].slot
                return lambda s, f: f[slot]
            case "zone":
                zones = evaluator.slots(read.name)
                return lambda s, f: s.zones[zones.start : zones.stop]
            case "state":
                first = evaluator.layout.state_base[read.name]
                after = first + sum(name == read.name for name, _ in evaluator.layout.state_slots)
                return lambda s, f: s.states[first:after]
            case "everywhere":
                return lambda s, f: frozenset(evaluator.census(s).items())
            case "phase":
                return lambda s, f: s.phase
            case "dealer":
                return lambda s, f: s.dealer
            case _:
                context = _CONTEXT[read.kind]
                return lambda s, f: f[context]
