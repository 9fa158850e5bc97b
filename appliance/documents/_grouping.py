"""Decide which lists of a section are steps, and group those of the same procedure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from appliance.core.procedure import InlineRole
from appliance.documents._acting import asks_for_fields, purpose_of
from appliance.documents._blocks import (
    Admonition,
    Block,
    BulletList,
    DefinitionList,
    Item,
    OrderedList,
    Paragraph,
    Table,
    paragraphs,
)
from appliance.documents._fields import lists_fields
from appliance.documents._language import (
    LEAD_IN,
    is_instruction,
    language_of,
    starts_with_verb,
)
from appliance.documents._sentences import split
from appliance.documents._text import RichText

# Share of a list's entries that must be instructions.
_INSTRUCTIVE_SHARE = 0.4
_BULLET_SHARE = 0.6
_FOLLOWING = re.compile(r"following|below|table|parameters?|以下|下表|如下|参数", re.I)
_ENUMERATES = re.compile(
    r"\b(?:you can|can be|allows?|supports?|features?|such as|includ\w+|either|one of|any of)\b"
    r"|支持|功能|包括|包含|可以|场景|方式",
    re.I,
)
_CONTINUES = re.compile(r"(?:然后|接着|继续|在|并|再)")
_PURPOSE = re.compile(
    r"(?:follow|perform|complete|use|do)\b.{0,40}?\bto (?P<goal>[^,:]+)"
    r"|(?P<to>(?:to|how to) [^,:]+)"
    r"|(?P<zh>[^，：,:]+)",
    re.I,
)


@dataclass
class Entry:
    """A future step: its number and all blocks that belong to it."""

    index: str
    blocks: list[Block]
    title: RichText | None = None


@dataclass
class Group:
    """The lists of one procedure."""

    title: str = ""
    """From the lead-in; empty if the procedure has the section's title."""
    start: int = 0
    intro: list[Block] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    trailing: list[Block] = field(default_factory=list)

    @property
    def end(self) -> int:
        """The offset just after its last block."""
        blocks = [b for e in self.entries for b in e.blocks] + self.trailing
        return max(b.end for b in blocks)


def group_lists(blocks: Sequence[Block]) -> list[Group]:
    """The procedures that a section's ordered lists make."""
    list_indices = [i for i, b in enumerate(blocks) if isinstance(b, OrderedList) and _instructs(b)]
    groups: list[Group] = []
    position = 0
    for list_index in list_indices:
        between = list(blocks[position:list_index])
        lead = _lead_in(between, blocks[list_index]) if len(list_indices) > 1 else None
        if not groups or lead is not None:
            _open_group(groups, between, lead, blocks[list_index])
        else:
            groups[-1].entries[-1].blocks += between
        _append(groups[-1], blocks[list_index])
        position = list_index + 1
    if groups:
        _attach_trailing(groups[-1], list(blocks[position:]))
    if len(groups) == 1:  # its lead-in says no more than the section's title
        groups[0].title = ""
    return groups


def _open_group(
    groups: list[Group], between: list[Block], lead: "Paragraph | None", following: Block
) -> None:
    cut = between.index(lead) if lead is not None else 0
    start = between[cut].start if between else following.start
    if groups:
        _attach_trailing(groups[-1], between[:cut])
    title = _purpose(lead) if lead is not None else ""
    intro = between[cut:] if groups else between
    groups.append(Group(title=title, start=start, intro=intro))


def _append(group: Group, block: Block) -> None:
    assert isinstance(block, OrderedList)  # noqa: S101 - chosen as such
    first = block.first if block.first > len(group.entries) else len(group.entries) + 1
    for number, item in enumerate(block.items, start=first):
        group.entries.append(Entry(str(number), list(item.blocks), item.title))


def _attach_trailing(group: Group, trailing: list[Block]) -> None:
    """Attach the blocks after the last list; a parameter table belongs to the last step."""
    last = group.entries[-1]
    while trailing and isinstance(trailing[0], Table | DefinitionList):
        if not _FOLLOWING.search(_text(last.blocks)):
            break
        last.blocks.append(trailing.pop(0))
    after_notes = next((n for n, b in enumerate(trailing) if not isinstance(b, Admonition)), 0)
    if after_notes and _continues_fields(last.blocks, trailing[after_notes]):
        last.blocks += trailing[: after_notes + 1]
        trailing = trailing[after_notes + 1 :]
    group.trailing = trailing


