"""What is legal in a position, and what an action makes of it.

`legal` lists all legal actions, each domain filtered by the guards that can be asked already;
`judge` takes one action, legal or not, and gives the next position or every clause that it violates.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from biriba.interpreter.closures import conjunction
from biriba.interpreter.domains import DOMAINS, Domain, Rejection
from biriba.interpreter.effects import Draft, Effects, Run, in_turn
from biriba.interpreter.evaluate import Evaluator
from biriba.interpreter.frame import Code, Constant, Frame, Local, Standing
from biriba.interpreter.sentences import Sentences
from biriba.model import expr as x
from biriba.model.position import Action, Position
from biriba.model.ruleset import OVER, Guard
from biriba.model.ruleset import Action as ActionDecl


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be said of an action.

    Attributes:
        position: the position that it leads to, None if it is not legal.
        rejections: the clauses that it violates, in the order of the rules; none if it is legal.
    """

    position: Position | None
    rejections: tuple[Rejection, ...] = ()

    @property
    def legal(self) -> bool:
        return self.position is not None

    @property
    def clauses(self) -> tuple[str, ...]:
        """The ids of the violated clauses, each once."""
        return tuple(dict.fromkeys(rejection.clause for rejection in self.rejections))


class Judge:
    """The actions of one rule set.

    Args:
        effects: what compiles their effects, if it is to do more than that.
    """

    def __init__(self, evaluator: Evaluator, effects: Effects | None = None) -> None:
        self._evaluator = evaluator
        self._sentences = Sentences(evaluator)
        self._order = {clause: i for i, clause in enumerate(evaluator.rules.clauses)}
        effects = effects or Effects(evaluator)
        self._actions = {name: _Action(evaluator, effects, decl) for name, decl in evaluator.rules.actions.items()}

    def legal(
        self, position: Position, standing: Standing | None = None, names: Collection[str] | None = None
    ) -> list[Action]:
        """All legal actions of the seat to act: by action, then by their arguments in canonical order.

        Args:
            names: the actions that are asked for; by default all.
        """
        found: list[Action] = []
        frame = self._evaluator.frame(position.turn, standing)
        for name, action in self._actions.items():
            if position.phase in action.phases and (names is None or name in names):
                action.collect(position, frame, found)
        return found

    def judge(
        self, position: Position, action: Action, seat: int | None = None, standing: Standing | None = None
    ) -> Verdict:
        """The next position, or all that speaks against an action.

        Args:
            seat: who wants to act; by default the seat whose turn it is.

        Raises:
            ValueError: the rule set has no action of that name.
        """
        known = self._actions.get(action.name)
        if known is None:
            raise ValueError(f"there is no action {action.name!r}; there are: {', '.join(self._actions)}")
        untimely = self._untimely(position, known, seat)
        if untimely is not None:
            return Verdict(None, (Rejection(known.decl.clause, untimely),))
        frame = self._evaluator.frame(position.turn, standing)
        rejections = self._unbound(position, frame, known, action.args)
        rejections += [
            self._broken(guard, position, frame, known)
            for guard, code, slots in known.guards
            if all(frame[slot] is not UNBOUND for slot in slots) and not code(position, frame)
        ]
        if rejections:
            return Verdict(None, self._sorted(rejections))
        draft = known.act(position, frame)
        rejections = [
            self._broken(guard, draft, frame, known) for guard, code in known.ensures if not code(draft, frame)
        ]
        return Verdict(None, self._sorted(rejections)) if rejections else Verdict(draft.freeze())

    def _untimely(self, position: Position, action: _Action, seat: int | None) -> str | None:
        name, say = action.decl.name, self._sentences.say
        if position.phase == OVER:
            return say("The deal is over: there is no {action} any more.", action=name)
        seats = self._evaluator.rules.table.seats
        if seat is not None and seat != position.turn:
            return say("It is the turn of {seat}, not of {other}.", seat=seats[position.turn], other=seats[seat])
        if position.phase not in action.phases:
            phases = say(" or ").join(self._sentences.name("phase", phase) for phase in action.decl.phases)
            phase = self._sentences.name("phase", position.phase)
            text = "{action} belongs to the phase {phases} of a turn, and this is the phase {phase}."
            return say(text, action=name, phases=phases, phase=phase)
        return None

    def _unbound(self, position: Position, frame: Frame, action: _Action, args: Sequence[Any]) -> list[Rejection]:
        """Bind the arguments; those that are not even of the right kind are left unbound."""
        if len(args) != len(action.domains):
            for domain in action.domains:
                frame[domain.slot] = UNBOUND
            holes = {"action": action.decl.name, "count": len(action.domains)}
            said = self._sentences.say("The action {action} takes {count} arguments.", **holes)
            return [Rejection(action.decl.clause, said)]
        rejections: list[Rejection] = []
        for domain, arg in zip(action.domains, args, strict=True):
            rejections += domain.faults(position, frame, arg)
            frame[domain.slot] = arg if domain.well_formed(arg) else UNBOUND
        return rejections

    def _broken(self, guard: Guard, situation: Any, frame: Frame, action: _Action) -> Rejection:
        return Rejection(guard.clause, self._sentences.of(guard.clause, situation, frame, action.env))

    def _sorted(self, rejections: list[Rejection]) -> tuple[Rejection, ...]:
        """In the order of the clauses, each said once."""
        return tuple(sorted(dict.fromkeys(rejections), key=lambda rejection: self._order[rejection.clause]))


