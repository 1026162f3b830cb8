"""What a meld is follows from its cards: where several templates, keys or roles of a card could apply, one does.

All lawful melds that the deck allows are gone through: no cards are to make melds of two templates, or
of one with two keys. For each template it is said which cards are natural at a place where they could
stand for others too: there, being natural counts.
"""

from __future__ import annotations

from collections.abc import Iterator

from biriba import notation
from biriba.model.position import Meld
from biriba.model.pure import evaluate
from biriba.model.ruleset import Ruleset, Template
from biriba.model.shapes import Shapes
from biriba.verify.solving import Clock
from biriba.verify.verdicts import NOTED, PROVED, UNKNOWN, Result
from biriba.verify.witness import Referee

GROUP = "kinds of melds"
MOST_SUBSTITUTES = 2
"""With more in a meld, there are too many melds to go through."""
SHOWN = 4
"""How many cards are named of those with two roles."""


def prove_kinds(referee: Referee) -> list[Result]:
    """The verdicts about the templates of a rule set."""
    rules = referee.ruleset
    results = [_roles(rules, template) for template in rules.templates.values() if template.substitute is not None]
    return [*results, _apart(referee)] if rules.templates else []


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


def _apart(referee: Referee) -> Result:
    """That no cards make lawful melds of two templates, or of one template with two keys."""
    clock, rules = Clock(), referee.ruleset
    about = "one kind for the same cards"
    clause = next(iter(rules.templates.values())).clause
    wide = [name for name, template in rules.templates.items() if template.substitute is not None]
    if any(referee.melds.laws.limits(name).substitutes > MOST_SUBSTITUTES for name in wide):
        note = f"with more than {MOST_SUBSTITUTES} substitutes there are too many melds to go through"
        return Result(GROUP, clause, about, UNKNOWN, clock.read(), note)
    deck = tuple(face.index for face in rules.cards.faces for _ in range(face.copies))
    kinds: dict[tuple[int, ...], Meld] = {}
    melds = referee.melds.among(deck)
    for meld in melds:
        other = kinds.setdefault(tuple(sorted(meld.cards)), meld)
        if (meld.template, meld.key) != (other.template, other.key):
            shown = " and ".join(f"{m.template} {notation.format_meld(rules, m)}" for m in (other, meld))
            return Result(GROUP, clause, about, NOTED, clock.read(), f"both apply: {shown}")
    return Result(GROUP, clause, about, PROVED, clock.read(), f"gone through: all {len(melds)} lawful melds")
