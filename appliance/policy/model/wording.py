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


def written(procedure: Procedure) -> str:
    """The whole procedure, a line a sentence: what has no number stands around the steps."""
    lines = [*_around(procedure.introduction), *_around(procedure.prerequisites)]
    for step in procedure.steps:
        lines += _step(step, "")
    lines += _around(procedure.remarks)
    lines += [f"=> {marked(result)}" for result in procedure.results]
    return "\n".join(lines)


def _around(sentences: Iterable[Sentence]) -> Iterator[str]:
    left = _LONGEST_AROUND
    for sentence in map(marked, sentences):
        left -= len(sentence)
        if left < 0:
            yield "(…)"
            return
        yield f"({sentence})"


def marked(sentence: Sentence) -> str:
    """A sentence with its labels and literals marked as Markdown has it."""
    out, at = [], 0
    for inline in sorted(sentence.inlines, key=lambda i: i.start):
        mark = _MARKS.get(inline.role, "")
        if inline.start < at or not mark:
            continue
        said = sentence.text[inline.start : inline.end]
        out += [sentence.text[at : inline.start], mark, said, mark]
        at = inline.end
    return "".join([*out, sentence.text[at:]])


def step_text(step: Step) -> str:
    """What a step says itself, on one line."""
    own = [marked(part) for part in step.body if isinstance(part, Sentence)]
    return " ".join(own) or step.text


def step_lines(step: Step) -> Iterator[str]:
    """All that a step says itself, its fields included, without what is nested in it."""
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
            yield marked(part)
        case Field():
            yield from _field(part, "- ")
        case Note(kind="summary"):
            yield from (marked(s) for s in part.sentences)
        case Note():
            yield f"({part.kind}: {' '.join(marked(s) for s in part.sentences)})"
        case Code():
            yield from ("```", *part.text.splitlines(), "```")
        case Figure():
            if part.caption:
                yield f"(picture: {part.caption})"


def _field(field: Field, bullet: str) -> Iterator[str]:
    names = " / ".join(f"**{label.text}**" for label in field.labels)
    yield f"{bullet}{names}: {' '.join(marked(s) for s in field.description)}".rstrip(": ")
    for option in field.options:
        yield from _field(option, "  - ")
