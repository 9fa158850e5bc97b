"""Finds on the page what the text names, and how it matched, so that no loose match is silent."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from appliance.core.page import Element, Observation, TextBlock, TextKind
from appliance.language import nouns
from appliance.language.icons import may_be
from appliance.language.names import (
    How,
    closeness,
    compare,
    is_part,
    plain,
    same,
    singular_words,
    verb_of,
    words,
)

CLICKABLE = frozenset(
    {"button", "link", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "radio",
     "checkbox", "switch", "treeitem", "combobox", "columnheader", "gridcell", "img", "listitem"}
)  # fmt: skip
FIELDS = frozenset(
    {"textbox", "searchbox", "combobox", "listbox", "spinbutton", "checkbox", "radio", "switch",
     "slider", "radiogroup", "datepicker"}
)  # fmt: skip
TEXTUAL = frozenset({"textbox", "searchbox", "spinbutton"})
TOGGLES = frozenset({"checkbox", "switch", "radio"})
NAV_NOUNS = nouns.NAVIGATION.both
TAB_NOUNS = nouns.TABS.both
BUTTON_NOUNS = nouns.BUTTONS.both


class Match(NamedTuple):
    """An element, and how its name matches."""

    element: Element
    how: How


def is_field(e: Element) -> bool:
    """Whether it takes a value."""
    return e.role in FIELDS or e.type == "file"


_SEARCH = re.compile(r"search|filter|搜索|筛选|查找", re.IGNORECASE)


def is_search(e: Element) -> bool:
    """Whether it is the search box of a list."""
    if e.role == "searchbox":
        return True
    if e.role == "combobox" and e.name and plain(e.name) != plain(e.placeholder):
        return is_search_label(e.name)  # "Type to search" stands in many a field of a form
    return e.role in TEXTUAL | {"combobox"} and is_search_label(f"{e.name} {e.placeholder}")


def is_search_label(text: str) -> bool:
    """Whether the words speak of searching."""
    return bool(_SEARCH.search(text))


def is_enabled(e: Element) -> bool:
    """Whether it is not disabled."""
    return "disabled" not in e.states


def in_row(e: Element, row: str) -> bool:
    """Whether the element is in a row that shows `row` in one of its cells."""
    if not row or e.row is None:
        return False
    row_name = plain(row)
    cells = [plain(c) for c in e.row.split(" | ")]
    return (
        row_name in cells
        or any(c.startswith(row_name + " ") or row_name in c.split() for c in cells)
        or row_name in plain(e.row)
    )


def match_clickable(
    view: Observation, label: str, *, noun: str = "", row: str = "", after: Element | None = None
) -> Match | None:
    """Match a control by its exact name; the likeliest if several have it.

    Args:
        view: The page.
        label: The name.
        noun: What the text calls the control; rules some out, and ranks the others.
        row: The row that it must be in, unless it is in none.
        after: The navigation entry opened last: entries below it are preferred.
    """
    strict = [
        Match(e, how)
        for e in view.elements
        if e.role in CLICKABLE and (how := compare_element(label, e)) is not None and how.is_strict
    ]
    strict = _allowed_by_noun(strict, noun)
    if row:
        in_that_row = [m for m in strict if in_row(m.element, row)]
        # never the control of another row, which would act on another thing
        strict = in_that_row or [m for m in strict if m.element.row is None]
    return min(strict, key=_rank(label, noun, after), default=None)


def compare_element(label: str, e: Element) -> How | None:
    """Compare a label with the accessible name and the visible text of an element.

    A tab may say how many things are in it: "Variants 2".
    """
    names = [e.name, e.text]
    if e.role == "tab" and not label[-1:].isdigit():
        names += [
            without_count
            for name in names
            if (without_count := _TRAILING_COUNT.sub("", name)) != name
        ]
    hows = [h for n in names if n and (h := compare(label, n)) is not None]
    return min(hows, default=None)


_TRAILING_COUNT = re.compile(r"\s+\d+\+?$")


def is_in_several_rows(view: Observation, match: Match) -> bool:
    """Whether other rows of the list have the same control, so that the text must say which row."""
    e = match.element
    if e.row is None or e.dialog is not None:
        return False
    rows = {o.row for o in view.elements if o.row is not None and same(o.name, e.name)}
    return len(rows) > 1


def unfolds(e: Element) -> bool:
    """Whether it folds and unfolds a part of the page."""
    return bool(_UNFOLDING_STATES & e.states)


_UNFOLDING_STATES = frozenset({"collapsed", "expanded", "haspopup"})


def _allowed_by_noun(matches: list[Match], noun: str) -> list[Match]:
    """Leave out what the noun of the text rules out: no "button" is a navigation entry.

    Nor is a "tab" a control that unfolds a part of the navigation, where anything else is.
    """
    if noun in TAB_NOUNS:
        allowed = [
            m
            for m in matches
            if m.element.region != "navigation" or m.element.role == "tab"
            or not unfolds(m.element)
        ]  # fmt: skip
    elif noun in BUTTON_NOUNS:
        allowed = [m for m in matches if m.element.region != "navigation"]
    else:
        return matches
    return allowed or matches


def _rank(label: str, noun: str, after: Element | None) -> Callable[[Match], tuple[float, ...]]:
    def rank(m: Match) -> tuple[float, ...]:
        e = m.element
        is_nav = e.region == "navigation"
        wants_nav = noun in NAV_NOUNS
        wrong_side = is_nav != wants_nav and e.role != "tab"
        if noun in BUTTON_NOUNS and e.role != "button":
            wrong_side = True
        header = e.role in ("columnheader",) or e.region == "breadcrumb"
        below = 0.0
        if after is not None and is_nav:
            below = float(e.box.y < after.box.y) + float(e.id == after.id)
            below += float(bool(e.group) and not same(e.group, after.name))
        is_popup = wants_nav and "haspopup" in e.states
        return (
            m.how, "covered" in e.states, e.is_wordless, is_outside_dialogs(e), header,
            noun in TAB_NOUNS and e.role != "tab", wrong_side, is_popup, below,
            label.strip() != e.name.strip(),
            "disabled" in e.states, e.row is not None, e.box.y, e.box.x,
        )  # fmt: skip

    return rank


def is_outside_dialogs(e: Element) -> bool:
    """Whether it is in the page itself: in no dialog, and in no menu, which a dialog may own."""
    return e.dialog is None and e.region != "menu"


def match_loosely(view: Observation, label: str, *, noun: str = "", row: str = "") -> Match | None:
    """Match a control by a similar name; None if none, or more than one, is similar enough."""
    matches: list[tuple[Match, float]] = []
    for e in view.elements:
        if e.role not in CLICKABLE or e.role in ("columnheader", "option", "img"):
            continue
        if row and e.row is not None and not in_row(e, row):
            continue
        how = compare(label, e.name)
        if how is None or how.is_strict or not _is_plausible(label, e, how, noun):
            continue
        matches.append((Match(e, how), closeness(label, e.name)))
    return _only_best(matches)


def match_nearly(view: Observation, label: str, noun: str) -> Match | None:
    """Match a navigation entry whose name differs only in punctuation or number.

    So is a menu on a path: in "**Action** > **Export**" what comes next tells whether it is meant.
    """
    match = match_loosely(view, label, noun=noun)
    if match is None:
        return None
    is_entry = match.element.region == "navigation"
    is_menu = noun == "path" and match.element.row is None
    is_near = (is_entry or is_menu) and match.how.is_small
    return match if is_near or (is_entry and is_part(label, match.element.name)) else None


def _is_plausible(label: str, e: Element, how: How, noun: str) -> bool:
    if how.is_small:
        return True
    if verb_of(label) != verb_of(e.name):
        return False  # "Networks" is not "Create network", "Start" is not "Stop"
    if how is not How.SUBSET:
        return True
    if is_part(e.name, label):
        return False  # of "Users and groups" both are as good
    if e.dialog is not None and e.is_submit:
        return True
    if e.row is not None and e.role == "link" and "button" not in e.tag:
        return False  # a name in a list that happens to contain the word
    label_words, name_words = words(label), words(e.name)
    if noun in NAV_NOUNS and label_words < name_words:
        return is_part(label, e.name)  # "Network" is not "Network Topology"
    return closeness(label, e.name) >= 0.5


def _only_best(matches: Iterable[tuple[Match, float]]) -> Match | None:
    ranked = sorted(matches, key=lambda scored: (scored[0].how, -scored[1]))
    if not ranked:
        return None
    best, best_closeness = ranked[0]
    for rival, rival_closeness in ranked[1:]:
        is_rival = rival.how == best.how and best_closeness - rival_closeness < 0.08
        if is_rival and plain(rival.element.name) != plain(best.element.name):
            return None
    return best


def is_answer(label: str) -> bool:
    """Whether the label answers yes to a question: "Yes, confirm"."""
    return bool(words(label) & nouns.YES.both)


def find_submit_button(view: Observation) -> Element | None:
    """Find the one enabled button that submits the innermost dialog, or else the page's form."""
    submits = [e for e in view.elements if e.is_submit and is_enabled(e)]
    if view.dialogs:
        submits = [e for e in submits if e.dialog == view.dialogs[-1]]
    else:
        submits = [e for e in submits if e.region in ("main", "form", "")]
    return submits[0] if len(submits) == 1 else None


