"""What can go wrong with an engine."""

from __future__ import annotations


class EngineError(ValueError):
    """A rule set, position or action that an engine cannot be made for; the message is for the user."""
