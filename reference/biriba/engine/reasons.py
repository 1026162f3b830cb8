"""The function `why`: which clauses forbid an action. It is for reports and tests, not for play, so it takes its time.

As in the interpreter the phase comes first, then everything that can be said of the arguments and by `require` guards,
and only if nothing was found the `ensure` guards, which are asked of a copy of the state after the action.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from biriba.engine.actions import Actions, Field
from biriba.model.ruleset import Action, ActionParam


@dataclass(frozen=True, slots=True)
class LawCall:
    """A law about melds as a function: its clause, its name, and the numbers of the templates that it is about."""

    clause: str
    function: str
    templates: tuple[int, ...]


class Reasons:
    """Writes `why` for one rule set."""

    def __init__(self, actions: Actions, laws: Sequence[LawCall]) -> None:
        self.actions, self.laws = actions, laws
        self.e, self.rules, self.layout = actions.e, actions.rules, actions.layout
        self._number = {clause: i for i, clause in enumerate(self.rules.clauses)}

    def write(self) -> None:
        """Write what is asked after each action, then `why`."""
        ensured = {action.name: self._ensures(action) for action in self.rules.actions.values()}
        with self.e.function(["S", "a", "out", "me", "mine", "k", "n"]) as body:
            body.line(f"me = S[{self.layout.turn}]")
            body.line("mine = SIDE[me]")
            body.line("n = 0")
            body.line(f"k = a & {(1 << self.actions.packing.number_bits) - 1}")
            for action in self.rules.actions.values():
                with body.block(f"if k == {self.layout.action_names[action.name]}:"):
                    self._ask(action, ensured[action.name])
            body.line("return n")
        text = "Write the numbers of the clauses that forbid an action; returns how many, -1 if a growth is unlawful."
        self.e.add("why", ["S", "a", "out"], body, text)

    def _found(self, clause: str) -> None:
        self.e.body.line(f"out[n] = {self._number[clause]}  # {clause}")
        self.e.body.line("n += 1")

    def _ensures(self, action: Action) -> tuple[str, list[str]] | None:
        """A function for the `ensure` guards of an action, asked of the state that it led to."""
        guards = self.rules.guards_of(action.name, "ensure")
        if not guards:
            return None
        env = self.actions.envs[action.name]
        with self.e.function(["out", "n"]) as body:
            for guard in guards:
                self.e.clause = guard.clause
                test = self.e.conjunction(self.e.conjuncts(guard.body, env))
                if test != "True":
                    with body.block(f"if not {test}:"):
                        self._found(guard.clause)
            body.line("return n")
            self.e.use("S")
        name = self.e.names.take(f"broken_by_{action.name}")
        self.e.add(name, [*body.free, "out", "n"], body, f"What {action.name} has led to and must not.")
        return name, body.free

    def _ask(self, action: Action, ensured: tuple[str, list[str]] | None) -> None:
        e, body, env = self.e, self.e.body, self.actions.envs[action.name]
        phases = " and ".join(f"S[{self.layout.phase}] != {self.layout.phase_names[p]}" for p in action.phases)
        with body.block(f"if {phases}:"):
            self._found(action.clause)
            body.line("return n")
        for field in self.actions.packing.fields[action.name]:
            self._argument(action, field)
        for guard in self.rules.guards_of(action.name, "require"):
            e.clause = guard.clause
            test = e.conjunction(e.conjuncts(guard.body, env))
            if test != "True":
                with body.block(f"if not {test}:"):
                    self._found(guard.clause)
        if ensured is None:
            return
        do, wanted = self.actions.do[action.name]
        asked, needed = ensured
        with body.block("if n == 0:"):
            body.line("T = S.copy()")
            body.line(f"{do}({', '.join('T' if f == 'S' else e.use(f) for f in wanted)})")
            body.line(f"n = {asked}({', '.join('T' if f == 'S' else e.use(f) for f in needed)}, out, n)")

    def _argument(self, action: Action, field: Field) -> None:
        """Take an argument out of the integer of an action, and say what is wrong with it."""
        body, param = self.e.body, field.param
        v = self.actions.envs[action.name][param.name]
        if param.domain == "laid_meld":
            self._laid(action, field, v)
            return
        body.bound |= {v, f"{v}_result"}
        self.actions.unpack(action, field, v, {f"{v}_result"})
        if param.domain == "growth":
            with body.block(f"if {v}_result == 0:"):
                body.line("return -1")
        if param.domain == "card":
            with body.block(f"if {v} >= FACES:"):
                self._found(action.clause)
                body.line("return n")
        tests = self._faults(action, param, v)
        if tests:
            with body.block(f"if {' or '.join(tests)}:"):
                self._found(action.clause)
        if param.domain == "new_meld":
            for law in self.laws:
                among = " or ".join(f"TEMPLATE[{v} & SHAPE_MASK] == {template}" for template in law.templates)
                with body.block(f"if ({among}) and not {law.function}({v}):"):
                    self._found(law.clause)

    def _faults(self, action: Action, param: ActionParam, v: str) -> list[str]:
        """The conditions under which an argument is not in its domain, which the action's own clause then says."""
        env = self.actions.envs[action.name]
        match param.domain:
            case "card":
                return [f"not {self.actions.faces(param.zone, env)} >> {v} & 1"]
            case "growth":
                return [f"not {self.actions.faces(param.zone, env)} >> ({v} & CARD_MASK) & 1"]
            case "new_meld":
                assert param.zone is not None
                ((_, address),) = self.e.addresses(param.zone, env)
                return [f"lacks(S, {address}, {v})"]
            case "number":
                assert param.low is not None
                assert param.high is not None
                return [f"not {self.e.text(param.low, env)} <= {v} <= {self.e.text(param.high, env)}"]
        return []

    def _laid(self, action: Action, field: Field, v: str) -> None:
        """A meld that lies on the table; without one there is nothing else to ask."""
        body, zone = self.e.body, field.param.zone
        assert zone is not None
        body.bound |= {v, f"{v}_at", f"{v}_owner"}
        owners = self.e.addresses(zone, self.actions.envs[action.name])
        there = [f"0 < {v}_at - ({z}) <= 2 * S[{z}] and ({v}_at - ({z})) % 2 == 1" for _, z in owners]
        self.actions.unpack_at(field, v)
        with body.block(f"if not ({' or '.join(there)}):"):
            self._found(action.clause)
            body.line("return n")
        self.actions.unpack_laid(field, v, {f"{v}_owner"})