def _continues_fields(blocks: Sequence[Block], next_block: Block) -> bool:
    """Whether a list continues the fields of another list, interrupted by a note."""
    last = blocks[-1] if blocks else None
    if not isinstance(last, BulletList) or not isinstance(next_block, BulletList):
        return False
    are_asked_for = any(isinstance(b, Paragraph) and asks_for_fields(b.text) for b in blocks)
    return lists_fields(last.items, are_asked_for=are_asked_for) and lists_fields(next_block.items)


def _text(blocks: Sequence[Block]) -> str:
    return " ".join(b.text.text for b in blocks if isinstance(b, Paragraph))


def _instructs(block: OrderedList) -> bool:
    """Whether a list tells the reader to do things rather than enumerate."""
    instructive = sum(_has_instruction(item) for item in block.items)
    return instructive >= max(1, _INSTRUCTIVE_SHARE * len(block.items))


def _has_instruction(item: Item) -> bool:
    texts = paragraphs(item.blocks)
    return any(is_instruction(part.text) for text in texts for part in split(text))


def _lead_in(between: Sequence[Block], following: Block) -> Paragraph | None:
    """The sentence that opens a new procedure in the same section: `To delete a bucket:`."""
    last = between[-1] if between else None
    if not isinstance(last, Paragraph) or not isinstance(following, OrderedList):
        return None
    text = last.text.text
    if following.first != 1 or not text.endswith((":", "：")) or not LEAD_IN.match(text):
        return None
    return None if _CONTINUES.match(text) else last


def _purpose(lead: Paragraph) -> str:
    text = lead.text.text.rstrip(" :：")
    match = _PURPOSE.match(text)
    if match is None:
        return text
    goal = (match["goal"] or match["to"] or match["zh"] or text).strip()
    return goal[:1].upper() + goal[1:]


def enumerates(lead: str) -> bool:
    """Whether a sentence announces choices or features rather than steps."""
    return bool(_ENUMERATES.search(lead))


def imperative_bullets(blocks: Sequence[Block]) -> list[Group]:
    """The procedure formed by a section's only bullet list; empty if it is none."""
    lists = [b for b in blocks if isinstance(b, BulletList)]
    if (
        len(lists) != 1
        or len(lists[0].items) < 2
        or any(isinstance(b, OrderedList) for b in blocks)
    ):
        return []
    bullets = lists[0]
    place = blocks.index(bullets)
    before = blocks[place - 1] if place else None
    lead = before.text.text if isinstance(before, Paragraph) else ""
    if enumerates(lead) or _are_tasks(bullets) or not _are_steps(bullets, lead):
        return []
    entries = [Entry(str(n), list(i.blocks)) for n, i in enumerate(bullets.items, start=1)]
    group = Group(start=bullets.start, intro=list(blocks[:place]), entries=entries)
    _attach_trailing(group, list(blocks[place + 1 :]))
    return [group]


def _are_tasks(block: BulletList) -> bool:
    """Whether each entry is a procedure of its own: "To sort a list, click …"."""
    texts = [
        i.blocks[0].text for i in block.items if i.blocks and isinstance(i.blocks[0], Paragraph)
    ]
    return bool(texts) and all(map(purpose_of, texts))


def _are_steps(block: BulletList, lead: str) -> bool:
    firsts = [
        i.blocks[0].text for i in block.items if i.blocks and isinstance(i.blocks[0], Paragraph)
    ]
    instructions = [t for t in firsts if _is_instruction_text(t)]
    labelled = [t for t in instructions if any(m.role in _LABELS and m.start > 0 for m in t.marks)]
    count = len(block.items)
    has_lead_in = (
        lead.endswith((":", "：")) and LEAD_IN.match(lead) is not None
    )  # "To invite people:"
    if has_lead_in and len(instructions) == count:
        return bool(labelled)
    is_zh = language_of(" ".join(t.text for t in firsts)) == "zh"
    needed = 0.3 if is_zh else 0.5
    return len(instructions) >= _BULLET_SHARE * count and len(labelled) >= needed * count


_LABELS = (InlineRole.UI_LABEL, InlineRole.MENU_PATH)


def _is_instruction_text(text: RichText) -> bool:
    """Whether it is an instruction; a word right before a label counts as a verb: "Hit **OK**"."""
    first = len(text.text.split(" ")[0])
    is_on_label = any(m.role in _LABELS and m.start == first + 1 for m in text.marks)
    return starts_with_verb(text.text) or is_instruction(text.text) or is_on_label