def match_field(view: Observation, label: str, *, section: str = "") -> Match | None:
    """Match a form field by its label, or else by a similar one, which the caller reports."""
    scored: list[tuple[Match, float]] = []
    for e in view.elements:
        if not is_field(e) or (is_search(e) and not is_search_label(label)):
            continue
        is_member = e.role in ("radio", "checkbox", "listbox")
        names = [e.name, e.group if is_member else "", e.column or "" if e.row else ""]
        names += [e.section] if same(label, e.section) and _is_all_of_section(view, e) else []
        hows = [(how, n) for n in names if n and (how := _compare_field(label, n)) is not None]
        if hows:
            how, name = min(hows)
            rank = closeness(label, name) + (0.2 if section and same(section, e.section) else 0)
            scored.append((Match(e, how), rank))
    strict = [s for s in scored if s[0].how.is_strict]
    if strict:
        return min(
            strict,
            key=lambda s: (
                s[0].how,
                "covered" in s[0].element.states,
                "disabled" in s[0].element.states,
                not same(label, s[0].element.name),
                -s[1],
            ),
        )[0]
    near = [s for s in scored if s[0].how is not How.SUBSET or s[1] >= 0.45]
    return _search_box(view, label) or _only_best(near)


_SEARCH_BOX = re.compile(
    r"(?:the )?search (?:bar|box|field|input|text box|text field)|搜索(?:框|栏|输入框)",
    re.IGNORECASE,
)


