"""Prepares screenshots: secrets painted over, marks drawn; in the picture, never in the page."""

import io
from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor
from typing import Literal

from PIL import Image, ImageDraw

from appliance.browser.observation.marks import mark
from appliance.core.page import Box, Element

PictureFormat = Literal["jpeg", "webp", "png"]

FRAME_COLOUR = (220, 38, 38)
SECRET_COLOUR = (96, 96, 96)
SECRET_MARGIN_PX = 2  # slanted letters reach out of their box
FRAME_WIDTH_PX = 3
MARGIN_PX = 3
CROP_MARGIN_PX = 24  # around what a crop shows, so that it can be told where it is
WEBP_EFFORT = 2  # of 6: half the time of the default for 5% more bytes

_SIGNATURES: tuple[tuple[bytes, PictureFormat], ...] = (
    (b"\xff\xd8", "jpeg"),
    (b"RIFF", "webp"),
    (b"\x89PNG", "png"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureEdits:
    """What to do to a picture of the viewport; boxes are in CSS pixels of the viewport."""

    secrets: tuple[Box, ...] = ()
    highlight: Box | None = None
    marks: tuple[Element, ...] = ()
    crop: Box | None = None
    view_width: float = 0
    """Width of the viewport in CSS pixels, which gives the picture's scale; 0 for a scale of 1."""
    format: PictureFormat = "jpeg"
    quality: int = 80

    @property
    def changes_pixels(self) -> bool:
        """Whether anything is to be drawn or cropped."""
        return bool(self.secrets or self.highlight or self.marks or self.crop)


def edit_picture(picture: bytes, edits: PictureEdits) -> bytes:
    """Paint over secrets, draw marks, crop and encode; unchanged pictures are not encoded again."""
    if not edits.changes_pixels and format_of(picture) == edits.format:
        return picture
    with Image.open(io.BytesIO(picture)) as source:
        image = source.convert("RGB")
    scale = image.width / edits.view_width if edits.view_width else 1.0
    _paint_over(image, edits.secrets, scale)
    if edits.marks:
        mark(image, edits.marks, scale)
    if edits.highlight is not None:
        _frame(image, edits.highlight, scale)
    if edits.crop is not None:
        image = _crop(image, edits.crop, scale)
    return _encode(image, edits)


def format_of(picture: bytes) -> PictureFormat | None:
    """The image format, recognised by the first bytes."""
    return next((name for start, name in _SIGNATURES if picture.startswith(start)), None)


def media_type(picture: bytes) -> str:
    """The media type of the picture, for HTTP."""
    return f"image/{format_of(picture) or 'png'}"


def _paint_over(image: Image.Image, secrets: Iterable[Box], scale: float) -> None:
    draw = ImageDraw.Draw(image)
    for box in secrets:
        left, top = box.x - SECRET_MARGIN_PX, box.y - SECRET_MARGIN_PX
        right = box.x + box.width + SECRET_MARGIN_PX
        bottom = box.y + box.height + SECRET_MARGIN_PX
        corners = [
            floor(left * scale),
            floor(top * scale),
            ceil(right * scale),
            ceil(bottom * scale),
        ]
        draw.rectangle(corners, fill=SECRET_COLOUR)


def _frame(image: Image.Image, box: Box, scale: float) -> None:
    if box.width <= 0 or box.height <= 0:
        return
    left, top, right, bottom = _with_margin(box, MARGIN_PX, scale, image)
    if right > left and bottom > top:
        width = round(FRAME_WIDTH_PX * scale)
        ImageDraw.Draw(image).rectangle(
            (left, top, right, bottom), outline=FRAME_COLOUR, width=width
        )


def _crop(image: Image.Image, box: Box, scale: float) -> Image.Image:
    """The box with a margin; the whole picture if the box is outside of it."""
    left, top, right, bottom = _with_margin(box, CROP_MARGIN_PX, scale, image)
    if right <= left or bottom <= top:
        return image
    return image.crop((int(left), int(top), int(right) + 1, int(bottom) + 1))


def _with_margin(
    box: Box, margin: float, scale: float, image: Image.Image
) -> tuple[float, float, float, float]:
    return (
        max((box.x - margin) * scale, 0),
        max((box.y - margin) * scale, 0),
        min((box.x + box.width + margin) * scale, image.width - 1),
        min((box.y + box.height + margin) * scale, image.height - 1),
    )


def _encode(image: Image.Image, edits: PictureEdits) -> bytes:
    buffer = io.BytesIO()
    match edits.format:
        case "jpeg":
            # More colour where there are small coloured boxes, for a tenth more bytes.
            subsampling = 1 if edits.marks else 2
            image.save(buffer, "JPEG", quality=edits.quality, subsampling=subsampling)
        case "webp":
            image.save(buffer, "WEBP", quality=edits.quality, method=WEBP_EFFORT)
        case "png":
            image.save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()
