"""Reads a procedure for things that have to be there, and for those that it makes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from appliance.core.procedure import Field, Inline, InlineRole, Procedure, Sentence, Step
from appliance.core.source import Span
from appliance.environment.modules.types import Module
from appliance.environment.needs._chinese import CHINESE
from appliance.environment.needs._english import ENGLISH
from appliance.environment.needs._grammar import Grammar
from appliance.environment.needs._mentions import Lexicon, Read
from appliance.environment.needs.matching import folded

_HAN = re.compile(r"[\u4e00-\u9fff]")
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


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in the procedure a sentence stands."""

    step: int
    """Counted; -1: before the steps."""
    is_optional: bool = False


class Reading:
    """A procedure, read."""

    def __init__(self, procedure: Procedure, lexicon: Lexicon) -> None:
        self._procedure, self._lexicon = procedure, lexicon
        self.needed: dict[str, Evidence] = {}
        """By module, as the text comes to them."""
        self._made: dict[str, int] = {}
        """Modules of what the procedure makes, with the step that does; -1: its title says so."""
        self._perhaps_made: dict[str, int] = {}
        """As `_made`, for verbs such as "add" that are also said of what is there."""
        self._states_before: dict[str, str] = {}
        """By module; empty: any."""
        self._parts = list(_parts(procedure))
        self._title()
        for part, place in self._parts:
            for sentence in _sentences(part):
                self._makes(self._lexicon.read(sentence), place)
        for sentence in procedure.prerequisites:
            self._prerequisite(sentence)
        for part, place in self._parts:
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
            before = _state_before(title.text, module, _grammar(title.text))
            if before:
                return before
        return self._states_before.get(module.name, "")

    def _read_title(self) -> Read:
        return self._lexicon.read(Sentence(text=self._procedure.title, span=self._procedure.span))

    def _title(self) -> None:
        title = self._read_title()
        self._note_made(title, title.text, -1)

    def _title_acts(self) -> None:
        title = self._read_title()
        match = _grammar(title.text).in_titles.search(title.text)
        if match:
            self._found(title, int(match[1]), _Place(-1))

    def _makes(self, read: Read, place: _Place) -> None:
        """What a sentence, or the button that it names, makes."""
        for clause in _grammar(read.text).clause.split(read.text):
            self._note_made(read, clause, place.step)
        for mark in read.marks:
            if _is_label(mark):
                label = self._lexicon.read(Sentence(text=mark.text, span=mark.span))
                self._note_made(label, label.text, place.step)

    def _note_made(self, read: Read, clause: str, step: int) -> None:
        grammar = _grammar(read.text)
        match = grammar.made.search(clause)
        if match:
            is_sure = match["verb"] in grammar.made_for_sure
            made = self._made if is_sure else self._perhaps_made
            name = read.mentions[int(match["thing"])].module.name
            made[name] = (
                max(step, made.get(name, -1))
                if name not in made or made[name] < 0
                else (made[name])
            )

    def _prerequisite(self, sentence: Sentence) -> None:
        read = self._lexicon.read(sentence)
        grammar = _grammar(sentence.text)
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
                self._found(read, number, _Place(-1))
        self._said_state(read)
        for number, mark in enumerate(read.marks):
            if mark.role is InlineRole.LINK and f"⟦{number}⟧" in text:
                link = self._lexicon.read(Sentence(text=mark.text, span=mark.span))
                match = grammar.made.search(link.text)
                if match:
                    self._found(_quoted(link, sentence), int(match["thing"]), _Place(-1))

    def _sentence(self, sentence: Sentence, place: _Place, labels: tuple[str, ...] = ()) -> None:
        read = self._lexicon.read(sentence)
        grammar = _grammar(sentence.text)
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
            self._found(read, number, place, (*labels, *(fields if is_alone else ())))
        if not grammar.left_alone.search(text):
            for number in {*_groups(grammar.field, text), *_groups(grammar.filled, text)}:
                if _is_label(read.marks[number]):
                    self._label(read.marks[number].text, read, place)

    def _states(self, read: Read, numbers: list[int]) -> None:
        """The state before: that which the first button that changes it takes it out of."""
        grammar = _grammar(read.text)
        if grammar.sure.search(read.text):
            self._said_state(read)
        for mark in read.marks:
            if mark.role is InlineRole.LINK or not numbers or not grammar.changes.match(mark.text):
                continue
            module = read.mentions[numbers[-1]].module
            if module.name not in self._states_before:
                self._states_before[module.name] = _state_before(mark.text, module, grammar)

    def _said_state(self, read: Read) -> None:
        """The state that a sentence says its thing has to be in."""
        said = read.sentence.text.casefold()
        for mention in read.mentions:
            for state in mention.module.states:
                if any(word in said for word in _grammar(said).words_for(state)):
                    self._states_before.setdefault(mention.module.name, state)

    def _field(self, part: Field, place: _Place) -> None:
        """A field of a form: by its label, or by what its description says is chosen in it."""
        labels = tuple(label.text for label in part.labels)
        said: list[Sentence] = []
        for sentence in part.description:
            if _grammar(sentence.text).condition.search(sentence.text.casefold()):
                break  # what comes after it depends on it as well
            self._sentence(sentence, place, labels)
            said.append(sentence)
        text = " ".join(sentence.text for sentence in said)
        if said == list(part.description) and not _grammar(text).left_alone.search(text.casefold()):
            whole = Sentence(text=f"{', '.join(labels)}: {text}".rstrip(": "), span=part.span)
            for label in labels:
                self._label(label, self._lexicon.read(whole), place, may_be_many=True)

    def _label(self, label: str, read: Read, place: _Place, *, may_be_many: bool = False) -> None:
        """A field that takes what the thing that is made here cannot be without."""
        module = self._lexicon.named_at_end(label)
        if module is None:
            return
        takers = (
            variable
            for name in (*self._made, *self._perhaps_made)
            for variable in self._lexicon.modules[name].variables.values()
            if variable.is_required and variable.module == module.name
        )
        is_many = folded(label) != label.casefold() and not may_be_many
        if any(variable.type == "list(string)" or not is_many for variable in takers):
            self._add(module, read.sentence, place, (label,))

    def _found(self, read: Read, number: int, place: _Place, labels: tuple[str, ...] = ()) -> None:
        mention = read.mentions[number]
        self._add(mention.module, read.sentence, place, (mention.words, *labels))
        evidence = self.needed.get(mention.module.name)
        if evidence and re.search(_ANOTHER + f" ?‹{number}›", read.text):
            evidence.is_another = True

    def _add(
        self, module: Module, sentence: Sentence, place: _Place, words: tuple[str, ...]
    ) -> None:
        if place.is_optional and not _is_cheap(module):
            return
        made_at = self._made.get(module.name)
        if made_at is None and place.step < 0:
            made_at = self._perhaps_made.get(module.name)
        if made_at is not None and (made_at < 0 or place.step < 0 or place.step >= made_at):
            return
        evidence = self.needed.setdefault(
            module.name, Evidence(module, sentence.text, sentence.span)
        )
        evidence.words |= dict.fromkeys(words)


