"""What is proved of the canonical rules is proved, and fails where the rules are weakened."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from time import process_time

import pytest

pytest.importorskip("z3")

from biriba import notation
from biriba.data import spec_dir
from biriba.language.load import available, load_ruleset, other_games
from biriba.model.meaning import meaning
from biriba.model.ruleset import Ruleset
from biriba.verify import dead_ends, decisive, endless, finish, invariants, matches, replay, scoring, used
from biriba.verify.groups import growing_facts
from biriba.verify.readings import carried
from biriba.verify.report import junit, markdown, to_json
from biriba.verify.run import Options, Report, verify
from biriba.verify.solving import Asked
from biriba.verify.steps import PROOF, Case, Steps
from biriba.verify.stuck import find_stuck
from biriba.verify.symmetry import representatives
from biriba.verify.table import figures, page
from biriba.verify.terms import and_, equal
from biriba.verify.truths import constant
from biriba.verify.verdicts import NOTED, PROVED, REFUTED, UNKNOWN, Result, together
from biriba.verify.witness import Referee
from tests.language.rulefiles import changed, compiled, with_parameter
from tests.verify.mutations import MUTATIONS, Mutation
from tests.verify.rules import mutated

TIMEOUT = 60.0
NONE: frozenset[str] = frozenset()


@cache
def canonical() -> Referee:
    return Referee(load_ruleset("biriba"))


def steps_of(referee: Referee, action: str, **fixed: str) -> list[Result]:
    """The verdicts about an action of the first seat, perhaps for one template or mode only."""
    rules, results = referee.ruleset, list[Result]()
    for case in Steps(rules).cases(action):
        words = [t for _, t in case.laid.values()] + list(case.templates.values()) + list(case.modes.values())
        if case.me == 0 and set(fixed.values()) <= set(words):
            results += invariants.prove_step(referee, case, carried(rules), TIMEOUT, NONE)
    return together(results)


def statuses(results: list[Result]) -> set[str]:
    return {result.status for result in results}


@pytest.mark.parametrize("action", ["draw", "discard"])
def test_actions_keep_every_invariant(action: str) -> None:
    results = steps_of(canonical(), action)
    assert statuses(results) == {PROVED}
    declared = {s.clause for s in (*canonical().ruleset.invariants, *canonical().ruleset.step_invariants)}
    assert {r.subject for r in results if "invariant" in r.group} == declared


def test_deal_and_lemmas() -> None:
    results = invariants.prove_deal(canonical(), carried(canonical().ruleset), TIMEOUT, NONE)
    assert statuses(results) == {PROVED}
    assert statuses(invariants.prove_lemmas(canonical(), TIMEOUT)) == {PROVED}


def test_what_is_told_of_the_cards_in_sequences_is_true() -> None:
    """`held` says no more than the places do: it holds of every lawful run of three hands, and of no broken one."""
    rules, steps = canonical().ruleset, Steps(canonical().ruleset)
    for seed in range(3):
        hand = tuple(sorted(Random(seed).sample(range(len(rules.cards.faces)), 16)))
        for meld in canonical().melds.among(hand):
            known = constant(steps, meld)
            assert all(steps.encoder.shapes.held(known))
            if known.at:  # the same cards in a run of another suit
                assert not all(steps.encoder.shapes.held(replace(known, key=(known.key + 1) % 4, memo={})))


def possible(action: str) -> set[str]:
    """Whether the hypotheses about an action can hold, case by case."""
    rules, found = canonical().ruleset, set()
    for case in (case for case in Steps(rules).cases(action) if case.me == 0):
        steps = Steps(rules)
        step = steps.step(case, PROOF)
        if step is not None:
            told = [*invariants.hypotheses(steps, step, carried(rules)), step.legal]
            found.add(Asked([*told, *steps.encoder.unknowns.facts], TIMEOUT).possible())
    return found


@pytest.mark.slow
@pytest.mark.parametrize("action", ["draw", "take", "pass", "lay", "extend", "discard"])
def test_hypotheses_are_not_contradictory(action: str) -> None:
    """A proof from hypotheses that cannot hold together would be worth nothing."""
    assert possible(action) == {"yes"}


EXAMPLES = (
    ("draw", "turn A start", None),
    ("take", "turn A start", None),
    ("pass", "stock empty; rest in discard; turn A start", None),
    ("lay 9H 9S 9D", "hand A 9H 9S 9D KS QS; turn A play", None),
    ("lay 3H JK 5H", "hand A 3H 5H JK KS QS; turn A play", None),
    ("extend X1 with 9C", "melds X [9H 9S 9D]; hand A 9C KS QS; turn A play", "card"),
    ("extend X1 with 6H high", "melds X [3H JK 5H]; hand A 6H KS QS; turn A play", "end"),
    ("extend X1 with 4H moving JK low", "melds X [3H JK 5H]; hand A 4H KS QS; turn A play", "shift"),
    ("discard KS", "hand A KS QS; turn A play", None),
)
"""For each case of each action a position in which it is legal, and the way in which a meld grows."""


@pytest.mark.parametrize(("text", "given", "mode"), EXAMPLES, ids=[text for text, *_ in EXAMPLES])
def test_hypotheses_hold_of_real_positions(text: str, given: str, mode: str | None) -> None:
    """What proofs assume is true of a position of the game: told of it, the solver finds no contradiction."""
    rules, ruleset = canonical().rules, canonical().ruleset
    position = notation.parse_given(ruleset, given, rules.dealt_sizes)
    action = next(a for a in rules.legal(position) if notation.format_action(ruleset, a) == text)
    steps, case = Steps(ruleset), replay._case(canonical(), position, action, mode)
    step = steps.step(case, PROOF)
    assert step is not None
    told = [*replay._told_position(steps, position, step.before, action)]
    for param, arg in zip(ruleset.actions[action.name].params, action.args, strict=True):
        told += replay._told_argument(steps, step.env[param.name], arg)
    assumed = [*invariants.hypotheses(steps, step, carried(ruleset)), step.legal, *steps.encoder.unknowns.facts]
    assert Asked([*assumed, *told], TIMEOUT).possible() == "yes"


def test_every_case_of_an_action_has_an_example() -> None:
    cases = [case for action in canonical().ruleset.actions for case in Steps(canonical().ruleset).cases(action)]
    # A meld of one's own grows in three ways; of the others' melds there is nothing to show: they may not.
    assert len({(c.action, *c.templates.values(), *c.modes.values()) for c in cases if c.me == 0}) == len(EXAMPLES)


def test_no_dead_end_when_a_turn_begins() -> None:
    results = dead_ends.prove_alive(canonical(), 0, 0, carried(canonical().ruleset), TIMEOUT)
    assert statuses(results) == {PROVED}


def test_dead_end_without_the_clause_about_finishing() -> None:
    """9H alone in hand against 9H alone on the pile is one of many; some such position must be shown."""
    rules = compiled(
        changed(
            ("  on take, lay, extend ensure can_finish\n", ""),
            ("  invariant at each step phase is play implies can_finish\n", ""),
        )
    )
    (result,) = dead_ends.prove_alive(Referee(rules), 0, 1, carried(rules), TIMEOUT)
    assert result.status == REFUTED
    assert result.witness is not None
    assert result.witness.confirmed


def test_finishing_needs_every_part_of_its_closed_form() -> None:
    """Without the packet as a way out the closed form says less than it means."""
    rules = compiled(changed(("may discard(c)) or can_empty", "may discard(c))")))
    case = next(c for c in Steps(rules).cases("extend") if c.me == 0)
    results = finish.prove_converse(Referee(rules), "can_finish", case, False, (), TIMEOUT)
    assert statuses(results) == {UNKNOWN}


@pytest.mark.parametrize(("action", "template"), [("lay", "wilds"), ("extend", "run")])
def test_a_closed_form_that_looks_at_groups_and_at_single_copies(action: str, template: str) -> None:
    """Whether the group of wilds can become a biriba, and whether a run can by a two in its own place."""
    rules = load_ruleset("venezuelan")
    clause = finish.closed_forms(rules)["can_finish"]
    keep = tuple(i for i in carried(rules) if rules.step_invariants[i].clause != clause)
    case = next(c for c in Steps(rules).cases(action) if c.me == 0 and f"'{template}'" in str(c))
    results = finish.prove_converse(Referee(rules), "can_finish", case, False, keep, TIMEOUT)
    assert statuses(results) == {PROVED}


def test_how_groups_grow_is_known() -> None:
    """What is told of groups in detail leaves no other answer than the interpreter's."""
    rules = load_ruleset("venezuelan")
    referee, rng = Referee(rules), Random(1)
    deck = tuple(face.index for face in rules.cards.faces for _ in range(face.copies))
    groups = [meld for meld in referee.melds.among(deck) if meld.low is None]
    for meld in rng.sample(groups, 12):
        steps = Steps(rules)
        unknowns = steps.encoder.unknowns
        card, count = rng.choice([*meld.cards, rng.choice(deck)]), rng.randint(1, 4)
        known = constant(steps, meld)
        room = unknowns.room(known, card)
        grown = unknowns.grown(known, "long", card, count, (), lambda result: result.size >= 7)
        truth = any(len(result.cards) >= 7 for result in referee.melds.grown(meld, card, count))
        asked = Asked([*unknowns.facts, *growing_facts(steps.encoder)], TIMEOUT)
        assert asked.possible() == "yes"
        assert asked.follows(and_((equal(room, referee.melds.room(meld, card)), equal(grown, truth)))) == "yes"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["venezuelan", "venezuelan-2", "venezuelan-3"])
