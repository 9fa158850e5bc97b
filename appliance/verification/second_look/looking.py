"""Reopens the pages of an attempt and looks for what it entered and deleted."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

from appliance.browser import Page
from appliance.core.errors import BrowserError
from appliance.core.page import Observation
from appliance.language.names import plain
from appliance.verification.guard.things import listed_names
from appliance.verification.second_look.done import Done, is_new, may_open
from appliance.verification.second_look.shown import ENTRIES, How, Shown, is_same_page, shown_on
from appliance.verification.second_look.witness import SecondLook
from appliance.verification.trajectory import Trajectory

_LOOKS = 3
"""Rounds of looking: backends may take a moment until a list has a new thing."""
_PAUSE_S = 1.5
_LATE_LIST_TRIES = 3
"""How often to wait for a list that loads after its page."""
_PARENTS = 2
"""Parent pages of the last one that are tried when no page shows it."""


async def look_again(page: Page, trajectory: Trajectory, done: Done, unique: str) -> SecondLook:
    """Reopen each page, up to a few rounds until nothing is unclear, and report what they show.

    Raises:
        BrowserError: The browser is gone.
    """
    second_look = _SecondLookRun(page, trajectory, done, unique)
    for attempt in range(_LOOKS):
        if attempt:
            await asyncio.sleep(_PAUSE_S)
        await second_look.open_pages()
        if second_look.is_clear:
            break
    return second_look.result()


@dataclass(slots=True)
class _SecondLookRun:
    page: Page
    trajectory: Trajectory
    done: Done
    unique: str
    _sightings: dict[str, Shown] = field(default_factory=dict)
    _still_listed: dict[str, Shown] = field(default_factory=dict)
    """Deleted things that are still listed."""
    _disappeared: dict[str, How] = field(default_factory=dict)
    """Deleted things that no longer show where they were, with how surely they did before."""
    _lists_not_loaded: set[str] = field(default_factory=set)
    """Deleted things whose lists did not load again."""

    async def open_pages(self) -> None:
        """Open each page once and note what it shows."""
        self._still_listed.clear()
        self._disappeared.clear()
        self._lists_not_loaded.clear()
        first_view: Observation | None = None
        for url in self.done.pages:
            view = await self._open(url)
            if view is None:
                continue
            first_view = first_view or view
            self._look_for_entered(view)
        for url in (
            _parent_pages(first_view)
            if first_view is not None and self._lacks_created_names()
            else ()
        ):
            if (view := await self._open(url)) is not None:
                self._look_for_entered(view)

    @property
    def is_clear(self) -> bool:
        """Whether another round would tell nothing more."""
        all_removed_gone = all(name in self._disappeared for name in self.done.removed)
        return all_removed_gone and not self._lacks_created_names() and not self._still_listed

    def result(self) -> SecondLook:
        """What is known so far."""
        certain = [s for s in self._sightings.values() if s.how is not How.VALUE]
        values_only = [s for s in self._sightings.values() if s.how is How.VALUE]
        unfound_names = [
            e.value
            for e in self.done.entered
            if e.value not in self._sightings
            and self.unique
            and self.unique in e.value
            and not self._is_unsent(e.value)
        ]
        still = {
            name: shown
            for name, shown in self._still_listed.items()
            if not self._is_stale_page(shown)
        }
        return SecondLook(
            made=tuple(certain),
            kept=tuple(values_only),
            gone=tuple(sorted(self._disappeared.keys() - still.keys())),
            still=tuple(still.values()),
            unfound=tuple(unfound_names),
            unseen=tuple(sorted(self._lists_not_loaded - self._disappeared.keys() - still.keys())),
            last_url=self.done.pages[0] if self.done.pages else "",
        )

    def _is_stale_page(self, shown: Shown) -> bool:
        """Whether only its own stale page shows it, while the list that had it no longer does."""
        lost = self._disappeared.get(shown.name)
        return lost is not None and _ORDER[lost] < _ORDER[shown.how]

    def _is_unsent(self, value: str) -> bool:
        """Whether it stayed in a form to the end, which was not submitted or was refused."""
        last_view = self.trajectory.turns[-1].view
        return any(e.role in ENTRIES and e.value == value for e in last_view.elements)

    def _lacks_created_names(self) -> bool:
        entries = [e for e in self.done.entered if self.unique and self.unique in e.value]
        entries = entries or list(self.done.entered)
        return bool(entries) and not any(
            e.value in self._sightings and self._sightings[e.value].how is not How.VALUE
            for e in entries
        )

    async def _open(self, url: str) -> Observation | None:
        """Open a page; None if it does not open or another page comes."""
        try:
            await self.page.goto(url)
            view = await self.page.observe()
            for _ in range(_LATE_LIST_TRIES):
                if not self._awaits_list(view):
                    break
                await asyncio.sleep(_PAUSE_S)
                view = await self.page.observe()
        except BrowserError:
            return None
        return view if is_same_page(view.url, url) else None

    def _look_for_entered(self, view: Observation) -> None:
        for entered in self.done.entered:
            sighting = shown_on(view, entered.value)
            best = self._sightings.get(entered.value)
            is_surer = sighting is not None and (
                best is None or _ORDER[sighting.how] < _ORDER[best.how]
            )
            if (
                sighting is not None
                and is_surer
                and is_new(self.trajectory, self.done, entered, self.unique, view)
            ):
                self._sightings[entered.value] = sighting
        for name in self.done.removed:
            self._look_for_removed(view, name)

    def _awaits_list(self, view: Observation) -> bool:
        """Whether a list that had a deleted thing has not loaded again yet."""
        return any(
            shown_on(view, name) is None and not self._has_loaded_list(view, sightings)
            for name in self.done.removed
            if (sightings := self._earlier_sightings(name, view))
        )

    def _earlier_sightings(
        self, name: str, current: Observation
    ) -> list[tuple[Observation, Shown]]:
        """How the same page showed it during the attempt, each with its observation."""
        views = [t.view for t in self.trajectory.turns if is_same_page(t.view.url, current.url)]
        return [(view, sighting) for view in views if (sighting := shown_on(view, name))]

    def _was_last_on(self, name: str, current: Observation) -> bool:
        """Whether this page was the last to show it during the attempt."""
        turns = reversed(self.trajectory.turns)
        last_url = next((t.view.url for t in turns if shown_on(t.view, name)), "")
        return is_same_page(last_url, current.url)

    def _has_loaded_list(
        self, view: Observation, sightings: Sequence[tuple[Observation, Shown]]
    ) -> bool:
        """Whether a page shows its list again, judging by the thing's former neighbours if any."""
        neighbours = {name for old_view, _ in sightings for name in listed_names(old_view)}
        neighbours -= {plain(name) for name in self.done.removed}
        is_back = (
            not neighbours or bool(neighbours & listed_names(view)) or _says_empty(view, sightings)
        )
        return not view.is_busy and is_back

    def _look_for_removed(self, view: Observation, name: str) -> None:
        """Note a deleted thing as gone or still listed; only a page that had it can tell."""
        sightings = self._earlier_sightings(name, view)
        current = shown_on(view, name)
        if current is not None and any(old.row == current.row for _, old in sightings):
            if self._was_last_on(name, view):  # it may be taken out of one list, and not of others
                self._still_listed[name] = current
        elif current is None:
            old = [
                old_sighting.how
                for old_view, old_sighting in sightings
                if old_view.title == view.title
            ]
            previous = [self._disappeared[name]] if name in self._disappeared else []
            if old and not self._has_loaded_list(view, sightings):
                self._lists_not_loaded.add(name)
            elif old:
                self._disappeared[name] = min((*old, *previous), key=_ORDER.__getitem__)


