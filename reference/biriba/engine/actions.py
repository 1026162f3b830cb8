"""The actions of a rule set as functions: what each does, whether its result is allowed, and which are legal.

An action with its arguments is one integer: its number, then a field for each parameter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import groupby

from biriba.engine.codec import Codec
from biriba.engine.effects import Effects
from biriba.engine.errors import EngineError
from biriba.engine.expressions import UNKNOWN, Env, Expressions
from biriba.engine.foresight import Foresight, Plenty, Unfit
from biriba.model import expr as x
from biriba.model import stmt
from biriba.model.definedness import always_defined
from biriba.model.pure import count_of, evaluate
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
    """Writes the functions of all actions.

    Attributes:
        tables: tables that they need.
        envs: by action, the identifiers of its parameters.
        do: by action, the function that does it, and what that takes.
    """

    def __init__(self, expressions: Expressions, effects: Effects, packing: Packing) -> None:
        self.e, self.effects, self.packing = expressions, effects, packing
        self.rules, self.layout = expressions.rules, expressions.layout
        self.envs = {a.name: self._env(a) for a in self.rules.actions.values()}
        self.do: dict[str, tuple[str, list[str]]] = {}
        self._try: dict[str, tuple[str, list[str]]] = {}
        self._plenty: dict[str, Plenty | None] = {}
        self._growing: dict[str, tuple[str, str]] = {}
        self.tables: list[str] = []

    def write(self) -> None:
        """Write `do_` and `try_` functions, then `legal` and `play`."""
        foresight = Foresight(self.rules, self.e.known, UNKNOWN)
        for action in self.rules.actions.values():
            self._write_do(action)
            if self.rules.guards_of(action.name, "ensure"):
                self._write_try(action)
                effects = [effect for _, block in self._blocks(action) for effect in block]
                self._plenty[action.name] = foresight.plenty(action.name, effects)
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
        env = self.envs[action.name]
        with self.e.function() as body:
            for clause, block in self._blocks(action):
                self.e.clause = clause
                body.line(f"# {clause}")
                self.effects.block(block, env)
        name = self.e.names.take(f"do_{action.name}")
        self.do[action.name] = name, body.free
        self.e.add(name, body.free, body, f"{action.name}: {action.clause}, with its consequences.")

    def _blocks(self, action: Action) -> Iterator[tuple[str, stmt.Block]]:
        for consequence in self.rules.consequences_of(action.name, "before"):
            yield consequence.clause, consequence.effects
        yield action.clause, action.effects
        for consequence in self.rules.consequences_of(action.name, "then"):
            yield consequence.clause, consequence.effects

    def _write_try(self, action: Action) -> None:
        """Act, ask what must hold then, and put everything back."""
        env = self.envs[action.name]
        name, free = self.do[action.name]
        with self.e.function() as body:
            body.used.update(dict.fromkeys(["S", *free]))
            restore: list[str] = []
            written = [effect for _, block in self._blocks(action) for effect in stmt.walk(block)]
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
            body.line("space = len(L) - WORK")
            body.line("n = 0")
            for phases, actions in groupby(self.rules.actions.values(), key=lambda action: action.phases):
                test = " or ".join(f"phase == {self.layout.phase_names[p]}" for p in phases)
                with body.block(f"if {test}:"):
                    self._list_all(list(actions))
            body.line("return n")
        self.e.add("legal", ["S", "L"], body, "List the legal actions of the seat to act in L; returns their number.")

    def _list_all(self, actions: Sequence[Action]) -> None:
        """List the actions of a phase; what they can do without is counted once, where that is possible."""
        self._spares: dict[Plenty, str] = {}
        named: dict[str, str] = {}
        for plenty in (self._plenty.get(action.name) for action in actions):
            if plenty is not None and all(always_defined(self.rules, c) for u in plenty.unfit for c in u.cards):
                text = f"{self._cards(plenty.zone)} - {self._enough(plenty)}"
                if text not in named:
                    named[text] = self.e.fresh("spare")
                    self.e.body.line(f"{named[text]} = {text}")
                self._spares[plenty] = named[text]
        for action in actions:
            self.e.body.line(f"# {action.name}: {action.clause}")
            self._list(action)

    def _cards(self, zone: x.Zone) -> str:
        """How many cards a hand or pile has."""
        address = self.e.address(zone, {})
        self.e.use("S")
        return f"S[{address} + HAND_SIZE]" if self.rules.zones[zone.name].kind == "hand" else f"S[{address}]"

    def _enough(self, plenty: Plenty) -> str:
        """How many cards are enough, whatever they are."""
        least = max([plenty.least, *(unfit.count + 1 for unfit in plenty.unfit)])
        match plenty.unfit:
            case ():
                return str(least)
            case (Unfit(count, (card,)),) if card.type.optional:
                c = self.e.text(card, {})
                return f"({least} if {c} == NONE else max({least}, {count + 1} + COPIES[{c}]))"
        texts = []
        for unfit in plenty.unfit:
            cards = [(self.e.text(card, {}), card.type.optional) for card in unfit.cards]
            copies = [f"(0 if {c} == NONE else COPIES[{c}])" if optional else f"COPIES[{c}]" for c, optional in cards]
            texts.append(" + ".join([str(unfit.count + 1), *copies]))
        return f"max({least}, {', '.join(texts)})"

    def _quick(self, action: Action, env: Env) -> str:
        """A test, with `or`, after which an action need not be tried; nothing if there is none."""
        plenty = self._plenty.get(action.name)
        if plenty is None:
            return ""
        fixed = sum(loss.count for loss in plenty.losses)
        losses = [f"({env[loss.meld]} >> SIZE & SIZE_MASK)" for loss in plenty.losses if loss.meld is not None]
        losses += [str(fixed)] if fixed > 0 else []
        gains = [*map(self._cards, plenty.gains), *([str(-fixed)] if fixed < 0 else [])]
        spare = self._spares.get(plenty)
        if spare is not None:
            return f"{' + '.join(losses or ['0'])} <= {' + '.join([spare, *gains])} or "
        left = self.e.fresh("left")
        self.e.body.line(f"{left} = {' - '.join([' + '.join([self._cards(plenty.zone), *gains]), *losses])}")
        most = max(face.copies for face in self.rules.cards.faces)
        always = max(plenty.least, *(unfit.count + most * len(unfit.cards) + 1 for unfit in plenty.unfit))
        return f"{left} >= {always} or {left} >= {self._enough(plenty)} or "

    def _list(self, action: Action) -> None:
        env = self.envs[action.name]
        guards = [
            (guard, max((i for i, p in enumerate(action.params, 1) if _names(guard.body, p.name)), default=0))
            for guard in self.rules.guards_of(action.name, "require")
        ]
        with ExitStack() as stack:
            self._ask(stack, [g for g, level in guards if level == 0], env)
            # The faces by which melds may grow are the same for all melds.
            self._growing = {}
            for param in action.params:
                if param.domain == "growth":
                    held = self.e.fresh("held")
                    self.e.body.line(f"{held} = {self.faces(param.zone, env)}")
                    self._growing[param.name] = held, ""
            for level, field in enumerate(self.packing.fields[action.name], 1):
                here = [g for g, at in guards if at == level]
                last = level == len(action.params)
                if self._open(stack, action, field.param, env, here, last=last):
                    return
            code = self._code(action, env)
            if action.name not in self._try:
                self.e.body.line(f"L[n] = {code}")
                self.e.body.line("n += 1")
                return
            name, free = self._try[action.name]
            quick = self._quick(action, env)
            results = self._results(action, env)
            with self.e.body.block(f"if {quick}{name}({', '.join(results.get(f, self.e.use(f)) for f in free)}):"):
                self.e.body.line(f"L[n] = {code}")
                self.e.body.line("n += 1")
            with self.e.body.block("else:"):
                self.e.body.line(f"S[{self.layout.blocked}] += 1")

    def _results(self, action: Action, env: Env) -> dict[str, str]:
        """How to get what a growth leads to, where only a few growths are tried."""
        last = action.params[-1] if action.params else None
        if last is None or last.domain != "growth":
            return {}
        g, meld = env[last.name], env[last.of or ""]
        return {f"{g}_result": f"result_of({meld}, {g})"}

    def _ask(self, stack: ExitStack, guards: Sequence[Guard], env: Env) -> None:
        parts = [part for guard in guards for part in self._conjuncts(guard, env)]
        if parts:
            stack.enter_context(self.e.body.block(f"if {self.e.conjunction(parts)}:"))

    def _room(self, count: str = "") -> None:
        """Stop if there is no room for so many actions; for those of one card or one meld there always is."""
        with self.e.body.block(f"if n{f' + {count}' if count else ''} > space:"):
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
    ) -> bool:
        """Run over the choices for a parameter; returns whether all of them have been listed at one stroke."""
        e, body, name = self.e, self.e.body, env[param.name]
        body.bound.add(name)
        match param.domain:
            case "card":
                left, bit = e.fresh("x"), e.fresh("bit")
                body.line(f"{left} = {self.faces(param.zone, env)}")
                guards = [guard for guard in guards if not self._masked(guard, param, left, env)]
                if last:
                    self._room()
                alone = last and not guards and action.name not in self._try and len(action.params) == 1
                stack.enter_context(body.block(f"while {left}:"))
                body.line(f"{bit} = {left} & -{left}")
                body.line(f"{left} ^= {bit}")
                if alone:
                    body.line(f"L[n] = {self._by_bit(action)}[{bit} % PRIME]")
                    body.line("n += 1")
                    return True
                body.line(f"{name} = BIT[{bit} % PRIME]")
            case "new_meld":
                ((kind, address),) = self._zone(param.zone, env)
                if kind != "hand":
                    raise EngineError(f"action {action.name}: the engine makes melds of the cards of one hand only")
                if last:
                    i = self._listed(stack, f"new_melds(L, n, S, {address})")
                    body.line(f"{name} = L[{i}]")
                else:
                    found, i = e.fresh("found"), e.fresh("i")
                    body.line(f"{found} = melds_of(S, {address})")
                    stack.enter_context(body.block(f"for {i} in range(len({found})):"))
                    body.line(f"{name} = {found}[{i}]")
            case "laid_meld":
                following = action.params[action.params.index(param) + 1 :][:1]
                growth = following[0] if following and following[0].of == param.name else None
                self._open_laid(stack, param, env, guards, growth)
                guards = [g for g in guards if not _only_owner(g.body, param.name)]
            case "growth":
                meld, (held, fits) = env[param.of or ""], self._growing[param.name]
                body.bound.add(f"{name}_result")
                if not fits:
                    fits = e.fresh("fits")
                    body.line(f"{fits} = S[{meld}_at + 1] & {held}")
                    stack.enter_context(body.block(f"if {fits}:"))
                with body.block(f"if S[{meld}_at + 1] == UNKNOWN:"):
                    body.line(f"S[{meld}_at + 1] = growth_faces({meld})")
                    body.line(f"{fits} = S[{meld}_at + 1] & {held}")
                if last:
                    self._room()
                    stack.enter_context(body.block(f"for {name} in growths_among(like({meld}), {fits}):"))
                    if any(_asks_result(guard.body, param.name) for guard in guards):
                        body.line(f"{name}_result = result_of({meld}, {name})")
                else:
                    found, i = e.fresh("found"), e.fresh("i")
                    body.line(f"{found} = growths({meld})")
                    stack.enter_context(body.block(f"for {i} in range(0, len({found}), 2):"))
                    body.line(f"{name} = {found}[{i}]")
                    body.line(f"{name}_result = {found}[{i} + 1]")
                    stack.enter_context(body.block(f"if {fits} >> ({name} & CARD_MASK) & 1:"))
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
        return False

    def _by_bit(self, action: Action) -> str:
        """A table of an action with the face of each bit as its only argument."""
        name, number = self.e.names.take(f"{action.name.upper()}_BY_BIT"), self.layout.action_names[action.name]
        self.tables.append(f"{name} = table([{number} | face << {self.packing.number_bits} for face in BIT])")
        return name

    def _masked(self, guard: Guard, param: ActionParam, left: str, env: Env) -> bool:
        """Leave out the cards that a guard forbids, all at once; returns False if it must be asked of each card."""
        body, lines = self.e.body, []
        for node, _ in self._conjuncts(guard, env):
            match node:
                case x.Compare(op="!=" | "=" as op, left=x.Var(name=param.name), right=card) if not _names(
                    card, param.name
                ) and always_defined(self.rules, card):
                    c = self.e.text(card, env)
                    if card.type.optional:
                        lines.append(f"if {c} != NONE:")
                        lines.append(f"    {left} &= {'~' if op == '!=' else ''}(1 << {c})")
                        lines += [] if op == "!=" else ["else:", f"    {left} = 0"]
                    else:
                        lines.append(f"{left} &= {'~' if op == '!=' else ''}(1 << {c})")
                case _:
                    try:
                        fit = [f for f in self.rules.cards.faces if evaluate(self.rules, node, {param.name: f.index})]
                    except (ValueError, KeyError):
                        return False
                    lines.append(f"{left} &= {sum(1 << face.index for face in fit)}")
        for line in lines:
            body.line(line)
        return True

    def _listed(self, stack: ExitStack, call: str) -> str:
        """A loop over what a function lists behind the actions found so far; actions overwrite what has been read."""
        body, end, i = self.e.body, self.e.fresh("end"), self.e.fresh("i")
        body.line(f"{end} = {call}")
        with body.block(f"if {end} > space:"):
            body.line('raise OverflowError("too many legal actions")')
        stack.enter_context(body.block(f"for {i} in range(n, {end}):"))
        return i

    def _open_laid(
        self, stack: ExitStack, param: ActionParam, env: Env, guards: Sequence[Guard], growth: ActionParam | None
    ) -> None:
        """Run over laid melds; if a growth is asked for next and nothing before, only over those that may grow."""
        e, body, name = self.e, self.e.body, env[param.name]
        assert param.zone is not None
        place = self.layout.zones[param.zone.name]
        body.bound |= {f"{name}_owner", f"{name}_at"}
        several = param.zone.index is None and self.rules.zones[param.zone.name].owner is not None
        owners = {guard: owner for guard in guards if (owner := _owner(guard.body, param.name)) is not None}
        if several and owners:
            guards = [guard for guard in guards if guard not in owners]
            body.line(f"{name}_owner = {e.text(next(iter(owners.values())), env)}")
            address = f"{place.constant} + {place.stride} * {name}_owner"
        elif several:
            stack.enter_context(body.block(f"for {name}_owner in range({place.owners}):"))
            address = f"{place.constant} + {place.stride} * {name}_owner"
            if place.low:
                address = f"{place.constant} + {place.stride} * ({name}_owner + {place.low})"
        else:
            address = e.address(param.zone, env)
            number = "0" if param.zone.index is None else e.text(param.zone.index, env)
            body.line(f"{name}_owner = {number}")
        # What asks only for the owner is asked once for all of his melds.
        self._ask(stack, [g for g in guards if _only_owner(g.body, param.name)], env)
        z = e.fresh("z")
        body.line(f"{z} = {address}")
        if growth is None or not all(_only_owner(g.body, param.name) for g in guards):
            stack.enter_context(body.block(f"for {name}_at in range({z} + 1, {z} + 1 + 2 * S[{z}], 2):"))
            body.line(f"{name} = S[{name}_at]")
            return
        at, fits, held = e.fresh("at"), e.fresh("fits"), self._growing[growth.name][0]
        self._growing[growth.name] = held, fits
        stack.enter_context(body.block(f"for {at} in range({z} + 2, {z} + 2 + 2 * S[{z}], 2):"))
        body.line(f"{fits} = S[{at}] & {held}")
        stack.enter_context(body.block(f"if {fits}:"))
        body.line(f"{name}_at = {at} - 1")
        body.line(f"{name} = S[{name}_at]")

    def _zone(self, zone: x.Zone | None, env: Env) -> list[tuple[str, str]]:
        assert zone is not None
        return self.e.addresses(zone, env)

    def faces(self, zone: x.Zone | None, env: Env) -> str:
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
        env, body = self.envs[action.name], self.e.body
        name, free = self.do[action.name]
        for field in self.packing.fields[action.name]:
            v = env[field.param.name]
            wanted = {f for f in free if f == v or f.startswith(f"{v}_")}
            body.bound |= {v, *wanted}
            self.unpack(action, field, v, wanted)
        body.line(f"{name}({', '.join(map(self.e.use, free))})")

    def unpack(self, action: Action, field: Field, v: str, wanted: Collection[str]) -> None:
        """Write how an argument is got from the integer `a` of an action, with what is wanted of what belongs to it."""
        body, part = self.e.body, self._part(action, field)
        match field.param.domain:
            case "laid_meld":
                self.unpack_at(field, v)
                self.unpack_laid(field, v, wanted)
            case "growth":
                body.line(f"{v} = {part}")
                if f"{v}_result" in wanted:
                    body.line(f"{v}_result = result_of({self.envs[action.name][field.param.of or '']}, {v})")
            case "number":
                body.line(f"{v} = ({part}) - {NUMBER_OFFSET}")
            case "value" if field.param.type.optional:
                body.line(f"{v} = ({part}) - 1 if {part} else NONE")
            case _:
                body.line(f"{v} = {part}")

    def _part(self, action: Action, field: Field) -> str:
        """An argument's field in `a`."""
        last = field is self.packing.fields[action.name][-1]
        return f"a >> {field.at}" + ("" if last else f" & {field.mask}")

    def unpack_at(self, field: Field, v: str) -> None:
        """Write where a laid meld lies."""
        self.e.body.bound.add(f"{v}_at")
        self.e.body.line(f"{v}_at = a >> {field.at} & {field.mask}")

    def unpack_laid(self, field: Field, v: str, wanted: Collection[str]) -> None:
        """Write what meld it is, and whose if that is wanted."""
        self.e.body.line(f"{v} = S[{v}_at]")
        if f"{v}_owner" in wanted:
            assert field.param.zone is not None
            place = self.layout.zones[field.param.zone.name]
            self.e.body.line(f"{v}_owner = ({v}_at - {place.address(0)}) // {place.stride}")


_FIXED = (x.Context, x.Const, x.Param, x.Call)
"""What does not change while an action is under way."""


def _asks_result(node: x.Node, name: str) -> bool:
    """Whether an expression asks what a growth leads to, or might."""
    return any(isinstance(part, (x.Call, x.Apply, x.May)) and _names(part, name) for part in node.walk())


def _names(node: x.Node, name: str) -> bool:
    return any(isinstance(part, x.Var) and part.name == name for part in node.walk())


def _owner(node: x.Node, name: str) -> x.Node | None:
    """The owner that a condition wants of a laid meld, if that is who acts or his side."""
    match node:
        case x.Compare(
            op="=", left=x.Call(function="owner", args=(x.Var(name=var),)), right=x.Context(name="me" | "mine")
        ):
            return node.right if var == name else None
    return None


def _only_owner(node: x.Node, name: str) -> bool:
    """Whether an expression asks for nothing but the owner of a laid meld."""
    if isinstance(node, x.Call) and node.function == "owner":
        return True
    if isinstance(node, x.Var):
        return node.name != name
    return all(_only_owner(child, name) for child in node.children())
