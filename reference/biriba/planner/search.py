"""The search for actions that lead to a goal, in a deal of unknown cards.

It is a best-first search. What makes it short is that cards are no matter of luck here: a meld can be laid as soon as
a hand has enough unknown cards, which are then bound to those of the meld. So what is left to be found is how many
cards go where. Melds that the goal does not forbid are laid, too, of cards that it does not need, to bring a hand down
to its size.

Nothing here knows the game: the actions, and what is legal, are those of the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from time import process_time
from typing import Any, cast

from biriba.interpreter.evaluate import Evaluator
from biriba.interpreter.rules import Rules
from biriba.model.position import Action, LaidMeld, Meld, Position
from biriba.model.ruleset import OVER
from biriba.planner.flows import Flows
from biriba.planner.frontier import Frontier
from biriba.planner.goal import Goal
from biriba.planner.unknown import Unknown

LATE = 64
"""A search that begins late begins at one of the last so many actions before a zone has run down."""
STEP = 0.02
"""What an action costs, beside what is still to be done."""


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A place in the search.

    Attributes:
        position: with unknown cards.
        before: where it comes from, and by what action.
        bound: the unknown cards that were bound for this action, with their faces.
        free: how many copies of each card nothing is meant for yet.
        cost: what the way here has cost; spare melds cost the more, the longer they are.
    """

    position: Position
    before: tuple[Node, Action] | None
    bound: Mapping[int, int]
    free: Mapping[int, int]
    cost: float

    def path(self) -> tuple[list[Action], dict[int, int]]:
        """The actions from the deal to here, and all that was bound on the way."""
        actions: list[Action] = []
        bound: dict[int, int] = {}
        node = self
        while node.before is not None:
            bound |= node.bound
            actions.append(node.before[1])
            node = node.before[0]
        return actions[::-1], bound


