"""A resource module: what its `module.yaml` says."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from appliance.core.jsonable import Json

VariableType = Literal["string", "number", "bool", "list(string)", "map(string)"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """One input of a module."""

    name: str
    type: VariableType
    description: str
    is_required: bool = False
    default: Json = None
    module: str = ""
    """The module whose `id` goes in (`network`): a need may name such a thing, and where it is
    required and nobody names one, one is made. Empty: a plain value."""
    word: str = ""
    """What a need calls it, where Terraform keeps that name for itself (`source`); empty: as it
    is called."""
    needed_for: tuple[str, ...] = ()
    """States in which it is needed although it is not otherwise: an attached disk's instance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """How one sees that what the module made is there and ready."""

    kind: str
    """The console adapter's word for it, as in its inventory."""
    state: str = ""
    """The state that it has to be in; empty: any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What it costs while it is there."""

    per_hour: float
    currency: str
    """By ISO 4217; `XXX`, its code for no currency: nobody knows the price, and 0 means nothing."""
    note: str = ""
    """Where the figure comes from, and of which day."""

    @property
    def is_known(self) -> bool:
        """Whether the cost is known."""
        return self.currency != "XXX"


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """A Terraform module with what one has to know to choose, apply and remove it."""

    console: str
    """Kind of console that it is for: `practice`, `openstack`, `alicloud`, `aws`."""
    name: str
    """The word of needs and annotations: `disk`. The name of its folder."""
    folder: Path
    provides: Mapping[str, str]
    """A sentence by language (`en`, `zh`)."""
    words: Mapping[str, tuple[str, ...]]
    """What documentation calls it, by language, singular: `disk`, `cloud disk`, `云盘`."""
    provider: str
    """Its provider's local name."""
    variables: Mapping[str, Variable]
    outputs: Mapping[str, str]
    """Types by name; `id` and `name` are always there."""
    check: Check
    takes_s: float
    """How long an apply takes, as measured, else at most, as the provider waits; 0: not known."""
    cost: Cost
    destroyed_by: str
    """In words, for people: what goes with it, what stays, what has to be done first."""
    named: str = ""
    """What one is called that nobody named (`disk-${unique}`); empty: it has no name to give."""
    time_to_live_minutes: float | None = None
    is_shared: bool = False
    """Whether one may serve several attempts, where no need gives it values of its own."""
    not_applied: str = ""
    """Why it was never applied for real; empty: tests apply it."""
    states: tuple[str, ...] = field(default_factory=tuple)
    """States that a need may ask for (`state: stopped`), through the variable `state`."""

    def variable(self, word: str) -> Variable | None:
        """The input that a need calls by this word; None: there is none."""
        by_word = {v.word: v for v in self.variables.values() if v.word}
        return by_word.get(word) or self.variables.get(word)

    @property
    def references(self) -> Mapping[str, str]:
        """The modules that one needs, by variable."""
        return {v.name: v.module for v in self.variables.values() if v.module and v.is_required}


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class VariableSpec(_Section):
    """An input of a module, as `module.yaml` describes it."""

    type: VariableType
    description: str = Field(min_length=1)
    is_required: bool = False
    default: str | list[str] | dict[str, str] | None = None
    module: str = ""
    needed_for: tuple[str, ...] = ()
    word: str = ""


class CheckSpec(_Section):
    """How to see that the resource exists."""

    kind: str = Field(min_length=1)
    state: str = ""


class CostSpec(_Section):
    """The price of the resource."""

    per_hour: float = Field(ge=0, allow_inf_nan=False)
    currency: str = Field(pattern="^[A-Z]{3}$")
    note: str = ""


class SentencesSpec(_Section):
    """A sentence by language."""

    en: str = Field(min_length=1)
    zh: str = Field(min_length=1)


class WordsSpec(_Section):
    """What documentation calls it, by language."""

    en: tuple[str, ...] = Field(min_length=1)
    zh: tuple[str, ...] = Field(min_length=1)


class ModuleSpec(_Section):
    """A whole `module.yaml`."""

    provides: SentencesSpec
    words: WordsSpec
    provider: str = Field(min_length=1)
    named: str = ""
    variables: dict[str, VariableSpec]
    outputs: dict[str, VariableType]
    check: CheckSpec
    takes_s: float = Field(ge=0, allow_inf_nan=False)
    cost: CostSpec
    destroyed_by: str = Field(min_length=1)
    time_to_live_minutes: float | None = Field(None, gt=0, allow_inf_nan=False)
    is_shared: bool = False
    not_applied: str = ""
    states: tuple[str, ...] = ()


def keys_at(path: tuple[str | int, ...]) -> tuple[str, ...]:
    """The keys that may stand at a place."""
    match path:
        case ():
            return tuple(ModuleSpec.model_fields)
        case ("variables", *_):
            return tuple(VariableSpec.model_fields)
    return tuple(_SECTIONS[str(path[0])].model_fields)


_SECTIONS: dict[str, type[BaseModel]] = {
    "provides": SentencesSpec,
    "words": WordsSpec,
    "check": CheckSpec,
    "cost": CostSpec,
}
