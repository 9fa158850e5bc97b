"""Screenshots inside the HTML page: each once, of most only what differs from another, in a budget.

A step changes little of a page. What it changed lies over the picture that differs least; every
pixel that is not the same is in it.
"""

import io
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from PIL import Image as Picture
from PIL import ImageChops

from appliance.core.errors import StoreError
from appliance.core.result import ArtifactRef

ReadArtifact: TypeAlias = Callable[[ArtifactRef], bytes]
"""The bytes of an artifact; `StoreError` when they are gone or damaged."""

BUDGET_BYTES = 8_000_000
"""Of pictures in one page, some 550: about what a mail server takes."""
_QUALITY = 70
"""Of WebP, in percent: small print stays sharp."""
_EFFORT = 2
"""Of 6: a third of the time of the default, for 5% more bytes."""
_COARSE = 8
"""Pictures are compared at an eighth of their size."""
_COMPARED = 100
"""Pictures before it that one is compared with: more would take long and find little."""
_MAX_CHANGED_SHARE = 0.7
"""Share of changed area above which a picture is stored whole."""


_UNREADABLE = (OSError, ValueError, SyntaxError, Picture.DecompressionBombError)
"""What Pillow raises for bytes that are no picture, or a broken one."""
_Corners: TypeAlias = tuple[int, int, int, int]
"""Left, top, right and bottom, in pixels."""


class Area(NamedTuple):
    """A part of a picture, in its pixels."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Image:
    """A picture that is in the page."""

    id: str
    width: int
    height: int
    beneath: str
    """The id of the picture that is seen around `area`; empty: `area` is the whole picture."""
    area: Area
    data: str
    """What is in `area`: WebP, in base64."""


class _ComparedImage(NamedTuple):
    """A stored picture to compare later ones with, encoded: decoded ones would fill the memory."""

    image: Image
    source: bytes
    coarse: Picture.Image


@dataclass(slots=True)
class Album:
    """The pictures of a page, in the order in which they were asked for first."""

    read: ReadArtifact
    budget: int = BUDGET_BYTES
    """Bytes that may still be added."""
    images: dict[str, Image | None] = field(default_factory=dict)
    left_out: set[str] = field(default_factory=set)
    """Hashes of what the budget had no room for."""
    _compared: list[_ComparedImage] = field(default_factory=list)

    def image(self, ref: ArtifactRef | None) -> Image | None:
        """The picture; None where there is none, or it cannot be shown."""
        if ref is None:
            return None
        if ref.sha256 not in self.images and ref.sha256 not in self.left_out:
            self._add(ref)
        return self.images.get(ref.sha256)

    def all_images(self) -> tuple[Image, ...]:
        """All pictures of the page."""
        return tuple(entry.image for entry in self._compared)

    def _add(self, ref: ArtifactRef) -> None:
        if self.left_out:  # looking for what is small enough would take long
            self.left_out.add(ref.sha256)
            return
        try:
            source = self.read(ref)
            picture = _decode(source)
        except (StoreError, *_UNREADABLE):
            self.images[ref.sha256] = None
            return
        coarse = picture.convert("L").reduce(_COARSE)
        beneath, box = self._beneath(picture, coarse)
        if beneath and box is None:
            self.images[ref.sha256] = beneath
            return
        left, top, right, bottom = box or (0, 0, *picture.size)
        data = _webp(picture.crop((left, top, right, bottom)))
        if len(data) > self.budget:
            self.left_out.add(ref.sha256)
            return
        self.budget -= len(data)
        image = Image(
            id=f"image-{len(self._compared) + 1}",
            width=picture.width,
            height=picture.height,
            beneath=beneath.id if beneath else "",
            area=Area(left, top, right - left, bottom - top),
            data=b64encode(data).decode(),
        )
        self.images[ref.sha256] = image
        self._compared.append(_ComparedImage(image, source, coarse))

    def _beneath(
        self, picture: Picture.Image, coarse: Picture.Image
    ) -> tuple[Image | None, _Corners | None]:
        """What the picture can lie over, and where it differs from that; None: nothing, nowhere."""
        recent = self._compared[-_COMPARED:]
        alike = [entry for entry in recent if entry.coarse.size == coarse.size]
        if not alike:
            return None, None
        nearest = min(alike, key=lambda entry: _share(_difference(coarse, entry.coarse), coarse))
        box = _difference(picture, _decode(nearest.source))
        return (None, None) if _share(box, picture) > _MAX_CHANGED_SHARE else (nearest.image, box)


def _decode(source: bytes) -> Picture.Image:
    """Decode a picture; raises one of `_UNREADABLE` for data that only claims to be one."""
    opened = Picture.open(io.BytesIO(source), formats=("JPEG", "PNG", "WEBP"))
    opened.load()
    return opened if opened.mode == "RGB" else opened.convert("RGB")  # which copies


def _difference(picture: Picture.Image, reference: Picture.Image) -> _Corners | None:
    return ImageChops.difference(picture, reference).getbbox()


def _share(box: _Corners | None, picture: Picture.Image) -> float:
    """Return the share of the picture that the box covers."""
    if box is None:
        return 0.0
    left, top, right, bottom = box
    return (right - left) * (bottom - top) / (picture.width * picture.height)


def _webp(picture: Picture.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "WEBP", quality=_QUALITY, method=_EFFORT)
    return out.getvalue()
