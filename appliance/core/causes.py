"""Why something stands still: a kind to go by, and a text for people."""

from dataclasses import dataclass
from enum import StrEnum


class CauseKind(StrEnum):
    """What it is. Only what a person asked for waits for a person."""

    BY_HAND = "by_hand"
    DISK_FULL = "disk_full"
    CONSOLE_DOWN = "console_down"


@dataclass(frozen=True, slots=True)
class Cause:
    """Never told from another one by its words."""

    kind: CauseKind
    text: str
