"""For every proof a change of the rules after which it must fail.

Nothing shows that a proof is worth something but that it fails where the rules are weaker. Proofs are
many, so the changes are made by rule, from one table and the rule set itself:

* **invariants** (of positions, of steps, carried, and after the deal): as long as some condition holds,
  which the action brings to an end, the invariant asks what it asks; then it asks a little more
  (`TIGHTER`). So one rule set for each action weakens all its proofs at once.
* **state ranges**: the action also sets the variable to a value out of its range; for the deal, it begins with one.
* **possible effects**: cards are moved out of another player's hand, a guard is dropped, more is dealt
  than there is.
* **decisive clauses**: another clause says the same, so that it decides nothing alone. **Effects used**: the
  effect stands under a condition that never holds.
* **score sheet**: a line or column is made to apply where another does, or nowhere, or is left out. **Choices**: the
  condition of each always holds, or never.
* **dead ends, closed form, lemmas, endings**: one change each, below.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from itertools import combinations
from typing import Any

from biriba.language.load import load_ruleset
from biriba.model import expr as x
from biriba.model import stmt
from biriba.model.frozen import FrozenMap
from biriba.model.ruleset import Consequence, Ruleset, ScoreLine, Statement
from biriba.model.types import BOOL, number
from biriba.verify import choices, dead_ends, decisive, finish, invariants, kinds, matches, scoring, used
from biriba.verify.readings import carried
from biriba.verify.shapes import MeldShapes
from biriba.verify.steps import Case, Steps
from biriba.verify.symbols import SymGrowth, SymMeld
from biriba.verify.terms import NONE
from biriba.verify.verdicts import PROVED, Result, together
from biriba.verify.witness import Referee
from tests.language.rulefiles import CANONICAL, changed, compiled

TIMEOUT = 20.0
OTHER = "deck.cards"
"""A clause that says what another says, where that must not decide alone."""

UNTIL = {
    "draw": "phase is start",
    "take": "phase is start",
    "pass": "passes <= 1",
    "lay": "size(melds) <= 20",
    "extend": "size(melds) <= 20",
    "discard": "phase is play",
}
"""For each action a condition that it may bring to an end."""

MELDS = "every side p: every m in melds[p]: "
TIGHTER: dict[str, tuple[str, ...]] = {
    "meld.one_wild": (f"{MELDS}substitutes(m) < max_wilds",),
    "run.max_size": (
        f"{MELDS}m is run implies size(m) < max_run and rank_at(low(m)) is not none and rank_at(high(m)) is not none",
    ),
    "turn.pile_not_empty": ("size(discard) >= 2",),
    "turn.pass": ("passes = 1 and stock is empty",),
    "discard.not_what_you_took": ("barred is not none",),
    "discard.lone_take": ("lone_take", "lone_take"),
    "discard.keep_one": ("every seat s: size(hand[s]) > hand_size + held_back",),
    "turn.hand_not_emptied": ("every seat s: size(hand[s]) > hand_size",),
    "close.by_discard": (
        "every side p: taken[p] and has_biriba(p)",
        "every side p: phase is over and some seat s of p: hand[s] is empty",
    ),
    "packet.idle": ("every side p: every seat s of p: idle[s] and taken[p]",),
    "packet.one_each": (
        "(count each side p where taken[p]) + (count each i in 1..packets where packet[i] is not empty) < packets",
    ),
    "packet.after_biriba": ("every side p: taken[p] and has_biriba(p)",),
    "turn.passes_run_out": ("0 < passes < pass_limit - 2", "phase is over"),
    "turn.stall": ("stalled > 0",),
    "score.full_run": (f"{MELDS}m is run implies size(m) < full_run",),
    "score.greatest_bonus": (f"{MELDS}0 <= points(m) < greatest_bonus", f"{MELDS}points(m) = 0"),
    "cards.conserved": (
        "every card c: copies(c, everywhere) < copies(c)",
        "size(everywhere) < (sum of copies(c) for each card c)",
        "(sum of value(c) for each card c in everywhere) < (sum of value(c) * copies(c) for each card c)",
    ),
    "cards.melds_lawful": (f"{MELDS}lawful(m) and size(m) > min_meld",),
    "cards.meld_kinds": (
        f"{MELDS}m is run implies every card c: copies(c, m) = 0 or suit(c) = suit(m)",
        f"{MELDS}m is set implies every card c: copies(c, m) = 0 or rank(c) = rank(m)",
        f"{MELDS}naturals(m) >= 3",
    ),
    "cards.meld_cleanness": (
        f"{MELDS}m is run implies every card c: copies(c, m) = 0 or suit(c) = suit(m)",
        f"{MELDS}m is set implies every card c: copies(c, m) = 0 or rank(c) = rank(m)",
        f"{MELDS}some card c: wild(c) and copies(c, m) > 0",
    ),
    "cards.meld_values": (f"{MELDS}size(m) * (least_value + 1) <= (sum of value(c) * copies(c, m) for each card c)",),
    "deal.packets": ("every i in 1..packets: packet[i] is empty",),
    "meld.biriba": ("every side p: has_biriba(p)",),
    "meld.permanent": (
        "every side p: size(melds[p]) > size(old(melds[p]))",
        "every side p: p != mine and melds[p] = old(melds[p])",
    ),
    "turn.draw": ("old(size(stock)) < size(stock)",),
    "turn.stock_lasts": ("size(stock) + 1 < size(old(stock))",),
    "turn.take": ("size(discard) = size(old(discard)) + 2",),
    "turn.can_finish": ("phase is play and can_finish and size(hand[me]) > hand_size",),
    "packet.right": ("every side p: taken[p]",),
    "cards.hands_apart": ("every seat s: s != me and hand[s] = old(hand[s])",),
    "deal.rest": ("size(stock) = packs * 52 + jokers",),
}
"""For each clause what its invariants are made to ask, in their order: more than holds after any action or deal."""

Key = tuple[str, str, str]
"""A verdict: its group, clause, and what it is about."""


@cache
def canonical() -> Referee:
    return Referee(load_ruleset("biriba"))


def key(result: Result) -> Key:
    return result.group, result.subject, result.about


# ---------------------------------------------------------------- invariants


def tightened(until: str | None) -> Ruleset:
    """The canonical rules, their invariants tighter as soon as a condition no longer holds (None: at once)."""
    rules, lines = canonical().ruleset, CANONICAL.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    asked: dict[str, int] = {}
    pieces: list[tuple[int, int, str]] = []
    statements = sorted(
        (*rules.invariants, *rules.step_invariants, *rules.after_deal),
        key=lambda s: (s.body.span.line, s.body.span.column),
    )
    for statement in statements:
        span, n = statement.body.span, asked.get(statement.clause, 0)
        asked[statement.clause] = n + 1
        begin, end = starts[span.line - 1] + span.column - 1, starts[span.end_line - 1] + span.end_column - 1
        tighter = TIGHTER[statement.clause][n]
        if until is None:
            # After the deal there are no melds, and whatever is said of every one of them holds.
            pieces.append((begin, end, tighter.replace(MELDS, "every side p: some m in melds[p]: ")))
        else:
            whole = re.sub(r"\s+", " ", CANONICAL[begin:end])
            pieces.append((begin, end, f"if {until} then ({whole}) else ({tighter})"))
    assert asked == {clause: len(texts) for clause, texts in TIGHTER.items()}, "the table has a line for each invariant"
    text = CANONICAL
    for begin, end, piece in reversed(pieces):
        text = text[:begin] + piece + text[end:]
    return compiled(text)


def cases(rules: Ruleset, action: str) -> list[Case]:
    return [case for case in Steps(rules).cases(action) if case.me == 0]


def of_steps(action: str, some: Sequence[int] | None = None) -> list[Result]:
    """All verdicts about an action under tighter invariants, those of one statement apart from those of the next.

    Args:
        some: which of the action's cases to look at; all by default.
    """
    rules = tightened(UNTIL[action])
    referee, results = Referee(rules), list[Result]()
    every = cases(rules, action)
    for case in every if some is None else [every[i % len(every)] for i in some]:
        found = invariants.prove_step(
            referee, case, carried(canonical().ruleset), TIMEOUT, frozenset(), counterexamples=False
        )
        results += _numbered(r for r in found if r.group in ("invariant", "step invariant", "carried"))
    return together(results)


def of_deal() -> list[Result]:
    found = invariants.prove_deal(Referee(tightened(None)), carried(canonical().ruleset), TIMEOUT, frozenset())
    return together(_numbered(r for r in found if r.group in ("deal", "carried")))


def _numbered(results: Iterator[Result]) -> Iterator[Result]:
    """Results of a clause with several statements, told apart by their number."""
    seen: dict[Key, int] = {}
    for result in results:
        n = seen[key(result)] = seen.get(key(result), 0) + 1
        yield replace(result, about=f"{result.about} {n}")


# ---------------------------------------------------------------- effects


def _also(action: str, *effects: stmt.Effect) -> Ruleset:
    """The canonical rules with more effects of an action."""
    rules = canonical().ruleset
    return replace(rules, consequences=(*rules.consequences, Consequence(action, "then", effects, OTHER)))


def of_ranges(action: str) -> list[Result]:
    """The ranges of state variables, each set to a value beyond it, before the deal may end in this step."""
    results = []
    for state in canonical().ruleset.states.values():
        if state.type.kind != "bool":
            index = x.Const(value=0, type=number(0, 0)) if state.owner else None
            target = x.State(name=state.name, index=index, type=state.type)
            beyond = stmt.Assign(target=target, value=x.Const(value=10_000, type=number(10_000, 10_000)))
            rules = _also(action, beyond)
            consequences = (rules.consequences[-1], *rules.consequences[:-1])
            rules = replace(rules, consequences=tuple(replace(c, effects=_last(c, beyond)) for c in consequences))
            referee = Referee(rules)
            case = cases(rules, action)[0]
            only = frozenset({state.clause})
            results += [
                result
                for result in invariants.prove_step(referee, case, (), TIMEOUT, only, counterexamples=False)
                if result.group == "state range" and result.subject == state.clause
            ]
    return together(results)


def _last(consequence: Consequence, beyond: stmt.Effect) -> stmt.Block:
    """The effects of a consequence, none that sets the same variable again, and no end of the deal before it."""
    return tuple(e for e in consequence.effects if e is beyond or not isinstance(e, (stmt.Assign, stmt.When)))


def of_first_values() -> list[Result]:
    """The ranges of state variables after the deal, where each begins with a value beyond its range.

    Nothing else is asked of these rules: a position with such values can neither be written nor looked at.
    """
    rules = canonical().ruleset
    beyond = x.Const(value=10_000, type=number(10_000, 10_000))
    states = FrozenMap({name: replace(state, initial=beyond) for name, state in rules.states.items()})
    rules = replace(rules, states=states, invariants=(), step_invariants=(), after_deal=())
    found = invariants.prove_deal(Referee(rules), (), TIMEOUT, frozenset())
    return together(r for r in found if r.group == "state range")


def of_possible_effects() -> list[Result]:
    """Effects that can no longer be relied on to be possible."""
    rules = canonical().ruleset
    results = []
    without = replace(rules, guards=tuple(g for g in rules.guards if g.action != "draw"))
    theirs = {name: _from_the_next(rules, name) for name in ("lay", "extend", "discard")}
    for action, weaker in {"draw": without, **theirs}.items():
        for case in cases(weaker, action):
            found = invariants.prove_step(
                Referee(weaker), case, (), TIMEOUT, frozenset({action}), counterexamples=False
            )
            results += [r for r in found if r.group == "possible effects"]
    many = replace(rules.parameters["hand_size"], value=30)
    deal = replace(rules, parameters=FrozenMap({**rules.parameters, "hand_size": many}))
    found = invariants.prove_deal(Referee(deal), (), TIMEOUT, frozenset({"deal.shuffle"}))
    return together([*results, *(r for r in found if r.group == "possible effects")])


def _from_the_next(rules: Ruleset, action: str) -> Ruleset:
    """The rules with an action that takes its cards out of the next player's hand."""
    me = x.Context(name="me", type=rules.actions[action].effects[0].source.index.type)  # type: ignore[attr-defined]
    seat = x.Call(function="next", args=(me,), type=me.type)
    first, *others = rules.actions[action].effects
    source = replace(first.source, index=seat)  # type: ignore[attr-defined]
    decl = replace(rules.actions[action], effects=(replace(first, source=source), *others))  # type: ignore[call-arg]
    return replace(rules, actions=FrozenMap({**rules.actions, action: decl}))


