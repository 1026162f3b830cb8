"""Two rule sets: that they agree on an action or a property, or the smallest position found in which they do not.

They agree on an action if in every position in which the invariants of both hold it is legal by both or by neither,
and if so leads to the same position (the order of piles below the top aside); on a definition if it says the same in
all these positions. On the invariants of a clause they agree if the same positions satisfy them, on the lines of the
score sheet if these give the same points. What only one of them has is left aside, and said to be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from biriba.model import expr as x
from biriba.model.ruleset import Ruleset, ScoreLine
from biriba.model.types import BOOL, Type, number
from biriba.verify.differences import Acting, Different, Question, Said, Saying, Smallest
from biriba.verify.shared import Incomparable, Shared
from biriba.verify.solving import Asked, Clock
from biriba.verify.steps import PROOF, Steps
from biriba.verify.symmetry import representatives
from biriba.verify.verdicts import NOTED, PROVED, UNKNOWN, Result, Witness
from biriba.verify.witness import Referee

GROUP = "the same by both"
ASIDE = "left aside"
CALLED = {
    "actions": "the action",
    "definitions": "the definition",
    "invariants": "the invariants of",
    "score": "the score by",
}
"""The parts that can be asked for, and how what is in them is called."""


@dataclass(frozen=True)
class Subject:
    """Something that two rule sets may agree on.

    Attributes:
        part: which of those in `CALLED` it belongs to.
        name: what it is called, the same in both.
        clause: the clause that it stands in.
        only: the rule set that alone has it, None if both do.
    """

    part: str
    name: str
    clause: str
    only: str | None


def subjects(a: Ruleset, b: Ruleset, names: frozenset[str] = frozenset()) -> list[Subject]:
    """All that two rule sets may agree on, or what is asked for of it: parts, actions, definitions, clauses.

    With a clause the actions are meant that hang on it too.
    """
    found = []
    for part, of in _SUBJECTS.items():
        one, other = of(a), of(b)
        for name in dict.fromkeys([*one, *other]):
            only = None if name in one and name in other else (a if name in one else b).name
            clause = one.get(name) or other[name]
            hooked = {c for rules in (a, b) if part == "actions" for c in _hooked(rules, name)}
            if not names or names & {part, name, clause, *hooked}:
                found.append(Subject(part, name, clause, only))
    return found


def known_names(a: Ruleset, b: Ruleset) -> list[str]:
    """All that can be asked for."""
    found: dict[str, None] = dict.fromkeys(CALLED)
    for subject in subjects(a, b):
        found |= dict.fromkeys((subject.name, subject.clause))
    for rules in (a, b):
        found |= dict.fromkeys(clause for action in rules.actions for clause in _hooked(rules, action))
    return list(found)


def _hooked(rules: Ruleset, action: str) -> Iterator[str]:
    """The clauses of the guards and consequences of an action."""
    yield from (guard.clause for guard in rules.guards if guard.action == action)
    yield from (consequence.clause for consequence in rules.consequences if consequence.action == action)


_SUBJECTS: dict[str, Callable[[Ruleset], dict[str, str]]] = {
    "actions": lambda r: {name: action.clause for name, action in r.actions.items()},
    "definitions": lambda r: {name: definition.clause for name, definition in r.definitions.items()},
    "invariants": lambda r: {s.clause: s.clause for s in (*r.invariants, *r.step_invariants)},
    "score": lambda r: {line.clause: line.clause for line in r.score},
}


def compare(
    a: Ruleset,
    b: Ruleset,
    timeout: float,
    told: Callable[[Result], None] | None = None,
    names: frozenset[str] = frozenset(),
) -> list[Result]:
    """Whether two rule sets agree, subject by subject; what is left aside comes first.

    Args:
        told: is told each result as it is found.
        names: what to speak of; empty for everything.
    """
    results: list[Result] = []

    def tell(result: Result) -> None:
        results.append(result)
        if told:
            told(result)

    try:
        shared = Shared(a, b)
    except Incomparable as reason:
        tell(Result(ASIDE, "", "everything", NOTED, 0.0, str(reason)))
        return results
    for note in shared.aside:
        tell(Result(ASIDE, "", "", NOTED, 0.0, note))
    both = Comparison(shared, timeout)
    for subject in subjects(a, b, names):
        tell(both.result(subject))
    return results


class Comparison:
    def __init__(self, shared: Shared, timeout: float) -> None:
        self.shared, self.timeout = shared, timeout
        a, b = shared.rules
        self.referees = (Referee(a), Referee(b))
        seats = set(representatives(a)) | {i for i, j in shared.seats if j in representatives(b)}
        self.seats = [(i, j) for i, j in shared.seats if i in seats]

    def result(self, subject: Subject) -> Result:
        """The verdict about one subject."""
        clock = Clock()

        def verdict(status: str, note: str = "", shown: Witness | None = None) -> Result:
            about = f"{CALLED[subject.part]} {subject.name}"
            return Result(GROUP, subject.clause, about, status, clock.read(), note, shown)

        if subject.only is not None:
            return verdict(NOTED, f"only {subject.only} has this")
        reason = self._unlike(subject)
        if reason:
            return verdict(NOTED, reason)
        unsettled = False
        for question in self.questions(subject):
            asked = question.ask(PROOF)
            if Asked(asked.facts, self.timeout).possible(asked.differ) == "no":
                continue
            found = self._smallest(question)
            if found is not None:
                return verdict(NOTED, f"{found.says} ({found.size} cards in hands and melds)", found.shown)
            unsettled = True
        if unsettled:
            return verdict(UNKNOWN, "not provable, and no position was found in which they differ")
        return verdict(PROVED)

    def _smallest(self, question: Question) -> Different | None:
        found = (Smallest(self.referees, question, melds, self.timeout).smallest() for melds in (0, 1))
        return next((different for different in found if different is not None), None)

    def _unlike(self, subject: Subject) -> str:
        """Why what has one name cannot be the same thing, if it cannot."""
        kinds: list[list[object]] = []
        for rules in self.shared.rules:
            if subject.part == "actions":
                kinds.append([(p.domain, p.type.kind) for p in rules.actions[subject.name].params])
            elif subject.part == "definitions":
                definition = rules.definitions[subject.name]
                types = (*(type_ for _, type_ in definition.params), definition.body.type)
                kinds.append([(t.kind, t.detail, t.optional) for t in types])
        same = not kinds or kinds[0] == kinds[1]
        return "" if same else "it takes other arguments, or says something of another kind"

    # ------------------------------------------------------------ questions

    def questions(self, subject: Subject) -> Iterator[Question]:
        rules = self.shared.rules
        match subject.part:
            case "actions":
                yield from self._of_action(subject.name)
            case "definitions":
                both = [r.definitions[subject.name] for r in rules]
                said = [Said(d.body, {name: i for i, (name, _) in enumerate(d.params)}) for d in both]
                yield from self._of_expressions(said, tuple(type_ for _, type_ in both[0].params))
            case "invariants":
                for group in ("invariants", "step_invariants"):
                    bodies = [[s.body for s in getattr(r, group) if s.clause == subject.clause] for r in rules]
                    if any(bodies):
                        said = [Said(x.And(type=BOOL, parts=tuple(parts)), {}) for parts in bodies]
                        yield from self._of_expressions(said, (), believed=False)
            case _:
                for kind in ("side", "meld"):
                    lines = [
                        [line for line in r.score if line.clause == subject.clause and line.type.kind == kind]
                        for r in rules
                    ]
                    if any(lines):
                        yield from self._of_expressions([_points(its) for its in lines], (Type(kind),))

    def _of_action(self, action: str) -> Iterator[Question]:
        seats = dict(self.seats)
        for case in Steps(self.shared.rules[0]).cases(action):
            other = self.shared.case(case)
            if case.me in seats and other is not None:
                yield Acting(self.shared, case, other)

    def _of_expressions(
        self, said: list[Said], types: tuple[Type, ...], *, believed: bool = True
    ) -> Iterator[Question]:
        one, other = said
        acts = any(_acts(rules, its.node) for rules, its in zip(self.shared.rules, said, strict=True))
        templates = [t for t in self.shared.templates if all(k.detail in (None, t) for k in types if k.kind == "meld")]
        for seats in self.seats if acts else self.seats[:1]:
            for template in templates if any(type_.kind == "meld" for type_ in types) else [""]:
                yield Saying(self.shared, (one, other), types, seats, template, believed)


def _points(lines: list[ScoreLine]) -> Said:
    """What lines of the score sheet give together."""
    total: x.Node = _NOTHING
    for line in lines:
        where: x.Node = line.where or x.Const(type=BOOL, value=True)
        if line.type.detail is not None:
            its = x.IsTemplate(type=BOOL, meld=x.Var(type=line.type, name=line.var), template=line.type.detail)
            where = x.And(type=BOOL, parts=(its, where))
        points = x.If(type=number(), condition=where, then=line.body, otherwise=_NOTHING)
        total = x.Arith(type=number(), op="+", left=total, right=points)
    return Said(total, {line.var: 0 for line in lines})


_NOTHING = x.Const(type=number(0, 0), value=0)


def _acts(rules: Ruleset, node: x.Node) -> bool:
    """Whether an expression depends on who acts."""
    for inner in node.walk():
        match inner:
            case x.Context(name="me" | "mine") | x.May() | x.Old():
                return True
            case x.Apply(definition=name) if _acts(rules, rules.definitions[name].body):
                return True
    return False