class _Unbound:
    """The value of a parameter whose argument is of the wrong kind."""


UNBOUND = _Unbound()

Collect = Callable[[Position, Frame, list[Action]], None]


class _Action:
    """An action, compiled.

    Attributes:
        env: where its parameters are kept.
        guards: its `require` guards, each with the slots of the parameters that it mentions.
        ensures: its `ensure` guards.
        collect: adds all of its legal instances in a position to a list.
    """

    def __init__(self, evaluator: Evaluator, effects: Effects, decl: ActionDecl) -> None:
        rules = evaluator.rules
        self.decl = decl
        self.phases = frozenset(decl.phases)
        self.env = {param.name: Local(evaluator.slot(), param.domain == "laid_meld") for param in decl.params}
        self.domains: list[Domain] = [DOMAINS[p.domain](evaluator, decl, p, self.env) for p in decl.params]
        self.guards = [
            (guard, evaluator.compile(guard.body, self.env), [self.env[name].slot for name in _named(guard, self.env)])
            for guard in rules.guards_of(decl.name, "require")
        ]
        self.ensures = [
            (guard, evaluator.compile(guard.body, self.env)) for guard in rules.guards_of(decl.name, "ensure")
        ]
        blocks = [
            *(consequence.effects for consequence in rules.consequences_of(decl.name, "before")),
            decl.effects,
            *(consequence.effects for consequence in rules.consequences_of(decl.name, "then")),
        ]
        self._effects: Run = in_turn([effects.compile(effect, self.env) for block in blocks for effect in block])
        self._ensure = conjunction([code for _, code in self.ensures])
        self.collect = self._collector()

    def act(self, position: Position, frame: Frame) -> Draft:
        """The draft of what the action makes of a position, its arguments being in the frame."""
        return Draft(position).after(self._effects, frame)

    def _collector(self) -> Collect:
        collect = self._leaf()
        for level in range(len(self.domains), 0, -1):
            collect = _for_values(self.domains[level - 1], self._guard(level), collect)
        guard = self._guard(0)
        if isinstance(guard, Constant):
            return collect if guard.value else lambda position, frame, found: None

        def begin(position: Position, frame: Frame, found: list[Action]) -> None:
            if guard(position, frame):
                collect(position, frame, found)

        return begin

    def _guard(self, level: int) -> Code:
        """The guards that can be asked when so many parameters are bound, and not earlier."""
        slots = [domain.slot for domain in self.domains]

        def level_of(mentioned: list[int]) -> int:
            return max((slots.index(slot) + 1 for slot in mentioned), default=0)

        return conjunction([code for _, code, mentioned in self.guards if level_of(mentioned) == level])

    def _leaf(self) -> Collect:
        name, slots, act, ensure = self.decl.name, [domain.slot for domain in self.domains], self.act, self._ensure

        def add(position: Position, frame: Frame, found: list[Action]) -> None:
            found.append(Action(name, tuple([frame[slot] for slot in slots])))

        def add_if(position: Position, frame: Frame, found: list[Action]) -> None:
            if ensure(act(position, frame), frame):
                found.append(Action(name, tuple([frame[slot] for slot in slots])))

        return add if isinstance(ensure, Constant) and ensure.value else add_if


def _for_values(domain: Domain, guard: Code, collect: Collect) -> Collect:
    slot, values = domain.slot, domain.values
    if isinstance(guard, Constant) and guard.value:

        def every(position: Position, frame: Frame, found: list[Action]) -> None:
            for value in values(position, frame):
                frame[slot] = value
                collect(position, frame, found)

        return every

    def some(position: Position, frame: Frame, found: list[Action]) -> None:
        for value in values(position, frame):
            frame[slot] = value
            if guard(position, frame):
                collect(position, frame, found)

    return some


def _named(guard: Guard, env: dict[str, Local]) -> set[str]:
    return {node.name for node in guard.body.walk() if isinstance(node, x.Var) and node.name in env}