def of_used(action: str) -> list[Result]:
    """Every effect under a condition that never holds."""
    never = x.Const(value=False, type=BOOL)

    def off(block: stmt.Block) -> stmt.Block:
        return tuple(stmt.When(condition=never, then=(effect,), otherwise=()) for effect in block)

    rules = canonical().ruleset
    decl = replace(rules.actions[action], effects=off(rules.actions[action].effects))
    rules = replace(
        rules,
        actions=FrozenMap({**rules.actions, action: decl}),
        consequences=tuple(replace(c, effects=off(c.effects)) for c in rules.consequences),
    )

    class Blind(used.Watch):
        def _play(self, rng: Any, seed: int) -> None:
            """Nothing is played by such rules."""

    referee = Referee(rules)
    return together(used.prove_used(referee, Blind(referee), action, cases(rules, action)[:1], (), TIMEOUT))


# ---------------------------------------------------------------- clauses that decide


def of_decisive(action: str, some: Sequence[int] | None = None) -> list[Result]:
    """Every condition on an action, said by another clause too.

    Args:
        some: which of the conditions to look at; all by default.
    """
    rules, results = canonical().ruleset, list[Result]()
    every = decisive.conditions(rules, action)
    for condition in every if some is None else [every[i % len(every)] for i in some]:
        weaker = _doubled(rules, action, condition)
        results += decisive.decide(Referee(weaker), action, condition, cases(weaker, action), carried(rules), TIMEOUT)
    return together(results)


