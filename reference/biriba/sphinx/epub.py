"""An EPUB as Sphinx has written it, brought in order: what its pages hold is declared, and it is the same every time.

Sphinx does not declare pictures that stand in the pages themselves, and puts the time of the build into the file.
"""

from __future__ import annotations

import os
import re
import time
import zipfile
from pathlib import Path

_ITEM = re.compile(r'<item id="[^"]*" href="([^"]+)" media-type="application/xhtml\+xml"(?= />)')
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_FIRST = "mimetype"
_EARLIEST = 315532800
"""The first moment that a zip file can name: 1 January 1980, in seconds."""


def put_in_order(built: Path, target: Path) -> None:
    """Write an EPUB anew.

    The moment in it is that of the environment variable SOURCE_DATE_EPOCH, else always the same.
    """
    moment = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", _EARLIEST)), _EARLIEST))
    with zipfile.ZipFile(built) as old:
        files = {name: old.read(name) for name in old.namelist()}
    names = [_FIRST, *sorted(name for name in files if name != _FIRST)]
    package = next(name for name in names if name.endswith(".opf"))
    files[package] = _declared(files[package].decode(), files, moment).encode()
    with zipfile.ZipFile(target, "w") as new:
        for name in names:
            entry = zipfile.ZipInfo(name, moment[:6])
            entry.compress_type = zipfile.ZIP_STORED if name == _FIRST else zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            new.writestr(entry, files[name])


def _declared(package: str, files: dict[str, bytes], moment: time.struct_time) -> str:
    """The package file, with the pages that hold pictures declared as such."""

    def declare(match: re.Match[str]) -> str:
        return match[0] + (' properties="svg"' if b"<svg" in files.get(match[1], b"") else "")

    return _MOMENT.sub(time.strftime("%Y-%m-%dT%H:%M:%SZ", moment), _ITEM.sub(declare, package))
