"""One step in symbols: any position, any action of one kind, and the position that it leads to.

What is fixed for each problem is who acts, which zone a laid meld lies in, which template a meld is
of and how it grows: a handful of cases that together are all there are. Everything else is symbolic.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from biriba.model.expr import Apply, Call, Fold, Quantified, State, Var, Zone
from biriba.model.ruleset import Action, ActionParam, Ruleset, Statement
from biriba.verify.draft import Draft
from biriba.verify.effects import Effects
from biriba.verify.encode import Encoder, Scope
from biriba.verify.symbols import (
    CardZone,
    MeldZone,
    SymLaid,
    SymMeld,
    SymPosition,
    fresh_flag,
    fresh_pile,
    fresh_rest,
)
from biriba.verify.terms import NONE, Term, and_, between, boolean, equal, implies, integer, known, lookup, or_, total
from biriba.verify.zones import count_in


@dataclass(frozen=True)
class Case:
    """The fixed part of a step.

    Attributes:
        me: the seat that acts.
        laid: for each parameter that is a laid meld its slot and template.
        same: for each that is the same meld as an earlier one that one's name.
        templates: for each parameter that is a new meld its template.
        modes: for each parameter that is a growth its mode.
    """

    action: str
    me: int
    laid: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    same: Mapping[str, str] = field(default_factory=dict)
    templates: Mapping[str, str] = field(default_factory=dict)
    modes: Mapping[str, str] = field(default_factory=dict)

    def label(self, rules: Ruleset) -> str:
        what = [rules.table.seats[self.me], self.action, *(t for _, t in self.laid.values()), *self.templates.values()]
        return " ".join([*what, *self.modes.values()])


@dataclass(frozen=True)
class Detail:
    """How much of the melds is told one by one.

    Attributes:
        melds: how many melds of each template each zone may have besides those that the action names.
        rest: whether there may be any number of others.
    """

    melds: int
    rest: bool


PROOF = Detail(melds=0, rest=True)
"""For proofs: any number of melds."""


@dataclass
class Step:
    """A step problem.

    Attributes:
        before, after: the positions.
        env: the action's parameters.
        shape: what holds of any position and any arguments of their kinds.
        domain: for each clause what must hold of the arguments to be in their domains.
        requires, ensures: the guards, with their clauses.
        demands: what the effects need to be possible.
        reached: each effect with what must hold for it to happen.
        tops: the symbols of the cards that came to lie on top of piles, by slot, uppermost first.
    """

    case: Case
    encoder: Encoder
    before: SymPosition
    after: SymPosition
    env: dict[str, Any]
    shape: list[Term]
    domain: list[tuple[str, Term]]
    requires: list[tuple[str, Term]]
    ensures: list[tuple[str, Term]]
    demands: list[tuple[Any, Term]]
    tops: list[tuple[int, Term]]
    ended: Term = False
    reached: list[tuple[Any, Term]] = field(default_factory=list)

    @property
    def legal(self) -> Term:
        """That the action is legal."""
        return and_(term for _, term in (*self.domain, *self.requires, *self.ensures))

    def scope(self, position: SymPosition | None = None) -> Scope:
        return Scope(position or self.before, self.case.me, old=self.before, env=self.env)


class Steps:
    """Makes step problems for one rule set.

    Attributes:
        owners: how symbols call the seats and sides, if not by their indices.
        templates: the templates of which melds may lie on the table.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.encoder = Encoder(rules)
        self.owners: dict[str, tuple[str, ...]] = {}
        self.templates = list(rules.templates)

    # ------------------------------------------------------------ cases

    def cases(self, action: str) -> Iterator[Case]:
        """All cases of an action."""
        decl = self.rules.actions[action]
        for me in range(len(self.rules.table.seats)):
            yield from self._choices(decl, 0, me, Case(action, me))

    def _choices(self, decl: Action, i: int, me: int, case: Case) -> Iterator[Case]:
        if i == len(decl.params):
            yield case
            return
        param = decl.params[i]
        for chosen in self._values(param, case):
            yield from self._choices(decl, i + 1, me, chosen)

    def _values(self, param: ActionParam, case: Case) -> Iterator[Case]:
        match param.domain:
            case "new_meld":
                for template in self.rules.templates:
                    if param.type.detail in (None, template):
                        yield replace(case, templates={**case.templates, param.name: template})
            case "laid_meld":
                assert param.zone is not None
                for slot in self.slots_of(param, case.me):
                    for template in self.rules.templates:
                        if param.type.detail in (None, template):
                            there = replace(case, laid={**case.laid, param.name: (slot, template)})
                            yield there
                            for earlier, place in case.laid.items():
                                if place == (slot, template) and earlier not in case.same:
                                    yield replace(there, same={**case.same, param.name: earlier})
            case "growth":
                assert param.of is not None
                for mode in self.encoder.shapes.modes(case.laid[param.of][1]):
                    yield replace(case, modes={**case.modes, param.name: mode})
            case _:
                yield case

    def slots_of(self, param: ActionParam, me: int) -> list[int]:
        """The slots in which the meld of a parameter may lie: one, if the zone's owner follows from who acts."""
        assert param.zone is not None
        slots, index = self.encoder.slots(param.zone.name), param.zone.index
        if index is None or any(isinstance(node, _NOT_YET) for node in index.walk()):
            return list(slots)
        empty = SymPosition(0, me, integer("dealer"), (), ())
        owner = self.encoder.value(index, Scope(empty, me))
        return [slots[owner - self.rules.zones[param.zone.name].low]] if known(owner) else list(slots)

    # ------------------------------------------------------------ positions

    def position(
        self, name: str, me: int, detail: Detail, named: Mapping[int, list[str]]
    ) -> tuple[SymPosition, list[Term]]:
        """Any position in which a seat is to act, and what holds of every position.

        Args:
            named: for each slot the templates of melds that are certainly there.
        """
        encoder, facts = self.encoder, list[Term]()
        zones: list[CardZone | MeldZone] = []
        for slot, (zone, owner) in enumerate(encoder.layout.zone_slots):
            called = f"{name}.{zone}{self._owner(self.rules.zones[zone].owner, owner)}"
            if self.rules.zones[zone].kind == "melds":
                zones.append(self._melds(called, detail, named.get(slot, []), facts))
            else:
                pile = fresh_pile(called, encoder.faces, ordered=self.rules.zones[zone].kind == "pile")
                facts += _sound(pile.counts, pile.size)
                if pile.top is not None:
                    facts.append(between(pile.top, 0, encoder.faces - 1))
                    facts.append(or_([equal(pile.size, 0), lookup(pile.counts, pile.top) > 0]))
                zones.append(pile)
        states: list[Term] = []
        for state, owner in encoder.layout.state_slots:
            type_ = self.rules.states[state].type
            called = f"{name}.{state}{self._owner(self.rules.states[state].owner, owner)}"
            if type_.kind == "bool":
                states.append(boolean(called))
                continue
            states.append(integer(called))
            facts.append(self.in_type(state, states[-1]))
        phase, dealer = integer(f"{name}.phase"), integer(f"{name}.dealer")
        facts += [between(phase, 0, len(self.rules.phases)), between(dealer, 0, len(self.rules.table.seats) - 1)]
        return SymPosition(phase, me, dealer, tuple(zones), tuple(states)), facts

    def _owner(self, kind: str | None, owner: int) -> str:
        names = self.owners.get(kind or "")
        return names[owner] if names else str(owner)

    def in_type(self, state: str, value: Term) -> Term:
        """That a value is one that a state variable may have."""
        from biriba.model.pure import count_of

        type_ = self.rules.states[state].type
        match type_.kind:
            case "bool":
                return True
            case "int":
                low, high = type_.low, type_.high
            case "option":
                low, high = 0, len(self.rules.parameters[str(type_.detail)].options) - 1
            case kind:
                low, high = 0, count_of(self.rules, kind) - 1
        return or_([between(value, low, high), equal(value, NONE) if type_.optional else False])

    def _melds(self, name: str, detail: Detail, named: list[str], facts: list[Term]) -> MeldZone:
        melds: list[tuple[Term, SymMeld]] = []
        shapes = self.encoder.shapes
        for i, template in enumerate(named):
            melds.append((True, shapes.fresh(template, f"{name}.{i}")))
        for template in self.templates:
            earlier: Term = True
            for i in range(detail.melds):
                there = fresh_flag(f"{name}.{template}{i}.there")
                facts.append(implies(there, earlier))
                earlier = there
                melds.append((there, shapes.fresh(template, f"{name}.{template}{i}")))
        for there, meld in melds:
            facts += [implies(there, fact) for fact in shapes.fits(meld)]
        if not detail.rest:
            return MeldZone(tuple(melds))
        rest = fresh_rest(f"{name}.rest", self.encoder.faces)
        facts += _sound(rest.counts, rest.size)
        return MeldZone(tuple(melds), ((True, rest),))

    # ------------------------------------------------------------ steps

    def step(self, case: Case, detail: Detail, name: str = "s", *, legal: bool = True) -> Step | None:
        """The problem of one case: what is symbolic in it, and what must hold.

        Args:
            legal: only legal actions matter, so that there is none (None) if a guard plainly never holds.
        """
        decl = self.rules.actions[case.action]
        named: dict[int, list[str]] = {}
        for param, (slot, template) in case.laid.items():
            if param not in case.same:
                named.setdefault(slot, []).append(template)
        before, shape = self.position(name, case.me, detail, named)
        phases = [equal(before.phase, self.encoder.phases[phase]) for phase in decl.phases]
        domain: list[tuple[str, Term]] = [(decl.clause, or_(phases))]
        env = self._bind(decl, case, before, shape, domain, name)
        scope = Scope(before, case.me, old=before, env=env)
        for guard in self.rules.guards_of(decl.name, "require"):
            term = self.encoder.value(guard.body, scope)
            if legal and known(term) and not term:
                return None
        return self.run(case, before, env, shape, domain, name)

    def run(
        self,
        case: Case,
        before: SymPosition,
        env: dict[str, Any],
        shape: list[Term],
        domain: list[tuple[str, Term]],
        name: str = "s",
    ) -> Step:
        """Carry out an action with given arguments in a given position."""
        decl, rules = self.rules.actions[case.action], self.rules
        scope = Scope(before, case.me, old=before, env=env)
        requires = [(g.clause, self.encoder.value(g.body, scope)) for g in rules.guards_of(decl.name, "require")]
        effects = Effects(self.encoder, f"{name}.{case.action}")
        draft = Draft(before)
        for block in (
            *(c.effects for c in rules.consequences_of(decl.name, "before")),
            decl.effects,
            *(c.effects for c in rules.consequences_of(decl.name, "then")),
        ):
            draft = effects.block(block, draft, scope)
        after = draft.position
        ending = replace(scope, position=after)
        ensures = [(g.clause, self.encoder.value(g.body, ending)) for g in rules.guards_of(decl.name, "ensure")]
        shape = [*shape, *effects.facts]
        return Step(
            case,
            self.encoder,
            before,
            after,
            env,
            shape,
            domain,
            requires,
            ensures,
            effects.demands,
            effects.tops,
            draft.ended,
            effects.reached,
        )

    def _bind(
        self,
        decl: Action,
        case: Case,
        before: SymPosition,
        shape: list[Term],
        domain: list[tuple[str, Term]],
        name: str,
    ) -> dict[str, Any]:
        """Symbols for the arguments of an action."""
        encoder, shapes, env = self.encoder, self.encoder.shapes, dict[str, Any]()
        places: dict[int, int] = {}
        for param in decl.params:
            called = f"{name}.{param.name}"
            scope = Scope(before, case.me, env=env)
            match param.domain:
                case "card":
                    card = integer(called)
                    shape.append(between(card, 0, encoder.faces - 1))
                    domain.append((decl.clause, encoder.contains(encoder.value(_zone(param), scope), card)))
                    env[param.name] = card
                case "new_meld":
                    meld = shapes.fresh(case.templates[param.name], called)
                    shape += shapes.fits(meld)
                    hand = encoder.value(_zone(param), scope)
                    held = [count_in(hand, f) >= meld.counts[f] for f in range(encoder.faces)]
                    domain.append((decl.clause, and_(held)))
                    domain += encoder.laws(meld, scope)
                    env[param.name] = meld
                case "laid_meld":
                    slot, _ = case.laid[param.name]
                    domain.append((decl.clause, self._is_owner(_zone(param), slot, scope)))
                    if param.name in case.same:
                        env[param.name] = env[case.same[param.name]]
                        continue
                    index = places.get(slot, 0)
                    places[slot] = index + 1
                    zone = before.zones[slot]
                    assert isinstance(zone, MeldZone), "laid melds lie in zones of melds"
                    owner = encoder.layout.zone_slots[slot][1]
                    env[param.name] = SymLaid(slot, index, owner, zone.melds[index][1])
                case "growth":
                    mode = case.modes[param.name]
                    meld = env[str(param.of)].meld
                    growth, facts = shapes.growth(meld, mode, called)
                    clause = next(
                        g.clause for g in self.rules.growings if g.template == meld.template and g.mode == mode
                    )
                    shape.append(between(growth.card, 0, encoder.faces - 1))
                    domain.append((clause, and_(facts)))
                    domain.append((decl.clause, encoder.contains(encoder.value(_zone(param), scope), growth.card)))
                    domain += encoder.laws(growth.result, scope)
                    env[param.name] = growth
                case "number":
                    value = integer(called)
                    low, high = encoder.value(param.low, scope), encoder.value(param.high, scope)  # type: ignore[arg-type]
                    domain.append((decl.clause, and_([value >= low, value <= high])))
                    env[param.name] = value
                case _:
                    from biriba.model.pure import count_of

                    value = integer(called)
                    shape.append(between(value, 0, count_of(self.rules, param.type.kind) - 1))
                    env[param.name] = value
        return env

    def _is_owner(self, zone: Zone, slot: int, scope: Scope) -> Term:
        """That a slot is that of the zone meant."""
        if zone.index is None:
            return True
        owner = self.encoder.layout.zone_slots[slot][1] + self.rules.zones[zone.name].low
        return equal(self.encoder.value(zone.index, scope), owner)

    # ------------------------------------------------------------ the deal

    def dealt(self, dealer: int) -> tuple[SymPosition, list[Term], list[tuple[Any, Term]]]:
        """Any position right after a deal: it, what holds of it, and what its effects need.

        A dealt card may be any card. So each zone ends with the right number of cards, no matter
        which, and all zones together with the deck.
        """
        from biriba.verify.dealing import dealt

        return dealt(self, dealer)

    # ------------------------------------------------------------ what must hold

    def holds(self, statement: Statement, position: SymPosition, old: SymPosition | None = None, me: int = 0) -> Term:
        """That an invariant holds; `me` matters in invariants of steps only."""
        return self.encoder.value(statement.body, Scope(position, me, old=old))

    def holds_for_mover(self, statement: Statement, position: SymPosition) -> Term:
        """That an invariant of steps holds if the seat to act is taken for the one that acted."""
        if known(position.turn):
            return self.holds(statement, position, position, position.turn)
        seats = range(len(self.rules.table.seats))
        return and_(
            implies(equal(position.turn, seat), self.holds(statement, position, position, seat)) for seat in seats
        )


_NOT_YET = (State, Var, Call, Quantified, Fold, Apply)
"""What the owner of a zone may depend on besides who acts."""


def _zone(param: ActionParam) -> Zone:
    assert param.zone is not None
    return param.zone


def _sound(counts: tuple[Term, ...], size: Term) -> Iterator[Term]:
    for count in counts:
        yield count >= 0
    yield equal(size, total(counts))