def test_no_dead_end_whether_the_group_of_wilds_is_open_or_not(name: str) -> None:
    rules = load_ruleset(name)
    results = dead_ends.prove_alive(Referee(rules), 0, rules.phases.index("play"), carried(rules), TIMEOUT)
    assert statuses(results) == {PROVED}


def test_dead_end_that_shows_only_when_melds_grow() -> None:
    """Without a biriba in sight the last card fits a meld and may be neither laid on it nor discarded."""
    mutation = next(m for m in MUTATIONS if m.name == "a packet without a biriba in sight")
    rules = mutated(mutation)
    found = find_stuck(Referee(rules), 0, 1, carried(rules), TIMEOUT)
    assert found is not None
    assert found.confirmed


def test_no_dead_end_where_a_number_is_named() -> None:
    rules = load_ruleset("venezuelan")
    (result,) = dead_ends.prove_alive(Referee(rules), 0, rules.phases.index("cutting"), carried(rules), TIMEOUT)
    assert result.status == PROVED


@pytest.mark.parametrize("action", ["lay", "extend"])
def test_a_clause_decides_that_speaks_of_other_melds_than_the_action(action: str) -> None:
    """No wild in another meld while a group of wilds is open: that takes a meld that the action does not name."""
    rules = load_ruleset("venezuelan")
    condition = next(c for c in decisive.conditions(rules, action) if c.clause == "wilds.first")
    cases = [case for case in Steps(rules).cases(action) if case.me == 0]
    (result,) = decisive.decide(Referee(rules), action, condition, cases, carried(rules), TIMEOUT)
    assert result.witness is not None
    assert result.witness.shows == ("wilds.first",)


