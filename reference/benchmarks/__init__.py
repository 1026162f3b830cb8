"""Benchmarks: run them as modules, ``python -m benchmarks.actions`` from the folder `reference`."""
