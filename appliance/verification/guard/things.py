"""Which things an action affects and who owns them, as known from the lists seen so far."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from urllib.parse import parse_qsl, unquote, urlsplit

from appliance.core.page import Element, Observation, TextKind
from appliance.language.harm_words import COUNT, MADE
from appliance.language.names import plain, squeezed
from appliance.verification.guard.words import harm_mentioned

PERIPHERAL_REGIONS = frozenset(
    ("navigation", "banner", "contentinfo", "complementary", "search", "tablist")
)
"""Regions that belong to the console and not to the page's subject."""
_MORE_PAGES = re.compile(
    r"^(?:(?:go to )?(?:the )?next(?: page)?|older|(?:load|show|see|view) (?:\d+ )?more\b.*"
    r"|(?:page )?2"
    r"|(?:第 ?2 ?|下一)页|(?:加载|显示|查看)?更多|[›»>→⟩])$",
    re.IGNORECASE,
)
_SHOWN_RANGE = re.compile(
    r"\b\d+\s*[-–~]\s*(\d+)\s*[^\w\s]*\s*(?:of|/|共)\s*共?\s*(\d+)", re.IGNORECASE
)
"""How a list states which range of its rows is shown: "1-20 of 57"."""
_SELECTED_COUNT = re.compile(
    r"\b(\d+)\s(?:\w+\s){0,2}selected\b|已选[择中取]?\D{0,3}(\d+)", re.IGNORECASE
)
NAME_COLUMN = re.compile(
    r"\b(?:names?|ids?|title|label|host(?:name)?|e-?mail|user(?:name)?|key|domain|file|subject|address)\b"
    r"|名|ID|编号|标识|账号|邮箱|标题",
    re.IGNORECASE,
)
"""Columns that identify the row, as opposed to naming something related to it."""
_SUBPAGE = re.compile(
    r"(?:settings?|delete|remove|edit|details?|overview|summary|general|danger(?:-zone)?|advanced|manage"
    r"|index(?:\.\w+)?|show|view|info|properties|config(?:uration)?|dashboard|confirm|security|tags"
    r"|main|home|about|profile|html?)",
    re.IGNORECASE,
)
"""Path segments that are a subpage of a resource and not its name."""
_WORD = re.compile(r"[^\s,;:/()（），、；：]+")
_MIN_LENGTH = 3
"""Characters; a shorter name is not recognised within other words."""
_NAME_LIKE = re.compile(r"[\d@_./-]")
_MAX_WORD = 5
"""Characters; a word beside the name that is no longer is no id: `(2)` marks a copy."""
_REGIONS_WITHOUT_FORMS = ("navigation", "banner", "complementary")
_TICKABLE_ROLES = frozenset(("checkbox", "radio"))


@dataclass(frozen=True, slots=True)
class NamedThing:
    """Something on a page, by the words that may be its name; the likeliest first."""

    names: tuple[str, ...]

    def is_one_of(self, known: Collection[str]) -> bool:
        """Whether one of its names equals a known name or contains it as a separate word."""
        return any(
            _matches_name(name, known_name)
            for name in self.names
            for known_name in known
            if known_name
        )

    def is_called(self, known: Collection[str]) -> bool:
        """Whether one of its names is a known name, with nothing beside it but ids."""
        return any(
            _differs_by_id_only(name, known_name)
            for name in self.names
            for known_name in known
            if known_name
        )

    def __str__(self) -> str:
        return self.names[0] if self.names else "something without a name"


def _matches_name(name: str, known: str) -> bool:
    if name == known:
        return True
    if len(known) < _MIN_LENGTH or known not in name:
        return False
    if any(c >= "\u4e00" for c in known):
        return len(known) * 2 > len(name)
    return known in _WORD.findall(name) and any(not c.isalpha() for c in known)


def _differs_by_id_only(name: str, known: str) -> bool:
    if name == known:
        return True
    if not _matches_name(name, known):
        return False
    rest = _WORD.findall(name.replace(known, " ", 1))
    return all(len(word) > _MAX_WORD and any(c.isdigit() for c in word) for word in rest)


