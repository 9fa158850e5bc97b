"""What is kept of a verified attempt, so that it can be done again without a reader."""

import json
from dataclasses import dataclass
from functools import cache

from pydantic import TypeAdapter, ValidationError

from appliance.core.actions import ActionKind
from appliance.core.claims import ClaimCheck
from appliance.core.jsonable import to_jsonable
from appliance.policy.base import StepReport
from appliance.policy.replay.skeleton import Row
from appliance.policy.replay.target import Target

VERSION = 2
"""Of what is kept and how it is compared: recipes of another version are not used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """What was done on a page, and what was said of the text when it was done."""

    kind: ActionKind
    target: Target | None
    to: Target | None
    """For `drag`."""
    text: str
    """Template: `${name}` stands for a value of the attempt."""
    checked: bool
    step: str
    thought: str
    reports: tuple[StepReport, ...]
    checks: tuple[ClaimCheck, ...]
    """What was seen of the text's claims: on pages that are the same, it is seen again."""

    @property
    def is_last(self) -> bool:
        """Whether nothing comes after it."""
        return self.kind is ActionKind.COMPLETE


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A page as it was when something was done on it."""

    page: tuple[str, ...]
    """The lines of its skeleton."""
    rows: tuple[Row, ...]
    """What its rows showed of the attempt's own things."""
    notices: tuple[str, ...]
    """Messages that came since the last move."""
    events: tuple[str, ...]
    """What happened to the page since the last move."""
    seen: tuple[str, ...]
    """Phrases of the procedure that were shown since the last move, if only for a moment."""
    waited_s: float
    """How long the reader waited for it."""
    move: Move


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A verified attempt: belongs to a procedure's text in a console, in one language."""

    version: int
    """Of the compiler."""
    procedure_id: str
    text_hash: str
    locale: str
    tier: str
    """The policy whose attempt it was."""
    bindings: tuple[tuple[str, str, str], ...]
    """What was bound: name, form, and the first name of equal value."""
    stages: tuple[Stage, ...]

    def to_json(self) -> str:
        """As text for the store."""
        return json.dumps(to_jsonable(self), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> "Recipe | None":
        """The way back; None where another compiler made it."""
        try:
            recipe = _adapter().validate_json(text)
        except ValidationError:
            return None
        return recipe if recipe.version == VERSION else None


@cache
def _adapter() -> TypeAdapter[Recipe]:
    return TypeAdapter(Recipe)
