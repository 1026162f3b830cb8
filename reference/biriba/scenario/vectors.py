"""Vectors: scenarios as JSON documents, as conformance/format.md and schema/vector.schema.json describe them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from biriba.notation.errors import JsonError
from biriba.notation.jsonvalue import Json, decode
from biriba.scenario.scenario import (
    ANY,
    DRAFT,
    KINDS,
    LEVELS,
    NOT_IN_CHOICES,
    UNCHANGED,
    Accept,
    Body,
    Claim,
    Data,
    Expect,
    Given,
    GivenDeck,
    GivenPosition,
    GivenTotals,
    Layouts,
    Play,
    Provenance,
    Reject,
    Repeat,
    Scenario,
    ScenarioError,
    Step,
    Value,
    Written,
    said_twice,
)

FORMAT = 2
"""The version of the format that is read and written."""
SUFFIX = ".json"
MAX_BYTES = 4_000_000
ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*/[a-z0-9]+(?:[.-][a-z0-9]+)*")
CLAUSE = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+")
WRITTEN = re.compile(r"-?\d{1,9}(\.\d{1,9})?")
SAID_ONCE = "say it once: what is open is not stated, and what is stated does not stand in 'also' again"
_STEPS = ("play", "accept", "reject", "repeat", "meld", "layouts", "value", "expect")
_MAX_TIMES = 100_000


# ---------------------------------------------------------------- writing


def vector(scenario: Scenario) -> dict[str, Any]:
    """The JSON document of a scenario of which all is known that is to be said (see `biriba.scenario.complete`)."""
    document: dict[str, Any] = {
        "format": FORMAT,
        "id": scenario.id,
        "title": scenario.title,
        "level": scenario.level,
        "rulesets": [{"name": name, "version": version} for name, version in scenario.rulesets],
        "clauses": list(scenario.clauses),
        **({"digests": dict(scenario.digests)} if scenario.digests else {}),
        "provenance": _provenance(scenario.provenance),
        **({"form_of": scenario.form_of} if scenario.form_of is not None else {}),
    }
    if scenario.given is not None:
        document["given"] = given_to_json(scenario.given)
    document["steps"] = [_step(step.body) for step in scenario.steps]
    return document


def _provenance(provenance: Provenance) -> dict[str, Any]:
    told: dict[str, Any] = {"kind": provenance.kind}
    if provenance.cases:
        told["cases"] = list(provenance.cases)
    if provenance.note:
        told["note"] = provenance.note
    return told


def given_to_json(given: Given) -> dict[str, Any]:
    """The member ``given`` of a vector."""
    match given:
        case GivenPosition(text=text, data=data, stated=stated):
            return {**({"stated": stated} if stated else {}), "text": text, "position": data}
        case GivenDeck(deck=deck, dealer=dealer, actions=actions, totals=totals, deals=deals):
            told: dict[str, Any] = {"dealer": dealer, "deck": list(deck)}
            if totals:
                told |= {"totals": dict(totals), "deals": deals}
            if actions:
                told["actions"] = [written_to_json(act) for act in actions]
            return told
        case GivenTotals(totals=totals, dealer=dealer, deals=deals):
            return {"totals": dict(totals), "dealer": dealer, "deals": deals}


def _step(body: Body) -> dict[str, Any]:
    match body:
        case Play(act=act):
            return {"play": written_to_json(act)}
        case Accept(act=act):
            return {"accept": written_to_json(act)}
        case Reject(act=act, because=because, malformed=malformed, seat=seat):
            told: dict[str, Any] = {"reject": written_to_json(act)}
            if seat is not None:
                told["seat"] = seat
            if because is not None:
                told["because"] = list(because)
            if malformed:
                told["malformed"] = True
            return told
        case Repeat(times=times, steps=steps):
            return {"repeat": {"times": times, "steps": [_step(step.body) for step in steps]}}
        case Claim(meld=meld, lawful=lawful, because=broken, facts=facts):
            told = {"lawful": lawful, **facts}
            if broken is not None:
                told["because"] = list(broken)
            return {"meld": written_to_json(meld), "is": told}
        case Layouts(cards=cards, melds=melds):
            return {"layouts": [written_to_json(meld) for meld in melds], "of": list(cards)}
        case Value(cards=cards, points=points):
            return {"value": points, "of": list(cards)}
        case Expect(facts=facts, legal=legal, also=also, rest=rest):
            assert rest != DRAFT, "what else has changed has not been found out"
            told = dict(facts)
            if legal is not None:
                told["legal"] = [written_to_json(act) for act in legal]
            if also:
                told["also"] = dict(also)
            if rest == ANY:
                told["rest"] = ANY
            return {"expect": told}


def written_to_json(written: Written) -> dict[str, Any]:
    """An action or a meld as it stands in a vector."""
    return {"text": written.text} if written.data is None else {"text": written.text, "json": written.data}


# ---------------------------------------------------------------- reading


def load_vector(path: Path) -> Scenario:
    """The scenario of a vector file.

    Raises:
        ScenarioError: the file cannot be read, or is not a vector; it says where in the file.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ScenarioError(str(path), f"cannot be read: {error.strerror}") from None
    if len(raw) > MAX_BYTES:
        raise ScenarioError(str(path), f"has {len(raw)} bytes, and {MAX_BYTES} is the most that is read")
    try:
        return read_vector(decode(raw.decode("utf-8")))
    except UnicodeDecodeError as error:
        raise ScenarioError(str(path), f"is not UTF-8 text: byte {error.start} cannot be read") from None
    except JsonError as error:
        where = f"{path}: {error.path}"
        raise ScenarioError(where, error.message.removeprefix(f"{error.path}: "), error.hint) from None


