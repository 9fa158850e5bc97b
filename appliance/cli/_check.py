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


def fine(name: str, says: str) -> CheckResult:
    """It works."""
    return CheckResult(name, Status.OK, says)


def warning(name: str, says: str, remedy: str = "") -> CheckResult:
    """It works, but not well."""
    return CheckResult(name, Status.WARN, says, remedy)


def failure(name: str, says: str, remedy: str = "") -> CheckResult:
    """`verify` will not work."""
    return CheckResult(name, Status.FAIL, says, remedy)
