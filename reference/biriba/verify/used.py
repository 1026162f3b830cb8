"""Effects that take effect: each is shown at work in some step, or proved to be without use.

What happens in play is noted while some deals are played. For what does not happen there, a position
and an action are looked for in which it does, and the interpreter is asked; if there is none, it is
proved that the conditions around the effect never hold.
"""

from __future__ import annotations

from random import Random
from typing import Any

from biriba.interpreter.effects import Draft, Effects, Run
from biriba.interpreter.evaluate import Evaluator
from biriba.interpreter.frame import Env, Frame
from biriba.interpreter.judge import Judge
from biriba.model import stmt
from biriba.model.position import Action, Position
from biriba.model.ruleset import Ruleset
from biriba.verify.invariants import assumptions, hypotheses
from biriba.verify.solving import Asked, Clock
from biriba.verify.steps import PROOF, Case, Step, Steps
from biriba.verify.terms import Term, known, or_
from biriba.verify.verdicts import NOTED, PROVED, UNKNOWN, Result
from biriba.verify.witness import Found, NeverLegal, Referee, StepSearch, witness

GROUP = "effect used"
DEALS, STEPS = 12, 250
"""How many deals are played to see effects at work, and how many actions each."""
MELDS = 3
"""So many melds at most lie in a position that is looked for; conditions may count them, or ask for several kinds."""


def effects_of(rules: Ruleset, action: str) -> list[tuple[str, stmt.Effect]]:
    """All effects of an action and of what hangs on it, those inside others too, each with its clause."""
    blocks = [(c.clause, c.effects) for c in rules.consequences_of(action, "before")]
    blocks.append((rules.actions[action].clause, rules.actions[action].effects))
    blocks += [(c.clause, c.effects) for c in rules.consequences_of(action, "then")]
    return [
        (clause, effect)
        for clause, block in blocks
        for effect in stmt.walk(block)
        if not isinstance(effect, (stmt.When, stmt.ForEach, stmt.Repeat, stmt.WithOne))
    ]


def told(effect: stmt.Effect) -> str:
    """An effect in a few words."""
    match effect:
        case stmt.Assign(target=target):
            return f"{target.name} :="
        case stmt.MoveAll(source=source, target=target):
            return f"move all of {source.name} to {target.name}"
        case stmt.MoveCard(source=source, target=target) | stmt.MoveTop(source=source, target=target):
            return f"move from {source.name} to {target.name}"
        case stmt.Lay(target=target):
            return f"lay to {target.name}"
        case stmt.GoTo(phase=phase):
            return f"go to {phase}"
        case stmt.EndDeal():
            return "end the deal"
        case stmt.TurnTo():
            return "turn goes"
        case _:
            return type(effect).__name__.lower()


class Watched(Effects):
    """Effects that note themselves when they happen."""

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__(evaluator)
        self.seen: set[int] = set()

    def compile(self, effect: stmt.Effect, env: Env) -> Run:
        run, me, seen = super().compile(effect, env), id(effect), self.seen

        def noted(draft: Draft, frame: Frame) -> None:
            seen.add(me)
            run(draft, frame)

        return noted


class Watch:
    """The interpreter, asked which effects an action has.

    Attributes:
        in_play: the effects seen in deals played at random, by action.
    """

    def __init__(self, referee: Referee) -> None:
        self._referee = referee
        evaluator = Evaluator(referee.ruleset)
        self._effects = Watched(evaluator)
        self._judge = Judge(evaluator, self._effects)
        self.in_play: dict[str, set[int]] = {name: set() for name in referee.ruleset.actions}
        for seed in range(DEALS):
            self._play(Random(seed), seed)

    def _play(self, rng: Random, seed: int) -> None:
        rules = self._referee.rules
        position = rules.deal(seed=seed).position
        for _ in range(STEPS):
            legal = rules.legal(position)
            if not legal:
                return
            name = rng.choice(sorted({action.name for action in legal}))
            action = rng.choice([action for action in legal if action.name == name])
            after, seen = self.happens(position, action)
            assert after is not None, "it is legal"
            self.in_play[name] |= seen
            position = after

    def happens(self, position: Position, action: Action) -> tuple[Position | None, set[int]]:
        """The position that an action leads to, None if it is not legal, and what took effect."""
        self._effects.seen.clear()
        after = self._judge.judge(position, action).position
        return after, set(self._effects.seen)


def prove_used(
    referee: Referee, watch: Watch, action: str, cases: list[Case], keep: tuple[int, ...], timeout: float
) -> list[Result]:
    """The verdicts about the effects of an action, each shown at work or proved to be without use."""
    results = []
    for clause, effect in effects_of(referee.ruleset, action):
        clock, about = Clock(), f"{action}: {told(effect)}"
        if id(effect) in watch.in_play[action]:
            results.append(Result(GROUP, clause, about, PROVED, clock.read(), "it happens in play"))
            continue
        results.append(_shown(referee, watch, effect, cases, keep, timeout, (clause, about), clock))
    return results


def _shown(
    referee: Referee,
    watch: Watch,
    effect: stmt.Effect,
    cases: list[Case],
    keep: tuple[int, ...],
    timeout: float,
    names: tuple[str, str],
    clock: Clock,
) -> Result:
    open_cases = [case for case in cases if _possible(referee.ruleset, case, effect, keep, timeout)]
    for case in open_cases:
        found = _search(referee, watch, case, effect, keep, timeout)
        if found is not None:
            return Result(GROUP, *names, PROVED, clock.read(), "", witness(referee.ruleset, found))
    if not open_cases:
        return Result(GROUP, *names, NOTED, clock.read(), "never takes effect: what it stands under never holds")
    note = "no position was found in which it takes effect, and none was excluded"
    return Result(GROUP, *names, UNKNOWN, clock.read(), note)


def _happening(step: Step, effect: stmt.Effect) -> Term:
    return or_(term for done, term in step.reached if done is effect)


def _possible(rules: Ruleset, case: Case, effect: stmt.Effect, keep: tuple[int, ...], timeout: float) -> bool:
    """Whether it is not excluded that an effect happens, for any number of melds."""
    steps = Steps(rules)
    step = steps.step(case, PROOF)
    if step is None:
        return False
    happening = _happening(step, effect)
    if known(happening):
        return bool(happening)
    asked = Asked([*hypotheses(steps, step, keep), step.legal, *steps.encoder.unknowns.facts], timeout)
    return asked.possible(happening) != "no"


def _search(
    referee: Referee, watch: Watch, case: Case, effect: stmt.Effect, keep: tuple[int, ...], timeout: float
) -> Found | None:
    for melds in range(MELDS + 1):
        try:
            search = StepSearch(referee, case, melds, timeout)
        except NeverLegal:
            continue  # without a meld on the table, say
        step = search.step

        def judge(position: Position, action: Any) -> Found | None:
            if not referee.sound(position, keep):
                return None
            after, seen = watch.happens(position, action)
            return Found(position, action, after, ()) if after is not None and id(effect) in seen else None

        terms = [step.legal, *assumptions(search.steps, step, keep), _happening(step, effect)]
        found = search.find(terms, judge)
        if found is not None:
            return found
    return None
