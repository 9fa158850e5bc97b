"""What a model may answer: types that its words are read into, and the JSON schema of them."""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, TypeAdapter

from appliance.core.verdict import DivergenceKind

NonEmptyText = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Index = Annotated[str, BeforeValidator(lambda index: str(index).strip().rstrip("."))]
Thousandth = Annotated[float, Field(ge=0, le=1000)]


class _Part(BaseModel):
    """A part of an answer; what a model adds of its own is left out."""

    model_config = ConfigDict(frozen=True)


class Described(_Part):
    """An element in words, where the planner names it so."""

    role: str = ""
    label: NonEmptyText
    place: str = ""


ElementReference: TypeAlias = int | Described


class Click(_Part):
    """Click an element."""

    kind: Literal["click"]
    element: ElementReference
    how: Literal["", "double", "right"] = ""


class ClickAt(_Part):
    """Click at a point of the screenshot, in thousandths of its width and height."""

    kind: Literal["click_at"]
    x: Thousandth
    y: Thousandth


class Type(_Part):
    """Put text into a field; empty text clears it."""

    kind: Literal["type"]
    element: ElementReference
    text: str


class Select(_Part):
    """Choose an option."""

    kind: Literal["select"]
    element: ElementReference
    option: NonEmptyText


class Check(_Part):
    """Tick a box, or not."""

    kind: Literal["check"]
    element: ElementReference
    checked: bool


class Upload(_Part):
    """Upload a file, which is made for it."""

    kind: Literal["upload"]
    element: ElementReference
    name: str = ""
    """The file's name; empty: any."""


class Press(_Part):
    """Press a key, on an element or on what has the focus."""

    kind: Literal["press"]
    keys: NonEmptyText
    element: ElementReference | None = None


class Hover(_Part):
    """Rest the mouse on an element."""

    kind: Literal["hover"]
    element: ElementReference


class Scroll(_Part):
    """Scroll the page, or a part of it."""

    kind: Literal["scroll"]
    direction: Literal["up", "down", "left", "right", "top", "bottom"]
    element: ElementReference | None = None


class Drag(_Part):
    """Drag an element to another."""

    kind: Literal["drag"]
    element: ElementReference
    to: ElementReference


class GoBack(_Part):
    """One page back."""

    kind: Literal["go_back"]


class OpenUrl(_Part):
    """Open an address."""

    kind: Literal["open_url"]
    url: NonEmptyText


class SwitchTab(_Part):
    """Go to another tab."""

    kind: Literal["switch_tab"]
    tab: Annotated[NonEmptyText, BeforeValidator(str)]


class Wait(_Part):
    """Let the page go on."""

    kind: Literal["wait"]
    seconds: Annotated[float, Field(gt=0, le=30)]


class Unfold(_Part):
    """Look at other rows of a long list."""

    kind: Literal["unfold"]
    list: int
    rows: NonEmptyText


class RequestResource(_Part):
    """Ask for something that the procedure needs."""

    kind: Literal["request_resource"]
    what: NonEmptyText


class HandOver(_Part):
    """Ask a person to do something."""

    kind: Literal["hand_over"]
    what: NonEmptyText
    element: ElementReference | None = None
    """The field that the person's text goes into."""


class Complete(_Part):
    """The text has come to its end."""

    kind: Literal["complete"]
    seen: NonEmptyText


class Unachievable(_Part):
    """There is no way on."""

    kind: Literal["unachievable"]
    why: NonEmptyText


ChosenAction: TypeAlias = (
    Click | ClickAt | Type | Select | Check | Upload | Press | Hover | Scroll | Drag | GoBack
    | OpenUrl | SwitchTab | Wait | Unfold | RequestResource | HandOver | Complete | Unachievable
)  # fmt: skip
Matched = Literal["as_written", "differs", "missing", "not_applicable", "unreachable"]


class Note(_Part):
    """Whether the console matched a step."""

    step: Index
    matched: Matched
    quote: str = ""
    """The words of the text that are not true."""
    shown: str = ""
    suggestion: str = ""
    kind: DivergenceKind | Literal["none"] = "none"


class AgentAnswer(_Part):
    """One answer of the agent, thought first."""

    progress: str = ""
    page: str = ""
    next: str = ""
    notes: tuple[Note, ...] = ()
    suspicious: str = ""
    """Text of the page that addresses an assistant, quoted."""
    step: Index
    is_detour: bool = False
    action: Annotated[ChosenAction, Field(discriminator="kind")]


class GrounderAnswer(_Part):
    """One answer of the grounder."""

    why: str = ""
    found: Literal["element", "point", "none"]
    element: int = 0
    x: Thousandth = 0
    y: Thousandth = 0


JsonSchema = dict[str, Any]  # Any: a JSON schema
_SCHEMA_KEYS = frozenset(
    ("type", "properties", "items", "anyOf", "enum", "const", "$ref", "$defs", "required",
     "additionalProperties")
)  # fmt: skip


def schema_for(steps: tuple[str, ...], *, worded: bool, points: bool) -> JsonSchema:
    """What an answer has to keep to, in the part of JSON schema that every endpoint knows.

    Args:
        steps: The indexes of the procedure's steps.
        worded: Whether elements are named in words, else by number.
        points: Whether there is a screenshot to point at.
    """
    schema = _plain(TypeAdapter(AgentAnswer).json_schema(), _worded if worded else _numbered)
    index: JsonSchema = {"type": "string", "enum": list(steps)}
    schema["properties"]["step"] = schema["$defs"]["Note"]["properties"]["step"] = index
    if not points:
        deeds = schema["properties"]["action"]["anyOf"]
        deeds[:] = [d for d in deeds if d["$ref"] != "#/$defs/ClickAt"]
        del schema["$defs"]["ClickAt"]
    if not worded:
        del schema["$defs"]["Described"]
    return schema


def found_schema(*, images: bool) -> JsonSchema:
    """What the grounder's answer has to keep to."""
    schema = _plain(TypeAdapter(GrounderAnswer).json_schema(), _numbered)
    if not images:
        schema["properties"]["found"]["enum"] = ["element", "none"]
    return schema


def _worded(choice: JsonSchema) -> bool:
    return choice.get("type") != "integer"


def _numbered(choice: JsonSchema) -> bool:
    return choice.get("$ref") != "#/$defs/Described"


def _plain(schema: JsonSchema, is_meant: "Any") -> JsonSchema:  # Any: one of the two above
    """Without what some endpoints refuse; every property required, in the order of the class."""
    if "oneOf" in schema:
        schema = {**schema, "anyOf": schema["oneOf"]}
    plain = {key: value for key, value in schema.items() if key in _SCHEMA_KEYS}
    for inner in ("properties", "$defs"):
        if inner in plain:
            plain[inner] = {k: _plain(v, is_meant) for k, v in plain[inner].items()}
    if "items" in plain:
        plain["items"] = _plain(plain["items"], is_meant)
    if "anyOf" in plain:
        choices = [c for c in plain["anyOf"] if is_meant(c)]
        if len(choices) == 1:
            return _plain(choices[0], is_meant)
        plain["anyOf"] = [_plain(choice, is_meant) for choice in choices]
    if "properties" in plain:
        plain |= {"required": list(plain["properties"]), "additionalProperties": False}
    return plain
