"""Screenshots inside the HTML page: each once, within a budget."""

import struct
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from appliance.core.errors import StoreError
from appliance.core.result import ArtifactRef

ReadArtifact: TypeAlias = Callable[[ArtifactRef], bytes]
"""The bytes of an artifact; `StoreError` when they are gone or damaged."""

BUDGET_BYTES = 24_000_000
"""Of screenshots in one page: about what a browser opens at once and a mail server takes."""
_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


class Size(NamedTuple):
    """Width and height in pixels."""

    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Image:
    """A picture that is in the page."""

    id: str
    media_type: str
    data: str
    """Base64."""
    width: int
    height: int


@dataclass(slots=True)
class Album:
    """The pictures of a page, in the order in which they were asked for first."""

    read: ReadArtifact
    budget: int = BUDGET_BYTES
    """Bytes that may still be added."""
    images: dict[str, Image | None] = field(default_factory=dict)
    left_out: set[str] = field(default_factory=set)
    """Hashes of what the budget had no room for."""

    def image(self, ref: ArtifactRef | None) -> Image | None:
        """The picture; None where there is none, or it cannot be shown."""
        if ref is None:
            return None
        if ref.sha256 not in self.images and ref.sha256 not in self.left_out:
            self._add(ref)
        return self.images.get(ref.sha256)

    def shown(self) -> tuple[Image, ...]:
        """All pictures of the page."""
        return tuple(image for image in self.images.values() if image is not None)

    def _add(self, ref: ArtifactRef) -> None:
        if ref.size > self.budget:
            self.left_out.add(ref.sha256)
            return
        try:
            data = self.read(ref)
        except StoreError:
            self.images[ref.sha256] = None
            return
        picture = _recognise(data)
        if picture is None:
            self.images[ref.sha256] = None
            return
        media_type, size = picture
        self.budget -= len(data)
        self.images[ref.sha256] = Image(
            f"image-{len(self.images) + 1}",
            media_type,
            b64encode(data).decode(),
            size.width,
            size.height,
        )


def _recognise(data: bytes) -> tuple[str, Size] | None:
    """Type and size, told from the bytes: what calls itself a picture need not be one."""
    if data.startswith(_PNG) and len(data) >= 24:
        return "image/png", Size(*struct.unpack(">II", data[16:24]))
    if data.startswith(b"\xff\xd8"):
        size = _jpeg_size(data)
        return ("image/jpeg", size) if size else None
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        size = _webp_size(data[12:30])
        return ("image/webp", size) if size else None
    return None


def _jpeg_size(data: bytes) -> Size | None:
    """Width and height from the frame header, wherever it stands among the segments."""
    place = 2
    while place + 9 <= len(data) and data[place] == 0xFF:
        marker = data[place + 1]
        if marker in _JPEG_FRAMES:
            height, width = struct.unpack(">HH", data[place + 5 : place + 9])
            return Size(width, height)
        (length,) = struct.unpack(">H", data[place + 2 : place + 4])
        place += 2 + length
    return None


def _webp_size(chunk: bytes) -> Size | None:
    """Width and height from the start of the first chunk, which is one of three kinds."""
    if len(chunk) < 18:
        return None
    name, body = chunk[:4], chunk[8:]
    if name == b"VP8 " and body[3:6] == b"\x9d\x01\x2a":
        width, height = struct.unpack("<HH", body[6:10])
        return Size(width & 0x3FFF, height & 0x3FFF)  # above them: how to scale it up
    if name == b"VP8L" and body[0] == 0x2F:
        (bits,) = struct.unpack("<I", body[1:5])
        return Size((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    if name == b"VP8X":
        width, height = (int.from_bytes(body[at : at + 3], "little") for at in (4, 7))
        return Size(width + 1, height + 1)
    return None
