"""Which things an action is done to, and whose they are: known from the lists that were seen."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from urllib.parse import parse_qsl, unquote, urlsplit

from appliance.core.page import Element, Observation, TextKind
from appliance.language.harm_words import COUNT, MADE
from appliance.language.names import plain, squeezed
from appliance.verification.guard.words import harm_mentioned

_PAGES = re.compile(
    r"^(?:(?:go to )?(?:the )?next(?: page)?|older|(?:load|show|see|view) (?:\d+ )?more\b.*"
    r"|(?:page )?2"
    r"|(?:第 ?2 ?|下一)页|(?:加载|显示|查看)?更多|[›»>→⟩])$",
    re.IGNORECASE,
)
_OF = re.compile(r"\b\d+\s*[-–~]\s*(\d+)\s*[^\w\s]*\s*(?:of|/|共)\s*共?\s*(\d+)", re.IGNORECASE)
"""How a list says which part of it is shown."""
_SELECTED = re.compile(
    r"\b(\d+)\s(?:\w+\s){0,2}selected\b|已选[择中取]?\D{0,3}(\d+)", re.IGNORECASE
)
_NAMING = re.compile(
    r"\b(?:names?|ids?|title|label|host(?:name)?|e-?mail|user(?:name)?|key|domain|file|subject|address)\b"
    r"|名|ID|编号|标识|账号|邮箱|标题",
    re.IGNORECASE,
)
"""Columns that say what a row is about, and not what else it has to do with."""
_PLACES = re.compile(
    r"(?:settings?|delete|remove|edit|details?|overview|summary|general|danger(?:-zone)?|advanced|manage"
    r"|index(?:\.\w+)?|show|view|info|properties|config(?:uration)?|dashboard|confirm|security|tags"
    r"|main|home|about|profile|html?)",
    re.IGNORECASE,
)
"""Parts of an address that are pages of a thing and not its name."""
_WORD = re.compile(r"[^\s,;:/()（），、；：]+")
_SHORT = 3
"""A name within other words counts from this length on."""
_NAME_LIKE = re.compile(r"[\d@_./-]")
_ID = 5
"""Letters and digits that an id has more than; `(2)` is a copy."""
_BESIDE_FORMS = ("navigation", "banner", "complementary")
_PART_ROLES = frozenset(("checkbox", "radio"))


@dataclass(frozen=True, slots=True)
class NamedThing:
    """Something on a page, by the words that may be its name; the likeliest first."""

    names: tuple[str, ...]

    def is_one_of(self, known: Collection[str]) -> bool:
        """Whether one of its names is a known one, whole or as a word of its own."""
        return any(_bears(name, one) for name in self.names for one in known if one)

    def is_called(self, known: Collection[str]) -> bool:
        """Whether one of its names is a known one: what else a row says with it is an id."""
        return any(_is_called(name, one) for name in self.names for one in known if one)

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


def _is_called(name: str, known: str) -> bool:
    if name == known:
        return True
    if not _bears(name, known):
        return False
    rest = _WORD.findall(name.replace(known, " ", 1))
    return all(len(word) > _ID and any(c.isdigit() for c in word) for word in rest)


@dataclass(slots=True)
class KnownThings:
    """What one attempt has seen and made."""

    unique: str
    """The marker in names that this attempt makes up."""
    _turn: int = 0
    _first: dict[str, tuple[int, str]] = field(default_factory=dict)
    """When and on which page a name was first seen in a list."""
    _lists: dict[str, int] = field(default_factory=dict)
    """Pages with whole lists, and when they were first seen."""
    _listed: set[str] = field(default_factory=set)
    """What rows of tables are about."""
    _typed: dict[str, int] = field(default_factory=dict)
    _told: list[tuple[int, str]] = field(default_factory=list)
    """Messages that something was made."""

    def see(self, view: Observation) -> None:
        """Take in a page."""
        self._turn += 1
        page = f"{address_of(view.url, with_anchor=True)}|{_parted_by(view)}"
        rows = rows_of(view)
        for row in rows:
            for name in cells(row):
                self._first.setdefault(name, (self._turn, page))
        self._listed.update(names_listed(view))
        if is_whole(view) and (rows or not view.dialogs):
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

    def typed_names(self) -> Collection[str]:
        """All that was filled in."""
        return self._typed.keys()

    def is_listed(self, name: str) -> bool:
        """Whether a row of a table that was seen is about it."""
        return name in self._listed

    def without_names(self, view: Observation, bound: Collection[str]) -> Observation:
        """The page as it is without the names of things in its titles: they say nothing of acts.

        Args:
            view: The page.
            bound: Names of things that the user gave, which no list need have shown.
        """
        known = {n for n in (*self._listed, *bound) if _is_id(n)}
        names = sorted(known, key=len, reverse=True)
        if not names:
            return view
        pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})(?![\w-])", re.I)
        bare = partial(pattern.sub, "it")
        return replace(
            view,
            dialogs=tuple(map(bare, view.dialogs)),
            texts=tuple(replace(t, text=bare(t.text)) for t in view.texts),
            elements=tuple(
                replace(
                    e,
                    dialog=e.dialog and bare(e.dialog),
                    section=bare(e.section),
                    group=bare(e.group),
                )
                for e in view.elements
            ),
        )

    def has_page(self, view: Observation, e: Element) -> bool:
        """Whether the page is about something that a table had.

        A list's own page may be called as a row of an overview is; it has rows, and a plain name.
        """
        has_rows = len(rows_of(view)) > 1
        known = {n for n in self._listed if not has_rows or _NAME_LIKE.search(n)}
        return thing_of_page(view, e).is_one_of(known)

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


def _is_id(name: str) -> bool:
    """Whether it has the form of a name that people give, as `new-checkout`, and of no sentence."""
    return len(name) > _SHORT and " " not in name and bool(_NAME_LIKE.search(name[1:-1]))


def address_of(url: str, *, with_anchor: bool) -> str:
    """An address without what only says how its page is shown.

    A fragment that is a path is of the address. Another one is a place of the page (`#overview`)
    or, in some consoles, a page of its own (`#disks`).

    Args:
        url: The address.
        with_anchor: Whether such a one counts: two lists are not to be taken for one, and of a
            thing it does not matter which part of its page is shown.
    """
    parts = urlsplit(url)
    way = parts.fragment.split("?")[0]
    place = f"#{way}" if "/" in way or (way and with_anchor) else ""
    return f"{parts.netloc}{parts.path.rstrip('/')}{place}".rstrip("/")


def _parted_by(view: Observation) -> str:
    """What a list depends on besides its address: project, region, filters."""
    chosen = (
        f"{plain(e.name)}={plain(e.value or '')}"
        for e in view.elements
        if e.role in ("combobox", "listbox", "searchbox", "textbox") and e.value
        and e.row is None and e.dialog is None
    )  # fmt: skip
    return "|".join(sorted(chosen))


def is_whole(view: Observation) -> bool:
    """Whether its lists have no further pages, and nothing of them is folded away."""
    more = [e for e in view.elements if e.role in ("button", "link", "tab", "listitem")]
    has_more = any(
        _PAGES.match(e.name.strip()) and "disabled" not in e.states and e.row is None for e in more
    )
    ends = (m.groups() for t in view.texts for m in _OF.finditer(t.text))
    are_listed = all(f.total <= f.listed for f in view.folds)
    return are_listed and not has_more and all(to == total for to, total in ends)


def rows_of(view: Observation) -> set[str]:
    """The rows of its tables and lists, outside of dialogs."""
    rows = {e.row for e in view.elements if e.row and e.dialog is None}
    return rows | {t.row for t in view.texts if t.row and t.dialog is None}


def names_listed(view: Observation) -> set[str]:
    """The first cell of every row of a table, and what stands in columns of names."""
    shown = [(e.row, e.column or "", e.name) for e in view.elements if e.dialog is None]
    shown += [(t.row, t.column or "", t.text) for t in view.texts if t.dialog is None]
    of_tables = [one for one in shown if one[0] and (one[1] or " | " in one[0])]
    first = {c for row, _, _ in of_tables if row for c in cells(row)[:1]}
    return first | {plain(text) for _, column, text in of_tables if _NAMING.search(column)}


def cells(row: str) -> tuple[str, ...]:
    """The texts of a row, in order."""
    return tuple(dict.fromkeys(c for part in row.split(" | ") if (c := plain(part))))


def thing_of_row(view: Observation, row: str) -> NamedThing:
    """What a row is about: its links and its first two cells, but what other rows have as well."""
    controls = {
        plain(n)
        for e in view.elements
        if e.row == row and e.role in ("button", "menuitem")
        for n in (e.name, e.text)
    }
    texts = [c for c in cells(row) if c not in controls and any(x.isalnum() for x in c)]
    texts = [*_first_link(view, row), *_without_initials(texts)]
    others = [cells(r) for r in rows_of(view) if r != row]
    columns = {plain(o.name): o.column or "" for o in view.elements if o.row == row}
    columns |= {plain(b.text): b.column or "" for b in view.texts if b.row == row}
    # What else a row says may be the name of something else: what it is attached to, a copy of.
    is_told = any(columns.values())
    second = [n for n in texts[1:] if _NAMING.search(columns.get(n, ""))]
    if not is_told and texts and not any(c.isalpha() for c in texts[0]):
        second = texts[1:2]
    # the same once more in other letters: `wrong-size`, "Wrong size"
    second += texts[1:2] if len(cells(row)) == 1 else []
    second += [n.strip(" -–—") for n in texts[1:] if squeezed(n) == squeezed(texts[0])]
    names = [n for n in (*texts[:1], *second) if not any(n in o for o in others)]
    return NamedThing(tuple(dict.fromkeys(names)))


def _first_link(view: Observation, row: str) -> Iterator[str]:
    """What an entry of a list begins with that has no cells, where it is a link: its name."""
    links = (plain(e.name) for e in view.elements if e.row == row and e.role == "link" and e.name)
    first = next(links, "") if len(cells(row)) == 1 else ""
    if first and plain(row).startswith(f"{first} "):
        yield first


def _without_initials(texts: Sequence[str]) -> Iterator[str]:
    """Without what stands for a picture: "MB" in the row of "Mina Berg", which comes first then."""
    first = texts[0] if texts and len(texts[0]) > 1 else ""  # a single letter may say anything
    own = next((t for t in texts[1:] if "".join(word[0] for word in t.split()) == first), "")
    yield from [own] if own else []
    yield from (t for t in texts if not own or t not in (own, first))


def ticked(view: Observation, frame: int) -> tuple[NamedThing, ...]:
    """The rows that are selected."""
    rows = {
        e.row
        for e in view.elements
        if e.row and e.frame == frame and e.dialog is None
        and (("checked" in e.states and e.role in _PART_ROLES) or _is_selected_row(e))
    }  # fmt: skip
    return tuple(thing_of_row(view, row) for row in sorted(rows))


def are_more_ticked(view: Observation, known: int) -> bool:
    """Whether the page says that more is selected than the rows that are seen to be."""
    counts = [int(a or b) for t in view.texts for a, b in _SELECTED.findall(t.text)]
    parts = any(f.total > f.listed for f in view.folds)
    return any(n > known for n in counts) or (parts and not counts)


def _is_selected_row(e: Element) -> bool:
    return "selected" in e.states and e.role in (
        "row",
        "listitem",
        "option",
        "gridcell",
        "treeitem",
    )


def thing_of_page(view: Observation, e: Element | None = None) -> NamedThing:
    """What a page is about, by its headings, its title and its address."""
    heads = [
        t
        for t in view.texts
        if t.kind is TextKind.HEADING and t.level <= 3 and t.row is None and t.dialog is None
    ]
    top = min((t.level for t in heads), default=0)
    # Several of the same level are a list of things, each with its controls.
    first = [t.text for t in heads if t.level == top]
    named = first if len(first) == 1 else []
    if e is not None and e.section and e.dialog is None:
        twins = {o.section for o in view.elements if o.name == e.name and o.row is None}
        if len(twins) > 1:
            return NamedThing((plain(e.section),))
        named.append(e.section)
    current = [o.name for o in view.elements if "current" in o.states and o.region != "navigation"]
    parts = [w for h in (*named, view.title) for w in re.split(r"\s[–—|·•/]\s|: |：", h)]
    names = (plain(n) for n in (*named, *parts, *current[-1:], *_in_address(view.url)))
    return NamedThing(tuple(dict.fromkeys(n for n in names if n)))


def name_in_form(view: Observation, sends: Element) -> str:
    """What the form is about that a button sends: the first text in it, if that is a name."""
    texts = (
        e
        for e in view.elements
        if e.role == "textbox" and e.value and e.row is None
        and (e.dialog, e.frame) == (sends.dialog, sends.frame) and e.region not in _BESIDE_FORMS
    )  # fmt: skip
    first = next(texts, None)
    return plain(first.value or "") if first is not None and _NAMING.search(first.name) else ""


def _in_address(url: str) -> list[str]:
    """What an address is about: its last part that is no page of a thing, and its ids."""
    parts = urlsplit(url)
    whole = [p for p in unquote(f"{parts.path}/{parts.fragment.split('?')[0]}").split("/") if p]
    query = parse_qsl(parts.query or parts.fragment.partition("?")[2])
    ids = [v for k, v in query if re.fullmatch(r"(?:\w*[_-])?(?:id|name|key)|\w+(?:Id|Name)", k)]
    own = next((p for p in reversed(whole) if not _PLACES.fullmatch(p)), "")
    return [*ids, own] if own else ids


def counts(texts: Sequence[str]) -> int:
    """The largest number of things whose end these texts speak of."""
    counts = (int(a or b) for text in texts if harm_mentioned(text) for a, b in COUNT.findall(text))
    return max(counts, default=0)
