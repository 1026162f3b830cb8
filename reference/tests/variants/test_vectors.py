"""The vectors of the rule sets that extend others: made from their examples, stated for all that they hold under."""

from __future__ import annotations

import json

import jsonschema

from biriba.data import conformance_dir
from biriba.language.load import available, other_games
from biriba.scenario import run
from biriba.scenario.rulesets import akin, heirs, load_named, same_positions
from biriba.scenario.scenario import GivenPosition
from biriba.scenario.vectors import load_vector
from biriba.variants.vectors import build

FOLDER = conformance_dir() / "variants"
FILES = sorted(FOLDER.rglob("*.json"))


def test_files_are_those_that_the_examples_make() -> None:
    made = build()
    found = {path.relative_to(FOLDER).with_suffix("").as_posix(): path.read_text(encoding="utf-8") for path in FILES}
    hint = "run: python -m biriba.variants.vectors"
    assert sorted(found) == sorted(made), hint
    assert not [name for name in made if made[name] != found[name]], hint


def test_vectors_hold_under_every_rule_set_that_they_state() -> None:
    stated = set()
    for path in FILES:
        scenario = load_vector(path)
        for name, version in scenario.rulesets:
            rules = load_named(name)
            stated.add(name)
            assert rules.ruleset.version == version
            assert run(scenario, rules).passed, f"{scenario.id} under {name}"
    assert {*available()} - {*other_games()} - stated == {"biriba"}


def test_canonical_vectors_state_the_rule_sets_that_share_them() -> None:
    stated: dict[str, int] = {}
    placed: set[str] = set()
    for path in (conformance_dir() / "vectors").rglob("*.json"):
        scenario = load_vector(path)
        for name, _ in scenario.rulesets:
            stated[name] = stated.get(name, 0) + 1
            if name != "biriba":
                assert run(scenario, load_named(name)).passed, f"{scenario.id} under {name}"
            if isinstance(scenario.given, GivenPosition):
                placed.add(name)
    assert set(stated) == {"biriba", *(rules.ruleset.name for rules in heirs("biriba"))}
    assert placed == {"biriba", *(rules.ruleset.name for rules in akin("biriba"))}
    assert stated["biriba-bounded"] > 0.5 * stated["biriba"]


def test_positions_that_are_the_same() -> None:
    canonical = load_named("biriba").ruleset
    assert same_positions(canonical, load_named("biriba-bounded").ruleset)
    assert not same_positions(canonical, load_named("classic").ruleset)


def test_vectors_are_of_the_schema() -> None:
    schema = json.loads((conformance_dir() / "schema" / "vector.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    for path in FILES:
        validator.validate(json.loads(path.read_text(encoding="utf-8")))