@dataclass(slots=True)
class KnownThings:
    """What one attempt has seen and made."""

    unique: str
    """The marker in names that this attempt makes up."""
    _page_count: int = 0
    _first_seen: dict[str, tuple[int, str]] = field(default_factory=dict)
    """The page count and the page at which a name was first seen in a list."""
    _whole_list_pages: dict[str, int] = field(default_factory=dict)
    """Pages that show a whole list, with the page count at their first sight."""
    _listed_names: set[str] = field(default_factory=set)
    """Names of things that rows of tables are about."""
    _typed_values: dict[str, int] = field(default_factory=dict)
    _creation_notices: list[tuple[int, str]] = field(default_factory=list)
    """Notices that something was created, with the page count."""

    def see(self, view: Observation) -> None:
        """Learn the names and notices that a page shows."""
        self._page_count += 1
        page = f"{address_of(view.url, with_anchor=True)}|{_list_filters(view)}"
        rows = rows_outside_dialogs(view)
        for row in rows:
            for cell in row_cells(row):
                self._first_seen.setdefault(cell, (self._page_count, page))
        self._listed_names.update(listed_names(view))
        if shows_whole_list(view) and (rows or not view.dialogs):
            self._whole_list_pages.setdefault(page, self._page_count)
        for note in view.notices():
            if MADE.search(note.text):
                self._creation_notices.append((self._page_count, plain(note.text)))

    def record_typed(self, text: str) -> None:
        """Remember a value that was typed into a field."""
        if value := plain(text):
            self._typed_values.setdefault(value, self._page_count)

    def created_names(self) -> frozenset[str]:
        """Names that this attempt gave to things it created."""
        return frozenset(v for v in self._typed_values if self._is_new(v))

    def _is_new(self, value: str) -> bool:
        if self.unique and self.unique in value:
            return True
        typed_at = self._typed_values[value]
        first_seen = self._first_seen.get(value)
        if first_seen is not None and first_seen[0] <= typed_at:
            return False
        was_listed = (
            first_seen is not None
            and self._whole_list_pages.get(first_seen[1], self._page_count + 1) <= typed_at
        )
        return was_listed or any(
            turn > typed_at and value in text for turn, text in self._creation_notices
        )

    def typed_values(self) -> Collection[str]:
        """Every value typed into a field so far."""
        return self._typed_values.keys()

    def is_listed(self, name: str) -> bool:
        """Whether any table seen so far has a row about it."""
        return name in self._listed_names

    def without_names(self, view: Observation, bound: Collection[str]) -> Observation:
        """The page with the names of things in its titles masked, since they describe no action.

        Args:
            view: The page.
            bound: Names of things that the user gave, which no list need have shown.
        """
        known = {n for n in (*self._listed_names, *bound) if _is_id(n)}
        names = sorted(known, key=len, reverse=True)
        if not names:
            return view
        pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})(?![\w-])", re.I)
        mask_names = partial(pattern.sub, "it")
        return replace(
            view,
            dialogs=tuple(map(mask_names, view.dialogs)),
            texts=tuple(replace(t, text=mask_names(t.text)) for t in view.texts),
            elements=tuple(
                replace(
                    e,
                    dialog=e.dialog and mask_names(e.dialog),
                    section=mask_names(e.section),
                    group=mask_names(e.group),
                )
                for e in view.elements
            ),
        )

    def has_page(self, view: Observation, e: Element) -> bool:
        """Whether the page is about something that a table listed.

        A list's own page may be called as a row of an overview is; it has rows, and a plain name.
        """
        has_rows = len(rows_outside_dialogs(view)) > 1
        known = {n for n in self._listed_names if not has_rows or _NAME_LIKE.search(n)}
        return thing_of_page(view, e).is_one_of(known)

    def other_thing_named(self, texts: Iterable[str], known: Collection[str]) -> str:
        """A thing that was seen in a list, is named in these texts, and is none of the known."""
        joined = f" {plain(' '.join(texts))} "
        for name in self._first_seen:
            is_name = len(name) > _MIN_LENGTH and _NAME_LIKE.search(name)
            if is_name and name not in known and not any(name in k or k in name for k in known):
                words = re.escape(name)
                if re.search(rf"(?<![\w.-]){words}(?![\w-])", joined):
                    return name
        return ""


def _is_id(name: str) -> bool:
    """Whether it looks like a name that people choose (`new-checkout`) and not like a sentence."""
    return len(name) > _MIN_LENGTH and " " not in name and bool(_NAME_LIKE.search(name[1:-1]))


def address_of(url: str, *, with_anchor: bool) -> str:
    """An address without the parts that only say how its page is displayed.

    A fragment that is a path is of the address. Another one is a place of the page (`#overview`)
    or, in some consoles, a page of its own (`#disks`).

    Args:
        url: The address.
        with_anchor: Whether such a one counts: two lists are not to be taken for one, and of a
            thing it does not matter which part of its page is shown.
    """
    split_url = urlsplit(url)
    fragment_path = split_url.fragment.split("?")[0]
    anchor = f"#{fragment_path}" if "/" in fragment_path or (fragment_path and with_anchor) else ""
    return f"{split_url.netloc}{split_url.path.rstrip('/')}{anchor}".rstrip("/")


