"""Opens the pages of an attempt again, and looks for what it entered and deleted."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

from appliance.browser import Page
from appliance.core.errors import BrowserError
from appliance.core.page import Observation
from appliance.language.names import plain
from appliance.verification.guard.things import names_listed
from appliance.verification.second_look.done import Done, is_new, may_open
from appliance.verification.second_look.shown import ENTRIES, How, Shown, is_same_page, shown_on
from appliance.verification.second_look.witness import SecondLook
from appliance.verification.trajectory import Trajectory

_LOOKS = 3
"""Backends may take a moment until a list has what was made."""
_PAUSE_S = 1.5
_LATE = 3
"""Times that a list is waited for which comes after its page."""
_PARENTS = 2
"""Pages above the last one that are tried where none has it."""


async def look_again(page: Page, trajectory: Trajectory, done: Done, unique: str) -> SecondLook:
    """What the pages show now, each opened anew: a few times, until it is all clear.

    Raises:
        BrowserError: The browser is gone.
    """
    looking = _Looking(page, trajectory, done, unique)
    for number in range(_LOOKS):
        if number:
            await asyncio.sleep(_PAUSE_S)
        await looking.once()
        if looking.is_clear:
            break
    return looking.seen()


@dataclass(slots=True)
class _Looking:
    page: Page
    trajectory: Trajectory
    done: Done
    unique: str
    _found: dict[str, Shown] = field(default_factory=dict)
    _there: dict[str, Shown] = field(default_factory=dict)
    """What was deleted and is listed still."""
    _gone: dict[str, How] = field(default_factory=dict)
    """What no longer shows where it was, and how surely it did."""
    _undrawn: set[str] = field(default_factory=set)
    """Whose lists did not come again."""

    async def once(self) -> None:
        """Open each page."""
        self._there.clear()
        self._gone.clear()
        self._undrawn.clear()
        last: Observation | None = None
        for url in self.done.pages:
            view = await self._opened(url)
            if view is None:
                continue
            last = last or view
            self._take_in(view)
        for url in _above(last) if last is not None and self._is_missing() else ():
            if (view := await self._opened(url)) is not None:
                self._take_in(view)

    @property
    def is_clear(self) -> bool:
        """Whether looking again could tell nothing more."""
        is_told = all(name in self._gone for name in self.done.removed)
        return is_told and not self._is_missing() and not self._there

    def seen(self) -> SecondLook:
        """What is known now."""
        sure = [s for s in self._found.values() if s.how is not How.VALUE]
        weak = [s for s in self._found.values() if s.how is How.VALUE]
        unfound = [
            e.value
            for e in self.done.entered
            if e.value not in self._found
            and self.unique
            and self.unique in e.value
            and not self._is_unsent(e.value)
        ]
        still = {name: shown for name, shown in self._there.items() if not self._is_left(shown)}
        return SecondLook(
            made=tuple(sure),
            kept=tuple(weak),
            gone=tuple(sorted(self._gone.keys() - still.keys())),
            still=tuple(still.values()),
            unfound=tuple(unfound),
            unseen=tuple(sorted(self._undrawn - self._gone.keys() - still.keys())),
            last_url=self.done.pages[0] if self.done.pages else "",
        )

    def _is_left(self, shown: Shown) -> bool:
        """Whether only its old page shows it: the list that had it has it no longer."""
        gone = self._gone.get(shown.name)
        return gone is not None and _ORDER[gone] < _ORDER[shown.how]

    def _is_unsent(self, value: str) -> bool:
        """Whether it stood in a form to the end: that was not sent, or was refused."""
        last = self.trajectory.turns[-1].view
        return any(e.role in ENTRIES and e.value == value for e in last.elements)

    def _is_missing(self) -> bool:
        wanted = [e for e in self.done.entered if self.unique and self.unique in e.value]
        wanted = wanted or list(self.done.entered)
        return bool(wanted) and not any(
            e.value in self._found and self._found[e.value].how is not How.VALUE for e in wanted
        )

    async def _opened(self, url: str) -> Observation | None:
        """None where the page does not open, or another comes."""
        try:
            await self.page.goto(url)
            view = await self.page.observe()
            for _ in range(_LATE):
                if not self._is_awaited(view):
                    break
                await asyncio.sleep(_PAUSE_S)
                view = await self.page.observe()
        except BrowserError:
            return None
        return view if is_same_page(view.url, url) else None

    def _take_in(self, view: Observation) -> None:
        for entered in self.done.entered:
            shown = shown_on(view, entered.value)
            known = self._found.get(entered.value)
            is_surer = shown is not None and (
                known is None or _ORDER[shown.how] < _ORDER[known.how]
            )
            if (
                shown is not None
                and is_surer
                and is_new(self.trajectory, self.done, entered, self.unique, view)
            ):
                self._found[entered.value] = shown
        for name in self.done.removed:
            self._look_for_removed(view, name)

    def _is_awaited(self, view: Observation) -> bool:
        """Whether a list that had what was deleted has not come again yet."""
        return any(
            shown_on(view, name) is None and not self._is_drawn(view, had)
            for name in self.done.removed
            if (had := self._that_had(name, view))
        )

    def _that_had(self, name: str, now: Observation) -> list[tuple[Observation, Shown]]:
        """How the same page showed it during the attempt."""
        before = [t.view for t in self.trajectory.turns if is_same_page(t.view.url, now.url)]
        return [(one, shown) for one in before if (shown := shown_on(one, name))]

    def _was_last_on(self, name: str, now: Observation) -> bool:
        """Whether this is the page that showed it last during the attempt."""
        turns = reversed(self.trajectory.turns)
        last = next((t.view.url for t in turns if shown_on(t.view, name)), "")
        return is_same_page(last, now.url)

    def _is_drawn(self, view: Observation, had: Sequence[tuple[Observation, Shown]]) -> bool:
        """Whether a page shows its list again: what stood beside the thing, where anything did."""
        beside = {name for one, _ in had for name in names_listed(one)}
        beside -= {plain(name) for name in self.done.removed}
        is_back = not beside or bool(beside & names_listed(view)) or _says_empty(view, had)
        return not view.is_busy and is_back

    def _look_for_removed(self, view: Observation, name: str) -> None:
        """Only of a page that had it before can be said that it is gone."""
        had = self._that_had(name, view)
        now = shown_on(view, name)
        if now is not None and any(was.row == now.row for _, was in had):
            if self._was_last_on(name, view):  # it may be taken out of one list, and not of others
                self._there[name] = now
        elif now is None:
            was = [shown.how for one, shown in had if one.title == view.title]
            known = [self._gone[name]] if name in self._gone else []
            if was and not self._is_drawn(view, had):
                self._undrawn.add(name)
            elif was:
                self._gone[name] = min((*was, *known), key=_ORDER.__getitem__)


_EMPTY = re.compile(
    r"^(?:there (?:are|is) (?:currently )?)?(?:no|zero) \w|^nothing (?:here|found|to show|yet)\b"
    r"|^暂无|^没有|^无(?:数据|记录|结果)",
    re.IGNORECASE,
)
_SHORT = 80
"""Characters: what a list says in the place of its rows is no longer."""


def _says_empty(view: Observation, had: Sequence[tuple[Observation, Shown]]) -> bool:
    """Whether the page says now, as it did not before, that it has none."""
    before = {text.text for one, _ in had for text in one.texts}
    return any(
        _EMPTY.search(t.text.strip()) and len(t.text) < _SHORT and t.text not in before
        for t in view.texts
        if t.row is None
    )


_ORDER = {how: number for number, how in enumerate(How)}


def _above(view: Observation) -> Iterator[str]:
    """Addresses of pages above this one that it links to: where its list is likeliest."""
    own = urlsplit(view.url)
    links = {urljoin(view.url, e.href) for e in view.elements if e.role == "link" and e.href}
    found = set()
    for link in links:
        parts = urlsplit(link)
        is_here = parts.netloc == own.netloc and not parts.fragment
        path = parts.path.rstrip("/")
        if is_here and path.count("/") > 0 and own.path.startswith(f"{path}/") and may_open(link):
            found.add(link)
    nearest = sorted(found, key=len, reverse=True)
    yield from [one for one in nearest if not is_same_page(one, view.url)][:_PARENTS]
