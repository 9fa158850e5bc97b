"""What all shapes have in common, and how a dataclass becomes one."""

import ast
import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import reduce
from itertools import pairwise
from operator import or_
from types import UnionType, new_class
from typing import (
    Annotated,
    Any,
    Final,
    Generic,
    Literal,
    Self,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import (
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    WithJsonSchema,
    create_model,
)

T = TypeVar("T")
S = TypeVar("S", bound="ResponseShape")

# As `core.jsonable` writes times: the command line prints the same, whoever it asked.
Moment: TypeAlias = Annotated[
    AwareDatetime,
    PlainSerializer(lambda time: time.isoformat(), return_type=str),
    # Most validators do not look at the format: the pattern is for them.
    WithJsonSchema(
        {
            "type": "string",
            "format": "date-time",
            "pattern": r"^\d{4}-\d\d-\d\dT[\d:.]+([+-]\d\d:\d\d|Z)$",
        }
    ),
]


class ResponseShape(BaseModel):
    """Something that comes out: made from the dataclass of the same fields, or from a mapping."""

    @classmethod
    def of(cls, row: object, **more: object) -> Self:
        """Made from what has most of its fields, and the others."""
        values = {name: getattr(row, name) for name in cls.model_fields if name not in more}
        return cls.model_validate(values | more)

    model_config = ConfigDict(
        frozen=True,
        from_attributes=True,
        json_schema_serialization_defaults_required=True,
        use_attribute_docstrings=True,
    )


_DESCRIBES: Final = "use_attribute_docstrings"
"""Only for classes that are written: Pydantic looks for their source in every frame of the stack,
and to look in vain, for those that are made, took the server three seconds of its start."""
_SHAPES: dict[type, type[ResponseShape]] = {}
"""Those that were made, by their dataclasses."""
_USUAL = {
    "account": "Name of the account in the settings.",
    "blocked": "Nothing learnt: log-in, quota, outage, prerequisites.",
    "broken": "Not reachable by the text.",
    "console": "Name of the console in the settings.",
    "document": "Path of the document.",
    "drifted": "Goal reached, but not as written.",
    "finding_id": "Of the finding in that run's result.",
    "procedure_id": "Of the procedure.",
    "run_id": "Of the run.",
    "severity": "How much it hurts a reader.",
    "started_at": "When it began.",
    "title": "Its title.",
    "undecided": "A person has to look.",
    "verified": "Goal reached as written.",
}
"""What fields mean whose dataclass says nothing of them, as their name says it all."""


def shape_of(kind: type, without: Sequence[str] = ()) -> Callable[[type[S]], type[S]]:
    """Give a shape the fields of a dataclass, with their docstrings as descriptions.

    What the shape says of a field itself stands. Nested dataclasses become shapes, too: the one
    that was made of it, else one of the same name.

    Args:
        kind: The dataclass.
        without: Its fields that do not go out.
    """

    def fill(shape: type[S]) -> type[S]:
        hints, described = get_type_hints(kind, include_extras=True), _USUAL | _descriptions(kind)
        declared = {name: (field.annotation, field) for name, field in shape.model_fields.items()}
        names = [entry.name for entry in fields(kind) if entry.name not in without]
        inherited = {
            name: declared.get(name)
            or (_shaped(hints[name]), Field(description=_in_json_words(described[name])))
            for name in names
        }
        model: Any = create_model  # Any: its overloads know no fields that are made here
        filled: type[S] = model(
            shape.__name__,
            __base__=shape.__bases__,
            __cls_kwargs__={_DESCRIBES: shape.model_config[_DESCRIBES]},
            __doc__=shape.__doc__,
            __module__=shape.__module__,
            **inherited | declared,
        )
        _SHAPES.setdefault(kind, filled)
        return filled

    return fill


def _shaped(hint: Any) -> Any:  # Any: a type
    """The type of a shape's field: dataclasses in it as shapes, and times as moments."""
    if hint is datetime:
        return Moment
    if isinstance(hint, type) and is_dataclass(hint):
        if shape := _SHAPES.get(hint):
            return shape
        namespace = {"__doc__": hint.__doc__, "__module__": __name__}
        nested = new_class(
            hint.__name__,
            (ResponseShape,),
            {_DESCRIBES: False},
            lambda body: body.update(namespace),
        )
        return shape_of(hint)(nested)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is None or origin in (Annotated, Literal):
        return hint
    shaped = tuple(map(_shaped, arguments))
    return reduce(or_, shaped) if origin in (Union, UnionType) else origin[shaped]


def _in_json_words(text: str) -> str:
    """What is None in Python is null in JSON."""
    return re.sub(r"^None\b", "Null", text).replace("None", "null")


def _descriptions(kind: type) -> dict[str, str]:
    """The docstrings below the fields of a dataclass, and of those that it extends."""
    descriptions: dict[str, str] = {}
    for ancestor in filter(is_dataclass, reversed(kind.__mro__)):
        tree = ast.parse(inspect.cleandoc(inspect.getsource(ancestor)))
        for field, text in pairwise(tree.body[0].body):  # type: ignore[attr-defined]  # a class
            match field, text:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(
                    value=ast.Constant(value=str(doc))
                ):
                    descriptions[name] = inspect.cleandoc(doc)
    return descriptions


class RequestShape(BaseModel):
    """Something that goes in: what it does not know is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class Links(ResponseShape):
    """Other pages of the same list, as paths on this server."""

    first: str
    """The first page."""
    previous: str | None
    """The page before; null on the first."""
    next: str | None
    """The page after; null on the last."""
    last: str
    """The last page."""


class Page(ResponseShape, Generic[T], use_attribute_docstrings=False):
    """A part of a list."""

    items: tuple[T, ...] = Field(description="What is on this page.")
    total: int = Field(description="How many there are on all pages.")
    page: int = Field(description="Which page this is; the first is 1.")
    page_size: int = Field(description="How many fit on a page.")
    links: Links = Field(description="The other pages.")


class Items(ResponseShape, Generic[T], use_attribute_docstrings=False):
    """A list that comes whole."""

    items: tuple[T, ...] = Field(description="All of them.")


class FieldProblem(ResponseShape):
    """What is wrong with one part of a request."""

    field: str
    """Where, with dots; empty: the whole."""
    source: str
    """`body`, `query`, `path`, `header` or `cookie`; empty where that is not known."""
    detail: str
    """What is wrong."""


class Problem(ResponseShape):
    """A problem document (RFC 9457)."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=False, extra="forbid")

    type: str = Field(examples=["urn:appliance:problem:unknown-run"])
    """The kind of problem, for programs."""
    title: str
    """The kind of problem, for people."""
    status: int
    """Of the answer."""
    detail: str
    """What it is this time, and what to do."""
    errors: tuple[FieldProblem, ...] = ()
    """Which parts of the request are wrong."""
    id: str = ""
    """Of an unexpected error: the log of the server has the same."""
