"""Build a tree of sections from headings."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from appliance.core.procedure import InlineRole
from appliance.documents._blocks import (
    Admonition,
    Block,
    DefinitionList,
    Heading,
    OrderedList,
    Paragraph,
    Parsed,
    Tab,
    Table,
    Tabs,
)
from appliance.documents._language import PREREQUISITES
from appliance.documents._listed import tasks_in, with_step_lists
from appliance.documents._tasks import asks, names_task
from appliance.documents._text import RichText

_FOLDED = frozenset(("details", "expandable", "accordion", "dropdown", "collapse"))
# Bold lines and tabs count as headings below any real one.
_BELOW = 100
_LONGEST_QUESTION = 120
_GENERIC = re.compile(
    r"\W*(?:the )?(?:procedures?|steps?|instructions?|tasks?|how to"
    r"|操作步骤|操作流程|步骤|操作方法|具体操作|操作指引)\W*",
    re.I,
)


_CAPTION = re.compile(r"(?:Table|Figure|Fig\.|表|图)\s?\d+(?:[-.–]\d+)*(?:[.:：。\s]|$)")
"""A caption such as "Table 3-1. Fields of a pool", which does not end a section."""


@dataclass
class Section:
    """A heading with the blocks below it, up to the next heading."""

    title: RichText | None
    level: int
    start: int
    blocks: list[Block] = field(default_factory=list)
    children: list["Section"] = field(default_factory=list)

    @property
    def end(self) -> int:
        """The offset just after its own last block, without sections below it."""
        ends = [b.end for b in self.blocks]
        return max(ends, default=self.title.end if self.title else self.start)

    @property
    def full_end(self) -> int:
        """The offset just after the last block in it or below it."""
        return max([self.end, *(c.full_end for c in self.children)])

    @property
    def is_generic(self) -> bool:
        """Whether its title only says that steps follow."""
        return self.title is not None and _GENERIC.fullmatch(self.title.text) is not None


def sections(parsed: Parsed) -> Section:
    """The root section; it has no title of its own."""
    root = Section(None, 0, 0)
    path = [root]
    blocks = with_step_lists(parsed.blocks)
    for index, block in enumerate(blocks):
        new_sections = _sections_opened_by(
            block, (blocks[i] for i in range(index + 1, len(blocks))), path[-1]
        )
        if new_sections is None:
            path[-1].blocks.append(block)
            continue
        for section in new_sections:
            while len(path) > 1 and path[-1].level >= section.level:
                path.pop()
            path[-1].children.append(section)
            path.append(section)
        if isinstance(block, Tabs | Admonition | Table | DefinitionList):
            _close_below(path)
    return root


def _close_below(path: list[Section]) -> None:
    while len(path) > 1 and path[-1].level > _BELOW:
        path.pop()


def _sections_opened_by(
    block: Block, following: Iterable[Block], current: Section
) -> list[Section] | None:
    """The sections a block opens; None for a block that belongs to the current one."""
    match block:
        case Heading() if _CAPTION.match(block.text.text):
            return []
        case Heading():
            return [Section(block.text, block.level, block.start)]
        case Paragraph() if _is_bold_heading(block, following):
            return [Section(_without_colon(block.text), _BELOW, block.start)]
        case Tabs() if any(_has_list(t.blocks) for t in block.tabs):
            return [_tab_section(t) for t in block.tabs]
        case Admonition() if block.title is not None and _is_unfolded(block, current):
            inner = Section(block.title, _BELOW + 1, block.start)
            inner.blocks.extend(with_step_lists(block.blocks))
            return [inner]
        case Table() | DefinitionList() if tasks := tasks_in(block):
            return [_tab_section(t) for t in tasks]
    return None


def _is_unfolded(block: Admonition, current: Section) -> bool:
    """Whether it holds a procedure of its own, as a folded section with a task's title does."""
    if block.kind in _FOLDED and block.title is not None and names_task(block.title.text):
        return True
    is_outside = current.level <= _BELOW and not _inside_steps(current)
    return is_outside and _has_list(block.blocks)


def _inside_steps(section: Section) -> bool:
    return any(isinstance(b, OrderedList) for b in section.blocks)


def _tab_section(tab: Tab) -> Section:
    section = Section(tab.title, _BELOW + 1, tab.start)
    section.blocks.extend(with_step_lists(tab.blocks))
    return section


def _has_list(blocks: Sequence[Block]) -> bool:
    return any(isinstance(b, OrderedList) for b in with_step_lists(blocks))


def _is_bold_heading(block: Paragraph, following: Iterable[Block]) -> bool:
    """Whether a paragraph is only a bold title with an ordered list somewhere below it.

    A question needs no list.
    """
    text = block.text.text.rstrip(" :：")
    roles = (InlineRole.UI_LABEL, InlineRole.EMPHASIS)
    if not any(
        m.role in roles and m.start == 0 and m.end >= len(text) for m in block.text.marks
    ) or text.endswith((".", "。")):
        return False
    if PREREQUISITES.fullmatch(text):  # its list is not that of a procedure
        return False
    if asks(text) and len(text) <= _LONGEST_QUESTION:
        return True
    for block_below in following:
        match block_below:
            case OrderedList():
                return True
            case Heading():
                return False
            case Paragraph() if _is_bold_heading(block_below, ()):
                return False
    return False


def _without_colon(text: RichText) -> RichText:
    return text.cut(0, len(text.text.rstrip(" :：")))
