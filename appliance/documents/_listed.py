"""Turn steps written as tables or numbered paragraphs into ordered lists."""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from appliance.documents._blocks import (
    Block,
    Cell,
    DefinitionList,
    Heading,
    Item,
    OrderedList,
    Paragraph,
    Tab,
    Table,
    extent,
    paragraphs,
)
from appliance.documents._language import STEP_HEADING, is_instruction
from appliance.documents._tasks import asks, asks_how, names_task
from appliance.documents._text import RichText

_NUMBERS = re.compile(
    r"\W*(?:steps?|no\.?|nr\.?|#|seq(?:uence)?|number|步骤|序号|编号|步)?\W*", re.I
)
_NUMBER = re.compile(r"(?:step ?|步骤|第)? ?\d{1,3} ?步?[.)）]?", re.I)
_ACTIONS = re.compile(
    r"\W*(?:user )?(?:actions?|instructions?|what (?:you|to) do|do this|steps?|操作(?:步骤"
    r"|说明)?|步骤)\W*",
    re.I,
)
_OUTCOMES = re.compile(
    r"\W*(?:expected |system )?(?:results?|responses?|outcomes?|what happens|(?:预期|操作)?结果"
    r"|系统响应)\W*",
    re.I,
)
_TASKS = re.compile(
    r"\W*(?:tasks?|actions?|operations?|goals?|to|if you want to"
    r"|(?:what )?(?:do )?you want to(?: do)?"
    r"|how (?:do i|to)|任务|操作|目的|功能|场景)\W*",
    re.I,
)
_HOW = re.compile(
    r"\W*(?:steps?|procedures?|how(?: to(?: do (?:it|this))?)?|instructions?|do this|what to do"
    r"|in the (?:console|ui)|步骤|操作步骤|操作方法|方法|操作说明)\W*",
    re.I,
)
_INSTRUCTIVE_SHARE = 0.6
_IN_BRACKETS = re.compile(r"[（(](?P<number>\d{1,2})[)）]\s*|(?P<bare>\d{1,2})、\s*")


def with_step_lists(blocks: Sequence[Block]) -> list[Block]:
    """Replace tables and numbered paragraphs that are steps with ordered lists."""
    result: list[Block] = []
    index = 0
    while index < len(blocks):
        numbered = _numbered_from(blocks, index)
        if len(numbered) > 1:
            result.append(_list_of([_item_of_paragraph(block) for block in numbered]))
        else:
            block = blocks[index]
            result.append((_steps_of_table(block) if isinstance(block, Table) else None) or block)
        index += max(len(numbered), 1)
    return result


def _numbered_from(blocks: Sequence[Block], start: int) -> list[Block]:
    """The run of paragraphs from `start` that are numbered from one."""
    if _number_of(blocks[start]) != 1:
        return []
    following = (blocks[n] for n in range(start + 1, len(blocks)))
    return [blocks[start], *takewhile(lambda block: _number_of(block) > 1, following)]


def _split_number(block: Block) -> "tuple[int, int] | None":
    """The number of a paragraph and the index of its text: "Step 1: Click …"."""
    if not isinstance(block, Paragraph):
        return None
    text = block.text.text
    match = STEP_HEADING.match(text) or _IN_BRACKETS.match(text)
    if match is None or not text[match.end() :].strip():
        return None
    number = match["number"] or match.groupdict().get("bare") or ""
    value = int(number) if number.isdecimal() else "一二三四五六七八九十".find(number) + 1
    return value, match.end()


def _number_of(block: Block) -> int:
    numbered = _split_number(block)
    return numbered[0] if numbered else 0


def _item_of_paragraph(block: Block) -> Item:
    numbered = _split_number(block)
    assert isinstance(block, Paragraph) and numbered  # noqa: S101 - chosen as such
    rest = block.text.cut(numbered[1])
    paragraph = Paragraph(text=rest, start=rest.start, end=block.end)
    return Item(blocks=(paragraph,), start=block.start, end=block.end)


def _list_of(items: Sequence[Item]) -> OrderedList:
    start, end = extent(items, 0)
    return OrderedList(items=tuple(items), first=1, start=start, end=end)


def _steps_of_table(table: Table) -> OrderedList | None:
    """`| Step | Action | Result |`: each row is a step."""
    if not table.header or not table.rows or any(cell.rows > 1 for r in table.rows for cell in r):
        return None
    numbered = _NUMBERS.fullmatch(table.header[0]) and all(_is_number(row) for row in table.rows)
    column = 1 if numbered else 0
    if not numbered and not _pairs_action_with_outcome(table.header):
        return None
    items = [_item_of_row(row[column:]) for row in table.rows]
    steps = [item for item in items if item is not None]
    instructive = sum(_instructs(row[column : column + 1]) for row in table.rows)
    enough = len(steps) == len(items) >= 2 and instructive >= _INSTRUCTIVE_SHARE * len(items)
    return _list_of(steps) if enough else None


def _pairs_action_with_outcome(header: Sequence[str]) -> bool:
    is_pair = len(header) > 1 and _OUTCOMES.fullmatch(header[1]) is not None
    return is_pair and _ACTIONS.fullmatch(header[0]) is not None


def _is_number(row: Sequence[Cell]) -> bool:
    return bool(row) and _NUMBER.fullmatch(_text(row[:1])) is not None


def _item_of_row(cells: Sequence[Cell]) -> Item | None:
    blocks = tuple(block for cell in cells for block in cell.blocks)
    if not blocks:
        return None
    start, end = extent(blocks, 0)
    return Item(blocks=blocks, start=start, end=end)


def _text(cells: Sequence[Cell]) -> str:
    return " ".join(t.text for cell in cells for t in paragraphs(cell.blocks)).strip()


def _instructs(cells: Sequence[Cell]) -> bool:
    return is_instruction(_text(cells))


def tasks_in(block: Table | DefinitionList) -> list[Tab]:
    """The tasks of a table or definition list, each with its instructions; empty if none."""
    parts = list(_rows(block) if isinstance(block, Table) else _terms(block))
    return [
        Tab(title=title, blocks=tuple(blocks), start=title.start, end=max(b.end for b in blocks))
        for title, blocks in parts
    ]


def _rows(table: Table) -> Iterator[tuple[RichText, Sequence[Block]]]:
    """`| Task | Steps |`: each row is a task."""
    if len(table.header) < 2 or not _TASKS.fullmatch(table.header[0]):
        return
    if not _HOW.fullmatch(table.header[1]):
        return
    for row in table.rows:
        titles = list(paragraphs(row[0].blocks)) if row else []
        if len(row) > 1 and titles and row[1].blocks:
            yield titles[0], row[1].blocks


def _terms(definitions: DefinitionList) -> Iterator[tuple[RichText, Sequence[Block]]]:
    """Terms such as "To add a user" or "How do I add a user?", with the instructions below."""
    terms = [item.terms[0] for item in definitions.items if item.terms]
    are_questions = all(asks(t.text) for t in terms) and any(asks_how(t.text) for t in terms)
    are_tasks = all(t.text.startswith(("To ", "to ")) and names_task(t.text[3:]) for t in terms)
    if not terms or not (are_questions or are_tasks):
        return
    for item in definitions.items:
        if item.terms and item.blocks and not any(isinstance(b, Heading) for b in item.blocks):
            yield item.terms[0], item.blocks
