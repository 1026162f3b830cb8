"""The generated source under numba: tables and states are arrays, and every function is compiled.

Compiled code is kept on disk beside the source, in the folder of the cache, by the hash of the source.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from biriba.cache import cache_folder
from biriba.engine import runtime
from biriba.engine.errors import EngineError
from biriba.files import replacing

if TYPE_CHECKING:
    from biriba.engine.generate import Generator

MOST_BITS = 63
"""What fits in an integer of 64 bits with a sign."""


def load(generator: Generator, source: str) -> ModuleType:
    """The module of a generated source, compiled by numba as its functions are first called.

    Raises:
        EngineError: numba is not installed, or the rule set needs larger integers.
    """
    try:
        import numba
        import numpy
    except ImportError:
        raise EngineError("the fast engine needs numba: pip install 'biriba[fast]'") from None
    _check(generator, source)

    def ints(n: int) -> Any:
        return numpy.zeros(n, dtype=numpy.int64)

    def wider(cells: Any) -> Any:
        found = numpy.zeros(2 * len(cells) + 8, dtype=numpy.int64)
        found[: len(cells)] = cells
        return found

    def how_many(x: int) -> int:
        x = x - (x >> 1 & 0x5555555555555555)
        x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333)
        return ((x + (x >> 4) & 0x0F0F0F0F0F0F0F0F) * 0x0101010101010101 >> 56) & 127

    def same(m: int) -> int:
        return m

    def table(values: Sequence[int]) -> Any:
        return numpy.array(values, dtype=numpy.int64)

    def heads(*args: Any) -> tuple[Any, ...]:
        lawful, *others = args
        found = runtime.heads(lawful.py_func, *others)
        return numpy.frombuffer(found[0], dtype=numpy.int8), *map(table, found[1:])

    def live(*args: Any) -> Any:
        return table(runtime.live(*args))

    path = _kept(source)
    compiled: Callable[..., Any] = numba.njit(cache=True, error_model="numpy")
    names = {
        "compiled": compiled,
        "remembered": compiled,
        "listing": compiled,
        "alike": lambda growths: numba.njit(same),
        "table": table,
        "ints": numba.njit(ints),
        "wider": numba.njit(wider),
        "how_many": numba.njit(how_many),
        "heads": heads,
        "live": live,
    }
    # What numba kept on disk is found again only for a module that can be looked up by its name.
    module = ModuleType(path.stem)
    module.__file__ = str(path)
    sys.modules[path.stem] = module
    vars(module).update(names)
    exec(compile(source, str(path), "exec"), vars(module))
    return module


def _check(generator: Generator, source: str) -> None:
    """Whether everything fits in the integers of numba."""
    codec, name = generator.codec, generator.rules.name
    most = generator.limits.most
    sizes = [
        min(n, codec.places) * codec.digit if sequence else len(options[0]) * codec.group_digit
        for n, sequence, options in zip(most, codec.in_sequence, codec.options, strict=True)
    ]
    others = [f for fields in generator.packing.fields.values() for f in fields if f.param.domain != "new_meld"]
    bits = max(
        [codec.digits_at + generator.packing.number_bits + max(sizes, default=0), *(f.at + f.bits for f in others)]
    )
    if bits > MOST_BITS or len(generator.rules.cards.faces) > MOST_BITS - 1:
        raise EngineError(f"{name} needs integers of {bits} bits, and numba has {MOST_BITS}: use the engine in Python")


def is_compiled(source: str) -> bool:
    """Whether numba has compiled a source on this machine before."""
    path = _path(source)
    return any(path.parent.glob(f"__pycache__/{path.stem}.whole_deal-*.nbi"))


def _path(source: str) -> Path:
    folder = (cache_folder() or Path(tempfile.gettempdir()) / f"biriba-{os.getuid()}") / "engines"
    return folder / f"engine_{hashlib.sha256(source.encode()).hexdigest()[:16]}.py"


def _kept(source: str) -> Path:
    """The file in which the source is kept, written if it is not there."""
    path = _path(source)
    folder = path.parent
    try:
        if not path.exists() or path.read_text(encoding="utf-8") != source:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with replacing(path) as aside:
                aside.write_text(source, encoding="utf-8")
    except OSError as error:
        raise EngineError(f"{error.filename}: {error.strerror}; the fast engine keeps its source there") from None
    return path
