"""The shape of `module.yaml`. In the file everything is text; `reading.py` makes values of it."""

from pydantic import BaseModel, ConfigDict, Field

from appliance.environment.modules.types import VariableType


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SaidVariable(_Section):
    """One input."""

    type: VariableType
    description: str = Field(min_length=1)
    is_required: bool = False
    default: str | list[str] | dict[str, str] | None = None
    module: str = ""
    needed_for: tuple[str, ...] = ()
    word: str = ""


class SaidCheck(_Section):
    """How one sees that it is there."""

    kind: str = Field(min_length=1)
    state: str = ""


class SaidCost(_Section):
    """What it costs."""

    per_hour: float = Field(ge=0, allow_inf_nan=False)
    currency: str = Field(pattern="^[A-Z]{3}$")
    note: str = ""


class SaidSentences(_Section):
    """A sentence by language."""

    en: str = Field(min_length=1)
    zh: str = Field(min_length=1)


class SaidWords(_Section):
    """What documentation calls it, by language."""

    en: tuple[str, ...] = Field(min_length=1)
    zh: tuple[str, ...] = Field(min_length=1)


class SaidModule(_Section):
    """All of it."""

    provides: SaidSentences
    words: SaidWords
    provider: str = Field(min_length=1)
    named: str = ""
    variables: dict[str, SaidVariable]
    outputs: dict[str, VariableType]
    check: SaidCheck
    takes_s: float = Field(ge=0, allow_inf_nan=False)
    cost: SaidCost
    destroyed_by: str = Field(min_length=1)
    time_to_live_minutes: float | None = Field(None, gt=0, allow_inf_nan=False)
    is_shared: bool = False
    not_applied: str = ""
    states: tuple[str, ...] = ()


def keys_at(path: tuple[str | int, ...]) -> tuple[str, ...]:
    """The keys that may stand at a place."""
    match path:
        case ():
            return tuple(SaidModule.model_fields)
        case ("variables", *_):
            return tuple(SaidVariable.model_fields)
    return tuple(_SECTIONS[str(path[0])].model_fields)


_SECTIONS: dict[str, type[BaseModel]] = {
    "provides": SaidSentences,
    "words": SaidWords,
    "check": SaidCheck,
    "cost": SaidCost,
}
