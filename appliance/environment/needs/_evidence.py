"""Reads a procedure for things that must exist before it starts."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from appliance.core.procedure import Field, Inline, InlineRole, Procedure, Sentence, Step
from appliance.core.source import Span
from appliance.environment.modules import Module, Variable
from appliance.environment.needs._chinese import CHINESE
from appliance.environment.needs._english import ENGLISH
from appliance.environment.needs._grammar import Grammar
from appliance.environment.needs._mentions import Lexicon, Notation
from appliance.environment.needs.matching import fold

_HAN = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class StepPosition:
    """The position of a sentence in the procedure."""

    step: int
    """Index of the step in document order; -1: before the steps."""
    is_optional: bool = False


def sentences(part: Sentence | Field) -> Iterator[Sentence]:
    """The sentence itself, or the sentences of a field's description."""
    if isinstance(part, Sentence):
        yield part
    else:
        yield from part.description


def unconditional_parts(procedure: Procedure) -> Iterator[tuple[Sentence | Field, StepPosition]]:
    """Sentences and fields of the steps in order, without conditional steps."""
    count = 0

    def walk_step(step: Step, is_optional: bool) -> Iterator[tuple[Sentence | Field, StepPosition]]:
        nonlocal count
        if step.condition:
            return
        position = StepPosition(count, is_optional or step.is_optional)
        count += 1
        for part in step.body:
            if isinstance(part, Sentence | Field):
                yield part, position
            elif isinstance(part, Step):
                yield from walk_step(part, position.is_optional)

    for step in procedure.steps:
        yield from walk_step(step, False)


def grammar_of(text: str) -> Grammar:
    """The grammar of the text's language."""
    return CHINESE if _HAN.search(text) else ENGLISH


