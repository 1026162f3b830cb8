"""Vectors that a program finds: `python -m biriba.conformance.generate`.

- ``game/…``: whole deals from the deck to the score, one for each way in which a deal ends or a packet is had.
- ``played/…``: for every clause that can reject an action, a deal played from the deck to a position in which that
  clause alone rejects something, with an action that is legal there. So a program that cannot be given a
  position is tested by each of these clauses too.
- ``solver/…`` and ``boundary/…``: both sides of every guard and number, and every row of scores; see
  `biriba.conformance.points`. With them comes the table of which vectors show what.

Everything follows from fixed seeds and from the solver's report in ``docs/evidence/proofs.json``, so that the same
files come out again. The shortest deal and the smallest position found are taken.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from biriba.conformance.fuzz.probes import Prober, choose
from biriba.conformance.points import make as points
from biriba.conformance.points.shown import page, shown
from biriba.conformance.suite import RETIRED, load_suite, retired
from biriba.data import conformance_dir
from biriba.interpreter.rules import Rules
from biriba.model.position import Action, Position
from biriba.notation import NotationError, action_to_json, format_action, format_cards
from biriba.notation.actions import resolve
from biriba.scenario.build import encode_vector, shared
from biriba.scenario.complete import complete
from biriba.scenario.rulesets import load_named
from biriba.scenario.scenario import (
    Accept,
    Expect,
    GivenDeck,
    Play,
    Provenance,
    Reject,
    Scenario,
    Step,
    Written,
)
from biriba.scenario.vectors import SUFFIX, load_vector, vector

GAMES = 400
"""So many deals are looked through."""
LONGEST = 900
"""Actions after which a deal is given up."""


@dataclass(frozen=True, slots=True)
class Played:
    """A deal that was played: its deck, its dealer, and the actions up to some point."""

    deck: tuple[int, ...]
    dealer: int
    actions: tuple[Action, ...]


class Generator:
    """Finds vectors of one rule set."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.ruleset, self.prober = rules, rules.ruleset, Prober(rules)
        self.games: dict[str, tuple[Played, Position]] = {}
        self.reached: dict[str, tuple[Played, Action, Action, Position]] = {}

    def look(self, count: int = GAMES) -> None:
        """Play deals and remember the shortest that shows each thing."""
        for number in range(count):
            self.play(Random(f"generated {number}"))

    def play(self, random: Random) -> None:
        deck = [face.index for face in self.ruleset.cards.faces for _ in range(face.copies)]
        random.shuffle(deck)
        dealer = random.randrange(len(self.ruleset.table.seats))
        position = self.rules.dealt(deck, dealer)
        actions: list[Action] = []
        for _ in range(LONGEST):
            legal = self.rules.legal(position)
            played = Played(tuple(deck), dealer, tuple(actions))
            if not legal:
                how = ", ".join(sorted(self.states(position)))
                self.shortest(self.games, how, (played, position))
                return
            self.probe(played, position, legal, random)
            action = choose(legal, random)
            position = self.rules.apply(position, action)
            actions.append(action)

    def states(self, position: Position) -> Iterator[str]:
        """How a deal went, in words: the states that say yes of so many of their owners, or name somebody."""
        told: dict[str, Any] = self.prober.all_of(position)["states"]
        for name, value in told.items():
            if isinstance(value, dict):
                yes = sum(of is True for of in value.values())
                yield f"{name} {yes} of {len(value)}"
            elif self.ruleset.states[name].type.kind in ("side", "seat"):
                yield f"{name} {'nobody' if value is None else 'somebody'}"

    def probe(self, played: Played, position: Position, legal: list[Action], random: Random) -> None:
        bare = [Action(name) for name, action in self.ruleset.actions.items() if not action.params]
        tried = [*self.prober.near(position, random), *map(self.prober.stated, bare)]
        for stated in tried:
            try:
                action = resolve(self.ruleset, position, stated, self.rules.lawful)
                verdict = self.rules.judge(position, action)
            except (NotationError, ValueError):
                continue
            if len(verdict.clauses) == 1:
                key = f"{verdict.clauses[0]}.{action.name}"
                self.shortest(self.reached, key, (played, action, random.choice(legal), position))

    def shortest(self, found: dict[str, Any], key: str, new: tuple[Any, ...]) -> None:
        if key not in found or len(new[0].actions) < len(found[key][0].actions):
            found[key] = new

    # ------------------------------------------------------------ vectors

    def scenarios(self, known: Mapping[str, str] | None = None) -> Iterator[Scenario]:
        """The vectors of all that was found.

        Args:
            known: the ids of games that have one, by how they went; a game of a new kind gets the next number.
        """
        known = dict(known or {})
        for key, (played, action, other, _) in sorted(self.reached.items()):
            clause = key.rsplit(".", 1)[0]
            steps = [Step(Accept(self.written(other))), Step(Reject(self.written(action), (clause,)))]
            title = f"{clause} alone rejects {action.name}, in a deal from the deck"
            name = f"played/{_slug(key)}"
            yield self.scenario(name, title, (clause,), self.given(played, with_actions=True), steps, "search")
        for how, (played, end) in sorted(self.games.items()):
            steps = []
            name = known.setdefault(how, f"game/deal-{max(map(_number, known.values()), default=0) + 1}")
            for n, action in enumerate(played.actions, 1):
                steps.append(Step(Play(self.written(action))))
                if n % 10 == 0:
                    steps.append(Step(Expect(self.some(self.at(played, n)))))
            steps.append(Step(Expect({**self.some(end), **self.prober.score(end), "over": True})))
            title = f"A whole deal of {len(played.actions)} actions, at its end: {how}"
            clauses = tuple(dict.fromkeys(line.clause for line in self.ruleset.score))
            yield self.scenario(name, title, clauses, self.given(played), steps, "search")

    def at(self, played: Played, count: int) -> Position:
        position = self.rules.dealt(played.deck, played.dealer)
        for action in played.actions[:count]:
            position = self.rules.apply(position, action)
        return position

    def some(self, position: Position) -> dict[str, Any]:
        """Whose turn it is, and in which phase; what has changed since stands beside it."""
        return {name: of for name, of in self.prober.all_of(position).items() if name not in ("zones", "states")}

    def given(self, played: Played, *, with_actions: bool = False) -> GivenDeck:
        deck = tuple(format_cards(self.ruleset, played.deck).split())
        actions = tuple(self.written(action) for action in played.actions) if with_actions else ()
        return GivenDeck(deck, self.ruleset.table.seats[played.dealer], actions)

    def written(self, action: Action) -> Written:
        return Written(format_action(self.ruleset, action), action_to_json(self.ruleset, action))

    def scenario(
        self, name: str, title: str, clauses: tuple[str, ...], given: Any, steps: list[Step], kind: str
    ) -> Scenario:
        digests = {clause: self.ruleset.clauses[clause].digest for clause in clauses}
        made = complete(self.rules, self.prober.made(given, steps))
        return replace(made, id=name, title=title, clauses=clauses, provenance=Provenance(kind), digests=digests)


