"""The shape of a checks file, and its way into the core's types."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from appliance.core.checks import Checks, Need
from appliance.documents._checks_names import RuleReader
from appliance.documents._checks_rules import (
    ANY_OF,
    IN_ORDER,
    RULE,
    Expected,
    Forbidden,
    Part,
    Rule,
    Where,
    nearest,
)
from appliance.system.yaml import LocatedText, Path, Value, entry


def _plain_is_kind(value: object) -> object:
    """`- bucket` is `- bucket: {}`."""
    if isinstance(value, str):
        return {value: {}}
    if isinstance(value, dict):
        return {k: {} if v is None else v for k, v in value.items()}
    return value


class ProcedureChecks(Part):
    """The checks of one procedure."""

    account: str | None = None
    needs: tuple[Annotated[dict[str, dict[str, str]], BeforeValidator(_plain_is_kind)], ...] = ()
    bindings: dict[str, str] = Field(default_factory=dict)
    expect: tuple[Expected, ...] = ()
    forbid: tuple[Forbidden, ...] = ()
    start: str = ""
    skip: str | None = None


class ChecksFile(Part):
    """A checks file."""

    procedures: dict[str, ProcedureChecks]


def to_checks(model: ProcedureChecks, located: LocatedText, path: Path) -> Checks:
    """The core's type for the checks at `path` of a file.

    Raises:
        DocumentError: A rule refers to what is not there.
    """
    rules = RuleReader(located, model.bindings)
    return Checks(
        expect=rules.expected(model.expect, (*path, "expect")),
        forbid=rules.forbidden(model.forbid, (*path, "forbid")),
        bindings=dict(model.bindings),
        needs=tuple(
            Need(kind=kind, values=values, span=located.place((*path, "needs", index)))
            for index, need in enumerate(model.needs)
            for kind, values in need.items()
        ),
        account=model.account,
        start=model.start,
        skip=model.skip,
        source=located.file,
    )


_MODELS: Mapping[str, type[BaseModel]] = {
    "where": Where,
    "any_of": Rule,
    "in_order": Rule,
    "expect": Rule,
    "forbid": Forbidden,
}
"""What stands below a key, the innermost first."""
_LISTS = ("expect", "any_of", "in_order")
_PLAIN_TYPES = {
    "string_type": "must be a plain value",
    "dict_type": "must be a mapping of names to values",
    "tuple_type": "must be a list",
    "model_type": "must be a mapping of names to values",
    "model_attributes_type": "must be a mapping of names to values",
    "int_parsing": "must be a whole number",
    "bool_parsing": "must be true or false",
    "too_short": "must have two entries at least",
    "missing": "is missing",
}


def explain(error: ValidationError, located: LocatedText) -> str:
    """The first thing wrong with a checks file, as a sentence with file and line."""
    problems = [(_as_written(e["loc"], located.value), e) for e in error.errors()]
    path, first = problems[0]
    if first["type"] == "missing":  # "evnt" explains why there is no "event"
        unknown = [
            p for p in problems if p[1]["type"] == "extra_forbidden" and p[0][:-1] == path[:-1]
        ]
        path, first = unknown[0] if unknown else (path, first)
    place = located.place(path)
    name = ".".join(str(p) for p in path) or "the file"
    if first["type"] == "extra_forbidden":
        key = str(path[-1])
        known_keys = _known_at(path[:-1], is_file=error.title == ChecksFile.__name__)
        problem = f"unknown key {key!r}{nearest(key, known_keys)}"
    elif first["type"] in _PLAIN_TYPES:
        problem = f"{name} {_PLAIN_TYPES[first['type']]}"
    else:
        problem = f"{name}: {first['msg'].removeprefix('Value error, ')}"
    return f"{place.file}:{place.line}: {problem}"


def _as_written(loc: Path, value: Value) -> Path:
    """The place of an error without what stands in no file: kinds, and lists of one."""
    path: list[str | int] = []
    for part in loc:
        is_added = part in (RULE, ANY_OF, IN_ORDER) or (
            isinstance(part, int) and not isinstance(value, list)
        )
        if not is_added:
            path.append(part)
            value = entry(value, part)
    return tuple(path)


def _known_at(path: Path, *, is_file: bool) -> tuple[str, ...]:
    """The keys that may stand at a place."""
    if is_file and len(path) < 2:
        return tuple(ChecksFile.model_fields)
    words = [p for p in (path[2:] if is_file else path) if isinstance(p, str)]
    if not words:
        return _keys(ProcedureChecks)
    model = next((_MODELS[w] for w in _MODELS if w in words), ProcedureChecks)
    around = ("any_of", "in_order") if words[-1] in _LISTS else ()
    return (*_keys(model), *around)


def _keys(model: type[BaseModel]) -> tuple[str, ...]:
    return tuple(field.alias or name for name, field in model.model_fields.items())
