"""A procedure's text → all that it claims, read or not."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from appliance.core.claims import ClaimKind, StatedClaim
from appliance.core.procedure import (
    Field,
    Figure,
    Inline,
    InlineRole,
    Note,
    Procedure,
    Sentence,
    Step,
    prose_of,
)
from appliance.core.source import Span
from appliance.language.names import words
from appliance.policy.literal.read.defaults import default_claim
from appliance.policy.literal.read.facts import FactKind
from appliance.policy.literal.read.intents import Intent, IntentKind
from appliance.policy.literal.read.leftover import kind_of_claim, leftover, only_refers
from appliance.policy.literal.read.masking import marked_words
from appliance.policy.literal.read.reading import read_procedure, states_default
from appliance.policy.literal.read.subjects import FieldFact, field_facts
from appliance.policy.literal.read.whereabouts import Standing, Whereabout, standings

K = IntentKind
_KIND = {
    K.LOG_IN: ClaimKind.INSTRUCTION,
    K.SWITCH_PROJECT: ClaimKind.INSTRUCTION,
    K.OPEN: ClaimKind.CONTROL,
    K.OPEN_MENU: ClaimKind.INSTRUCTION,
    K.FILL: ClaimKind.FIELD,
    K.CHOOSE: ClaimKind.FIELD,
    K.TICK: ClaimKind.CONTROL,
    K.UNTICK: ClaimKind.CONTROL,
    K.PICK: ClaimKind.ROW,
    K.FOLLOW: ClaimKind.ROW,
    K.UPLOAD: ClaimKind.INSTRUCTION,
    K.CONFIRM: ClaimKind.INSTRUCTION,
    K.CLOSE: ClaimKind.INSTRUCTION,
    K.MOVE: ClaimKind.INSTRUCTION,
    K.SET_PAIR: ClaimKind.INSTRUCTION,
    K.FIELD: ClaimKind.FIELD,
    K.EXPECT_OPEN: ClaimKind.TITLE,
    K.EXPECT_TEXT: ClaimKind.STATE,
    K.EXPECT_FIELD: ClaimKind.FIELD,
    K.EXPECT_DEFAULT: ClaimKind.DEFAULT,
    K.WAIT: ClaimKind.DURATION,
    K.PRESS: ClaimKind.INSTRUCTION,
    K.DRAG: ClaimKind.INSTRUCTION,
    K.FORM: ClaimKind.INSTRUCTION,
    K.REPEAT: ClaimKind.INSTRUCTION,
    K.VISIT: ClaimKind.INSTRUCTION,
    K.EXTERNAL: ClaimKind.INSTRUCTION,
    K.UNCLEAR: ClaimKind.INSTRUCTION,
}
"""Of what is read; what only informs claims nothing that could be looked for."""
_CLAIMS = frozenset({K.EXPECT_OPEN, K.EXPECT_TEXT, K.EXPECT_FIELD, K.EXPECT_DEFAULT})
_OF_FACT = {
    FactKind.REQUIRED: ClaimKind.REQUIREMENT,
    FactKind.OPTIONAL: ClaimKind.REQUIREMENT,
    FactKind.EMPTY: ClaimKind.REQUIREMENT,
    FactKind.OFFERS: ClaimKind.OPTION,
    FactKind.TAKES: ClaimKind.VALUE,
    FactKind.SECTION: ClaimKind.PLACE,
    FactKind.FIRST: ClaimKind.POSITION,
    FactKind.LAST: ClaimKind.POSITION,
    FactKind.HOLDS: ClaimKind.DEFAULT,
    FactKind.BESIDE: ClaimKind.FIELD,
}
"""Of the others, which are limits: nothing."""
_ACTS = frozenset({K.OPEN, K.TICK, K.UNTICK, K.FILL, K.CHOOSE})
_MARKED = frozenset({InlineRole.UI_LABEL, InlineRole.LITERAL})
_NOT_LOOKED_FOR = frozenset(
    {K.EXTERNAL, K.UNCLEAR, K.WAIT, K.LOG_IN, K.SWITCH_PROJECT, K.FORM, K.REPEAT}
)


def claim_of(intent: Intent) -> StatedClaim | None:
    """What the instruction, or the claim, says itself; None: it says nothing to look for."""
    kind = _KIND.get(intent.kind)
    if kind is None:
        return None
    if intent.kind is K.OPEN and intent.noun == "path":
        kind = ClaimKind.MENU_PATH
    elif intent.kind is K.EXPECT_TEXT and intent.noun == "message":
        kind = ClaimKind.MESSAGE
    label = intent.label or intent.place.field
    is_own = label is not None and (intent.entry is not None or _is_in(label, intent.sentence))
    said: Inline | Sentence = label if label is not None and is_own else intent.sentence
    if is_own and intent.noun in ("on", "off") and (on := states_default(intent.sentence)):
        said = marked_words(intent.sentence, on.start(), on.end())
    return _stated(kind, said, intent.step, is_read=intent.kind not in _NOT_LOOKED_FOR)


def _is_in(label: Inline, sentence: Sentence) -> bool:
    """Whether the sentence itself has it: "It is selected by default." speaks of one before it."""
    starts = (label.span.line, label.span.column)
    whole = sentence.span
    return (whole.line, whole.column) <= starts < (whole.end_line, whole.end_column)


def value_of(intent: Intent) -> StatedClaim | None:
    """The value that it says is entered, or chosen."""
    if intent.value is None or intent.kind not in (K.FILL, K.CHOOSE, K.EXPECT_DEFAULT):
        return None
    kind = {K.FILL: ClaimKind.VALUE, K.CHOOSE: ClaimKind.OPTION}.get(intent.kind, ClaimKind.DEFAULT)
    return _stated(kind, intent.value, intent.step)


def places_of(intent: Intent) -> Iterator[tuple[str, StatedClaim]]:
    """Where it says to look: `dialog`, `section` or `column`, and what is said."""
    for name in ("dialog", "section", "column"):
        label: Inline | None = getattr(intent.place, name)
        if label is not None:
            yield name, _stated(ClaimKind.PLACE, label, intent.step)


def standings_of(intent: Intent) -> Iterator[tuple[Standing, StatedClaim]]:
    """What its sentence says of where the thing stands that it acts on."""
    for one in _held(intent.sentence, (intent,)):
        if one.label.parts and intent.label and intent.label.text != one.label.parts[0]:
            continue  # what opens from there may stand elsewhere
        yield one, standing_claim(one, intent.step)


def standing_claim(one: Standing, step: str) -> StatedClaim:
    """What is said of where something stands."""
    kind = ClaimKind.ROW if one.kinds == (Whereabout.ROW,) else ClaimKind.POSITION
    return _stated(kind, one.words, step)


def path_remarks(procedure: Procedure, plan: Iterable[Intent]) -> tuple[Inline, ...]:
    """The menu paths that sentences name which ask for nothing."""
    asking = {i.sentence.span for i in plan}
    paths = (label for s in prose_of(procedure) if s.span not in asking for label in s.labels())
    return tuple(label for label in paths if len(label.parts) > 1)


def standing_remarks(
    procedure: Procedure, plan: Iterable[Intent]
) -> dict[Span, tuple[Standing, ...]]:
    """What the sentences that ask for nothing say of where things stand, by sentence."""
    acting = {i.sentence.span for i in plan if i.kind in _ACTS}
    return {
        sentence.span: standings(sentence)
        for sentence in prose_of(procedure)
        if sentence.span not in acting
    }


def _held(sentence: Sentence, intents: Iterable[Intent]) -> list[Standing]:
    acted = {label.span for i in intents if i.kind in _ACTS and (label := i.label)}
    said = standings(sentence) if acted else ()
    return [one for one in said if one.label.span in acted]


def _standing(intents: Iterable[Intent]) -> Iterator[StatedClaim]:
    for intent in intents:
        yield from (claim for _, claim in standings_of(intent))


def stated_claims(procedure: Procedure) -> tuple[StatedClaim, ...]:
    """All claims of a procedure, each once, in the order of the text."""
    plan = read_procedure(procedure)
    by_sentence: dict[Span, list[Intent]] = {}
    for intent in plan:
        by_sentence.setdefault(intent.sentence.span, []).append(intent)
    reader = _Reader(procedure, by_sentence, field_facts(procedure, plan))
    return tuple({key_of(claim): claim for claim in reader.all()}.values())


def key_of(claim: StatedClaim) -> tuple[Span, str]:
    """Its words: the entries of a menu path have one place."""
    return claim.span, claim.text


class _Reader:
    def __init__(
        self,
        procedure: Procedure,
        plan: dict[Span, list[Intent]],
        facts: Iterable[FieldFact],
    ) -> None:
        self._procedure, self._plan = procedure, plan
        self._facts: dict[Span, list[FieldFact]] = {}
        for fact in facts:
            self._facts.setdefault(fact.sentence.span, []).append(fact)
        self._remarks = standing_remarks(procedure, chain.from_iterable(plan.values()))
        labels = (i.label.text for intents in plan.values() for i in intents if i.label)
        self._topic = frozenset(chain(*map(words, (*procedure.title_path, *labels))))

    def all(self) -> Iterator[StatedClaim]:
        for sentence in self._procedure.prerequisites:
            yield self._unread(sentence, "", ClaimKind.REQUIREMENT)
        yield from self._around(self._procedure.introduction)
        for step in self._procedure.steps:
            yield from self._step(step)
        for sentence in self._procedure.results:
            yield from self._sentence(sentence, "")
        yield from self._around(self._procedure.remarks)

    def _around(self, said: Iterable[Sentence]) -> Iterator[StatedClaim]:
        """What nobody is asked to do anything about; that more stands elsewhere claims nothing."""
        for sentence in said:
            if not only_refers(sentence):
                yield from self._remark(sentence, "")

    def _step(self, step: Step) -> Iterator[StatedClaim]:
        for part in step.body:
            match part:
                case Sentence():
                    yield from self._sentence(part, step.index)
                case Field():
                    yield from self._field(part, step.index)
                case Note():
                    for sentence in part.sentences if part.kind != "summary" else ():
                        yield from self._remark(sentence, step.index)
                case Figure() if part.caption:
                    yield _stated(
                        ClaimKind.EXPLANATION,
                        Sentence(text=part.caption, span=part.span),
                        step.index,
                        is_read=False,
                    )
                case Step():
                    yield from self._step(part)
                case _:
                    pass

    def _remark(self, sentence: Sentence, step: str) -> Iterator[StatedClaim]:
        """What is looked for of it, and the rest."""
        facts = [
            *self._of_facts(sentence, step),
            *self._of_columns(sentence, step),
            *self._paths(sentence, step),
            *self._remarked(sentence, step),
        ]
        yield from facts
        rest = self._without_facts(sentence)
        language = self._procedure.language
        if not facts or leftover(rest, self._topic, is_claim=True, language=language):
            yield self._unread(sentence, step)

    def _remarked(self, sentence: Sentence, step: str) -> Iterator[StatedClaim]:
        for one in self._remarks.get(sentence.span, ()):
            yield standing_claim(one, step)

    def _paths(self, sentence: Sentence, step: str) -> Iterator[StatedClaim]:
        for label in sentence.labels():
            if len(label.parts) > 1:
                yield _stated(ClaimKind.MENU_PATH, label, step)

    def _of_columns(self, sentence: Sentence, step: str) -> Iterator[StatedClaim]:
        for intent in self._plan.get(sentence.span, ()):
            if intent.label is not None:
                yield _stated(ClaimKind.FIELD, intent.label, step)

    def _field(
        self, listed: Field, step: str, kind: ClaimKind = ClaimKind.FIELD
    ) -> Iterable[StatedClaim]:
        for label in listed.labels:
            yield _stated(kind, label, step)
        for sentence in listed.description:
            yield from self._said_of_field(sentence, step)
        for option in listed.options:
            yield from self._field(option, step, ClaimKind.OPTION)
        for note in listed.notes:
            for sentence in note.sentences:
                yield self._unread(sentence, step)

    def _said_of_field(self, sentence: Sentence, step: str) -> Iterator[StatedClaim]:
        """What a description states: defaults and options are looked for, the rest is not."""
        about = kind_of_claim(sentence)
        kind = ClaimKind.DEFAULT if about is ClaimKind.DEFAULT else ClaimKind.OPTION
        marked = [i for i in sentence.inlines if i.role in _MARKED]
        default = default_claim(sentence)
        if default is not None and default not in marked:
            marked.append(default)
        for label in marked:
            yield _stated(kind, label, step)
        facts = list(self._of_facts(sentence, step))
        yield from facts
        rest = self._without_facts(sentence)
        more = leftover(rest, self._topic, is_claim=True, language=self._procedure.language)
        if more or not (marked or facts):
            yield self._unread(sentence, step)

    def _sentence(self, sentence: Sentence, step: str) -> Iterator[StatedClaim]:
        intents = self._plan.get(sentence.span, [])
        facts = list(self._of_facts(sentence, step))
        read = [*_read(intents, step), *facts, *_standing(intents), *self._remarked(sentence, step)]
        default = default_claim(sentence) if all(i.kind is K.INFORM for i in intents) else None
        if default is not None:
            read.append(_stated(ClaimKind.DEFAULT, default, step))
        yield from read
        is_whole = bool(read) and all(claim.is_read for claim in read)
        covered = [claim.span for claim in read]
        loose = [i for i in sentence.labels() if i.span not in covered]
        for label in loose:
            yield _stated(ClaimKind.CONTROL, label, step, is_read=False)
        more = leftover(
            self._without_facts(sentence),
            self._topic,
            is_claim=bool(facts) or default is not None or any(i.kind in _CLAIMS for i in intents),
            language=self._procedure.language,
        )
        is_informing = not facts and default is None and all(i.kind is K.INFORM for i in intents)
        introduces = sentence.text.rstrip().endswith((":", "：")) and not sentence.labels()
        if introduces and not more:  # "Fill in the dialog:" says nothing that its list does not
            return
        if (more and is_whole) or is_informing:
            yield self._unread(sentence, step)

    def _of_facts(self, sentence: Sentence, step: str) -> Iterator[StatedClaim]:
        for one in self._facts.get(sentence.span, ()):
            yield _stated(_OF_FACT.get(one.fact.kind, ClaimKind.LIMIT), one.words, step)

    def _without_facts(self, sentence: Sentence) -> Sentence:
        """What is left to be accounted for, with everything where it was."""
        text = sentence.text
        intents = self._plan.get(sentence.span, ())
        read = [one.words for one in self._facts.get(sentence.span, ())]
        read += [one.words for one in _held(sentence, intents)]
        read += [one.words for one in self._remarks.get(sentence.span, ())]
        at = [(one.start, one.end) for one in read]
        if any(i.kind is K.EXPECT_DEFAULT for i in intents) and (on := states_default(sentence)):
            at.append(on.span())
        for start, end in at:
            text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
        return replace(sentence, text=text)

    @staticmethod
    def _unread(sentence: Sentence, step: str, kind: ClaimKind | None = None) -> StatedClaim:
        return _stated(kind or kind_of_claim(sentence), sentence, step, is_read=False)


def _read(intents: Iterable[Intent], step: str) -> Iterator[StatedClaim]:
    for intent in intents:
        if intent.kind is not K.FIELD:
            said = (claim_of(intent), value_of(intent), *(c for _, c in places_of(intent)))
            yield from (claim for claim in said if claim is not None)


def _stated(
    kind: ClaimKind, said: Inline | Sentence, step: str, *, is_read: bool = True
) -> StatedClaim:
    return StatedClaim(kind=kind, text=said.text, span=said.span, step=step, is_read=is_read)
