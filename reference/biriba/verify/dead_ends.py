"""No dead ends: in every unfinished position in which all invariants hold there is a legal action.

For each phase the invariants are split into alternatives, with a symbolic card for each card that
they say is there. In each alternative one of these must be legal: an action without arguments, an
action with such a card, or the growth of a meld by such a card. Where an alternative says that some
meld of the rest has a property, or that a sum over them is positive, that meld may be told in detail
(it is as good as any other), one alternative for each template. What growing then leads to is not
computed in symbols. It rests on a lemma about melds, `growth_lemma`, that is checked for all lawful
melds there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Any

from biriba.model import expr as x
from biriba.model.position import Meld
from biriba.model.pure import count_of
from biriba.model.ruleset import Action, ActionParam
from biriba.verify.encode import RestQuestion, Scope
from biriba.verify.groups import growing_facts
from biriba.verify.solving import Asked, Clock
from biriba.verify.steps import PROOF, Case, Steps
from biriba.verify.symbols import MeldZone, SymLaid, SymMeld, rests_of
from biriba.verify.terms import Term, and_, between, equal, implies, integer, ite, known, not_, or_, total
from biriba.verify.truths import constant
from biriba.verify.unknowns import GrownAsked
from biriba.verify.verdicts import PROVED, REFUTED, UNKNOWN, Result
from biriba.verify.witness import Referee
from biriba.verify.zones import counts_in

GROUP = "no dead ends"


# ---------------------------------------------------------------- alternatives


@dataclass(frozen=True)
class Alternative:
    """One way in which a condition can hold.

    Attributes:
        cards: symbols of cards that it says are there.
        questions: what it asks of the melds of rests.
    """

    terms: tuple[Term, ...]
    cards: tuple[Term, ...] = ()
    questions: tuple[RestQuestion, ...] = ()

    def __add__(self, other: Alternative) -> Alternative:
        return Alternative(
            (*self.terms, *other.terms), (*self.cards, *other.cards), (*self.questions, *other.questions)
        )


def alternatives(steps: Steps, node: x.Node, scope: Scope, name: str = "c") -> Iterator[Alternative]:
    """Ways in which a condition can hold: it holds exactly if it does so in one of them."""
    encoder = steps.encoder
    match node:
        case x.Or(parts=parts):
            for i, part in enumerate(parts):
                yield from alternatives(steps, part, scope, f"{name}.{i}")
        case x.And(parts=parts):
            found = [Alternative(())]
            for i, part in enumerate(parts):
                found = [a + b for a in found for b in alternatives(steps, part, scope, f"{name}.{i}")]
            yield from found
        case x.Implies(left=left, right=right):
            condition = encoder.value(left, scope)
            if not known(condition):
                yield _whole(steps, node, scope)
            elif condition:
                yield from alternatives(steps, right, scope, name)
            else:
                yield Alternative(())
        case x.Apply(definition=definition, args=args):
            decl = encoder.rules.definitions[definition]
            values = [encoder.value(arg, scope) for arg in args]
            env = {param: value for (param, _), value in zip(decl.params, values, strict=True)}
            yield from alternatives(steps, decl.body, replace(scope, env=env), f"{name}.{definition}")
        case x.Quantified(quantifier="some", binders=(binder,)) if isinstance(binder.domain, x.CardsOf):
            card = integer(f"{name}.{binder.var}")
            inner = scope.bind(**{binder.var: card})
            there = encoder.contains(encoder.value(binder.domain.zone, scope), card)
            where = True if binder.where is None else encoder.value(binder.where, inner)
            some = Alternative((between(card, 0, encoder.faces - 1), there, where), (card,))
            for body in alternatives(steps, node.body, inner, f"{name}.{binder.var}"):
                yield some + body
        case _:
            whole = _whole(steps, node, scope)
            if not known(whole.terms[0]) or whole.terms[0]:
                yield whole


def _whole(steps: Steps, node: x.Node, scope: Scope) -> Alternative:
    before = len(steps.encoder.questions)
    term = steps.encoder.value(node, scope)
    return Alternative((term,), (), tuple(steps.encoder.questions[before:]))


# ---------------------------------------------------------------- one phase


class _Phase:
    """The question for one seat and phase, perhaps with one meld in detail.

    Args:
        keyed: groups that have a key are tried too where all copies of a card may be laid; it takes much longer.
    """

    def __init__(
        self,
        referee: Referee,
        me: int,
        phase: int,
        keep: tuple[int, ...],
        meld: tuple[int, str] | None,
        keyed: bool,
    ) -> None:
        rules = referee.ruleset
        self.keyed = keyed
        self.steps, self.rules, self.me, self.phase = Steps(rules), rules, me, rules.phases[phase]
        named = {} if meld is None else {meld[0]: [meld[1]]}
        position, self.facts = self.steps.position("s", me, PROOF, named)
        self.position = replace(position, phase=phase)
        self.laid: SymLaid | None = None
        self._runs = 0
        if meld is not None:
            zone = self.position.zones[meld[0]]
            assert isinstance(zone, MeldZone), "melds lie in zones of melds"
            owner = self.steps.encoder.layout.zone_slots[meld[0]][1]
            self.laid = SymLaid(meld[0], 0, owner, zone.melds[0][1])
        self.facts += [self.steps.holds(statement, self.position) for statement in rules.invariants]
        scope = Scope(self.position, me)
        self.alternatives = [Alternative(())]
        for i in keep:
            found = list(alternatives(self.steps, rules.step_invariants[i].body, scope, f"i{i}"))
            self.alternatives = [a + b for a in self.alternatives for b in found]

    def legal(self, alternative: Alternative) -> Iterator[Term]:
        """That an action is legal, for actions that the alternative suggests."""
        self.steps.encoder.instances = list(alternative.cards)
        for decl in self.rules.actions.values():
            if self.phase not in decl.phases:
                continue
            kinds = [param.domain for param in decl.params]
            case = Case(decl.name, self.me)
            if not kinds:
                yield self._run(case, {}, [])
            elif kinds == ["card"]:
                zone = self.steps.encoder.value(_zone(decl.params[0]), Scope(self.position, self.me))
                # Where the invariants say no more than how many cards there are, it may be any of them.
                for card in alternative.cards or range(self.steps.encoder.faces):
                    there = self.steps.encoder.contains(zone, card)
                    yield self._run(case, {decl.params[0].name: card}, [(decl.clause, there)])
            elif kinds == ["laid_meld", "growth"] and self.laid is not None:
                yield from self._growths(decl, alternative)
            elif kinds == ["new_meld"]:
                yield from self._heaps(decl, alternative)
            elif kinds in (["number"], ["value"]):
                yield from (self._run(case, {decl.params[0].name: value}, []) for value in self._values(decl.params[0]))
        self.steps.encoder.instances = []

    def _run(self, case: Case, env: dict[str, Any], domain: list[tuple[str, Term]]) -> Term:
        self._runs += 1  # what is unknown after one action has nothing to do with what is after another
        step = self.steps.run(case, self.position, env, [], domain, f"s{self._runs}")
        self.facts += [fact for fact in step.shape if not known(fact)]
        return step.legal

    def _values(self, param: ActionParam) -> Iterator[Term]:
        """Some values of a parameter: the ends of a range, or all."""
        if param.low is not None and param.high is not None:
            scope = Scope(self.position, self.me)
            ends = (self.steps.encoder.value(param.low, scope), self.steps.encoder.value(param.high, scope))
            yield from (end for end in ends if known(end))
        else:
            yield from range(count_of(self.rules, param.type.kind))

    def _heaps(self, decl: Action, alternative: Alternative) -> Iterator[Term]:
        """That all copies of a card in hand are laid as a group, of the key that the card has by itself."""
        encoder, param = self.steps.encoder, decl.params[0]
        held = counts_in(encoder.value(_zone(param), Scope(self.position, self.me)), encoder.faces)
        for template in self.rules.templates:
            if encoder.shapes.is_sequence(template) or not (
                self.keyed or encoder.shapes.tables.keys(template) == (None,)
            ):
                continue
            for i, card in enumerate(alternative.cards):
                counts = tuple(ite(equal(card, face), count, 0) for face, count in enumerate(held))
                key = encoder.shapes.natural_key(template, card)
                meld = SymMeld(template, key, None, total(counts), (), counts, f"heap.{template}.{i}")
                fits = [*encoder.shapes.fits(meld), encoder.lawful_anywhere(meld)]
                case = Case(decl.name, self.me, templates={param.name: template})
                yield self._run(case, {param.name: meld}, [(decl.clause, and_(fits))])

    def _growths(self, decl: Any, alternative: Alternative) -> Iterator[Term]:
        """That the meld in detail may grow by a card of the alternative, by a growth as the lemma promises."""
        assert self.laid is not None, "there is a meld in detail"
        meld, encoder = self.laid.meld, self.steps.encoder
        laid, growing = decl.params
        if self.laid.slot not in self.steps.slots_of(laid, self.me):
            return
        zone = encoder.value(_zone(growing), Scope(self.position, self.me, env={laid.name: self.laid}))
        for i, card in enumerate(alternative.cards):
            promised: list[Term] = []
            for mode in encoder.shapes.modes(meld.template):
                growth, facts = encoder.shapes.growth(meld, mode, f"g.{mode}.{i}")
                facts += [equal(growth.card, card)]
                growth = replace(growth, card=card)
                laws = [term for _, term in encoder.laws(growth.result, Scope(self.position, self.me))]
                promised.append(and_([*facts, *laws, *self._promise(meld, growth.result, card)]))
                domain = [(decl.clause, and_([*facts, *laws, encoder.contains(zone, card)]))]
                case = Case(decl.name, self.me, {laid.name: (self.laid.slot, meld.template)}, {}, {growing.name: mode})
                yield self._run(case, {laid.name: self.laid, growing.name: growth}, domain)
            self.facts.append(implies(encoder.unknowns.room(meld, card) >= 1, or_(promised)))

    def _promise(self, meld: SymMeld, result: SymMeld, card: Term) -> Iterator[Term]:
        """What `growth_lemma` says of the result of a growth."""
        unknowns = self.steps.encoder.unknowns
        yield unknowns.room(result, card) >= unknowns.room(meld, card) - 1
        for asked in list(unknowns.grown_asked.values()):
            if asked.meld is meld:
                later = unknowns.grown(result, asked.key, asked.card, asked.count - 1, asked.args, asked.holds)
                reached = or_((asked.holds(result), later))
                yield implies(and_((equal(asked.card, card), asked.answer)), reached)


def prove_alive(referee: Referee, me: int, phase: int, keep: tuple[int, ...], timeout: float) -> list[Result]:
    """The verdict about one phase of a seat's turn."""
    clock = Clock()
    name = referee.ruleset.phases[phase]
    proved, by_growing = _prove(referee, me, phase, keep, timeout)
    if proved:
        shown = Result(GROUP, f"phase {name}", "", PROVED, clock.read())
        return [shown, growth_lemma(referee)] if by_growing else [shown]
    from biriba.verify.stuck import find_stuck

    found = find_stuck(referee, me, phase, keep, timeout)
    if found is not None:
        return [Result(GROUP, f"phase {name}", "", REFUTED, clock.read(), "no action is legal here", found)]
    return [Result(GROUP, f"phase {name}", "", UNKNOWN, clock.read(), "not provable; no dead end was found either")]