def read_vector(document: Any) -> Scenario:
    """The scenario of a decoded vector.

    Raises:
        JsonError: it is not of the form that a vector has.
    """
    members = Json(document).members(
        "format",
        "id",
        "title",
        "level",
        "rulesets",
        "clauses",
        "provenance",
        "steps",
        optional=("given", "digests", "form_of"),
    )
    if members["format"].integer() != FORMAT:
        hint = "in format 1, what an expectation did not mention was not compared" if document["format"] == 1 else None
        raise members["format"].fault(f"expected format {FORMAT}, found {members['format'].value}", hint)
    return Scenario(
        id=_id(members["id"]),
        title=_text(members["title"]),
        level=members["level"].one_of(LEVELS, "level"),
        rulesets=tuple(_ruleset(item) for item in _some(members["rulesets"])),
        clauses=tuple(_clauses(members["clauses"])),
        provenance=_read_provenance(members["provenance"]),
        given=read_given(members["given"]) if "given" in members else None,
        steps=tuple(_read_step(item) for item in _some(members["steps"])),
        digests=_digests(members["digests"]) if "digests" in members else {},
        form_of=_id(members["form_of"]) if "form_of" in members else None,
    )


def _id(value: Json) -> str:
    return _matching(value, ID, "an id such as 'packet/by-discard'")


def _digests(value: Json) -> dict[str, str]:
    for clause, digest in _object(value).items():
        if not CLAUSE.fullmatch(clause):
            raise digest.fault(f"'{clause[:60]}' is not a clause id such as 'turn.discard'")
    return {clause: _text(digest) for clause, digest in _object(value).items()}


def _ruleset(value: Json) -> tuple[str, str]:
    members = value.members("name", "version")
    return _text(members["name"]), _text(members["version"])


def _read_provenance(value: Json) -> Provenance:
    members = value.members("kind", optional=("cases", "note"))
    return Provenance(
        members["kind"].one_of(KINDS, "kind"),
        tuple(_text(item) for item in _some(members["cases"])) if "cases" in members else (),
        _text(members["note"]) if "note" in members else "",
    )


def read_given(document: Any) -> Given:
    """What the member ``given`` of a vector says.

    Raises:
        JsonError: it is not of its form.
    """
    value = document if isinstance(document, Json) else Json(document, "$.given")
    stated = {"position", "deck", "totals"} & _object(value).keys()
    # A deck beside totals is a deal of a match that stands so.
    kind = "deck" if stated == {"deck", "totals"} else _one_of_members(value, ("position", "deck", "totals"))
    if kind == "position":
        members = value.members("text", "position", optional=("stated",))
        partial = _text(members["stated"]) if "stated" in members else ""
        return GivenPosition(_text(members["text"]), _fields(members["position"]), partial)
    if kind == "deck":
        match = ("totals", "deals") if "totals" in _object(value) else ()
        members = value.members("dealer", "deck", *match, optional=("actions",))
        acts = tuple(_read_written(act) for act in _some(members["actions"])) if "actions" in members else ()
        standing = _standing(members) if match else ({}, 0)
        return GivenDeck(_cards(members["deck"]), _text(members["dealer"]), acts, *standing)
    members = value.members("totals", "dealer", "deals")
    totals, deals = _standing(members)
    return GivenTotals(totals, _text(members["dealer"]), deals)


