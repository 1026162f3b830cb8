"""Rule sets for tests of the proofs: the canonical source with a piece changed."""

from __future__ import annotations

from biriba.language.load import compile_rules
from biriba.language.source import Source
from biriba.model.ruleset import Ruleset
from tests.language.rulefiles import changed
from tests.verify.mutations import Mutation


def mutated(mutation: Mutation) -> Ruleset:
    """The rule set of a mutation."""
    return compile_rules(Source("mutated.rules", changed((mutation.old, mutation.new))))[0]
