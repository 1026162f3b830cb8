"""How far a fuzzing run has come, in a file, so that it can be taken up again.

The file is written beside its place and then renamed: it holds the old state or the new one, never half of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from biriba.conformance.protocol import Implementation
from biriba.notation.errors import JsonError
from biriba.notation.jsonvalue import Json
from biriba.scenario.scenario import Scenario
from biriba.scenario.vectors import read_vector, vector

STATE = 1
"""The version of the form of state files."""


@dataclass(slots=True)
class State:
    """What was done so far.

    Attributes:
        ruleset: name, version and digest of the rules.
        implementation: name and version of the one that is tested.
        seed: all cases follow from it.
        next: the case to go on with; all before it, from the first, are done.
        cases, asked, skipped: how many cases were made, questions asked, questions that it did not answer.
        looks: what the differences look like that were found, so that none is told twice.
        found: the differences as vectors.
    """

    ruleset: Mapping[str, str]
    implementation: Mapping[str, str]
    seed: int
    next: int = 0
    cases: int = 0
    asked: int = 0
    skipped: int = 0
    looks: set[tuple[str, ...]] = field(default_factory=set)
    found: list[Scenario] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        return {
            "fuzz": STATE,
            "ruleset": dict(self.ruleset),
            "implementation": dict(self.implementation),
            **{name: getattr(self, name) for name in _NUMBERS},
            "looks": [list(words) for words in sorted(self.looks)],
            "found": [vector(scenario) for scenario in self.found],
        }

    def differs(self, other: State) -> str | None:
        """In what the run of another state is another one; None if this one can be taken up in its place."""
        for name in ("ruleset", "implementation", "seed"):
            here, there = getattr(self, name), getattr(other, name)
            if here != there:
                said = [" ".join(of.values()) if isinstance(of, Mapping) else str(of) for of in (here, there)]
                return f"it is of the {_WORDS[name]} {said[0]}, and this run is of {said[1]}"
        return None


_NUMBERS = ("seed", "next", "cases", "asked", "skipped")
_WORDS = {"ruleset": "rules", "implementation": "implementation", "seed": "seed"}


def begun(ruleset: Mapping[str, str], implementation: Implementation, seed: int, first: int) -> State:
    """The state of a run of which nothing was done yet."""
    return State(ruleset, {"name": implementation.name, "version": implementation.version}, seed, first)


def read_state(document: Any) -> State:
    """The state of a decoded JSON document.

    Raises:
        JsonError: it is none.
    """
    if not isinstance(document, dict) or "fuzz" not in document:
        raise JsonError("$", "this is no state of a fuzzing run", "`biriba fuzz --state FILE` writes one")
    members = Json(document).members("fuzz", "ruleset", "implementation", *_NUMBERS, "looks", "found")
    if members["fuzz"].integer() != STATE:
        raise members["fuzz"].fault(f"expected a state of form {STATE}")
    ruleset = members["ruleset"].members("name", "version", "digest")
    implementation = members["implementation"].members("name", "version")
    numbers = {name: members[name].integer(None if name == "seed" else 0) for name in _NUMBERS}
    return State(
        {name: value.string() for name, value in ruleset.items()},
        {name: value.string() for name, value in implementation.items()},
        **numbers,
        looks={tuple(word.string() for word in words.items()) for words in members["looks"].items()},
        found=[read_vector(item.value) for item in members["found"].items()],
    )