def _standing(members: Mapping[str, Json]) -> tuple[dict[str, int], int]:
    """The totals by side, and after how many deals."""
    totals = {side: points.integer() for side, points in _object(members["totals"]).items()}
    if not totals:
        raise members["totals"].fault("expected the total of each side")
    return totals, members["deals"].integer(0, 1_000_000)


def _read_step(value: Json) -> Step:
    return Step(_read_body(value), value.path)


def _read_body(value: Json) -> Body:
    kind = _one_of_members(value, _STEPS)
    match kind:
        case "play":
            return Play(_read_written(value.members("play")["play"]))
        case "accept":
            return Accept(_read_written(value.members("accept")["accept"]))
        case "reject":
            return _read_reject(value)
        case "repeat":
            members = value.members("repeat")["repeat"].members("times", "steps")
            steps = tuple(_read_step(item) for item in _some(members["steps"]))
            return Repeat(members["times"].integer(1, _MAX_TIMES), steps)
        case "meld":
            return _read_claim(value.members("meld", "is"))
        case "layouts":
            members = value.members("layouts", "of")
            return Layouts(_cards(members["of"]), tuple(_read_written(item) for item in members["layouts"].items()))
        case "value":
            members = value.members("value", "of")
            return Value(_cards(members["of"]), members["value"].integer())
        case _:
            return _read_expect(value.members("expect")["expect"])


def _read_reject(value: Json) -> Reject:
    members = value.members("reject", optional=("seat", "because", "malformed"))
    malformed = "malformed" in members and members["malformed"].boolean()
    act = _read_written(members["reject"], text_only=malformed)
    if malformed and "because" in members:
        raise members["because"].fault("what is no action at all breaks no clause")
    because = tuple(_clauses(members["because"])) if "because" in members else None
    return Reject(act, because, malformed, _text(members["seat"]) if "seat" in members else None)


def _read_claim(members: Mapping[str, Json]) -> Claim:
    told = _object(members["is"])
    if "lawful" not in told:
        raise members["is"].fault("the member 'lawful' is missing")
    lawful = told.pop("lawful").boolean()
    because = told.pop("because", None)
    if because is not None and lawful:
        raise because.fault("a lawful meld breaks no clause")
    facts = {name: fact.value for name, fact in told.items()}
    for name, fact in told.items():
        _check_fact(name, fact)
    return Claim(_read_written(members["meld"]), lawful, None if because is None else tuple(_clauses(because)), facts)


# What an `expect` object may hold, with the check of each member.
_BY_OWNER = ("zones", "sizes", "holds", "states")
_EXPECT = ("turn", "phase", "over", *_BY_OWNER)
_EXPECT_MORE = (
    *("one_of", "open", "meld", "score", "lines", "written", "legal", "legal_count"),
    *("perft", "view", "match", "deck", "table", "also", "rest"),
)
_ALSO = ("turn", "phase", "zones", "states", "open")


def _read_expect(value: Json) -> Expect:
    members = value.members(optional=(*_EXPECT, *_EXPECT_MORE))
    for name, member in members.items():
        _check_member(name, member)
    legal = tuple(_read_written(act) for act in members.pop("legal").items()) if "legal" in members else None
    also = _fields(members.pop("also")) if "also" in members else {}
    rest = ANY if members.pop("rest", None) is not None else UNCHANGED
    if rest == ANY and also:
        raise value.fault("'also' says what else has changed, and the rest may be anything", "leave one of them out")
    if rest == ANY and not members and legal is None:
        raise value.fault("nothing is expected", f"say something of {', '.join((*_EXPECT, *_EXPECT_MORE))}")
    facts = {name: member.value for name, member in members.items()}
    twice = said_twice(facts, also)
    if twice is not None:
        raise value.fault(f"more than one part of it speaks of '{twice}'", SAID_ONCE)
    return Expect(facts, legal, also, rest)