def _doubled(rules: Ruleset, action: str, condition: decisive.Condition) -> Ruleset:
    if condition.kind == "law":
        return replace(rules, laws=(*rules.laws, replace(rules.laws[condition.index], clause=OTHER)))
    guard = rules.guards_of(action, condition.kind)[condition.index]
    return replace(rules, guards=(*rules.guards, replace(guard, clause=OTHER)))


def of_matches() -> list[Result]:
    """Every condition on which a match ends, said by another clause too; and all sides win, or none does."""
    rules = canonical().ruleset
    match, winner = rules.match, rules.match.winner
    assert winner is not None, "a match is won"
    twice = replace(match, ends=(*match.ends, *(Statement(end.body, OTHER) for end in match.ends)))
    won = (replace(match, winner=replace(winner, body=x.Const(value=wins, type=BOOL))) for wins in (True, False))
    results = [r for m in (twice, *won) for r in matches.prove_matches(Referee(replace(rules, match=m)), TIMEOUT)]
    return _never_proved(r for r in results if r.subject != OTHER)


def _never_proved(results: Iterable[Result]) -> list[Result]:
    """Of each verdict one that is no proof, if there is one: each fails under a change of its own."""
    best: dict[Key, Result] = {}
    for result in results:
        if best.setdefault(key(result), result).status == PROVED:
            best[key(result)] = result
    return list(best.values())


