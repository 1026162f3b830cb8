"""Whether the answers of an implementation are what a vector expects.

The reference goes along, so that an action or a position in an answer can be read where it belongs; what
is right is decided by the vector alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from biriba.conformance.protocol import Implementation
from biriba.conformance.questions import AFTER, BEFORE, BEGINNING, OF_POSITIONS, Case, Question
from biriba.interpreter.rules import Rules
from biriba.model.position import Action, Meld, Position
from biriba.model.ruleset import OVER
from biriba.notation import (
    JsonError,
    NotationError,
    action_from_json,
    format_action,
    format_meld,
    meld_from_json,
    meld_to_json,
    parse_action,
    parse_meld,
    position_to_json,
    resolve,
)
from biriba.notation.jsonvalue import Json, encode
from biriba.notation.vocabulary import vocabulary
from biriba.scenario.run import read_action, read_meld, start
from biriba.scenario.scenario import (
    SPECTATOR,
    UNCHANGED,
    Accept,
    Claim,
    Expect,
    Fields,
    GivenPosition,
    Layouts,
    Play,
    Reject,
    Value,
    Written,
)
from biriba.scenario.told import Difference, PositionFacts, Unchecked, change, compared, named, several, word

MOST_SHOWN = 12
"""So many single differences are told of one question."""

IS_LEGAL, SAID_LEGAL = " is legal", " is said to be legal"
"""What is said of an action that is missing in a list of legal actions, and of one too many."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A question whose answer is not as expected: in words, what was asked, expected and found."""

    question: int
    asked: str
    expected: str
    found: str


@dataclass(slots=True)
class Judgement:
    """What the answers to a case are worth.

    Attributes:
        wrong: what is not as expected.
        skipped: why questions were not answered; a case with such is not passed.
        malformed: the first answer that is not of the form that it should have.
        errored: of the first question that could not be answered, what the implementation said.
        open: how many things a vector leaves to the implementation: they were not compared.
    """

    wrong: list[Wrong] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    malformed: str | None = None
    errored: str | None = None
    open: int = 0


class _Skipped(Exception):
    """The implementation does not answer this question, and has said so."""


class _Errored(Exception):
    """The implementation has failed at this question, and has said so."""


class _LostTrack(Exception):
    """The implementation is at another position than the vector, so that nothing after this has a meaning."""


def judge(rules: Rules, case: Case, answers: Sequence[Json], implementation: Implementation) -> Judgement:
    """Compare the answers to all questions of a case with what its vector expects."""
    found = Judgement(open=left_open(case))
    comparison = _Comparison(rules, case, implementation)
    for number, (question, answer) in enumerate(zip(case.questions, answers, strict=True)):
        try:
            for n, difference in enumerate(comparison.differences(question, answer)):
                if n < MOST_SHOWN:
                    found.wrong.append(Wrong(number, question.text, difference.expected, difference.found))
        except _Skipped as skipped:
            comparison.not_told(question)
            found.skipped.append(f"{question.text}: {skipped}")
            if "act" in question.asked and isinstance(question.step and question.step.body, Play):
                break
        except _Errored as errored:
            found.errored = f"{question.text}: {errored}"
            break
        except _LostTrack:
            break
        except (JsonError, NotationError, Unchecked) as error:
            found.malformed = f"the answer to question {number + 1} ({question.text}): {error}"
            break
    return found


def left_open(case: Case) -> int:
    """How many things are left to the implementation in all questions of a case."""
    bodies = [question.step.body for question in case.questions if question.step is not None]
    stated = [facts for body in bodies if isinstance(body, Expect) for facts in (body.facts, body.also)]
    return sum(len(cast(list[str], facts.get("open", []))) for facts in stated)


