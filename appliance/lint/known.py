"""The labels known of a console in one release and language, looked up by the words of a text."""

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
_OPERABLE = frozenset({ClaimKind.CONTROL, ClaimKind.MENU_PATH})
_MIN_SIMILARITY = 60
"""Out of 100: less similar names are not suggested."""
_MIN_ATTEMPTS = 2
"""Attempts that must have seen a place without the label before it counts as removed."""
_MIN_SEEN_SHARE, _CHANCE_OVERLOOKED = 0.5, 0.05
"""Least share of attempts that saw it before, and greatest chance that all overlooked it since."""
_COMMON_SHARE = 0.2
"""Share of all pages: a label on more of them does not identify a page."""
_FEW_PAGES = 5


@dataclass(frozen=True, slots=True)
class RemovedLabel:
    """A label that an older release had at a place where this release was seen without it."""

    former: ConsoleLabel
    attempts: int
    """How many attempts have seen the place in this release."""
    replacement: str
    """The most similar new label at that place; empty if there is none."""


@dataclass(frozen=True, slots=True)
class MovedLabel:
    """A label that stands elsewhere on its page than it did in an older release."""

    former: ConsoleLabel
    attempts: int
    current: ConsoleLabel


@dataclass(frozen=True, slots=True)
class UnseenLabel:
    """A label that no attempt has seen so far."""

    nearest: str
    is_title: bool = False
    """The text calls it a control, but it was seen only as the title of a dialog."""


Discrepancy = RemovedLabel | MovedLabel | UnseenLabel | None
"""How the console differs from what the text says of a label; None if it does not."""
Votes = Mapping[str, float]
"""How likely a procedure is about each page: a weight by page."""


class KnownLabels:
    """Labels of one console in one language."""

    def __init__(self, labels: Iterable[ConsoleLabel], release: str) -> None:
        """Index the labels of the release; those of later releases are ignored."""
        self.release = release
        self._current: dict[str, list[ConsoleLabel]] = defaultdict(list)
        self._earlier: dict[str, list[ConsoleLabel]] = defaultdict(list)
        self._attempts_at: dict[tuple[str, tuple[str, str, str]], int] = {}
        self._by_place: dict[tuple[str, str, str], list[ConsoleLabel]] = defaultdict(list)
        for label in _up_to_release(tuple(labels), release):
            if label.role == PLACE:
                self._attempts_at[label.release, label.place] = label.seen
                continue
            is_now = label.release == release
            for name in _name_variants(label.name):
                (self._current if is_now else self._earlier)[key(name)].append(label)
            if is_now:
                self._by_place[label.place].append(label)
        self.pages = len(
            {
                (place[0], place[1])
                for seen_release, place in self._attempts_at
                if seen_release == release
            }
        )
        self._names = {
            plain(label.name): label.name for rows in self._current.values() for label in rows
        }

    def all(self) -> Iterator[ConsoleLabel]:
        """Every label of this release, once for each place."""
        for labels in self._by_place.values():
            yield from labels

    def votes(self, named: Iterable[StatedClaim]) -> Votes:
        """Weights of the pages that a procedure is likely about: labels on few pages weigh most."""
        votes: dict[str, float] = defaultdict(float)
        for claim in named:
            pages = {label.page for label in self._rows(claim)}
            for page in pages:
                votes[page] += 1 / len(pages)
        return votes

    def find(self, claim: StatedClaim, votes: Votes, around: Collection[str]) -> Discrepancy:
        """Look a label up.

        Args:
            claim: What the text says of it.
            votes: Pages that the procedure is about.
            around: Other labels of the same step.
        """
        is_used = claim.kind in _OPERABLE
        present = [
            label
            for label in self._current.get(key(claim.text), [])
            if not (is_used and is_title(label))
        ]
        earlier = [
            label
            for label in self._earlier.get(key(claim.text), [])
            if not (is_used and is_title(label))
        ]
        places = {label.place for label in present}
        removed = [
            label for label in earlier if label.place not in places and self._is_removed(label)
        ]
        if present:
            page = _likeliest_page({label.page for label in earlier}, votes)
            removed = [label for label in removed if label.page == page]
            remaining = [label for label in present if label.page == page]
            if remaining and removed:
                return self._relocated(removed, earlier, remaining, around)
        if removed:
            return self._removed(claim, removed)
        if present:
            return None
        is_only_title = is_used and key(claim.text) in self._current
        return UnseenLabel(
            "" if is_only_title else _nearest(claim.text, self._names), is_only_title
        )

    def _removed(self, claim: StatedClaim, gone: Collection[ConsoleLabel]) -> RemovedLabel:
        former = max(gone, key=_times_seen)
        present_names = [
            label.name
            for label in self._by_place[former.place]
            if not self._was_there(label, former)
        ]
        attempts = self._attempts_at[self.release, former.place]
        return RemovedLabel(
            former, attempts, _nearest(claim.text, {plain(name): name for name in present_names})
        )

    def _relocated(
        self,
        removed: Collection[ConsoleLabel],
        earlier: Collection[ConsoleLabel],
        remaining: Collection[ConsoleLabel],
        around: Collection[str],
    ) -> MovedLabel | None:
        former, current = max(removed, key=_times_seen), max(remaining, key=_times_seen)
        is_parent_named = current.parent and key(current.parent) in set(map(key, around))
        if (
            is_parent_named
            or current.dialog
            or {label.place for label in earlier} & {label.place for label in remaining}
        ):
            return None
        return MovedLabel(former, self._attempts_at[self.release, former.place], current)

    def _rows(self, claim: StatedClaim) -> Iterator[ConsoleLabel]:
        yield from self._current.get(key(claim.text), ())
        yield from self._earlier.get(key(claim.text), ())

    def identifies_page(self, claim: StatedClaim, page: str) -> bool:
        """Whether the label suggests the page; one like "Save", which is everywhere, does not."""
        pages = {label.page for label in self._current.get(key(claim.text), [])}
        return page in pages and len(pages) <= max(_FEW_PAGES, self.pages * _COMMON_SHARE)

    def _is_removed(self, label: ConsoleLabel) -> bool:
        attempts = self._attempts_at.get((self.release, label.place), 0)
        seen_share = label.seen / max(
            self._attempts_at.get((label.release, label.place), 0), label.seen
        )
        is_overlooked = (1 - seen_share) ** attempts > _CHANCE_OVERLOOKED
        return attempts >= _MIN_ATTEMPTS and seen_share >= _MIN_SEEN_SHARE and not is_overlooked

    def _was_there(self, label: ConsoleLabel, former: ConsoleLabel) -> bool:
        return any(
            earlier.place == former.place and earlier.release == former.release
            for earlier in self._earlier.get(key(label.name), [])
        )


