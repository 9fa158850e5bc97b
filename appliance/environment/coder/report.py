"""What became of a request for resources."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from appliance.core.jsonable import Json, json_object

SCHEMA_VERSION = 1
_MOST_SAID = 3
"""Problems in the text for the agent; all are in the JSON form."""


class Stage(StrEnum):
    """The stage at which a round ended."""

    ANSWER = "answer"  # the model said nothing that could be used
    LOOK = "look"  # what it wrote must not run
    VALIDATE = "validate"  # Terraform finds it wrong
    PLAN = "plan"  # the plan cannot be made
    POLICY = "policy"  # the plan must not be carried out
    APPLY = "apply"  # the cloud refused, and what was made until then was destroyed
    DONE = "done"  # made


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One answer of the model, and how far it came."""

    stage: Stage
    hcl: str = ""
    """What it answered, as it said it."""
    problems: tuple[str, ...] = ()
    tokens_in: int = 0
    tokens_out: int = 0
    took_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """One resource that now exists."""

    kind: str
    """The type of the resource, without its provider: `bucket`."""
    name: str
    id: str
    type: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name or '(without a name)'} (id {self.id})"


@dataclass(frozen=True, slots=True, kw_only=True)
class CoderReport:
    """What was asked for, what was tried, and what is there now."""

    request: str
    console: str
    prompt: str
    """The version of the prompts."""
    provider: str
    """Its local name, and where it comes from."""
    source: str
    rounds: tuple[Round, ...] = ()
    made: tuple[Made, ...] = ()
    """Empty: nothing was, or it is gone again."""
    outputs: Mapping[str, Json] = field(default_factory=dict)
    """Those of the configuration, `id` and `name` among them."""
    hcl: str = ""
    """The configuration that worked, as it ran, in Terraform's JSON syntax; empty: none did."""
    cost_per_hour: float = 0.0
    currency: str = ""
    apply_s: float = 0.0
    problem: str = ""
    """Why nothing was made; empty: something was."""
    boundary: str = ""
    """Who is to blame for that: `model`, `environment`; empty: nobody, it is not possible."""
    left: tuple[Made, ...] = ()
    """What was made and could not be destroyed again: it stays in the state."""
    took_s: float = 0.0

    @property
    def is_made(self) -> bool:
        """Whether what was asked for is there."""
        return bool(self.made) and not self.problem

    @property
    def tokens(self) -> int:
        """All tokens, in and out."""
        return sum(each.tokens_in + each.tokens_out for each in self.rounds)

    @property
    def text(self) -> str:
        """What the agent is told."""
        if self.is_made:
            return f"Made for your request: {'; '.join(map(str, self.made))}."
        last = self.rounds[-1].problems[:_MOST_SAID] if self.rounds else ()
        detail = f" ({'; '.join(last)})" if last else ""
        return f"Not made: {self.problem.rstrip('.')}{detail}. Do not ask for it again."

    def as_json(self) -> dict[str, Json]:
        """For results, the store and the wire."""
        return {
            "schema_version": SCHEMA_VERSION,
            "is_made": self.is_made,
            "text": self.text,
            **json_object(self),
        }
