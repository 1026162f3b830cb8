"""The processes that tests start find the package where this one has found it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import biriba


@pytest.fixture(autouse=True, scope="session")
def _package_is_found() -> None:
    found = str(Path(biriba.__file__).parents[1])
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (found, os.environ.get("PYTHONPATH"))))
