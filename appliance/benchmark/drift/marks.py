"""The marked words of a procedure, in reading order, each with the words around it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from appliance.core.procedure import Field, Inline, InlineRole, Note, Procedure, Sentence, Step
from appliance.core.source import Span

_MARK_ROLES = (InlineRole.UI_LABEL, InlineRole.MENU_PATH, InlineRole.LITERAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextMark:
    """Marked words that may be a text of the console, or (`text` empty) the end of a sentence."""

    text: str
    line: int
    column: int
    role: InlineRole
    sentence: Sentence
    before: str
    """The words of the sentence since the mark before it."""
    after: str
    """The words up to the next mark."""
    step: str = ""
    """Index of the step; empty in results."""
    is_first: bool = True
    """Whether it is no later entry of a menu path."""
    rest: tuple[str, ...] = ()
    """The later entries of its menu path."""
    is_field: bool = False
    """Whether it is the name of an entry of a field list."""
    is_optional: bool = False
    """Whether the text leaves it to the reader."""
    is_remark: bool = False
    """Whether it stands in a note."""

    @property
    def lines(self) -> tuple[int, ...]:
        """All lines of its sentence."""
        return tuple(range(self.sentence.span.line, self.sentence.span.end_line + 1))


@dataclass(frozen=True, slots=True)
class _MarkPosition:
    step: str = ""
    is_optional: bool = False
    is_remark: bool = False


def marks_of(procedure: Procedure) -> Iterator[TextMark]:
    """All marks of a procedure; every sentence ends with one that has no text."""
    for step in procedure.steps:
        yield from _step_marks(step, is_optional=False)
    for sentence in procedure.results:
        yield from _sentence_marks(sentence, _MarkPosition())


def _step_marks(step: Step, *, is_optional: bool) -> Iterator[TextMark]:
    is_optional = is_optional or step.is_optional or step.condition is not None
    context = _MarkPosition(step.index, is_optional)
    for part in step.body:
        match part:
            case Sentence():
                yield from _sentence_marks(part, context)
            case Field():
                yield from _field_marks(part, context)
            case Note():
                for sentence in part.sentences:
                    yield from _sentence_marks(
                        sentence, _MarkPosition(step.index, is_optional, True)
                    )
            case Step():
                yield from _step_marks(part, is_optional=is_optional)


def _field_marks(field: Field, context: _MarkPosition) -> Iterator[TextMark]:
    text = " ".join(sentence.text for sentence in field.description)
    for label in field.labels:
        sentence = Sentence(text=text, span=_span_through(label.span, field.description))
        yield from _inline_marks(label, sentence, ("", ""), context, is_field=True)
    for sentence in field.description:
        yield from _sentence_marks(sentence, context)
    for option in field.options:
        yield from _field_marks(option, context)
    for note in field.notes:
        for sentence in note.sentences:
            remark = _MarkPosition(context.step, context.is_optional, True)
            yield from _sentence_marks(sentence, remark)


def _span_through(name: Span, description: Sequence[Sentence]) -> Span:
    if not description:
        return name
    end = description[-1].span
    return replace(name, end_line=end.end_line, end_column=end.end_column)


def _sentence_marks(sentence: Sentence, context: _MarkPosition) -> Iterator[TextMark]:
    marked = [inline for inline in sentence.inlines if inline.role in _MARK_ROLES]
    position = 0
    for number, inline in enumerate(marked):
        end = marked[number + 1].start if number + 1 < len(marked) else len(sentence.text)
        around = sentence.text[position : inline.start], sentence.text[inline.end : end]
        yield from _inline_marks(inline, sentence, around, context)
        position = inline.end
    yield TextMark(
        text="", line=sentence.span.line, column=sentence.span.column, role=InlineRole.EMPHASIS,
        sentence=sentence, before=sentence.text[position:], after="", step=context.step,
        is_optional=context.is_optional, is_remark=context.is_remark,
    )  # fmt: skip


def _inline_marks(
    inline: Inline,
    sentence: Sentence,
    around: tuple[str, str],
    context: _MarkPosition,
    *,
    is_field: bool = False,
) -> Iterator[TextMark]:
    parts = inline.parts or (inline.text,)
    for number, text in enumerate(parts):
        yield TextMark(
            text=text,
            line=inline.span.line,
            column=inline.span.column,
            role=inline.role,
            sentence=sentence,
            before=around[0] if number == 0 else "",
            after=around[1] if number == len(parts) - 1 else "",
            step=context.step,
            is_first=number == 0,
            rest=parts[number + 1 :],
            is_field=is_field,
            is_optional=context.is_optional,
            is_remark=context.is_remark,
        )
