"""The one place where Z3 is imported: it comes without type stubs and is an optional extra."""

from __future__ import annotations

from importlib import import_module, metadata
from typing import Any

HOW_TO_INSTALL = (
    "the proofs need Z3, which is not installed: pip install 'biriba[proofs]'; "
    "in a checkout of the project: pip install -e '.[proofs]'"
)


class MissingZ3(Exception):
    """Z3 is not installed; the message says how to get it."""

    def __init__(self) -> None:
        super().__init__(HOW_TO_INSTALL)


def z3_version() -> str:
    """The version of the installed Z3, found without loading it. Raises `MissingZ3`."""
    try:
        return metadata.version("z3-solver")
    except metadata.PackageNotFoundError:
        raise MissingZ3 from None


def load_z3() -> Any:
    """The module `z3`. Raises `MissingZ3`."""
    try:
        import z3
    except ImportError:
        raise MissingZ3 from None
    return z3


class _Z3:
    """The module `z3`, loaded when it is first used."""

    def __getattr__(self, name: str) -> Any:
        value = getattr(load_z3(), name)
        setattr(self, name, value)
        return value


z3: Any = _Z3()


def begin_anew() -> None:
    """Let Z3 forget all that was asked of it in this process, so that it does not change the next answers.

    Terms made before cannot be used together with those made afterwards.
    """
    # Z3 makes its main context again when it has none. There is no public way to ask for that.
    setattr(import_module("z3.z3"), "_main_ctx", None)  # noqa: B010
