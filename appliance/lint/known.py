"""What is known of a console in one release and language, to be looked up by words of a text."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from rapidfuzz import fuzz, process

from appliance.core.claims import ClaimKind, StatedClaim
from appliance.core.page import TextKind
from appliance.language.names import compare, key, plain
from appliance.store.labels import PLACE, ConsoleLabel

_TITLES = frozenset({TextKind.DIALOG_TITLE.value, TextKind.HEADING.value})
_USED = frozenset({ClaimKind.CONTROL, ClaimKind.MENU_PATH})
_NEAR = 60
"""Of 100, how alike words are that are worth naming."""
_LOOKED = 2
"""Attempts that have to have looked where something was, before it is gone: one may be unlucky."""
_USUAL, _BY_CHANCE = 0.5, 0.05
"""How often it was seen there, at least, and how likely it was then overlooked, at most."""
_EVERYWHERE = 0.2
"""Of all pages: what stands on so many says nothing of whether one is known."""
_FEW_PAGES = 5


@dataclass(frozen=True, slots=True)
class Gone:
    """A label that an older release had, at a place that this one was seen to have without it."""

    was: ConsoleLabel
    looked: int
    """How many attempts have seen the place since."""
    now: str
    """What stands there now and is most like it; empty: nothing is."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A label that stands elsewhere on its page than in an older release."""

    was: ConsoleLabel
    looked: int
    now: ConsoleLabel


@dataclass(frozen=True, slots=True)
class Unseen:
    """A label that nobody has seen so far."""

    nearest: str
    is_title: bool = False
    """It was seen as the title of a dialog only, and is said to be a control."""


Sighting = Gone | Moved | Unseen | None
"""What is to be said of a label; None: nothing, it is there."""
Votes = Mapping[str, float]
"""Pages that a procedure is likely about."""


