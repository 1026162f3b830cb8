"""How groups grow: by any number of copies of a card they become one meld, so that nothing about it is left open.

Of sequences there are many ways to grow. What `room` and `grown` say of them is left to lemmas.
"""

from __future__ import annotations

from collections.abc import Iterator

from biriba.verify.encode import Encoder
from biriba.verify.symbols import SymMeld
from biriba.verify.terms import Term, and_, equal, ite, lookup, or_


def growing_facts(encoder: Encoder) -> Iterator[Term]:
    """What `room` and `grown` are for the groups in detail of which it was asked."""
    unknowns = encoder.unknowns
    most = max(unknowns.copies)
    for asked in list(unknowns.rooms.values()):
        if _grows(encoder, asked.meld):
            fits: list[Term] = []
            for n in range(1, most + 1):
                fits.append(_fits(encoder, asked.meld, asked.card, n))
                yield equal(asked.answer >= n, and_(fits))
    for question in list(unknowns.grown_asked.values()):
        if question.kind == "some" and _grows(encoder, question.meld):
            fits, reached = [], list[Term]()
            for n in range(1, most + 1):
                fits.append(_fits(encoder, question.meld, question.card, n))
                result = _grown(question.meld, question.card, n)
                reached.append(and_((*fits, question.count >= n, question.holds(result))))
            yield equal(question.answer, or_(reached))


def _grows(encoder: Encoder, meld: SymMeld) -> bool:
    return encoder.shapes.modes(meld.template) == ["card"]


def _grown(meld: SymMeld, card: Term, n: int) -> SymMeld:
    """A group with more copies of a card."""
    counts = tuple(count + ite(equal(card, face), n, 0) for face, count in enumerate(meld.counts))
    return SymMeld(meld.template, meld.key, None, meld.size + n, (), counts, f"{meld.name}+{n}")


def _fits(encoder: Encoder, meld: SymMeld, card: Term, n: int) -> Term:
    """That a group with more copies of a card is a lawful meld of its template, and that there are so many."""
    copies = lookup(encoder.unknowns.copies, card, 0)
    allowed = or_(and_((equal(card, face), encoder.shapes.allowed(meld, face, None))) for face in range(encoder.faces))
    return and_((copies >= n, allowed, encoder.lawful_anywhere(_grown(meld, card, n))))
