"""The rules as JSON."""

from __future__ import annotations

import json

import jsonschema
import pytest

from biriba.cache import cached_ruleset
from biriba.language.load import available
from biriba.prose.bundle import bundle, schema


@pytest.mark.parametrize("name", ["biriba", *[n for n in ("classic", "guide-six", "venezuelan") if n in available()]])
def test_a_bundle_follows_its_schema(name: str) -> None:
    found = json.loads(json.dumps(bundle(cached_ruleset(name))))
    jsonschema.Draft202012Validator(schema()).validate(found)
    assert [clause["id"] for clause in found["clauses"]] == list(cached_ruleset(name).clauses)
