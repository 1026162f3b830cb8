"""Scenarios: the examples of rule files and the conformance vectors, read, run and written.

>>> import biriba
>>> from biriba.scenario import run, spec_examples
>>> rules = biriba.load("biriba")
>>> print(run(spec_examples(rules)[0], rules))
passed  example/deck.values.one-of-each-value: one of each value
"""

from biriba.scenario.examples import parse_example, read_catalogue, read_catalogues, spec_examples
from biriba.scenario.run import Outcome, StepResult, run
from biriba.scenario.scenario import LEVELS, Scenario, ScenarioError
from biriba.scenario.vectors import load_vector, read_vector, vector

__all__ = [
    "LEVELS",
    "Outcome",
    "Scenario",
    "ScenarioError",
    "StepResult",
    "load_vector",
    "parse_example",
    "read_catalogue",
    "read_catalogues",
    "read_vector",
    "run",
    "spec_examples",
    "vector",
]
