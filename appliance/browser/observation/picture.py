"""Marks in a screenshot: drawn in the picture, never in the page."""

import io

from PIL import Image, ImageDraw

from appliance.core.page import Box

JPEG_QUALITY = 70
FRAME_COLOUR = (220, 38, 38)
SECRET_COLOUR = (96, 96, 96)
FRAME_WIDTH_PX = 3
MARGIN_PX = 3


def finish(
    picture: bytes, secrets: list[tuple[float, float, float, float]], highlight: Box | None
) -> bytes:
    """Paint secret fields over, frame the highlight, and encode as JPEG."""
    with Image.open(io.BytesIO(picture)) as opened:
        image = opened.convert("RGB")
    draw = ImageDraw.Draw(image)
    for x, y, width, height in secrets:
        draw.rectangle((x, y, x + width, y + height), fill=SECRET_COLOUR)
    if highlight is not None and highlight.width > 0 and highlight.height > 0:
        left = max(highlight.x - MARGIN_PX, 0)
        top = max(highlight.y - MARGIN_PX, 0)
        right = min(highlight.x + highlight.width + MARGIN_PX, image.width - 1)
        bottom = min(highlight.y + highlight.height + MARGIN_PX, image.height - 1)
        if right > left and bottom > top:
            draw.rectangle((left, top, right, bottom), outline=FRAME_COLOUR, width=FRAME_WIDTH_PX)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=JPEG_QUALITY)
    return out.getvalue()
