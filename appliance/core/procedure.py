"""Documents, procedures and steps: what `documents` gives and `policy` reads."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, is_dataclass
from enum import StrEnum
from functools import cache

from appliance.core.checks import Checks
from appliance.core.jsonable import Json, field_names, to_jsonable
from appliance.core.source import Span


class InlineRole(StrEnum):
    """What a marked stretch of text means to the reader."""

    UI_LABEL = "ui_label"  # :guilabel:, **bold**, <strong>, 「…」
    LITERAL = "literal"  # ``code``, `code`, <code>: to be typed or looked for as it stands
    MENU_PATH = "menu_path"  # :menuselection:`A --> B`, **A** > **B**
    LINK = "link"
    EMPHASIS = "emphasis"  # *name*: a name, or a placeholder for one
    KEY = "key"  # :kbd:
    COMMAND = "command"  # :command: a program of the command line, not of the console


@dataclass(frozen=True, slots=True, kw_only=True)
class Inline:
    """A marked stretch of a sentence."""

    role: InlineRole
    text: str
    """Plain text without markup, white space folded."""
    start: int
    """Offset of the first character in `Sentence.text`."""
    end: int
    span: Span
    """Where the text inside the markup stands in the source."""
    target: str | None = None
    """The address of a link."""
    parts: tuple[str, ...] = ()
    """The entries of a menu path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence of prose, as plain text with its marked stretches."""

    text: str
    span: Span
    inlines: tuple[Inline, ...] = ()
    verbatim: int | None = field(default=None, compare=False)
    """How many characters from its beginning stand in the source as they are, without markup or
    names of icons between; None: nobody has counted."""

    def labels(self) -> tuple[Inline, ...]:
        """The UI labels and menu paths, in order."""
        return tuple(
            i for i in self.inlines if i.role in (InlineRole.UI_LABEL, InlineRole.MENU_PATH)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One entry of a field list: a row of a field table, a definition, or a `Label: text` item.

    An option list below a field ("Select one of the following: …") becomes `options`.
    """

    labels: tuple[Inline, ...]
    """The field's name; more than one where the text says "A or B"."""
    description: tuple[Sentence, ...]
    options: tuple["Field", ...] = ()
    notes: tuple["Note", ...] = ()
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """An admonition. It informs; nothing in it is an instruction to be carried out."""

    kind: str
    """`note`, `tip`, `warning`, `important`, …; `summary` for the heading of a step that says again
    what its sentences say, `table` and `tab` for what is no instruction for the console."""
    sentences: tuple[Sentence, ...]
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """A code block."""

    text: str
    language: str = ""
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A picture with its caption."""

    target: str
    caption: str = ""
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One documented instruction; `body` keeps the order in which the reader meets its parts."""

    index: str
    """`3`, or `3.2` for a nested step."""
    body: tuple["Sentence | Field | Note | Code | Figure | Step", ...]
    span: Span
    is_optional: bool = False
    condition: str | None = None
    """The text of the condition ("If you use …") under which the step applies."""

    @property
    def text(self) -> str:
        """The step's own sentences, without what is nested in it; its summary where it has none."""
        own = [part.text for part in self.body if isinstance(part, Sentence)]
        return " ".join(own or [s.text for n in self._summaries() for s in n.sentences])

    def _summaries(self) -> Iterator[Note]:
        return (part for part in self.body if isinstance(part, Note) and part.kind == "summary")

    @property
    def substeps(self) -> tuple["Step", ...]:
        """The steps nested directly in this one."""
        return tuple(part for part in self.body if isinstance(part, Step))

    @property
    def fields(self) -> tuple[Field, ...]:
        """The field entries directly in this step."""
        return tuple(part for part in self.body if isinstance(part, Field))

    def walk(self) -> Iterator["Step"]:
        """This step and all below it, in reading order."""
        yield self
        for step in self.substeps:
            yield from step.walk()


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure:
    """A titled list of steps in a document."""

    id: str
    """Folder, file stem and title path as slugs: the same when unrelated text changes."""
    title_path: tuple[str, ...]
    """Titles from the document's down to the procedure's own."""
    span: Span
    """From the title's line to the last line that belongs to the procedure."""
    steps: tuple[Step, ...]
    prerequisites: tuple[Sentence, ...] = ()
    results: tuple[Sentence, ...] = ()
    """Sentences after the steps that say what is now the case."""
    introduction: tuple[Sentence, ...] = ()
    """What else stands before the steps, notes and captions included."""
    above: tuple[Sentence, ...] = ()
    """What the sections around it say first, the outermost first, where that names something: often
    where all that they tell is done."""
    remarks: tuple[Sentence, ...] = ()
    """What else stands behind the first of them, outside of the steps."""
    language: str = "en"
    """`en` or `zh`, told from the text."""
    checks: Checks = field(default_factory=Checks, hash=False)
    needs_model: bool = False
    """Whether only a model may carry it out: a reader without one takes it for no procedure."""

    @property
    def title(self) -> str:
        """The procedure's own title."""
        return self.title_path[-1]

    def walk(self) -> Iterator[Step]:
        """All steps, nested ones included, in reading order."""
        for step in self.steps:
            yield from step.walk()