GIN = spec_dir() / "other" / "gin_rummy.rules"


@pytest.mark.parametrize("phase", ["play", "knocked"])
def test_no_dead_end_where_some_card_of_the_hand_is_good_enough(phase: str) -> None:
    rules = load_ruleset(GIN)
    (result,) = dead_ends.prove_alive(Referee(rules), 0, rules.phases.index(phase), carried(rules), TIMEOUT)
    assert result.status == PROVED


def test_a_dead_end_where_no_card_of_the_hand_is_good_enough(tmp_path: Path) -> None:
    """If a knocker must be left with less than he may knock with, he may be left without a card to discard."""
    stricter = tmp_path / "gin_rummy.rules"
    old = "on put_down(c) ensure may_lay_out"
    text = GIN.read_text(encoding="utf-8")
    assert old in text
    stricter.write_text(text.replace(old, "on put_down(c) ensure deadwood(hand[me]) < knock_limit"), encoding="utf-8")
    rules = load_ruleset(stricter)
    assert dead_ends._prove(Referee(rules), 0, rules.phases.index("knocked"), carried(rules), TIMEOUT) == (False, True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "three-handed",  # partners lay on melds of two sides
        "six-handed",  # three cards alike, none of which may be discarded, are a set
    ],
)
def test_no_dead_end_where_the_closed_form_says_more(name: str) -> None:
    rules = load_ruleset(name)
    results = dead_ends.prove_alive(Referee(rules), 0, rules.phases.index("play"), carried(rules), TIMEOUT)
    assert statuses(results) == {PROVED}