_EMPTY = re.compile(
    r"^(?:there (?:are|is) (?:currently )?)?(?:no|zero) \w|^nothing (?:here|found|to show|yet)\b"
    r"|^暂无|^没有|^无(?:数据|记录|结果)",
    re.IGNORECASE,
)
_MAX_EMPTY_NOTE = 80
"""Characters; a note that stands in place of a list's rows is no longer than this."""


def _says_empty(view: Observation, sightings: Sequence[tuple[Observation, Shown]]) -> bool:
    """Whether the page now says, as it did not before, that its list is empty."""
    old_texts = {text.text for old_view, _ in sightings for text in old_view.texts}
    return any(
        _EMPTY.search(t.text.strip()) and len(t.text) < _MAX_EMPTY_NOTE and t.text not in old_texts
        for t in view.texts
        if t.row is None
    )


_ORDER = {how: number for number, how in enumerate(How)}


def _parent_pages(view: Observation) -> Iterator[str]:
    """Addresses of parent pages that this page links to, where its list is most likely."""
    own_url = urlsplit(view.url)
    links = {urljoin(view.url, e.href) for e in view.elements if e.role == "link" and e.href}
    parents = set()
    for link in links:
        link_url = urlsplit(link)
        is_here = link_url.netloc == own_url.netloc and not link_url.fragment
        path = link_url.path.rstrip("/")
        if (
            is_here
            and path.count("/") > 0
            and own_url.path.startswith(f"{path}/")
            and may_open(link)
        ):
            parents.add(link)
    nearest = sorted(parents, key=len, reverse=True)
    yield from [url for url in nearest if not is_same_page(url, view.url)][:_PARENTS]
