"""Reads a procedure for things that have to be there."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from appliance.core.procedure import Field, Inline, InlineRole, Procedure, Sentence, Step
from appliance.core.source import Span
from appliance.environment.modules import Module, Variable
from appliance.environment.needs._chinese import CHINESE
from appliance.environment.needs._english import ENGLISH
from appliance.environment.needs._grammar import Grammar
from appliance.environment.needs._mentions import Lexicon, Read
from appliance.environment.needs.matching import fold

_HAN = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class StepPosition:
    """Where in the procedure a sentence stands."""

    step: int
    """Counted; -1: before the steps."""
    is_optional: bool = False


def sentences(part: Sentence | Field) -> Iterator[Sentence]:
    """A sentence, or those of a field's description."""
    if isinstance(part, Sentence):
        yield part
    else:
        yield from part.description


def parts(procedure: Procedure) -> Iterator[tuple[Sentence | Field, StepPosition]]:
    """What the steps say, in order; not what holds under a condition only."""
    count = 0

    def below(step: Step, is_optional: bool) -> Iterator[tuple[Sentence | Field, StepPosition]]:
        nonlocal count
        if step.condition:
            return
        place = StepPosition(count, is_optional or step.is_optional)
        count += 1
        for part in step.body:
            if isinstance(part, Sentence | Field):
                yield part, place
            elif isinstance(part, Step):
                yield from below(part, place.is_optional)

    for step in procedure.steps:
        yield from below(step, False)


def grammar_of(text: str) -> Grammar:
    """The patterns for a text."""
    return CHINESE if _HAN.search(text) else ENGLISH


