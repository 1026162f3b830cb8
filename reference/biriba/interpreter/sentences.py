"""What is said to a player: the sentences of clauses, their holes filled in with what is at hand.

`biriba.notation` is imported only when something is to be said: judging alone does without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from biriba.interpreter.frame import Env, Frame
from biriba.model import expr as x
from biriba.model.position import Growth, LaidMeld, Meld
from biriba.model.ruleset import Counted, Prose
from biriba.model.types import Type

if TYPE_CHECKING:
    from biriba.interpreter.evaluate import Evaluator


Words = Callable[[str, str], str]
"""A text in the language that is spoken; before it, what kind of text it is, as in catalogues."""


def as_it_is(kind: str, text: str) -> str:
    """The words of the rules' own language."""
    return text


PHRASES = (
    "The deal is over: there is no {action} any more.",
    "It is the turn of {seat}, not of {other}.",
    "{action} belongs to the phase {phases} of a turn, and this is the phase {phase}.",
    "The action {action} takes {count} arguments.",
    "The action {action} needs a card.",
    "The action {action} needs the cards of a meld.",
    "The action {action} needs a card and where it goes.",
    "The action {action} needs a number.",
    "The action {action} has no such choice.",
    "{value} is not between {low} and {high}.",
    "no {card}",
    "only {count} of {card}",
    " and ",
    " or ",
    "In {zone} there is {missing}.",
    "In {zone} there are {missing}.",
    "There is no such meld on the table.",
    "A {template} does not grow in this way.",
    "{card} does not fit in {meld}.",
    "{card} does not fit at the low end of {meld}.",
    "{card} does not fit at the high end of {meld}.",
    "There is no place for {card} in {meld}.",
    "{card} cannot take the place of {moved} in {meld}, with {moved} moving to the low end.",
    "{card} cannot take the place of {moved} in {meld}, with {moved} moving to the high end.",
    "The deck has {count} of {card}, not {wanted}.",
    "no card",
)
"""What the interpreter says where no clause has words of its own: catalogues translate it."""


class Sentences:
    """Fills in the sentences of one rule set's clauses."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator

    def of(self, clause: str, situation: Any, frame: Frame, env: Env | None = None) -> str:
        """What a clause says of a situation.

        Args:
            env: where the variables are kept that its sentence may name. If it names others, because
                they are bound in another of its parts, the clause is quoted in general words.
        """
        env = env or {}
        found = self._evaluator.rules.clauses[clause]
        prose = found.says
        if prose is None or any(name not in env for hole in prose.expressions() for name in _free(hole)):
            prose = found.prose
        return self._filled(prose, situation, frame, env)

    def say(self, phrase: str, **holes: object) -> str:
        """One of `PHRASES`, in the language of the rules."""
        return self._evaluator.words("ui", phrase).format(**holes)

    def name(self, kind: str, name: str) -> str:
        """A name that the rules give to a phase, template or zone, in their language."""
        return self._evaluator.words(kind, name)

    def prose(self, clause: str) -> str:
        """What a clause says in general, the numbers of the game filled in."""
        return self._filled(self._evaluator.rules.clauses[clause].prose, None, self._evaluator.frame(0), {})

    def reason(self, clause: str) -> str | None:
        """Why a clause is a ruling, the numbers of the game filled in; None for one that a source states."""
        because = self._evaluator.rules.clauses[clause].because
        return None if because is None else self._filled(because, None, self._evaluator.frame(0), {})

    def _filled(self, prose: Prose, situation: Any, frame: Frame, env: Env) -> str:
        return "".join(
            part if isinstance(part, str) else self._hole(part, situation, frame, env) for part in prose.parts
        )

    def _hole(self, part: x.Node | Counted, situation: Any, frame: Frame, env: Env) -> str:
        node = part.number if isinstance(part, Counted) else part
        code = self._evaluator.compile(node, env)
        # Compiling may have given out new slots.
        value = code(situation, self._evaluator.widened(frame))
        text = self.text(node.type, value)
        return f"{text} {part.form(value)}" if isinstance(part, Counted) else text

    def text(self, type_: Type, value: Any) -> str:
        """A value as players write it."""
        from biriba import notation

        rules = self._evaluator.rules
        match value:
            case LaidMeld(meld=meld):
                return notation.format_meld(rules, meld)
            case Growth(result=meld):
                return notation.format_meld(rules, meld)
            case Meld():
                return notation.format_meld(rules, value)
            case tuple() | list():
                return " ".join(self.text(Type("card"), item) for item in value) or self.say("no card")
            case _:
                return notation.format_value(rules, type_, value)

    def zone(self, slot: int) -> str:
        """A zone as it is named to players: ``hand A``."""
        rules, (name, owner) = self._evaluator.rules, self._evaluator.layout.zone_slots[slot]
        decl = rules.zones[name]
        return f"{self.name('zone', name)} {rules.owners(decl.owner, decl.low, decl.high)[owner]}".rstrip()


def _free(node: x.Node) -> Iterator[str]:
    """The variables that an expression names and does not bind itself."""
    bound = {binder.var for part in node.walk() if isinstance(part, (x.Quantified, x.Fold)) for binder in part.binders}
    return (part.name for part in node.walk() if isinstance(part, x.Var) and part.name not in bound)
