"""Collects all that the text of a procedure claims, whether it was understood or not."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
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
from appliance.policy.literal.read.leftover import kind_of_claim, only_refers, unaccounted_words
from appliance.policy.literal.read.masking import marked_words
from appliance.policy.literal.read.reading import find_default_state, read_procedure
from appliance.policy.literal.read.subjects import FieldFact, field_facts
from appliance.policy.literal.read.whereabouts import PagePosition, StatedPosition, stated_positions

K = IntentKind
_CLAIM_KIND = {
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
"""The kind of claim of each kind of intent; `INFORM` claims nothing that can be checked."""
_CLAIM_INTENTS = frozenset({K.EXPECT_OPEN, K.EXPECT_TEXT, K.EXPECT_FIELD, K.EXPECT_DEFAULT})
_FACT_CLAIM_KIND = {
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
"""The kind of claim of each kind of fact; all others are limits."""
_ACTING_KINDS = frozenset({K.OPEN, K.TICK, K.UNTICK, K.FILL, K.CHOOSE})
_MARKED_ROLES = frozenset({InlineRole.UI_LABEL, InlineRole.LITERAL})
_NOT_LOOKED_FOR = frozenset(
    {K.EXTERNAL, K.UNCLEAR, K.WAIT, K.LOG_IN, K.SWITCH_PROJECT, K.FORM, K.REPEAT}
)


def claim_of(intent: Intent) -> StatedClaim | None:
    """The claim that an intent itself makes; None if there is nothing to look for."""
    kind = _CLAIM_KIND.get(intent.kind)
    if kind is None:
        return None
    if intent.kind is K.OPEN and intent.noun == "path":
        kind = ClaimKind.MENU_PATH
    elif intent.kind is K.EXPECT_TEXT and intent.noun == "message":
        kind = ClaimKind.MESSAGE
    label = intent.label or intent.place.field
    is_in_sentence = label is not None and (
        intent.entry is not None or _is_within(label, intent.sentence)
    )
    words: Inline | Sentence = label if label is not None and is_in_sentence else intent.sentence
    if (
        is_in_sentence
        and intent.noun in ("on", "off")
        and (on := find_default_state(intent.sentence))
    ):
        words = marked_words(intent.sentence, on.start(), on.end())
    return _claim(kind, words, intent.step, is_read=intent.kind not in _NOT_LOOKED_FOR)


def _is_within(label: Inline, sentence: Sentence) -> bool:
    """Whether the label is in the sentence: "It is selected by default." takes one from before."""
    label_start = (label.span.line, label.span.column)
    sentence_span = sentence.span
    return (
        (sentence_span.line, sentence_span.column)
        <= label_start
        < (sentence_span.end_line, sentence_span.end_column)
    )


def value_of(intent: Intent) -> StatedClaim | None:
    """The claim that its value can be entered or chosen, or is the default."""
    if intent.value is None or intent.kind not in (K.FILL, K.CHOOSE, K.EXPECT_DEFAULT):
        return None
    kind = {K.FILL: ClaimKind.VALUE, K.CHOOSE: ClaimKind.OPTION}.get(intent.kind, ClaimKind.DEFAULT)
    return _claim(kind, intent.value, intent.step)


def places_of(intent: Intent) -> Iterator[tuple[str, StatedClaim]]:
    """Yield the claims about where to look, each with `dialog`, `section` or `column`."""
    for name in ("dialog", "section", "column"):
        label: Inline | None = getattr(intent.place, name)
        if label is not None:
            yield name, _claim(ClaimKind.PLACE, label, intent.step)


def positions_of(intent: Intent) -> Iterator[tuple[StatedPosition, StatedClaim]]:
    """Yield what the sentence says about the position of the control that the intent acts on."""
    for position in _positions_of_acted(intent.sentence, (intent,)):
        if position.label.parts and intent.label and intent.label.text != position.label.parts[0]:
            continue  # the position is that of the menu, not of its entries
        yield position, position_claim(position, intent.step)


def position_claim(position: StatedPosition, step: str) -> StatedClaim:
    """The claim that something is at a position."""
    kind = ClaimKind.ROW if position.kinds == (PagePosition.ROW,) else ClaimKind.POSITION
    return _claim(kind, position.words, step)


def path_remarks(procedure: Procedure, plan: Iterable[Intent]) -> tuple[Inline, ...]:
    """The menu paths named by sentences that ask for nothing."""
    asking_spans = {i.sentence.span for i in plan}
    paths = (
        label for s in prose_of(procedure) if s.span not in asking_spans for label in s.labels()
    )
    return tuple(label for label in paths if len(label.parts) > 1)


def position_remarks(
    procedure: Procedure, plan: Iterable[Intent]
) -> dict[Span, tuple[StatedPosition, ...]]:
    """The positions stated by sentences that ask for no action, by sentence."""
    acting_spans = {i.sentence.span for i in plan if i.kind in _ACTING_KINDS}
    return {
        sentence.span: stated_positions(sentence)
        for sentence in prose_of(procedure)
        if sentence.span not in acting_spans
    }


def _positions_of_acted(sentence: Sentence, intents: Iterable[Intent]) -> list[StatedPosition]:
    acted_spans = {label.span for i in intents if i.kind in _ACTING_KINDS and (label := i.label)}
    positions = stated_positions(sentence) if acted_spans else ()
    return [position for position in positions if position.label.span in acted_spans]


def _acted_position_claims(intents: Iterable[Intent]) -> Iterator[StatedClaim]:
    for intent in intents:
        yield from (claim for _, claim in positions_of(intent))


@lru_cache(maxsize=256)
def stated_claims(procedure: Procedure) -> tuple[StatedClaim, ...]:
    """Collect all claims of a procedure, each once, in the order of the text."""
    plan = read_procedure(procedure)
    by_sentence: dict[Span, list[Intent]] = {}
    for intent in plan:
        by_sentence.setdefault(intent.sentence.span, []).append(intent)
    reader = _ClaimReader(procedure, by_sentence, field_facts(procedure, plan))
    return tuple({key_of(claim): claim for claim in reader.claims()}.values())


def key_of(claim: StatedClaim) -> tuple[Span, str]:
    """What identifies a claim; the span alone would not, as the entries of a menu path share one."""
    return claim.span, claim.text


class _ClaimReader:
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
        self._positions = position_remarks(procedure, chain.from_iterable(plan.values()))
        labels = (i.label.text for intents in plan.values() for i in intents if i.label)
        self._topic = frozenset(chain(*map(words, (*procedure.title_path, *labels))))

    def claims(self) -> Iterator[StatedClaim]:
        for sentence in self._procedure.prerequisites:
            yield self._unread_claim(sentence, "", ClaimKind.REQUIREMENT)
        yield from self._surrounding_claims(self._procedure.introduction)
        for step in self._procedure.steps:
            yield from self._step_claims(step)
        for sentence in self._procedure.results:
            yield from self._sentence_claims(sentence, "")
        yield from self._surrounding_claims(self._procedure.remarks)

    def _surrounding_claims(self, sentences: Iterable[Sentence]) -> Iterator[StatedClaim]:
        """Claims of text around the steps; references to other pages claim nothing."""
        for sentence in sentences:
            if not only_refers(sentence):
                yield from self._remark_claims(sentence, "")

    def _step_claims(self, step: Step) -> Iterator[StatedClaim]:
        for part in step.body:
            match part:
                case Sentence():
                    yield from self._sentence_claims(part, step.index)
                case Field():
                    yield from self._field_claims(part, step.index)
                case Note():
                    for sentence in part.sentences if part.kind != "summary" else ():
                        yield from self._remark_claims(sentence, step.index)
                case Figure() if part.caption:
                    yield _claim(
                        ClaimKind.EXPLANATION,
                        Sentence(text=part.caption, span=part.span),
                        step.index,
                        is_read=False,
                    )
                case Step():
                    yield from self._step_claims(part)
                case _:
                    pass

    def _remark_claims(self, sentence: Sentence, step: str) -> Iterator[StatedClaim]:
        """Claims of a sentence that asks for nothing: what can be checked, and the sentence if more is left."""
        facts = [
            *self._fact_claims(sentence, step),
            *self._column_claims(sentence, step),
            *self._path_claims(sentence, step),
            *self._position_claims(sentence, step),
        ]
        yield from facts
        rest = self._without_facts(sentence)
        language = self._procedure.language
        if not facts or unaccounted_words(rest, self._topic, is_claim=True, language=language):
            yield self._unread_claim(sentence, step)

    def _position_claims(self, sentence: Sentence, step: str) -> Iterator[StatedClaim]:
        for position in self._positions.get(sentence.span, ()):
            yield position_claim(position, step)

    def _path_claims(self, sentence: Sentence, step: str) -> Iterator[StatedClaim]:
        for label in sentence.labels():
            if len(label.parts) > 1:
                yield _claim(ClaimKind.MENU_PATH, label, step)

    def _column_claims(self, sentence: Sentence, step: str) -> Iterator[StatedClaim]:
        for intent in self._plan.get(sentence.span, ()):
            if intent.label is not None:
                yield _claim(ClaimKind.FIELD, intent.label, step)

    def _field_claims(
        self, field: Field, step: str, kind: ClaimKind = ClaimKind.FIELD
    ) -> Iterable[StatedClaim]:
        for label in field.labels:
            yield _claim(kind, label, step)
        for sentence in field.description:
            yield from self._description_claims(sentence, step)
        for option in field.options:
            yield from self._field_claims(option, step, ClaimKind.OPTION)
        for note in field.notes:
            for sentence in note.sentences:
                yield self._unread_claim(sentence, step)

    def _description_claims(self, sentence: Sentence, step: str) -> Iterator[StatedClaim]:
        """Claims of a field's description: defaults, options and facts are checked, the rest is not."""
        claim_kind = kind_of_claim(sentence)
        kind = ClaimKind.DEFAULT if claim_kind is ClaimKind.DEFAULT else ClaimKind.OPTION
        claimed = [i for i in sentence.inlines if i.role in _MARKED_ROLES]
        default = default_claim(sentence)
        if default is not None and default not in claimed:
            claimed.append(default)
        for label in claimed:
            yield _claim(kind, label, step)
        facts = list(self._fact_claims(sentence, step))
        yield from facts
        rest = self._without_facts(sentence)
        unaccounted = unaccounted_words(
            rest, self._topic, is_claim=True, language=self._procedure.language
        )
        if unaccounted or not (claimed or facts):
            yield self._unread_claim(sentence, step)

    def _sentence_claims(self, sentence: Sentence, step: str) -> Iterator[StatedClaim]:
        intents = self._plan.get(sentence.span, [])
        facts = list(self._fact_claims(sentence, step))
        claims = [
            *_intent_claims(intents, step),
            *facts,
            *_acted_position_claims(intents),
            *self._position_claims(sentence, step),
        ]
        default = default_claim(sentence) if all(i.kind is K.INFORM for i in intents) else None
        if default is not None:
            claims.append(_claim(ClaimKind.DEFAULT, default, step))
        yield from claims
        is_all_read = bool(claims) and all(claim.is_read for claim in claims)
        covered_spans = [claim.span for claim in claims]
        unread_labels = [i for i in sentence.labels() if i.span not in covered_spans]
        for label in unread_labels:
            yield _claim(ClaimKind.CONTROL, label, step, is_read=False)
        unaccounted = unaccounted_words(
            self._without_facts(sentence),
            self._topic,
            is_claim=bool(facts)
            or default is not None
            or any(i.kind in _CLAIM_INTENTS for i in intents),
            language=self._procedure.language,
        )
        is_informing = not facts and default is None and all(i.kind is K.INFORM for i in intents)
        introduces = sentence.text.rstrip().endswith((":", "：")) and not sentence.labels()
        if introduces and not unaccounted:
            return  # "Fill in the dialog:" says nothing that its list does not
        if (unaccounted and is_all_read) or is_informing:
            yield self._unread_claim(sentence, step)

    def _fact_claims(self, sentence: Sentence, step: str) -> Iterator[StatedClaim]:
        for field_fact in self._facts.get(sentence.span, ()):
            yield _claim(
                _FACT_CLAIM_KIND.get(field_fact.fact.kind, ClaimKind.LIMIT), field_fact.words, step
            )

    def _without_facts(self, sentence: Sentence) -> Sentence:
        """Blank out what was read in a sentence, and keep all offsets."""
        text = sentence.text
        intents = self._plan.get(sentence.span, ())
        accounted = [item.words for item in self._facts.get(sentence.span, ())]
        accounted += [item.words for item in _positions_of_acted(sentence, intents)]
        accounted += [item.words for item in self._positions.get(sentence.span, ())]
        stretches = [(item.start, item.end) for item in accounted]
        if any(i.kind is K.EXPECT_DEFAULT for i in intents) and (
            on := find_default_state(sentence)
        ):
            stretches.append(on.span())
        for start, end in stretches:
            text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
        return replace(sentence, text=text)

    @staticmethod
    def _unread_claim(sentence: Sentence, step: str, kind: ClaimKind | None = None) -> StatedClaim:
        return _claim(kind or kind_of_claim(sentence), sentence, step, is_read=False)


def _intent_claims(intents: Iterable[Intent], step: str) -> Iterator[StatedClaim]:
    for intent in intents:
        if intent.kind is not K.FIELD:
            claims = (claim_of(intent), value_of(intent), *(c for _, c in places_of(intent)))
            yield from (claim for claim in claims if claim is not None)


def _claim(
    kind: ClaimKind, words: Inline | Sentence, step: str, *, is_read: bool = True
) -> StatedClaim:
    return StatedClaim(kind=kind, text=words.text, span=words.span, step=step, is_read=is_read)