class Planner:
    """What is worked out once for a rule set, to plan by it."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.ruleset = rules, rules.ruleset
        self.unknown = Unknown(rules.ruleset)
        self.playing = self.unknown.rules
        self.melds = Evaluator(rules.ruleset).melds
        self.flows = Flows.of(rules.ruleset)
        slots = rules.layout.zone_slots
        self.names = [name for name, _ in slots]
        self.kinds = [rules.ruleset.zones[name].kind for name in self.names]
        self.laying, self.growing = (
            [
                (action, next(p.zone.name for p in action.params if p.domain == kinds[-1] and p.zone is not None))
                for action in rules.ruleset.actions.values()
                if tuple(param.domain for param in action.params) == kinds
            ]
            for kinds in (("new_meld",), ("laid_meld", "growth"))
        )

    def cards_named(self, action: Action, least: int = 0) -> list[int]:
        """The places of the arguments of an action that are cards, of this face or a later one."""
        params = self.ruleset.actions[action.name].params
        return [
            i
            for i, (param, arg) in enumerate(zip(params, action.args, strict=True))
            if param.type.kind == "card" and isinstance(arg, int) and arg >= least
        ]

    @cached_property
    def closed_melds(self) -> dict[int, list[Meld]]:
        """Lawful melds in which one card is replaced by a wild, so that fewer cards can be added to them, by size."""
        wilds = [face.index for face in self.ruleset.cards.faces if face.wild]
        found: dict[int, list[Meld]] = {}
        for size, melds in self.plain_melds.items():
            for meld in melds:
                for i in range(1, size - 1) if meld.low is not None else (size - 1,):
                    for wild in wilds:
                        made = meld._replace(cards=(*meld.cards[:i], wild, *meld.cards[i + 1 :]))
                        if self.melds.fits(made) and self.melds.substitutes(made) and self.melds.lawful(made):
                            found.setdefault(size, []).append(made)
        return found

    @cached_property
    def plain_melds(self) -> dict[int, list[Meld]]:
        """Lawful melds without substitutes, of the cards of one suit or one rank, by their size."""
        faces = self.ruleset.cards.faces
        piles = [[f.index for f in faces if f.suit == suit] for suit in range(len(self.ruleset.cards.suits))]
        piles += [
            [face.index for face in faces if face.rank == rank for _ in range(face.copies)]
            for rank in range(len(self.ruleset.cards.ranks))
        ]
        found: dict[int, list[Meld]] = {}
        for cards in piles:
            for meld in self.rules.melds_among(cards):
                if self.melds.substitutes(meld) == 0:
                    found.setdefault(len(meld.cards), []).append(meld)
        return {size: list(dict.fromkeys(melds)) for size, melds in sorted(found.items())}


class Search:
    """A search for one goal.

    Args:
        expansions: so many positions are gone on from at most.
        longest: the most cards in a meld that is not wanted.
        closed: whether such melds hold a wild.
        noise: how often, of 1, the search leaves what seems nearest.
    """

    def __init__(
        self,
        planner: Planner,
        goal: Goal,
        random: Random,
        expansions: int,
        *,
        longest: int,
        closed: bool,
        noise: float,
    ) -> None:
        self.planner, self.goal, self.random, self.expansions = planner, goal, random, expansions
        self.longest, self.noise = longest, noise
        self.spare_by_size = planner.closed_melds if closed else planner.plain_melds
        # A search that went astray goes another way next time: the estimates are weighed anew.
        self.weights = {slot: 1 + noise * random.uniform(-1, 2) for slot in goal.states}
        self.zone_weights = {slot: 1 - noise * random.random() for slot in goal.zones}
        self.playing, self.unknown = planner.playing, planner.unknown
        faces = planner.ruleset.cards.faces
        spare = Counter({face.index: face.copies for face in faces})
        spare.subtract(goal.cards())
        self.possible = min(spare.values()) >= 0
        self.spare = {card: copies for card, copies in spare.items() if copies > 0}
        self.wanted_melds: dict[int, tuple[Meld, ...]] = {
            slot: cast(tuple[Meld, ...], wanted.contents or ())
            for slot, wanted in goal.zones.items()
            if planner.kinds[slot] == "melds"
        }
        self.spares_allowed = len(self.wanted_melds) < planner.kinds.count("melds") or any(
            goal.zones[slot].more for slot in self.wanted_melds
        )
        self.steps_to_turn = self._distances()

    def _distances(self) -> list[int]:
        """By seat, after how many turns it is the turn of the goal's seat."""
        table = self.planner.ruleset.table
        found = []
        for first in range(len(table.seats)):
            seat, steps = first, 0
            while seat != self.goal.turn and steps < len(table.seats):
                seat, steps = table.next(seat), steps + 1
            found.append(steps)
        return found

    def nodes(self, until: float | None = None) -> Iterator[Node]:
        """The places found that have the shape of the goal, nearest first as far as the search can tell.

        Args:
            until: when to stop, in seconds of `time.process_time`.
        """
        if not self.possible:
            return
        waiting: Frontier[Node] = Frontier(self.random)
        seen: set[Any] = set()

        def add(node: Node) -> None:
            far = self.distance(node.position)
            if far is None:
                return
            key = self.key(node.position)
            if key not in seen:
                seen.add(key)
                waiting.add(far + node.cost, (round(2 * far), round(node.cost / STEP / 4)), node)

        seats = range(len(self.planner.ruleset.table.seats))
        for dealer in seats if self.goal.dealer is None else (self.goal.dealer,):
            for node in self.beginnings(Node(self.unknown.dealt(dealer), None, {}, self.spare, 0.0)):
                add(node)
        for _ in range(self.expansions):
            if not waiting or (until is not None and process_time() > until):
                return
            astray = self.random.random() < self.noise
            node = waiting.any_kind() if astray else waiting.nearest()
            if self.shaped(node.position):
                yield node
            for child in self.children(node):
                add(child)

    def beginnings(self, dealt: Node) -> list[Node]:
        """Where to begin: at the deal, or later if zones that nothing refills must first run down.

        What else the goal asks for then comes about at the end, where less can undo it.
        """
        found = [dealt]
        while (excess := self.run_down(found[-1].position)) > 0:
            steps = [self.after(found[-1], action) for action in self.plain(found[-1].position)]
            going = [node for node in steps if node is not None and (self.run_down(node.position) or excess) <= excess]
            if not going:
                break
            found.append(min(going, key=lambda node: self.run_down(node.position)))
        return found if len(found) <= LATE else found[-LATE:]

    def run_down(self, position: Position) -> int:
        """How many cards too many lie in zones that are emptied one card after another."""
        flows = self.planner.flows
        slow = [slot for slot in self.goal.zones if self.planner.names[slot] not in flows.into | flows.swept]
        return sum(
            max(0, len(position.zones[slot]) - self.goal.zones[slot].size)
            for slot in slow
            if not self.goal.zones[slot].more
        )

    def after(self, node: Node, action: Action) -> Node | None:
        """The place after an action for which no card need be bound."""
        after = self.playing.judge(node.position, action).position
        return None if after is None else Node(after, (node, action), {}, node.free, node.cost + STEP)

    # ------------------------------------------------------------ how far it is

    def shaped(self, position: Position) -> bool:
        """Whether a position could be the goal when its unknown cards are bound."""
        goal = self.goal
        if (position.phase, position.turn) != (goal.phase, goal.turn):
            return False
        for slot, wanted in goal.zones.items():
            size = len(position.zones[slot])
            if size < wanted.size or (size > wanted.size and not wanted.more):
                return False
        if any(position.zones[slot][: len(melds)] != melds for slot, melds in self.wanted_melds.items()):
            return False
        return not any(self.off(value, position.states[slot]) for slot, value in goal.states.items())

    def off(self, wanted: Any, value: Any) -> float:
        """How far a state is from what it should be."""
        if wanted == value and isinstance(wanted, bool) == isinstance(value, bool):
            return 0.0
        if isinstance(value, int) and not isinstance(value, bool) and value >= self.unknown.first:
            return 0.0 if wanted is not None else 3.0
        if type(wanted) is int and type(value) is int:
            return min(3.0, 0.5 + 0.5 * abs(wanted - value))
        return 3.0

    def distance(self, position: Position) -> float | None:
        """An estimate of how much is still to be done; None if the goal cannot be reached from here."""
        goal, far = self.goal, 0.0
        for slot, wanted in goal.zones.items():
            zone = position.zones[slot]
            if slot in self.wanted_melds:
                missing = self.missing(slot, cast(tuple[Meld, ...], zone))
                if missing is None:
                    return None
                far += missing
                continue
            more, weight = len(zone) - wanted.size, self.zone_weights[slot]
            if more > 0 and not wanted.more:
                far += 1 + (0.05 if self.planner.names[slot] in self.planner.flows.swept else 0.6) * more * weight
            elif more < 0:
                if self.planner.names[slot] not in self.planner.flows.into:
                    return None
                far += 1 - 0.6 * more * weight
        for slot, value in goal.states.items():
            far += self.weights[slot] * self.off(value, position.states[slot])
        far += 0.05 * self.steps_to_turn[position.turn]
        return far + (0.02 if position.phase != goal.phase else 0.0)

    def missing(self, slot: int, laid: tuple[Meld, ...]) -> float | None:
        """How much of the wanted melds is missing; None if others lie there."""
        wanted = self.wanted_melds[slot]
        if len(laid) > len(wanted) and not self.goal.zones[slot].more:
            return None
        far = 0.0
        for i, meld in enumerate(wanted):
            if i >= len(laid):
                far += 1.5 + 0.3 * len(meld.cards)
            elif laid[i] != meld:
                if not part_of(laid[i], meld):
                    return None
                far += 1 + 0.3 * (len(meld.cards) - len(laid[i].cards))
        return far

    def key(self, position: Position) -> Any:
        """What two positions have in common between which the search does not distinguish."""
        zones: list[Any] = []
        for slot, zone in enumerate(position.zones):
            if self.planner.kinds[slot] != "melds":
                zones.append(len(zone))
            elif slot in self.wanted_melds:
                known = len(self.wanted_melds[slot])
                melds = cast(tuple[Meld, ...], zone)
                sizes = [len(meld.cards) for meld in melds]
                zones.append((*sizes[:known], *sorted(sizes[known:])))
            else:
                zones.append(tuple(sorted((m.template, len(m.cards)) for m in cast(tuple[Meld, ...], zone))))
        return position.phase, position.turn, position.dealer, tuple(zones), self.unknown.shown(position)

    # ------------------------------------------------------------ what can be done

    def children(self, node: Node) -> Iterator[Node]:
        """The places that an action leads to."""
        if node.position.phase == OVER:
            return
        for action in self.plain(node.position):
            after = self.after(node, action)
            if after is not None:
                yield after
        yield from self.lays(node)
        yield from self.grows(node)

    def plain(self, position: Position) -> Iterator[Action]:
        """The legal actions that need no card to be bound, one of each kind."""
        legal = self.playing.legal(position)
        kinds: dict[Any, list[Action]] = {}
        for action in legal:
            kinds.setdefault((action.name, tuple(self.planner.cards_named(action, self.unknown.first))), []).append(
                action
            )
        for (_, unknown), alike in kinds.items():
            if unknown:
                yield alike[0]
            else:
                yield from alike

    def lays(self, node: Node) -> Iterator[Node]:
        for action, zone in self.planner.laying:
            if node.position.phase not in action.phases:
                continue
            slot, hand = self.hand(node.position, zone)
            most = self.to_spare(node.position, slot)
            if self.spares_allowed and not self.spare_laid(node.position):
                most = max(most, min(self.planner.plain_melds, default=0))  # one that cards can be added to
            melds = [(meld, False) for meld in self.wanted_parts(node.position, len(hand))]
            melds += [(meld, True) for meld in self.spare_melds(node.free, min(most, len(hand)))]
            for meld, spare in melds:
                yield from self.bound(node, hand, meld.cards, Action(action.name, (meld,)), spare)

    def grows(self, node: Node) -> Iterator[Node]:
        for action, zone in self.planner.growing:
            if node.position.phase not in action.phases:
                continue
            source, hand = self.hand(node.position, zone)
            if not hand:
                continue
            spare = self.to_spare(node.position, source) > 0
            for slot, melds in enumerate(node.position.zones):
                if self.planner.kinds[slot] != "melds":
                    continue
                base = self.planner.rules.layout.zone_base[self.planner.names[slot]]
                for i, meld in enumerate(cast(tuple[Meld, ...], melds)):
                    laid = LaidMeld(slot, i, slot - base, meld)
                    growths = self.planner.melds.growths(meld)
                    wanted = self.wanted_melds.get(slot, ())
                    if i < len(wanted):
                        growths = tuple(g for g in growths if part_of(g.result, wanted[i]))
                    elif not spare:
                        continue
                    else:
                        growths = tuple(
                            g
                            for g in growths
                            if len(g.result.cards) <= self.longest
                            and node.free.get(g.card)
                            and not self.planner.melds.substitutes(g.result)
                        )[:1]
                    for growth in growths:
                        act = Action(action.name, (laid, growth))
                        yield from self.bound(node, hand, (growth.card,), act, i >= len(wanted))

    def spare_laid(self, position: Position) -> int:
        """How many melds lie on the table that are not wanted."""
        return sum(
            max(0, len(position.zones[slot]) - len(self.wanted_melds.get(slot, ())))
            for slot, kind in enumerate(self.planner.kinds)
            if kind == "melds"
        )

    def to_spare(self, position: Position, slot: int) -> int:
        """How many cards of a hand may go into melds that are not wanted.

        All of them if some state is not as wanted, since it may take an empty hand to change it.
        """
        if not self.spares_allowed:
            return 0
        held, wanted = len(position.zones[slot]), self.goal.zones.get(slot)
        if any(self.off(value, position.states[state]) for state, value in self.goal.states.items()):
            return held
        return 0 if wanted is None or wanted.more else max(0, held - wanted.size)

    def hand(self, position: Position, zone: str) -> tuple[int, list[int]]:
        """The acting seat's zone of that name, and its unknown cards, those that a state speaks of last."""
        ruleset, slot = self.planner.ruleset, self.planner.rules.layout.zone_base[zone]
        owner = ruleset.zones[zone].owner
        slot += position.turn if owner == "seat" else ruleset.table.side_of(position.turn) if owner == "side" else 0
        named = self.unknown.named(position)
        return slot, sorted(self.unknown.among(position.zones[slot]), key=lambda card: card in named)

    def bound(self, node: Node, hand: list[int], cards: tuple[int, ...], action: Action, spare: bool) -> Iterator[Node]:
        """The place after an action for which unknown cards of the hand are bound to these."""
        bound = dict(zip(hand, cards, strict=False))
        after = self.playing.judge(self.unknown.bound(node.position, bound), action).position
        if after is None or (not spare and self.spare_laid(after) > self.spare_laid(node.position)):
            return
        free = node.free
        cost = node.cost + STEP
        if spare:
            cost += STEP * len(cards) ** 2 / 3
            left = Counter(free)
            left.subtract(cards)
            free = left
        yield Node(after, (node, action), bound, free, cost)

    def wanted_parts(self, position: Position, most: int) -> list[Meld]:
        """What can be laid of the melds that are wanted next, with so many cards at most."""
        found: dict[Meld, None] = {}
        for slot, wanted in self.wanted_melds.items():
            laid = position.zones[slot]
            if len(laid) < len(wanted):
                found |= dict.fromkeys(self.parts(wanted[len(laid)], most))
        return list(found)

    def parts(self, meld: Meld, most: int) -> Iterator[Meld]:
        """A meld, and lawful parts of it, from which it can grow."""
        size = len(meld.cards)
        for length in range(min(size, most), 0, -1):
            for start in {0, size - length}:
                low = None if meld.low is None else meld.low + start
                part = meld._replace(low=low, cards=meld.cards[start : start + length])
                if self.planner.melds.fits(part) and self.planner.melds.lawful(part):
                    yield part

    def spare_melds(self, free: Mapping[int, int], most: int) -> Iterator[Meld]:
        """For each size a meld of cards that nothing else is meant for."""
        for size, melds in self.spare_by_size.items():
            if size > min(most, self.longest):
                return
            for _ in range(8):
                meld = self.random.choice(melds)
                if all(free.get(card, 0) >= copies for card, copies in Counter(meld.cards).items()):
                    yield meld
                    break


