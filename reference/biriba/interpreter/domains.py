"""What the parameters of actions range over: all their values, and what is wrong with any other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from biriba.interpreter.evaluate import Evaluator
from biriba.interpreter.frame import Code, Env, Frame
from biriba.interpreter.sentences import Sentences
from biriba.model.position import Growth, LaidMeld, Meld
from biriba.model.pure import count_of
from biriba.model.ruleset import Action, ActionParam
from biriba.model.types import Type


class Rejection(NamedTuple):
    """A clause that an action violates, and what it says to that.

    Attributes:
        clause: the clause's id.
        sentence: its sentence, with the cards at hand.
    """

    clause: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.clause}: {self.sentence}"


_MISFITS = {
    None: "{card} does not fit in {meld}.",
    "low": "{card} does not fit at the low end of {meld}.",
    "high": "{card} does not fit at the high end of {meld}.",
}
_IMMOVABLE: dict[str | None, str] = {
    "low": "{card} cannot take the place of {moved} in {meld}, with {moved} moving to the low end.",
    "high": "{card} cannot take the place of {moved} in {meld}, with {moved} moving to the high end.",
}


class Domain:
    """What a parameter of an action ranges over."""

    def __init__(self, evaluator: Evaluator, action: Action, param: ActionParam, env: Env) -> None:
        self.evaluator, self.rules = evaluator, evaluator.rules
        self.action, self.param, self.env = action, param, env
        self.slot = env[param.name].slot
        self.sentences = Sentences(evaluator)

    def values(self, situation: Any, frame: Frame) -> Iterable[Any]:
        """All values, in canonical order."""
        raise NotImplementedError

    def well_formed(self, value: Any) -> bool:
        """Whether a value is of the right kind, so that conditions may be asked of it."""
        raise NotImplementedError

    def faults(self, situation: Any, frame: Frame, value: Any) -> list[Rejection]:
        """Why a value is not in the domain: no rejections if it is."""
        raise NotImplementedError

    def reject(self, phrase: str, **holes: object) -> list[Rejection]:
        """The rejection by the clause of the action itself."""
        said = self.sentences.say(phrase, action=self.action.name, **holes)
        return [Rejection(self.action.clause, said)]


class _FromZone(Domain):
    """A domain of things made of the cards of a zone."""

    def __init__(self, evaluator: Evaluator, action: Action, param: ActionParam, env: Env) -> None:
        super().__init__(evaluator, action, param, env)
        assert param.zone is not None
        self.zone = evaluator.compile(param.zone, env)
        self._zone_slot: Code = evaluator.slot_of(param.zone, env)
        self._one_zone = param.zone.index is not None or self.rules.zones[param.zone.name].owner is None

    def missing(self, situation: Any, frame: Frame, cards: Sequence[int]) -> list[Rejection]:
        """The rejection if the cards do not all lie in the zone."""
        held: Counter[int] = Counter(self.zone(situation, frame))
        wanted = Counter(cards)
        say, faces = self.sentences.say, self.rules.cards.faces
        lacking = [card for card in sorted(wanted) if held[card] < wanted[card]]
        if not lacking:
            return []
        missing = say(" and ").join(
            say("only {count} of {card}" if held[card] else "no {card}", count=held[card], card=faces[card].symbol)
            for card in lacking
        )
        name = self.sentences.zone(self._zone_slot(situation, frame)) if self._one_zone else self._called()
        several = held[lacking[0]] > 1
        phrase = "In {zone} there are {missing}." if several else "In {zone} there is {missing}."
        return self.reject(phrase, zone=name, missing=missing)

    def _called(self) -> str:
        assert self.param.zone is not None
        return self.sentences.name("zone", self.param.zone.name)

    def is_card(self, value: Any) -> bool:
        return isinstance(value, int) and 0 <= value < len(self.rules.cards.faces)


class CardDomain(_FromZone):
    """The faces of the cards in a zone."""

    def values(self, situation: Any, frame: Frame) -> Iterable[int]:
        return sorted(set(self.zone(situation, frame)))

    def well_formed(self, value: Any) -> bool:
        return self.is_card(value)

    def faults(self, situation: Any, frame: Frame, value: Any) -> list[Rejection]:
        if not self.is_card(value):
            return self.reject("The action {action} needs a card.")
        return self.missing(situation, frame, (value,))


class NewMeldDomain(_FromZone):
    """The lawful melds that can be made of the cards in a zone."""

    def values(self, situation: Any, frame: Frame) -> Iterable[Meld]:
        return self.evaluator.melds.among(self.zone(situation, frame))

    def well_formed(self, value: Any) -> bool:
        return isinstance(value, Meld) and all(map(self.is_card, value.cards)) and self.evaluator.melds.fits(value)

    def faults(self, situation: Any, frame: Frame, value: Any) -> list[Rejection]:
        if not isinstance(value, Meld) or not all(map(self.is_card, value.cards)):
            return self.reject("The action {action} needs the cards of a meld.")
        return self.missing(situation, frame, value.cards) + unlawful(self.evaluator, self.sentences, value)


class LaidMeldDomain(_FromZone):
    """The melds that lie in a zone."""

    def __init__(self, evaluator: Evaluator, action: Action, param: ActionParam, env: Env) -> None:
        super().__init__(evaluator, action, param, env)
        assert param.zone is not None
        self._slots = evaluator.slots(param.zone.name)

    def values(self, situation: Any, frame: Frame) -> Iterable[LaidMeld]:
        base = self._slots.start
        slots = (self._zone_slot(situation, frame),) if self._one_zone else self._slots
        return [LaidMeld(s, i, s - base, meld) for s in slots for i, meld in enumerate(situation.zones[s])]

    def well_formed(self, value: Any) -> bool:
        return isinstance(value, LaidMeld) and isinstance(value.meld, Meld) and self.evaluator.melds.fits(value.meld)

    def faults(self, situation: Any, frame: Frame, value: Any) -> list[Rejection]:
        if value in self.values(situation, frame):
            return []
        return self.reject("There is no such meld on the table.")


class GrowthDomain(_FromZone):
    """The ways in which a laid meld grows by a card of a zone."""

    def __init__(self, evaluator: Evaluator, action: Action, param: ActionParam, env: Env) -> None:
        super().__init__(evaluator, action, param, env)
        assert param.of is not None
        self._of = env[param.of].slot

    def values(self, situation: Any, frame: Frame) -> Iterable[Growth]:
        return self.evaluator.melds.growths_from(frame[self._of].meld, self.zone(situation, frame))

    def well_formed(self, value: Any) -> bool:
        return isinstance(value, Growth) and self.is_card(value.card) and isinstance(value.result, Meld)

    def faults(self, situation: Any, frame: Frame, value: Any) -> list[Rejection]:
        laid = frame[self._of]
        if not self.well_formed(value):
            return self.reject("The action {action} needs a card and where it goes.")
        if not isinstance(laid, LaidMeld):
            return []  # there is no meld to grow, and that has been said
        return self.missing(situation, frame, (value.card,)) + self._ungrowable(laid.meld, value)

    def _ungrowable(self, meld: Meld, growth: Growth) -> list[Rejection]:
        melds = self.evaluator.melds
        if growth in melds.growths(meld):
            return []
        if any(growth == possible for _, possible in melds.possible_growths(meld)):
            return unlawful(self.evaluator, self.sentences, growth.result)
        mode = "shift" if growth.moved is not None else "card" if meld.low is None else "end"
        for growing in self.rules.growings:
            if (growing.template, growing.mode) == (meld.template, mode):
                return [Rejection(growing.clause, self._does_not_fit(growing.clause, meld, growth))]
        named = self.sentences.name("template", meld.template)
        return self.reject("A {template} does not grow in this way.", template=named)

    def _does_not_fit(self, clause: str, meld: Meld, growth: Growth) -> str:
        """What is said of a card that cannot lie where it should: the clause's own words, if it has any."""
        if self.rules.clauses[clause].says is not None:
            return self.sentences.of(clause, None, self.evaluator.frame(0))
        faces, named = self.rules.cards.faces, self.sentences.text(Type("meld"), meld)
        holes = {"card": faces[growth.card].symbol, "meld": named}
        if growth.moved is None:
            return self.sentences.say(_MISFITS.get(growth.end, _MISFITS[None]), **holes)
        index = growth.moved - (meld.low or 0)
        if not 0 <= index < len(meld.cards):
            return self.sentences.say("There is no place for {card} in {meld}.", **holes)
        moved = faces[meld.cards[index]].symbol
        return self.sentences.say(_IMMOVABLE.get(growth.end, _IMMOVABLE["high"]), moved=moved, **holes)


