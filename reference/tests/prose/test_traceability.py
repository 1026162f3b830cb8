"""Every atomic rule of the sources and every ruling is stated by some clause."""

from __future__ import annotations

from biriba.language.load import load_ruleset
from biriba.prose.traceability import atomic_rules, covering, traceability_table


def test_no_atomic_rule_is_missing_and_none_is_invented() -> None:
    known = [atomic.id for atomic in atomic_rules()]
    assert len(known) == len(set(known)) == 67 + 77
    assert set(covering(load_ruleset("biriba"))) == set(known)


def test_the_table_names_the_clauses() -> None:
    table = traceability_table(load_ruleset("biriba"))
    assert "| R-3.07 | A run has at most 13 cards. | S000 §3, S001 §3 | `run.max_size`, `cards.melds_lawful` |" in table
    assert "none" not in [line.split("|")[-2].strip() for line in table.splitlines()]


def test_what_a_source_states_is_cited_where_it_is_covered() -> None:
    rules = load_ruleset("biriba")
    for atomic in atomic_rules():
        if atomic.source != "ruling":
            cited = {str(c) for id_ in covering(rules)[atomic.id] for c in rules.clauses[id_].cites}
            assert cited & set(atomic.source.split(", ")), atomic.id
