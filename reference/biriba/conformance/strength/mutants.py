"""Mutants: rule sets that differ from a given one in one place, as a faulty implementation might.

What only states what must hold (invariants, facts, what holds after the deal) is not changed: it decides
nothing in play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from biriba.conformance.strength.rewrite import changes
from biriba.language.diagnostics import RulesError
from biriba.language.load import compile_rules
from biriba.language.source import Source
from biriba.model import expr as x
from biriba.model.frozen import FrozenMap
from biriba.model.ruleset import Parameter, Ruleset
from biriba.model.span import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Mutant:
    """A mutant.

    Attributes:
        clause: the clause that is changed.
        what: what is changed, in words; together with the clause it names the mutant.
        make: makes its rule set, or None if the rules of the language forbid the change.
    """

    clause: str
    what: str
    make: Callable[[], Ruleset | None]

    @property
    def name(self) -> str:
        return f"{self.clause}: {self.what}"


def mutants(rules: Ruleset, folder: Path | None = None) -> list[Mutant]:
    """All mutants of a rule set, clause by clause, each with a name of its own.

    Args:
        folder: where the rule files lie, to quote what is changed.
    """
    order = {clause: i for i, clause in enumerate(rules.clauses)}
    found = sorted(_Maker(rules, folder).all(), key=lambda mutant: order.get(mutant.clause, -1))
    counted: dict[str, int] = {}
    named = []
    for mutant in found:
        number = counted[mutant.name] = counted.get(mutant.name, 0) + 1
        named.append(mutant if number == 1 else replace(mutant, what=f"{mutant.what} #{number}"))
    return named


class _Maker:
    def __init__(self, rules: Ruleset, folder: Path | None) -> None:
        self.rules, self.folder = rules, folder
        self._lines: dict[str, list[str]] = {}

    def all(self) -> Iterator[Mutant]:
        yield from self.parameters()
        yield from self.cards()
        yield from self.table()
        yield from self.melds()
        yield from self.turns()
        yield from self.deal()
        yield from self.scoring()
        yield from self.match()

    def mutant(self, clause: str, what: str, **changed: Any) -> Mutant:
        return Mutant(clause, what, lambda: replace(self.rules, **changed))

    # ------------------------------------------------------------ numbers and cards

    def parameters(self) -> Iterator[Mutant]:
        """Every number one less and one more, every choice another; the rules are compiled anew."""
        for parameter in self.rules.parameters.values():
            for value in _others(parameter):
                old, new = _written(parameter.value), _written(value)
                clause = self._clause_of(parameter.name)
                yield Mutant(
                    clause, f"parameter {parameter.name}: {old} becomes {new}", self._recompiled(parameter.name, new)
                )

    def _clause_of(self, parameter: str) -> str:
        """The first clause whose sentence or source names a parameter."""
        for clause in self.rules.clauses.values():
            if parameter in clause.source:
                return clause.id
        return next(iter(self.rules.clauses))

    def _recompiled(self, name: str, value: str) -> Callable[[], Ruleset | None]:
        text = (
            f'ruleset {self.rules.name}-mutant "A mutant" extends {self.rules.name}\n'
            f'  version "{self.rules.version}"\n\nset {name} = {value}\n'
        )
        beside = self.folder or Path()  # where the rule set that it extends is looked for

        def make() -> Ruleset | None:
            try:
                return compile_rules(Source(str(beside / "mutant.rules"), text))[0]
            except RulesError:
                return None

        return make

    def cards(self) -> Iterator[Mutant]:
        cards = self.rules.cards
        for rank in (None, *range(len(cards.ranks))):
            alike = [face for face in cards.faces if face.rank == rank]
            name = cards.ranks[rank].name if rank is not None else alike[0].name
            wild = not alike[0].wild
            faces = tuple(replace(face, wild=wild) if face.rank == rank else face for face in cards.faces)
            what = f"{name}: {'wild' if wild else 'not wild'}"
            yield self.mutant(cards.clauses["wild"], what, cards=replace(cards, faces=faces))
            faces = tuple(replace(face, value=face.value + 5) if face.rank == rank else face for face in cards.faces)
            yield self.mutant(cards.clauses["value"], f"{name}: 5 points more", cards=replace(cards, faces=faces))
        for name, places in (
            ("the first place missing", cards.places[1:]),
            ("the last place missing", cards.places[:-1]),
            ("two places swapped", (*cards.places[:5], cards.places[6], cards.places[5], *cards.places[7:])),
            ("one place more", (*cards.places, cards.places[1])),
        ):
            yield self.mutant(cards.clauses["places"], name, cards=replace(cards, places=places))

    # ------------------------------------------------------------ table

    def table(self) -> Iterator[Mutant]:
        table, rules = self.rules.table, self.rules
        clauses = dict(table.clauses)
        turned = replace(table, direction=-table.direction)
        yield self.mutant(clauses.get("play", next(iter(clauses.values()))), "play goes the other way", table=turned)
        if len(table.sides) == 2:
            first, second = table.members
            mixed = (
                ((first[0], second[0]), (first[1], second[1])) if len(first) == len(second) == 2 else (second, first)
            )
            what = "neighbours are partners" if len(first) == 2 else "sides swapped"
            clause = clauses.get("sides", next(iter(clauses.values())))
            yield self.mutant(clause, what, table=replace(table, members=mixed))
        for zone in rules.zones.values():
            for seen in ("nobody", "owner", "all"):
                if seen != zone.seen and (seen != "owner" or zone.owner in ("seat", "side")):
                    zones = _with(rules.zones, zone.name, replace(zone, seen=seen))
                    yield self.mutant(zone.clause, f"{zone.name} seen by {seen}", zones=zones)
        for state in rules.states.values():
            for new, span, what in changes(state.initial):
                states = _with(rules.states, state.name, replace(state, initial=new))
                yield self.mutant(state.clause, f"{state.name} at first: {self.quoted(span, what)}", states=states)

    # ------------------------------------------------------------ melds

    def melds(self) -> Iterator[Mutant]:
        rules = self.rules
        for template in rules.templates.values():
            for field in ("natural", "substitute"):
                for new, span, what in changes(getattr(template, field)):
                    templates = _with(rules.templates, template.name, replace(template, **{field: new}))
                    yield self.mutant(template.clause, f"{field}: {self.quoted(span, what)}", templates=templates)
        for i, growing in enumerate(rules.growings):
            rest = (*rules.growings[:i], *rules.growings[i + 1 :])
            yield self.mutant(growing.clause, f"{growing.template} does not grow: {growing.mode}", growings=rest)
        yield from self.each("laws", "law", dropped=True)
        for definition in rules.definitions.values():
            for new, span, what in changes(definition.body):
                definitions = _with(rules.definitions, definition.name, replace(definition, body=new))
                yield self.mutant(
                    definition.clause, f"{definition.name}: {self.quoted(span, what)}", definitions=definitions
                )

    def each(self, group: str, word: str, *, dropped: bool, field: str = "body") -> Iterator[Mutant]:
        """Mutants of a tuple of parts with a clause and an expression or a block."""
        parts = getattr(self.rules, group)
        for i, part in enumerate(parts):
            of = f"{word} of {part.action}" if hasattr(part, "action") else word
            if dropped:
                yield self.mutant(part.clause, f"{of} dropped", **{group: (*parts[:i], *parts[i + 1 :])})
            for new, span, what in changes(getattr(part, field)):
                changed = (*parts[:i], replace(part, **{field: new}), *parts[i + 1 :])
                yield self.mutant(part.clause, f"{of}: {self.quoted(span, what)}", **{group: changed})

    # ------------------------------------------------------------ turns and the deal

    def turns(self) -> Iterator[Mutant]:
        rules = self.rules
        for action in rules.actions.values():
            for phase in rules.phases:
                if phase not in action.phases:
                    changed = replace(action, phases=(*action.phases, phase))
                    what = f"{action.name} in {phase} too"
                    yield self.mutant(action.clause, what, actions=_with(rules.actions, action.name, changed))
            for new, span, what in changes(action.effects):
                changed = replace(action, effects=new)
                actions = _with(rules.actions, action.name, changed)
                yield self.mutant(action.clause, f"{action.name}: {self.quoted(span, what)}", actions=actions)
        yield from self.each("guards", "guard", dropped=True)
        yield from self.each("consequences", "consequence", dropped=True, field="effects")
        parts = rules.consequences
        for i, part in enumerate(parts):
            later = [
                j for j in range(i + 1, len(parts)) if (parts[j].action, parts[j].moment) == (part.action, part.moment)
            ]
            if later:
                swapped = list(parts)
                swapped[i], swapped[later[0]] = parts[later[0]], part
                what = f"what follows {part.action} swapped with that of {parts[later[0]].clause}"
                yield self.mutant(part.clause, what, consequences=tuple(swapped))
        for i, part in enumerate(parts):
            moment = "then" if part.moment == "before" else "before"
            what = f"what happens at {part.action}: {part.moment} becomes {moment}"
            moved = (*parts[:i], replace(part, moment=moment), *parts[i + 1 :])
            yield self.mutant(part.clause, what, consequences=moved)

    def deal(self) -> Iterator[Mutant]:
        yield from self.each("deal", "step of the deal", dropped=False, field="effects")
        parts = self.rules.deal
        for i in range(len(parts) - 1):
            swapped = (*parts[:i], parts[i + 1], parts[i], *parts[i + 2 :])
            yield self.mutant(parts[i].clause, f"dealt after {parts[i + 1].clause}", deal=swapped)

    # ------------------------------------------------------------ scores and matches

    def scoring(self) -> Iterator[Mutant]:
        lines = self.rules.score
        for i, line in enumerate(lines):
            yield self.mutant(line.clause, "line dropped", score=(*lines[:i], *lines[i + 1 :]))
            if line.where is not None:
                for new, span, what in changes(line.where):
                    changed = (*lines[:i], replace(line, where=new), *lines[i + 1 :])
                    yield self.mutant(line.clause, f"where: {self.quoted(span, what)}", score=changed)
            for new, span, what in changes(line.body):
                changed = (*lines[:i], replace(line, body=new), *lines[i + 1 :])
                yield self.mutant(line.clause, self.quoted(span, what), score=changed)
            zero = x.Const(value=0, type=line.body.type)
            minus = x.Arith(op="-", left=zero, right=line.body, type=line.body.type)
            changed = (*lines[:i], replace(line, body=minus), *lines[i + 1 :])
            yield self.mutant(line.clause, "the sign turned", score=changed)

    def match(self) -> Iterator[Mutant]:
        match = self.rules.match
        for i, end in enumerate(match.ends):
            rest = (*match.ends[:i], *match.ends[i + 1 :])
            yield self.mutant(end.clause, "end dropped", match=replace(match, ends=rest))
            for new, span, what in changes(end.body):
                ends = (*match.ends[:i], replace(end, body=new), *match.ends[i + 1 :])
                yield self.mutant(end.clause, f"end: {self.quoted(span, what)}", match=replace(match, ends=ends))
        if match.winner is not None:
            yield self.mutant(match.winner.clause, "nobody wins", match=replace(match, winner=None))
            for new, span, what in changes(match.winner.body):
                changed = replace(match, winner=replace(match.winner, body=new))
                yield self.mutant(match.winner.clause, f"winner: {self.quoted(span, what)}", match=changed)
        if match.next_dealer is not None:
            for new, span, what in changes(match.next_dealer.body):
                changed = replace(match, next_dealer=replace(match.next_dealer, body=new))
                yield self.mutant(match.next_dealer.clause, f"dealer: {self.quoted(span, what)}", match=changed)

    # ------------------------------------------------------------ words

    def quoted(self, span: Span, what: str) -> str:
        """What is changed, with the text that stood there."""
        text = self._text(span)
        return f"in '{text}' {what}" if text else what

    def _text(self, span: Span) -> str:
        if span == NOWHERE or self.folder is None:
            return ""
        if span.file not in self._lines:
            path = next((p for p in (Path(span.file), self.folder / Path(span.file).name) if p.is_file()), None)
            self._lines[span.file] = path.read_text(encoding="utf-8").splitlines() if path else []
        lines = self._lines[span.file]
        if not 0 < span.end_line <= len(lines):
            return ""
        chosen = lines[span.line - 1 : span.end_line]
        chosen[-1] = chosen[-1][: span.end_column - 1]
        chosen[0] = chosen[0][span.column - 1 :]
        text = " ".join(" ".join(chosen).split())
        return text if len(text) <= 60 else f"{text[:57]}…"


def _others(parameter: Parameter) -> Iterator[int | bool | str]:
    match parameter.value:
        case bool() as truth:
            yield not truth
        case int() as number:
            for value in (number - 1, number + 1):
                if (parameter.low is None or value >= parameter.low) and (
                    parameter.high is None or value <= parameter.high
                ):
                    yield value
        case str() as word:
            yield from (option for option in parameter.options if option != word)


def _written(value: int | bool | str) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _with(parts: Mapping[str, Any], name: str, part: Any) -> FrozenMap[str, Any]:
    return FrozenMap({**parts, name: part})