class Made:
    """What a procedure makes, by its title, its sentences and the buttons that these name."""

    def __init__(self, procedure: Procedure, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._surely: dict[str, int] = {}
        """Modules, with the step that makes one; -1: only the title says so."""
        self._perhaps: dict[str, int] = {}
        """As `_surely`, for verbs such as "add" that are also said of what is there."""
        title = lexicon.read(Sentence(text=procedure.title, span=procedure.span))
        self._note(title, title.text, -1)
        for part, place in parts(procedure):
            for sentence in sentences(part):
                self._read(lexicon.read(sentence), place.step)

    def is_of(self, module: Module, step: int) -> bool:
        """Whether what the text speaks of at a step (-1: before them) is made by it."""
        at = self._surely.get(module.name)
        if at is None and step < 0:
            at = self._perhaps.get(module.name)
        return at is not None and (at < 0 or step < 0 or step >= at)

    def requiring(self, module: Module) -> Iterator[Variable]:
        """What needs such a thing among the inputs of what is made."""
        for name in (*self._surely, *self._perhaps):
            for variable in self._lexicon.modules[name].variables.values():
                if variable.is_required and variable.module == module.name:
                    yield variable

    def _read(self, read: Read, step: int) -> None:
        for clause in grammar_of(read.text).clause.split(read.text):
            self._note(read, clause, step)
        for mark in read.marks:
            if mark.role is InlineRole.UI_LABEL:
                label = self._lexicon.read(Sentence(text=mark.text, span=mark.span))
                self._note(label, label.text, step)

    def _note(self, read: Read, clause: str, step: int) -> None:
        grammar = grammar_of(read.text)
        match = grammar.made.search(clause)
        if match:
            made = self._surely if match["verb"] in grammar.made_for_sure else self._perhaps
            name = read.mentions[int(match["thing"])].module.name
            if made.get(name, -1) < 0:
                made[name] = step


_HEADING = re.compile(r"^(?:⟦\d+⟧|[^:：，,.。‹⟦]{1,30})[:：]\s*")
"""`Prerequisites:` before a sentence."""
_ANOTHER = r"(?:\b(?:another|new|different|other)|其他|另一\w?)"
_CHEAP_S = 10.0
"""What an optional step needs may take this long to make, and cost nothing."""


@dataclass(slots=True)
class Evidence:
    """Why we think that something is needed."""

    module: Module
    quote: str
    span: Span
    words: dict[str, None] = field(default_factory=dict)
    """What the text calls it, and the fields that it goes into."""
    is_another: bool = False
    """It is told apart from one of its kind that something else is with already."""
    is_taken_out: bool = False
    """It is removed from something that is needed, too, and so has to be in there."""


class Reading:
    """Reads a procedure for evidence of what it needs."""

    def __init__(self, procedure: Procedure, lexicon: Lexicon) -> None:
        self._procedure, self._lexicon = procedure, lexicon
        self.needed: dict[str, Evidence] = {}
        """By module, as the text comes to them."""
        self._states_before: dict[str, str] = {}
        """By module; empty: any."""
        self._made = Made(procedure, lexicon)
        for sentence in procedure.prerequisites:
            self._prerequisite(sentence)
        for part, place in parts(procedure):
            if isinstance(part, Field):
                self._field(part, place)
            else:
                self._sentence(part, place)
        if not self.needed:
            self._title_acts()

    def state(self, module: Module) -> str:
        """The state that the thing has to be in; empty: any."""
        title = self._read_title()
        if title.mentions and title.mentions[0].module.name == module.name:
            before = _state_before(title.text, module, grammar_of(title.text))
            if before:
                return before
        return self._states_before.get(module.name, "")

    def _read_title(self) -> Read:
        return self._lexicon.read(Sentence(text=self._procedure.title, span=self._procedure.span))

    def _title_acts(self) -> None:
        title = self._read_title()
        match = grammar_of(title.text).in_titles.search(title.text)
        if match:
            self._record(title, int(match[1]), StepPosition(-1))

    def _prerequisite(self, sentence: Sentence) -> None:
        read = self._lexicon.read(sentence)
        grammar = grammar_of(sentence.text)
        text = _HEADING.sub("", read.text)
        if any(
            pattern.search(text)
            for pattern in (grammar.negation, grammar.rights, grammar.condition, grammar.elsewhere)
        ):
            return
        text = _assertions(read.text, grammar)
        fresh = _groups(grammar.fresh, text)
        for number in _groups(grammar.in_prerequisites, text):
            if number not in fresh:
                self._record(read, number, StepPosition(-1))
        self._read_required_state(read)
        for number, mark in enumerate(read.marks):
            if mark.role is InlineRole.LINK and f"⟦{number}⟧" in text:
                link = self._lexicon.read(Sentence(text=mark.text, span=mark.span))
                match = grammar.made.search(link.text)
                if match:
                    self._record(
                        _read_around_link(link, sentence), int(match["thing"]), StepPosition(-1)
                    )

    def _sentence(
        self, sentence: Sentence, place: StepPosition, labels: tuple[str, ...] = ()
    ) -> None:
        read = self._lexicon.read(sentence)
        grammar = grammar_of(sentence.text)
        if any(
            pattern.search(read.text)
            for pattern in (grammar.condition, grammar.elsewhere, grammar.possible)
        ):
            return
        text = _assertions(read.text, grammar)
        fresh = _groups(grammar.fresh, text)
        numbers = {
            number
            for pattern in grammar.existing
            for number in _groups(pattern, text)
            if number not in fresh
        }
        self._states(read, sorted(numbers))
        fields = [m.text for n in _groups(grammar.field, text) if _is_label(m := read.marks[n])]
        is_alone = len({read.mentions[number].module.name for number in numbers}) == 1
        for number in sorted(numbers):
            self._record(read, number, place, (*labels, *(fields if is_alone else ())))
            evidence = self.needed.get(read.mentions[number].module.name)
            if evidence and any(grammar.removes.match(m.text) for m in read.marks if _is_label(m)):
                evidence.is_taken_out = True
        if not grammar.left_alone.search(text):
            for number in {*_groups(grammar.field, text), *_groups(grammar.filled, text)}:
                if _is_label(read.marks[number]):
                    self._label(read.marks[number].text, read, place)

    def _states(self, read: Read, numbers: list[int]) -> None:
        """The state before: that which the first button that changes it takes it out of."""
        grammar = grammar_of(read.text)
        if grammar.sure.search(read.text):
            self._read_required_state(read)
        for mark in read.marks:
            if mark.role is InlineRole.LINK or not numbers or not grammar.changes.match(mark.text):
                continue
            module = read.mentions[numbers[-1]].module
            if module.name not in self._states_before:
                self._states_before[module.name] = _state_before(mark.text, module, grammar)

    def _read_required_state(self, read: Read) -> None:
        """The state that a sentence says its thing has to be in."""
        text = read.sentence.text.casefold()
        for mention in read.mentions:
            for state in mention.module.states:
                if any(word in text for word in grammar_of(text).words_for(state)):
                    self._states_before.setdefault(mention.module.name, state)

    def _field(self, part: Field, place: StepPosition) -> None:
        """A field of a form: by its label, or by what its description says is chosen in it."""
        labels = tuple(label.text for label in part.labels)
        unconditional: list[Sentence] = []
        for sentence in part.description:
            if grammar_of(sentence.text).condition.search(sentence.text.casefold()):
                break  # what comes after it depends on it as well
            self._sentence(sentence, place, labels)
            unconditional.append(sentence)
        text = " ".join(sentence.text for sentence in unconditional)
        if unconditional == list(part.description) and not grammar_of(text).left_alone.search(
            text.casefold()
        ):
            whole = Sentence(text=f"{', '.join(labels)}: {text}".rstrip(": "), span=part.span)
            for label in labels:
                self._label(label, self._lexicon.read(whole), place, may_be_many=True)

    def _label(
        self, label: str, read: Read, place: StepPosition, *, may_be_many: bool = False
    ) -> None:
        """A field that takes what the thing that is made here cannot be without."""
        module = self._lexicon.named_at_end(label)
        if module is None:
            return
        is_many = fold(label) != label.casefold() and not may_be_many
        takers = self._made.requiring(module)
        if any(variable.type == "list(string)" or not is_many for variable in takers):
            self._add(module, read.sentence, place, (label,))

    def _record(
        self, read: Read, number: int, place: StepPosition, labels: tuple[str, ...] = ()
    ) -> None:
        mention = read.mentions[number]
        self._add(mention.module, read.sentence, place, (mention.words, *labels))
        evidence = self.needed.get(mention.module.name)
        if evidence and re.search(_ANOTHER + f" ?‹{number}›", read.text):
            evidence.is_another = True

    def _add(
        self, module: Module, sentence: Sentence, place: StepPosition, words: tuple[str, ...]
    ) -> None:
        if self._made.is_of(module, place.step) or (place.is_optional and not _is_cheap(module)):
            return
        evidence = self.needed.setdefault(
            module.name, Evidence(module, sentence.text, sentence.span)
        )
        evidence.words |= dict.fromkeys(words)


def _read_around_link(read: Read, sentence: Sentence) -> Read:
    """What was read of a link, with the sentence around it."""
    return Read(read.text, read.mentions, read.marks, sentence)


def _is_label(mark: Inline) -> bool:
    return mark.role is InlineRole.UI_LABEL


def _is_cheap(module: Module) -> bool:
    is_free = module.cost.is_known and module.cost.per_hour == 0
    return is_free and module.takes_s <= _CHEAP_S


def _state_before(text: str, module: Module, grammar: Grammar) -> str:
    for pattern, states in grammar.states.items():
        if pattern.search(text):
            return next((s for s in states if s in module.states), "")
    return ""


def _groups(pattern: re.Pattern[str], text: str) -> list[int]:
    """The numbers that a pattern finds."""
    return [int(n) for match in pattern.finditer(text) for n in match.groups() if n]


def _assertions(text: str, grammar: Grammar) -> str:
    """The clauses that say what is so, here."""
    kept, at = [], 0
    for match in (*grammar.clause.finditer(text), None):
        clause = text[at : match.end() if match else len(text)]
        is_kept = not (grammar.negation.search(clause) or grammar.elsewhere.search(clause))
        kept.append(clause if is_kept else "")
        at = match.end() if match else at
    return "".join(kept)
