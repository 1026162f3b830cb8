"""The actions of a rule set as functions: what each does, whether its result is allowed, and which are legal.

An action with its arguments is one integer: its number, then a field for each parameter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from biriba.engine.codec import Codec
from biriba.engine.effects import Effects
from biriba.engine.errors import EngineError
from biriba.engine.expressions import Env, Expressions
from biriba.model import expr as x
from biriba.model import stmt
from biriba.model.pure import count_of
from biriba.model.ruleset import Action, ActionParam, Guard, Ruleset

NUMBER_OFFSET = 1 << 15
"""Added to a number so that its field holds no sign."""
NUMBER_BITS = 17
GROWTH_END, GROWTH_MOVED = 8, 10
"""Where the end and the place of the moved substitute begin in a growth; the card begins at 0."""


@dataclass(frozen=True, slots=True)
class Field:
    """Where an argument is kept in the integer of an action: from bit `at`, so many `bits`."""

    param: ActionParam
    at: int
    bits: int

    @property
    def mask(self) -> int:
        return (1 << self.bits) - 1


class Packing:
    """How the actions of a rule set are packed.

    Attributes:
        number_bits: bits of the action's own number.
        fields: the fields of each action's arguments.
        bits: how many bits an action takes at most.
    """

    def __init__(self, rules: Ruleset, codec: Codec, length: int) -> None:
        self.number_bits = max(1, (len(rules.actions) - 1).bit_length())
        place_bits = (codec.places + 1).bit_length()
        bits = {
            "card": len(rules.cards.faces).bit_length(),
            "new_meld": codec.bits,
            "laid_meld": length.bit_length(),
            "growth": GROWTH_MOVED + place_bits,
            "number": NUMBER_BITS,
        }
        self.fields: dict[str, list[Field]] = {}
        self.bits = 0
        for action in rules.actions.values():
            at, fields = self.number_bits, []
            for param in action.params:
                width = bits.get(param.domain) or (choices(rules, param) + 1).bit_length()
                fields.append(Field(param, at, width))
                at += width
            self.fields[action.name] = fields
            self.bits = max(self.bits, at)


def choices(rules: Ruleset, param: ActionParam) -> int:
    """How many values a parameter of domain `value` has, `none` not counted."""
    match param.type.kind:
        case "bool":
            return 2
        case "option":
            return len(rules.parameters[param.type.detail or ""].options)
        case kind:
            return count_of(rules, kind)


class Actions:
    """Writes the functions of all actions."""

    def __init__(self, expressions: Expressions, effects: Effects, packing: Packing) -> None:
        self.e, self.effects, self.packing = expressions, effects, packing
        self.rules, self.layout = expressions.rules, expressions.layout
        self._envs = {a.name: self._env(a) for a in self.rules.actions.values()}
        self._do: dict[str, tuple[str, list[str]]] = {}
        self._try: dict[str, tuple[str, list[str]]] = {}

    def write(self) -> None:
        """Write `do_` and `try_` functions, then `legal` and `play`."""
        for action in self.rules.actions.values():
            self._write_do(action)
            if self.rules.guards_of(action.name, "ensure"):
                self._write_try(action)
        self._write_legal()
        self._write_play()

    def _env(self, action: Action) -> Env:
        env: dict[str, str] = {}
        with self.e.function():
            for param in action.params:
                env[param.name] = self.e.bind(param.name, env)
        return env

    # ------------------------------------------------------------ doing

    def _write_do(self, action: Action) -> None:
        env = self._envs[action.name]
        with self.e.function() as body:
            for clause, block in self._blocks(action):
                self.e.clause = clause
                body.line(f"# {clause}")
                self.effects.block(block, env)
        name = self.e.names.take(f"do_{action.name}")
        self._do[action.name] = name, body.free
        self.e.add(name, body.free, body, f"{action.name}: {action.clause}, with its consequences.")

    def _blocks(self, action: Action) -> Iterator[tuple[str, stmt.Block]]:
        for consequence in self.rules.consequences_of(action.name, "before"):
            yield consequence.clause, consequence.effects
        yield action.clause, action.effects
        for consequence in self.rules.consequences_of(action.name, "then"):
            yield consequence.clause, consequence.effects

    def _write_try(self, action: Action) -> None:
        """Act, ask what must hold then, and put everything back."""
        env = self._envs[action.name]
        name, free = self._do[action.name]
        with self.e.function() as body:
            body.used.update(dict.fromkeys(["S", *free]))
            restore: list[str] = []
            written = [effect for _, block in self._blocks(action) for effect in _all(block)]
            for cells in self._cells(written, env):
                restore += cells
            body.line(f"{name}({', '.join(free)})")
            guards = self.rules.guards_of(action.name, "ensure")
            parts = [part for guard in guards for part in self._conjuncts(guard, env)]
            body.line(f"allowed = {self.e.conjunction(parts)}")
            body.bound.add("allowed")
            for line in restore:
                body.line(line)
            body.line("return allowed")
        clauses = ", ".join(dict.fromkeys(guard.clause for guard in guards))
        name = self.e.names.take(f"try_{action.name}")
        self._try[action.name] = name, body.free
        self.e.add(name, body.free, body, f"Whether {action.name} leads to a position that keeps {clauses}.")

    def _conjuncts(self, guard: Guard, env: Env) -> list[tuple[x.Node, Env]]:
        self.e.clause = guard.clause
        return self.e.conjuncts(guard.body, env)

    def _cells(self, effects: Sequence[stmt.Effect], env: Env) -> Iterator[list[str]]:
        """Keep what the effects may write; yields the lines that put it back."""
        layout = self.layout
        addresses: dict[str, tuple[str, bool]] = {}
        sources, targets = set[str](), set[str]()
        taken_apart = set[str]()
        for effect in effects:
            match effect:
                case stmt.MoveCard(source=source, target=target):
                    taken_apart.add(source.name)
                    self._note(addresses, source, target)
                case stmt.MoveTop(source=source, target=target) | stmt.MoveAll(source=source, target=target):
                    sources.add(source.name)
                    targets.add(target.name)
                    self._note(addresses, source, target)
                case stmt.Lay(source=source, target=target):
                    targets.add(target.name)
                    self._note(addresses, source, target)
                case stmt.Grow(source=source, meld=meld):
                    at = self.e.use(f"{env[meld]}_at")
                    taken_apart.add(source.name)
                    self._note(addresses, source)
                    yield self._keep([at, f"{at} + 1"])
                case stmt.Assign(target=target):
                    yield self._keep(self._slots(target))
                case stmt.TurnTo():
                    yield self._keep([layout.turn])
                case stmt.GoTo() | stmt.EndDeal():
                    yield self._keep([layout.phase])
        for address, (name, _) in addresses.items():
            kind = self.rules.zones[name].kind
            if kind == "hand":
                cells = [f"{address} + {k}" if k else address for k in [*range(layout.planes), layout.planes + 1]]
                yield self._keep(cells)
            elif (name in sources and name in targets) or (kind == "pile" and name in taken_apart):
                kept, length = self.e.fresh("kept"), "2 * " if kind == "melds" else ""
                self.e.body.line(f"{kept} = S[{address} : {address} + 1 + {length}S[{address}]].copy()")
                yield [f"S[{address} : {address} + len({kept})] = {kept}"]
            else:
                yield self._keep([address])

    def _note(self, addresses: dict[str, tuple[str, bool]], *zones: x.Zone) -> None:
        for zone in zones:
            for address in self._slots(zone):
                addresses.setdefault(address, (zone.name, True))

    def _slots(self, node: x.Zone | x.State) -> list[str]:
        """The addresses that a zone or state may stand for while the action is under way."""
        place = (self.layout.zones if isinstance(node, x.Zone) else self.layout.states)[node.name]
        if node.index is None or all(isinstance(part, _FIXED) for part in node.index.walk()):
            return [self.e.indexed(place, node.index, {})]
        return [
            f"{place.constant} + {place.stride * (place.low + i)}" if place.stride * (place.low + i) else place.constant
            for i in range(place.owners)
        ]

    def _keep(self, cells: Sequence[str]) -> list[str]:
        restore = []
        for cell in cells:
            known = self.e.body.kept.get(cell)
            if known is None:
                name = self.e.body.kept[cell] = self.e.fresh("kept")
                self.e.body.line(f"{name} = S[{cell}]")
                restore.append(f"S[{cell}] = {name}")
        return restore

    # ------------------------------------------------------------ listing

    def _write_legal(self) -> None:
        with self.e.function(["S", "L", "n", "me", "mine", "phase"]) as body:
            body.line(f"phase = S[{self.layout.phase}]")
            body.line(f"me = S[{self.layout.turn}]")
            body.line("mine = SIDE[me]")
            body.line("n = 0")
            for action in self.rules.actions.values():
                phases = " or ".join(f"phase == {self.layout.phase_names[p]}" for p in action.phases)
                with body.block(f"if {phases}:  # {action.name}: {action.clause}"):
                    self._list(action)
            body.line("return n")
        self.e.add("legal", ["S", "L"], body, "List the legal actions of the seat to act in L; returns their number.")

    def _list(self, action: Action) -> None:
        env = self._envs[action.name]
        guards = [
            (guard, max((i for i, p in enumerate(action.params, 1) if _names(guard.body, p.name)), default=0))
            for guard in self.rules.guards_of(action.name, "require")
        ]
        with ExitStack() as stack:
            self._ask(stack, [g for g, level in guards if level == 0], env)
            for level, field in enumerate(self.packing.fields[action.name], 1):
                here = [g for g, at in guards if at == level]
                last = level == len(action.params)
                self._open(stack, action, field.param, env, here, last=last)
            code = self._code(action, env)
            if not action.params:
                self._room("1")
            if action.name not in self._try:
                self.e.body.line(f"L[n] = {code}")
                self.e.body.line("n += 1")
                return
            name, free = self._try[action.name]
            with self.e.body.block(f"if {name}({', '.join(map(self.e.use, free))}):"):
                self.e.body.line(f"L[n] = {code}")
                self.e.body.line("n += 1")
            with self.e.body.block("else:"):
                self.e.body.line(f"S[{self.layout.blocked}] += 1")

    def _ask(self, stack: ExitStack, guards: Sequence[Guard], env: Env) -> None:
        parts = [part for guard in guards for part in self._conjuncts(guard, env)]
        if parts:
            stack.enter_context(self.e.body.block(f"if {self.e.conjunction(parts)}:"))

    def _room(self, count: str) -> None:
        with self.e.body.block(f"if n + {count} > len(L):"):
            self.e.body.line('raise OverflowError("too many legal actions")')

    def _code(self, action: Action, env: Env) -> str:
        parts = [self.layout.action_names[action.name]]
        for field in self.packing.fields[action.name]:
            name = env[field.param.name]
            match field.param.domain:
                case "laid_meld":
                    value = f"{name}_at"
                case "number":
                    value = f"({name} + {NUMBER_OFFSET})"
                case "value" if field.param.type.optional:
                    value = f"(0 if {name} == NONE else {name} + 1)"
                case _:
                    value = name
            parts.append(f"{value} << {field.at}")
        return " | ".join(parts)

    def _open(
        self, stack: ExitStack, action: Action, param: ActionParam, env: Env, guards: Sequence[Guard], *, last: bool
    ) -> None:
        e, body, name = self.e, self.e.body, env[param.name]
        body.bound.add(name)
        match param.domain:
            case "card":
                left, bit = e.fresh("x"), e.fresh("bit")
                body.line(f"{left} = {self._faces(param.zone, env)}")
                if last:
                    self._room("FACES")
                stack.enter_context(body.block(f"while {left}:"))
                body.line(f"{bit} = {left} & -{left}")
                body.line(f"{left} ^= {bit}")
                body.line(f"{name} = BIT[{bit} % PRIME]")
            case "new_meld":
                found, i = e.fresh("found"), e.fresh("i")
                ((kind, address),) = self._zone(param.zone, env)
                if kind != "hand":
                    raise EngineError(f"action {action.name}: the engine makes melds of the cards of one hand only")
                body.line(f"{found} = new_melds(S, {address})")
                if last:
                    self._room(f"len({found})")
                stack.enter_context(body.block(f"for {i} in range(len({found})):"))
                body.line(f"{name} = {found}[{i}]")
            case "laid_meld":
                self._open_laid(stack, param, env, guards)
                guards = [g for g in guards if not _only_owner(g.body, param.name)]
            case "growth":
                found, i = e.fresh("found"), e.fresh("i")
                meld = env[param.of or ""]
                faces = self._faces(param.zone, env)
                with body.block(f"if S[{meld}_at + 1] == UNKNOWN:"):
                    body.line(f"S[{meld}_at + 1] = growth_faces({meld})")
                stack.enter_context(body.block(f"if S[{meld}_at + 1] & {faces}:"))
                body.line(f"{found} = growths({meld})")
                if last:
                    self._room(f"len({found})")
                stack.enter_context(body.block(f"for {i} in range(0, len({found}), 2):"))
                body.line(f"{name} = {found}[{i}]")
                body.line(f"{name}_result = {found}[{i} + 1]")
                body.bound.add(f"{name}_result")
                stack.enter_context(body.block(f"if {faces} >> ({name} & CARD_MASK) & 1:"))
            case "number":
                assert param.low is not None
                assert param.high is not None
                low, high = e.text(param.low, env), e.text(param.high, env)
                if last:
                    self._room(f"max(0, {high} - {low} + 1)")
                stack.enter_context(body.block(f"for {name} in range({low}, {high} + 1):"))
            case _:
                count = choices(self.rules, param)
                if last:
                    self._room(str(count + 1))
                if param.type.optional:
                    i = e.fresh("i")
                    stack.enter_context(body.block(f"for {i} in range({count + 1}):"))
                    body.line(f"{name} = {i} if {i} < {count} else NONE")
                else:
                    stack.enter_context(body.block(f"for {name} in range({count}):"))
        self._ask(stack, guards, env)

    def _open_laid(self, stack: ExitStack, param: ActionParam, env: Env, guards: Sequence[Guard]) -> None:
        e, body, name = self.e, self.e.body, env[param.name]
        assert param.zone is not None
        place = self.layout.zones[param.zone.name]
        body.bound |= {f"{name}_owner", f"{name}_at"}
        if param.zone.index is None and self.rules.zones[param.zone.name].owner is not None:
            stack.enter_context(body.block(f"for {name}_owner in range({place.owners}):"))
            address = f"{place.constant} + {place.stride} * {name}_owner"
            if place.low:
                address = f"{place.constant} + {place.stride} * ({name}_owner + {place.low})"
        else:
            address = e.address(param.zone, env)
            owner = "0" if param.zone.index is None else e.text(param.zone.index, env)
            body.line(f"{name}_owner = {owner}")
        # What asks only for the owner is asked once for all of his melds.
        self._ask(stack, [g for g in guards if _only_owner(g.body, param.name)], env)
        z = e.fresh("z")
        body.line(f"{z} = {address}")
        stack.enter_context(body.block(f"for {name}_at in range({z} + 1, {z} + 1 + 2 * S[{z}], 2):"))
        body.line(f"{name} = S[{name}_at]")

    def _zone(self, zone: x.Zone | None, env: Env) -> list[tuple[str, str]]:
        assert zone is not None
        return self.e.addresses(zone, env)

    def _faces(self, zone: x.Zone | None, env: Env) -> str:
        """The faces of the cards in a zone, as bits."""
        texts = {"hand": "S[{}]", "pile": "pile_faces(S, {})"}
        found = [texts[kind].format(address) for kind, address in self._zone(zone, env)]
        return found[0] if len(found) == 1 else f"({' | '.join(found)})"

    # ------------------------------------------------------------ playing

    def _write_play(self) -> None:
        number = (1 << self.packing.number_bits) - 1
        with self.e.function(["S", "a", "me", "mine", "k"]) as body:
            body.line(f"me = S[{self.layout.turn}]")
            body.line("mine = SIDE[me]")
            body.line(f"k = a & {number}")
            word = "if"
            for action in self.rules.actions.values():
                with body.block(f"{word} k == {self.layout.action_names[action.name]}:"):
                    self._unpack(action)
                word = "elif"
        self.e.add("play", ["S", "a"], body, "Do an action of the seat to act, which must be legal.")

    def _unpack(self, action: Action) -> None:
        env, body = self._envs[action.name], self.e.body
        name, free = self._do[action.name]
        for field in self.packing.fields[action.name]:
            v = env[field.param.name]
            last = field is self.packing.fields[action.name][-1]
            part = f"a >> {field.at}" + ("" if last else f" & {field.mask}")
            wanted = {f for f in free if f == v or f.startswith(f"{v}_")}
            body.bound |= {v, *wanted}
            match field.param.domain:
                case "laid_meld":
                    body.line(f"{v}_at = {part}")
                    body.bound.add(f"{v}_at")
                    body.line(f"{v} = S[{v}_at]")
                    if f"{v}_owner" in wanted:
                        assert field.param.zone is not None
                        place = self.layout.zones[field.param.zone.name]
                        body.line(f"{v}_owner = ({v}_at - {place.address(0)}) // {place.stride}")
                case "growth":
                    body.line(f"{v} = {part}")
                    body.line(f"{v}_result = result_of({env[field.param.of or '']}, {v})")
                case "number":
                    body.line(f"{v} = ({part}) - {NUMBER_OFFSET}")
                case "value" if field.param.type.optional:
                    body.line(f"{v} = ({part}) - 1 if {part} else NONE")
                case _:
                    body.line(f"{v} = {part}")
        body.line(f"{name}({', '.join(map(self.e.use, free))})")


_FIXED = (x.Context, x.Const, x.Param, x.Call)
"""What does not change while an action is under way."""


def _all(block: stmt.Block) -> Iterator[stmt.Effect]:
    """The effects of a block and those inside them."""
    for effect in block:
        yield effect
        match effect:
            case stmt.When(then=then, otherwise=otherwise):
                yield from _all(then)
                yield from _all(otherwise)
            case stmt.ForEach(body=body) | stmt.Repeat(body=body) | stmt.WithOne(body=body):
                yield from _all(body)


def _names(node: x.Node, name: str) -> bool:
    return any(isinstance(part, x.Var) and part.name == name for part in node.walk())


def _only_owner(node: x.Node, name: str) -> bool:
    """Whether an expression asks for nothing but the owner of a laid meld."""
    if isinstance(node, x.Call) and node.function == "owner":
        return True
    if isinstance(node, x.Var):
        return node.name != name
    return all(_only_owner(child, name) for child in node.children())