@pytest.mark.slow
def test_a_dead_end_where_cards_alike_are_no_set(tmp_path: Path) -> None:
    """Three jokers are alike, and make no set."""
    old = " and (not wild(c) or (sets_of_twos and rank(c) = 2))"
    text = (spec_dir() / "variants" / "six-handed.rules").read_text(encoding="utf-8")
    assert old in text
    stricter = tmp_path / "six-handed.rules"
    stricter.write_text(text.replace(old, ""), encoding="utf-8")
    rules = load_ruleset(stricter)
    assert dead_ends._prove(Referee(rules), 0, rules.phases.index("play"), carried(rules), TIMEOUT) == (False, True)


@pytest.mark.slow
def test_melds_that_are_moved_keep_their_properties() -> None:
    """That shown melds are lawful is declared; that they have few wilds follows from it, meld by meld."""
    rules = load_ruleset("biriba-entry-minimum")
    for case in (case for case in Steps(rules).cases("lay") if case.me == 0):
        results = invariants.prove_step(Referee(rules), case, carried(rules), TIMEOUT, frozenset(("meld.one_wild",)))
        assert statuses(results) == {PROVED}


def test_score_sheet() -> None:
    results = scoring.prove_score(canonical(), TIMEOUT)
    assert statuses(results) == {PROVED}
    overlapping = Referee(compiled(changed(("biriba(m) and size(m) < full_run", "biriba(m) and size(m) <= full_run"))))
    results = scoring.prove_score(overlapping, TIMEOUT)
    assert [r.subject for r in results if r.status == NOTED] == ["score.run"]


def test_the_score_at_which_a_match_ends_and_its_neighbour() -> None:
    """5005 ends it, 5000 does not; and two totals alike end nothing."""
    results = [r for r in matches.prove_matches(canonical(), TIMEOUT) if r.subject == "match.target"]
    assert statuses(results) == {PROVED}
    shown = [[sorted(r.witness.json[what]["totals"]) for what in ("ends", "goes on")] for r in results if r.witness]
    assert shown == [[[0, 5005], [0, 5000]], [[5000, 5005], [5005, 5005]]]
    never = Referee(compiled(changed(("match ends when best > target and one_leads", "match ends when best > best"))))
    assert {r.status for r in matches.prove_matches(never, TIMEOUT) if r.subject == "match.target"} == {NOTED}


def test_effects_are_used_or_never() -> None:
    """With the stall limit off, the lines that count towards it have no effect; every other line of a pass has."""
    rules = canonical().ruleset
    results = used.prove_used(canonical(), used.Watch(canonical()), "pass", [Case("pass", 0)], (), TIMEOUT)
    assert {r.about for r in results if r.status == NOTED} == {"pass: stalled :=", "pass: end the deal"}
    assert {r.subject for r in results if r.status == NOTED} == {"turn.stall"}
    assert len(results) == len(used.effects_of(rules, "pass"))


def test_an_effect_that_play_does_not_show_is_looked_for() -> None:
    watch = used.Watch(canonical())
    (effect,) = (e for clause, e in used.effects_of(canonical().ruleset, "pass") if clause == "turn.passes_run_out")
    watch.in_play["pass"].discard(id(effect))
    results = used.prove_used(canonical(), watch, "pass", [Case("pass", 0)], (), TIMEOUT)
    (ending,) = (r for r in results if r.subject == "turn.passes_run_out")
    assert ending.status == PROVED
    assert ending.witness is not None
    assert ending.witness.after is not None
    assert "over" in ending.witness.after


def goes_round(referee: Referee, actions: tuple[str, ...]) -> tuple[str, ...]:
    """A cycle of these actions that was found; play comes back by it, and its deal leads to where it begins."""
    found = endless.find_cycle(referee, actions)
    assert found is not None
    first = position = notation.parse_position(referee.ruleset, found.position)
    for action in found.actions:
        position = referee.rules.apply(position, action)
    assert position == first
    assert found.reachable is not None
    (deal,) = notation.parse_record(referee.ruleset, found.reachable.split("\n", 1)[1]).deals
    game = referee.rules.deal(deck=deal.deck, dealer=deal.dealer)
    for move in deal.moves:
        game.apply(notation.resolve(referee.ruleset, game.position, move.action, referee.rules.lawful))
    assert game.position == first
    assert game.steps[-len(found.actions) - 1].after == first
    return found.actions