def _search_box(view: Observation, label: str) -> Match | None:
    """The only search box in front, where the label says no more than that it is one."""
    if not _SEARCH_BOX.fullmatch(label.strip()):
        return None
    boxes = [
        e
        for e in view.elements
        if is_search(e) and is_enabled(e) and (e.dialog is not None) == bool(view.dialogs)
    ]  # fmt: skip
    own = [e for e in boxes if e.region not in FRAME] or boxes  # the console's own is around it
    return Match(own[0], How.HINTED) if len(own) == 1 else None


def _is_all_of_section(view: Observation, e: Element) -> bool:
    """Whether it is the only, unnamed listbox under a heading, which then serves as its name.

    A closed drop-down does not count: it may offer actions on everything below the heading.
    """
    if e.name or e.role != "listbox" or e.row is not None:
        return False
    nameless = [o for o in view.elements if is_field(o) and not o.name and o.section == e.section]
    return len(nameless) == 1


def match_field_named_for_dialog(view: Observation, label: str) -> Match | None:
    """Match the one field named by the label and the topic of the dialog.

    "Name" in the dialog "Create Image" is "Image Name".
    """
    if not view.dialogs:
        return None
    dialog_words = singular_words(view.dialogs[-1])
    candidates = [
        e for e in view.elements if is_field(e) and plain(e.name).endswith(f" {plain(label)}")
    ]
    if len({plain(e.name) for e in candidates}) != 1:
        return None
    extra_words = {w.rstrip("s") for w in words(candidates[0].name) - words(label)}
    is_named_for_dialog = candidates[0].dialog and extra_words <= dialog_words
    return Match(candidates[0], How.SUBSET) if is_named_for_dialog else None


def _compare_field(label: str, name: str) -> How | None:
    """Compare as `compare` does; two common words suffice, as names of fields hold no actions."""
    how = compare(label, name)
    if how is None and len(words(label) & words(name)) >= 2 and closeness(label, name) >= 0.7:
        return How.SIMILAR
    return how