class _Facts(PositionFacts):
    """Looks at what an implementation tells of its position."""

    def __init__(self, rules: Rules, told: Mapping[str, Any], before: Mapping[str, Any]) -> None:
        super().__init__(rules.ruleset)
        self._told, self._before = told, before

    @property
    def told(self) -> Mapping[str, Any]:
        return self._told

    @property
    def told_before(self) -> Mapping[str, Any]:
        return self._before


class _Comparison:
    """A case under way.

    Attributes:
        now: the position of the reference.
        before: what the implementation told at the last expectation, or what was given; None: nothing yet.
        seen: what it told last, or what was given.
    """

    def __init__(self, rules: Rules, case: Case, implementation: Implementation) -> None:
        self.rules, self.ruleset, self.implementation = rules, rules.ruleset, implementation
        self.now: Position | None = start(rules, case.scenario)
        given = case.scenario.given
        begins = self.without_omitted(given.data) if isinstance(given, GivenPosition) else None
        self.before: Mapping[str, Any] | None = begins
        self.seen: Mapping[str, Any] | None = begins

    def differences(self, question: Question, answer: Json) -> Iterator[Difference]:
        members = answer.members(optional=tuple(answer.value) if isinstance(answer.value, dict) else ())
        for name in ("skipped", "errored"):
            if name in members:
                told = members[name].string()
                if name == "errored":
                    raise _Errored(told)
                raise _Skipped(told)
        body = question.step.body if question.step is not None else None
        match body:
            case Play(act=act):
                yield from self.verdict(members, True, act.text)
                self.now = self.rules.apply(self.position, read_action(self.rules, self.position, act))
            case Accept():
                yield from self.verdict(members, True, question.text, lost=False)
            case Reject() as reject:
                if reject.malformed and not self.implementation.texts:
                    raise _Skipped("it reads no texts")
                because = () if reject.malformed else reject.because
                yield from self.verdict(members, False, question.text, because, lost="act" in question.asked)
            case Claim() as claim:
                yield from self.claim(claim, members)
            case Layouts(melds=melds):
                wanted = {read_meld(self.rules, meld) for meld in melds}
                given = {self.read_meld(item) for item in _member(answer, members, "melds").items()}
                yield from compared("melds", self.listed(wanted), self.listed(given))
            case Value(points=points):
                yield from compared("value", points, _member(answer, members, "value").integer())
            case Expect() as expect:
                yield from self.expect(expect, answer, members)
            case _:
                yield from self.look(question.look, self.told(_member(answer, members, "position")))

    def look(self, what_for: str, told: Mapping[str, Any]) -> Iterator[Difference]:
        """What a position that no step asks for says."""
        if what_for == AFTER:
            for path, before, now in _Facts(self.rules, told, self.seen or told).changed():
                found = f"changed: {named(path)} {change(before, now)}"
                yield Difference(f"{named(path)} as before, since nothing was played", found)
        elif what_for != BEFORE:
            self.before = told
        self.seen = told

    def not_told(self, question: Question) -> None:
        """What is compared with a position that was not told is compared with nothing."""
        if "position" in question.asked.get("tell", {}):
            self.seen = None
            if question.look in ("", BEGINNING):
                self.before = None

    @property
    def position(self) -> Position:
        if self.now is None:
            raise Unchecked("there is no position")
        return self.now

    # ------------------------------------------------------------ verdicts

    def verdict(
        self,
        members: Mapping[str, Json],
        wanted: bool,
        what: str,
        because: Sequence[str] | None = None,
        *,
        lost: bool = True,
    ) -> Iterator[Difference]:
        if "legal" not in members:
            raise JsonError("$", "the member 'legal' is missing")
        legal = members["legal"].boolean()
        reasons = self.reasons(members)
        if legal != wanted:
            found = "it is legal" if legal else f"it is rejected{f' by {reasons}' if reasons else ''}"
            yield Difference(f"{what} is {'legal' if wanted else 'rejected'}", found)
            if lost:
                raise _LostTrack
            return
        if because and reasons is not None and set(because) != set(reasons.split(", ")):
            yield Difference(f"{what} is rejected by {', '.join(sorted(because))}", f"rejected by {reasons}")

    def reasons(self, members: Mapping[str, Json]) -> str | None:
        """The clauses by which something is rejected, None if the implementation has no such reasons."""
        if not self.implementation.reasons or "because" not in members:
            return None
        clauses = self.ruleset.clauses
        told = {item.one_of(clauses, "clause") for item in members["because"].items()}
        return ", ".join(sorted(told)) or "no clause"

    def claim(self, claim: Claim, members: Mapping[str, Json]) -> Iterator[Difference]:
        if "lawful" not in members:
            raise JsonError("$", "the member 'lawful' is missing")
        lawful = members["lawful"].boolean()
        text, reasons = claim.meld.text, self.reasons(members)
        if lawful != claim.lawful:
            words = {True: "lawful", False: "unlawful"}
            yield Difference(f"{text} is {words[claim.lawful]}", words[lawful])
        elif claim.because is not None and reasons is not None and set(claim.because) != set(reasons.split(", ")):
            yield Difference(f"{text} breaks {', '.join(sorted(claim.because))}", f"it breaks {reasons}")
        else:
            yield from self.qualities(text, claim.facts, members)

    def qualities(self, what: str, facts: Mapping[str, Any], members: Mapping[str, Json]) -> Iterator[Difference]:
        for name, wanted in facts.items():
            if name not in members:
                raise JsonError("$", f"the member '{name}' is missing")
            yield from compared(f"{what}: {name}", wanted, members[name].value)

    # ------------------------------------------------------------ expectations

    def expect(self, expect: Expect, answer: Json, members: Mapping[str, Json]) -> Iterator[Difference]:
        look = None
        if "position" in members:
            told = self.told(members["position"])
            look = _Facts(self.rules, told, told if self.before is None else self.before)
            self.check_omitted(look.mentioned(expect.facts) | look.mentioned(expect.also))
        yield from self.facts(expect.facts, look, answer, members)
        yield from self.facts(expect.also, look, answer, members)
        if look is not None:
            if expect.rest == UNCHANGED:
                yield from look.unmentioned(expect.facts, expect.also)
            self.before = self.seen = look.told
        if expect.legal is not None:
            yield from self.legal(expect.legal, _member(answer, members, "legal"))

    def facts(
        self, facts: Fields, look: _Facts | None, answer: Json, members: Mapping[str, Json]
    ) -> Iterator[Difference]:
        """All that is told otherwise than it is stated."""
        for name, wanted in facts.items():
            if name in OF_POSITIONS:
                if look is None:
                    raise answer.fault("the member 'position' is missing")
                yield from getattr(look, name)(wanted)
            elif name == "one_of":
                choices = cast(list[Fields], wanted)
                found = [list(self.facts(choice, look, answer, members)) for choice in choices]
                if all(found):
                    yield several(found)
            else:
                check = getattr(self, f"expect_{name}")
                yield from check(wanted, _member(answer, members, _ANSWERED_IN.get(name, name)))

    def expect_meld(self, wanted: Mapping[str, Mapping[str, Any]], told: Json) -> Iterator[Difference]:
        melds = told.members(*wanted)
        for name, facts in wanted.items():
            yield from self.qualities(name, facts, melds[name].members(optional=tuple(melds[name].value or ())))

    def expect_score(self, wanted: Mapping[str, int], told: Json) -> Iterator[Difference]:
        sides = told.members(*self.ruleset.table.sides)
        for side, points in wanted.items():
            yield from compared(f"score {side}", points, sides[side].integer())

    def expect_written(self, wanted: Mapping[str, str], told: Json) -> Iterator[Difference]:
        sides = told.members(*self.ruleset.table.sides)
        for side, points in wanted.items():
            yield from compared(f"score {side} as it is written", points, sides[side].string())

    def expect_lines(self, wanted: Mapping[str, Mapping[str, int]], told: Json) -> Iterator[Difference]:
        sides = told.members(*self.ruleset.table.sides)
        for side, lines in wanted.items():
            of_side = sides[side].members(optional=tuple(sides[side].value or ()))
            for label, points in lines.items():
                found = of_side[label].integer() if label in of_side else 0
                yield from compared(f"score {side}, {label}", points, found)

    def expect_legal_count(self, wanted: int, told: Json) -> Iterator[Difference]:
        yield from compared("number of legal actions", wanted, told.integer())

    def expect_perft(self, wanted: list[int], told: Json) -> Iterator[Difference]:
        found = [item.integer() for item in told.items()]
        yield from compared("legal sequences of 1, 2, … actions", wanted, found)

    def expect_view(self, wanted: Mapping[str, Mapping[str, list[str]]], told: Json) -> Iterator[Difference]:
        words = vocabulary(self.ruleset)
        slots = {words.zone_name(slot): slot for slot in range(len(self.position.zones))}
        views = told.members(*wanted)
        for seat, hides in wanted.items():
            hidden = {slots[name] for name in hides["hides"]}
            expected = self.without_omitted(position_to_json(self.ruleset, self.position, hidden))
            view = self.normal(views[seat])
            look = _Facts(self.rules, view, view)
            who = "a spectator" if seat == SPECTATOR else seat
            for group in ("zones", "states"):
                for path, value in _flat(look.declared(group), expected[group]):
                    found = _flat_get(view[group], path)
                    what = f"{who} sees {' '.join(path)}"
                    if isinstance(value, int) and not isinstance(value, bool) and group == "zones":
                        if isinstance(found, list):
                            yield Difference(f"{who} knows of {' '.join(path)} only the number of cards", word(found))
                        else:
                            yield from compared(f"{what}: cards", value, found)
                    elif isinstance(found, int) and group == "zones":
                        yield Difference(f"{what} {word(value)}", f"{found} cards, hidden")
                    else:
                        yield from look.same(group, path, what, value, found)

    def expect_match(self, wanted: Mapping[str, Any], told: Json) -> Iterator[Difference]:
        members = told.members("over", "winner", "next_dealer")
        for name, value in wanted.items():
            yield from compared(f"match: {name}", value, members[name].value)

    def expect_deck(self, wanted: Mapping[str, Any], told: Json) -> Iterator[Difference]:
        members = told.members("cards", "value", "copies")
        for name, value in wanted.items():
            if name == "copies":
                copies = members[name].members(optional=tuple(members[name].value or ()))
                for card, count in value.items():
                    yield from compared(f"copies of {card}", count, copies[card].integer() if card in copies else 0)
            else:
                yield from compared(f"the deck: {name}", value, members[name].integer())

    def expect_table(self, wanted: Mapping[str, Mapping[str, Any]], told: Json) -> Iterator[Difference]:
        members = told.members("sides", "next", "left", "right")
        for name, of in wanted.items():
            named = members[name].members(optional=tuple(members[name].value or ()))
            for key, value in of.items():
                yield from compared(f"{name} {key}", value, named[key].value if key in named else None)

    def legal(self, legal: Sequence[Written], told: Json) -> Iterator[Difference]:
        # What is written in just the same way need not be read, and that is nearly all.
        as_written = {encode(act.data): act for act in legal}
        told_as = {encode(item.value): item for item in told.items()}
        expected = [act for text, act in as_written.items() if text not in told_as]
        others = [item for text, item in told_as.items() if text not in as_written]
        wanted = {read_action(self.rules, self.position, act) for act in expected}
        found = {self.read_action(item) for item in others}
        known = {read_action(self.rules, self.position, act) for act in legal} if found - wanted else set()
        for action in sorted(wanted ^ (found - (known - wanted)), key=lambda act: format_action(self.ruleset, act)):
            text = format_action(self.ruleset, action)
            if action in wanted:
                yield Difference(text + IS_LEGAL, "it is not among the legal actions")
            else:
                yield Difference("no other legal action", text + SAID_LEGAL)

    # ------------------------------------------------------------ reading what is told

    def read_action(self, value: Json) -> Action:
        """An action of an answer, as text or as JSON."""
        try:
            if isinstance(value.value, str):
                stated = parse_action(self.ruleset, value.value)
            else:
                stated = action_from_json(self.ruleset, value.value)
            return resolve(self.ruleset, self.position, stated, self.rules.lawful)
        except NotationError as error:
            raise value.fault(str(error)) from None

    def read_meld(self, value: Json) -> Meld:
        """A meld of an answer, as text or as JSON."""
        try:
            if isinstance(value.value, str):
                return parse_meld(self.ruleset, value.value)
            return meld_from_json(self.ruleset, value.value)
        except NotationError as error:
            raise value.fault(str(error)) from None

    def listed(self, melds: set[Meld]) -> str:
        return ", ".join(sorted(format_meld(self.ruleset, meld) for meld in melds)) or "none"

    def told(self, value: Json) -> Mapping[str, Any]:
        """A position as it is told, in normal form: hands in order, melds complete."""
        return self.normal(value)

    def normal(self, value: Json) -> Mapping[str, Any]:
        members = value.members("phase", "turn", "zones", "states", optional=("dealer",))
        phase, turn = members["phase"].string(), members["turn"]
        told = {"phase": phase, "turn": None if phase == OVER and turn.value is None else turn.string()}
        groups: dict[str, Any] = {}
        for group, declared in (("zones", self.ruleset.zones), ("states", self.ruleset.states)):
            own = [name for name in declared if name not in self.implementation.omits]
            groups[group] = {}
            for name, item in members[group].members(*own, optional=tuple(declared)).items():
                if name not in own:
                    continue
                declaration = declared[name]
                low, high = getattr(declaration, "low", 0), getattr(declaration, "high", 0)
                owners = self.ruleset.owners(declaration.owner, low, high)
                read = self.zone if group == "zones" else _plain
                if declaration.owner is None:
                    groups[group][name] = read(item, name)
                else:
                    groups[group][name] = {o: read(of, name) for o, of in item.members(*owners).items()}
        return {**told, **groups}

    def zone(self, value: Json, name: str) -> Any:
        if isinstance(value.value, int) and not isinstance(value.value, bool):
            return value.integer(0)
        kind = self.ruleset.zones[name].kind
        if kind == "melds":
            return [meld_to_json(self.ruleset, self.read_meld(item)) for item in value.items()]
        faces = vocabulary(self.ruleset).faces
        cards = [item.one_of(faces, "card") for item in value.items()]
        return sorted(cards, key=faces.__getitem__) if kind == "hand" else cards

    def without_omitted(self, position: Mapping[str, Any]) -> dict[str, Any]:
        omits = self.implementation.omits
        return {
            name: {n: v for n, v in of.items() if n not in omits} if name in ("zones", "states") else of
            for name, of in position.items()
        }

    def check_omitted(self, mentioned: set[tuple[str, ...]]) -> None:
        omitted = sorted({path[1] for path in mentioned if len(path) > 1} & set(self.implementation.omits))
        if omitted:
            raise _Skipped(f"it does not tell {', '.join(omitted)}")


_ANSWERED_IN = {"meld": "melds", "view": "views"}


def _member(answer: Json, members: Mapping[str, Json], name: str) -> Json:
    if name not in members:
        raise answer.fault(f"the member '{name}' is missing")
    return members[name]


def _plain(value: Json, name: str) -> Any:
    return value.value


def _flat(declared: Mapping[str, bool], told: Fields) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, value in told.items():
        if declared[name] and isinstance(value, Mapping):
            for owner, of in value.items():
                yield (name, owner), of
        else:
            yield (name,), value


def _flat_get(tree: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        tree = tree[name]
    return tree
