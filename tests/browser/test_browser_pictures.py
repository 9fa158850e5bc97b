"""Screenshots: marks in the picture and never in the page, secrets, crops, formats, scale."""

import io

import pytest
from PIL import Image, ImageChops

from appliance.browser import media_type
from appliance.browser.observation.marks import can_be_marked, colour_of, mark
from appliance.browser.observation.picture import SECRET_COLOUR, PictureEdits, edit_picture
from appliance.core.page import Box, Element

pytestmark = pytest.mark.asyncio(loop_scope="session")


def opened(picture: bytes) -> Image.Image:
    return Image.open(io.BytesIO(picture)).convert("RGB")


def blank(width: int = 400, height: int = 300) -> Image.Image:
    return Image.new("RGB", (width, height), (255, 255, 255))


def button(number: int, x: float, y: float, width: float = 60, height: float = 24, **kw: object):
    return Element(id=number, role="button", name="x", box=Box(x, y, width, height), **kw)


def overlap(one, other) -> bool:
    """Of areas whose last pixels are drawn, too."""
    return not (
        one.right < other.left
        or other.right < one.left
        or one.bottom < other.top
        or other.bottom < one.top
    )


async def plain(page) -> Image.Image:
    return opened(await page.screenshot(picture_format="png"))


@pytest.mark.parametrize("address", ["widgets.html", "table.html", "shadow.html", "frames.html"])
async def test_marks_touch_neither_the_page_nor_other_pixels(page, site, address):
    await page.goto(f"{site.url}/{address}")
    view = await page.observe()
    html = await page.raw.content()
    before = await plain(page)
    marked = opened(await page.screenshot(marks=view, picture_format="png"))
    assert (await page.raw.content()) == html
    assert ImageChops.difference(before, await plain(page)).getbbox() is None
    # The same marks drawn by themselves say which pixels may differ, and the rest must not.
    drawn = mark(again := before.copy(), view.elements)
    assert ImageChops.difference(again, marked).getbbox() is None
    assert drawn
    for one in drawn:
        before.paste((0, 0, 0), _whole(one.box))
        marked.paste((0, 0, 0), _whole(one.box))
        if one.label is not None and not one.is_far:
            before.paste((0, 0, 0), _whole(one.label))
            marked.paste((0, 0, 0), _whole(one.label))
    if not any(one.is_far for one in drawn):
        assert ImageChops.difference(before, marked).getbbox() is None


def _whole(area) -> tuple[int, int, int, int]:
    return int(area.left), int(area.top), int(area.right) + 1, int(area.bottom) + 1


async def test_the_inside_of_a_marked_box_is_the_page_s(page, site, find):
    await page.goto(f"{site.url}/widgets.html")
    view = await page.observe()
    before = await plain(page)
    marked = opened(await page.screenshot(marks=view, picture_format="png"))
    drawn = {one.id: one for one in mark(before.copy(), view.elements)}
    labels = [one.label for one in drawn.values() if one.label is not None]
    untouched = 0
    for one in drawn.values():
        inside = one.box._replace(
            left=one.box.left + 2,
            top=one.box.top + 2,
            right=one.box.right - 2,
            bottom=one.box.bottom - 2,
        )
        others = [o.box for o in drawn.values() if o is not one]
        leaders = [_around(o.box, o.label) for o in drawn.values() if o.is_far]
        if inside.right <= inside.left or any(
            overlap(inside, a) for a in labels + others + leaders
        ):
            continue
        crop = (inside.left, inside.top, inside.right, inside.bottom)
        assert before.crop(crop).tobytes() == marked.crop(crop).tobytes()
        untouched += 1
    assert untouched > 3


def _drawn(label):
    return label._replace(right=label.right - 1, bottom=label.bottom - 1)


def _around(one, other):
    return one._replace(
        left=min(one.left, other.left),
        top=min(one.top, other.top),
        right=max(one.right, other.right),
        bottom=max(one.bottom, other.bottom),
    )


async def test_every_control_in_view_is_marked_in_its_colour(page, site):
    await page.goto(f"{site.url}/widgets.html")
    view = await page.observe()
    drawn = {one.id: one for one in mark(await plain(page), view.elements)}
    picture = opened(await page.screenshot(marks=view, picture_format="png"))
    wanted = {e.id for e in view.elements if can_be_marked(e) and e.box.width and e.box.height}
    assert wanted <= drawn.keys()
    for one in drawn.values():
        assert one.label is not None
        corner = int(one.label.left), int(one.label.top)
        assert picture.getpixel(corner) == colour_of(one.id)


async def test_what_cannot_be_acted_upon_now_has_no_mark():
    elements = [
        button(1, 10, 40),
        button(2, 110, 40, states=frozenset({"disabled"})),
        button(3, 210, 40, states=frozenset({"covered"})),
        button(4, 10, 140, in_viewport=False),
    ]
    assert [one.id for one in mark(blank(), elements)] == [1]


@pytest.mark.parametrize("gap", [0, 2, 6])
@pytest.mark.parametrize("size", [(16, 16), (24, 20), (60, 18), (8, 8)])
async def test_labels_never_lie_on_one_another(size, gap):
    width, height = size
    elements = [
        button(1 + row * 12 + column, 40 + column * (width + gap), 40 + row * (height + gap),
               width, height)
        for row in range(10)
        for column in range(12)
    ]  # fmt: skip
    drawn = mark(blank(1280, 900), elements)
    labels = [_drawn(one.label) for one in drawn if one.label is not None]
    assert not any(overlap(a, b) for i, a in enumerate(labels) for b in labels[:i])
    assert len(labels) >= len(elements) * 0.95 or size == (8, 8)
    assert len({one.id for one in drawn}) == len(elements)


