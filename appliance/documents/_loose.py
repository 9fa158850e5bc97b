"""Procedures without numbers: instructions in paragraphs and in bullets."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from appliance.documents import _acting
from appliance.documents._blocks import (
    Admonition,
    Block,
    BulletList,
    CodeBlock,
    DefinitionList,
    FigureBlock,
    Paragraph,
    Table,
    Tabs,
    paragraphs,
)
from appliance.documents._fields import lists_fields, names_fields, split_label, with_field_lists
from appliance.documents._grouping import enumerates
from appliance.documents._language import is_instruction, starts_with_verb
from appliance.documents._sentences import split_or_nothing
from appliance.documents._text import RichText

_SURE_SHARE = 0.25
"""Least share of definite instructions among the sentences from the first instruction on; with
fewer, the text explains."""
_LISTED_SHARE = 0.6
"""Share of steps that only say what a control is for from which the list describes a page."""
_FEWEST_ACTIONS, _FEWEST_WITHOUT_NAMES = 2, 3
"""Fewest actions of a procedure: one that names a control in marked words, and any other."""
_PASTED = frozenset(("", "json", "csv", "sql", "text", "txt", "yaml"))
"""Languages of code that is pasted into consoles; code of other languages is of programs."""
_MOST_SENTENCES = 8
"""Most sentences of a paragraph or list entry that is a step; longer ones explain."""


@dataclass
class Unit:
    """A paragraph or an entry of a list, with what is shown below it."""

    blocks: list[Block]
    sentences: list[RichText]

    @property
    def is_step(self) -> bool:
        """Whether it asks the reader to do something in a console."""
        tests = (_acting.is_console_instruction, _acting.mentions_action, _acting.describes_method)
        instructions = [s for s in self.sentences if any(test(s) for test in tests)]
        return bool(instructions) and len(self.sentences) <= _MOST_SENTENCES and not self._is_entry

    @property
    def _is_entry(self) -> bool:
        """Whether it describes something named at its head: `**Type** – …`."""
        first = self.blocks[0]
        return isinstance(first, Paragraph) and split_label(first.text, is_item=True) is not None

    @property
    def asks_for_fields(self) -> bool:
        """Whether its last sentence asks for fields listed below it."""
        return bool(self.sentences) and _acting.asks_for_fields(self.sentences[-1])

    @property
    def tells_fields(self) -> bool:
        """Whether it asks for fields and they are listed below it."""
        return self.asks_for_fields and any(map(_holds_fields, self.blocks))

    @property
    def purpose(self) -> str:
        """The goal of the procedure that it begins; empty if it begins none."""
        return _acting.purpose_of(self.sentences[0]) if self.sentences else ""


@dataclass
class Run:
    """Consecutive units of one procedure."""

    title: str = ""
    """Empty if it has the section's title."""
    intro: list[Block] = field(default_factory=list)
    steps: list[Unit] = field(default_factory=list)

    @property
    def acting(self) -> list[Unit]:
        """Its steps except those that only name the fields to fill in."""
        return [step for step in self.steps if step.is_step]

    @property
    def start(self) -> int:
        """Where its first step begins."""
        return self.steps[0].blocks[0].start

    @property
    def end(self) -> int:
        """The offset just after its last step."""
        return max(b.end for b in self.steps[-1].blocks)

    @property
    def is_procedure(self) -> bool:
        """Whether it leads a reader through a task rather than describing one."""
        sentences = [s for step in self.acting for s in step.sentences]
        definite = [s for s in sentences if _acting.is_definite_instruction(s)]
        instructive = [
            s
            for s in sentences
            if s in definite or _acting.is_console_instruction(s) or _acting.describes_method(s)
        ]
        if all(_acting.is_concluding(step.sentences[0]) for step in self.acting):
            return False
        purpose_count = sum(_acting.describes_purpose(step.sentences[0]) for step in self.acting)
        if len(self.acting) > 1 and purpose_count >= _LISTED_SHARE * len(self.acting):
            return False
        if self.is_sentence or self._offers_form:
            return True
        action_count = sum(_acting.count_actions(s) for s in sentences if is_instruction(s.text))
        is_named = bool(definite) and action_count >= _FEWEST_ACTIONS
        is_long = len(instructive) > 1 and action_count >= _FEWEST_WITHOUT_NAMES
        return (is_named or is_long) and len(instructive) >= _SURE_SHARE * len(sentences)

    @property
    def _offers_form(self) -> bool:
        """Whether it says how a form is opened and lists its fields."""
        first = self.acting[0]
        return first.tells_fields and _acting.offers_form(first.sentences[0])

    @property
    def does_this(self) -> bool:
        """Whether it says how to do what an earlier sentence named: "To do this, click …"."""
        return any(_acting.refers_back(s) for step in self.acting for s in step.sentences)

    @property
    def answers(self) -> bool:
        """Whether it answers a question that asks how: "You can click **Password**."."""
        sentences = [s for step in self.acting for s in step.sentences]
        return any(
            _acting.is_console_instruction(s) and _acting.has_label(s) and _acting.count_actions(s)
            for s in sentences
        )

    @property
    def is_sure(self) -> bool:
        """Whether some sentence definitely tells the reader to use a named control."""
        return any(
            _acting.is_definite_instruction(s) for step in self.acting for s in step.sentences
        )

    @property
    def does_a_task(self) -> bool:
        """Whether it suffices under a title that names a task: one instruction or a method.

        As "Click **Publish** to make it public." under "Publishing a review request".
        """
        sentences = [s for step in self.acting for s in step.sentences]
        firsts = [step.sentences[0] for step in self.acting]
        is_imperative = len(firsts) > 1 and all(starts_with_verb(s.text) for s in firsts)
        is_described = any(
            _acting.is_definite_instruction(s) or _acting.describes_method(s) for s in sentences
        )
        is_described = (
            is_described or any(map(_acting.requires_clicking, sentences)) or self.does_this
        )
        if len(firsts) == 1:
            is_described = is_described or _acting.describes_effect(firsts[0])
            is_described = is_described or any(map(_acting.tells_what_follows, sentences))
        return is_described or (is_imperative and all(map(_acting.is_console_instruction, firsts)))

    @property
    def is_sentence(self) -> bool:
        """Whether one sentence says it all: "To archive a flag, go to its page and click …"."""
        instructions = [
            s for step in self.acting for s in step.sentences if _acting.is_console_instruction(s)
        ]
        if (
            len(instructions) != 1
            or not _acting.count_actions(instructions[0])
            or _acting.is_vague(instructions[0])
        ):
            return False
        return bool(_acting.purpose_of(instructions[0])) or _acting.is_complete_procedure(
            instructions[0]
        )


