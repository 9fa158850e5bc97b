"""Makes one observation of what all frames of the active tab show."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple
from weakref import WeakKeyDictionary

from appliance.browser._page_observer import FrameAnswer, Options
from appliance.browser._tab import Tab
from appliance.browser._tabs import Tabs
from appliance.browser.observation.finding import Pair
from appliance.browser.observation.identity import Handle, Identity
from appliance.browser.observation.reader import FrameSnapshot, Reader, read_all
from appliance.browser.observation.reading import Folds, Raw, read_folds
from appliance.browser.observation.unfolding import UnfoldRequests
from appliance.core.page import Box, Fold, Observation, TextBlock, TextKind


class _PageReading(NamedTuple):
    """The frames' answers at one look, and the observation made from them."""

    identity: Identity
    options: Options
    answers: Sequence[FrameAnswer]
    view: Observation
    """Without what was only of the moment: events, and notices that had vanished already."""


class TabObserver:
    """Observes the active tab."""

    def __init__(self, tabs: Tabs) -> None:
        self._tabs = tabs
        self._readers: WeakKeyDictionary[Identity, Reader] = WeakKeyDictionary()
        self._last: _PageReading | None = None
        self.unfolded = UnfoldRequests()

    async def observe(self) -> Observation:
        """The page once it is quiet, waiting only so long."""
        started_at = asyncio.get_running_loop().time()
        await self._tabs.ready()
        is_quiet = await self._tabs.active.settle()
        view = await self.look()
        took_s = asyncio.get_running_loop().time() - started_at
        return replace(view, is_busy=not is_quiet, took_s=took_s)

    async def look(self) -> Observation:
        """The page at this moment, quiet or not."""
        started_at = asyncio.get_running_loop().time()
        tab, identity = self._tabs.active, self._tabs.active_identity
        options = self._options(identity)
        answers = await tab.look(options)
        if self._last is None or not _is_unchanged(self._last, identity, options, answers):
            self._last = await self._read(tab, identity, options, answers)
        view = self._last.view
        return replace(
            view,
            texts=(*_vanished_notices(tab.take_notices(), view.texts), *view.texts),
            events=tuple(self._tabs.take_events()),
            took_s=asyncio.get_running_loop().time() - started_at,
        )

    async def _read(
        self, tab: Tab, identity: Identity, options: Options, answers: Sequence[FrameAnswer]
    ) -> _PageReading:
        """Make an observation of the frames' answers."""
        folds_by_handle, folds = _folds(answers, identity)
        if options != (new_options := self._options(identity)):
            options, answers = (
                new_options,
                await tab.look(new_options),
            )  # what was asked of is rendered anew
            folds_by_handle, folds = _folds(answers, identity)
        reader = self._reader(identity)
        elements, texts = reader.read(_snapshots(answers, _fold_numbers(folds_by_handle, folds)))
        main = answers[0].raw
        view = Observation(
            url=main["url"],
            title=main["title"],
            elements=tuple(elements),
            texts=tuple(texts),
            dialogs=tuple(title for s in answers for title in s.raw["dialogs"]),
            folds=tuple(folds),
            viewport=_viewport(main),
            page_height=main["pageHeight"],
            language=main["language"],
            fingerprint=reader.fingerprint(main["url"]),
        )
        return _PageReading(identity, options, answers, view)

    async def glimpse(self) -> tuple[list[Pair], dict[str, str]]:
        """Elements with their handles, unnumbered, and the addresses by frame.

        Numbers keep the meaning that the last observation gave them.
        """
        answers = await self._tabs.active.look(self._options(self._tabs.active_identity))
        pages = {answer.frame.id: answer.raw["url"] for answer in answers}
        return read_all(_snapshots(answers, {})), pages

    def _options(self, identity: Identity) -> Options:
        return self.unfolded.options(identity.handle)

    def _reader(self, identity: Identity) -> Reader:
        if identity not in self._readers:
            self._readers[identity] = Reader(identity)
        return self._readers[identity]


def _is_unchanged(
    last: _PageReading, identity: Identity, options: Options, answers: Sequence[FrameAnswer]
) -> bool:
    """Whether no frame's observer reports anything new, and every frame is where it was."""
    return (
        last.identity is identity
        and last.options == options
        and len(last.answers) == len(answers)
        and all(
            answer.raw is earlier.raw
            and answer.frame is earlier.frame
            and answer.place == earlier.place
            for answer, earlier in zip(answers, last.answers, strict=True)
        )
    )


def _snapshots(answers: Sequence[FrameAnswer], folds: dict[str, Folds]) -> list[FrameSnapshot]:
    return [FrameSnapshot(s.frame.id, s.place, s.raw, folds.get(s.frame.id, {})) for s in answers]


def _folds(
    answers: Sequence[FrameAnswer], identity: Identity
) -> tuple[list[tuple[Handle, Fold]], list[Fold]]:
    folds_by_handle = [
        pair for answer in answers for pair in read_folds(answer.raw, answer.frame.id, answer.place)
    ]
    return folds_by_handle, identity.number_folds(folds_by_handle)


def _fold_numbers(
    folds_by_handle: list[tuple[Handle, Fold]], folds: list[Fold]
) -> dict[str, Folds]:
    numbers: dict[str, Folds] = {}
    for (handle, _), fold in zip(folds_by_handle, folds, strict=True):
        numbers.setdefault(handle.frame, {})[handle.local] = fold.id
    return numbers


def _viewport(main: Raw) -> Box:
    x, y = main["scroll"]
    return Box(x, y, main["width"], main["height"])


def _vanished_notices(notices: list[dict[str, str]], texts: Sequence[TextBlock]) -> list[TextBlock]:
    """Notices that came since the last observation and are gone already."""
    if not notices:
        return []
    shown_texts = {t.text for t in texts}
    blocks: dict[str, TextBlock] = {}
    for notice in notices:
        if notice["text"] not in shown_texts:
            blocks[notice["text"]] = TextBlock(
                kind=TextKind.NOTICE, text=notice["text"], tone=notice["tone"]
            )
    return list(blocks.values())