def _check_member(name: str, member: Json) -> None:
    """Raise a JsonError unless a member of an `expect` object is of its form."""
    match name:
        case "turn" | "phase":
            _text(member)
        case "over":
            member.boolean()
        case "rest":
            member.one_of((ANY,), "rest")
        case "also":
            told = member.members(optional=_ALSO)
            if not told:
                raise member.fault("nothing else is expected", "leave the member out")
            for key, item in told.items():
                _check_member(key, item)
        case "legal_count":
            member.integer(0, 1_000_000)
        case "legal":
            member.items()
        case "perft":
            for count in _some(member):
                count.integer(0)
        case "one_of":
            _check_choices(member)
        case "open":
            for left in _some(member):
                _text(left)
        case "score":
            for points in _object(member).values():
                points.integer()
        case "written":
            for points in _object(member).values():
                _matching(points, WRITTEN, "points as they are written, such as '33.5'")
        case "lines":
            for side in _object(member).values():
                for points in _object(side).values():
                    points.integer()
        case "meld":
            for meld in _object(member).values():
                for quality, fact in _object(meld).items():
                    _check_fact(quality, fact)
        case "view":
            for seat in _object(member).values():
                for zone in seat.members("hides")["hides"].items():
                    _text(zone)
        case "match":
            told = member.members(optional=("over", "winner", "next_dealer"))
            for key, item in told.items():
                item.boolean() if key == "over" else _text(item)
        case "deck":
            told = member.members(optional=("cards", "value", "copies"))
            for key, item in told.items():
                for count in _object(item).values() if key == "copies" else (item,):
                    count.integer()
        case "table":
            told = member.members(optional=("sides", "next", "left", "right"))
            for key, item in told.items():
                for named in _object(item).values():
                    for seat in named.items() if key == "sides" else (named,):
                        _text(seat)
        case "sizes":
            for zone in _object(member).values():
                for size in _object(zone).values() if isinstance(zone.value, dict) else (zone,):
                    size.integer(0, 1_000_000)
        case "zones" | "holds":
            for zone in _object(member).values():
                for contents in _object(zone).values() if isinstance(zone.value, dict) else (zone,):
                    for item in contents.items():
                        if name == "zones" and isinstance(item.value, dict):
                            item.members("template", "key", "low", "cards")
                        else:
                            _text(item)
        case _:
            _object(member)


def _check_choices(member: Json) -> None:
    """Raise a JsonError unless a member states several allowed outcomes."""
    choices = member.items()
    if len(choices) < 2:
        raise member.fault("expected several allowed outcomes", "a single one is expected without 'one_of'")
    allowed = [name for name in (*_EXPECT, *_EXPECT_MORE) if name not in NOT_IN_CHOICES]
    for choice in choices:
        of = choice.members(optional=allowed)
        if not of:
            raise choice.fault("nothing is expected", f"say something of {', '.join(allowed)}")
        for name, item in of.items():
            _check_member(name, item)


def _check_fact(name: str, fact: Json) -> None:
    if not isinstance(fact.value, (bool, int)):
        raise fact.fault(f"'{name}' should be true, false or a whole number")


def _read_written(value: Json, text_only: bool = False) -> Written:
    members = value.members("text") if text_only else value.members("text", "json")
    return Written(_text(members["text"]), None if text_only else _fields(members["json"]))


def _one_of_members(value: Json, names: Collection[str]) -> str:
    """Which one of some members an object has."""
    told = [name for name in _object(value) if name in names]
    if len(told) != 1:
        found = f"found {' and '.join(told)}" if told else f"found {', '.join(_object(value)) or 'no member'}"
        raise value.fault(f"expected one of the members {', '.join(names)}, {found}")
    return told[0]


def _object(value: Json) -> dict[str, Json]:
    return value.members(optional=tuple(value.value) if isinstance(value.value, dict) else ())


def _fields(value: Json) -> dict[str, Data]:
    _object(value)
    return dict(value.value)


def _some(value: Json) -> list[Json]:
    items = value.items()
    if not items:
        raise value.fault("the list is empty")
    return items


def _clauses(value: Json) -> Iterable[str]:
    return [_matching(item, CLAUSE, "a clause id such as 'turn.discard'") for item in _some(value)]


def _cards(value: Json) -> tuple[str, ...]:
    return tuple(_text(item) for item in _some(value))


def _matching(value: Json, pattern: re.Pattern[str], what: str) -> str:
    text = value.string()
    if not pattern.fullmatch(text):
        raise value.fault(f"'{text[:60]}' is not {what}")
    return text


def _text(value: Json) -> str:
    text = value.string()
    if not text.strip():
        raise value.fault("the text is empty")
    return text
