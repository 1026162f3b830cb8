"""The conformance harness: vectors put to an implementation as questions, and its answers judged.

>>> from biriba.conformance import Reference, load_suite, run
>>> from biriba.scenario.rulesets import load_named
>>> suite = load_suite("biriba")
>>> report = run(Reference(load_named), suite, suite.chosen(only=["meld/*"]))
>>> report.ok
True

Write a class with the members of `Engine` over your own game, and give it to `run`. Implementations in other
languages speak the protocol of conformance/protocol.md in a process of their own: `conform`, or `biriba conform`.
"""

from biriba.conformance.engine import Engine, Reference, serve
from biriba.conformance.harness import Options, conform, run
from biriba.conformance.protocol import Implementation
from biriba.conformance.results import Report, Result
from biriba.conformance.suite import Suite, load_suite

__all__ = [
    "Engine",
    "Implementation",
    "Options",
    "Reference",
    "Report",
    "Result",
    "Suite",
    "conform",
    "load_suite",
    "run",
    "serve",
]
