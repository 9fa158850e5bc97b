"""Which things an action is done to, and whose they are: known from the lists that were seen."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from appliance.core.page import Element, Observation, TextKind
from appliance.policy.literal.names import plain
from appliance.verification.guard.words import COUNT, GONE, MADE, harms_of

_PAGES = re.compile(
    r"^(?:next|next page|older|load more|show more|下一页|更多|加载更多|[›»>])$", re.I
)
_WORD = re.compile(r"[^\s,;:/()（），、；：]+")
_SHORT = 3
"""A name within other words counts from this length on."""
_NAME_LIKE = re.compile(r"[\d@_./-]")
_PART_ROLES = frozenset(("checkbox", "radio", "switch"))


@dataclass(frozen=True, slots=True)
class Thing:
    """Something on a page, by the words that may be its name; the likeliest first."""

    names: tuple[str, ...]

    def is_one_of(self, known: Collection[str]) -> bool:
        """Whether one of its names is a known one, whole or as a word of its own."""
        return any(_bears(name, one) for name in self.names for one in known if one)

    def __str__(self) -> str:
        return self.names[0] if self.names else "something without a name"


def _bears(name: str, known: str) -> bool:
    if name == known:
        return True
    if len(known) < _SHORT or known not in name:
        return False
    if any(c >= "\u4e00" for c in known):
        return len(known) * 2 > len(name)
    return known in _WORD.findall(name) and any(not c.isalpha() for c in known)


@dataclass(slots=True)
class Things:
    """What one attempt has seen and made."""

    unique: str
    """The marker in names that this attempt makes up."""
    _turn: int = 0
    _first: dict[str, tuple[int, str]] = field(default_factory=dict)
    """When and on which page a name was first seen in a list."""
    _lists: dict[str, int] = field(default_factory=dict)
    """Pages with whole lists, and when they were first seen."""
    _typed: dict[str, int] = field(default_factory=dict)
    _told: list[tuple[int, str]] = field(default_factory=list)
    """Messages that something was made."""

    def see(self, view: Observation) -> None:
        """Take in a page."""
        self._turn += 1
        page = _page_of(view)
        rows = _rows(view)
        for row in rows:
            for name in cells(row):
                self._first.setdefault(name, (self._turn, page))
        is_whole = all(f.total <= f.listed for f in view.folds) and not any(
            _PAGES.match(e.name.strip()) and "disabled" not in e.states
            for e in view.elements
            if e.role in ("button", "link")
        )
        if is_whole and (rows or not view.dialogs):
            self._lists.setdefault(page, self._turn)
        for note in view.notices():
            if MADE.search(note.text):
                self._told.append((self._turn, plain(note.text)))

    def typed(self, text: str) -> None:
        """Something was filled in."""
        if value := plain(text):
            self._typed.setdefault(value, self._turn)

    def made(self) -> frozenset[str]:
        """Names that this attempt gave to something new."""
        return frozenset(v for v in self._typed if self._is_new(v))

    def _is_new(self, value: str) -> bool:
        if self.unique and self.unique in value:
            return True
        at = self._typed[value]
        seen = self._first.get(value)
        if seen is not None and seen[0] <= at:
            return False
        was_listed = seen is not None and self._lists.get(seen[1], self._turn + 1) <= at
        return was_listed or any(turn > at and value in text for turn, text in self._told)

    def has_seen(self, name: str) -> bool:
        """Whether a list showed it."""
        return name in self._first

    def others_named(self, texts: Iterable[str], known: Collection[str]) -> str:
        """A thing that was seen in a list, is named in these texts, and is none of the known."""
        joined = f" {plain(' '.join(texts))} "
        for name in self._first:
            is_name = len(name) > _SHORT and _NAME_LIKE.search(name)
            if is_name and name not in known and not any(name in k or k in name for k in known):
                words = re.escape(name)
                if re.search(rf"(?<![\w.-]){words}(?![\w-])", joined):
                    return name
        return ""


def _page_of(view: Observation) -> str:
    parts = urlsplit(view.url)
    return f"{parts.netloc}{parts.path}#{parts.fragment.split('?')[0]}"


def _rows(view: Observation) -> set[str]:
    rows = {e.row for e in view.elements if e.row and e.dialog is None}
    return rows | {t.row for t in view.texts if t.row and t.dialog is None}


def cells(row: str) -> tuple[str, ...]:
    """The texts of a row, in order."""
    return tuple(dict.fromkeys(c for part in row.split(" | ") if (c := plain(part))))


def thing_of_row(view: Observation, row: str) -> Thing:
    """What a row is about: its links and its first two cells, but what other rows have as well."""
    controls = {
        plain(n)
        for e in view.elements
        if e.row == row and e.role in ("button", "menuitem") and not e.href
        for n in (e.name, e.text)
    }
    links = [
        plain(e.name)
        for e in view.elements
        if e.row == row and e.role == "link" and "haspopup" not in e.states
    ]
    texts = [c for c in cells(row) if c not in controls and any(x.isalnum() for x in c)]
    others = [cells(r) for r in _rows(view) if r != row]
    names = [n for n in (*texts[:2], *links) if not any(n in o for o in others)]
    return Thing(tuple(dict.fromkeys(names)))


def ticked(view: Observation, frame: int) -> tuple[Thing, ...]:
    """The rows that are selected."""
    rows = {
        e.row
        for e in view.elements
        if e.row and e.frame == frame and e.dialog is None
        and (("checked" in e.states and e.role in _PART_ROLES - {"switch"}) or _is_selected_row(e))
    }  # fmt: skip
    return tuple(thing_of_row(view, row) for row in sorted(rows))


def _is_selected_row(e: Element) -> bool:
    return "selected" in e.states and e.role in (
        "row",
        "listitem",
        "option",
        "gridcell",
        "treeitem",
    )


def thing_of_page(view: Observation) -> Thing:
    """What a page is about, by its headings, its title and its address."""
    heads = [
        t.text
        for t in view.texts
        if t.kind is TextKind.HEADING and t.level <= 3 and t.row is None and t.dialog is None
    ]
    current = [e.name for e in view.elements if "current" in e.states and e.region != "navigation"]
    path = [
        p for p in re.split(r"[/?&=#]", urlsplit(view.url).path + urlsplit(view.url).query) if p
    ]
    parts = [w for h in (*heads, view.title) for w in re.split(r"\s[–—|·•/]\s|: |：", h)]
    names = (plain(n) for n in (*heads, *parts, *current, *path[-3:]))
    return Thing(tuple(dict.fromkeys(n for n in names if n)))


def counts(texts: Sequence[str]) -> int:
    """The largest number of things whose end these texts speak of."""
    told = (t for t in texts if GONE.search(t) or harms_of(t))
    found = (int(a or b) for text in told for a, b in COUNT.findall(text))
    return max(found, default=0)