class LeftOutReason(StrEnum):
    """Why a section with instructions is not carried out."""

    COMMAND_LINE = "command_line"
    CODE = "code"
    NO_CONTROL = "no_control"
    EXPLAINS = "explains"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A section with instructions that is no procedure in a console."""

    title: str
    span: Span
    reason: LeftOutReason


WAY = "0"
"""The index of the step that the introduction is, where it says how to get to the place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A parsed file or page."""

    path: str
    format: str
    """`markdown`, `rst` or `html`."""
    revision: str
    """SHA-256 of the bytes, in hexadecimal."""
    title: str
    procedures: tuple[Procedure, ...]
    lines: tuple[str, ...]
    """The source, line by line, for diffs and excerpts."""
    problems: tuple[str, ...] = ()
    """What the parser could not read, as `file:line: sentence`."""
    left_out: tuple[LeftOut, ...] = ()
    """Its sections with instructions for something else than a console."""
    candidates: tuple[Procedure, ...] = ()
    """Its other sections under a heading, which are procedures only to a model."""
    read_also: tuple[tuple[str, str], ...] = ()
    """Other files that it depends on, with the SHA-256 of what they gave; of nothing where they
    were looked for in vain, or gave none."""

    @property
    def all_procedures(self) -> tuple[Procedure, ...]:
        """Its procedures and candidates, each once, in the order of the text."""
        by_id = {procedure.id: procedure for procedure in (*self.candidates, *self.procedures)}
        return tuple(sorted(by_id.values(), key=lambda procedure: procedure.span.line))


def prose_of(procedure: Procedure) -> Iterator[Sentence]:
    """All sentences of a procedure but those of its field lists."""
    yield from (*procedure.prerequisites, *procedure.introduction)
    for step in procedure.walk():
        for part in step.body:
            if isinstance(part, Sentence):
                yield part
            elif isinstance(part, Note):
                yield from part.sentences
    yield from (*procedure.results, *procedure.remarks)


_PLACES = frozenset({"span", "source", "needs_model", "verbatim"})
"""Where it stands, which text elsewhere in the document moves, and who may read it."""


def text_hash(procedure: Procedure) -> str:
    """SHA-256 of all that a reader and a verifier take from it, its checks included."""
    plain = json.dumps(_without_places(procedure), sort_keys=True)
    return hashlib.sha256(plain.encode()).hexdigest()


def _without_places(value: object) -> Json:
    """As `to_jsonable`, which goes through the places as well: most of what there is."""
    if isinstance(value, tuple | list):
        return [_without_places(item) for item in value]
    if isinstance(value, Mapping):
        return {str(k): _without_places(v) for k, v in value.items() if k not in _PLACES}
    if is_dataclass(value) and not isinstance(value, type):
        names = _names_of_content(type(value))
        return {name: _without_places(getattr(value, name)) for name in names}
    return to_jsonable(value)


@cache
def _names_of_content(dataclass: type) -> tuple[str, ...]:
    return tuple(name for name in field_names(dataclass) if name not in _PLACES)
