"""The deal in symbols.

A dealt card may be any card, so that only how many cards lie where is followed; which ones they are matters at the
end, when all zones together hold the deck. Where the deal itself looks at the top card of a pile, that card is a
symbol; where it looks at the cards of a zone, they are counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from biriba.model import expr as x
from biriba.model import stmt
from biriba.model.ruleset import Ruleset
from biriba.verify.draft import Draft
from biriba.verify.effects import Effects
from biriba.verify.encode import Encoder, Scope
from biriba.verify.symbols import CardZone, MeldZone, SymPosition, fresh_counts, fresh_pile
from biriba.verify.terms import Term, and_, between, equal, integer, ite, known, lookup, or_, total

if TYPE_CHECKING:
    from biriba.verify.steps import Steps


class Looked:
    """What the deal of a rule set looks at.

    Attributes:
        tops: the zones whose top card it asks for.
        cards: the zones whose cards it asks for otherwise.
        conditions: what it asks of a top card and of nothing else, each with a variable for the card.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.tops: set[str] = set()
        self.cards: set[str] = set()
        self.conditions: list[x.Node] = []
        for node in [*_nodes(e for step in rules.deal for e in step.effects), *(s.body for s in rules.after_deal)]:
            self._condition(node)
            self._look(node)

    def _look(self, node: x.Node) -> None:
        match node:
            case x.Call(function="top", args=(x.Zone(name=name),)):
                self.tops.add(name)
            case x.IsEmpty(zone=x.Zone()) | x.Call(function="size", args=(x.Zone(),)):
                pass  # how many cards lie there is always followed
            case x.Zone(name=name):
                self.cards.add(name)
            case x.Everywhere():
                self.cards |= set(self.rules.zones)
            case x.Apply(definition=name):
                self._look(self.rules.definitions[name].body)
        zones = node.children() if not isinstance(node, x.Call) or node.function not in ("top", "size") else iter(())
        for child in zones if not isinstance(node, x.IsEmpty) else ():
            self._look(child)

    def _condition(self, node: x.Node) -> None:
        inside = list(node.walk())
        tops = [n for n in inside if isinstance(n, x.Call) and n.function == "top"]
        alone = len({repr(top) for top in tops}) == 1 and not any(isinstance(n, _POSITION) for n in inside)
        zones = sum(isinstance(n, x.Zone) for n in inside)
        if node.type.kind == "bool" and alone and zones == len(tops):
            of_card = _with_variable(node, tops[0])
            if of_card not in self.conditions:
                self.conditions.append(of_card)
            return
        for child in node.children():
            self._condition(child)


_POSITION = (x.State, x.Everywhere, x.PhaseIs, x.Context, x.Var)
CARD = "(a card)"


def _with_variable(node: x.Node, top: x.Node) -> x.Node:
    """The expression with the variable `CARD` where the top card is asked for."""
    if node == top:
        return x.Var(type=top.type, name=CARD)
    changed: dict[str, Any] = {}
    for name in node.__dataclass_fields__:
        value = getattr(node, name)
        if isinstance(value, x.Node):
            changed[name] = _with_variable(value, top)
        elif isinstance(value, tuple) and any(isinstance(item, x.Node) for item in value):
            changed[name] = tuple(_with_variable(item, top) for item in value)
    return replace(node, **changed)


def _nodes(effects: Any) -> Iterator[x.Node]:
    """The expressions of effects, but for the zones that they move cards between."""
    for effect in effects:
        match effect:
            case stmt.MoveCard(card=card, source=source):
                yield from (card, source)
            case stmt.Assign(value=value):
                yield value
            case stmt.TurnTo(seat=seat):
                yield seat
            case stmt.When(condition=condition, then=then, otherwise=otherwise):
                yield condition
                yield from _nodes((*then, *otherwise))
            case stmt.ForEach(binder=binder, body=body) | stmt.WithOne(binder=binder, body=body):
                yield from binder.children()
                yield from _nodes(body)
            case stmt.Repeat(body=body):
                yield from _nodes(body)


