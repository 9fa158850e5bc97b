"""A procedure's text → the reader's plan."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from appliance.core.procedure import Code, Field, Inline, InlineRole, Procedure, Sentence, Step
from appliance.policy.literal import chinese, english
from appliance.policy.literal.intents import Intent, IntentKind

_RUNS_COMMANDS = (IntentKind.UNCLEAR, IntentKind.FILL, IntentKind.PICK)

_Read = Callable[[Sentence, str], Iterator[Intent]]


def read_procedure(procedure: Procedure) -> tuple[Intent, ...]:
    """All intents of a procedure, in the order of the text."""
    language = chinese if procedure.language == "zh" else english
    return tuple(
        intent for step in procedure.steps for intent in _step(step, language.read)
    ) + tuple(
        intent
        for sentence in procedure.results
        for intent in language.read(sentence, procedure.steps[-1].index if procedure.steps else "")
        if intent.kind in (IntentKind.EXPECT_TEXT, IntentKind.EXPECT_OPEN)
    )


def _step(step: Step, read: _Read) -> Iterator[Intent]:
    """The intents of a step and of what is nested in it."""
    is_outside = any(isinstance(part, Code) for part in step.body)
    for part in step.body:
        for intent in _part(part, step, read):
            if is_outside and intent.kind in _RUNS_COMMANDS:
                intent = replace(intent, kind=IntentKind.EXTERNAL)
            yield replace(
                intent,
                is_optional=intent.is_optional or step.is_optional,
                is_conditional=intent.is_conditional or step.condition is not None,
            )


def _part(part: object, step: Step, read: _Read) -> Iterator[Intent]:
    match part:
        case Sentence():
            yield from _sentence(part, step, read)
        case Field() if part.labels:
            yield Intent(
                kind=IntentKind.FIELD,
                step=step.index,
                sentence=_field_sentence(part),
                label=part.labels[0],
                entry=part,
            )
        case Step():
            yield from _step(part, read)
        case _:
            return


def _sentence(sentence: Sentence, step: Step, read: _Read) -> Iterator[Intent]:
    if any(i.role is InlineRole.COMMAND for i in sentence.inlines):
        yield Intent(kind=IntentKind.EXTERNAL, step=step.index, sentence=sentence)
        return
    for intent in read(sentence, step.index):
        yield from _path(intent)


def _path(intent: Intent) -> Iterator[Intent]:
    """A menu path is opened entry by entry; each keeps the span of the whole path."""
    label = intent.label
    if label is None or not label.parts or intent.kind is not IntentKind.OPEN:
        yield intent
        return
    for n, part in enumerate(label.parts):
        noun = "path" if n + 1 < len(label.parts) else intent.noun or "path"
        entry = Inline(
            role=InlineRole.UI_LABEL,
            text=part,
            start=label.start,
            end=label.end,
            span=label.span,
        )
        yield replace(intent, label=entry, noun=noun)


def _field_sentence(entry: Field) -> Sentence:
    if entry.description:
        return entry.description[0]
    return Sentence(text=entry.labels[0].text, span=entry.span)