def match_field_by_words(view: Observation, phrase: str) -> Element | None:
    """Match a form field to an unmarked phrase ("a name for the router") by common words."""
    fields = [
        e
        for e in view.elements
        if is_field(e) and is_enabled(e) and "readonly" not in e.states and not is_search(e)
    ]
    if view.dialogs:
        fields = [e for e in fields if e.dialog is not None] or fields
    # words are typed or chosen, and never stand for a box to tick
    fields = [e for e in fields if e.role not in TOGGLES] or fields
    phrase_words = words(phrase) - {"the", "of", "a", "an", "for", "to", "in"}
    scored = [(len(words(e.name or e.placeholder) & phrase_words), e) for e in fields]
    best = max((s for s, _ in scored), default=0)
    if best:
        best_fields = [e for s, e in scored if s == best]
        return min(best_fields, key=lambda e: (len(words(e.name)), e.role not in TEXTUAL, e.box.y))
    if view.dialogs:
        text_fields = [e for e in fields if e.role in TEXTUAL]
        if len(text_fields) == 1:
            return text_fields[0]
    return None


def text_shown(
    view: Observation, label: str, kinds: frozenset[TextKind] | None = None
) -> TextBlock | None:
    """The first text on the page that equals these words."""
    for block in view.texts:
        is_in_front = not view.dialogs or block.dialog is not None
        if is_in_front and (kinds is None or block.kind in kinds) and same(label, block.text):
            return block
    return None


def text_containing(view: Observation, label: str) -> str | None:
    """The first text, or name of a control, on the page that contains these words."""
    words_sought = plain(label)
    for block in view.texts:
        if words_sought in plain(block.text):
            return block.text
    for e in view.elements:
        if words_sought in plain(e.name) or (e.value and words_sought in plain(e.value)):
            return e.name
    return None


_CONSOLE_REGIONS = frozenset(("navigation", "banner", "complementary", "contentinfo"))
"""Regions that belong to the console rather than to the page."""
FRAME = _CONSOLE_REGIONS | {"menu"}
"""Regions that are the same on every page."""


def has_address(e: Element) -> bool:
    """Whether it is a link with an address other than "#"."""
    return bool(e.href) and not e.href.endswith("#")


def is_page_of(view: Observation, key: str) -> bool:
    """Whether the page shows one item: its highest heading is the name of the item."""
    headings = [t for t in view.texts if t.kind is TextKind.HEADING and t.dialog is None and t.text]
    highest = min((t.level or _LOWEST_LEVEL for t in headings), default=0)
    return any(same(key, t.text) for t in headings if (t.level or _LOWEST_LEVEL) == highest)


_LOWEST_LEVEL = 7
"""The level of a heading that has none of its own."""


_ICON_MAX_PX = 56
"""In CSS pixels: a control no wider than this, and about as high, has no room for words."""


def has_list(view: Observation) -> bool:
    """Whether the page shows a list with at least one row below its header."""
    header_rows = {t.row for t in view.texts if t.kind is TextKind.COLUMN_HEADER}
    rows = {e.row for e in view.elements} | {t.row for t in view.texts}
    return bool(rows - header_rows - {None, ""})


def is_entry(e: Element) -> bool:
    """Whether it is an entry of an open menu."""
    return e.region == "menu" or e.role == "menuitem"


def is_icon(e: Element) -> bool:
    """Whether it is too small for words."""
    return e.box.width <= min(_ICON_MAX_PX, 2 * e.box.height)


def shows_icon(e: Element, icon_name: str) -> bool:
    """Whether its looks or its name fit the icon that a text describes."""
    looks = (e.look, e.name, e.text) if is_icon(e) else (e.look,)
    return any(may_be(look, icon_name) for look in looks)


_HELP_NAME = re.compile(
    r"\?|i|info(?:rmation)?|help|帮助|说明"
    r"|(?:(?:ask|open|give|send) )?(?:(?:ai|live|virtual) )?(?:assistant|copilot|chat|feedback)"
    r"|(?:AI|智能|在线)? ?(?:助手|客服)|(?:意见)?反馈",
    re.IGNORECASE,
)


def is_help(e: Element) -> bool:
    """Whether it opens help, or somebody to ask, which may cover the page."""
    return _HELP_NAME.fullmatch(e.name.strip()) is not None


def leads_to(e: Element, key: str) -> bool:
    """Whether it links to the page of an item: its address ends with the name of the item."""
    if not key or e.role != "link" or e.dialog is not None:
        return False
    address = urlsplit(e.href)
    last_segment = (address.fragment or address.path).rstrip("/").rpartition("/")[2]
    return bool(last_segment) and same(unquote(last_segment), key)


def card_of(view: Observation, key: str) -> Element | None:
    """The only control of the page proper whose name begins with this one: cards show more text."""
    cards = [
        e
        for e in view.elements
        if key and e.role in ("link", "button") and e.dialog is None
        and e.region not in FRAME
        and plain(e.name).startswith(f"{plain(key)} ") and verb_of(e.name) is None
    ]  # fmt: skip
    return cards[0] if len(cards) == 1 else None


