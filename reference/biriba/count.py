"""Numbers with the thing that is counted, as English has them."""

from __future__ import annotations


def counted(number: float, noun: str) -> str:
    """A number with its noun in the right form; a whole number is written as one.

    >>> counted(1, "card"), counted(0, "card"), counted(1.0, "second"), counted(0.5, "second")
    ('1 card', '0 cards', '1 second', '0.5 seconds')
    """
    shown = int(number) if number == int(number) else number
    return f"{shown} {noun}" if number == 1 else f"{shown} {noun}s"
