"""Of which field a sentence says something: its own, or the one that the sentence before names."""

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
_OF_FIELDS = frozenset(
    {K.FILL, K.CHOOSE, K.TICK, K.UNTICK, K.EXPECT_FIELD, K.EXPECT_DEFAULT, K.UPLOAD}
)
_GOES_ON = re.compile(
    r"\W*(?:it|its|this|that|the (?:name|value|field|password|number|text|port|address|length|size|date|time|description|comment))\b"
    r"|\W*the (?:smallest|largest|shortest|longest|lowest|highest|minimum|maximum)\b"
    r"|\W*(?:names?|values?|passwords?)\b|\W*(?:其|它|该|此)|\W*(?:名称|密码|长度|取值|端口)",
    re.IGNORECASE,
)
_JOINS = re.compile(
    r"\W*(?:(?:field|box)\W*)?(?:,|of|with|in|using|from|\(|:|：|，|为|（)?\W*", re.I
)

_CONDITION = re.compile(
    r"\b(?:if|when|whenever|unless|until|once|only for|for some)\b|如果|若|当|时[，,]|仅",
    re.IGNORECASE,
)
"""Then it is not said of the field as it is."""
_ARTICLE = re.compile(r"^\W*(?:(?:the|its?|an?|your|this) )?", re.IGNORECASE)
_IS_SAID = re.compile(
    r" (?:is|can|may|must|has|cannot|takes)\b|可以?|必须|不能|只能|最|长度|取值|为|支持"
)


@dataclass(frozen=True, slots=True)
class FieldFact:
    """What a sentence says of a field."""

    fact: Fact
    subject: Span
    """Where the field's name stands, or the sentence that speaks of it without a name."""
    sentence: Sentence
    words: Inline
    """The words that say it."""


def subject_of(intent: Intent) -> Span:
    """What identifies the field of an instruction."""
    label = intent.label or intent.place.field
    if intent.kind is K.CHOOSE and intent.place.field is not None:
        label = intent.place.field
    is_name = label is not None and label.role is not InlineRole.LITERAL
    return label.span if label is not None and is_name else intent.sentence.span


def field_facts(procedure: Procedure, plan: Iterable[Intent]) -> tuple[FieldFact, ...]:
    """All that the procedure says of its fields, in the order of the text."""
    by_sentence: dict[Span, list[Intent]] = {}
    for intent in plan:
        by_sentence.setdefault(intent.sentence.span, []).append(intent)
    reader = _Reader(by_sentence)
    return (
        *reader.around(procedure.introduction),
        *(fact for step in procedure.steps for fact in reader.step(step)),
        *reader.around((*procedure.results, *procedure.remarks)),
    )