def _prove(referee: Referee, me: int, phase: int, keep: tuple[int, ...], timeout: float) -> tuple[bool, bool]:
    """Whether there is no dead end, and whether that rests on the lemma about growing."""
    by_growing = False

    @cache
    def plain(keyed: bool) -> _Phase:
        return _Phase(referee, me, phase, keep, None, keyed)

    for i, alternative in enumerate(plain(False).alternatives):
        if _impossible(plain(False), alternative, [], timeout):
            continue
        by_growing = True
        tries = product((False, True), _groups(alternative))
        if not any(_by_witness(referee, plain(keyed), i, group, keep, timeout) for keyed, group in tries):
            return False, by_growing
    return True, by_growing


def _groups(alternative: Alternative) -> Iterator[tuple[int, ...]]:
    """Groups of an alternative's questions, one of which some meld may answer: each alone, those of a kind, and all.

    Sums over the melds of several sides are of a kind, and so is what is asked of some meld of several sides.
    """
    every = range(len(alternative.questions))
    of_a_kind = (tuple(j for j in every if alternative.questions[j].kind == kind) for kind in ("sum", "some"))
    yield from dict.fromkeys(group for group in (*((j,) for j in every), *of_a_kind, tuple(every)) if group)


def _by_witness(
    referee: Referee, plain: _Phase, i: int, group: tuple[int, ...], keep: tuple[int, ...], timeout: float
) -> bool:
    """Whether an alternative is impossible without a legal action, with a meld in detail that a question is about.

    Args:
        group: some of the alternative's questions, one of which must be answered by some meld.
    """
    alternative = plain.alternatives[i]
    questions = [alternative.questions[j] for j in group]
    if not _impossible(plain, alternative, [_no(question) for question in questions], timeout):
        return False
    phase = plain.rules.phases.index(plain.phase)
    for j, question in zip(group, questions, strict=True):
        slot = next(
            s for s, zone in enumerate(plain.position.zones) if any(rest is question.rest for _, rest in rests_of(zone))
        )
        for template in plain.rules.templates:
            detailed = _Phase(referee, plain.me, phase, keep, (slot, template), plain.keyed)
            alternative = detailed.alternatives[i]
            assert detailed.laid is not None, "a meld was named"
            asked = alternative.questions[j]
            about = asked.of(detailed.laid.meld)
            there = and_((asked.counts, about if question.kind == "some" else about >= 1))
            if not _impossible(detailed, alternative, [there], timeout):
                return False
    return True


