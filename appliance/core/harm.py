"""What may hurt when it is wrong, or when it is done twice."""

from dataclasses import dataclass
from enum import StrEnum


class Harm(StrEnum):
    """Kinds of it; the values are the settings' names (`agent.sensitive`)."""

    DELETE = "delete"
    PAY = "pay"
    IDENTITY = "identity"
    CHANGE = "change"  # of what was there before, in a console that cannot put it back


@dataclass(frozen=True, slots=True, kw_only=True)
class HarmfulAction:
    """Something that hurts when it is wrong, and was perhaps done."""

    harm: Harm
    control: str
    things: frozenset[str]