class _Reader:
    def __init__(self, plan: Mapping[Span, list[Intent]]) -> None:
        self._plan = plan
        self._known = [
            (label.text, subject_of(i))
            for intents in plan.values()
            for i in intents
            if i.kind in _OF_FIELDS | {K.FIELD} and (label := i.label or i.place.field)
        ]

    def around(self, said: Iterable[Sentence]) -> Iterator[FieldFact]:
        """What is said of a field of the procedure by its name, where nothing is asked for."""
        for sentence in said:
            if _CONDITION.search(sentence.text):
                yield from self._marked(sentence, None)
                continue
            named = self._by_words(sentence) if not sentence.labels() else None
            subjects = {named: 0} if named else self._subjects(sentence)
            yield from self._prose(sentence, subjects, None)

    def step(self, step: Step) -> Iterator[FieldFact]:
        last: Span | None = None
        for part in step.body:
            match part:
                case Sentence():
                    subjects = self._subjects(part)
                    if subjects or not self._is_quiet(part):
                        last = next(iter(subjects)) if len(subjects) == 1 else None
                    yield from self._prose(part, subjects, last)
                case Field() if part.labels:
                    yield from self._of_entry(part)
                    last = None
                case Note():
                    yield from self.around(part.sentences)
                case Step():
                    yield from self.step(part)
                case _:
                    last = None

    def _is_quiet(self, sentence: Sentence) -> bool:
        """Whether it asks for nothing: then "it" is still what it was."""
        intents = self._plan.get(sentence.span, ())
        return not sentence.labels() and all(i.kind is K.INFORM for i in intents)

    def _gives_one_value(self, sentence: Sentence) -> bool:
        """Whether it has one field filled in, which depends on nothing else that it asks for.

        A step that gives no value is left out: what is required is told when the form is sent.
        """
        asks = [i for i in self._plan.get(sentence.span, ()) if i.kind is not K.INFORM]
        is_one = len(asks) == 1 and asks[0].kind in (K.FILL, K.CHOOSE)
        return is_one and asks[0].value is not None

    def _subjects(self, sentence: Sentence) -> dict[Span, int]:
        """The fields that it speaks of, each with where its name ends."""
        found: dict[Span, int] = {}
        for intent in self._plan.get(sentence.span, ()):
            if intent.kind in _OF_FIELDS:
                label = intent.place.field if intent.kind is K.CHOOSE else None
                label = label or intent.label or intent.place.field
                found[subject_of(intent)] = label.end if label is not None else 0
        labels = sentence.labels()
        if not found and len(labels) == 1 and (named := self._named(labels[0].text)):
            found = {named: labels[0].end}
        return found

    def _named(self, name: str) -> Span | None:
        """The field that the procedure calls so."""
        return next((span for text, span in self._known if same(text, name)), None)

    def _by_words(self, sentence: Sentence) -> Span | None:
        """The field whose name, without a mark, is what the sentence is about."""
        begin = plain(_ARTICLE.sub("", sentence.text))
        names = [text for text, _ in self._known if (p := plain(text)) and len(p) > 1]
        fitting = [
            n for n in names if begin.startswith(p := plain(n)) and _IS_SAID.match(begin, len(p))
        ]
        return self._named(max(fitting, key=len)) if fitting else None

    def _prose(
        self, sentence: Sentence, subjects: Mapping[Span, int], last: Span | None
    ) -> Iterator[FieldFact]:
        for fact in _facts(sentence):
            subject = self._subject(fact, sentence, subjects, last)
            if subject is not None:
                yield _stated(fact, subject, sentence)
        yield from self._marked(sentence, last)

    def _marked(self, sentence: Sentence, last: Span | None) -> Iterator[FieldFact]:
        """What marked words say, where nothing is asked for."""
        intents = self._plan.get(sentence.span, ())
        if any(i.kind not in (K.INFORM, K.EXPECT_DEFAULT, K.EXPECT_FIELD) for i in intents):
            return
        for one in marked_facts(sentence):
            subject = self._named(one.field.text) if one.field else last
            if subject is not None:
                yield FieldFact(one.fact, subject, sentence, one.words)

    def _subject(
        self, fact: Fact, sentence: Sentence, subjects: Mapping[Span, int], last: Span | None
    ) -> Span | None:
        if len(subjects) > 1:  # "a **Name** and a **Password** of at least eight characters"
            near = [
                span
                for span, end in subjects.items()
                if 0 < end <= fact.start and _JOINS.fullmatch(sentence.text[end : fact.start])
            ]
            return near[0] if len(near) == 1 else None
        if subjects:
            is_step = fact.kind is FactKind.OPTIONAL and fact.start < 4
            if is_step and not self._gives_one_value(sentence):  # "Optional: tick X, enter a name"
                return None
            return next(iter(subjects))
        goes_on = _GOES_ON.match(sentence.text) or not sentence.text[: fact.start].strip()
        return last if goes_on and self._is_quiet(sentence) else None

    def _of_entry(self, listed: Field) -> Iterator[FieldFact]:
        subject = listed.labels[0].span
        for sentence in listed.description:
            for fact in _facts(sentence):
                yield _stated(fact, subject, sentence)
            yield from self._marked(sentence, subject)


def _facts(sentence: Sentence) -> tuple[Fact, ...]:
    return facts_of(sentence.text, [(i.start, i.end) for i in sentence.inlines])


def _stated(fact: Fact, subject: Span, sentence: Sentence) -> FieldFact:
    words = marked_words(sentence, fact.start, fact.end)
    return FieldFact(fact, subject, sentence, words)