def part_of(meld: Meld, whole: Meld) -> bool:
    """Whether a meld can become another by cards that are added to it and move nothing."""
    if (meld.template, meld.key) != (whole.template, whole.key):
        return False
    if meld.low is None or whole.low is None:
        return not Counter(meld.cards) - Counter(whole.cards)
    start = meld.low - whole.low
    return start >= 0 and whole.cards[start : start + len(meld.cards)] == meld.cards


def assigned(
    unknown: Unknown, goal: Goal, kinds: list[str], position: Position, free: Mapping[int, int], random: Random
) -> dict[int, int] | None:
    """What the unknown cards of a position of the goal's shape must be bound to; None if that cannot be.

    Those that the goal does not speak of become any of the cards that are left.
    """
    bound: dict[int, int] = {}
    for slot, value in goal.states.items():
        now = position.states[slot]
        is_unknown = now != value and type(now) is int and now >= unknown.first
        if is_unknown and bound.setdefault(cast(int, now), cast(int, value)) != value:
            return None
    left = Counter(free)
    for slot, wanted in goal.zones.items():
        if wanted.contents is None or kinds[slot] == "melds":
            continue
        zone, cards = cast(tuple[int, ...], position.zones[slot]), list(cast(tuple[int, ...], wanted.contents))
        if kinds[slot] == "hand":
            held = [bound.get(card, card) for card in zone]
            for card in [card for card in held if unknown.known(card)]:
                if card in cards:
                    cards.remove(card)
                elif not wanted.more:
                    return None
            pairs = list(zip([card for card in held if not unknown.known(card)], cards, strict=False))
            if len(pairs) < len(cards):
                return None
        else:
            pairs = list(zip(zone[len(zone) - len(cards) :], cards, strict=True))
        for card, face in pairs:
            if unknown.known(card) and card != face:
                return None
            if not unknown.known(card) and bound.setdefault(card, face) != face:
                return None
    rest = [card for zone in position.zones for card in unknown.among(zone) if card not in bound]
    others = list(left.elements())
    random.shuffle(others)
    if len(others) != len(rest):
        return None
    return bound | dict(zip(rest, others, strict=True))
