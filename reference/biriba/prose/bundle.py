"""All clauses of a rule set as JSON, so that others can publish the rules with their own tools.

`bundle.schema.json` beside this module describes the form; `FORMAT` changes when it does.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from biriba.model.ruleset import Clause, Parameter, Ruleset
from biriba.prose.catalogue import BASE, Catalogue
from biriba.prose.relations import Relations, relations
from biriba.prose.scoring import card_values, score_rows
from biriba.prose.sentences import plain, template

FORMAT = 1


def bundle(rules: Ruleset, catalogues: tuple[Catalogue, ...] = ()) -> dict[str, Any]:
    """Everything that a rulebook needs.

    Args:
        catalogues: translations to include, each under its language.
    """
    known = relations(rules)
    return {
        "format": FORMAT,
        "ruleset": {"name": rules.name, "title": rules.title, "version": rules.version, "digest": rules.digest},
        "extends": list(rules.parents),
        "sources": [{"id": s.id, "file": s.file, "language": s.language} for s in rules.sources.values()],
        "parameters": [_parameter(parameter) for parameter in rules.parameters.values()],
        "cards": [
            {"symbol": f.symbol, "name": f.name, "copies": f.copies, "value": f.value, "wild": f.wild}
            for f in rules.cards.faces
        ],
        "clauses": [_clause(rules, clause, known[clause.id], catalogues) for clause in rules.clauses.values()],
        "card_values": [{"cards": v.cards, "points": v.points} for v in card_values(rules)],
        "score": [
            {
                "label": row.label,
                "of": row.subject,
                "where": row.where,
                "points": [{"when": when, "points": points} for when, points in row.cells],
                "clause": row.clause,
            }
            for row in score_rows(rules)
        ],
    }


def _parameter(parameter: Parameter) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "value": parameter.value,
        "low": parameter.low,
        "high": parameter.high,
        "options": list(parameter.options),
        "unit": parameter.unit,
        "text": parameter.text,
    }


def _clause(rules: Ruleset, clause: Clause, known: Relations, catalogues: tuple[Catalogue, ...]) -> dict[str, Any]:
    sentences = {BASE: plain(rules, clause.prose)}
    for catalogue in catalogues:
        found, done = catalogue.sentence(rules, clause)
        if done:
            sentences[catalogue.language] = "".join(piece.text for piece in found)
    return {
        "id": clause.id,
        "chapter": clause.chapter,
        "sentence": sentences,
        "template": template(rules, clause.prose),
        "source": clause.source,
        "origin": clause.origin,
        "digest": clause.digest,
        "cites": [str(cite) for cite in clause.cites],
        "covers": list(clause.covers),
        "because": None if clause.because is None else plain(rules, clause.because),
        "parameters": list(known.parameters),
        "roles": [str(role) for role in known.roles],
        "actions": list(known.actions),
        "uses": list(known.uses),
        "follows_from": list(clause.follows),
        "examples": [
            {"title": e.title, "lines": [f"{line.keyword} {line.text}" for line in e.lines]} for e in clause.examples
        ],
    }


def schema() -> dict[str, Any]:
    """The JSON Schema of a bundle."""
    text = (Path(__file__).parent / "bundle.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found
