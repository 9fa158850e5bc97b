"""Claims: what a documentation says of the console, each with what an attempt saw of it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from appliance.core.jsonable import Place
from appliance.core.source import Span


class ClaimKind(StrEnum):
    """What is said."""

    CONTROL = "control"  # something of this label is there
    MENU_PATH = "menu_path"  # it is reached this way
    FIELD = "field"  # a form has a field of this label
    OPTION = "option"  # a field offers this
    VALUE = "value"  # a field takes this
    DEFAULT = "default"  # a field holds this before anybody touches it
    ROW = "row"  # a list shows this
    PLACE = "place"  # it stands in this dialog, section or column
    TITLE = "title"  # a dialog or page of this title opens
    MESSAGE = "message"  # the console says this
    STATE = "state"  # something is in this state
    INSTRUCTION = "instruction"  # something can be done that bears no label
    LIMIT = "limit"  # what may be entered: lengths, characters, numbers
    REQUIREMENT = "requirement"  # what must, need not or may not be done
    POSITION = "position"  # where on the page, and what it looks like
    PERMISSION = "permission"  # who may do it
    DURATION = "duration"  # how long it takes
    EFFECT = "effect"  # what comes of it
    EXPLANATION = "explanation"  # what something is, or is for


class ClaimStatus(StrEnum):
    """What is known of a claim."""

    CONFIRMED = "confirmed"  # it was seen
    CONTRADICTED = "contradicted"  # there is a finding
    NOT_CHECKED = "not_checked"  # nobody looked, or nobody can see it


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedClaim:
    """What a text says, before anybody has looked."""

    kind: ClaimKind
    text: str
    """The words that say it."""
    span: Span
    """Where they stand in the source."""
    step: str
    """Index of the documented step; empty before the first and after the last."""
    is_read: bool = True
    """Whether a reader without a model knows what to look for."""


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """What an attempt has to say of one claim."""

    claim: int
    """Its position among those of the procedure: the text around it may move."""
    is_confirmed: bool
    reason: str = ""
    """Why it was not checked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a text says, and what an attempt saw of it."""

    kind: ClaimKind
    """What it is about."""
    status: ClaimStatus
    """Whether it was seen, is contradicted by a finding, or was not looked at."""
    text: str
    """The words that say it."""
    line: Place
    """Where they begin, from 1."""
    column: Place
    """Where they begin, from 1."""
    end_line: Place
    """Where they end."""
    end_column: Place
    """Where they end; this column is not part of it."""
    step: str
    """Index of the documented step; empty outside the steps."""
    reason: str = ""
    """Why it was not checked; empty for the others."""
    quote: str = ""
    """Words of a page by which a model confirmed it; empty: it was measured."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of the claims somebody looked at."""

    confirmed: int = 0
    contradicted: int = 0
    not_checked: int = 0

    @classmethod
    def of(cls, statuses: Iterable[ClaimStatus]) -> Self:
        """Counted."""
        by = Counter(statuses)
        return cls(
            by[ClaimStatus.CONFIRMED], by[ClaimStatus.CONTRADICTED], by[ClaimStatus.NOT_CHECKED]
        )

    @property
    def is_full(self) -> bool:
        """Whether there is anything, and all of it was seen."""
        return self.confirmed == self.total > 0

    @property
    def checked(self) -> int:
        """Confirmed or contradicted."""
        return self.confirmed + self.contradicted

    @property
    def total(self) -> int:
        """All."""
        return self.checked + self.not_checked

    def __add__(self, other: "Coverage") -> "Coverage":
        return Coverage(
            self.confirmed + other.confirmed,
            self.contradicted + other.contradicted,
            self.not_checked + other.not_checked,
        )


def coverage_of(claims: Iterable[Claim]) -> Coverage:
    """Counts by status."""
    return Coverage.of(claim.status for claim in claims)