def _no(question: RestQuestion) -> Term:
    return not_(and_((question.counts, question.answer if question.kind == "some" else question.answer >= 1)))


def _impossible(phase: _Phase, alternative: Alternative, more: list[Term], timeout: float) -> bool:
    """Whether it cannot be that the alternative holds and none of the actions is legal."""
    legal = list(phase.legal(alternative))
    asked = Asked([*phase.facts, *alternative.terms, *more, *phase.steps.encoder.unknowns.facts], timeout)
    nothing = [not_(term) for term in legal]
    answer = asked.possible(*nothing)
    if answer == "yes":
        asked.tell(growing_facts(phase.steps.encoder))
        answer = asked.possible(*nothing)
    return answer == "no"


def _zone(param: Any) -> x.Node:
    assert param.zone is not None, "cards and growths come from a zone"
    node: x.Node = param.zone
    return node


# ---------------------------------------------------------------- the lemma about growing


MOST_MELDS = 200_000


def growth_lemma(referee: Referee) -> Result:
    """For every lawful meld and card: if there is room for the card, then some growth by it leaves room for

    all but one of the copies, and leads towards every goal that the rules ask of `grown` melds. This is
    checked for all lawful melds that the deck allows, with the interpreter's own growing.
    """
    clock, rules = Clock(), referee.ruleset
    questions = _goals_of_growing(referee)
    deck = tuple(face.index for face in rules.cards.faces for _ in range(face.copies))
    melds = referee.melds.among(deck)
    checked = 0
    if len(melds) > MOST_MELDS:
        return Result(GROUP, "lemma on growing", "", UNKNOWN, clock.read(), f"more than {MOST_MELDS} melds")
    holds = _Holding(Steps(rules), questions)
    for meld in melds:
        for card in dict.fromkeys(growth.card for growth in referee.melds.growths(meld)):
            checked += 1
            try:
                leads_on = _some_growth_leads_on(referee, holds, meld, card)
            except OfMore as reason:
                return Result(GROUP, "lemma on growing", "", UNKNOWN, clock.read(), str(reason.__doc__))
            if not leads_on:
                note = f"{meld} and {rules.cards.faces[card].symbol}"
                return Result(GROUP, "lemma on growing", "", UNKNOWN, clock.read(), f"it does not hold for {note}")
    note = f"checked for all {len(melds)} lawful melds, {checked} pairs of meld and card"
    return Result(GROUP, "lemma on growing", "", PROVED, clock.read(), note)


