"""Sections without the form of a procedure, in which a model may still find one."""

from collections.abc import Iterator, Sequence

from appliance.core.procedure import Procedure, Sentence, Step
from appliance.documents._blocks import Block, BulletList, OrderedList, Paragraph
from appliance.documents._language import is_instruction, starts_with_verb
from appliance.documents._limits import TooMuch
from appliance.documents._steps import StepReader
from appliance.documents._tasks import asks_how
from appliance.language.names import imperatives

_MOST_STEPS = 60
"""Longer sections are references."""
_INSTRUCTIVE_SHARE = 0.5


def candidate_steps(blocks: Sequence[Block], reader: StepReader) -> tuple[Step, ...]:
    """A section as steps, one per paragraph or list entry; empty if it has no sentences."""
    parts = list(_parts(blocks))
    if len(parts) > _MOST_STEPS:
        return ()
    reader.begin()
    try:
        steps = [reader.step(str(n), part) for n, part in enumerate(parts, start=1)]
    except TooMuch:
        return ()  # whatever it is, nobody has to read it
    has_words = any(isinstance(part, Sentence) for step in steps for part in step.body)
    return tuple(step for step in steps if step.body) if has_words else ()


def _parts(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Paragraphs and list entries, each with the tables, notes and code below it."""
    part: list[Block] = []
    for block in blocks:
        if not isinstance(block, Paragraph | OrderedList | BulletList):
            part.append(block)
            continue
        if part:
            yield part
        part = [block]
        if isinstance(block, OrderedList | BulletList):
            *first, part = [list(item.blocks) for item in block.items] or [[]]
            yield from filter(None, first)
    if part:
        yield part


def names_task(candidate: Procedure) -> bool:
    """Whether its title or the beginnings of its steps say that something is to be done."""
    if asks_how(candidate.title) or any(map(starts_with_verb, imperatives(candidate.title))):
        return True
    instruction_count = sum(is_instruction(step.text) for step in candidate.steps)
    return instruction_count >= _INSTRUCTIVE_SHARE * len(candidate.steps)
