"""The truth about what an encoding leaves open, wherever a model of the solver has it otherwise.

How far melds grow and what can be made of cards is asked of the interpreter, for the melds and cards of the model.
What it says is told to the solver as a lemma, which holds for more than the one model if it can.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from biriba.model.position import Meld
from biriba.verify.concrete import Reading
from biriba.verify.steps import Steps
from biriba.verify.symbols import MeldZone, SymMeld, SymPosition
from biriba.verify.terms import NONE, Term, and_, boolean, equal, implies, ite, known, lookup, or_, total
from biriba.verify.unknowns import DeadwoodAsked, GrownAsked, MadeAsked

if TYPE_CHECKING:
    from biriba.verify.witness import Referee


def truths(referee: Referee, steps: Steps, reading: Reading) -> Iterator[Term]:
    """Lemmas that a model contradicts."""
    melds, unknowns = referee.melds, steps.encoder.unknowns
    for asked in list(unknowns.rooms.values()):
        meld, card = reading.meld(asked.meld), reading.number(asked.card)
        if meld is not None and melds.fits(meld) and melds.room(meld, card) != reading.number(asked.answer):
            # Told of all cards at once, so that one is found for which the meld has room.
            rooms = [melds.room(meld, face.index) for face in referee.ruleset.cards.faces]
            yield implies(_is(asked.meld, reading), equal(asked.answer, lookup(rooms, asked.card)))
    for grown in list(unknowns.grown_asked.values()):
        yield from _of_growing(referee, steps, reading, grown)
    for made in list(unknowns.made_asked.values()):
        yield from _of_making(referee, steps, reading, made)
    for least in list(unknowns.deadwood_asked.values()):
        yield from _of_deadwood(referee, steps, reading, least)


def _of_growing(referee: Referee, steps: Steps, reading: Reading, asked: GrownAsked) -> Iterator[Term]:
    meld, card, count = reading.meld(asked.meld), reading.number(asked.card), reading.number(asked.count)
    if meld is None or not referee.melds.fits(meld):
        return
    holds = [asked.holds(constant(steps, grown)) for grown in referee.melds.grown(meld, card, count)]
    truth = or_(holds) if asked.kind == "some" else total(holds)
    if not _as_in(reading, asked.answer, truth):
        here = [_is(asked.meld, reading), equal(asked.card, card), equal(asked.count, count)]
        yield implies(and_(here), equal(asked.answer, truth))


def _of_making(referee: Referee, steps: Steps, reading: Reading, asked: MadeAsked) -> Iterator[Term]:
    """What can be made of the cards of the model. Of fewer cards no more can be made, and of more no less."""
    faces = referee.ruleset.cards.faces
    counts = [reading.number(count) for count in asked.counts]
    if any(count < 0 or count > face.copies for count, face in zip(counts, faces, strict=True)):
        return  # no position of the game
    cards = tuple(face for face, count in enumerate(counts) for _ in range(count))
    card = None if asked.card is None else reading.number(asked.card)
    melds = referee.melds.among(cards if card is None else (*cards, card))
    possible = [(meld, asked.holds(constant(steps, meld))) for meld in melds if card is None or card in meld.cards]
    possible = [(meld, holds) for meld, holds in possible if not known(holds) or holds]
    same_card = True if card is None else equal(asked.card, card)
    if asked.kind == "sum":
        truth = total(holds for _, holds in possible)
        if not _as_in(reading, asked.answer, truth):
            here = and_(equal(term, count) for term, count in zip(asked.counts, counts, strict=True))
            yield implies(and_((here, same_card)), equal(asked.answer, truth))
        return
    found = next((meld for meld, holds in possible if reading.truth(holds)), None)
    if (found is not None) == reading.truth(asked.answer):
        return
    if found is not None:
        known_meld = constant(steps, found)
        yield implies(and_((_available(asked, known_meld), asked.holds(known_meld))), asked.answer)
        return
    fewer = and_(term <= count for term, count in zip(asked.counts, counts, strict=True))
    makes = or_(and_((_available(asked, constant(steps, meld)), holds)) for meld, holds in possible)
    yield implies(and_((fewer, same_card, asked.answer)), makes)


def _of_deadwood(referee: Referee, steps: Steps, reading: Reading, asked: DeadwoodAsked) -> Iterator[Term]:
    """What is left of the cards of the model. Of fewer cards melds take no more points, and of more no less."""
    rules, unknowns = referee.rules, steps.encoder.unknowns
    counts, aside = [reading.number(count) for count in asked.counts], reading.number(asked.aside)
    cards = [face for face, count in enumerate(counts) for _ in range(count)]
    if aside or any(not 0 <= count <= most for count, most in zip(counts, unknowns.copies, strict=True)):
        return  # what is left when cards are set aside follows from what is left of fewer

    def taken(held: list[int]) -> int:
        return sum(unknowns.values[card] for card in held) - rules.deadwood(held)

    most = taken(cards)
    left, here = unknowns.worth(asked.counts) - most, reading.number(asked.answer)
    truth = rules.deadwood(cards)
    if here > truth:
        for card in list(cards):
            fewer = [*cards]
            fewer.remove(card)
            cards = fewer if taken(fewer) == most else cards
        yield implies(_held(asked, cards, at_least=True), asked.answer <= left)
    elif here < truth:
        for face, copies in enumerate(unknowns.copies):
            more = [*cards, *[face] * (copies - cards.count(face))]
            cards = more if taken(more) == most else cards
        yield implies(_held(asked, cards, at_least=False), asked.answer >= left)


def _held(asked: DeadwoodAsked, cards: list[int], *, at_least: bool) -> Term:
    """That nothing is set aside, and there are these cards at least, or at most."""
    counts = [(term, cards.count(face)) for face, term in enumerate(asked.counts)]
    terms = [term >= count if at_least else term <= count for term, count in counts if count or not at_least]
    return and_([*terms, equal(asked.aside, 0)])


def makings(steps: Steps) -> Iterator[Term]:
    """For each question about melds made of cards: if the answer is yes, that there is such a meld, told in detail."""
    encoder = steps.encoder
    for i, asked in enumerate(list(encoder.unknowns.made_asked.values())):
        if asked.kind != "some":
            continue
        ways = []
        for template in steps.rules.templates:
            meld = encoder.shapes.fresh(template, f"made{i}.{template}")
            shape = and_([*encoder.shapes.fits(meld), *encoder.shapes.counted(meld)])
            lawful = encoder.lawful_anywhere(meld)
            ways.append(
                and_((boolean(f"made{i}.{template}"), shape, lawful, _available(asked, meld), asked.holds(meld)))
            )
        yield implies(asked.answer, or_(ways))


def _available(asked: MadeAsked, meld: SymMeld) -> Term:
    """That a meld can be made of the cards, and has in it the one that it must."""
    if asked.card is None:
        return and_(there >= wanted for there, wanted in zip(asked.counts, meld.counts, strict=True))
    card = asked.card
    parts = []
    for face, (there, wanted) in enumerate(zip(asked.counts, meld.counts, strict=True)):
        is_it = equal(card, face)
        parts.append(there + ite(is_it, 1, 0) >= wanted)
        parts.append(implies(is_it, wanted >= 1))
    return and_(parts)


def _as_in(reading: Reading, answer: Term, truth: Term) -> bool:
    if isinstance(truth, bool) or (not known(truth) and truth.sort().name() == "Bool"):
        return reading.truth(answer) == reading.truth(truth)
    return reading.number(answer) == reading.number(truth)


def _is(meld: SymMeld, reading: Reading) -> Term:
    """That a meld is what it is in the model."""
    terms = [meld.key, meld.low, *meld.at] if meld.at else [meld.key, *meld.counts]
    return and_(equal(term, reading.number(term)) for term in terms if term is not None)


def links(steps: Steps, position: SymPosition) -> Iterator[Term]:
    """That the cards of all melds are counted place by place."""
    for zone in position.zones:
        if isinstance(zone, MeldZone):
            for there, meld in zone.melds:
                yield from (implies(there, fact) for fact in steps.encoder.shapes.counted(meld))


def constant(steps: Steps, meld: Meld) -> SymMeld:
    """A known meld as a symbolic one."""
    encoder = steps.encoder
    counts = tuple(meld.cards.count(face) for face in range(encoder.faces))
    at: tuple[Term, ...] = ()
    if meld.low is not None:
        places = [NONE] * encoder.shapes.places
        places[meld.low - 1 : meld.low - 1 + len(meld.cards)] = meld.cards
        at = tuple(places)
    return SymMeld(meld.template, meld.key, meld.low, len(meld.cards), at, counts, f"known.{meld}")