class OfMore(Exception):
    """What is asked of a grown meld depends on more than the meld."""


class _Holding:
    """Whether known melds have the properties that the rules ask of grown melds, remembered."""

    def __init__(self, steps: Steps, questions: list[GrownAsked]) -> None:
        self.steps, self.questions = steps, questions
        self._known: dict[Meld, tuple[bool, ...]] = {}

    def __call__(self, meld: Meld) -> tuple[bool, ...]:
        found = self._known.get(meld)
        if found is None:
            terms = [question.holds(constant(self.steps, meld)) for question in self.questions]
            if not all(known(term) for term in terms):
                raise OfMore
            found = self._known[meld] = tuple(map(bool, terms))
        return found


def _goals_of_growing(referee: Referee) -> list[GrownAsked]:
    """All that the rules ask of grown melds, each once."""
    found: dict[str, GrownAsked] = {}
    rules = referee.ruleset
    for template in rules.templates:
        steps = Steps(rules)
        slots = [s for s, (zone, _) in enumerate(steps.encoder.layout.zone_slots) if rules.zones[zone].kind == "melds"]
        position, _ = steps.position("l", 0, PROOF, {slot: [template] for slot in slots})
        for statement in (*rules.invariants, *rules.step_invariants):
            steps.holds(statement, position, position, 0)
        for asked in steps.encoder.unknowns.grown_asked.values():
            found.setdefault(str(asked.key), asked)
    return list(found.values())


def _some_growth_leads_on(referee: Referee, holds: _Holding, meld: Meld, card: int) -> bool:
    melds, copies = referee.melds, referee.ruleset.cards.faces[card].copies
    room = melds.room(meld, card)
    goals = range(len(holds.questions))
    reach = [_soonest(melds, holds, meld, card, copies, goal) for goal in goals]
    for growth in melds.growths(meld):
        if growth.card != card or melds.room(growth.result, card) < room - 1:
            continue
        after = holds(growth.result)
        if all(
            soonest is None
            or after[goal]
            or _no_later(_soonest(melds, holds, growth.result, card, copies, goal), soonest - 1)
            for goal, soonest in zip(goals, reach, strict=True)
        ):
            return True
    return False


def _no_later(found: int | None, limit: int) -> bool:
    return found is not None and found <= limit


def _soonest(melds: Any, holds: _Holding, meld: Meld, card: int, copies: int, goal: int) -> int | None:
    """By how many copies at least a meld must grow to reach a goal; None if it does not."""
    latest = [meld]
    for n in range(1, copies + 1):
        latest = list(dict.fromkeys(g.result for m in latest for g in melds.growths(m) if g.card == card))
        if any(holds(m)[goal] for m in latest):
            return n
    return None
