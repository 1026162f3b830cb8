"""A fast engine, generated as Python source from a compiled rule set; it is the interpreter, only faster."""

from __future__ import annotations

from biriba.engine.engine import Engine
from biriba.engine.errors import EngineError

__all__ = ["Engine", "EngineError"]
