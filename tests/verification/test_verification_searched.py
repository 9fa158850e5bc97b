"""A control that is nowhere: the picture frames where it was looked for."""

from io import BytesIO

import pytest
from PIL import Image

from appliance.core.page import Box, Element, Observation
from appliance.core.verdict import DivergenceKind
from appliance.store.artifacts import ArtifactStore
from appliance.verification.searched import searched_box

GUIDE = """# Buckets

## Create a bucket

1. Go to **Products** > **Buckets**.
2. Click **Create bucket**.
3. In the dialog, click **Encrypt everything**.
4. Enter `docs-1` in **Bucket name**.
5. Click **Create**.
"""


def element(number: int, x: float, y: float, **more: object) -> Element:
    known = {"role": "button", "name": f"B{number}", "tag": "button"}
    return Element(id=number, box=Box(x, y, 10, 10), **known | more)


@pytest.mark.parametrize(
    ("elements", "dialogs", "expected"),
    [
        ((element(1, 0, 0, region="navigation"), element(2, 50, 60), element(3, 90, 90)), (),
         Box(50, 60, 50, 40)),
        ((element(1, 5, 5), element(2, 50, 60, dialog="D"), element(3, 70, 60, dialog="D")),
         ("D",), Box(50, 60, 30, 10)),
        ((element(1, 5, 5, dialog="D"), element(2, 7, 9, role="menuitem")), ("D",),
         Box(7, 9, 10, 10)),
        ((element(1, 5, 5, in_viewport=False),), (), None),
    ],
)  # fmt: skip
def test_the_nearest_place_that_was_searched(elements, dialogs, expected) -> None:
    view = Observation(url="http://x", title="X", elements=elements, dialogs=dialogs)
    assert searched_box(view) == expected


async def test_the_picture_of_a_finding_frames_the_dialog_that_has_it_not(lab) -> None:
    (procedure,) = (await lab.verify(GUIDE)).procedures
    (finding,) = [f for f in procedure.findings if f.quote == "Encrypt everything"]
    assert finding.kind is DivergenceKind.MISSING_CONTROL
    before = next(e for e in finding.evidence if e.kind == "before")
    assert before.caption.startswith("where it was looked for: ")
    picture = ArtifactStore(lab.folder / "artifacts").get(before.artifact)
    with Image.open(BytesIO(picture)) as image:
        pixels = image.convert("RGB")
        red = [
            (x, y)
            for x in range(pixels.width)
            for y in range(pixels.height)
            if _is_frame(pixels.getpixel((x, y)))
        ]
    width = max(x for x, _ in red) - min(x for x, _ in red)
    height = max(y for _, y in red) - min(y for _, y in red)
    assert 300 < width < 900, "the dialog, and not a button of it or the whole page"
    assert 100 < height < 700


def _is_frame(colour) -> bool:
    red, green, blue = colour
    return red > 190 and green < 70 and blue < 70
