"""The package's version, in a module of its own: the build and the command read it without importing more."""

__version__ = "0.1.0"
