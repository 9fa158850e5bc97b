"""Reads one observation after the other of a tab: what is as it was is taken from the last one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from appliance.browser.observation.identity import Handle, Identity
from appliance.browser.observation.reading import (
    Folds,
    FramePlacement,
    Raw,
    fingerprint,
    fingerprint_line,
    read_element,
    read_text,
)
from appliance.core.page import Element, TextBlock


class FrameSnapshot(NamedTuple):
    """What one frame's observer answered, where the frame lies, and the numbers of its folds."""

    frame: str
    place: FramePlacement
    raw: Raw
    folds: Folds


@dataclass(slots=True)
class _Control:
    """One element, and from what it was read."""

    raw: Raw
    handle: Handle
    element: Element
    line: bytes
    """What of it counts for the fingerprint."""


class _Text(NamedTuple):
    raw: Raw
    text: TextBlock


@dataclass(frozen=True, slots=True)
class _Frame:
    """A frame at the last observation."""

    document: str
    where: tuple[object, ...]
    controls: Mapping[int, _Control]
    texts: Sequence[_Text]


class Reader:
    """Remembers the last observation of a tab; reading an element anew costs 5 microseconds."""

    def __init__(self, identity: Identity) -> None:
        self._identity = identity
        self._frames: dict[str, _Frame] = {}
        self._controls: list[_Control] = []
        self._texts: list[_Text] = []

    def read(self, answers: Sequence[FrameSnapshot]) -> tuple[list[Element], list[TextBlock]]:
        """The elements, numbered, and the texts of all frames."""
        frames = self._frames
        self._frames, self._controls, self._texts = {}, [], []
        for answer in answers:
            self._read(answer, frames.get(answer.frame))
        pages = {answer.frame: answer.raw["url"] for answer in answers}
        pairs = [(control.handle, control.element) for control in self._controls]
        elements = self._identity.number(pairs, pages)
        for control, element in zip(self._controls, elements, strict=True):
            control.element = element
        return elements, [text.text for text in self._texts]

    def _read(self, answer: FrameSnapshot, before: _Frame | None) -> None:
        frame, place, raw, folds = answer
        document = raw["document"]
        where = (place.index, place.x, place.y, place.dialog, place.clip)
        if before is not None and (before.document, before.where) != (document, where):
            before = None
        known = before.controls if before else {}
        controls = [
            control
            if (control := known.get(item["id"])) is not None
            and (control.raw is item or control.raw == item)
            and _is_told_alike(control.element, item, place, folds)
            else _control(item, Handle(frame, document, item["id"]), place, folds)
            for item in raw["elements"]
        ]
        known_texts = before.texts if before else ()
        texts = [
            known_texts[at]
            if at < len(known_texts)
            and (known_texts[at].raw is item or known_texts[at].raw == item)
            and _is_told_alike(known_texts[at].text, item, place, folds)
            else _Text(item, read_text(item, place, folds))
            for at, item in enumerate(raw["texts"])
        ]
        by_id = {control.handle.local: control for control in controls}
        self._frames[frame] = _Frame(document, where, by_id, texts)
        self._controls += controls
        self._texts += texts

    def fingerprint(self, url: str) -> str:
        """Hash of what can be acted on at the last observation."""
        return fingerprint(url, (one.line for one in self._controls))


def _is_told_alike(
    known: Element | TextBlock, item: Raw, place: FramePlacement, folds: Folds
) -> bool:
    """Whether what it says by number means what it did: the row it is in, and the long table."""
    return place.row(item) == known.row and folds.get(item.get("fold", 0)) == known.fold


def _control(item: Raw, handle: Handle, place: FramePlacement, folds: Folds) -> _Control:
    element = read_element(item, place, folds)
    return _Control(item, handle, element, fingerprint_line(element))


def read_all(answers: Iterable[FrameSnapshot]) -> list[tuple[Handle, Element]]:
    """The elements of a look that is not numbered, with their handles."""
    return [
        (Handle(a.frame, a.raw["document"], item["id"]), read_element(item, a.place, a.folds))
        for a in answers
        for item in a.raw["elements"]
    ]