def _quoted(read: Read, sentence: Sentence) -> Read:
    """What was read of a link, with the sentence around it."""
    return Read(read.text, read.mentions, read.marks, sentence)


def _is_label(mark: Inline) -> bool:
    return mark.role is InlineRole.UI_LABEL


def _is_cheap(module: Module) -> bool:
    return module.cost.per_hour == 0 and module.takes_s <= _CHEAP_S


def _grammar(text: str) -> Grammar:
    return CHINESE if _HAN.search(text) else ENGLISH


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


def _sentences(part: "Sentence | Field") -> Iterator[Sentence]:
    if isinstance(part, Sentence):
        yield part
    else:
        yield from part.description


def _parts(procedure: Procedure) -> Iterator[tuple["Sentence | Field", _Place]]:
    """What the steps say, in order; not what holds under a condition only."""
    count = 0

    def below(step: Step, is_optional: bool) -> Iterator[tuple["Sentence | Field", _Place]]:
        nonlocal count
        if step.condition:
            return
        place = _Place(count, is_optional or step.is_optional)
        count += 1
        for part in step.body:
            if isinstance(part, Sentence | Field):
                yield part, place
            elif isinstance(part, Step):
                yield from below(part, place.is_optional)

    for step in procedure.steps:
        yield from below(step, False)