# ---------------------------------------------------------------- the score sheet


def of_score() -> list[Result]:
    """The lines and tables for melds: each verdict under the change that it does not survive."""
    rules = canonical().ruleset
    results: list[Result] = []
    for weaker in _sheets(rules):
        results += scoring.prove_score(Referee(weaker), TIMEOUT)
    return _never_proved(results)


def _sheets(rules: Ruleset) -> Iterator[Ruleset]:
    lines = [i for i, line in enumerate(rules.score) if line.type.kind == "meld"]
    no = x.Const(value=False, type=BOOL)
    for i in lines:
        line = rules.score[i]
        yield _with_line(rules, i, replace(line, where=no))
        if isinstance(line.body, x.Table):
            columns = line.body.columns
            for j in range(len(columns)):
                out = tuple(no if k == j else column for k, column in enumerate(columns))
                yield _with_line(rules, i, replace(line, body=replace(line.body, columns=out)))
            for j, k in combinations(range(len(columns)), 2):
                same = tuple(columns[j] if n == k else column for n, column in enumerate(columns))
                yield _with_line(rules, i, replace(line, body=replace(line.body, columns=same)))
    for i, j in combinations(lines, 2):
        if rules.score[i].type.detail == rules.score[j].type.detail:
            yield _with_line(rules, i, replace(rules.score[i], where=rules.score[j].where))


def _with_line(rules: Ruleset, i: int, line: ScoreLine) -> Ruleset:
    return replace(rules, score=(*rules.score[:i], line, *rules.score[i + 1 :]))


def of_choices() -> list[Result]:
    """Every choice, with a condition that always holds, and with one that never does."""
    results = [r for held in (False, True) for r in choices.prove_choices(_decided(canonical().ruleset, held), TIMEOUT)]
    return _never_proved(results)


