"""Where the files lie that the package reads: rule sets, grammars and conformance vectors.

In a checkout they stand beside the `reference` folder; in an installed wheel, in `biriba/data`.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def spec_dir() -> Path:
    """The folder of the rule sets; the variants are in its `variants`."""
    return _folder("spec")


def grammar_dir() -> Path:
    """The folder of the grammars."""
    return _folder("grammar")


def conformance_dir() -> Path:
    """The folder of the conformance vectors."""
    return _folder("conformance")


def _folder(name: str) -> Path:
    installed = _PACKAGE / "data" / name
    return installed if installed.is_dir() else _PACKAGE.parents[1] / name