class ValueDomain(Domain):
    """All values of a type."""

    def values(self, situation: Any, frame: Frame) -> Iterable[Any]:
        type_ = self.param.type
        found: list[int | bool | None]
        match type_.kind:
            case "bool":
                found = [False, True]
            case "option":
                found = list(range(len(self.rules.parameters[type_.detail or ""].options)))
            case _:
                found = list(range(count_of(self.rules, type_.kind)))
        return [*found, None] if type_.optional else found

    def well_formed(self, value: Any) -> bool:
        return value in self.values(None, [])

    def faults(self, situation: Any, frame: Frame, value: Any) -> list[Rejection]:
        return [] if self.well_formed(value) else self.reject("The action {action} has no such choice.")


class NumberDomain(Domain):
    """The numbers between two bounds."""

    def __init__(self, evaluator: Evaluator, action: Action, param: ActionParam, env: Env) -> None:
        super().__init__(evaluator, action, param, env)
        assert param.low is not None
        assert param.high is not None
        self._low, self._high = evaluator.compile(param.low, env), evaluator.compile(param.high, env)

    def values(self, situation: Any, frame: Frame) -> Iterable[int]:
        return range(self._low(situation, frame), self._high(situation, frame) + 1)

    def well_formed(self, value: Any) -> bool:
        return isinstance(value, int)

    def faults(self, situation: Any, frame: Frame, value: Any) -> list[Rejection]:
        if not self.well_formed(value):
            return self.reject("The action {action} needs a number.")
        low, high = self._low(situation, frame), self._high(situation, frame)
        if low <= value <= high:
            return []
        return self.reject("{value} is not between {low} and {high}.", value=value, low=low, high=high)


DOMAINS: dict[str, type[Domain]] = {
    "card": CardDomain,
    "new_meld": NewMeldDomain,
    "laid_meld": LaidMeldDomain,
    "growth": GrowthDomain,
    "value": ValueDomain,
    "number": NumberDomain,
}


def unlawful(evaluator: Evaluator, sentences: Sentences, meld: Meld) -> list[Rejection]:
    """Why cards are no lawful meld: their template's clause if they do not fit it, else the laws they break.

    Cards of which no template is stated, since they fit none, are refused by the clauses of all.
    """
    if not evaluator.melds.fits(meld):
        templates = evaluator.rules.templates.values()
        clauses = [t.clause for t in templates if meld.template in (t.name, "")]
        return [Rejection(clause, sentences.of(clause, None, evaluator.frame(0))) for clause in clauses]
    laws = evaluator.melds.laws
    return [
        Rejection(law.clause, sentences.of(law.clause, None, laws.frame_of(meld), laws.env_of(law)))
        for law in laws.broken(meld)
    ]