def kinds_of(actions: tuple[str, ...]) -> set[str]:
    return {action.split()[0] for action in actions}


def test_endless_play_is_found() -> None:
    assert kinds_of(goes_round(canonical(), ("take", "discard"))) == {"take", "discard"}


def test_endless_play_is_found_where_only_some_deals_allow_it() -> None:
    """By the guide a player takes the pile only if its card is of use to him: few deals go on like that."""
    goes_round(Referee(load_ruleset("guide")), ("take", "pass", "discard"))


def test_endless_play_is_found_where_few_cards_go_round() -> None:
    """Each of six players holds a wild and two cards that it goes with, and the pile is a seventh wild.

    He takes the wild and discards his own. After seven rounds every card is where it was.
    """
    actions = goes_round(Referee(load_ruleset("guide-six")), ("take", "pass", "discard"))
    assert len(actions) == 7 * 6 * 2
    assert {action.split()[1][0] for action in actions if action != "take"} == {"J", "2"}


def test_endless_play_is_found_where_it_begins_late() -> None:
    """There are only four wilds; but once the stock is empty, two cards of use to one player are enough."""
    actions = goes_round(Referee(load_ruleset("guide-no-twos")), ("take", "pass", "discard"))
    assert kinds_of(actions) == {"take", "pass", "discard"}


def test_endless_play_is_found_where_something_else_comes_first() -> None:
    """The dealer cuts before anybody takes a card."""
    assert kinds_of(goes_round(Referee(load_ruleset("venezuelan")), ("take", "discard"))) == {"take", "discard"}


def test_no_cycle_is_found_where_every_deal_ends_and_the_search_keeps_to_its_time() -> None:
    begun = process_time()
    assert endless.find_cycle(Referee(load_ruleset("biriba-bounded")), ("take", "discard"), seconds=0.3) is None
    assert process_time() - begun < 3


@pytest.mark.slow
def test_every_hand_of_gin_rummy_ends() -> None:
    """That the first upcard is passed once by each is seen by the seats before the dealer."""
    rules = load_ruleset(GIN)
    cases = [case for action in rules.actions for case in Steps(rules).cases(action)]
    (result,) = endless.prove_ends(Referee(rules), cases, carried(rules), TIMEOUT)
    assert result.status == PROVED
    assert "the seats before the dealer falls (pass)" in result.note


@pytest.mark.slow
def test_every_deal_ends_with_a_stall_limit() -> None:
    rules = compiled(with_parameter("stall_limit", 60))
    cases = [case for action in rules.actions for case in Steps(rules).cases(action) if case.me == 0]
    (result,) = endless.prove_ends(Referee(rules), cases, carried(rules), TIMEOUT)
    assert result.status == PROVED


def test_seats_are_alike_unless_one_is_named() -> None:
    assert representatives(canonical().ruleset) == (0,)
    named = compiled(changed(("on pass require stock is empty", "on pass require stock is empty and me != A")))
    assert representatives(named) == (0, 1, 2, 3)


# ---------------------------------------------------------------- broken rules


def test_mutations_are_many_and_most_must_be_refuted() -> None:
    refuted = [m for m in MUTATIONS if m.refuted_by]
    assert len(refuted) >= 40
    assert all(m.because for m in MUTATIONS if not m.refuted_by)
    assert len({m.name for m in MUTATIONS}) == len(MUTATIONS)


QUICK = ("pass with stock", "taken and not noted")


def verdict(mutation: Mutation) -> Report:
    """The report on a mutation: of the clauses that should be refuted only, if they are named."""
    only = {"invariants"}
    if any(clause.startswith("phase") for clause in mutation.refuted_by):
        only.add("dead-ends")
    else:
        only.update(mutation.refuted_by)
    return verify(mutated(mutation), Options(TIMEOUT, jobs=1, only=frozenset(only), remember=False, first=True))