def _number(name: str) -> int:
    return int(name.rpartition("-")[2])


def known_games(folder: Path) -> dict[str, str]:
    """The ids of all games that ever had one, those that are gone too, by how they went."""
    found = {}
    for path in sorted((folder / "vectors" / "game").glob(f"*{SUFFIX}")):
        scenario = load_vector(path)
        found[scenario.title.partition(": ")[2]] = scenario.id
    return found | {name: name for name in retired(folder / RETIRED) if name.startswith("game/deal-")}


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-.")


def write(scenarios: list[Scenario], folder: Path, groups: tuple[str, ...]) -> tuple[int, int]:
    """Write vectors, and remove those of the same groups that were not found again."""
    wanted = {folder / f"{scenario.id}{SUFFIX}": scenario for scenario in scenarios}
    removed = 0
    for group in groups:
        for path in sorted((folder / group).glob(f"*{SUFFIX}")):
            if path not in wanted and load_vector(path).provenance.kind in ("search", "solver"):
                path.unlink()
                removed += 1
    for path, scenario in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(encode_vector(vector(shared(scenario))), encoding="utf-8", newline="\n")
    return len(wanted), removed


GROUPS = ("games", "points", "table")
TABLE = "biriba.points.json"


def main() -> int:
    """Find the vectors of the canonical rules anew, and say which vectors show what."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"which of {', '.join(GROUPS)}; by default all")
    parser.add_argument("--games", type=int, default=GAMES, help="so many deals are looked through")
    parser.add_argument("--fresh", action="store_true", help="look for vectors of points that are shown already, too")
    options = parser.parse_args()
    groups = options.groups or GROUPS
    if set(groups) - set(GROUPS):
        parser.error(f"there is no group '{min(set(groups) - set(GROUPS))}'")
    rules, folder = load_named("biriba"), conformance_dir()
    if "games" in groups:
        generator = Generator(rules)
        generator.look(options.games)
        played = list(generator.scenarios(known_games(folder)))
        print("{} vectors written, {} removed".format(*write(played, folder / "vectors", _DEALS)))
    if "points" in groups:
        solved = json.loads((folder.parent / "docs/evidence/proofs.json").read_text(encoding="utf-8"))["results"]
        made = points.make(rules, solved, _told, None if options.fresh else load_suite(rules, forms=False))
        print("{} vectors written, {} removed".format(*write(made, folder / "vectors", points.GROUPS)))
    if "table" in groups:
        found = [of.to_json() for of in shown(load_suite(rules, forms=False), lambda point: _told(point.name))]
        text = json.dumps(found, ensure_ascii=False, indent=1) + "\n"
        (folder / "strength" / TABLE).write_text(text, encoding="utf-8", newline="\n")
        (folder.parent / "docs/points.md").write_text(page(found), encoding="utf-8", newline="\n")
        empty = sum(side == {"reason": ""} for point in found for side in point["sides"].values())
        print(f"{len(found)} points, {empty} sides that no vector shows and that have no reason")
    return 0


_DEALS = ("game", "played")


def _told(what: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{what[:100]}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
