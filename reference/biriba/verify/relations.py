"""What is said of melds that are not told one by one, and follows from something else that is said of them.

Questions about a rest have unrelated answers at first. If every meld of which one thing is true has another property
too, then some meld of the rest has that one only if some meld has the other. This is shown for any meld of each
template, whenever a proof does not succeed without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from biriba.verify.encode import RestQuestion
from biriba.verify.solving import Asked
from biriba.verify.steps import Steps
from biriba.verify.terms import Term, implies, known, not_, or_

SECONDS = 1.0
"""The time for one pair of questions; what follows plainly takes much less."""


class Relations:
    """Finds which properties of melds follow from each other, each pair once."""

    def __init__(self, steps: Steps) -> None:
        self.steps = steps
        self._told: set[tuple[str, int, int]] = set()

    def about(self, new: Iterable[RestQuestion], before: Iterable[RestQuestion]) -> Iterator[Term]:
        """What connects new questions with earlier ones about the same melds, as far as they are about melds alone.

        One that was asked before is none of the new ones.
        """
        earlier = [question for question in before if _plain(question)]
        asked = {question.answer.get_id() for question in earlier}
        for question in new:
            for other in earlier if _plain(question) and question.answer.get_id() not in asked else ():
                if other.rest is question.rest:
                    yield from self._between(question, other)
                    yield from self._between(other, question)

    def _between(self, one: RestQuestion, other: RestQuestion) -> Iterator[Term]:
        pair = (one.rest.name, one.answer.get_id(), other.answer.get_id())
        if pair in self._told or pair[1] == pair[2]:
            return
        self._told.add(pair)
        if all(self._follows(template, one, other) for template in self.steps.rules.templates):
            yield implies(one.answer, other.answer)

    def of_some_templates(self, questions: Iterable[RestQuestion]) -> Iterator[Term]:
        """That what is asked of melds of some templates alone is true only if something else is.

        What else is any of the properties that depend on nothing but the meld as it lies, not on how it may grow.
        """
        unique = {question.answer.get_id(): question for question in questions if question.kind == "some"}
        still = [question for question in unique.values() if _plain(question) and not self._of_growing(question)]
        for question in unique.values():
            plain = [q for q in still if q.rest is question.rest]
            if _plain(question) or not plain or not self._of_some_templates(question):
                continue
            if all(self._follows(template, question, *plain) for template in self.steps.rules.templates):
                yield implies(question.answer, or_(q.answer for q in plain))

    def _of_growing(self, question: RestQuestion) -> bool:
        """Whether a question is how a meld may grow."""
        unknowns = self.steps.encoder.unknowns
        before = len(unknowns.rooms) + len(unknowns.grown_asked)
        for template in self.steps.rules.templates:
            question.of(self.steps.encoder.shapes.fresh(template, f"any.{question.answer}"))
        return len(unknowns.rooms) + len(unknowns.grown_asked) > before

    def _of_some_templates(self, question: RestQuestion) -> bool:
        return any(
            question.of(self.steps.encoder.shapes.fresh(template, "any")) is False
            for template in self.steps.rules.templates
        )

    def _follows(self, template: str, one: RestQuestion, *others: RestQuestion) -> bool:
        shapes, copies = self.steps.encoder.shapes, self.steps.encoder.unknowns.copies
        meld = shapes.fresh(template, "any")
        conclusion = implies(one.of(meld), or_(other.of(meld) for other in others))
        if known(conclusion):
            return bool(conclusion)
        deck = [count <= most for count, most in zip(meld.counts, copies, strict=True)]
        asked = Asked([*shapes.fits(meld), *shapes.counted(meld), *deck], SECONDS)
        return asked.possible(not_(conclusion)) == "no"


def _plain(question: RestQuestion) -> bool:
    """Whether a question is whether some meld has a property, which depends on nothing but the meld."""
    return question.kind == "some" and question.answer.num_args() == 0
