"""Examples as they stand in rule files, and catalogues of them, read as scenarios.

A catalogue is a text file of examples with the same lines, each under a head of its own:

    example one-card-left "Without a biriba two cards must remain after laying out"
      case TV-083
      tests turn.can_finish, discard.keep_one
      given hand A 3S 3D 3C KH; turn A play
      reject lay 3S 3D 3C by turn.can_finish

A line that is indented deeper goes on where the one above it stopped. Examples of another rule set than the
canonical one stand in a file of their own, which names it in its first line: `rules biriba-bounded`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from biriba.interpreter.rules import Rules
from biriba.model.ruleset import Example
from biriba.notation import NotationError
from biriba.scenario.given import parse_given_line
from biriba.scenario.lines import check_clause, parse_line
from biriba.scenario.rulesets import load_named
from biriba.scenario.scenario import LEVELS, Given, Provenance, Scenario, ScenarioError, Step, level_of

KEYWORDS = ("given", "play", "accept", "reject", "expect", "meld", "value")
SUFFIX = ".examples"
_HEAD = re.compile(r'example ([a-z0-9]+(?:-[a-z0-9]+)*) "([^"]+)"')
_SLUG_LENGTH = 48


@dataclass(slots=True)
class _Line:
    """A line of an example: keyword, text, and where it stands."""

    keyword: str
    text: str
    where: str


@dataclass(slots=True)
class _Entry:
    """An example of a catalogue as it is written."""

    slug: str
    title: str
    where: str
    lines: list[_Line] = field(default_factory=list)


def parse_example(rules: Rules, example: Example) -> Scenario:
    """The scenario of an example in a rule file.

    Raises:
        ScenarioError: a line of it is not of its form.
    """
    lines = [_Line(line.keyword, line.text, f"{line.span.file}:{line.span.line}") for line in example.lines]
    given, steps = _read(rules, lines)
    slug = re.sub(r"[^a-z0-9]+", "-", example.title.lower())[:_SLUG_LENGTH].strip("-")
    return Scenario(
        id=f"example/{example.clause.replace('_', '-')}.{slug}",
        title=example.title,
        level=level_of(given, steps),
        rulesets=((rules.ruleset.name, rules.ruleset.version),),
        clauses=(example.clause,),
        provenance=Provenance("example"),
        given=given,
        steps=steps,
    )


def spec_examples(rules: Rules) -> list[Scenario]:
    """The scenarios of a rule set's own examples, in the order of its clauses."""
    return [parse_example(rules, example) for example in rules.ruleset.own_examples()]


def read_catalogue(rules: Rules, path: Path) -> list[Scenario]:
    """The scenarios of a catalogue; the file's name is their group.

    Args:
        rules: the rule set of catalogues that name none.

    Raises:
        ScenarioError: a line is not of its form, an id stands twice, or a clause does not exist.
    """
    name = _names_rules(path)
    rules = rules if name is None else load_named(name)
    found = [_scenario(rules, path.stem, entry) for entry in _entries(path)]
    seen: set[str] = set()
    for scenario in found:
        if scenario.id in seen:
            raise ScenarioError(str(path), f"the id '{scenario.id}' stands twice")
        seen.add(scenario.id)
    return found


def read_entries(rules: Rules, path: Path) -> Iterator[tuple[str, Callable[[], Scenario]]]:
    """The entries of a catalogue by id, each with how to read it under a rule set, whichever the catalogue names.

    Reading one may raise `ScenarioError` or `NotationError`: it may speak of what the rule set does not have.
    """
    for entry in _entries(path):
        yield f"{path.stem}/{entry.slug}", partial(_scenario, rules, path.stem, entry)


def read_catalogues(rules: Rules, folder: Path) -> list[Scenario]:
    """The scenarios of all catalogues in a folder."""
    return [scenario for path in sorted(folder.glob(f"*{SUFFIX}")) for scenario in read_catalogue(rules, path)]


def _names_rules(path: Path) -> str | None:
    """The rule set that a catalogue names in its first line."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            match = re.fullmatch(r"rules ([\w-]+)", line.strip())
            return match[1] if match else None
    return None


def _scenario(rules: Rules, group: str, entry: _Entry) -> Scenario:
    head: dict[str, str] = {}
    lines: list[_Line] = []
    for line in entry.lines:
        if line.keyword in KEYWORDS:
            lines.append(line)
        elif line.keyword in head or lines:
            raise ScenarioError(line.where, f"'{line.keyword}' must stand once, before the other lines")
        else:
            head[line.keyword] = line.text
    cases = tuple(case.strip() for case in head.get("case", "").split(",") if case.strip())
    clauses = tuple(clause.strip() for clause in head.get("tests", "").split(","))
    with _Located(entry.where):
        for clause in clauses:
            check_clause(rules.ruleset, clause)
    given, steps = _read(rules, lines)
    level = head.get("level", level_of(given, steps))
    if level not in LEVELS:
        raise ScenarioError(entry.where, f"there is no level '{level}'", f"it is one of {', '.join(LEVELS)}")
    kind = "bug-report" if cases and all(case.startswith("BR-") for case in cases) else "scenario"
    return Scenario(
        id=f"{group}/{entry.slug}",
        title=entry.title,
        level=level,
        rulesets=((rules.ruleset.name, rules.ruleset.version),),
        clauses=clauses,
        provenance=Provenance(kind, cases, head.get("note", "").strip('"')),
        given=given,
        steps=steps,
    )


def _entries(path: Path) -> Iterator[_Entry]:
    entry: _Entry | None = None
    for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        where, text = f"{path.name}:{number}", raw.strip()
        indent = len(raw) - len(raw.lstrip())
        if not text or text.startswith("#") or (entry is None and text.startswith("rules ")):
            continue
        head = _HEAD.fullmatch(text)
        if indent == 0 and head:
            if entry is not None:
                yield entry
            entry = _Entry(head[1], head[2], where)
        elif entry is None or indent == 0:
            raise ScenarioError(where, "expected the head of an example", 'write: example some-name "What it shows"')
        elif indent > 2 and entry.lines:
            entry.lines[-1].text += f" {text}"
        else:
            keyword, _, rest = text.partition(" ")
            if keyword not in (*KEYWORDS, "case", "tests", "level", "note"):
                raise ScenarioError(where, f"no line begins with '{keyword}'", f"it is one of {', '.join(KEYWORDS)}")
            entry.lines.append(_Line(keyword, rest.strip(), where))
    if entry is not None:
        yield entry


def _read(rules: Rules, lines: list[_Line]) -> tuple[Given | None, tuple[Step, ...]]:
    given: Given | None = None
    steps: list[Step] = []
    for line in lines:
        with _Located(line.where):
            if line.keyword != "given":
                steps += parse_line(rules.ruleset, line.keyword, line.text, line.where)
            elif given is None and not steps:
                given = parse_given_line(rules.ruleset, line.text, rules.dealt_sizes)
            else:
                raise ScenarioError("", "an example has one 'given' line, and begins with it")
    return given, tuple(steps)


class _Located:
    """Says of every error inside where it is."""

    def __init__(self, where: str) -> None:
        self.where = where

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ScenarioError) and not error.where:
            raise ScenarioError(self.where, error.message, error.hint) from None
        if isinstance(error, NotationError):
            raise ScenarioError(self.where, str(error)) from None