def _up_to_release(labels: Collection[ConsoleLabel], release: str) -> Iterator[ConsoleLabel]:
    """The labels of the release, and of all releases first seen before it."""
    first_seen_at: dict[str, datetime] = {}
    for label in labels:
        first_seen_at[label.release] = min(
            first_seen_at.get(label.release, label.first_seen), label.first_seen
        )
    for label in labels:
        if release not in first_seen_at or first_seen_at[label.release] <= first_seen_at[release]:
            yield label


def _name_variants(name: str) -> Iterator[str]:
    """The name, and also without a value after a colon (`Region: North`)."""
    yield name
    head, colon, _ = name.replace("：", ":").partition(":")
    if colon and head:
        yield head


def is_title(label: ConsoleLabel) -> bool:
    """Whether the label is only the title of a dialog, not something to click."""
    is_text = label.role in _TITLES and label.dialog
    return bool(is_text) and key(label.dialog) == key(label.name)


def _likeliest_page(pages: Collection[str], votes: Votes) -> str:
    """The page with the most votes; empty if two lead."""
    ranked = sorted(pages, key=lambda page: votes.get(page, 0), reverse=True)
    if len(ranked) > 1 and votes.get(ranked[0], 0) <= votes.get(ranked[1], 0):
        return ""
    return ranked[0] if ranked else ""


def _times_seen(label: ConsoleLabel) -> int:
    return label.seen


def _nearest(text: str, names: dict[str, str]) -> str:
    """The most similar name; one that differs only by a common synonym comes first."""
    matches = process.extract(plain(text), names.keys(), scorer=fuzz.token_sort_ratio, limit=5)
    similar = [names[name] for name, score, _ in matches if score >= _MIN_SIMILARITY]
    return next((name for name in similar if compare(text, name)), similar[0] if similar else "")
