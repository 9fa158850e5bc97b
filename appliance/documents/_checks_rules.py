"""The shape of audit rules in a checks file."""

import dataclasses
import re
from collections.abc import Iterator
from typing import Annotated, Literal, Self, TypeAlias

import regex
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    field_validator,
    model_validator,
)

from appliance.core.checks import NUMERIC, AuditEvent, Comparison, as_number
from appliance.core.near import meant
from appliance.core.placeholders import names_in

EVENT_FIELDS = tuple(f.name for f in dataclasses.fields(AuditEvent))
RULE, ANY_OF, IN_ORDER = "<rule>", "<any_of>", "<in_order>"
"""What pydantic adds to the place of an error where a list holds several kinds of things."""
_NAME = re.compile(r"[^\W\d][\w-]*")


class Part(BaseModel):
    """A mapping of a checks file."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


def _as_list(value: object) -> object:
    return value if isinstance(value, list | tuple) or value is None else [value]


class Where(Part):
    """What a value of an event must be."""

    equals: str | None = None
    not_equals: str | None = None
    """There must be a value, and it must be another."""
    matches: str | None = None
    """A regular expression, anywhere in the value."""
    one_of: tuple[str, ...] | None = None
    more_than: str | None = None
    less_than: str | None = None
    at_least: str | None = None
    at_most: str | None = None
    between: tuple[str, ...] | None = None
    """The lowest and the highest number that are fine."""
    exists: bool | None = None

    @property
    def comparison(self) -> tuple[Comparison, tuple[str, ...]]:
        """The comparison that is given, with its values."""
        name, value = next(self._given())
        texts = value if isinstance(value, tuple) else (_text(value),)
        return Comparison(name), texts

    @field_validator("matches")
    @classmethod
    def _compiles(cls, value: str | None) -> str | None:
        try:
            regex.compile(value or "")
        except regex.error as error:
            raise ValueError(f"{value!r} is no regular expression: {error}") from error
        return value

    @model_validator(mode="after")
    def _has_one_comparison(self) -> Self:
        if len(list(self._given())) != 1:
            comparisons = ", ".join(f"`{name}`" for name in type(self).model_fields)
            raise ValueError(
                f"give a value, or one of {comparisons}; two bounds are `between: [low, high]`"
            )
        comparison, texts = self.comparison
        if not texts:
            raise ValueError(f"`{comparison}` has no value")
        if comparison is Comparison.BETWEEN and len(texts) != 2:
            raise ValueError("`between` takes two numbers: [lowest, highest]")
        if comparison in NUMERIC:
            _check_numbers(comparison, texts)
        return self

    def _given(self) -> Iterator[tuple[str, object]]:
        return ((n, v) for n in type(self).model_fields if (v := getattr(self, n)) is not None)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _check_numbers(comparison: Comparison, texts: tuple[str, ...]) -> None:
    numbers = [as_number(text) for text in texts]
    for text, number in zip(texts, numbers, strict=True):
        if number is None and not names_in(text):
            raise ValueError(f"`{comparison}` compares numbers, and {text!r} is none")
    low, high = numbers[0], numbers[-1]
    if low is not None and high is not None and low > high:
        raise ValueError(f"nothing is between {low} and {high}: the lower one comes first")


def _plain_is_equals(value: object) -> object:
    return {"equals": value} if isinstance(value, str) else value


class Forbidden(Part):
    """An event that must not be in the audit log."""

    event: str
    """Shell pattern over the operation's name."""
    service: str = "*"
    outcome: Literal["success", "failure", "unknown", "any"] = "success"
    at_least: int | None = Field(None, ge=1)
    after: Annotated[tuple[str, ...], BeforeValidator(_as_list)] = ()
    """Names of rules above whose events are older."""
    where: dict[str, Annotated[Where, BeforeValidator(_plain_is_equals)]] = Field(
        default_factory=dict
    )

    @field_validator("where")
    @classmethod
    def _paths_exist(cls, value: dict[str, Where]) -> dict[str, Where]:
        for path in value:
            head = path.split(".", 1)[0]
            if head not in EVENT_FIELDS:
                raise ValueError(f"an event has no {head!r}{nearest(head, EVENT_FIELDS)}")
        return value


class Rule(Forbidden):
    """An event that must be in the audit log."""

    at_most: int | None = Field(None, ge=1)
    exactly: int | None = Field(None, ge=1)
    name: str = Field("", alias="as")
    """What rules below call the event."""

    @property
    def bounds(self) -> tuple[int, int | None]:
        """The least and the greatest number of events."""
        if self.exactly is not None:
            return self.exactly, self.exactly
        return self.at_least or 1, self.at_most

    @field_validator("name")
    @classmethod
    def _is_name(cls, value: str) -> str:
        if not _NAME.fullmatch(value):
            raise ValueError(f"{value!r} is no name: letters, digits, `_` and `-`, a letter first")
        return value

    @model_validator(mode="after")
    def _has_consistent_bounds(self) -> Self:
        if self.exactly is not None and (self.at_least or self.at_most):
            raise ValueError("`exactly` says it all: leave out `at_least` and `at_most`")
        least, most = self.bounds
        if most is not None and most < least:
            raise ValueError(f"no number is at least {least} and at most {most}")
        return self


class InOrder(Part):
    """Events each of which must not be older than the one before it."""

    in_order: tuple[Rule, ...] = Field(min_length=2)


def _kind(value: object) -> str:
    keys = set(value) if isinstance(value, dict) else set()
    return ANY_OF if "any_of" in keys else IN_ORDER if "in_order" in keys else RULE


Sequence: TypeAlias = Annotated[
    Annotated[Rule, Tag(RULE)] | Annotated[InOrder, Tag(IN_ORDER)], Discriminator(_kind)
]


class AnyOf(Part):
    """Ways one of which must be in the audit log: each a rule, or a list of them."""

    any_of: tuple[Annotated[tuple[Sequence, ...], BeforeValidator(_as_list)], ...] = Field(
        min_length=2
    )


Expected: TypeAlias = Annotated[
    Annotated[Rule, Tag(RULE)] | Annotated[InOrder, Tag(IN_ORDER)] | Annotated[AnyOf, Tag(ANY_OF)],
    Discriminator(_kind),
]


def nearest(word: str, known: tuple[str, ...]) -> str:
    """A hint that ends a sentence: the name meant, or all that are possible."""
    suggestion = meant(word, known)
    return (
        f"; did you mean {suggestion!r}?"
        if suggestion
        else f"; it may be one of {', '.join(known)}"
    )