@pytest.mark.parametrize("name", QUICK)
def test_some_broken_rules_are_caught(name: str) -> None:
    mutation = next(m for m in MUTATIONS if m.name == name)
    rules = mutated(mutation)
    referee, keep = Referee(rules), carried(rules)
    results: list[Result] = []
    for action in ("pass", "discard"):
        case = Case(action, 0)
        results += invariants.prove_step(referee, case, keep, TIMEOUT, frozenset(mutation.refuted_by))
    refuted = [r for r in results if r.status == REFUTED]
    assert {r.subject for r in refuted} & set(mutation.refuted_by)
    assert all(r.witness is not None and r.witness.confirmed for r in refuted)


@pytest.mark.slow
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.name)
def test_broken_rules_are_caught(mutation: Mutation) -> None:
    report = verdict(mutation)
    refuted = [r for r in report.results if r.status == REFUTED]
    if mutation.refuted_by:
        assert refuted
        assert {r.subject for r in refuted} & set(mutation.refuted_by), refuted
        assert all(r.witness is not None and r.witness.confirmed for r in refuted)
    else:
        assert not refuted


# ---------------------------------------------------------------- reports and memory


def some_rules() -> Ruleset:
    return canonical().ruleset


def test_verdicts_are_remembered(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIRIBA_CACHE", str(tmp_path))
    options = Options(TIMEOUT, jobs=1, only=frozenset({"score", "discard.not_what_you_took"}))
    first = verify(some_rules(), options)
    again = verify(some_rules(), options)
    assert (first.remembered, again.remembered) == (0, again.jobs)
    assert {(r.group, r.subject, r.status) for r in first.results} == {
        (r.group, r.subject, r.status) for r in again.results
    }


def test_reports_are_well_formed() -> None:
    results = [
        Result("invariant", "a.b", "draw", PROVED, 0.1),
        Result("invariant", "a.b", "take", UNKNOWN, 0.2, "<late>"),
    ]
    report = Report("x", "1", "d", "z", results)
    assert report.exit_code == 4
    assert json.dumps(to_json(report))
    assert "<error" in junit(report)
    assert "&lt;late&gt;" in junit(report)
    assert "| invariant | `a.b` | 1 | 0 | 1 | 0 |" in markdown(report)


def test_the_page_of_verdicts_tells_every_reason() -> None:
    results = [
        Result("invariant", "a.b", "draw", PROVED, 0.1),
        Result("every deal ends", "x", "", UNKNOWN, 0.2, "no ranking was found"),
    ]
    told = figures(Report("x", "1", "d", "z", results), 60.0, 1.4)
    text = page({"x": told}, {"x": told["meaning"]})
    assert "All of them are proved as they are now." in text
    assert "Not proved yet: `y`. Changed since: `x`." in page({"x": told}, {"x": "other", "y": "new"})
    assert "| `x` | 1 | 0 | 1 | 0 | 1 |" in text
    assert "### Every deal ends\n\n* the deal: no ranking was found (`x`)" in text
    same = {"x": told, "y": {**told, "unknown": [line.replace("x", "y") for line in told["unknown"]]}}
    assert "* the deal: no ranking was found (all rule sets)" in page(same, {})
    assert "no ranking was found (all but `z`)" in page({**same, "z": {**told, "unknown": []}}, {})


def test_the_published_page_tells_what_is_proved_of_the_rule_sets_as_they_are() -> None:
    docs = spec_dir().parent / "docs"
    evidence = json.loads((docs / "evidence" / "verdicts.json").read_text(encoding="utf-8"))
    meanings = {name: meaning(load_ruleset(name)) for name in available() if name not in other_games()}
    assert (docs / "verdicts.md").read_text(encoding="utf-8") == page(evidence, meanings)


def test_what_is_found_is_a_vector_that_holds() -> None:
    from biriba.interpreter.rules import Rules
    from biriba.scenario import vectors as format_
    from biriba.scenario.run import run
    from biriba.verify import decisive
    from biriba.verify.vectors import vectors

    rules = canonical().ruleset
    condition = decisive.conditions(rules, "draw")[0]
    results = decisive.decide(canonical(), "draw", condition, [Case("draw", 0)], (), TIMEOUT)
    (document,) = vectors(Report(rules.name, rules.version, rules.digest, "z", results), rules)
    scenario = format_.read_vector(document)
    assert scenario.clauses == ("turn.stock_lasts",)
    assert run(scenario, Rules(rules)).passed
