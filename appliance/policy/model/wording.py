"""The procedure as the model reads it: the words of the text, with what is marked in them."""

from collections.abc import Iterable, Iterator

from appliance.core.procedure import (
    Code,
    Field,
    Figure,
    InlineRole,
    Note,
    Procedure,
    Sentence,
    Step,
)

_MARKS = {
    InlineRole.UI_LABEL: "**",
    InlineRole.MENU_PATH: "**",
    InlineRole.LITERAL: "`",
    InlineRole.KEY: "`",
    InlineRole.COMMAND: "`",
    InlineRole.EMPHASIS: "*",
}


_LONGEST_AROUND = 2000
"""Characters of what stands before the steps, and of what stands behind them."""


def procedure_text(procedure: Procedure) -> str:
    """The whole procedure, one sentence a line; what surrounds the steps is in brackets."""
    lines = [*_in_brackets(procedure.introduction), *_in_brackets(procedure.prerequisites)]
    for step in procedure.steps:
        lines += _step(step, "")
    lines += _in_brackets(procedure.remarks)
    lines += [f"=> {marked_text(result)}" for result in procedure.results]
    return "\n".join(lines)


def _in_brackets(sentences: Iterable[Sentence]) -> Iterator[str]:
    remaining_chars = _LONGEST_AROUND
    for sentence in map(marked_text, sentences):
        remaining_chars -= len(sentence)
        if remaining_chars < 0:
            yield "(…)"
            return
        yield f"({sentence})"


def marked_text(sentence: Sentence) -> str:
    """The sentence with its labels and literals marked up in Markdown."""
    parts, position = [], 0
    for inline in sorted(sentence.inlines, key=lambda i: i.start):
        mark = _MARKS.get(inline.role, "")
        if inline.start < position or not mark:
            continue
        label = sentence.text[inline.start : inline.end]
        parts += [sentence.text[position : inline.start], mark, label, mark]
        position = inline.end
    return "".join([*parts, sentence.text[position:]])


def step_text(step: Step) -> str:
    """The step's own sentences, on one line."""
    sentences = [marked_text(part) for part in step.body if isinstance(part, Sentence)]
    return " ".join(sentences) or step.text


def step_lines(step: Step) -> Iterator[str]:
    """The step's own lines, including its fields but not its sub-steps."""
    parts = [line for part in step.body if not isinstance(part, Step) for line in _part(part)]
    yield from parts or ([] if step.substeps else [step.text])


def _step(step: Step, indent: str) -> Iterator[str]:
    head = f"{indent}{step.index}. "
    is_first = True
    for part in step.body:
        if isinstance(part, Step):
            yield from _step(part, indent + "  ")
            continue
        for line in _part(part):
            yield f"{head}{line}" if is_first else f"{indent}   {line}"
            is_first = False
    if is_first and not step.substeps:
        yield f"{head}{step.text}"


def _part(part: Sentence | Field | Note | Code | Figure) -> Iterator[str]:
    match part:
        case Sentence():
            yield marked_text(part)
        case Field():
            yield from _field(part, "- ")
        case Note(kind="summary"):
            yield from (marked_text(s) for s in part.sentences)
        case Note():
            yield f"({part.kind}: {' '.join(marked_text(s) for s in part.sentences)})"
        case Code():
            yield from ("```", *part.text.splitlines(), "```")
        case Figure():
            if part.caption:
                yield f"(picture: {part.caption})"


def _field(field: Field, bullet: str) -> Iterator[str]:
    names = " / ".join(f"**{label.text}**" for label in field.labels)
    yield f"{bullet}{names}: {' '.join(marked_text(s) for s in field.description)}".rstrip(": ")
    for option in field.options:
        yield from _field(option, "  - ")
