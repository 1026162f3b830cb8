"""Rule sets for property tests: pieces of all rule sets with slips in them, and with their white space stirred."""

from __future__ import annotations

import re

from hypothesis import strategies as st

from biriba.data import spec_dir
from tests.language.rulefiles import CANONICAL

_BEGINS = r"(?m)^(?=(?:replace )?clause |parameter |set |drop )"
_HEADER, *_PARTS = re.split(_BEGINS, CANONICAL)
for _path in sorted(spec_dir().rglob("*.rules")):
    if _path.stem != "biriba":
        _PARTS += re.split(_BEGINS, _path.read_text(encoding="utf-8"))[1:]
_PIECE = re.compile(r'"[^"\n]*"|\w+|[ \t]+|\n|.')
_ODD = (
    "(",
    ")",
    "[",
    "]",
    '"',
    "#",
    "|",
    ":",
    "..",
    "-",
    "\t",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\0",
    "and",
    "if",
)


@st.composite
def excerpts(draw: st.DrawFn) -> str:
    """The canonical header with some parameters and clauses of any rule sets."""
    return _HEADER + "".join(draw(st.lists(st.sampled_from(_PARTS), min_size=1, max_size=6)))


@st.composite
def with_slips(draw: st.DrawFn) -> str:
    """An excerpt in which some lines, words or characters are lost, doubled, swapped, new or the last."""
    text = draw(excerpts())
    for _ in range(draw(st.integers(1, 4))):
        unit = draw(st.sampled_from((r"[^\n]*\n", _PIECE, r"(?s).")))
        pieces = re.findall(unit, text)
        if not pieces:
            break
        i, j = draw(st.integers(0, len(pieces) - 1)), draw(st.integers(0, len(pieces) - 1))
        match draw(st.sampled_from(("lose", "double", "swap", "add", "end"))):
            case "lose":
                del pieces[i]
            case "double":
                pieces.insert(j, pieces[i])
            case "swap":
                pieces[i], pieces[j] = pieces[j], pieces[i]
            case "add":
                pieces.insert(i, draw(st.sampled_from(_ODD) | st.text(max_size=3)))
            case "end":
                del pieces[i:]
        text = "".join(pieces)
    return text


@st.composite
def stirred(draw: st.DrawFn) -> tuple[str, str]:
    """An excerpt, and the same with other white space, blank lines and comments."""
    original = draw(excerpts())
    step = draw(st.sampled_from((1, 2, 3, 5)))
    lines: list[str] = []
    for line in original.splitlines():
        lines.extend(
            draw(st.sampled_from(((), (), (), ("",), ("", " "), ("# note",), ("     # deep",), ("", "#", ""))))
        )
        code = line.lstrip(" ")
        indent = " " * ((len(line) - len(code)) // 2 * step)
        if code and not code.startswith("#"):
            blank = " " * draw(st.integers(1, 3))
            code = "".join(blank if piece.isspace() else piece for piece in _PIECE.findall(code))
            code += draw(st.sampled_from(("", "", "", " ", "  # why", "# why not?")))
        lines.append(indent + code)
    end = draw(st.sampled_from(("\n", "\r\n")))
    return original, end.join(lines) + draw(st.sampled_from(("", end, end + end, end + "# last")))
