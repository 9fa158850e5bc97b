"""Finds the field that a fact is about: named by its own sentence, or by the one before."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from appliance.core.procedure import Field, Inline, InlineRole, Note, Procedure, Sentence, Step
from appliance.core.source import Span
from appliance.language.names import plain, same
from appliance.policy.literal.read.facts import Fact, FactKind, facts_of
from appliance.policy.literal.read.intents import Intent, IntentKind
from appliance.policy.literal.read.marked_facts import marked_facts
from appliance.policy.literal.read.masking import marked_words

K = IntentKind
_FIELD_KINDS = frozenset(
    {K.FILL, K.CHOOSE, K.TICK, K.UNTICK, K.EXPECT_FIELD, K.EXPECT_DEFAULT, K.UPLOAD}
)
_CONTINUES = re.compile(
    r"\W*(?:it|its|this|that|the (?:name|value|field|password|number|text|port|address|length|size|date|time|description|comment))\b"
    r"|\W*the (?:smallest|largest|shortest|longest|lowest|highest|minimum|maximum)\b"
    r"|\W*(?:names?|values?|passwords?)\b|\W*(?:其|它|该|此)|\W*(?:名称|密码|长度|取值|端口)",
    re.IGNORECASE,
)
_JOINS_FIELD = re.compile(
    r"\W*(?:(?:field|box)\W*)?(?:,|of|with|in|using|from|\(|:|：|，|为|（)?\W*", re.I
)

_CONDITION = re.compile(
    r"\b(?:if|when|whenever|unless|until|once|only for|for some)\b|如果|若|当|时[，,]|仅",
    re.IGNORECASE,
)
"""Limits a statement to some condition: it does not describe the field as it is."""
_ARTICLE = re.compile(r"^\W*(?:(?:the|its?|an?|your|this) )?", re.IGNORECASE)
_STATES_SOMETHING = re.compile(
    r" (?:is|can|may|must|has|cannot|takes)\b|可以?|必须|不能|只能|最|长度|取值|为|支持"
)


@dataclass(frozen=True, slots=True)
class FieldFact:
    """A fact that a sentence states about a field."""

    fact: Fact
    subject: Span
    """Where the name of the field is, or the sentence that refers to it without a name."""
    sentence: Sentence
    words: Inline
    """The words that state the fact."""


def subject_of(intent: Intent) -> Span:
    """The span that identifies the field of an instruction."""
    label = intent.label or intent.place.field
    if intent.kind is K.CHOOSE and intent.place.field is not None:
        label = intent.place.field
    is_name = label is not None and label.role is not InlineRole.LITERAL
    return label.span if label is not None and is_name else intent.sentence.span


def field_facts(procedure: Procedure, plan: Iterable[Intent]) -> tuple[FieldFact, ...]:
    """Collect all that the procedure says about its fields, in the order of the text."""
    by_sentence: dict[Span, list[Intent]] = {}
    for intent in plan:
        by_sentence.setdefault(intent.sentence.span, []).append(intent)
    reader = _FieldFactReader(by_sentence)
    return (
        *reader.read_remarks(procedure.introduction),
        *(fact for step in procedure.steps for fact in reader.read_step(step)),
        *reader.read_remarks((*procedure.results, *procedure.remarks)),
    )


class _FieldFactReader:
    def __init__(self, plan: Mapping[Span, list[Intent]]) -> None:
        self._plan = plan
        self._field_names = [
            (label.text, subject_of(i))
            for intents in plan.values()
            for i in intents
            if i.kind in _FIELD_KINDS | {K.FIELD} and (label := i.label or i.place.field)
        ]

    def read_remarks(self, sentences: Iterable[Sentence]) -> Iterator[FieldFact]:
        """Read facts in sentences outside the steps, which must name the field."""
        for sentence in sentences:
            if _CONDITION.search(sentence.text):
                yield from self._read_marked(sentence, None)
                continue
            field_in_words = self._field_in_words(sentence) if not sentence.labels() else None
            subjects = {field_in_words: 0} if field_in_words else self._fields_named(sentence)
            yield from self._read_prose(sentence, subjects, None)

    def read_step(self, step: Step) -> Iterator[FieldFact]:
        last_field: Span | None = None
        for part in step.body:
            match part:
                case Sentence():
                    subjects = self._fields_named(part)
                    if subjects or not self._asks_nothing(part):
                        last_field = next(iter(subjects)) if len(subjects) == 1 else None
                    yield from self._read_prose(part, subjects, last_field)
                case Field() if part.labels:
                    yield from self._read_entry(part)
                    last_field = None
                case Note():
                    yield from self.read_remarks(part.sentences)
                case Step():
                    yield from self.read_step(part)
                case _:
                    last_field = None

    def _asks_nothing(self, sentence: Sentence) -> bool:
        """Whether it asks for nothing and names nothing: "it" then still means the same field."""
        intents = self._plan.get(sentence.span, ())
        return not sentence.labels() and all(i.kind is K.INFORM for i in intents)

    def _gives_one_value(self, sentence: Sentence) -> bool:
        """Whether it has one field filled in, which depends on nothing else that it asks for.

        A step that gives no value is left out: what is required is told when the form is sent.
        """
        instructions = [i for i in self._plan.get(sentence.span, ()) if i.kind is not K.INFORM]
        is_single_fill = len(instructions) == 1 and instructions[0].kind in (K.FILL, K.CHOOSE)
        return is_single_fill and instructions[0].value is not None

    def _fields_named(self, sentence: Sentence) -> dict[Span, int]:
        """The fields that a sentence speaks of, each with the offset at which its name ends."""
        name_ends: dict[Span, int] = {}
        for intent in self._plan.get(sentence.span, ()):
            if intent.kind in _FIELD_KINDS:
                label = intent.place.field if intent.kind is K.CHOOSE else None
                label = label or intent.label or intent.place.field
                name_ends[subject_of(intent)] = label.end if label is not None else 0
        labels = sentence.labels()
        if not name_ends and len(labels) == 1 and (field := self._field_named(labels[0].text)):
            name_ends = {field: labels[0].end}
        return name_ends

    def _field_named(self, name: str) -> Span | None:
        """The field of that name; None if the procedure names no such field."""
        return next((span for text, span in self._field_names if same(text, name)), None)

    def _field_in_words(self, sentence: Sentence) -> Span | None:
        """The field whose unmarked name the sentence begins with."""
        beginning = plain(_ARTICLE.sub("", sentence.text))
        names = [text for text, _ in self._field_names if (p := plain(text)) and len(p) > 1]
        matching_names = [
            n
            for n in names
            if beginning.startswith(p := plain(n)) and _STATES_SOMETHING.match(beginning, len(p))
        ]
        return self._field_named(max(matching_names, key=len)) if matching_names else None

    def _read_prose(
        self, sentence: Sentence, subjects: Mapping[Span, int], last_field: Span | None
    ) -> Iterator[FieldFact]:
        for fact in _sentence_facts(sentence):
            subject = self._subject_of_fact(fact, sentence, subjects, last_field)
            if subject is not None:
                yield _field_fact(fact, subject, sentence)
        yield from self._read_marked(sentence, last_field)

    def _read_marked(self, sentence: Sentence, last_field: Span | None) -> Iterator[FieldFact]:
        """Read facts stated by marked words, unless the sentence asks for an action."""
        intents = self._plan.get(sentence.span, ())
        if any(i.kind not in (K.INFORM, K.EXPECT_DEFAULT, K.EXPECT_FIELD) for i in intents):
            return
        for marked in marked_facts(sentence):
            subject = self._field_named(marked.field.text) if marked.field else last_field
            if subject is not None:
                yield FieldFact(marked.fact, subject, sentence, marked.words)

    def _subject_of_fact(
        self, fact: Fact, sentence: Sentence, subjects: Mapping[Span, int], last_field: Span | None
    ) -> Span | None:
        if len(subjects) > 1:  # "a **Name** and a **Password** of at least eight characters"
            adjoining = [
                span
                for span, end in subjects.items()
                if 0 < end <= fact.start and _JOINS_FIELD.fullmatch(sentence.text[end : fact.start])
            ]
            return adjoining[0] if len(adjoining) == 1 else None
        if subjects:
            is_step = fact.kind is FactKind.OPTIONAL and fact.start < 4
            if is_step and not self._gives_one_value(sentence):  # "Optional: tick X, enter a name"
                return None
            return next(iter(subjects))
        continues = _CONTINUES.match(sentence.text) or not sentence.text[: fact.start].strip()
        return last_field if continues and self._asks_nothing(sentence) else None

    def _read_entry(self, field: Field) -> Iterator[FieldFact]:
        subject = field.labels[0].span
        for sentence in field.description:
            for fact in _sentence_facts(sentence):
                yield _field_fact(fact, subject, sentence)
            yield from self._read_marked(sentence, subject)


def _sentence_facts(sentence: Sentence) -> tuple[Fact, ...]:
    return facts_of(sentence.text, [(i.start, i.end) for i in sentence.inlines])


def _field_fact(fact: Fact, subject: Span, sentence: Sentence) -> FieldFact:
    words = marked_words(sentence, fact.start, fact.end)
    return FieldFact(fact, subject, sentence, words)
