"""Sections that follow no form of a procedure: a model may find one in them all the same."""

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
    """A section as steps, one a paragraph or entry of a list; none where it says nothing."""
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
    """Paragraphs and entries, each with what is shown below it."""
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
    """Whether it says by its title, or by how its steps begin, that something is to be done."""
    if asks_how(candidate.title) or any(map(starts_with_verb, imperatives(candidate.title))):
        return True
    instruction_count = sum(is_instruction(step.text) for step in candidate.steps)
    return instruction_count >= _INSTRUCTIVE_SHARE * len(candidate.steps)
