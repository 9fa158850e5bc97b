"""What a page says to a claim about a field."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Judged:
    """What the page says to one claim."""

    is_true: bool
    shown: str
    """What it says instead."""
