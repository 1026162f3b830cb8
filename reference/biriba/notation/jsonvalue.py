"""JSON values with their place in the document, so that a complaint can say where."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from biriba.notation.errors import JsonError, quoted
from biriba.suggest import did_you_mean

_MAX_DIGITS = 18
_LISTED = 12


@dataclass(frozen=True, slots=True)
class Json:
    """A decoded JSON value and its path; each method reads it as what it should be, or raises `JsonError`."""

    value: Any
    path: str = "$"

    def fault(self, message: str, hint: str | None = None) -> JsonError:
        """The error for this value."""
        return JsonError(self.path, message, hint)

    def members(self, *names: str, optional: Collection[str] = ()) -> dict[str, Json]:
        """The members of an object that has just these; the optional ones may be missing."""
        if not isinstance(self.value, dict):
            raise self.fault(f"expected an object, found {_called(self.value)}")
        for name in self.value:
            if name not in names and name not in optional:
                hint = did_you_mean(str(name), [*names, *optional]) or self._known([*names, *optional])
                raise self.fault(f"there is no member {quoted(str(name))} here", hint)
        for name in names:
            if name not in self.value:
                raise self.fault(f"the member {quoted(name)} is missing")
        return {str(name): Json(value, self.path + _step(str(name))) for name, value in self.value.items()}

    def items(self) -> list[Json]:
        """The items of a list."""
        if not isinstance(self.value, (list, tuple)):
            raise self.fault(f"expected a list, found {_called(self.value)}")
        return [Json(value, f"{self.path}[{i}]") for i, value in enumerate(self.value)]

    def string(self) -> str:
        if not isinstance(self.value, str):
            raise self.fault(f"expected a string, found {_called(self.value)}")
        return self.value

    def boolean(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.fault(f"expected true or false, found {_called(self.value)}")
        return self.value

    def integer(self, low: int | None = None, high: int | None = None) -> int:
        """A whole number between inclusive bounds."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.fault(f"expected a whole number, found {_called(self.value)}")
        if not -(10**_MAX_DIGITS) < self.value < 10**_MAX_DIGITS:
            raise self.fault("the number is too large")
        if (low is not None and self.value < low) or (high is not None and self.value > high):
            bounds = f"{'' if low is None else low}..{'' if high is None else high}"
            raise self.fault(f"expected a number in {bounds}, found {self.value}")
        return self.value

    def one_of(self, words: Collection[str], called: str) -> str:
        """One of some words."""
        word = self.string()
        if word not in words:
            raise self.fault(f"there is no {called} {quoted(word)}", did_you_mean(word, words) or self._known(words))
        return word

    def _known(self, names: Collection[str]) -> str | None:
        return f"known here: {', '.join(names)}" if 0 < len(names) <= _LISTED else None


def decode(text: str) -> Any:
    """The value of a JSON text.

    Raises:
        JsonError: it is no JSON, or has a member twice, a number too large, or no end of nesting.
    """
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_int=_whole, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        told = error.msg[:1].lower() + error.msg[1:].removesuffix(" at")
        message = f"this is no JSON: {told} at line {error.lineno}, column {error.colno}"
        raise JsonError("$", message) from None
    except RecursionError:
        raise JsonError("$", "the JSON is nested too deeply") from None


def encode(value: Any, indent: int | None = None) -> str:
    """The JSON text of a value."""
    return json.dumps(value, ensure_ascii=False, indent=indent)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise JsonError("$", f"an object has the member {quoted(twice)} twice")
    return found


def _whole(digits: str) -> int:
    if len(digits) > _MAX_DIGITS + 1:
        raise JsonError("$", f"the number {quoted(digits)} is too large")
    return int(digits)


def _no_number(name: str) -> float:
    raise JsonError("$", f"{name} is no JSON number")


def _step(name: str) -> str:
    return f".{name}" if name.isascii() and name.isidentifier() else f"[{quoted(name)}]"


def _called(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case list() | tuple():
            return "a list"
        case dict():
            return "an object"
        case _:
            return f"a {type(value).__name__}"
