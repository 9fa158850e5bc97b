"""Closed sets of what samples are of."""

from enum import StrEnum


class Stage(StrEnum):
    """What a sample is for, in the order in which stages are learnt."""

    RECOGNITION = "recognition"  # what a page is, and what is on it
    OPERATION = "operation"  # one action that a sentence asks for
    TASK = "task"  # a turn of an attempt


class PromptForm(StrEnum):
    """How a question is put."""

    FULL = "full"  # as the agent asks it
    SHORT = "short"  # for small models
