"""Adapters to begin with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

LANGUAGES = ("python", "javascript", "java")


def write_starter(folder: Path, language: str) -> Iterator[str]:
    """Write an adapter to begin with; says what was written, and what to do next."""
    raise NotImplementedError(language)
