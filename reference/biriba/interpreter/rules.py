"""A rule set ready to play by: the entry to everything that the interpreter can do.

Positions and actions are values; nothing here changes them. `Game` and `Match` (from `Rules.deal`
and `Rules.match`) remember where a deal or a match stands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from biriba.interpreter.deal import Dealer, Seed
from biriba.interpreter.domains import Rejection, unlawful
from biriba.interpreter.evaluate import Evaluator
from biriba.interpreter.frame import Code, Local, Standing
from biriba.interpreter.invariants import Invariants
from biriba.interpreter.judge import Judge, Verdict
from biriba.interpreter.match import Match, MatchRules
from biriba.interpreter.score import Entry, Score, Scorer
from biriba.interpreter.sentences import Sentences, Words, as_it_is
from biriba.interpreter.specimens import Broken, broken_by_melds, specimens
from biriba.interpreter.view import Seen, View, Viewer
from biriba.model.position import Action, Layout, Meld, Position
from biriba.model.ruleset import OVER, Ruleset, Statement

if TYPE_CHECKING:
    from biriba.interpreter.game import Game


class Illegal(Exception):
    """An action that the rules do not allow. Nothing has changed.

    Attributes:
        rejections: every clause that it violates, with its sentence.
    """

    def __init__(self, rejections: tuple[Rejection, ...]) -> None:
        super().__init__("\n".join(map(str, rejections)))
        self.rejections = rejections

    @property
    def clauses(self) -> tuple[str, ...]:
        """The ids of the violated clauses."""
        return Verdict(None, self.rejections).clauses


@dataclass(frozen=True, slots=True)
class MeldVerdict:
    """What the rules say of a meld by itself.

    Attributes:
        meld: the meld.
        rejections: the laws that it breaks, or the clause of its template if its cards do not fit it;
            the clause of the deck if that has not so many copies.
        value: the points of its cards.
        bonus_lines: what it earns on the score sheet besides.
        properties: what the rules' own definitions about one meld say of it, by their names.
    """

    meld: Meld
    rejections: tuple[Rejection, ...]
    value: int
    bonus_lines: tuple[Entry, ...]
    properties: dict[str, bool | int]

    @property
    def lawful(self) -> bool:
        return not self.rejections

    @property
    def bonus(self) -> int:
        """The points of all bonus lines."""
        return sum(entry.points for entry in self.bonus_lines)


class Rules:
    """A compiled rule set that deals, judges, scores and shows positions.

    Attributes:
        ruleset: the rule set itself.
        layout: the slots of its zones and state variables.
        matches: what it says of matches.
        words: the language in which it speaks.
    """

    def __init__(self, ruleset: Ruleset, words: Words = as_it_is) -> None:
        self.ruleset, self.words = ruleset, words
        self._evaluator = Evaluator(ruleset, words)
        self.layout: Layout = self._evaluator.layout
        self._judge = Judge(self._evaluator)
        self._dealer = Dealer(self._evaluator)
        self._scorer = Scorer(self._evaluator)
        self.matches = MatchRules(self._evaluator)
        self._viewer = Viewer(ruleset, self.layout)
        self._sentences = Sentences(self._evaluator)
        self._defined: dict[str, tuple[tuple[Local, ...], Code]] = {}

    def __repr__(self) -> str:
        return f"<Rules {self.ruleset.name} {self.ruleset.version}>"

    # ------------------------------------------------------------ dealing

    def deal(
        self,
        seed: Seed | None = None,
        deck: Sequence[int | str] | None = None,
        dealer: int | str | None = None,
        standing: Standing | None = None,
    ) -> Game:
        """A new deal.

        Args:
            seed: for the order of the deck; equal seeds give equal decks on every machine.
            deck: the deck itself instead, faces or symbols, the first card being the first one dealt.
            dealer: who deals; by default the seat listed last.
            standing: how the match stands, for rules that ask.

        Raises:
            DealError: the deck is not that of the rules.

        Example:
            >>> import biriba
            >>> game = biriba.load("biriba").deal(seed=7)
            >>> [action.name for action in game.legal()]
            ['draw', 'take']
        """
        from biriba.interpreter.game import Game

        if (seed is None) == (deck is None):
            raise TypeError("a deal needs a seed or a deck, and not both")
        cards = self._dealer.shuffled(seed) if seed is not None else self._dealer.checked(deck or ())
        seat = len(self.ruleset.table.seats) - 1 if dealer is None else self.seat(dealer)
        return Game(self, cards, self.dealt(cards, seat, standing), standing)

    def dealt(self, deck: Sequence[int | str], dealer: int, standing: Standing | None = None) -> Position:
        """The first position of a deal with that deck.

        Raises:
            DealError: as for `deal`.
        """
        return self._dealer.deal(deck, dealer, standing)

    def shuffled(self, seed: Seed) -> tuple[int, ...]:
        """The deck in the order that a seed stands for."""
        return self._dealer.shuffled(seed)

    @cached_property
    def dealt_sizes(self) -> tuple[int, ...]:
        """How many cards, or melds, each zone has when a deal begins, by slot."""
        deck = [face.index for face in self.ruleset.cards.faces for _ in range(face.copies)]
        return tuple(len(zone) for zone in self.dealt(deck, len(self.ruleset.table.seats) - 1).zones)

    def match(self, seed: Seed) -> Match:
        """A new match; the seed decides who deals first and the order of every deck."""
        return Match(self, seed)

    def empty_table(self, dealer: int | str) -> Position:
        """The position before the cards are dealt, for questions about matches that need no last deal."""
        return self._dealer.empty(self.seat(dealer))

    # ------------------------------------------------------------ playing

    def legal(
        self, position: Position, standing: Standing | None = None, names: Collection[str] | None = None
    ) -> list[Action]:
        """All legal actions, in the order of the actions in the rules and then of their arguments.

        Args:
            names: the actions that are asked for; by default all.
        """
        return self._judge.legal(position, standing, names)

    def judge(
        self,
        position: Position,
        action: Action | str,
        seat: int | str | None = None,
        standing: Standing | None = None,
    ) -> Verdict:
        """The position that an action leads to, or every clause that it violates.

        Args:
            action: the action, or its text.
            seat: who wants to act; by default the seat whose turn it is.

        Raises:
            NotationError: the text is no action, or names something that is not there.
        """
        if isinstance(action, str):
            action = self.read(position, action)
        return self._judge.judge(position, action, None if seat is None else self.seat(seat), standing)

    def apply(
        self,
        position: Position,
        action: Action | str,
        seat: int | str | None = None,
        standing: Standing | None = None,
    ) -> Position:
        """The position that an action leads to.

        Raises:
            Illegal: the rules do not allow it.
            NotationError: as for `judge`.
        """
        verdict = self.judge(position, action, seat, standing)
        if verdict.position is None:
            raise Illegal(verdict.rejections)
        return verdict.position

    def read(self, position: Position, text: str) -> Action:
        """The action that a text means in a position, legal or not.

        Where a text could mean several melds it is taken to mean a lawful one.

        Raises:
            NotationError: the text is no action, or names something that is not there.
        """
        from biriba import notation

        stated = notation.parse_action(self.ruleset, text)
        return notation.resolve(self.ruleset, position, stated, self.lawful)

    def over(self, position: Position) -> bool:
        """Whether the deal has ended."""
        return position.phase == OVER

    def defined(self, position: Position, name: str, *args: object, standing: Standing | None = None) -> Any:
        """The value of one of the rules' own definitions, for the seat whose turn it is.

        Args:
            args: the arguments, as values of the model: indices, numbers, melds.

        Example:
            >>> import biriba
            >>> rules = biriba.load("biriba")
            >>> rules.defined(rules.deal(seed=7).position, "has_biriba", 0)
            False
        """
        if name not in self._defined:
            params = self.ruleset.definitions[name].params
            places = tuple(Local(self._evaluator.slot()) for _ in params)
            self._defined[name] = places, self._evaluator.definition(name, places)
        places, code = self._defined[name]
        frame = self._evaluator.frame(position.turn, standing)
        for place, arg in zip(places, args, strict=True):
            frame[place.slot] = arg
        return code(position, frame)

    # ------------------------------------------------------------ melds

    def lawful(self, meld: Meld) -> bool:
        """Whether the cards of a meld are in the deck, fit its template and break no law."""
        melds = self._evaluator.melds
        return melds.fits(meld) and melds.lawful(meld) and not melds.beyond_deck(meld.cards)

    def melds_among(self, cards: Sequence[int]) -> list[Meld]:
        """All lawful melds that can be made of some of the cards.

        Raises:
            ValueError: there are more copies of a card than the deck has.
        """
        for card in self._evaluator.melds.beyond_deck(cards):
            face = self.ruleset.cards.faces[card]
            raise ValueError(f"the deck has {face.copies} of {face.symbol}, not {cards.count(card)}")
        return self._evaluator.melds.among(tuple(sorted(cards)))

    def meld_layouts(self, cards: Sequence[int]) -> tuple[Meld, ...]:
        """All lawful melds that have exactly these cards, in whatever order they lie."""
        return tuple(self._evaluator.melds.layouts(cards))

    def deadwood(self, cards: Sequence[int], aside: int = 0) -> int:
        """The least points left of cards when so many are set aside and others make lawful melds."""
        return self._evaluator.melds.deadwood(tuple(sorted(cards)), aside)

    def judge_meld(self, meld: Meld, position: Position | None = None) -> MeldVerdict:
        """What the rules say of a meld as it lies.

        Args:
            position: where it lies, for bonuses that depend on that; by default on a table before the deal.
        """
        rejections = self._beyond_deck(meld) + unlawful(self._evaluator, self._sentences, meld)
        fits = self._evaluator.melds.fits(meld)
        return MeldVerdict(
            meld,
            tuple(rejections),
            self._scorer.value(meld),
            self._scorer.bonus(meld, position or self.empty_table(0)) if fits else (),
            self._properties(meld) if fits else {},
        )

    def _beyond_deck(self, meld: Meld) -> list[Rejection]:
        faces, clause = self.ruleset.cards.faces, self.ruleset.cards.clauses["deck"]
        return [
            Rejection(
                clause,
                self._sentences.say(
                    "The deck has {count} of {card}, not {wanted}.",
                    count=faces[card].copies,
                    card=faces[card].symbol,
                    wanted=meld.cards.count(card),
                ),
            )
            for card in self._evaluator.melds.beyond_deck(meld.cards)
        ]

    def _properties(self, meld: Meld) -> dict[str, bool | int]:
        table = self.empty_table(0)
        return {
            name: self.defined(table, name, meld)
            for name, template in self._meld_definitions
            if template in (None, meld.template)
        }

    @cached_property
    def _meld_definitions(self) -> list[tuple[str, str | None]]:
        """The definitions with one parameter, a meld, that look at nothing else and say yes, no or a number.

        Each comes with the template of its melds, None if they may be of any.
        """
        return [
            (definition.name, definition.params[0][1].detail)
            for definition in self.ruleset.definitions.values()
            if [type_.kind for _, type_ in definition.params] == ["meld"]
            and definition.body.type.kind in ("bool", "int")
            and self._evaluator.melds.laws.about_meld_alone(definition.body)
        ]

    # ------------------------------------------------------------ scoring

    def score(self, position: Position, standing: Standing | None = None) -> Score:
        """What each side scores if the deal ends in this position, line by line."""
        return self._scorer.score(position, standing)

    # ------------------------------------------------------------ views

    def view(self, position: Position, seat: int | str | None = None) -> View:
        """What a seat sees of a position; None is a spectator."""
        return self._viewer.view(position, None if seat is None else self.seat(seat))

    def seen(self, before: Position, action: Action, after: Position, seat: int | str | None = None) -> Seen:
        """What a seat sees of a step that led from one position to the next."""
        return self._viewer.step(before, action, after, None if seat is None else self.seat(seat))

    # ------------------------------------------------------------ what must hold

    def violated_invariants(self, position: Position, before: Position | None = None) -> list[str]:
        """The clauses of the invariants that do not hold.

        Args:
            before: the position before the step that led here, for the invariants of steps.
        """
        return self._invariants.violated(position, before)

    def violated_after_deal(self, position: Position) -> list[str]:
        """The clauses of what should hold right after a deal, and does not."""
        statements = self._compiled(self.ruleset.after_deal)
        return self._failing(statements, position, self._evaluator.frame(position.turn))

    def specimens(self) -> Iterator[Meld]:
        """Lawful melds of every template and key, on all places, of every size and with every number of substitutes."""
        return specimens(self._evaluator)

    def broken_by_melds(self, sound: Ruleset | None = None) -> list[Broken]:
        """The invariants about each meld by itself that some lawful meld breaks, with one that does.

        Args:
            sound: a rule set in which none breaks one; what is the same as there is not asked again.
        """
        return broken_by_melds(self._evaluator, self.empty_table(0), sound)

    def false_facts(self) -> list[str]:
        """The clauses whose facts about the cards are not true."""
        return self._failing(self._compiled(self.ruleset.facts), None, self._evaluator.frame(0))

    @cached_property
    def _invariants(self) -> Invariants:
        return Invariants(self._evaluator)

    def _compiled(self, statements: Sequence[Statement]) -> list[tuple[str, Code]]:
        return [(statement.clause, self._evaluator.compile(statement.body)) for statement in statements]

    def _failing(self, statements: list[tuple[str, Code]], position: Position | None, frame: list[object]) -> list[str]:
        return [clause for clause, holds in statements if not holds(position, frame)]

    # ------------------------------------------------------------ names

    def sentence(self, clause: str) -> str:
        """What a clause says in general, the numbers of the game filled in."""
        return self._sentences.prose(clause)

    def reason(self, clause: str) -> str | None:
        """Why a clause is a ruling, the numbers of the game filled in; None for one that a source states."""
        return self._sentences.reason(clause)

    def seat(self, seat: int | str) -> int:
        """The index of a seat given by its name.

        Raises:
            ValueError: there is no such seat.
        """
        seats = self.ruleset.table.seats
        if isinstance(seat, str) and seat in seats:
            return seats.index(seat)
        if isinstance(seat, int) and 0 <= seat < len(seats):
            return seat
        raise ValueError(f"there is no seat {seat!r}; there are: {', '.join(seats)}")
