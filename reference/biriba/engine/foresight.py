"""What surely holds after an action, told beforehand from the number of cards that a zone will have then.

An `ensure` guard speaks of the position that an action leads to. Mostly it holds for a simple reason: enough cards are
left. How many are enough is found here by following the action with nothing known but that bound: a condition is then
true, false, or not known. Where the bound does not decide, the engine does the action and looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

from biriba.model import expr as x
from biriba.model import stmt
from biriba.model.pure import evaluate
from biriba.model.ruleset import Ruleset

MOST = 40
"""The largest bound that is tried."""
CARD = "?card"
"""The variable of a quantifier over cards while its body is looked at; no rule can name it."""

Env = Mapping[str, x.Node]
"""What the variables of a definition stand for; a variable that is not here may be anything."""


@dataclass(frozen=True, slots=True)
class Loss:
    """Cards that leave a zone: so many, or those of the meld of a variable."""

    count: int = 0
    meld: str | None = None


@dataclass(frozen=True, slots=True)
class Unfit:
    """How many cards of a zone may be of no use: a number, and all copies of some cards."""

    count: int = 0
    cards: tuple[x.Node, ...] = ()

    def __add__(self, other: Unfit) -> Unfit:
        return Unfit(self.count + other.count, self.cards + other.cards)


@dataclass(frozen=True, slots=True)
class Plenty:
    """A number of cards that a zone may keep with which all `ensure` guards of an action hold, whatever the cards are.

    Attributes:
        zone: the zone.
        least: that number, at least.
        unfit: the number must also be greater than each of these; their cards are named as before the action.
        losses, gains: what leaves the zone, and the zones whose cards all come to it.
    """

    zone: x.Zone
    least: int
    unfit: tuple[Unfit, ...]
    losses: tuple[Loss, ...]
    gains: tuple[x.Zone, ...]


class _Unclear(Exception):
    """The number of cards cannot be followed."""


class Foresight:
    """Finds what is plenty for the actions of one rule set.

    Args:
        known: the value of an expression if it follows from the parameters, else the value `unknown`.
    """

    def __init__(self, rules: Ruleset, known: Callable[[x.Node], Any], unknown: object) -> None:
        self.rules, self.known, self.unknown = rules, known, unknown

    def plenty(self, action: str, effects: Sequence[stmt.Effect]) -> Plenty | None:
        """The least number of cards that is plenty for an action with these effects, in the order of effects."""
        guards = [guard.body for guard in self.rules.guards_of(action, "ensure")]
        for zone in self._zones(effects):
            for least in range(1, MOST + 1):
                after = _After(self, zone, least)
                try:
                    after.run(effects)
                except _Unclear:
                    break
                if all(after.truth(guard, {}) for guard in guards):
                    return Plenty(zone, least, tuple(after.unfit), tuple(after.losses), tuple(after.gains))
        return None

    def _zones(self, effects: Sequence[stmt.Effect]) -> list[x.Zone]:
        """The single zones whose cards the effects move."""
        found: dict[x.Zone, None] = {}
        for effect in effects:
            for zone in _moved(effect):
                single = zone.index is not None or self.rules.zones[zone.name].owner is None
                fixed = zone.index is None or isinstance(zone.index, (x.Context, x.Const))
                if self.rules.zones[zone.name].kind != "melds" and single and fixed:
                    found.setdefault(zone)
        return list(found)


@dataclass
class _After:
    """The position as an action goes on, of which nothing is known but that a zone has `least` cards in the end."""

    foresight: Foresight
    zone: x.Zone
    least: int
    losses: list[Loss] = field(default_factory=list)
    gains: list[x.Zone] = field(default_factory=list)
    unfit: list[Unfit] = field(default_factory=list)
    ahead: int = 0
    over: bool = False
    moved: set[str] = field(default_factory=set)
    values: dict[str, tuple[x.State, bool | None, x.Node | None] | None] = field(default_factory=dict)
    """By name of a state variable that was set: which, the truth of its value, and the value if it could be read before
    the action; None if it cannot be told which was set to what."""

    @property
    def rules(self) -> Ruleset:
        return self.foresight.rules

    # ------------------------------------------------------------ effects

    def run(self, effects: Sequence[stmt.Effect]) -> None:
        """Follow an action.

        Raises:
            _Unclear: what becomes of the zone depends on what is not known.
        """
        # Until the last gain has come the zone may have fewer cards than in the end.
        self.ahead = sum(self._is_zone(zone) for effect in effects for zone in _targets(effect))
        for effect in effects:
            self._follow(effect)

    def _follow(self, effect: stmt.Effect) -> None:
        match effect:
            case stmt.When(condition=condition, then=then, otherwise=otherwise):
                truth = self.truth(condition, {})
                if truth is None:
                    self._forget([*then, *otherwise])
                else:
                    for inner in then if truth else otherwise:
                        if any(zone.name == self.zone.name for zone in _moved(inner)):
                            raise _Unclear
                        self._follow(inner)
            case stmt.ForEach() | stmt.Repeat() | stmt.WithOne():
                self._forget([effect])
            case stmt.EndDeal():
                self.over = True
            case stmt.Assign(target=target, value=value):
                early = not self.over and not self._reads_changes(value)
                seen = None if self.over or target.name in self.values else (self.truth(value, {}), value)
                self.values[target.name] = None if seen is None else (target, seen[0], seen[1] if early else None)
            case stmt.Shuffle() | stmt.Cut():
                raise _Unclear
            case _:
                self._move(effect)

    def _move(self, effect: stmt.Effect) -> None:
        ours = [zone for zone in _moved(effect) if zone.name == self.zone.name]
        if ours:
            if self.over or len(ours) > 1 or not self._is_zone(ours[0]):
                raise _Unclear
            self._count(effect)
        self.moved.update(zone.name for zone in _moved(effect))
        if isinstance(effect, stmt.Grow):
            self.moved.update(zone.name for zone in self.rules.zones.values() if zone.kind == "melds")

    def _count(self, effect: stmt.Effect) -> None:
        """Note what an effect takes from the zone or brings to it."""
        match effect:
            case stmt.MoveCard(source=source) if self._is_zone(source):
                self.losses.append(Loss(1))
            case stmt.MoveTop(source=source, count=count) if self._is_zone(source):
                self.losses.append(Loss(self._number(count)))
            case stmt.Grow():
                self.losses.append(Loss(1))
            case stmt.Lay(meld=meld):
                self.losses.append(Loss(meld=meld))
            case stmt.MoveCard():
                self.losses.append(Loss(-1))
                self.ahead -= 1
            case stmt.MoveTop(count=count):
                self.losses.append(Loss(-self._number(count)))
                self.ahead -= 1
            case stmt.MoveAll(source=source) if not self._is_zone(source) and source.name not in self.moved:
                if self.rules.zones[source.name].kind == "melds" or not _fixed(source):
                    raise _Unclear
                self.gains.append(source)
                self.ahead -= 1
            case _:
                raise _Unclear

    def _number(self, node: x.Node) -> int:
        value = self.foresight.known(node)
        if value is self.foresight.unknown:
            raise _Unclear
        return int(value)

    def _forget(self, effects: Sequence[stmt.Effect]) -> None:
        """Effects that may come to pass or not."""
        for effect in stmt.walk(effects):
            for zone in _moved(effect):
                if zone.name == self.zone.name:
                    raise _Unclear
                self.moved.add(zone.name)
            match effect:
                case stmt.Assign(target=target):
                    self.values[target.name] = None
                case stmt.EndDeal():
                    self.over = True
                case stmt.Grow() | stmt.Lay():
                    self.moved.update(zone.name for zone in self.rules.zones.values() if zone.kind == "melds")

    def _is_zone(self, node: x.Node) -> bool:
        return isinstance(node, x.Zone) and node.name == self.zone.name and node.index == self.zone.index

    def _reads_changes(self, node: x.Node) -> bool:
        """Whether an expression looks at anything that the action has changed so far."""
        for part in node.walk():
            match part:
                case x.Zone(name=name) if name in self.moved:
                    return True
                case x.State(name=name) if name in self.values:
                    return True
                case x.Apply() | x.May() | x.Everywhere() | x.PhaseIs() | x.Old() | x.Var():
                    return True
        return False

    # ------------------------------------------------------------ what is known

    def truth(self, node: x.Node, env: Env) -> bool | None:
        """Whether a condition holds, None if that cannot be told."""
        value = self.foresight.known(node)
        if value is not self.foresight.unknown:
            return bool(value)
        match node:
            case x.Not(body=body):
                truth = self.truth(body, env)
                return None if truth is None else not truth
            case x.And(parts=parts):
                return _all_of(self.truth(part, env) for part in parts)
            case x.Or(parts=parts):
                return _any_of(self.truth(part, env) for part in parts)
            case x.Implies(left=left, right=right):
                return _any_of([self.truth(x.Not(type=node.type, body=left), env), self.truth(right, env)])
            case x.If(condition=condition, then=then, otherwise=otherwise):
                chosen, yes, no = (self.truth(part, env) for part in (condition, then, otherwise))
                return (yes if yes == no else None) if chosen is None else yes if chosen else no
            case x.Compare(op=op, left=left, right=right) if left.type.kind == "int" and right.type.kind == "int":
                return _compared(op, self.span(left, env), self.span(right, env))
            case x.IsEmpty(zone=zone):
                return _compared("=", self._size(zone, env), (0, 0))
            case x.State(name=name):
                kept = self.values.get(name)
                return kept[1] if kept is not None and kept[0] == self._settled(node, env) else None
            case x.Apply() | x.May():
                return _all_of(self.truth(body, inner) for body, inner in self._opened(node, env))
            case x.Quantified(quantifier="some" | "no", binders=(x.Binder(where=None) as binder,), body=body):
                some = self._some(binder, body, env)
                return None if not some else node.quantifier == "some"
        return None

    def span(self, node: x.Node, env: Env) -> tuple[float, float]:
        """The least and greatest value that a number may have."""
        value = self.foresight.known(node)
        if value is not self.foresight.unknown and value is not None:
            return value, value
        match node:
            case x.Call(function="size", args=(zone,)) if zone.type.kind == "zone":
                return self._size(zone, env)
            case x.Arith(op="+" | "-" as op, left=left, right=right):
                (low, high), (least, most) = self.span(left, env), self.span(right, env)
                return (low + least, high + most) if op == "+" else (low - most, high - least)
            case x.Var(name=name) if name in env and env[name] != node:
                return self.span(env[name], {})
        return -inf, inf

    def _size(self, zone: x.Node, env: Env) -> tuple[float, float]:
        if isinstance(zone, x.Zone) and self._is_zone(self._settled(zone, env)) and self.ahead == 0:
            return self.least, inf
        return 0, inf

    def _settled(self, node: x.Zone | x.State, env: Env) -> x.Node:
        """A zone or state variable with the owner that a variable stands for."""
        match node.index:
            case x.Var(name=name):
                return replace(node, index=env.get(name, x.Var(type=node.index.type, name="?")))
        return node

    def _opened(self, node: x.Apply | x.May, env: Env) -> Iterator[tuple[x.Node, Env]]:
        """What a definition or `may` says, with what its variables stand for."""
        args = [env.get(arg.name, arg) if isinstance(arg, x.Var) else arg for arg in node.args]
        # An argument that is worked out from variables may be anything.
        clear = {i: a for i, a in enumerate(args) if isinstance(a, x.Var) or not _mentions_any(a)}
        if isinstance(node, x.Apply):
            definition = self.rules.definitions[node.definition]
            names = [name for name, _ in definition.params]
            bodies = [definition.body]
        else:
            names = [param.name for param in self.rules.actions[node.action].params]
            bodies = [guard.body for guard in self.rules.guards_of(node.action, "require")]
        inner = {name: clear[i] for i, name in enumerate(names[: len(args)]) if i in clear}
        for body in bodies:
            yield body, inner

    # ------------------------------------------------------------ cards that will do

    def _some(self, binder: x.Binder, body: x.Node, env: Env) -> bool:
        """Whether the zone surely has a card for which a condition holds: it has more cards than may be unfit."""
        if not isinstance(binder.domain, x.CardsOf) or not isinstance(binder.domain.zone, x.Zone):
            return False
        if not self._is_zone(self._settled(binder.domain.zone, env)) or self.ahead:
            return False
        unfit = self._unfit(body, {**env, binder.var: x.Var(type=binder.type, name=CARD)})
        if unfit is None or unfit.count >= self.least:
            return False
        if unfit.cards:
            self.unfit.append(unfit)
        return True

    def _unfit(self, node: x.Node, env: Env) -> Unfit | None:
        """How many cards may fail a condition, None if that cannot be told."""
        if self.truth(node, env):
            return Unfit()
        match node:
            case x.And(parts=parts):
                return _sum(self._unfit(part, env) for part in parts)
            case x.Apply() | x.May():
                return _sum(self._unfit(body, inner) for body, inner in self._opened(node, env))
            case x.Or(parts=parts):
                found = [unfit for part in parts if (unfit := self._unfit(part, env)) is not None]
                return min(found, key=lambda unfit: (len(unfit.cards), unfit.count), default=None)
            case x.Implies(left=left, right=right):
                return self._unfit(x.Or(type=node.type, parts=(x.Not(type=node.type, body=left), right)), env)
            case x.Not(body=x.And(parts=parts)):
                return self._unfit(x.Or(type=node.type, parts=_negated(parts)), env)
            case x.Not(body=x.Or(parts=parts)):
                return self._unfit(x.And(type=node.type, parts=_negated(parts)), env)
            case x.Not(body=x.Not(body=body)):
                return self._unfit(body, env)
            case x.Compare(op="!=", left=x.Var(name=name), right=other) if _card(env, name):
                return None if _mentions_any(other) else self._copies(other, env)
        return self._failing(node, env)

    def _copies(self, card: x.Node, env: Env) -> Unfit:
        """All copies of a card, or of the most frequent one if it cannot be told before the action which it is."""
        value = self.foresight.known(card)
        if value is not self.foresight.unknown:
            return Unfit(0 if value is None else self.rules.cards.faces[value].copies)
        if isinstance(card, x.State):
            card = self._settled(card, env)
            if isinstance(card, x.State) and card.name in self.values:
                kept = self.values[card.name]
                if kept is not None and kept[0] == card and kept[2] is not None:
                    return Unfit(cards=(kept[2],))
            elif isinstance(card, x.State) and _fixed(card):
                return Unfit(cards=(card,))
        return Unfit(max(face.copies for face in self.rules.cards.faces))

    def _failing(self, node: x.Node, env: Env) -> Unfit | None:
        """How many cards of the deck fail a condition that speaks of the card alone."""
        names = [name for name in env if _card(env, name)]
        try:
            return Unfit(
                sum(
                    face.copies
                    for face in self.rules.cards.faces
                    if not evaluate(self.rules, node, dict.fromkeys(names, face.index))
                )
            )
        except (ValueError, KeyError):
            return None


def _card(env: Env, name: str) -> x.Node | None:
    """What a variable stands for, if that is the card looked at."""
    node = env.get(name)
    return node if isinstance(node, x.Var) and node.name == CARD else None


def _mentions_any(node: x.Node) -> bool:
    """Whether an expression speaks of any variable."""
    return any(isinstance(part, x.Var) for part in node.walk())


def _sum(parts: Iterator[Unfit | None]) -> Unfit | None:
    found = Unfit()
    for part in parts:
        if part is None:
            return None
        found += part
    return found


def _negated(parts: Sequence[x.Node]) -> tuple[x.Node, ...]:
    return tuple(x.Not(type=part.type, body=part) for part in parts)


def _all_of(truths: Iterator[bool | None] | Sequence[bool | None]) -> bool | None:
    found = list(truths)
    return False if False in found else None if None in found else True


def _any_of(truths: Iterator[bool | None] | Sequence[bool | None]) -> bool | None:
    found = list(truths)
    return True if True in found else None if None in found else False


def _compared(op: str, left: tuple[float, float], right: tuple[float, float]) -> bool | None:
    """The truth of a comparison of numbers of which only the least and greatest values are known."""
    (low, high), (least, most) = left, right
    match op:
        case "<":
            return True if high < least else False if low >= most else None
        case "<=":
            return True if high <= least else False if low > most else None
        case ">" | ">=":
            return _compared("<" if op == ">" else "<=", right, left)
        case "=":
            return True if low == high == least == most else False if high < least or low > most else None
    equal = _compared("=", left, right)
    return None if equal is None else not equal


def _fixed(node: x.Zone | x.State) -> bool:
    """Whether the owner stays the same while an action is under way."""
    return node.index is None or isinstance(node.index, (x.Context, x.Const))


def _targets(effect: stmt.Effect) -> list[x.Zone]:
    match effect:
        case stmt.MoveCard(target=target) | stmt.MoveTop(target=target) | stmt.MoveAll(target=target):
            return [target]
    return []


def _moved(effect: stmt.Effect) -> list[x.Zone]:
    """The zones that an effect itself changes."""
    match effect:
        case (
            stmt.MoveCard(source=source, target=target)
            | stmt.MoveTop(source=source, target=target)
            | stmt.MoveAll(source=source, target=target)
            | stmt.Lay(source=source, target=target)
        ):
            return [source, target]
        case stmt.Grow(source=source):
            return [source]
        case stmt.Shuffle(target=target) | stmt.Cut(target=target):
            return [target]
    return []
