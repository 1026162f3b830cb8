"""What the page asks: each question is a function from a JSON object to a JSON object."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from biriba import notation
from biriba.interpreter.deal import DealError
from biriba.interpreter.domains import Rejection
from biriba.interpreter.frame import Standing
from biriba.interpreter.rules import Illegal, MeldVerdict, Rules
from biriba.model.position import Meld, Position
from biriba.model.ruleset import Ruleset
from biriba.notation import NotationError
from biriba.notation.given import parse_given
from biriba.prose.cards import Shown, Speech, card_sign, fan, meld_cards
from biriba.prose.catalogue import BASE, LANGUAGES, Catalogue, load
from biriba.prose.html import row_html
from biriba.prose.sentences import plain
from biriba.prose.strips import position_rows
from biriba.web.words import WORDS

Json = dict[str, Any]
MOST_ACTIONS = 400
"""So many legal actions are listed; of more the page tells the number."""
MOST_STEPS = 5000


class BadQuestion(Exception):
    """A question that cannot be answered; the message is for the user."""


@dataclass(frozen=True, slots=True)
class Told:
    """A question: what was asked about, with the rules and the language that it names."""

    told: Json
    rules: Rules
    catalogue: Catalogue
    speech: Speech

    def text(self, name: str) -> str:
        value = self.told.get(name)
        if not isinstance(value, str) or not value.strip():
            raise BadQuestion(f"'{name}' is missing")
        return value


class Api:
    """The questions about some rule sets, answered in the language in which they are asked."""

    def __init__(self, names: tuple[str, ...], ruleset: Callable[[str], Ruleset]) -> None:
        self._names = names
        self._ruleset = ruleset
        self._catalogues: dict[str, Catalogue] = {}
        self._rules: dict[tuple[str, str], Rules] = {}
        self.questions: dict[str, Callable[[Told], Json]] = {
            "rules": self.about,
            "deal": self.deal,
            "position": self.position,
            "act": self.act,
            "meld": self.meld,
            "record": self.record,
        }

    def ask(self, question: str, told: Json) -> Json:
        """The answer to a question.

        Raises:
            BadQuestion: what is told is not of the form that the question needs.
        """
        found = self.questions.get(question)
        if found is None:
            raise BadQuestion(f"there is no question '{question}'")
        try:
            return found(self.told(told))
        except (NotationError, DealError) as error:
            raise BadQuestion(str(error)) from None
        except RecursionError:
            raise BadQuestion("the input is nested too deep") from None

    def told(self, told: Json) -> Told:
        """A question with what its names stand for; in a language that is not spoken here it is answered in English."""
        name, language = told.get("rules") or self._names[0], told.get("language")
        if name not in self._names:
            raise BadQuestion(f"there is no rule set '{name}' here: there are {', '.join(self._names)}")
        language = language if isinstance(language, str) and language in LANGUAGES else BASE
        if language not in self._catalogues:
            self._catalogues[language] = load(language)
        catalogue = self._catalogues[language]
        if (name, language) not in self._rules:
            self._rules[name, language] = catalogue.spoken(self._ruleset(name))
        rules = self._rules[name, language]
        return Told(told, rules, catalogue, catalogue.speech(rules.ruleset))

    # ------------------------------------------------------------ questions

    def about(self, asked: Told) -> Json:
        """The rule set: its cards as pictures, what it is called, and the words of the page."""
        ruleset, catalogue = asked.rules.ruleset, asked.catalogue
        cards = [
            {
                "symbol": face.symbol,
                "name": asked.speech.card(face),
                "sign": card_sign(ruleset, face),
                "copies": face.copies,
                "html": fan(ruleset, (Shown(face.index),), speech=asked.speech),
                "group": len(ruleset.cards.suits) if face.suit is None else face.suit,
            }
            for face in ruleset.cards.faces
        ]
        clauses = {id_: plain(ruleset, clause.prose) for id_, clause in ruleset.clauses.items()}
        return {
            "all": list(self._names),
            "name": ruleset.name,
            "title": catalogue.marked("title", ruleset.title),
            "version": ruleset.version,
            "language": catalogue.language,
            "languages": LANGUAGES,
            "words": {word: catalogue.label(word) for word in WORDS},
            "cards": cards,
            "clauses": clauses,
        }

    def deal(self, asked: Told) -> Json:
        """A new deal from a seed."""
        return self._position(asked, asked.rules.deal(seed=str(asked.told.get("seed", "1"))[:100]).position)

    def position(self, asked: Told) -> Json:
        """A position, stated in whole or in part."""
        return self._position(asked, self._read(asked))

    def act(self, asked: Told) -> Json:
        """Whether an action is legal in a position: where it leads, or why not."""
        rules, position = asked.rules, self._read(asked)
        verdict = rules.judge(position, rules.read(position, asked.text("action")))
        if verdict.position is None:
            return {"legal": False, "reasons": _reasons(verdict.rejections)}
        return {"legal": True, "position": self._position(asked, verdict.position)}

    def meld(self, asked: Told) -> Json:
        """What can be made of cards: in their order, and in any order."""
        rules = asked.rules
        stated = notation.parse_meld_text(rules.ruleset, asked.text("cards"))
        melds = {meld: rules.judge_meld(meld) for meld in notation.readings(rules.ruleset, stated)}
        for meld in rules.meld_layouts(stated.cards):
            melds.setdefault(meld, rules.judge_meld(meld))
        if not melds:
            shapeless = rules.judge_meld(Meld("", None, None, stated.cards))
            return {"melds": [], "reasons": _reasons(shapeless.rejections)}
        found = sorted(melds.values(), key=lambda verdict: not verdict.lawful)
        return {"melds": [_meld(asked, verdict) for verdict in found], "reasons": []}

    def record(self, asked: Told) -> Json:
        """A recorded game, step by step, up to the first action that is not legal."""
        rules, text = asked.rules, asked.text("text")
        record = notation.parse_record(rules.ruleset, text)
        steps: list[Json] = []
        standing = Standing(totals=(0,) * len(rules.ruleset.table.sides), deals=0)
        for number, deal in enumerate(record.deals, 1):
            position = rules.dealt(deal.deck, deal.dealer, standing)
            begun = asked.catalogue.label("deal {number}").format(number=number)
            steps.append(self._step(rules, begun, position))
            for move in deal.moves:
                action = notation.resolve(rules.ruleset, position, move.action, rules.lawful)
                text = f"{rules.ruleset.table.seats[move.seat]} {notation.format_action(rules.ruleset, action)}"
                try:
                    position = rules.apply(position, action, move.seat, standing)
                except Illegal as error:
                    return {"steps": steps, "illegal": text, "reasons": _reasons(error.rejections)}
                steps.append(self._step(rules, text, position))
                if len(steps) > MOST_STEPS:
                    raise BadQuestion(f"the record has more than {MOST_STEPS} steps")
            totals = rules.score(position, standing).totals
            standing = Standing(
                totals=tuple(a + b for a, b in zip(standing.totals, totals, strict=True)), deals=standing.deals + 1
            )
        return {"steps": steps, "illegal": None, "reasons": []}

    # ------------------------------------------------------------ pieces of answers

    def _read(self, asked: Told) -> Position:
        rules, text = asked.rules, asked.text("position")
        try:
            return notation.parse_position(rules.ruleset, text)
        except NotationError:
            return parse_given(rules.ruleset, text, rules.dealt_sizes)

    def _step(self, rules: Rules, text: str, position: Position) -> Json:
        return {"text": text, "position": notation.format_position(rules.ruleset, position)}

    def _position(self, asked: Told, position: Position) -> Json:
        rules, ruleset, name = asked.rules, asked.rules.ruleset, asked.catalogue.name
        legal = [notation.format_action(ruleset, action) for action in rules.legal(position)]
        rows = position_rows(rules, position, range(len(position.zones)))
        score = rules.score(position)
        sheet = [
            {
                "side": side,
                "total": score.totals[i],
                "lines": [
                    {"label": name("score", e.label), "points": e.points, "clause": e.clause}
                    for e in score.lines(i)
                    if e.points
                ],
            }
            for i, side in enumerate(ruleset.table.sides)
        ]
        return {
            "text": notation.format_position(ruleset, position),
            "over": rules.over(position),
            "turn": ruleset.table.seats[position.turn],
            "phase": name("phase", position.phase),
            "zones": "".join(row_html(ruleset, row, asked.speech) for row in rows),
            "legal": legal[:MOST_ACTIONS],
            "legal_count": len(legal),
            "score": sheet,
        }


def _meld(asked: Told, verdict: MeldVerdict) -> Json:
    ruleset, meld, catalogue = asked.rules.ruleset, verdict.meld, asked.catalogue
    properties = {
        catalogue.name("property", name.replace("_", " ")): (
            catalogue.label("yes" if value else "no") if isinstance(value, bool) else value
        )
        for name, value in verdict.properties.items()
    }
    return {
        "text": notation.format_meld(ruleset, meld),
        "template": catalogue.name("template", meld.template),
        "html": fan(ruleset, meld_cards(ruleset, meld), speech=asked.speech),
        "lawful": verdict.lawful,
        "reasons": _reasons(verdict.rejections),
        "value": verdict.value,
        "bonus": verdict.bonus,
        "properties": properties,
    }


def _reasons(rejections: Iterable[Rejection]) -> list[Json]:
    return [{"clause": r.clause, "sentence": r.sentence} for r in dict.fromkeys(rejections)]
