"""The words that rules write, and how a document marks labels, notes and paragraphs."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from appliance.benchmark.drift.truth import ReadProcedure
from appliance.benchmark.invented.untruth import place_of
from appliance.core.claims import ClaimKind
from appliance.core.errors import SetupError
from appliance.core.procedure import Field, Inline, Sentence, Step
from appliance.core.source import Span
from appliance.practice.catalogue import Catalogue, Text
from appliance.practice.loading import read_source

_ENDS = ".。"


class FalseSentence(BaseModel):
    """Says something false, with gaps for what it is about."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: ClaimKind
    en: str
    zh: str


class Wording(BaseModel):
    """The file `words.yaml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    names: dict[ClaimKind, dict[str, tuple[str, ...]]]
    sentences: dict[str, FalseSentence]


@cache
def wording() -> Wording:
    """The words, read once."""
    file = Path(__file__).resolve().with_name("words.yaml")
    return Wording.model_validate(read_source(file, is_ours=True).data)


def texts_of(catalogue: Catalogue, language: str) -> frozenset[str]:
    """Every text of the console in a language, small letters: what no invented name may be."""
    texts: set[str] = set()
    pending: list[object] = [catalogue]
    while pending:
        match pending.pop():
            case Text() as text:
                texts.add(text.in_language(language).casefold())
            case BaseModel() as model:
                pending.extend(value for _, value in model)
            case dict() as mapping:
                pending.extend(mapping.values())
            case list() | tuple() as several:
                pending.extend(several)
    return frozenset(texts)


@dataclass(frozen=True, slots=True)
class Insertion:
    """Something new at a place of a document."""

    at: int
    before: str
    """Markup that leads to it."""
    after: str = ""
    """Markup behind it."""


class Sheet:
    """A document in which a procedure stands, as its author writes in it."""

    def __init__(self, read: ReadProcedure, source: str) -> None:
        self.read, self.source = read, source
        self.language = read.procedure.language
        self._format = read.document.rpartition(".")[2]
        self._starts = [0, *(m.end() for m in re.finditer("\n", source))]

    def offset(self, line: int, column: int) -> int:
        """Where a line and column are in the text."""
        return self._starts[line - 1] + column - 1

    def marked(self, label: str) -> str:
        """A label as this document marks labels."""
        match self._format:
            case "md":
                return f"**{label}**"
            case "html":
                tag = "b" if "<b>" in self.source else "strong"
                return f"<{tag}>{label}</{tag}>"
            case _ if ":guilabel:" in self.source:
                role = f":guilabel:`{label}`"
            case _:
                role = f"**{label}**"
        # Chinese has no spaces around it, and RST would not see the markup
        return f" {role} " if self.language == "zh" else role

    def literal(self, pattern: str) -> str:
        """A pattern with what is to be typed, and arrows, as this document writes them."""
        if self._format == "rst":
            typed = r" ``\1`` " if self.language == "zh" else r"``\1``"
            return re.sub("`([^`]+)`", typed, pattern)
        if self._format == "html":
            return re.sub("`([^`]+)`", r"<code>\1</code>", pattern.replace(" > ", " &gt; "))
        return pattern

    def place_of_label(self, text: str, line: int, column: int) -> tuple[int, int] | None:
        """Where a marked label stands; None where the line says something else."""
        start = self.offset(line, column)
        try:
            span = place_of(self.source[start : start + len(text) + 160], text, text[:1])
        except SetupError:
            return None
        return start + span[0], start + span[1]

    def behind(self, line: int, column: int) -> Insertion | None:
        """Behind the sentence or field that a label stands in."""
        for step in self.read.procedure.walk():
            for sentence, labels in _with_labels(step):
                if any((label.span.line, label.span.column) == (line, column) for label in labels):
                    return self._behind(sentence.span)
        return None

    def behind_result(self) -> Insertion | None:
        """Behind the last sentence after the steps."""
        results = self.read.procedure.results
        return self._behind(results[-1].span) if results else None

    def as_introduction(self) -> Insertion | None:
        """A paragraph of its own below the title."""
        line = self.read.procedure.span.line + (self._format == "rst")
        line_end = self._line_end(line)
        match self._format:
            case "md" if self._line(line).startswith("#"):
                return Insertion(line_end, "\n\n")
            case "rst" if re.fullmatch(r"([^\w\s])\1{2,}", self._line(line)):
                return Insertion(line_end, "\n\n")
            case "html" if self._line(line).endswith(("</h2>", "</h3>")):
                return Insertion(line_end, "\n<p>", "</p>")
        return None

    def as_note(self) -> Insertion | None:
        """A note behind the procedure."""
        line = self.read.procedure.span.end_line
        line_end = self._line_end(line)
        match self._format:
            case "md" if self.language == "zh":
                return Insertion(line_end, "\n\n> **说明**：")
            case "md":
                return Insertion(line_end, "\n\n> **Note:** ")
            case "rst":
                return Insertion(line_end, "\n\n.. note::\n\n   ")
            case "html" if self._line(line).endswith(("</p>", "</ol>", "</figure>", "</div>")):
                return Insertion(line_end, '\n<div class="note"><p>', "</p></div>")
        return None

    def _behind(self, span: Span) -> Insertion | None:
        end = self.offset(span.end_line, span.end_column)
        line = self._line(span.end_line).strip()
        is_simple_table = self._format == "rst" and re.search(r"\S {2,}\S", line)
        if self.source[end - 1] not in _ENDS or is_simple_table:
            return None
        return Insertion(end, "" if self.language == "zh" else " ")

    def _line(self, number: int) -> str:
        return self.source[self._starts[number - 1] : self._line_end(number)]

    def _line_end(self, number: int) -> int:
        return self._starts[number] - 1 if number < len(self._starts) else len(self.source)


def _with_labels(step: Step) -> list[tuple[Sentence, tuple[Inline, ...]]]:
    """What can be added to in a step, each with the labels that lead there."""
    extensible = []
    for part in step.body:
        match part:
            case Sentence():
                extensible.append((part, part.labels()))
            case Field() if part.description:
                extensible.append((part.description[-1], part.labels))
    return extensible
