"""The reference as an adapter: `python -m biriba.conformance.adapter [RULES...]` speaks the protocol.

It plays by all rule sets that come with it, and by the named ones, which may be files.
"""

from __future__ import annotations

import sys

from biriba.conformance.engine import Reference, serve
from biriba.scenario.rulesets import load_named


def main() -> None:
    """Answer until standard input ends."""
    serve(Reference(load_named, [load_named(name) for name in sys.argv[1:]]))


if __name__ == "__main__":
    main()
