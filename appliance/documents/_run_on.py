"""Running text that is nothing but instructions: "Click **X**, then …", paragraph by paragraph."""

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


def run_on_from(blocks: Sequence[Block]) -> int | None:
    """Where running text begins to be nothing but instructions."""
    if any(isinstance(b, BulletList) for b in blocks):
        return None
    told = [b for b in blocks if is_prose_step(b) or _begins(b)]
    if len(told) > 1 and all(map(_has_purpose, told)):
        return None  # each is a procedure of its own
    start = next((i for i, b in enumerate(blocks) if is_prose_step(b)), None)
    before = blocks[:start] if start else ()
    return next((i for i, b in enumerate(before) if _begins(b) or _leads_up(b)), start)


def _leads_up(block: Block) -> bool:
    """Whether a paragraph is one of instructions: "Enter the address. Click **Test** …".

    Only its last names a control; before a run of them, it is the first of them all the same.
    """
    parts = split_or_nothing(block.text) if isinstance(block, Paragraph) else []
    return (
        bool(parts) and starts_with_verb(parts[0].text) and any(map(is_definite_instruction, parts))
    )


def _has_purpose(block: Block) -> bool:
    return isinstance(block, Paragraph) and bool(purpose_of(block.text))


def _begins(block: Block) -> bool:
    """Whether a paragraph begins with a sure instruction: what comes before a run of them.

    Or with what the procedure is for: "To add a user, select the Users item below System."
    """
    parts = split_or_nothing(block.text) if isinstance(block, Paragraph) else []
    if not parts:
        return False
    is_told = (
        bool(purpose_of(parts[0]))
        and is_console_instruction(parts[0])
        and count_actions(parts[0]) > 0
    )
    return is_told or is_definite_instruction(parts[0])


def is_prose_step(block: Block) -> bool:
    """Whether a paragraph is a run of instructions, and not one stray imperative."""
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
    """As in "**Change tags** - Add or remove any tags.", which has nothing to be clicked in it."""
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
