"""The compiled rule set for other programs: as JSON, and as one flat rule file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from biriba.model.expr import Node
from biriba.model.ruleset import Parameter, Ruleset
from biriba.model.span import Span
from biriba.model.stmt import Effect


def to_json(value: object) -> Any:
    """A part of the model as JSON: objects by field name; expressions and effects say their `node`."""
    if isinstance(value, Span):
        return str(value) if value.file else None
    if is_dataclass(value) and not isinstance(value, type):
        named = {"node": type(value).__name__} if isinstance(value, (Node, Effect)) else {}
        return named | {f.name: to_json(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [to_json(item) for item in value]
    return value


def flat_text(rules: Ruleset) -> str:
    """A rule file that says all that the rule set and those it extends say, without extending any."""
    lines = [f"ruleset {rules.name} {_quoted(rules.title)}", f"  version {_quoted(rules.version)}"]
    for source in rules.sources.values():
        language = f" language {source.language}" if source.language else ""
        lines.append(f"  source {source.id} {_quoted(source.file)}{language}")
    lines += ["", *(_parameter(parameter) for parameter in rules.parameters.values())]
    for clause in rules.clauses.values():
        lines += ["", *_without_dropped(rules, clause.source.strip("\n").removeprefix("replace ").split("\n"))]
    return "\n".join(lines) + "\n"


_HOOKS = re.compile(r"( +on )(.+?)( (?:require|ensure|before|then)\b.*)")
_HOOK = re.compile(r"(\w+)(?:\([^)]*\))?")


def _without_dropped(rules: Ruleset, lines: list[str]) -> Iterator[str]:
    """The lines of a clause without what hangs on actions that a rule set drops."""
    skipped: int | None = None
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if skipped is not None and line.strip() and indent > skipped:
            continue
        skipped = None
        found = _HOOKS.fullmatch(line)
        if found is not None:
            before, hooks, after = found.groups()
            kept = [hook.group() for hook in _HOOK.finditer(hooks) if hook.group(1) in rules.actions]
            if not kept:
                skipped = indent
                continue
            yield f"{before}{', '.join(kept)}{after}"
        else:
            yield line


def _parameter(parameter: Parameter) -> str:
    value = parameter.value
    shown = ("yes" if value else "no") if isinstance(value, bool) else value
    parts = [f"parameter {parameter.name} = {shown}"]
    if parameter.low is not None:
        parts.append(f"in {parameter.low}..{'' if parameter.high is None else parameter.high}")
    if parameter.options:
        parts.append(f"one of {', '.join(parameter.options)}")
    if parameter.unit:
        parts.append(parameter.unit)
    if parameter.text:
        parts.append(_quoted(parameter.text))
    return " ".join(parts)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