def closed_menus(view: Observation, *, row: str = "", label: str = "") -> list[Element]:
    """Closed drop-downs of the row, or of the page's toolbar, that may hold the label."""
    toggles = [
        e
        for e in view.elements
        if ("haspopup" in e.states or looks_like_menu(e))
        and "expanded" not in e.states
        and e.role not in FIELDS
        and is_enabled(e)
        and not (label and e.options and not _has_option(e, label))
    ]
    if row:
        return [e for e in toggles if in_row(e, row)]
    return [e for e in toggles if e.row is None and e.region not in _CONSOLE_REGIONS]


def looks_like_menu(e: Element) -> bool:
    """Whether it seems to open a menu, by nothing but its looks: "Actions ▾".

    It may do something instead: what sends a form, leads to a page or is called by what it would
    do is none, and the guard takes it for a button like any other.
    """
    is_sign = e.look in ("⋮", "…") and e.is_wordless
    is_act = e.is_submit or has_address(e) or verb_of(e.name) is not None
    return (is_sign or "caret" in e.states) and not is_act


def frame_menus(view: Observation) -> list[Element]:
    """Closed drop-downs of the frame around every page; icons first, whose names say little."""
    toggles = [
        e
        for e in view.elements
        if _is_closed_menu(e) and e.role not in FIELDS
        and e.region in _CONSOLE_REGIONS and e.row is None and is_enabled(e)
    ]  # fmt: skip
    return sorted(toggles, key=lambda e: not is_icon(e))


def folded_parts(view: Observation) -> list[Element]:
    """The controls that unfold sections of the page, or of the dialog over it."""
    return [
        e
        for e in view.elements
        if e.role in ("button", "treeitem") and e.row is None
        and e.states & {"expanded", "collapsed"}
        and (e.dialog is not None) == bool(view.dialogs)
    ]  # fmt: skip


def prefer_in_part(
    view: Observation, e: Element, part: str, rivals: Sequence[Element] | None = None
) -> Element:
    """Of several controls of one name, take the one inside a section that was unfolded.

    Args:
        view: The page.
        e: The control that is taken where the part does not tell.
        part: Name of what unfolds the part.
        rivals: The controls [those that are called as `e` is].
    """
    unfolders = folded_parts(view) if part else []
    unfolder = next((h for h in unfolders if h.name == part), None)
    if unfolder is None:
        return e
    same_named = rivals or [
        o for o in view.elements if (o.role, o.name, o.row) == (e.role, e.name, None)
    ]
    if len(same_named) < 2:
        return e
    unfolders_below = (
        h.box.y
        for h in unfolders
        if h.box.y > unfolder.box.y and abs(h.box.x - unfolder.box.x) < _ICON_MAX_PX
    )
    end = min(unfolders_below, default=float("inf"))
    inside = [o for o in same_named if unfolder.box.y <= o.box.y < end]
    return inside[0] if len(inside) == 1 else e


def is_row_menu(e: Element) -> bool:
    """Whether it is a closed drop-down in a row."""
    return e.row is not None and _is_closed_menu(e)


def _is_closed_menu(e: Element) -> bool:
    return "haspopup" in e.states and "expanded" not in e.states


def _has_option(e: Element, label: str) -> bool:
    option_match = match_option(e.options, label)
    return option_match is not None and option_match[1].is_strict


def match_option(options: Iterable[str], label: str) -> tuple[str, How] | None:
    """Match an option by its text, or else the most similar one."""
    bare = _BRACKETED_REMARK.sub("", label) or label  # what stands in brackets explains
    scored = [
        (how, -closeness(bare, o), o) for o in options if (how := compare(label, o)) is not None
    ]
    if not scored:
        return None
    how, _, text = min(scored)
    return text, how


_BRACKETED_REMARK = re.compile(r"\s*\([^()]*\)\s*$")


def quoted_options(options: Sequence[str]) -> str:
    """List the first options of a field for a sentence: "A", "B"."""
    return ", ".join(f'"{name}"' for name in options[:8])


def names_of(elements: Iterable[Element], limit: int = 8) -> str:
    """List names for a sentence: "A", "B" and 3 more."""
    names = list(dict.fromkeys(f'"{e.name.strip()}"' for e in elements if e.name.strip()))
    if len(names) > limit:
        return ", ".join(names[:limit]) + f" and {len(names) - limit} more"
    return ", ".join(names)
