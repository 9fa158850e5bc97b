"""The marked words of a procedure, in reading order, each with the words around it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from appliance.core.procedure import Field, Inline, InlineRole, Note, Procedure, Sentence, Step
from appliance.core.source import Span

_SHOWN = (InlineRole.UI_LABEL, InlineRole.MENU_PATH, InlineRole.LITERAL)


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
        yield from _of_step(step, is_optional=False)
    for sentence in procedure.results:
        yield from _of_sentence(sentence, _MarkPosition())


def _of_step(step: Step, *, is_optional: bool) -> Iterator[TextMark]:
    is_optional = is_optional or step.is_optional or step.condition is not None
    where = _MarkPosition(step.index, is_optional)
    for part in step.body:
        match part:
            case Sentence():
                yield from _of_sentence(part, where)
            case Field():
                yield from _of_field(part, where)
            case Note():
                for sentence in part.sentences:
                    yield from _of_sentence(sentence, _MarkPosition(step.index, is_optional, True))
            case Step():
                yield from _of_step(part, is_optional=is_optional)


def _of_field(field: Field, where: _MarkPosition) -> Iterator[TextMark]:
    text = " ".join(sentence.text for sentence in field.description)
    for label in field.labels:
        sentence = Sentence(text=text, span=_up_to(label.span, field.description))
        yield from _of_inline(label, sentence, ("", ""), where, is_field=True)
    for sentence in field.description:
        yield from _of_sentence(sentence, where)
    for option in field.options:
        yield from _of_field(option, where)
    for note in field.notes:
        for sentence in note.sentences:
            remark = _MarkPosition(where.step, where.is_optional, True)
            yield from _of_sentence(sentence, remark)


def _up_to(name: Span, description: Sequence[Sentence]) -> Span:
    if not description:
        return name
    end = description[-1].span
    return replace(name, end_line=end.end_line, end_column=end.end_column)


def _of_sentence(sentence: Sentence, where: _MarkPosition) -> Iterator[TextMark]:
    shown = [inline for inline in sentence.inlines if inline.role in _SHOWN]
    at = 0
    for number, inline in enumerate(shown):
        end = shown[number + 1].start if number + 1 < len(shown) else len(sentence.text)
        around = sentence.text[at : inline.start], sentence.text[inline.end : end]
        yield from _of_inline(inline, sentence, around, where)
        at = inline.end
    yield TextMark(
        text="", line=sentence.span.line, column=sentence.span.column, role=InlineRole.EMPHASIS,
        sentence=sentence, before=sentence.text[at:], after="", step=where.step,
        is_optional=where.is_optional, is_remark=where.is_remark,
    )  # fmt: skip


def _of_inline(
    inline: Inline,
    sentence: Sentence,
    around: tuple[str, str],
    where: _MarkPosition,
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
            step=where.step,
            is_first=number == 0,
            rest=parts[number + 1 :],
            is_field=is_field,
            is_optional=where.is_optional,
            is_remark=where.is_remark,
        )
