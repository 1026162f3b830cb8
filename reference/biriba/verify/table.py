"""What is proved of each rule set: figures kept as JSON, and the page of the documentation made of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from biriba.verify.report import ORDER
from biriba.verify.run import Report
from biriba.verify.verdicts import NOTED, REFUTED, UNKNOWN

HEAD = """# What is proved of each rule set

All parts of [](verify.md), for rule sets that come with biriba: each property against each action. The page is
made from `docs/evidence/verdicts.json`; rule sets are proved anew, and the page is written, with

```sh
biriba docs verdicts NAME...
```

The seconds are of processor time, on one processor, from a cold cache. A *refuted* or *unknown* verdict is told below
with its reason; none of them comes from a construct of the language that the proofs cannot say. What is *noted* is no
verdict: a clause that decides nothing, a score that nobody reaches, play that may go on for ever.
"""


def figures(report: Report, timeout: float, processor: float) -> dict[str, Any]:
    """What is kept of the report on a rule set.

    Args:
        timeout: the seconds for one question.
        processor: the seconds of processor time that it took.
    """
    told = {
        status: sorted(
            f"{result.group}, {' '.join(filter(None, (result.subject, result.about)))}: {_first(result.note)}"
            for result in report.having(status)
        )
        for status in (REFUTED, UNKNOWN, NOTED)
    }
    return {
        "meaning": report.meaning,
        "z3": report.z3,
        "timeout": timeout,
        "seconds": round(processor),
        "counts": {status: len(report.having(status)) for status in ORDER},
        **told,
    }


def _first(note: str) -> str:
    return note.split("\n", maxsplit=1)[0].rstrip() or "the interpreter has confirmed a counterexample"


def page(evidence: Mapping[str, Mapping[str, Any]], meanings: Mapping[str, str]) -> str:
    """The page of the documentation, as Markdown.

    Args:
        evidence: what the proofs say of each rule set, by name.
        meanings: what the rule sets mean now; of those that meant something else when they were proved, or were never
            proved, the page says so.
    """
    return "\n".join([HEAD, _open(evidence, meanings), *_table(evidence), *_findings(evidence)]) + "\n"


def _open(evidence: Mapping[str, Mapping[str, Any]], meanings: Mapping[str, str]) -> str:
    never = [f"`{name}`" for name in sorted(meanings) if name not in evidence]
    changed = [
        f"`{name}`" for name, of in sorted(evidence.items()) if meanings.get(name, of["meaning"]) != of["meaning"]
    ]
    if not never and not changed:
        return "All of them are proved as they are now.\n"
    parts = [
        f"{words}: {', '.join(those)}."
        for words, those in (("Not proved yet", never), ("Changed since", changed))
        if those
    ]
    return " ".join(parts) + "\n"


def _table(evidence: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield "| rule set | " + " | ".join(ORDER) + " | seconds |"
    yield "|---|" + "---:|" * (len(ORDER) + 1)
    for name, told in sorted(evidence.items()):
        counts = " | ".join(str(told["counts"][status]) for status in ORDER)
        yield f"| `{name}` | {counts} | {told['seconds']} |"


def _findings(evidence: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Each finding once, with the rule sets that have it."""
    for status, title in ((REFUTED, "Refuted"), (UNKNOWN, "Unknown"), (NOTED, "Noted")):
        found: dict[str, list[str]] = {}
        for name, told in sorted(evidence.items()):
            for line in told[status]:
                found.setdefault(line.replace(f", {name}:", ", the deal:"), []).append(name)
        yield f"\n## {title}\n"
        if not found:
            yield "Nothing."
        for group, lines in groupby(sorted(found), lambda line: line.partition(", ")[0]):
            yield f"\n### {group.capitalize()}\n"
            for line in lines:
                yield f"* {line.partition(', ')[2]} ({_those(found[line], sorted(evidence))})"


def _those(names: list[str], every: list[str]) -> str:
    """The names of some rule sets, or of the fewer others."""
    others = [name for name in every if name not in names]
    if not others:
        return "all rule sets" if len(every) > 1 else f"`{every[0]}`"
    shorter, told = (others, "all but ") if len(others) < len(names) else (names, "")
    return told + ", ".join(f"`{name}`" for name in shorter)
