"""`module.yaml`: read, and refused with the place of what is wrong."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from appliance.config import did_you_mean
from appliance.core.errors import SetupError
from appliance.core.jsonable import Json
from appliance.core.near import meant
from appliance.environment.modules.types import (
    Check,
    Cost,
    Module,
    ModuleSpec,
    Variable,
    VariableSpec,
    keys_at,
)
from appliance.system.yaml import LocatedText, YamlError, read_located

MODULE_FILE = "module.yaml"
OUTPUTS = ("id", "name")
"""What every module puts out."""
_NAME = re.compile(r"[a-z][a-z0-9_]*")
"""A module's name becomes a part of names in Terraform."""


class Problem(NamedTuple):
    """Something wrong with a module."""

    file: str
    line: int
    says: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.says}"


class WrongModule(SetupError):
    """Modules that cannot be used."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


def read_module(file: Path) -> Module:
    """The module that a `module.yaml` describes; its folders name the console and the module.

    Raises:
        WrongModule: It cannot be read or is not valid; every problem with its place.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as exc:
        raise WrongModule((Problem(str(file), 1, f"cannot be read: {exc}"),)) from exc
    try:
        located = read_located(text, str(file))
    except YamlError as exc:
        raise WrongModule((Problem(str(file), exc.line, exc.says),)) from exc
    try:
        return _module(file, ModuleSpec.model_validate(_without_null(located.value)))
    except ValidationError as exc:
        raise WrongModule(tuple(_problems(located, exc))) from exc
    except _Wrong as exc:
        line = located.place(exc.path).line
        raise WrongModule((Problem(str(file), line, exc.says),)) from exc


class _Wrong(Exception):
    """What a type cannot say: where in the file, and what is wrong."""

    def __init__(self, path: tuple[str | int, ...], says: str) -> None:
        super().__init__(says)
        self.path, self.says = path, says


def _without_null(value: Any) -> Any:  # Any: YAML
    """The tree with an empty text in place of each null."""
    match value:
        case None:
            return ""
        case dict():
            return {key: _without_null(inner) for key, inner in value.items()}
        case list():
            return [_without_null(inner) for inner in value]
    return value


def _module(file: Path, spec: ModuleSpec) -> Module:
    if not _NAME.fullmatch(file.parent.name):
        raise _Wrong(
            (), f"the folder's name {file.parent.name!r} must be of the form `load_balancer`"
        )
    if missing := [name for name in OUTPUTS if name not in spec.outputs]:
        raise _Wrong(("outputs",), f"`outputs` must have {' and '.join(f'`{m}`' for m in missing)}")
    if spec.named and "name" not in spec.variables:
        raise _Wrong(("named",), "`named` is of no use without a variable `name`")
    if spec.cost.currency == "XXX" and spec.cost.per_hour:
        raise _Wrong(("cost", "currency"), "a price has a currency: XXX says that it is not known")
    if spec.states and "state" not in spec.variables:
        raise _Wrong(("states",), "`states` can only be asked for through a variable `state`")
    for name, variable in spec.variables.items():
        if strangers := [state for state in variable.needed_for if state not in spec.states]:
            at = ("variables", name, "needed_for")
            raise _Wrong(at, f"`{strangers[0]}` is none of the `states` of the module")
    variables = {name: _variable(name, variable) for name, variable in spec.variables.items()}
    return Module(
        console=file.parent.parent.name,
        name=file.parent.name,
        folder=file.parent,
        provides=spec.provides.model_dump(),
        words=spec.words.model_dump(),
        provider=spec.provider,
        named=spec.named,
        variables=variables,
        outputs=spec.outputs,
        check=Check(**spec.check.model_dump()),
        takes_s=spec.takes_s,
        cost=Cost(**spec.cost.model_dump()),
        destroyed_by=spec.destroyed_by,
        time_to_live_minutes=spec.time_to_live_minutes,
        is_shared=spec.is_shared,
        not_applied=spec.not_applied,
        states=spec.states,
    )


def _variable(name: str, spec: VariableSpec) -> Variable:
    at = ("variables", name)
    if spec.is_required and spec.default not in (None, ""):
        raise _Wrong((*at, "default"), f"`{name}` is required: it cannot have a default as well")
    if spec.module and spec.type not in ("string", "list(string)"):
        raise _Wrong((*at, "type"), f"`{name}` takes ids: its type is string or list(string)")
    return Variable(
        name=name,
        type=spec.type,
        description=spec.description,
        is_required=spec.is_required,
        default=_value(name, spec),
        module=spec.module,
        needed_for=spec.needed_for,
        word=spec.word,
    )


def _value(name: str, spec: VariableSpec) -> Json:
    """The default as a value of the variable's type: in the file everything is text."""
    match spec.type, spec.default:
        case _, (None | "" | "null" | "~"):
            return None
        case "string", str(text):
            return text
        case "bool", ("true" | "false" as text):
            return text == "true"
        case "number", str(text) if (number := _number(text)) is not None:
            return number
        case "list(string)", list(items):
            return list(items)
        case "map(string)", dict(items):
            return dict(items)
    raise _Wrong(("variables", name, "default"), f"`default` of `{name}` must be a {spec.type}")


def _number(text: str) -> int | float | None:
    for kind in (int, float):
        try:
            number = kind(text)
        except ValueError:
            continue
        return number if abs(number) < float("inf") else None
    return None


def _problems(located: LocatedText, error: ValidationError) -> Iterator[Problem]:
    errors = [
        (each, tuple(part for part in each["loc"] if _is_there(part))) for each in error.errors()
    ]
    misspelt = {
        (*path[:-1], meant(str(path[-1]), keys_at(path[:-1])))
        for each, path in errors
        if _is_unknown(each)
    }
    for each, path in errors:
        if each["type"] == "missing" and path in misspelt:
            continue  # the unknown key says so
        yield Problem(located.file, located.place(path).line, _explain(each, path))


def _is_unknown(error: Any) -> bool:  # Any: pydantic's ErrorDetails is a loose dict
    return bool(error["type"] == "extra_forbidden")


def _explain(error: Any, path: tuple[str | int, ...]) -> str:  # Any: as above
    name = ".".join(map(str, path))
    if _is_unknown(error):
        keys = keys_at(path[:-1])
        hint = did_you_mean(str(path[-1]), keys)
        return f"unknown key `{path[-1]}`{hint if meant(str(path[-1]), keys) else _list_of(keys)}"
    if error["type"] == "missing":
        return f"`{name}` is missing"
    if not path:
        return (
            f"a module is described by `key: value` entries: {', '.join(ModuleSpec.model_fields)}"
        )
    return f"`{name}`: {error['msg'][:1].lower()}{error['msg'][1:]}"


def _list_of(names: tuple[str, ...]) -> str:
    return f". Known here: {', '.join(names)}."


def _is_there(part: str | int) -> bool:
    """Whether a part of pydantic's place is one of the file; the others name types."""
    return not (isinstance(part, str) and ("[" in part or part in _TYPE_NAMES))


_TYPE_NAMES = frozenset({"str"})
