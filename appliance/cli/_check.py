"""One thing that `appliance doctor` looked at."""

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """How a check ended."""

    OK = "ok"
    WARN = "warn"  # works, but not well
    FAIL = "fail"  # `verify` will not work


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check."""

    name: str
    status: Status
    says: str
    remedy: str = ""
    """What to do about it."""
