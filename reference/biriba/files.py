"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A place beside a file: what is written there takes the file's place, or is gone if something goes wrong.

    Errors: `OSError`, as of whatever is written.
    """
    aside = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
    try:
        yield aside
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
