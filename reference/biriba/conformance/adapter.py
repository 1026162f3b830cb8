"""The reference as an adapter: `python -m biriba.conformance.adapter` speaks the protocol."""

from __future__ import annotations

from biriba.conformance.engine import Reference, serve
from biriba.scenario.rulesets import load_named


def main() -> None:
    """Answer until standard input ends."""
    serve(Reference(load_named))


if __name__ == "__main__":
    main()
