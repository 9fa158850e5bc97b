"""Reads successive observations of a tab, reusing whatever has not changed."""

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
    """One element, and the raw data from which it was read."""

    raw: Raw
    handle: Handle
    element: Element
    line: bytes
    """Its part of the fingerprint."""


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
    """Remembers the last observation of a tab, as reading an element takes 5 microseconds."""

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

    def _read(self, answer: FrameSnapshot, previous: _Frame | None) -> None:
        frame, place, raw, folds = answer
        document = raw["document"]
        where = (place.index, place.x, place.y, place.dialog, place.clip)
        if previous is not None and (previous.document, previous.where) != (document, where):
            previous = None
        previous_controls = previous.controls if previous else {}
        controls = [
            control
            if (control := previous_controls.get(item["id"])) is not None
            and (control.raw is item or control.raw == item)
            and _has_same_context(control.element, item, place, folds)
            else _control(item, Handle(frame, document, item["id"]), place, folds)
            for item in raw["elements"]
        ]
        previous_texts = previous.texts if previous else ()
        texts = [
            previous_texts[index]
            if index < len(previous_texts)
            and (previous_texts[index].raw is item or previous_texts[index].raw == item)
            and _has_same_context(previous_texts[index].text, item, place, folds)
            else _Text(item, read_text(item, place, folds))
            for index, item in enumerate(raw["texts"])
        ]
        by_id = {control.handle.local: control for control in controls}
        self._frames[frame] = _Frame(document, where, by_id, texts)
        self._controls += controls
        self._texts += texts

    def fingerprint(self, url: str) -> str:
        """Hash of what can be acted on at the last observation."""
        return fingerprint(url, (control.line for control in self._controls))


def _has_same_context(
    previous: Element | TextBlock, item: Raw, place: FramePlacement, folds: Folds
) -> bool:
    """Whether the row and the fold that its data refers to by number are the same as before."""
    return place.row(item) == previous.row and folds.get(item.get("fold", 0)) == previous.fold


def _control(item: Raw, handle: Handle, place: FramePlacement, folds: Folds) -> _Control:
    element = read_element(item, place, folds)
    return _Control(item, handle, element, fingerprint_line(element))


def read_all(answers: Iterable[FrameSnapshot]) -> list[tuple[Handle, Element]]:
    """The elements of an observation without numbers, with their handles."""
    return [
        (Handle(a.frame, a.raw["document"], item["id"]), read_element(item, a.place, a.folds))
        for a in answers
        for item in a.raw["elements"]
    ]
