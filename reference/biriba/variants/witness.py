"""What shows a difference between two rule sets: for each clause a small situation that they judge differently.

A clause is looked at by itself: the second rule set is compared with the one that is the same but for
that clause (`hybrid`). Situations are tried from small to large: melds, decks, the positions of the
examples of both rule sets, and positions from random play. What is found is then made smaller, until no
single thing can be left out of it: so it is the smallest that was found, not the smallest there is.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from biriba.interpreter.frame import Standing
from biriba.interpreter.rules import Illegal, Rules
from biriba.model.position import Action, Meld, Position
from biriba.model.ruleset import OVER, Example, Ruleset
from biriba.notation import NotationError, format_action, format_meld, format_position, parse_meld
from biriba.notation.given import parse_given
from biriba.notation.vocabulary import vocabulary
from biriba.scenario.rulesets import same_positions
from biriba.variants.difference import WORDS, ClauseDifference, Difference, formal
from biriba.variants.hybrid import hybrid, settled, together

PLAYED_DEALS = 3
PLAYED_STEPS = 200
WRITTEN_POINTS = 335
"""Shown where two rule sets write the same points differently."""
FEW_POINTS = 5
"""A total that ends no match."""
DECKS = 60
"""How many shuffled decks are dealt."""
DEALS = 3
"""How many deals have been played where the totals of a match are stated."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A situation, and what two rule sets make of it.

    Attributes:
        kind: ``meld``, ``deal``, ``action``, ``score``, ``match``, ``points``, ``cards`` or ``statement``.
        given: what a `given` line of an example states, a meld or points; empty if nothing is needed.
        action: the action that is judged, or empty.
        old, new: what each rule set says to it.
        beside: what else had to be exchanged to show it; empty if the clause alone decides.
    """

    clause: str
    kind: str
    given: str
    action: str
    old: str
    new: str
    beside: str = ""


def witnesses(found: Difference) -> Iterator[tuple[ClauseDifference, Witness | None]]:
    """For each differing clause what shows it, None if nothing was found or can be."""
    new = Rules(found.new)
    seeds = _Seeds(found.old, found.new)
    for changed in found.clauses:
        yield changed, None if changed.kind == WORDS else _shown(found, changed, new, seeds)


def _shown(found: Difference, changed: ClauseDifference, new: Rules, seeds: _Seeds) -> Witness | None:
    """What shows a difference: by the clause itself if it decides and the rules are a whole then.

    Else its numbers are exchanged in other clauses too, or it is exchanged together with what hangs on it.
    """
    numbers, (clauses, parameters) = set(changed.parameters), together(found, changed)
    attempts = [(settled(found.old, numbers), {changed.clause}, set[str](), "")]
    if numbers:
        named = ", ".join(sorted(numbers))
        attempts.append((found.old, {changed.clause}, numbers, f"{named} in all clauses"))
    if clauses != {changed.clause}:
        attempts.append((found.old, clauses, parameters, ", ".join(sorted(clauses - {changed.clause}))))
    for old, exchanged, values, beside in attempts:
        try:
            other = Rules(hybrid(found.new, old, exchanged, values))
            shown = _Search(other, new, changed, seeds).find()
            if shown is not None:
                return replace(shown, beside=beside)
        except (KeyError, AssertionError, IndexError, TypeError, AttributeError, ValueError, StopIteration):
            # Without the clause the rules make no whole: other clauses rest on what it declares.
            continue
    return None


_STATEMENTS = ("invariant", "fact", "after", "follows")
"""The words that begin formal lines which state something and decide nothing."""


def decides_nothing(found: Difference, changed: ClauseDifference) -> bool:
    """Whether a clause differs only in what it states of the game, so that no situation is judged otherwise by it."""
    old, new = (set() if said is None else set(_blocks(said.formal)) for said in (changed.old, changed.new))
    differing = old ^ new or old
    defined = {text.split()[1].partition("(")[0] for keyword, text in differing if keyword == "define"}
    if not all(keyword in (*_STATEMENTS, "define") for keyword, _ in differing):
        return False
    return not any(
        keyword not in _STATEMENTS and not defined.isdisjoint(re.findall(r"\w+", text))
        for rules in (found.old, found.new)
        for name, clause in rules.clauses.items()
        if name != changed.clause
        for keyword, text in _blocks(formal(clause.source))
    )


def _blocks(lines: str) -> Iterator[tuple[str, str]]:
    """Formal lines as wholes, each with the word that it begins with."""
    for block in re.split(r"\n(?=\w)", lines):
        if block:
            yield block.split()[0], block


class _Seeds:
    """The situations that are tried, the same for all clauses."""

    def __init__(self, old: Ruleset, new: Ruleset) -> None:
        self.old, self.new = old, new

    @cached_property
    def texts(self) -> list[str]:
        """The positions of the examples of both rule sets, and positions with an empty pile, the smallest first."""
        lines: list[str] = []
        for ruleset in (self.new, self.old):
            rules = Rules(ruleset)
            for example in ruleset.examples():
                lines += _passed(rules, example)
        piles = [zone.name for zone in self.new.zones.values() if zone.kind == "pile" and zone.owner is None]
        seat = self.new.table.seats[0]
        for phase in self.new.phases:
            lines += [f"{a} empty; rest in {b}; turn {seat} {phase}" for a in piles for b in piles if a != b]
        lines += [f"{field}; turn {seat} {OVER}" for field in _stated(self.new)]
        return sorted(dict.fromkeys(lines), key=_weight)

    @cached_property
    def melds(self) -> list[str]:
        lines = [
            line.text.partition(":")[0].partition(" by ")[0].removeprefix("meld ")
            for rules in (self.new, self.old)
            for example in rules.examples()
            for line in example.lines
            if line.keyword in ("meld", "reject") and (line.keyword == "meld" or line.text.startswith("meld "))
        ]
        return sorted(dict.fromkeys(lines), key=lambda text: len(text.split()))

    @cached_property
    def specimens(self) -> list[str]:
        """Lawful melds of all kinds and sizes, the smallest first."""
        found = {format_meld(self.new, meld) for meld in Rules(self.new).specimens()}
        return sorted(found, key=lambda text: (len(text.split()), text))

    @cached_property
    def played(self) -> list[Position]:
        """Positions from random play of the second rule set, with a liking for melds."""
        rules, rng = Rules(self.new), random.Random(7)
        found = []
        for seed in range(PLAYED_DEALS):
            position = rules.deal(seed).position
            for _ in range(PLAYED_STEPS):
                found.append(position)
                if rules.over(position):
                    break
                legal = rules.legal(position)
                laying = [action for action in legal if len(action.args) > 0 and not isinstance(action.args[0], int)]
                position = rules.apply(position, rng.choice(laying if laying and rng.random() < 0.7 else legal))
        return found


def _stated(rules: Ruleset) -> Iterator[str]:
    """For each state variable a field in which it has a value that it does not begin with."""
    words = vocabulary(rules)
    for state in rules.states.values():
        owner = rules.owners(state.owner)[0]
        values = [name for name, value in words.names(state.type).items() if value is not None]
        others = [name for name in values if name != "no"] or [str(state.type.high)]
        yield " ".join(filter(None, (state.name, owner, others[0])))


def _passed(rules: Rules, example: Example) -> Iterator[str]:
    """The positions that an example goes through, as far as its rule set reads and plays it, each as a `given` text."""
    given = next((line.text for line in example.lines if line.keyword == "given"), "")
    if "turn " not in given:
        return
    yield given
    try:
        position = parse_given(rules.ruleset, given, rules.dealt_sizes)
        told = [_name_of(field, rules) for field in given.split(";")]
        for line in example.lines:
            if line.keyword == "play":
                before, position = position, rules.apply(position, line.text)
                old, new = _parts(rules, before), _parts(rules, position)
                told += [name for name in new if old.get(name) != new[name]]
                yield "; ".join(_whole(name, new[name]) for name in dict.fromkeys(told) if name in new)
    except (NotationError, ValueError, Illegal):
        return


def _name_of(field: str, rules: Rules) -> str:
    return " ".join(field.split()[: 2 if _owned(rules.ruleset).get(field.split(maxsplit=1)[0]) is not None else 1])


def _whole(name: str, value: str) -> str:
    return f"{name} {value or 'empty'}"


def _weight(given: str) -> int:
    return len(given.split())


class _Search:
    """Looks for a situation that two rule sets judge differently."""

    def __init__(self, old: Rules, new: Rules, changed: ClauseDifference, seeds: _Seeds) -> None:
        self.old, self.new, self.clause, self.seeds = old, new, changed.clause, seeds
        self._parameters = set(changed.parameters)
        self._stating = [said is not None for said in (changed.old, changed.new)]
        said = [each.formal for each in (changed.old, changed.new) if each is not None]
        self._words = {keyword for lines in said for keyword, _ in _blocks(lines)}

    def find(self) -> Witness | None:
        """The smallest situation that was found, of the kinds that the clause speaks of."""
        for words, search in (
            ({"suits", "ranks", "deck", "wild", "value"}, self._cards),
            ({"every", "template", "grow", "places", "wild", "score", "define"}, self._melds),
            ({"match", "define"}, self._match),
            ({"deal", "seats", "sides", "play", "state"}, self._deal),
            (self._words, self._examples),
            (self._words, self._play),
            ({"after", "invariant"}, self._statements),
        ):
            found = None if self._words.isdisjoint(words) else search()
            if found is not None:
                return found
        return None

    def _witness(self, kind: str, given: str, action: str, old: str, new: str) -> Witness:
        return Witness(self.clause, kind, given, action, old, new)

    # ------------------------------------------------------------ without a position

    def _cards(self) -> Witness | None:
        for a, b in zip(self.old.ruleset.cards.faces, self.new.ruleset.cards.faces, strict=False):
            for what in ("copies", "value", "wild"):
                before, after = getattr(a, what), getattr(b, what)
                if before != after:
                    return self._witness("cards", f"{what} of {b.symbol}", "", _word(before), _word(after))
        return None

    def _melds(self) -> Witness | None:
        for text in (*self.seeds.melds, *(self.seeds.specimens if self._scored_templates else ())):
            if not self._scores(text):
                continue
            said = self._said_of(text)
            if said[0] != said[1]:
                smallest, smaller = text, iter([text])
                while (
                    found := next((s for s in smaller if self._scores(s) and self._said_of(s) == said), None)
                ) is not None:
                    smallest, smaller = found, _fewer_cards(found)
                return self._witness("meld", smallest, "", *said)
        return None

    @cached_property
    def _scored_templates(self) -> frozenset[str]:
        """The templates of the melds that the clause scores; empty if it scores none, or all."""
        lines = [line for line in self.new.ruleset.score if line.clause == self.clause and line.type.kind == "meld"]
        templates = [line.type.detail for line in lines]
        return frozenset(name for name in templates if name is not None and None not in templates)

    def _scores(self, text: str) -> bool:
        """Whether a meld is of a kind that the clause scores, if it scores any kind."""
        if not self._scored_templates:
            return True
        try:
            return parse_meld(self.new.ruleset, text).template in self._scored_templates
        except (NotationError, ValueError):
            return False

    def _said_of(self, text: str) -> tuple[str, str]:
        """What both rule sets say of a meld."""
        said = []
        for rules in (self.old, self.new):
            try:
                meld = parse_meld(rules.ruleset, text)
            except (NotationError, ValueError):
                said.append("no meld")
                continue
            verdict = rules.judge_meld(meld)
            broken = ", ".join(dict.fromkeys(rejection.clause for rejection in verdict.rejections))
            said.append(f"unlawful by {broken}" if broken else f"lawful, bonus {verdict.bonus}")
        return said[0], said[1]

    def _match(self) -> Witness | None:
        written = [rules.ruleset.written(WRITTEN_POINTS) for rules in (self.old, self.new)]
        if written[0] != written[1]:
            return self._witness("points", str(WRITTEN_POINTS), "", *(f"written {text}" for text in written))
        sides = len(self.new.ruleset.table.sides)
        if sides != len(self.old.ruleset.table.sides):
            return None
        parameters = [p for rules in (self.old, self.new) for p in rules.ruleset.parameters.values()]
        of_points = [p for p in parameters if p.unit == "points" and (_large(p.value) or p.name in self._parameters)]
        numbers = sorted({FEW_POINTS, *(p.value for p in of_points if isinstance(p.value, int))})
        counts = {p.value for p in parameters if p.unit == "deals" and p.name in self._parameters}
        deals = [1, *sorted(count for count in counts if isinstance(count, int) and count > 1)]
        for goal, after in product(numbers, deals):
            for first in (goal, goal + 5, goal - 5):
                for second in (0, first):
                    standing = Standing((first, second) + (0,) * (sides - 2), after)
                    said = [self._told(rules, standing) for rules in (self.old, self.new)]
                    if said[0] != said[1]:
                        names = self.new.ruleset.table.sides
                        totals = ", ".join(f"{s} {n}" for s, n in zip(names, standing.totals, strict=True))
                        given = f"totals {totals}" + (f"; deals {after}" if after > 1 else "")
                        return self._witness("match", given, "", said[0], said[1])
        return None

    @staticmethod
    def _told(rules: Rules, standing: Standing) -> str:
        table = rules.empty_table(0)
        seats, sides = rules.ruleset.table.seats, rules.ruleset.table.sides
        if rules.matches.ended_by(standing, table):
            winner = rules.matches.winner(standing, table)
            return "the match is over, " + ("nobody wins" if winner is None else f"{sides[winner]} wins")
        return f"after {seats[0]}, {seats[rules.matches.next_dealer(standing, table)]} deals"

    def _deal(self) -> Witness | None:
        """A deal: from the deck in its listed order, then from shuffled ones."""
        if self.old.ruleset.cards.faces != self.new.ruleset.cards.faces:
            return None
        rising = [face.index for face in self.new.ruleset.cards.faces for _ in range(face.copies)]
        decks: list[Sequence[int]] = [rising, *(self.new.shuffled(seed) for seed in range(DECKS))]
        sides = len(self.new.ruleset.table.sides)
        for deck in decks:
            for totals in ((0,) * sides, (2000,) * sides):
                stated = {} if deck is rising else dict(enumerate(deck))
                found = self._dealt(stated, totals)
                if found is not None:
                    return self._fewer_stated(stated, totals, found)
        return None

    def _dealt(self, stated: Mapping[int, int], totals: tuple[int, ...]) -> tuple[str, str] | None:
        """What two deals differ in, from a deck with some cards at stated places and the others as they are listed."""
        left = Counter({face.index: face.copies for face in self.new.ruleset.cards.faces})
        left.subtract(stated.values())
        rest = iter(sorted(left.elements()))
        deck = [stated[i] if i in stated else next(rest) for i in range(self.new.ruleset.cards.total)]
        standing = Standing(totals, DEALS) if any(totals) else None
        first = self.old.deal(deck=deck, standing=standing).position
        second = self.new.deal(deck=deck, standing=standing).position
        return _differing(self.old, first, self.new, second)

    def _fewer_stated(self, stated: dict[int, int], totals: tuple[int, ...], found: tuple[str, str]) -> Witness:
        """The same difference with as few cards and points stated as leaving out one after another leads to."""
        about = _subjects(found)
        for side in range(len(totals)):
            lower = (*totals[:side], 0, *totals[side + 1 :])
            fewer = self._dealt(stated, lower)
            if fewer is not None and _subjects(fewer) == about:
                totals, found = lower, fewer
        size = len(stated)
        while size:
            for start in range(0, len(stated), size):
                kept = [*list(stated)[:start], *list(stated)[start + size :]]
                fewer = self._dealt({place: stated[place] for place in kept}, totals)
                if len(kept) < len(stated) and fewer is not None and _subjects(fewer) == about:
                    stated, found = {place: stated[place] for place in kept}, fewer
                    break
            else:
                size //= 2
        rules = self.new.ruleset
        shown = dict(sorted(stated.items())) or {0: 0}
        cards = ", ".join(f"{rules.cards.faces[card].symbol} at {place + 1}" for place, card in shown.items())
        points = ", ".join(f"{side} {points}" for side, points in zip(rules.table.sides, totals, strict=True))
        match = f"totals {points}; deals {DEALS}; " if any(totals) else ""
        return self._witness("deal", f"{match}dealer {rules.table.seats[-1]}; deck {cards}", "", *found)

    def _statements(self) -> Witness | None:
        """What only one of the two states wrongly: of a deal from the deck in its listed order, or of a position."""
        rules = self.new.ruleset
        dealt = self.new.deal(deck=[face.index for face in rules.cards.faces for _ in range(face.copies)]).position
        found = [self.clause in each.violated_after_deal(dealt) for each in (self.old, self.new)]
        if found[0] != found[1]:
            given = f"dealer {rules.table.seats[-1]}; deck {rules.cards.faces[0].symbol} at 1"
            return self._witness("statement", given, "", *map(_holding, found, self._stating))
        for text in self.seeds.texts:
            try:
                position = parse_given(rules, text, self.new.dealt_sizes)
            except NotationError:
                continue
            found = [self.clause in each.violated_invariants(position) for each in (self.old, self.new)]
            if found[0] != found[1]:
                return self._witness("statement", text, "", *map(_holding, found, self._stating))
        return None

    # ------------------------------------------------------------ in a position

    def _examples(self) -> Witness | None:
        for text in self.seeds.texts:
            found = self._at(text)
            if found is not None:
                return self._smaller(found)
        return None

    def _play(self) -> Witness | None:
        for position in self.seeds.played:
            if same_positions(self.old.ruleset, self.new.ruleset) and not self._differ(position):
                continue
            found = self._at(_common(format_position(self.new.ruleset, position), self.old.ruleset))
            if found is not None:
                return self._smaller(found)
        return None

    def _differ(self, position: Position) -> bool:
        """Whether the two say different things of a position, without saying which."""
        legal = self.old.legal(position)
        if legal != self.new.legal(position) or self.old.score(position).totals != self.new.score(position).totals:
            return True
        return any(self.old.apply(position, a) != self.new.apply(position, a) for a in legal)

    def _at(self, text: str) -> Witness | None:
        """What the two say differently in the position of a text."""
        places = []
        for rules in (self.old, self.new):
            try:
                places.append(parse_given(rules.ruleset, text, rules.dealt_sizes))
            except (NotationError, ValueError):
                return None
        first, second = places
        if not self._possible(second):
            return None
        if not (first.phase == second.phase == "over"):
            old, new = _texts(self.old, first), _texts(self.new, second)
            for action in sorted(old.keys() ^ new.keys(), key=lambda a: (len(a.split()), a)):
                said = self._judged(self.old, first, action), self._judged(self.new, second, action)
                return self._witness("action", text, action, *said)
            for action in sorted(old, key=lambda a: (len(a.split()), a)):
                after = (self.old.apply(first, old[action]), self.new.apply(second, new[action]))
                differing = _differing(self.old, after[0], self.new, after[1])
                if differing is not None:
                    return self._witness("action", text, action, *differing)
        return self._scored(text, first, second)

    def _possible(self, position: Position) -> bool:
        """Whether the melds on the table are lawful in the second rule set."""
        return all(self.new.lawful(meld) for zone in position.zones for meld in zone if isinstance(meld, Meld))

    def _scored(self, text: str, first: Position, second: Position) -> Witness | None:
        said = []
        for rules, position in ((self.old, first), (self.new, second)):
            sheet: dict[str, int] = {}
            for entry in rules.score(position).entries:
                name = f"{rules.ruleset.table.sides[entry.side]} {entry.label}"
                sheet[name] = sheet.get(name, 0) + entry.points
            said.append({name: points for name, points in sheet.items() if points})
        old = ", ".join(f"{name} {points}" for name, points in said[0].items() if said[1].get(name) != points)
        new = ", ".join(f"{name} {points}" for name, points in said[1].items() if said[0].get(name) != points)
        return None if old == new else self._witness("score", text, "", old or "nothing", new or "nothing")

    def _judged(self, rules: Rules, position: Position, action: str) -> str:
        try:
            verdict = rules.judge(position, action)
        except (NotationError, ValueError):
            return "no such action"
        return "legal" if verdict.legal else f"rejected by {', '.join(verdict.clauses)}"

    def _smaller(self, found: Witness) -> Witness:
        """The same with fewer cards, as far as leaving out one thing at a time leads."""
        found = self._reduced(found)
        for text in self._rested(found.given):
            other = self._alike(text, found)
            if other is not None:
                smaller = self._reduced(other)
                return smaller if _weight(smaller.given) < _weight(found.given) else found
        return found

    def _reduced(self, found: Witness) -> Witness:
        smaller: Witness | None = found
        while smaller is not None:
            found = smaller
            smaller = next((w for text in _reduced(found.given) if (w := self._alike(text, found)) is not None), None)
        return found

    def _rested(self, text: str) -> Iterator[str]:
        """The text with a pile said to be empty, so that cards which are left out do not come to lie there."""
        piles = [zone.name for zone in self.new.ruleset.zones.values() if zone.kind == "pile" and zone.owner is None]
        mentioned = {field.split(maxsplit=1)[0] for field in text.split(";")}
        if "rest" not in mentioned:
            yield from (
                f"{text}; {a} empty; rest in {b}" for a in piles for b in piles if a != b and a not in mentioned
            )

    def _alike(self, text: str, found: Witness) -> Witness | None:
        other = self._at(text)
        if other is None or other.kind != found.kind:
            return None
        alike = (
            other.action.split()[:1] == found.action.split()[:1]
            and _gist(other.old) == _gist(found.old)
            and _gist(other.new) == _gist(found.new)
        )
        return other if alike else None


def _fewer_cards(text: str) -> Iterator[str]:
    """A meld with one card left out; the word before its cards, if there is one, names a template."""
    words = text.split()
    for i in range(len(words) - 1, -1, -1):
        if len(words) > 1:
            yield " ".join([*words[:i], *words[i + 1 :]])


def _subjects(said: tuple[str, str]) -> list[str]:
    """The names of what differs."""
    return [field.split()[0] for field in said[0].split("; ")]


def _gist(said: str) -> str:
    """What is said without the cards and numbers at hand."""
    return said if said.startswith(("rejected", "legal")) else re.sub(r"[^a-z ]|\b\w\b", "", said).strip()[:20]


def _reduced(text: str) -> Iterator[str]:
    """The text with one thing left out: a field, a meld, a card."""
    fields = [field.strip() for field in text.split(";")]
    for i, field in enumerate(fields):
        if not field.startswith("turn "):
            yield "; ".join([*fields[:i], *fields[i + 1 :]])
    for i, field in enumerate(fields):
        for shorter in _shorter(field):
            yield "; ".join([*fields[:i], shorter, *fields[i + 1 :]])


def _shorter(field: str) -> Iterator[str]:
    melds = list(re.finditer(r"\[[^\]]*\]", field))
    for match in melds:
        if len(melds) > 1:
            yield (field[: match.start()] + field[match.end() :]).strip()
        cards = match[0][1:-1].split()
        for kept in (cards[:-1], cards[1:]):
            yield field[: match.start()] + f"[{' '.join(kept)}]" + field[match.end() :]
    if not melds:
        words = field.split()
        for i in range(len(words) - 1, 1, -1):
            yield " ".join([*words[:i], *words[i + 1 :]])


def _common(text: str, rules: Ruleset) -> str:
    """A position without what another rule set has no name for."""
    known = {*rules.zones, *rules.states, "turn", "dealer"}
    return "; ".join(field.strip() for field in text.split(";") if field.split()[0] in known)


def _texts(rules: Rules, position: Position) -> dict[str, Action]:
    return {format_action(rules.ruleset, action): action for action in rules.legal(position)}


def _differing(old: Rules, first: Position, new: Rules, second: Position) -> tuple[str, str] | None:
    """What lies or stands differently in two positions, for each the same parts; None if nothing does."""
    a, b = (_parts(rules, position) for rules, position in ((old, first), (new, second)))
    names = sorted((n for n in a.keys() | b.keys() if a.get(n, "") != b.get(n, "")), key=lambda n: (n != "turn", n))
    if not names:
        return None
    said = ["; ".join(_field(name, parts.get(name, "")) for name in names[:3]) for parts in (a, b)]
    return said[0], said[1]


def _field(name: str, value: str) -> str:
    words = value.split()
    return f"{name} {value or 'empty'}" if len(words) <= 6 else f"{name} {' '.join(words[:5])} … ({len(words)})"


def _parts(rules: Rules, position: Position) -> dict[str, str]:
    parts: dict[str, str] = {}
    owned = _owned(rules.ruleset)
    for field in format_position(rules.ruleset, position).replace("\n", ";").split(";"):
        words = field.split()
        if words:
            size = 2 if owned.get(words[0]) is not None else 1
            parts[" ".join(words[:size])] = " ".join(words[size:])
    return parts


def _owned(rules: Ruleset) -> dict[str, str | None]:
    """What has owners, by name: zones and state variables."""
    owned = {zone.name: zone.owner for zone in rules.zones.values()}
    return owned | {state.name: state.owner for state in rules.states.values()}


def _large(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 500


def _holding(violated: bool, stated: bool) -> str:
    if not stated:
        return "there is no such clause"
    return "what it states does not hold" if violated else "what it states holds"


def _word(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
