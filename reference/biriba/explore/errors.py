"""Errors of mass play."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class ExploreError(ValueError):
    """Something that the user asked for and that cannot be done; the message says what to do."""


class SettingError(ExploreError):
    """A value that a parameter cannot have, or a parameter that there is not.

    Attributes:
        name: the parameter.
    """

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


def need(module: str, extra: str) -> Any:
    """A module of an optional dependency.

    Raises:
        ExploreError: it is not installed; the message says how to install it.
    """
    try:
        return import_module(module)
    except ImportError:
        name = module.partition(".")[0]
        raise ExploreError(f"this needs {name}, which is not installed: pip install 'biriba[{extra}]'") from None
