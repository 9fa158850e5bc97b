"""What the steps of a procedure say, in order, and which language it is said in."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from appliance.core.procedure import Field, Procedure, Sentence, Step
from appliance.environment.needs._chinese import CHINESE
from appliance.environment.needs._english import ENGLISH
from appliance.environment.needs._grammar import Grammar

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