class Known:
    """Labels of one console in one language."""

    def __init__(self, labels: Iterable[ConsoleLabel], release: str) -> None:
        """All labels of the console are taken; those of releases after this one say nothing."""
        self.release = release
        self._now: dict[str, list[ConsoleLabel]] = defaultdict(list)
        self._before: dict[str, list[ConsoleLabel]] = defaultdict(list)
        self._looks: dict[tuple[str, tuple[str, str, str]], int] = {}
        self._at: dict[tuple[str, str, str], list[ConsoleLabel]] = defaultdict(list)
        for label in _until(tuple(labels), release):
            if label.role == PLACE:
                self._looks[label.release, label.place] = label.seen
                continue
            is_now = label.release == release
            for name in _names(label.name):
                (self._now if is_now else self._before)[key(name)].append(label)
            if is_now:
                self._at[label.place].append(label)
        self.pages = len({(at[0], at[1]) for of, at in self._looks if of == release})
        self._names = {plain(one.name): one.name for rows in self._now.values() for one in rows}

    def all(self) -> Iterator[ConsoleLabel]:
        """What this release has, each at each of its places."""
        for labels in self._at.values():
            yield from labels

    def votes(self, named: Iterable[StatedClaim]) -> Votes:
        """The pages that a procedure is about: what stands on few of them says most."""
        votes: dict[str, float] = defaultdict(float)
        for claim in named:
            pages = {one.page for one in self._rows(claim)}
            for page in pages:
                votes[page] += 1 / len(pages)
        return votes

    def find(self, claim: StatedClaim, votes: Votes, around: Collection[str]) -> Sighting:
        """Look a label up.

        Args:
            claim: What the text says of it.
            votes: Pages that the procedure is about.
            around: Other labels of the same step.
        """
        is_used = claim.kind in _USED
        there = [
            one for one in self._now.get(key(claim.text), []) if not (is_used and is_title(one))
        ]
        before = [
            one for one in self._before.get(key(claim.text), []) if not (is_used and is_title(one))
        ]
        places = {one.place for one in there}
        gone = [one for one in before if one.place not in places and self._is_gone(one)]
        if there:
            page = _meant({one.page for one in before}, votes)
            gone = [one for one in gone if one.page == page]
            kept = [one for one in there if one.page == page]
            if kept and gone:
                return self._moved(gone, before, kept, around)
        if gone:
            return self._gone(claim, gone)
        if there:
            return None
        is_only_title = is_used and key(claim.text) in self._now
        return Unseen("" if is_only_title else _nearest(claim.text, self._names), is_only_title)

    def _gone(self, claim: StatedClaim, gone: Collection[ConsoleLabel]) -> Gone:
        was = max(gone, key=_seen)
        new = [one.name for one in self._at[was.place] if not self._was_there(one, was)]
        looked = self._looks[self.release, was.place]
        return Gone(was, looked, _nearest(claim.text, {plain(name): name for name in new}))

    def _moved(
        self,
        gone: Collection[ConsoleLabel],
        before: Collection[ConsoleLabel],
        kept: Collection[ConsoleLabel],
        around: Collection[str],
    ) -> Moved | None:
        was, now = max(gone, key=_seen), max(kept, key=_seen)
        is_said = now.parent and key(now.parent) in set(map(key, around))
        if is_said or now.dialog or {one.place for one in before} & {one.place for one in kept}:
            return None
        return Moved(was, self._looks[self.release, was.place], now)

    def _rows(self, claim: StatedClaim) -> Iterator[ConsoleLabel]:
        yield from self._now.get(key(claim.text), ())
        yield from self._before.get(key(claim.text), ())

    def is_telling(self, claim: StatedClaim, page: str) -> bool:
        """Whether it says that the page is known: not "Save", which is everywhere."""
        pages = {one.page for one in self._now.get(key(claim.text), [])}
        return page in pages and len(pages) <= max(_FEW_PAGES, self.pages * _EVERYWHERE)

    def _is_gone(self, label: ConsoleLabel) -> bool:
        looked = self._looks.get((self.release, label.place), 0)
        often = label.seen / max(self._looks.get((label.release, label.place), 0), label.seen)
        is_overlooked = (1 - often) ** looked > _BY_CHANCE
        return looked >= _LOOKED and often >= _USUAL and not is_overlooked

    def _was_there(self, label: ConsoleLabel, was: ConsoleLabel) -> bool:
        return any(
            one.place == was.place and one.release == was.release
            for one in self._before.get(key(label.name), [])
        )


def _until(labels: Collection[ConsoleLabel], release: str) -> Iterator[ConsoleLabel]:
    """Those of a release, and of all that were first seen before it was."""
    began: dict[str, datetime] = {}
    for one in labels:
        began[one.release] = min(began.get(one.release, one.first_seen), one.first_seen)
    for one in labels:
        if release not in began or began[one.release] <= began[release]:
            yield one


def _names(name: str) -> Iterator[str]:
    """What it may be called: with a value behind it (`Region: North`), also without."""
    yield name
    head, colon, _ = name.replace("：", ":").partition(":")
    if colon and head:
        yield head


def is_title(label: ConsoleLabel) -> bool:
    """Whether it is the title of a dialog, and nothing that could be clicked."""
    is_text = label.role in _TITLES and label.dialog
    return bool(is_text) and key(label.dialog) == key(label.name)


def _meant(pages: Collection[str], votes: Votes) -> str:
    """The page that is most likely meant; empty: it could be one or another."""
    ranked = sorted(pages, key=lambda page: votes.get(page, 0), reverse=True)
    if len(ranked) > 1 and votes.get(ranked[0], 0) <= votes.get(ranked[1], 0):
        return ""
    return ranked[0] if ranked else ""


def _seen(label: ConsoleLabel) -> int:
    return label.seen


def _nearest(text: str, names: dict[str, str]) -> str:
    """The name that is most like it; one that differs by a usual synonym before all others."""
    best = process.extract(plain(text), names.keys(), scorer=fuzz.token_sort_ratio, limit=5)
    near = [names[name] for name, score, _ in best if score >= _NEAR]
    return next((name for name in near if compare(text, name)), near[0] if near else "")