def _list_filters(view: Observation) -> str:
    """Field values that a list depends on besides its address: project, region, filters."""
    filters = (
        f"{plain(e.name)}={plain(e.value or '')}"
        for e in view.elements
        if e.role in ("combobox", "listbox", "searchbox", "textbox") and e.value
        and e.row is None and e.dialog is None
    )  # fmt: skip
    return "|".join(sorted(filters))


def shows_whole_list(view: Observation) -> bool:
    """Whether its lists have no further pages and no folded rows."""
    candidates = [e for e in view.elements if e.role in ("button", "link", "tab", "listitem")]
    has_more = any(
        _MORE_PAGES.match(e.name.strip()) and "disabled" not in e.states and e.row is None
        for e in candidates
    )
    ranges = (m.groups() for t in view.texts for m in _SHOWN_RANGE.finditer(t.text))
    are_listed = all(f.total <= f.listed for f in view.folds)
    return are_listed and not has_more and all(end == total for end, total in ranges)


def rows_outside_dialogs(view: Observation) -> set[str]:
    """The rows of its tables and lists, outside of dialogs."""
    rows = {e.row for e in view.elements if e.row and e.dialog is None}
    return rows | {t.row for t in view.texts if t.row and t.dialog is None}


def listed_names(view: Observation) -> set[str]:
    """The first cell of every row of a table, and what stands in columns of names."""
    cells_shown = [(e.row, e.column or "", e.name) for e in view.elements if e.dialog is None]
    cells_shown += [(t.row, t.column or "", t.text) for t in view.texts if t.dialog is None]
    table_cells = [cell for cell in cells_shown if cell[0] and (cell[1] or " | " in cell[0])]
    first_cells = {c for row, _, _ in table_cells if row for c in row_cells(row)[:1]}
    return first_cells | {
        plain(text) for _, column, text in table_cells if NAME_COLUMN.search(column)
    }


def row_cells(row: str) -> tuple[str, ...]:
    """The texts of a row, in order."""
    return tuple(dict.fromkeys(c for text in row.split(" | ") if (c := plain(text))))


def thing_of_row(view: Observation, row: str) -> NamedThing:
    """What a row is about: its links and first two cells, except texts that other rows share."""
    own_name = row_cells(row)[:1]
    controls = {
        plain(n)
        for e in view.elements
        if e.row == row and e.role in ("button", "menuitem")
        for n in (e.name, e.text)
        # other names are those of what belongs to it
        if not (plain(n) in own_name and bears_name(view, e))
    }
    cell_texts = [c for c in row_cells(row) if c not in controls and any(x.isalnum() for x in c)]
    cell_texts = [*_leading_link(view, row), *_without_initials(cell_texts)]
    other_rows = [row_cells(r) for r in rows_outside_dialogs(view) if r != row]
    columns = {plain(other.name): other.column or "" for other in view.elements if other.row == row}
    columns |= {plain(b.text): b.column or "" for b in view.texts if b.row == row}
    # What else a row says may be the name of something else: what it is attached to, a copy of.
    has_columns = any(columns.values())
    further_names = [n for n in cell_texts[1:] if NAME_COLUMN.search(columns.get(n, ""))]
    if not has_columns and cell_texts and not any(c.isalpha() for c in cell_texts[0]):
        further_names = cell_texts[1:2]
    # the same once more in other letters: `wrong-size`, "Wrong size"
    further_names += cell_texts[1:2] if len(row_cells(row)) == 1 else []
    further_names += [
        n.strip(" -–—") for n in cell_texts[1:] if squeezed(n) == squeezed(cell_texts[0])
    ]
    names = [
        n for n in (*cell_texts[:1], *further_names) if not any(n in other for other in other_rows)
    ]
    return NamedThing(tuple(dict.fromkeys(names)))


def written_on(e: Element) -> str:
    """What a control shows, which a name for screen readers may hide: "DRAWER01"."""
    return plain(e.text or e.name)


def bears_name(view: Observation, e: Element) -> bool:
    """Whether a control of a row is written with a name, its own or of what belongs to it.

    "DRAWER01" in a column of numbers, or "ruth" in a column "User": by it that thing is opened.
    What other rows have as well is no name.
    """
    written = written_on(e)
    if e.row is None or written not in row_cells(e.row):
        return False
    is_shared = any(
        written_on(o) == written
        for o in view.elements
        if o.row not in (None, e.row) and o.column == e.column
    )
    return not is_shared and (_is_id(written) or bool(NAME_COLUMN.search(e.column or "")))


