"""Running scenarios: each step against a rule set, with what was expected and what was found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from biriba.interpreter.frame import Standing
from biriba.interpreter.rules import Illegal, Rules
from biriba.model.position import Action, Meld, Position
from biriba.notation import (
    NotationError,
    action_from_json,
    format_action,
    format_meld,
    format_position,
    meld_to_json,
    parse_action,
    parse_cards,
    parse_given,
    parse_meld_text,
    parse_position,
    position_from_json,
    readings,
    resolve,
)
from biriba.notation.melds import shapeless, trouble
from biriba.scenario.checks import Check, Totals, meld_facts
from biriba.scenario.scenario import (
    Accept,
    Claim,
    Expect,
    GivenDeck,
    GivenPosition,
    GivenTotals,
    Layouts,
    Play,
    Reject,
    Repeat,
    Scenario,
    Step,
    Value,
    Written,
)
from biriba.scenario.told import Difference, Unchecked


@dataclass(frozen=True, slots=True)
class StepResult:
    """What became of a step; it has passed if there are no differences."""

    step: Step
    differences: tuple[Difference, ...]

    @property
    def passed(self) -> bool:
        return not self.differences


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a scenario.

    Attributes:
        scenario: the scenario that was run.
        results: of its steps, up to the first after which the rest has no meaning.
    """

    scenario: Scenario
    results: tuple[StepResult, ...]

    @property
    def passed(self) -> bool:
        return all(result.passed for result in self.results)

    def __str__(self) -> str:
        """A report for a reader: one line if it has passed, else each difference with its step."""
        head = f"{self.scenario.id}: {self.scenario.title}"
        if self.passed:
            return f"passed  {head}"
        lines = [f"FAILED  {head}"]
        for result in self.results:
            if result.passed:
                continue
            lines.append(f"  {' '.join(filter(None, (result.step.where, result.step.line)))}")
            for difference in result.differences:
                lines += [f"    expected  {difference.expected}", f"    found     {difference.found}"]
        return "\n".join(lines)


def run(scenario: Scenario, rules: Rules) -> Outcome:
    """Go through the steps of a scenario under a rule set; a step that fails is told, never raised."""
    return Outcome(scenario, tuple(_Run(rules, scenario).results()))


class _Stop(Exception):
    """After this step the position is not known, so that the steps that follow have no meaning."""


class _Run:
    """A scenario under way.

    Attributes:
        now: the position, None if the scenario needs none.
        before: the position at the last expectation, or at the beginning.
    """

    def __init__(self, rules: Rules, scenario: Scenario) -> None:
        self.rules, self.ruleset, self.scenario = rules, rules.ruleset, scenario
        self.now: Position | None = None
        self.before: Position | None = None
        self.totals: Totals | None = None

    def results(self) -> Iterator[StepResult]:
        """The results of all steps, as far as they go."""
        try:
            self.begin()
        except (NotationError, ValueError, Illegal, Unchecked) as error:
            yield StepResult(Step(Expect(), "given"), (Difference("a position or deal of these rules", str(error)),))
            return
        yield from self.through(self.scenario.steps)

    def begin(self) -> None:
        given = self.scenario.given
        if isinstance(given, GivenTotals):
            self.totals = Totals(given.totals, given.dealer, given.deals)
        self.now = self.before = start(self.rules, self.scenario)

    def through(self, steps: Iterable[Step]) -> Iterator[StepResult]:
        for step in steps:
            if isinstance(step.body, Repeat):
                for _ in range(step.body.times):
                    for result in self.through(step.body.steps):
                        yield result
                        if not result.passed:
                            return
                continue
            try:
                differences = tuple(self.check(step))
            except _Stop as stop:
                yield StepResult(step, (stop.args[0],))
                return
            except (NotationError, Unchecked, ValueError) as error:
                yield StepResult(step, (Difference("something that these rules know", str(error)),))
                return
            yield StepResult(step, differences)

    def check(self, step: Step) -> Iterator[Difference]:
        match step.body:
            case Play(act=act):
                self.play(self.action(act))
            case Accept(act=act):
                yield from self.accept(self.action(act))
            case Reject() as reject:
                yield from self.reject(reject)
            case Claim() as claim:
                yield from self.claim(claim)
            case Layouts() as layouts:
                yield from self.layouts(layouts)
            case Value(cards=cards, points=points):
                found = sum(self.ruleset.cards.faces[c].value for c in parse_cards(self.ruleset, " ".join(cards)))
                if found != points:
                    yield Difference(f"value {points}", f"value {found}")
            case Expect() as expect:
                yield from self.expect(expect)

    # ------------------------------------------------------------ actions

    @property
    def position(self) -> Position:
        if self.now is None:
            raise Unchecked("no position: the scenario does not begin with one")
        return self.now

    def action(self, act: Written) -> Action:
        """The action that both forms mean here."""
        return read_action(self.rules, self.position, act)

    def play(self, action: Action) -> None:
        verdict = self.rules.judge(self.position, action)
        if verdict.position is None:
            text = f"{format_action(self.ruleset, action)} is legal"
            raise _Stop(Difference(text, "; ".join(str(rejection) for rejection in verdict.rejections)))
        self.now = verdict.position

    def accept(self, action: Action) -> Iterator[Difference]:
        verdict = self.rules.judge(self.position, action)
        if verdict.position is None:
            text = f"{format_action(self.ruleset, action)} is legal"
            yield Difference(text, "; ".join(str(rejection) for rejection in verdict.rejections))

    def reject(self, reject: Reject) -> Iterator[Difference]:
        if reject.malformed:
            try:
                action = read_action(self.rules, self.position, reject.act)
            except NotationError:
                return
            found = f"it is read as {format_action(self.ruleset, action)}"
            yield Difference(f"'{reject.act.text}' is no action", found)
            return
        action = self.action(reject.act)
        verdict = self.rules.judge(self.position, action, reject.seat)
        if verdict.position is not None:
            yield Difference(f"{format_action(self.ruleset, action)} is rejected", "it is legal")
        elif reject.because is not None and set(reject.because) != set(verdict.clauses):
            yield Difference(f"rejected by {_listed(reject.because)}", f"rejected by {_listed(verdict.clauses)}")

    # ------------------------------------------------------------ melds

    def claim(self, claim: Claim) -> Iterator[Difference]:
        meld = read_meld(self.rules, claim.meld)
        broken = {rejection.clause for rejection in self.rules.judge_meld(meld).rejections}
        text = claim.meld.text
        if bool(broken) == claim.lawful:
            found = f"it breaks {_listed(broken)}" if broken else "it is lawful"
            yield Difference(f"{text} is {'lawful' if claim.lawful else 'not lawful'}", found)
        elif claim.because is not None and set(claim.because) != set(broken):
            yield Difference(f"{text} breaks {_listed(claim.because)}", f"it breaks {_listed(broken)}")
        elif claim.facts:
            yield from meld_facts(self.rules, text, meld, claim.facts)

    def layouts(self, layouts: Layouts) -> Iterator[Difference]:
        cards = parse_cards(self.ruleset, " ".join(layouts.cards))
        wanted = {read_meld(self.rules, meld) for meld in layouts.melds}
        for order in dict.fromkeys((cards, cards[::-1], tuple(sorted(cards)))):
            found = set(self.rules.meld_layouts(order))
            if found != wanted:
                yield Difference(self.melds(wanted), self.melds(found))
                return

    def melds(self, melds: Iterable[Meld]) -> str:
        return ", ".join(sorted(format_meld(self.ruleset, meld) for meld in melds)) or "none"

    # ------------------------------------------------------------ expectations

    def expect(self, expect: Expect) -> Iterator[Difference]:
        yield from Check(self.rules, self.now, self.before, self.totals).of(expect)
        if expect.legal is not None:
            wanted = {self.action(act) for act in expect.legal}
            found = set(self.rules.legal(self.position))
            for action in sorted(wanted ^ found, key=lambda action: format_action(self.ruleset, action)):
                text = format_action(self.ruleset, action)
                yield (
                    Difference(f"{text} is legal", "it is not")
                    if action in wanted
                    else Difference("no other legal action", f"{text} is legal")
                )
        self.before = self.now


