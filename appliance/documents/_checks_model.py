"""The shape of a checks file, and its way into the core's types."""

import dataclasses
import difflib
import re
from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from appliance.core.checks import (
    AuditEvent,
    Checks,
    Comparison,
    Constraint,
    EventOutcome,
    EventRule,
    Need,
)
from appliance.documents._yaml import Located, Path

_EVENT_FIELDS = tuple(f.name for f in dataclasses.fields(AuditEvent))


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Where(_Part):
    """What a value of an event must be."""

    equals: str | None = None
    matches: str | None = None
    one_of: tuple[str, ...] | None = None

    @field_validator("matches")
    @classmethod
    def _compiles(cls, value: str | None) -> str | None:
        try:
            re.compile(value or "")
        except re.error as error:
            raise ValueError(f"{value!r} is no regular expression: {error}") from error
        return value

    @model_validator(mode="after")
    def _one(self) -> Self:
        if sum(v is not None for v in (self.equals, self.matches, self.one_of)) != 1:
            raise ValueError("give a value, or one of `equals`, `one_of` and `matches`")
        return self


def _plain_is_equals(value: object) -> object:
    return {"equals": value} if isinstance(value, str) else value


class Rule(_Part):
    """An event that must or must not be in the audit log."""

    event: str
    service: str = "*"
    outcome: Literal["success", "failure", "unknown", "any"] = "success"
    at_least: int = Field(1, ge=1)
    where: dict[str, Annotated[Where, BeforeValidator(_plain_is_equals)]] = Field(
        default_factory=dict
    )

    @field_validator("where")
    @classmethod
    def _paths_exist(cls, value: dict[str, Where]) -> dict[str, Where]:
        for path in value:
            head = path.split(".", 1)[0]
            if head not in _EVENT_FIELDS:
                near = _nearest(head, _EVENT_FIELDS)
                raise ValueError(f"an event has no {head!r}{near}")
        return value


def _plain_is_kind(value: object) -> object:
    """`- bucket` is `- bucket: {}`."""
    if isinstance(value, str):
        return {value: {}}
    if isinstance(value, dict):
        return {k: {} if v is None else v for k, v in value.items()}
    return value


class ProcedureChecks(_Part):
    """The checks of one procedure."""

    account: str | None = None
    needs: tuple[Annotated[dict[str, dict[str, str]], BeforeValidator(_plain_is_kind)], ...] = ()
    bindings: dict[str, str] = Field(default_factory=dict)
    expect: tuple[Rule, ...] = ()
    forbid: tuple[Rule, ...] = ()
    skip: str | None = None


class ChecksFile(_Part):
    """A whole file."""

    procedures: dict[str, ProcedureChecks]


def to_checks(model: ProcedureChecks, located: Located, path: Path) -> Checks:
    """The core's type for the checks at `path` of a file."""
    return Checks(
        expect=_rules(model.expect, located, (*path, "expect")),
        forbid=_rules(model.forbid, located, (*path, "forbid")),
        bindings=dict(model.bindings),
        needs=tuple(
            Need(kind=kind, values=values, span=located.place((*path, "needs", index)))
            for index, need in enumerate(model.needs)
            for kind, values in need.items()
        ),
        account=model.account,
        skip=model.skip,
        source=located.file,
    )


def _rules(rules: tuple[Rule, ...], located: Located, path: Path) -> tuple[EventRule, ...]:
    return tuple(
        EventRule(
            event=rule.event,
            service=rule.service,
            where=tuple(_constraint(p, w) for p, w in rule.where.items()),
            outcome=None if rule.outcome == "any" else EventOutcome(rule.outcome),
            at_least=rule.at_least,
            span=located.place((*path, index)),
        )
        for index, rule in enumerate(rules)
    )


def _constraint(path: str, where: Where) -> Constraint:
    if where.one_of is not None:
        return Constraint(path=path, comparison=Comparison.ONE_OF, expected=where.one_of)
    if where.matches is not None:
        return Constraint(path=path, comparison=Comparison.MATCHES, expected=(where.matches,))
    return Constraint(path=path, comparison=Comparison.EQUALS, expected=(where.equals or "",))


_KNOWN: Mapping[str, type[BaseModel]] = {"expect": Rule, "forbid": Rule, "where": Where}
_PLAIN_TYPES = {
    "string_type": "must be a plain value",
    "dict_type": "must be a mapping of names to values",
    "tuple_type": "must be a list",
    "model_type": "must be a mapping of names to values",
    "model_attributes_type": "must be a mapping of names to values",
    "int_parsing": "must be a whole number",
    "missing": "is missing",
}


def explain(error: ValidationError, located: Located) -> str:
    """The first thing wrong with a checks file, as a sentence with file and line."""
    first = error.errors()[0]
    path: Path = tuple(first["loc"])
    place = located.place(path)
    name = ".".join(str(p) for p in path) or "the file"
    if first["type"] == "extra_forbidden":
        known = tuple(_model_at(path[:-1], located).model_fields)
        said = f"unknown key {str(path[-1])!r}{_nearest(str(path[-1]), known)}"
    elif first["type"] in _PLAIN_TYPES:
        said = f"{name} {_PLAIN_TYPES[first['type']]}"
    else:
        said = f"{name}: {first['msg'].removeprefix('Value error, ')}"
    return f"{place.file}:{place.line}: {said}"


def _model_at(path: Path, located: Located) -> type[BaseModel]:
    is_file = isinstance(located.value, dict) and "procedures" in located.value
    rest = path[2:] if is_file else path
    if is_file and len(path) < 2:
        return ChecksFile
    words = [p for p in rest if isinstance(p, str)]
    return next((_KNOWN[w] for w in ("where", "expect", "forbid") if w in words), ProcedureChecks)


def _nearest(word: str, known: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else f"; it may be one of {', '.join(known)}"
