"""What the page asks: each question is a function from a JSON object to a JSON object."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from biriba import notation
from biriba.interpreter.deal import DealError
from biriba.interpreter.domains import Rejection
from biriba.interpreter.frame import Standing
from biriba.interpreter.rules import Illegal, MeldVerdict, Rules
from biriba.model.position import Meld, Position
from biriba.notation import NotationError
from biriba.notation.given import parse_given
from biriba.prose.cards import Shown, card_sign, fan, meld_cards
from biriba.prose.html import row_html
from biriba.prose.sentences import plain
from biriba.prose.strips import position_rows

Json = dict[str, Any]
MOST_ACTIONS = 400
"""So many legal actions are listed; of more the page tells the number."""
MOST_STEPS = 5000


class BadQuestion(Exception):
    """A question that cannot be answered; the message is for the user."""


class Api:
    """The questions about some rule sets."""

    def __init__(self, names: tuple[str, ...], load: Callable[[str], Rules]) -> None:
        self._names = names
        self._load = load
        self._rules: dict[str, Rules] = {}
        self.questions: dict[str, Callable[[Json], Json]] = {
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
            return found(told)
        except (NotationError, DealError) as error:
            raise BadQuestion(str(error)) from None
        except RecursionError:
            raise BadQuestion("the input is nested too deep") from None

    def rules(self, told: Json) -> Rules:
        name = told.get("rules") or self._names[0]
        if name not in self._names:
            raise BadQuestion(f"there is no rule set '{name}' here: there are {', '.join(self._names)}")
        if name not in self._rules:
            self._rules[name] = self._load(name)
        return self._rules[name]

    # ------------------------------------------------------------ questions

    def about(self, told: Json) -> Json:
        """The rule set: its cards as pictures, and what it is called."""
        rules = self.rules(told)
        ruleset = rules.ruleset
        cards = [
            {
                "symbol": face.symbol,
                "name": face.name,
                "sign": card_sign(ruleset, face),
                "copies": face.copies,
                "html": fan(ruleset, (Shown(face.index),)),
                "group": len(ruleset.cards.suits) if face.suit is None else face.suit,
            }
            for face in ruleset.cards.faces
        ]
        clauses = {id_: plain(ruleset, clause.prose) for id_, clause in ruleset.clauses.items()}
        return {
            "all": list(self._names),
            "name": ruleset.name,
            "title": ruleset.title,
            "version": ruleset.version,
            "cards": cards,
            "clauses": clauses,
        }

    def deal(self, told: Json) -> Json:
        """A new deal from a seed."""
        rules = self.rules(told)
        return self._position(rules, rules.deal(seed=str(told.get("seed", "1"))[:100]).position)

    def position(self, told: Json) -> Json:
        """A position, stated in whole or in part."""
        rules = self.rules(told)
        return self._position(rules, self._read(rules, told))

    def act(self, told: Json) -> Json:
        """Whether an action is legal in a position: where it leads, or why not."""
        rules = self.rules(told)
        position = self._read(rules, told)
        verdict = rules.judge(position, rules.read(position, _text(told, "action")))
        if verdict.position is None:
            return {"legal": False, "reasons": _reasons(verdict.rejections)}
        return {"legal": True, "position": self._position(rules, verdict.position)}

    def meld(self, told: Json) -> Json:
        """What can be made of cards: in their order, and in any order."""
        rules = self.rules(told)
        text = _text(told, "cards")
        stated = notation.parse_meld_text(rules.ruleset, text)
        melds = {meld: rules.judge_meld(meld) for meld in notation.readings(rules.ruleset, stated)}
        for meld in rules.meld_layouts(stated.cards):
            melds.setdefault(meld, rules.judge_meld(meld))
        if not melds:
            shapeless = rules.judge_meld(Meld("", None, None, stated.cards))
            return {"melds": [], "reasons": _reasons(shapeless.rejections)}
        found = sorted(melds.values(), key=lambda verdict: not verdict.lawful)
        return {"melds": [_meld(rules, verdict) for verdict in found], "reasons": []}

    def record(self, told: Json) -> Json:
        """A recorded game, step by step, up to the first action that is not legal."""
        rules = self.rules(told)
        record = notation.parse_record(rules.ruleset, _text(told, "text"))
        steps: list[Json] = []
        standing = Standing(totals=(0,) * len(rules.ruleset.table.sides), deals=0)
        for number, deal in enumerate(record.deals, 1):
            position = rules.dealt(deal.deck, deal.dealer, standing)
            steps.append(self._step(rules, f"deal {number}", position))
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

    def _read(self, rules: Rules, told: Json) -> Position:
        text = _text(told, "position")
        try:
            return notation.parse_position(rules.ruleset, text)
        except NotationError:
            return parse_given(rules.ruleset, text, rules.dealt_sizes)

    def _step(self, rules: Rules, text: str, position: Position) -> Json:
        return {"text": text, "position": notation.format_position(rules.ruleset, position)}

    def _position(self, rules: Rules, position: Position) -> Json:
        ruleset = rules.ruleset
        legal = [notation.format_action(ruleset, action) for action in rules.legal(position)]
        rows = position_rows(rules, position, range(len(position.zones)))
        score = rules.score(position)
        sheet = [
            {
                "side": side,
                "total": score.totals[i],
                "lines": [
                    {"label": e.label, "points": e.points, "clause": e.clause} for e in score.lines(i) if e.points
                ],
            }
            for i, side in enumerate(ruleset.table.sides)
        ]
        return {
            "text": notation.format_position(ruleset, position),
            "over": rules.over(position),
            "turn": ruleset.table.seats[position.turn],
            "phase": position.phase,
            "zones": "".join(row_html(ruleset, row) for row in rows),
            "legal": legal[:MOST_ACTIONS],
            "legal_count": len(legal),
            "score": sheet,
        }


def _meld(rules: Rules, verdict: MeldVerdict) -> Json:
    ruleset, meld = rules.ruleset, verdict.meld
    properties = {
        name.replace("_", " "): ("yes" if value else "no") if isinstance(value, bool) else value
        for name, value in verdict.properties.items()
    }
    return {
        "text": notation.format_meld(ruleset, meld),
        "template": meld.template,
        "html": fan(ruleset, meld_cards(ruleset, meld)),
        "lawful": verdict.lawful,
        "reasons": _reasons(verdict.rejections),
        "value": verdict.value,
        "bonus": verdict.bonus,
        "properties": properties,
    }


def _reasons(rejections: Iterable[Rejection]) -> list[Json]:
    return [{"clause": r.clause, "sentence": r.sentence} for r in dict.fromkeys(rejections)]


def _text(told: Json, name: str) -> str:
    value = told.get(name)
    if not isinstance(value, str) or not value.strip():
        raise BadQuestion(f"'{name}' is missing")
    return value