class _Dealing(Effects):
    """Effects of a deal. Of a zone that is not looked at only the size is followed; its counts mean nothing."""

    def __init__(self, encoder: Encoder, name: str) -> None:
        super().__init__(encoder, name)
        self.looked = Looked(encoder.rules)
        self.drawn: list[tuple[Term, Term]] = []
        self._returned: set[int] = set()

    def _name(self, slot: int) -> str:
        return self.encoder.layout.zone_slots[slot][0]

    def _counted(self, slot: int) -> bool:
        return self._name(slot) in self.looked.cards

    def _draw(self, effect: stmt.MoveTop, source: int, target: int, draft: Draft) -> Draft:
        pile = cast(CardZone, draft.position.zones[source])
        self.demand(effect, draft, pile.size >= 1)
        known_card = self._counted(source) or self._name(source) in self.looked.tops
        card = pile.top if known_card else self._any_card(source, target, draft)
        position = draft.position
        if self._counted(source):
            position = self._take(position, source, card)
        else:
            top = self.any_card() if known_card else pile.top
            position = position.with_zone(source, replace(pile, size=pile.size - 1, top=top))
        return replace(draft, position=self._put(position, target, card))

    def _put(self, position: SymPosition, target: int, card: Term) -> SymPosition:
        goal = cast(CardZone, position.zones[target])
        counts = goal.counts
        if self._counted(target):
            counts = tuple(n + ite(equal(card, face), 1, 0) for face, n in enumerate(counts))
        return position.with_zone(target, CardZone(counts, goal.size + 1, None if goal.top is None else card))

    def any_card(self) -> Term:
        """A new symbol for a card."""
        card = self.fresh("card")
        self.facts.append(between(card, 0, self.encoder.faces - 1))
        return card

    def _any_card(self, source: int, target: int, draft: Draft) -> Term:
        """The next card of a pile of which nothing is known."""
        if not self._counted(target) and self._name(target) not in self.looked.tops:
            return 0
        if source in self._returned:
            # Some card may be drawn for the second time, so that those before do not count with those to come.
            self._capacity()
        card = self.any_card()
        self.drawn.append((and_((*self._path, True)), card))
        return card

    def _capacity(self) -> None:
        """That no more cards were drawn that satisfy a condition than there are in the deck."""
        encoder, faces = self.encoder, self.encoder.rules.cards.faces
        for condition in self.looked.conditions:
            nowhere = Scope(SymPosition(0, 0, 0, (), ()), 0)
            most = sum(face.copies for face in faces if encoder.value(condition, nowhere.bind(**{CARD: face.index})))
            drawn = [and_((path, encoder.value(condition, nowhere.bind(**{CARD: card})))) for path, card in self.drawn]
            self.facts.append(total(ite(right, 1, 0) for right in drawn) <= most)
        self.drawn.clear()
        self._returned.clear()

    def _pour(self, position: SymPosition, source: int, target: int) -> SymPosition:
        self._returned.add(target)
        moved, goal = position.zones[source], position.zones[target]
        if isinstance(moved, MeldZone) or isinstance(goal, MeldZone):
            return super()._pour(position, source, target)
        if self._counted(target) and not self._counted(source):
            moved = self._any_cards(moved, f"{self.name}.{self.fresh('poured')}")
            position = position.with_zone(source, moved)
        poured = super()._pour(position, source, target)
        if self._counted(target):
            return poured
        full = cast(CardZone, poured.zones[target])
        return poured.with_zone(target, replace(full, counts=(0,) * len(full.counts)))

    def _any_cards(self, zone: CardZone, name: str) -> CardZone:
        counts = fresh_counts(name, self.encoder.faces)
        self.facts += [*(n >= 0 for n in counts), equal(total(counts), zone.size)]
        return CardZone(counts, zone.size, None if zone.top is None else self.any_of(counts, zone.size))

    def _shuffle(self, effect: stmt.Shuffle, draft: Draft, scope: Scope) -> Draft:
        cards = self.encoder.rules.cards

        def run(target: int, now: Draft) -> Draft:
            pile = cast(CardZone, now.position.zones[target])
            counts = pile.counts
            if self._counted(target):
                counts = tuple(n + face.copies for n, face in zip(counts, cards.faces, strict=True))
            size, top = pile.size + cards.total, pile.top
            if self._counted(target) or self._name(target) in self.looked.tops:
                top = self.any_card()
            return replace(now, position=now.position.with_zone(target, CardZone(counts, size, top)))

        return self._at((effect.target,), draft, scope, run)

    def finished(self, draft: Draft) -> tuple[SymPosition, list[Term]]:
        """The position after the deal, with cards in all zones, and what holds of it."""
        self._capacity()
        done: list[CardZone | MeldZone] = []
        facts = list(self.facts)
        for slot, held in enumerate(draft.position.zones):
            if isinstance(held, MeldZone) or self._counted(slot) or (known(held.size) and held.size == 0):
                done.append(held)
                continue
            pile = fresh_pile(f"deal.{slot}", self.encoder.faces, ordered=held.top is not None)
            top = held.top if self._name(slot) in self.looked.tops else pile.top
            facts += [count >= 0 for count in pile.counts]
            facts += [equal(total(pile.counts), pile.size), equal(pile.size, held.size)]
            if top is not None:
                facts += [between(top, 0, self.encoder.faces - 1), or_([held.size <= 0, lookup(pile.counts, top) > 0])]
            done.append(CardZone(pile.counts, held.size if known(held.size) else pile.size, top))
        facts.append(equal(total(zone.size for zone in done), self.encoder.rules.cards.total))
        for face in self.encoder.rules.cards.faces:
            copies = [zone.counts[face.index] for zone in done if isinstance(zone, CardZone)]
            facts.append(equal(total(copies), face.copies))
        return replace(draft.position, zones=tuple(done)), facts


def dealt(steps: Steps, dealer: int) -> tuple[SymPosition, list[Term], list[tuple[Any, Term]]]:
    """See `Steps.dealt`."""
    encoder, rules = steps.encoder, steps.rules
    blank = (0,) * encoder.faces
    zones: list[CardZone | MeldZone] = []
    for zone, _ in encoder.layout.zone_slots:
        kind = rules.zones[zone].kind
        zones.append(MeldZone(()) if kind == "melds" else CardZone(blank, 0, 0 if kind == "pile" else None))
    totals = tuple(integer(f"total.{side}") for side in rules.table.sides)
    start = Scope(SymPosition(0, dealer, dealer, tuple(zones), ()), dealer, totals=totals, deals=integer("deals"))
    states = tuple(encoder.value(rules.states[state].initial, start) for state, _ in encoder.layout.state_slots)
    effects = _Dealing(encoder, "deal")
    draft = Draft(replace(start.position, states=states))
    for step in rules.deal:
        draft = effects.block(step.effects, draft, replace(start, position=draft.position))
    position, facts = effects.finished(draft)
    return position, [start.deals >= 0, *facts], effects.demands