def shows_program_code(blocks: Sequence[Block]) -> bool:
    """Whether it shows program code, so that a click in passing makes no procedure."""
    return any(isinstance(b, CodeBlock) and b.language.casefold() not in _PASTED for b in blocks)


def instruction_runs(blocks: Sequence[Block]) -> list[Run]:
    """The runs of instructions in a section without numbered steps."""
    units = list(_units(blocks))
    firsts = [n for n, unit in enumerate(units) if unit.is_step and unit.purpose]
    if len(firsts) < 2:
        run = _run(units, "")
        return [run] if run.steps else []
    shared_intro = [b for unit in units[: firsts[0]] for b in unit.blocks]
    ends = [*firsts[1:], len(units)]
    result = [_run(units[a:b], units[a].purpose) for a, b in zip(firsts, ends, strict=True)]
    for run in result:
        run.intro = shared_intro
    return result


def _run(units: Sequence[Unit], title: str) -> Run:
    run = Run(title)
    for unit in units:
        if unit.is_step:
            run.steps.append(unit)
        elif run.steps and unit.tells_fields:
            if starts_with_verb(unit.sentences[-1].text):  # "Enter the details below:"
                run.steps.append(unit)
            else:  # "Then the form appears:"
                run.steps[-1].blocks += unit.blocks
        elif not run.steps:
            run.intro += unit.blocks
    return run


def _units(blocks: Sequence[Block]) -> Iterator[Unit]:
    """The texts of a section in reading order, each with the blocks shown below it."""
    unit: Unit | None = None
    lead = ""
    for block in with_field_lists(blocks):
        if isinstance(block, _SHOWN) or _are_requested_fields(unit, block):
            if unit:
                unit.blocks.append(block)
            continue
        new_units = list(_units_of(block, lead))
        if not new_units:
            continue
        lead = block.text.text if isinstance(block, Paragraph) else lead
        yield from [unit] if unit else []
        yield from new_units[:-1]
        unit = new_units[-1]
    yield from [unit] if unit else []


def _are_requested_fields(unit: Unit | None, block: Block) -> bool:
    """Whether a list holds the fields that the text above it asks for."""
    if unit is None or not unit.asks_for_fields or not isinstance(block, BulletList):
        return False
    return lists_fields(block.items, are_asked_for=True)


def _holds_fields(block: Block) -> bool:
    match block:
        case BulletList():
            return lists_fields(block.items, are_asked_for=True)
        case _:
            return names_fields(block)


_SHOWN = (Admonition, CodeBlock, FigureBlock, DefinitionList, Table)


def _units_of(block: Block, lead: str) -> Iterator[Unit]:
    """The units that a block begins."""
    match block:
        case Paragraph():
            yield Unit([block], split_or_nothing(block.text))
        case BulletList() if not enumerates(lead):
            for item in block.items:
                first = item.blocks[0] if item.blocks else None
                texts = split_or_nothing(first.text) if isinstance(first, Paragraph) else []
                yield Unit(list(item.blocks), texts)
        case Tabs():
            yield Unit(
                [block], [s for text in paragraphs((block,)) for s in split_or_nothing(text)]
            )
        case _:
            pass