def start(rules: Rules, scenario: Scenario) -> Position | None:
    """The position in which a scenario begins, None if it has none.

    Raises:
        NotationError: what is given is no position of these rules.
        DealError: the deck is not that of these rules.
        Illegal: an action that should have led there is not legal.
        Unchecked: the two forms of the position differ.
    """
    match scenario.given:
        case GivenPosition(text=text, data=data, stated=stated):
            position = position_from_json(rules.ruleset, data)
            if parse_position(rules.ruleset, text) != position:
                raise Unchecked(f"a text that tells another position: {format_position(rules.ruleset, position)}")
            if stated and parse_given(rules.ruleset, stated, rules.dealt_sizes) != position:
                raise Unchecked("a position that is not the one that follows from what is stated")
            return position
        case GivenDeck(deck=deck, dealer=dealer, actions=actions):
            position = rules.deal(deck=deck, dealer=dealer, standing=standing(rules, scenario.given)).position
            for act in actions:
                position = rules.apply(position, read_action(rules, position, act))
            return position
        case _:
            return None


def standing(rules: Rules, given: GivenDeck) -> Standing | None:
    """How the match stands when a deal begins; None if that is not stated."""
    if not given.totals:
        return None
    return Standing(tuple(given.totals.get(side, 0) for side in rules.ruleset.table.sides), given.deals)


def read_action(rules: Rules, position: Position, act: Written) -> Action:
    """The action that both forms mean in a position.

    Raises:
        NotationError: it is none.
        Unchecked: the JSON form means something else than the text.
    """
    told = resolve(rules.ruleset, position, parse_action(rules.ruleset, act.text), rules.lawful)
    if act.data is not None:
        stated = action_from_json(rules.ruleset, dict(act.data))
        if resolve(rules.ruleset, position, stated, rules.lawful) != told:
            raise Unchecked(f"'{act.text}' and a JSON form that means something else")
    return told


def read_meld(rules: Rules, written: Written) -> Meld:
    """The meld that a text means, whether or not its cards fit a template.

    Raises:
        NotationError: it is no list of cards, or could mean several melds.
        Unchecked: the JSON form beside it means something else.
    """
    ruleset = rules.ruleset
    stated = parse_meld_text(ruleset, written.text)
    found = readings(ruleset, stated)
    if len(found) > 1:
        message, hint = trouble(ruleset, stated, found)
        raise NotationError(message, hint=hint)
    meld = found[0] if found else shapeless(stated)
    if written.data is not None and written.data != meld_to_json(ruleset, meld):
        raise Unchecked(f"'{written.text}' and a JSON form that means something else")
    return meld


def _listed(clauses: Iterable[str]) -> str:
    return ", ".join(sorted(clauses)) or "no clause"