def _decided(part: Any, held: bool) -> Any:
    """A part of the rules in which each choice is always decided in one way."""
    if isinstance(part, tuple):
        return tuple(_decided(item, held) for item in part)
    if isinstance(part, FrozenMap):
        return FrozenMap({name: _decided(item, held) for name, item in part.items()})
    if not is_dataclass(part) or isinstance(part, type):
        return part
    changed = {f.name: _decided(getattr(part, f.name), held) for f in fields(part) if f.init}
    if isinstance(part, x.If):
        changed["condition"] = x.Const(value=held, type=BOOL)
    return replace(part, **changed)


# ---------------------------------------------------------------- the end of a turn


def of_closed_form(action: str) -> list[Result]:
    """The closed form says less than it means: only of hands of three cards at most."""
    old = "define can_finish = (some c in hand[me]: may discard(c)) or can_empty"
    new = "define can_finish = ((some c in hand[me]: may discard(c)) or can_empty) and size(hand[me]) <= 3"
    rules = compiled(changed((old, new)))
    going_on, ending = finish.concerned(rules, "can_finish")
    assert action in (*going_on, *ending)
    results = []
    for case in cases(rules, action):
        results += finish.prove_converse(Referee(rules), "can_finish", case, action in ending, (), TIMEOUT)
    return together(results)


def of_kinds() -> list[Result]:
    """With two substitutes, the same cards may be a run or a set."""
    old = "every meld m: substitutes(m) <= max_wilds\n  inv"
    rules = compiled(changed((old, old.replace("max_wilds", "max_wilds + 1"))))
    return [r for r in kinds.prove_kinds(Referee(rules), TIMEOUT) if r.about == "one kind for the same cards"]


def of_dead_ends() -> list[Result]:
    """In each phase nothing may be legal: passing is allowed twice only, and nobody thinks of the end of his turn."""
    passing = compiled(changed(("on pass require stock is empty", "on pass require stock is empty and passes < 2")))
    careless = compiled(
        changed(
            ("  on take, lay, extend ensure can_finish\n", ""),
            ("  invariant at each step phase is play implies can_finish\n", ""),
        )
    )
    return [
        *dead_ends.prove_alive(Referee(passing), 0, 0, carried(passing), TIMEOUT),
        *dead_ends.prove_alive(Referee(careless), 0, 1, carried(careless), TIMEOUT),
    ]


# ---------------------------------------------------------------- what all rules rest on


def of_growing() -> list[Result]:
    """The lemma about growing, were there twice as much room as there is."""
    referee = Referee(load_ruleset("biriba"))
    room = referee.melds.room
    referee.melds.room = lambda meld, card: 2 * room(meld, card)  # type: ignore[method-assign]
    return [dead_ends.growth_lemma(referee)]


def of_lemmas() -> list[Result]:
    """That a growth adds one card, were the lowest card lost on the way."""

    def losing(self: MeldShapes, meld: SymMeld, mode: str, name: str) -> tuple[SymGrowth, list[Any]]:
        growth, facts = honest(self, meld, mode, name)
        return replace(growth, result=replace(growth.result, at=(NONE, *growth.result.at[1:]))), facts

    honest = MeldShapes.growth
    MeldShapes.growth = losing  # type: ignore[method-assign]
    try:
        return invariants.prove_lemmas(canonical(), TIMEOUT)
    finally:
        MeldShapes.growth = honest  # type: ignore[method-assign]


# ---------------------------------------------------------------- all of it


def everything() -> Iterator[Result]:
    """The verdicts under all weakenings: a long piece of work."""
    yield from _unnumbered(of_deal())
    yield from of_first_values()
    yield from of_possible_effects()
    for action in UNTIL:
        yield from _unnumbered(of_steps(action))
        yield from of_ranges(action)
        yield from of_used(action)
        yield from of_decisive(action)
    for action in ("lay", "extend", "discard"):
        yield from of_closed_form(action)
    yield from of_matches()
    yield from of_score()
    yield from of_choices()
    yield from of_kinds()
    yield from of_dead_ends()
    yield from of_growing()
    yield from of_lemmas()


def _unnumbered(results: list[Result]) -> Iterator[Result]:
    return (replace(result, about=result.about.rsplit(" ", 1)[0]) for result in results)