def _leading_link(view: Observation, row: str) -> Iterator[str]:
    """The link that a list entry without cells begins with: its name."""
    link_names = (
        plain(e.name) for e in view.elements if e.row == row and e.role == "link" and e.name
    )
    leading = next(link_names, "") if len(row_cells(row)) == 1 else ""
    if leading and plain(row).startswith(f"{leading} "):
        yield leading


def _without_initials(texts: Sequence[str]) -> Iterator[str]:
    """Without what stands for a picture: "MB" in the row of "Mina Berg", which comes first then."""
    initials = texts[0] if texts and len(texts[0]) > 1 else ""  # a single letter may say anything
    full_name = next(
        (t for t in texts[1:] if "".join(word[0] for word in t.split()) == initials), ""
    )
    yield from [full_name] if full_name else []
    yield from (t for t in texts if not full_name or t not in (full_name, initials))


def selected_things(view: Observation, frame: int) -> tuple[NamedThing, ...]:
    """The things whose rows are selected."""
    rows = {
        e.row
        for e in view.elements
        if e.row and e.frame == frame and e.dialog is None
        and (("checked" in e.states and e.role in _TICKABLE_ROLES) or _is_selected_row(e))
    }  # fmt: skip
    return tuple(thing_of_row(view, row) for row in sorted(rows))


def has_more_selected(view: Observation, known_count: int) -> bool:
    """Whether the page reports more selected rows than the ones that are visible."""
    reported = [int(a or b) for t in view.texts for a, b in _SELECTED_COUNT.findall(t.text)]
    is_folded = any(f.total > f.listed for f in view.folds)
    return any(n > known_count for n in reported) or (is_folded and not reported)


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
    headings = [
        t
        for t in view.texts
        if t.kind is TextKind.HEADING and t.level <= 3 and t.row is None and t.dialog is None
    ]
    top_level = min((t.level for t in headings), default=0)
    # Several of the same level are a list of things, each with its controls.
    top_headings = [t.text for t in headings if t.level == top_level]
    titles = top_headings if len(top_headings) == 1 else []
    if e is not None and e.section and e.dialog is None:
        sections_with_same_control = {
            o.section for o in view.elements if o.name == e.name and o.row is None
        }
        if len(sections_with_same_control) > 1:
            return NamedThing((plain(e.section),))
        titles.append(e.section)
    current = [o.name for o in view.elements if "current" in o.states and o.region != "navigation"]
    parts = [
        part for title in (*titles, view.title) for part in re.split(r"\s[–—|·•/]\s|: |：", title)
    ]
    names = (plain(n) for n in (*titles, *parts, *current[-1:], *_names_in_address(view.url)))
    return NamedThing(tuple(dict.fromkeys(n for n in names if n)))


def name_typed_in_form(view: Observation, submit_button: Element) -> str:
    """The name in the form that a button submits: the value of its first field, if a name."""
    filled_fields = (
        e
        for e in view.elements
        if e.role == "textbox" and e.value and e.row is None
        and (e.dialog, e.frame) == (submit_button.dialog, submit_button.frame)
        and e.region not in _REGIONS_WITHOUT_FORMS
    )  # fmt: skip
    first_field = next(filled_fields, None)
    return (
        plain(first_field.value or "")
        if first_field is not None and NAME_COLUMN.search(first_field.name)
        else ""
    )


def _names_in_address(url: str) -> list[str]:
    """Names in an address: its ids and its last segment that is no subpage."""
    split_url = urlsplit(url)
    segments = [
        p for p in unquote(f"{split_url.path}/{split_url.fragment.split('?')[0]}").split("/") if p
    ]
    query = parse_qsl(split_url.query or split_url.fragment.partition("?")[2])
    ids = [v for k, v in query if re.fullmatch(r"(?:\w*[_-])?(?:id|name|key)|\w+(?:Id|Name)", k)]
    resource_segment = next((p for p in reversed(segments) if not _SUBPAGE.fullmatch(p)), "")
    return [*ids, resource_segment] if resource_segment else ids


def largest_count_lost(texts: Sequence[str]) -> int:
    """The largest number of things that these texts say will be lost."""
    numbers = (
        int(a or b) for text in texts if harm_mentioned(text) for a, b in COUNT.findall(text)
    )
    return max(numbers, default=0)
