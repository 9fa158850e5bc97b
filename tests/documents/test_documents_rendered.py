"""A document as its reader sees it: every character knows where it stands in the source."""

from pathlib import Path

import pytest

from appliance.core.procedure import InlineRole
from appliance.documents import BlockKind, Children, load_documents, parse_document, rendered

TEXT = """\
# Buckets

With **care** & <b>thought</b>.

1. Click **Create**,
   then *wait*.
   - Type `a`.
2. Done.

| Field | Value |
| --- | --- |
| **Name** | A name. |

> [!NOTE]
> It costs.

```sh
rm -r <all>
```
"""
BUNDLED = Path(__file__).parents[2] / "appliance" / "practice" / "documentation"


def test_blocks_come_in_reading_order_with_what_stands_before_them() -> None:
    blocks = rendered(parse_document(TEXT, "a.md", "markdown"))
    said = [
        (one.kind, one.line, one.marker, " | ".join("".join(r.text for r in c) for c in one.cells))
        for one in blocks
    ]
    assert said == [
        (BlockKind.HEADING, 1, "", "Buckets"),
        (BlockKind.PARAGRAPH, 3, "", "With care & thought."),
        (BlockKind.ITEM, 5, "1.", "Click Create, then wait."),
        (BlockKind.ITEM, 7, "•", "Type a."),
        (BlockKind.ITEM, 8, "2.", "Done."),
        (BlockKind.ROW, 10, "th", "Field | Value"),
        (BlockKind.ROW, 12, "", "Name | A name."),
        (BlockKind.NOTE, 14, "note", ""),
        (BlockKind.PARAGRAPH, 15, "", "It costs."),
        (BlockKind.CODE, 17, "", "rm -r <all>"),
    ]
    roles = {run.text: run.role for run in blocks[2].cells[0]}
    assert roles["Create"] is InlineRole.UI_LABEL
    assert roles["Click "] is None


@pytest.mark.parametrize("name", ["buckets.md", "networks.rst", "instances.html", "buckets.zh.md"])
def test_every_character_stands_where_it_says(name: str) -> None:
    (document,) = load_documents([BUNDLED / name])
    placed = 0
    for block in rendered(document):
        for run in (run for cell in block.cells for run in cell if run.places):
            places = [
                (line, column + n) for line, column, length in run.places for n in range(length)
            ]
            for character, (line, column) in zip(run.text, places, strict=True):
                there = document.lines[line - 1][column : column + 1]
                assert there == character or character.isspace() or there in "&\\", (run, line)
                placed += 1
    assert placed > 500


def test_it_is_rendered_in_a_child_process(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(TEXT)
    children = Children(10, rendered)
    assert children.read(tmp_path / "a.md") == rendered(load_documents([tmp_path / "a.md"])[0])
    children.close()
