"""Procedures in running text: paragraphs of nothing but instructions, "Click **X**, then …"."""

from collections.abc import Sequence

from appliance.documents._acting import (
    count_actions,
    has_label,
    is_console_instruction,
    is_definite_instruction,
    purpose_of,
)
from appliance.documents._blocks import Block, BulletList, Paragraph
from appliance.documents._fields import split_label
from appliance.documents._language import is_instruction, starts_with_verb
from appliance.documents._sentences import split_or_nothing


def find_run_on_start(blocks: Sequence[Block]) -> int | None:
    """Index of the first block of a procedure in running text; None if there is none."""
    if any(isinstance(b, BulletList) for b in blocks):
        return None
    instructive = [b for b in blocks if is_prose_step(b) or _begins_instruction(b)]
    if len(instructive) > 1 and all(map(_has_purpose, instructive)):
        return None  # each is a procedure of its own
    start = next((i for i, b in enumerate(blocks) if is_prose_step(b)), None)
    before = blocks[:start] if start else ()
    return next((i for i, b in enumerate(before) if _begins_instruction(b) or _leads_up(b)), start)


def _leads_up(block: Block) -> bool:
    """Whether a paragraph consists of instructions: "Enter the address. Click **Test** …".

    Only its last sentence names a control; before a run of instructions it is still the first.
    """
    parts = split_or_nothing(block.text) if isinstance(block, Paragraph) else []
    return (
        bool(parts) and starts_with_verb(parts[0].text) and any(map(is_definite_instruction, parts))
    )


def _has_purpose(block: Block) -> bool:
    return isinstance(block, Paragraph) and bool(purpose_of(block.text))


def _begins_instruction(block: Block) -> bool:
    """Whether a paragraph begins with a definite instruction, or states a purpose and acts.

    For example "To add a user, select the Users item below System."
    """
    parts = split_or_nothing(block.text) if isinstance(block, Paragraph) else []
    if not parts:
        return False
    states_purpose = (
        bool(purpose_of(parts[0]))
        and is_console_instruction(parts[0])
        and count_actions(parts[0]) > 0
    )
    return states_purpose or is_definite_instruction(parts[0])


def is_prose_step(block: Block) -> bool:
    """Whether a paragraph is a run of instructions rather than one stray imperative."""
    if not isinstance(block, Paragraph):
        return False
    if not has_label(block.text) or _describes_entry(block):
        return False
    parts = split_or_nothing(block.text)
    if not parts or not has_label(parts[0]) or not is_instruction(parts[0].text):
        return False
    clauses = [c for p in parts for c in _clauses(p.text)]
    return sum(starts_with_verb(c) for c in clauses) >= 2


def _describes_entry(block: Paragraph) -> bool:
    """Whether it only describes a control: "**Change tags** - Add or remove any tags."."""
    entry = split_label(block.text, is_item=True)
    return entry is not None and not has_label(entry.rest)


def _clauses(text: str) -> list[str]:
    for separator in (
        ", then ",
        " and then ",
        ", and ",
        " and ",
        "，",
        "、",
        "；",
        ", ",
        "然后",
        "并",
    ):
        text = text.replace(separator, "\n")
    return [c.strip() for c in text.split("\n") if c.strip()]
