"""What an expression asks of melds that are not known one by one, written down so that equal questions are alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from biriba.model import expr as x
from biriba.verify.terms import Term, known
from biriba.verify.z3api import z3

if TYPE_CHECKING:
    from biriba.verify.encode import Encoder, Scope

Env = Mapping[str, Any]


@dataclass(frozen=True)
class Bound:
    """A variable whose value is one of the melds that are not known, or depends on one."""

    index: int


def _is_of_melds(node: x.Node) -> bool:
    """Whether a node asks what depends on the templates, laws or cards of a rule set."""
    return isinstance(node, (x.MeldsFrom, x.Grown)) or (isinstance(node, x.Call) and node.function in _OF_MELDS)


_OF_MELDS = ("lawful", "room", "substitutes", "naturals", "wild", "value", "copies", "deadwood")
_DOMAINS = (x.Every, x.Range, x.CardsOf, x.MeldsOf, x.MeldsFrom, x.SeatsOf, x.SeatsFrom, x.Grown)


class Outline:
    """What an expression asks of melds that are not known, with everything else it depends on as arguments.

    Two questions with equal outlines and equal arguments are the same question.

    Attributes:
        counts: for each question how melds grow, which argument says by how many copies; None if none does alone.
    """

    def __init__(self, encoder: Encoder, scope: Scope, args: list[Term]) -> None:
        self.encoder, self.args, self.scope = encoder, args, scope
        self.bound = 0
        self.counts: list[int | None] = []

    @property
    def growing(self) -> int | None:
        """The argument that says by how many copies melds grow, if that is asked once and by one argument."""
        return self.counts[0] if len(self.counts) == 1 else None

    def quantifier(
        self,
        kind: str,
        binders: tuple[x.Binder, ...],
        body: x.Node,
        env: Env | None = None,
        *,
        skip_domain: bool = False,
    ) -> object:
        inner = dict(self.scope.env if env is None else env)
        parts: list[object] = [kind]
        for i, binder in enumerate(binders):
            parts.append("melds" if skip_domain and i == 0 else self.of(binder.domain, inner))
            inner[binder.var] = self.fresh()
            parts.append(None if binder.where is None else self.of(binder.where, inner))
        parts.append(self.of(body, inner))
        return tuple(parts)

    def fresh(self) -> Bound:
        self.bound += 1
        return Bound(self.bound)

    def of(self, node: x.Node, env: Env) -> object:
        if not any(isinstance(env.get(n.name), Bound) for n in node.walk() if isinstance(n, x.Var)):
            return self.independent(node, env)
        match node:
            case x.Var(name=name):
                return env[name]
            case x.Apply(definition=name, args=args):
                definition = self.encoder.rules.definitions[name]
                return self.call([n for n, _ in definition.params], args, [definition.body], env)
            case x.May(action=name, args=args):
                guards = [guard.body for guard in self.encoder.rules.guards_of(name, "require")]
                return self.call([p.name for p in self.encoder.rules.actions[name].params], args, guards, env)
            case (
                x.Quantified(quantifier=kind, binders=binders, body=body)
                | x.Fold(kind=kind, binders=binders, body=body)
            ):
                return self.quantifier(kind, binders, body, env)
            case x.Grown():
                parts = [self.of(node.meld, env), self.of(node.card, env)]
                before = len(self.args)
                parts.append(self.of(node.count, env))
                self.counts.append(before if len(self.args) == before + 1 else None)
                return ("Grown", self.encoder.salt, *parts)
            case x.Call(function="points", args=args):
                # What the lines depend on besides the meld must be told too.
                lines = [line for line in self.encoder.rules.score if line.type.kind == "meld"]
                return ("points", *(self.call([n.var], args, [n.where or n.body, n.body], env) for n in lines))
            case x.Old(body=body):
                return ("Old", self.of_earlier(body, env))
            case _:
                salt = self.encoder.salt if _is_of_melds(node) else ""
                fields = ((name, getattr(node, name)) for name in sorted(node.__dataclass_fields__))
                told = [str(v) for k, v in fields if not isinstance(v, (x.Node, tuple)) and k not in ("type", "span")]
                return (type(node).__name__, salt, *told, *(self.of(child, env) for child in node.children()))

    def of_earlier(self, node: x.Node, env: Env) -> object:
        """What is asked of the position before the step."""
        assert self.scope.old is not None, "the checker allows old() only where there is an old position"
        now, self.scope = self.scope, replace(self.scope, position=self.scope.old)
        found = self.of(node, env)
        self.scope = now
        return found

    def call(self, names: list[str], args: tuple[x.Node, ...], bodies: list[x.Node], env: Env) -> object:
        inner: dict[str, Any] = {}
        parts: list[object] = []
        for name, arg in zip(names, args, strict=True):
            if any(isinstance(env.get(n.name), Bound) for n in arg.walk() if isinstance(n, x.Var)):
                if isinstance(arg, x.Var):
                    inner[name] = env[arg.name]
                else:
                    parts.append(self.of(arg, env))
                    inner[name] = self.fresh()
            else:
                inner[name] = self.value(arg, env)
        return (*parts, *(self.of(body, inner) for body in bodies))

    def independent(self, node: x.Node, env: Env) -> object:
        if isinstance(node, _DOMAINS):
            salt = self.encoder.salt if _is_of_melds(node) else ""
            return (
                type(node).__name__,
                salt,
                str(node.type),
                *(self.independent(child, env) for child in node.children()),
            )
        value = self.value(node, env)
        if known(value):
            return ("is", type(value).__name__, value)
        if isinstance(value, z3.ExprRef):
            self.args.append(value)
            return "argument"
        self.encoder.unknowns.keep(value)
        return ("object", id(value))

    def value(self, node: x.Node, env: Env) -> Any:
        return self.encoder.value(
            node, replace(self.scope, env={k: v for k, v in env.items() if not isinstance(v, Bound)})
        )