async def test_a_label_leaves_the_text_of_its_control_readable(page, site, find):
    await page.goto(f"{site.url}/natives.html")
    view = await page.observe()
    marked = mark(await plain(page), view.elements)
    for one in marked:
        if one.label is None or not overlap(one.label, one.box):
            continue
        middle = (one.box.top + one.box.bottom) / 2
        left, right = one.box.left + 8, one.box.right - 8
        assert not (one.label.left < right and one.label.right > left
                    and one.label.top < middle < one.label.bottom)  # fmt: skip


async def test_neighbours_differ_in_colour_and_numbers_keep_theirs():
    assert all(colour_of(n) != colour_of(n + 1) for n in range(1, 500))
    for columns in range(2, 15):
        beneath = [colour_of(n) != colour_of(n + columns) for n in range(1, 200)]
        assert sum(beneath) > 80
    assert colour_of(17) == colour_of(17)


async def test_secrets_are_painted_over_in_every_kind_of_picture(page, site, find):
    await page.goto(f"{site.url}/secret.html")
    await page.type_secret("#token", "s3cr3t")
    view = await page.observe()
    field = find(view, "Token")
    x, y = int(field.box.x + field.box.width / 2), int(field.box.y + field.box.height / 2)
    pictures = {
        "plain": await page.screenshot(),
        "png": await page.screenshot(picture_format="png"),
        "webp": await page.screenshot(picture_format="webp"),
        "marks": await page.screenshot(marks=view),
        "highlight": await page.screenshot(field.box),
    }
    for name, picture in pictures.items():
        pixel = opened(picture).getpixel((x, y))
        assert all(abs(c - grey) < 14 for c, grey in zip(pixel, SECRET_COLOUR, strict=True)), name
    crop = opened(await page.screenshot(crop=field.id, picture_format="png"))
    assert crop.getpixel((crop.width // 2, crop.height // 2)) == SECRET_COLOUR


async def test_formats_are_what_they_say(page, site):
    await page.goto(f"{site.url}/inner.html")
    for name in ("jpeg", "webp", "png"):
        picture = await page.screenshot(picture_format=name)
        assert Image.open(io.BytesIO(picture)).format == name.upper()
        assert media_type(picture) == f"image/{name}"
    assert media_type(await page.screenshot()) == "image/jpeg"


async def test_a_crop_shows_the_element_and_a_margin(page, site, find):
    await page.goto(f"{site.url}/widgets.html")
    view = await page.observe()
    element = next(e for e in view.elements if e.in_viewport and e.box.y > 60 and e.box.x > 30)
    whole = await plain(page)
    crop = opened(await page.screenshot(crop=element.id, picture_format="png"))
    box = element.box
    left, top = int(box.x - 24), int(box.y - 24)
    assert crop.size[0] == pytest.approx(box.width + 48, abs=2)
    assert crop.size[1] == pytest.approx(box.height + 48, abs=2)
    expected = whole.crop((left, top, left + crop.width, top + crop.height))
    assert ImageChops.difference(crop, expected).getbbox() is None


async def test_a_crop_of_what_is_not_there_is_the_whole_view(page, site):
    await page.goto(f"{site.url}/inner.html")
    assert opened(await page.screenshot(crop=999)).size == (1280, 900)
    assert opened(await page.screenshot(crop=Box(0, 5000, 50, 50))).size == (1280, 900)


async def test_boxes_follow_the_scale_of_the_picture():
    picture = io.BytesIO()
    Image.new("RGB", (800, 600), (255, 255, 255)).save(picture, "PNG")
    element = button(1, 100, 100, 50, 20)
    how = PictureEdits(
        marks=(element,), secrets=(Box(10, 10, 20, 20),), view_width=400, format="png"
    )
    image = opened(edit_picture(picture.getvalue(), how))
    assert image.getpixel((250, 199)) == colour_of(1)  # the box's upper edge: 100 * 2 - 1
    assert image.getpixel((40, 40)) == SECRET_COLOUR
    assert image.getpixel((65, 65)) == (255, 255, 255)
    cut = opened(
        edit_picture(
            picture.getvalue(), PictureEdits(crop=element.box, view_width=400, format="png")
        )
    )
    assert cut.size == (2 * (50 + 48) + 1, 2 * (20 + 48) + 1)


async def test_a_dense_screen_is_marked_where_things_are(page, site, find):
    await page.goto(f"{site.url}/widgets.html")
    metrics = {"width": 1280, "height": 900, "deviceScaleFactor": 2, "mobile": False}
    # In the session that takes the picture: each has a screen of its own.
    await page._tabs.active._world.send("Emulation.setDeviceMetricsOverride", metrics)
    view = await page.observe()
    before = await plain(page)
    assert before.size == (2560, 1800)
    marked = opened(await page.screenshot(marks=view, picture_format="png"))
    drawn = mark(before.copy(), view.elements, 2)
    assert len(drawn) > 10
    for one in drawn:
        if one.label is not None:
            assert marked.getpixel((int(one.label.left), int(one.label.top))) == one.colour
    by_id = {one.id: one.box for one in drawn}
    element = next(e for e in view.elements if e.id in by_id and e.box.y > 20)
    assert by_id[element.id].top == pytest.approx(element.box.y * 2, abs=2)
