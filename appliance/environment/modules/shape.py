"""The shape of `module.yaml`. In the file everything is text; `reading.py` makes values of it."""

from pydantic import BaseModel, ConfigDict, Field

from appliance.environment.modules.types import VariableType


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
