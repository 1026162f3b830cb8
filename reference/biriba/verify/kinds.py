"""What a meld is follows from its cards: where several templates, keys or roles of a card could apply, one does.

No cards are to make lawful melds of two templates, or of one with two keys. For each template it is said which
cards are natural at a place where they could stand for others too: there, being natural counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from biriba import notation
from biriba.model.position import Meld
from biriba.model.pure import evaluate
from biriba.model.ruleset import Ruleset, Template
from biriba.model.shapes import Shapes
from biriba.verify.concrete import Reading
from biriba.verify.solving import Asked, Clock
from biriba.verify.steps import Steps
from biriba.verify.symbols import SymMeld
from biriba.verify.terms import Term
from biriba.verify.verdicts import NOTED, PROVED, UNKNOWN, Result
from biriba.verify.witness import Referee

GROUP = "kinds of melds"
SHOWN = 4
"""How many cards are named of those with two roles."""


def prove_kinds(referee: Referee, timeout: float) -> list[Result]:
    """The verdicts about the templates of a rule set."""
    rules = referee.ruleset
    results = [_roles(rules, template) for template in rules.templates.values() if template.substitute is not None]
    return [*results, _apart(referee, timeout)] if rules.templates else []


# ---------------------------------------------------------------- natural or substitute


def _roles(rules: Ruleset, template: Template) -> Result:
    clock = Clock()
    both = list(_both(rules, template))
    about = f"{template.name}: natural or substitute"
    if not both:
        return Result(GROUP, template.clause, about, PROVED, clock.read(), "no card is both")
    more = f" and {len(both) - SHOWN} more" if len(both) > SHOWN else ""
    note = f"both apply, natural counts: {', '.join(both[:SHOWN])}{more}"
    return Result(GROUP, template.clause, about, NOTED, clock.read(), note)


def _both(rules: Ruleset, template: Template) -> Iterator[str]:
    """The cards that are natural where they could be substitutes, in words."""
    shapes = Shapes(rules)
    places = range(1, shapes.places + 1) if template.layout == "sequence" else (None,)
    for key in shapes.keys(template.name):
        for place in places:
            for face in sorted(shapes.fitting(template.name, key, place).natural):
                names: dict[str, int | bool | None] = {template.card: face}
                if template.key is not None:
                    names[template.key] = key
                if template.place is not None:
                    names[template.place] = place
                if template.substitute is not None and evaluate(rules, template.substitute, names):
                    where = "" if place is None else f" at place {place}"
                    yield f"{rules.cards.faces[face].symbol}{where}"


# ---------------------------------------------------------------- one kind, one key


def _apart(referee: Referee, timeout: float) -> Result:
    """That no cards make lawful melds of two templates, or of one template with two keys."""
    clock, rules = Clock(), referee.ruleset
    about = "one kind for the same cards"
    clause = next(iter(rules.templates.values())).clause
    steps, status = Steps(rules), PROVED
    for answer, melds, model in _both_kinds(steps, timeout):
        if model is not None:
            read = Reading(rules, steps.encoder.shapes.tables, model)
            shown = " and ".join(_named(rules, read.meld(meld)) for meld in melds)
            return Result(GROUP, clause, about, NOTED, clock.read(), f"both apply: {shown}")
        if answer != "no":
            status = UNKNOWN
    note = "for all cards of the deck" if status == PROVED else "no answer within the time limit"
    return Result(GROUP, clause, about, status, clock.read(), note)


def _both_kinds(steps: Steps, timeout: float) -> Iterator[tuple[str, tuple[SymMeld, SymMeld], Any | None]]:
    """For each two kinds, a template and a key each: whether some cards are both, the melds, and a model.

    With the keys known, questions are many and small.
    """
    rules, shapes = steps.rules, steps.encoder.shapes
    kinds = [(name, key) for name in rules.templates for key in shapes.tables.keys(name)]
    for i, (name, key) in enumerate(kinds):
        one = replace(shapes.fresh(name, "one"), key=key)
        deck = [one.counts[face.index] <= face.copies for face in rules.cards.faces]
        asked = Asked([*deck, *_is_meld(steps, one)], timeout)
        for other_name, other_key in kinds[i + 1 :]:
            fresh = shapes.fresh(other_name, "other")
            other = replace(fresh, key=other_key, counts=one.counts, size=one.size)
            its = list(_is_meld(steps, other))
            answer = asked.possible(*its)
            yield answer, (one, other), asked.model(*its) if answer == "yes" else None


def _is_meld(steps: Steps, meld: SymMeld) -> Iterator[Term]:
    """That a meld is one and keeps every law."""
    shapes = steps.encoder.shapes
    yield from (*shapes.fits(meld), *shapes.counted(meld), *shapes.held(meld), steps.encoder.lawful_anywhere(meld))


def _named(rules: Ruleset, meld: Meld | None) -> str:
    assert meld is not None, "a meld of a model has cards"
    return f"{meld.template} {notation.format_meld(rules, meld)}"
