"""Why something stopped, stands still or is not known: a kind to go by, and a text for people."""

from dataclasses import dataclass
from enum import StrEnum


class CauseKind(StrEnum):
    """What it is."""

    # Why nothing can be attempted at all. Only what a person asked for waits for a person.
    BY_HAND = "by_hand"
    DISK_FULL = "disk_full"
    CONSOLE_DOWN = "console_down"
    WORKERS_AWAY = "workers_away"
    # The boundary at which an attempt failed, or that cannot say what came of it.
    APPLIANCE = "appliance"
    BROWSER = "browser"
    CHECKS = "checks"
    CONSOLE = "console"
    ENVIRONMENT = "environment"
    MODEL = "model"
    OUTCOME = "outcome"
    PERSON = "person"
    POLICY = "policy"
    # What was not done, because it could do harm.
    NOT_ALLOWED = "not_allowed"  # a person or a setting refused it
    NOT_TRIED = "not_tried"  # text and page do not agree on it


_SHOWN = {
    CauseKind.NOT_ALLOWED: "policy: not allowed",
    CauseKind.NOT_TRIED: "policy: not tried",
}


def kind_of(shown: str) -> CauseKind | None:
    """The kind of what an older appliance wrote as `boundary: sentence` only; None: not known."""
    heads = {kind: _SHOWN.get(kind, kind.value) for kind in CauseKind}
    return next((kind for kind, head in heads.items() if shown.startswith(f"{head}: ")), None)


@dataclass(frozen=True, slots=True)
class Cause:
    """Never told from another one by its words."""

    kind: CauseKind
    text: str

    def __str__(self) -> str:
        """`boundary: sentence`, as results show it."""
        return f"{_SHOWN.get(self.kind, self.kind.value)}: {self.text}"
