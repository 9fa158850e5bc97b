"""Reference pages that describe a dialog or tab of a console field by field."""

import re
from collections.abc import Sequence
from dataclasses import replace

from appliance.core.procedure import Field, InlineRole
from appliance.documents._blocks import Block, BulletList, Paragraph
from appliance.documents._fields import names_fields, split_label
from appliance.documents._text import Mark, RichText
from appliance.language import nouns
from appliance.language.words import one_of

FEWEST_FIELDS = 2
"""Fewest fields of a form; a section with less explains something."""
_NAMED = re.compile(
    rf"(?:the )?(?P<name>\w[^.,:;!?]{{0,40}}?)\s*\b(?:{one_of(nouns.FORMS.en)})"
    rf"|(?P<zh>\S[^。，：；]{{0,20}}?)(?:{one_of(nouns.FORMS.zh)})",
    re.I,
)

_DESCRIBES_FORM = re.compile(
    r"(?:the (?P<name>[A-Z][\w ]{0,40}?)|this) (?:settings )?(?:page|form|screen|tab|dialog)"
    r" (?:allows|lets|enables) you to\b",
    re.I,
)
"""As in "The Profile page allows you to change your name.", above the list of fields."""
_PAGE_PURPOSE = re.compile(
    r"(?:view|manage|browse)\b|(?:create|edit|delete|allocate)\b(?=,| and | or | an? | the )"
    r"|(?:\w+ ){1,3}and (?:view|manage|browse)\b|use (?:\w+ ){1,3}tabs to\b"
    r"|查看|管理|创建|浏览",
    re.I,
)
"""How the description of a page begins, as opposed to that of a field."""


def describes_pages(fields: Sequence[Field]) -> bool:
    """Whether the list describes pages, as a tour of a console does, rather than form fields."""
    of_pages = [f for f in fields if f.description and _PAGE_PURPOSE.match(f.description[0].text)]
    return len(of_pages) * 2 >= len(fields)


def named_form(title: RichText) -> RichText | None:
    """The title with the form's name marked as a label: "The **Promote** tab"."""
    match = _NAMED.fullmatch(title.text)
    if match is None:
        return None
    kind = "name" if match["name"] else "zh"
    return replace(title, marks=(Mark(InlineRole.UI_LABEL, *match.span(kind)),))


def described_form(title: RichText, blocks: Sequence[Block]) -> RichText | None:
    """As `named_form`, but also if only the text below the title calls it a form."""
    if named := named_form(title):
        return named
    first = next((block for block in blocks if isinstance(block, Paragraph)), None)
    description = _DESCRIBES_FORM.match(first.text.text) if first else None
    if (
        description is None
        or (description["name"] or title.text).casefold() != title.text.casefold()
    ):
        return None
    return replace(title, marks=(Mark(InlineRole.UI_LABEL, 0, len(title.text)),))


def form_blocks(blocks: Sequence[Block]) -> list[Block]:
    """The lists and tables of fields in a section."""
    return [block for block in blocks if _lists_fields(block)]


def _lists_fields(block: Block) -> bool:
    match block:
        case BulletList():
            firsts = [item.blocks[0] for item in block.items if item.blocks]
            return bool(firsts) and all(
                isinstance(first, Paragraph) and split_label(first.text, is_item=True)
                for first in firsts
            )
        case _:
            return names_fields(block)