class CreatedThings:
    """What a procedure creates, by its title, its sentences and the buttons they name."""

    def __init__(self, procedure: Procedure, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._certain: dict[str, int] = {}
        """Module names with the step that creates one; -1: only the title says so."""
        self._possible: dict[str, int] = {}
        """As `_certain`, for verbs such as "add" that may also be about existing things."""
        title = lexicon.read(Sentence(text=procedure.title, span=procedure.span))
        self._note(title, title.text, -1)
        for part, position in unconditional_parts(procedure):
            for sentence in sentences(part):
                self._read(lexicon.read(sentence), position.step)

    def is_of(self, module: Module, step: int) -> bool:
        """Whether the thing that the text mentions at a step (-1: before them) is created by it."""
        created_at = self._certain.get(module.name)
        if created_at is None and step < 0:
            created_at = self._possible.get(module.name)
        return created_at is not None and (created_at < 0 or step < 0 or step >= created_at)

    def inputs_requiring(self, module: Module) -> Iterator[Variable]:
        """Required inputs of the created things that take such a thing."""
        for name in (*self._certain, *self._possible):
            for variable in self._lexicon.modules[name].variables.values():
                if variable.is_required and variable.module == module.name:
                    yield variable

    def _read(self, notation: Notation, step: int) -> None:
        for clause in grammar_of(notation.text).clause.split(notation.text):
            self._note(notation, clause, step)
        for mark in notation.marks:
            if mark.role is InlineRole.UI_LABEL:
                label = self._lexicon.read(Sentence(text=mark.text, span=mark.span))
                self._note(label, label.text, step)

    def _note(self, notation: Notation, clause: str, step: int) -> None:
        grammar = grammar_of(notation.text)
        match = grammar.made.search(clause)
        if match:
            target = self._certain if match["verb"] in grammar.made_for_sure else self._possible
            name = notation.mentions[int(match["thing"])].module.name
            if target.get(name, -1) < 0:
                target[name] = step


_HEADING = re.compile(r"^(?:⟦\d+⟧|[^:：，,.。‹⟦]{1,30})[:：]\s*")
"""`Prerequisites:` before a sentence."""
_ANOTHER_WORD = r"(?:\b(?:another|new|different|other)|其他|另一\w?)"
_MAX_CHEAP_S = 10.0
"""Seconds; what an optional step needs is created only if it is free and this quick."""


@dataclass(slots=True)
class Evidence:
    """Evidence that something is needed."""

    module: Module
    quote: str
    span: Span
    words: dict[str, None] = field(default_factory=dict)
    """What the text calls it, and the fields that take it; an ordered set."""
    is_another: bool = False
    """Whether the text contrasts it with another of its kind that is already in use."""
    is_taken_out: bool = False
    """Whether it is removed from another needed thing, and so must be contained in it."""


class NeedReader:
    """Reads a procedure for evidence of what it needs."""

    def __init__(self, procedure: Procedure, lexicon: Lexicon) -> None:
        self._procedure, self._lexicon = procedure, lexicon
        self.needed: dict[str, Evidence] = {}
        """Evidence by module name, in the order of the text."""
        self._states_before: dict[str, str] = {}
        """Required state by module name; empty: any."""
        self._created = CreatedThings(procedure, lexicon)
        for sentence in procedure.prerequisites:
            self._read_prerequisite(sentence)
        for part, position in unconditional_parts(procedure):
            if isinstance(part, Field):
                self._read_field(part, position)
            else:
                self._read_sentence(part, position)
        if not self.needed:
            self._read_title_act()

    def state(self, module: Module) -> str:
        """The state that the thing must be in; empty: any."""
        title = self._read_title()
        if title.mentions and title.mentions[0].module.name == module.name:
            state_before = _state_before(title.text, module, grammar_of(title.text))
            if state_before:
                return state_before
        return self._states_before.get(module.name, "")

    def _read_title(self) -> Notation:
        return self._lexicon.read(Sentence(text=self._procedure.title, span=self._procedure.span))

    def _read_title_act(self) -> None:
        title = self._read_title()
        match = grammar_of(title.text).in_titles.search(title.text)
        if match:
            self._record(title, int(match[1]), StepPosition(-1))

    def _read_prerequisite(self, sentence: Sentence) -> None:
        notation = self._lexicon.read(sentence)
        grammar = grammar_of(sentence.text)
        text = _HEADING.sub("", notation.text)
        if any(
            pattern.search(text)
            for pattern in (grammar.negation, grammar.rights, grammar.condition, grammar.elsewhere)
        ):
            return
        text = _assertions(notation.text, grammar)
        new_things = _matched_numbers(grammar.fresh, text)
        for number in _matched_numbers(grammar.in_prerequisites, text):
            if number not in new_things:
                self._record(notation, number, StepPosition(-1))
        self._read_required_state(notation)
        for number, mark in enumerate(notation.marks):
            if mark.role is InlineRole.LINK and f"⟦{number}⟧" in text:
                link = self._lexicon.read(Sentence(text=mark.text, span=mark.span))
                match = grammar.made.search(link.text)
                if match:
                    self._record(
                        _read_around_link(link, sentence), int(match["thing"]), StepPosition(-1)
                    )

    def _read_sentence(
        self, sentence: Sentence, position: StepPosition, labels: tuple[str, ...] = ()
    ) -> None:
        notation = self._lexicon.read(sentence)
        grammar = grammar_of(sentence.text)
        if any(
            pattern.search(notation.text)
            for pattern in (grammar.condition, grammar.elsewhere, grammar.possible)
        ):
            return
        text = _assertions(notation.text, grammar)
        new_things = _matched_numbers(grammar.fresh, text)
        numbers = {
            number
            for pattern in grammar.existing
            for number in _matched_numbers(pattern, text)
            if number not in new_things
        }
        self._note_states(notation, sorted(numbers))
        fields = [
            m.text
            for n in _matched_numbers(grammar.field, text)
            if _is_label(m := notation.marks[n])
        ]
        is_alone = len({notation.mentions[number].module.name for number in numbers}) == 1
        for number in sorted(numbers):
            self._record(notation, number, position, (*labels, *(fields if is_alone else ())))
            evidence = self.needed.get(notation.mentions[number].module.name)
            if evidence and any(
                grammar.removes.match(m.text) for m in notation.marks if _is_label(m)
            ):
                evidence.is_taken_out = True
        if not grammar.left_alone.search(text):
            for number in {
                *_matched_numbers(grammar.field, text),
                *_matched_numbers(grammar.filled, text),
            }:
                if _is_label(notation.marks[number]):
                    self._read_label(notation.marks[number].text, notation, position)

    def _note_states(self, notation: Notation, numbers: list[int]) -> None:
        """Note the state before: the one that the first button to change it leads out of."""
        grammar = grammar_of(notation.text)
        if grammar.sure.search(notation.text):
            self._read_required_state(notation)
        for mark in notation.marks:
            if mark.role is InlineRole.LINK or not numbers or not grammar.changes.match(mark.text):
                continue
            module = notation.mentions[numbers[-1]].module
            if module.name not in self._states_before:
                self._states_before[module.name] = _state_before(mark.text, module, grammar)

    def _read_required_state(self, notation: Notation) -> None:
        """Note the state that a sentence requires of its thing."""
        text = notation.sentence.text.casefold()
        for mention in notation.mentions:
            for state in mention.module.states:
                if any(word in text for word in grammar_of(text).words_for(state)):
                    self._states_before.setdefault(mention.module.name, state)

    def _read_field(self, part: Field, position: StepPosition) -> None:
        """Read a form field: its label, or what its description says to choose."""
        labels = tuple(label.text for label in part.labels)
        unconditional: list[Sentence] = []
        for sentence in part.description:
            if grammar_of(sentence.text).condition.search(sentence.text.casefold()):
                break  # what comes after it depends on it as well
            self._read_sentence(sentence, position, labels)
            unconditional.append(sentence)
        text = " ".join(sentence.text for sentence in unconditional)
        if unconditional == list(part.description) and not grammar_of(text).left_alone.search(
            text.casefold()
        ):
            field_sentence = Sentence(
                text=f"{', '.join(labels)}: {text}".rstrip(": "), span=part.span
            )
            for label in labels:
                self._read_label(
                    label, self._lexicon.read(field_sentence), position, may_be_many=True
                )

    def _read_label(
        self, label: str, notation: Notation, position: StepPosition, *, may_be_many: bool = False
    ) -> None:
        """Note a field that takes a required input of what is created here."""
        module = self._lexicon.named_at_end(label)
        if module is None:
            return
        is_many = fold(label) != label.casefold() and not may_be_many
        inputs = self._created.inputs_requiring(module)
        if any(variable.type == "list(string)" or not is_many for variable in inputs):
            self._add(module, notation.sentence, position, (label,))

    def _record(
        self, notation: Notation, number: int, position: StepPosition, labels: tuple[str, ...] = ()
    ) -> None:
        mention = notation.mentions[number]
        self._add(mention.module, notation.sentence, position, (mention.words, *labels))
        evidence = self.needed.get(mention.module.name)
        if evidence and re.search(_ANOTHER_WORD + f" ?‹{number}›", notation.text):
            evidence.is_another = True

    def _add(
        self, module: Module, sentence: Sentence, position: StepPosition, texts: tuple[str, ...]
    ) -> None:
        if self._created.is_of(module, position.step) or (
            position.is_optional and not _is_cheap(module)
        ):
            return
        evidence = self.needed.setdefault(
            module.name, Evidence(module, sentence.text, sentence.span)
        )
        evidence.words |= dict.fromkeys(texts)


def _read_around_link(notation: Notation, sentence: Sentence) -> Notation:
    """The notation of a link's text, attributed to the sentence around it."""
    return Notation(notation.text, notation.mentions, notation.marks, sentence)


def _is_label(mark: Inline) -> bool:
    return mark.role is InlineRole.UI_LABEL


def _is_cheap(module: Module) -> bool:
    is_free = module.cost.is_known and module.cost.per_hour == 0
    return is_free and module.takes_s <= _MAX_CHEAP_S


def _state_before(text: str, module: Module, grammar: Grammar) -> str:
    for pattern, states in grammar.states.items():
        if pattern.search(text):
            return next((s for s in states if s in module.states), "")
    return ""


def _matched_numbers(pattern: re.Pattern[str], text: str) -> list[int]:
    """The numbers in the groups that a pattern matches."""
    return [int(group) for match in pattern.finditer(text) for group in match.groups() if group]


def _assertions(text: str, grammar: Grammar) -> str:
    """The text without negated clauses and clauses about other places."""
    clauses, offset = [], 0
    for match in (*grammar.clause.finditer(text), None):
        clause = text[offset : match.end() if match else len(text)]
        is_kept = not (grammar.negation.search(clause) or grammar.elsewhere.search(clause))
        clauses.append(clause if is_kept else "")
        offset = match.end() if match else offset
    return "".join(clauses)
