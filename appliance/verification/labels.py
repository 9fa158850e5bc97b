"""Collects the labels on an attempt's pages, leaving out names that people chose."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from urllib.parse import urlsplit

from appliance.core import actions
from appliance.core.page import Element, Observation, TextKind
from appliance.core.secrets import without_secrets
from appliance.language.names import is_own_name, plain
from appliance.policy.base import Task
from appliance.store.labels import PLACE, SeenLabel
from appliance.verification.trajectory import Trajectory, Turn

_TEXTS = frozenset(
    {TextKind.HEADING, TextKind.DIALOG_TITLE, TextKind.LABEL, TextKind.COLUMN_HEADER}
)
_SHARED_ROW_ROLES = frozenset({"button", "menuitem", "combobox", "switch"})
"""Roles in rows whose labels are the console's; links and texts there name things."""
_OPENS_MENU = frozenset({"button", "link", "menuitem", "combobox", "tab"})
_MAX_LABEL = 80
_MIN_OWN_WORD = 3
"""Characters; shorter names are not searched for inside labels, as they occur in every word."""
_NUMBER = re.compile(r"\d")
_COUNT = re.compile(r"\s*[(（]\d+[)）]$")
_LETTER = re.compile(r"[^\W\d_]")


def labels_of(trajectory: Trajectory, task: Task, locale: str) -> frozenset[SeenLabel]:
    """The distinct labels on all pages of an attempt."""
    reader = _LabelReader(_own_names(trajectory, task), locale)
    menu, labels = "", set[SeenLabel]()
    for turn in trajectory.turns:
        labels.update(reader.labels(turn.view, menu))
        labels.update(reader.selected_option(turn, task))
        menu = _open_menu(turn, menu)
    return frozenset(labels)


def _own_names(trajectory: Trajectory, task: Task) -> frozenset[str]:
    """Names that people chose: typed texts, the user and project, and things in lists."""
    names = {task.unique, task.username, task.project}
    names |= {value for value in task.bindings.values() if is_own_name(value)}
    for turn in trajectory.turns:
        if isinstance(turn.decision.action, actions.Type):
            names.add(turn.decision.action.text)
        names |= {e.name for e in turn.view.elements if e.row is not None and e.role == "link"}
        names |= {
            text.text
            for text in turn.view.texts
            if text.row is not None and text.row.split(" | ")[0] == text.text
        }
    return frozenset(filter(None, map(plain, names)))


def _open_menu(turn: Turn, previous: str) -> str:
    """Name of the control clicked last, which is the open menu if one is open."""
    if not isinstance(turn.decision.action, actions.Click):
        return previous
    element = turn.view.element(turn.decision.action.element)
    return element.name if element and element.role in _OPENS_MENU else ""


class _LabelReader:
    """Reads the labels of one attempt."""

    def __init__(self, own_names: frozenset[str], locale: str) -> None:
        self._own_names = own_names
        self._searchable_names = tuple(word for word in own_names if len(word) >= _MIN_OWN_WORD)
        self._locale = locale
        self._cached_label = cache(self._label)  # the same ones stand on page after page
        self._cached_path = cache(self._path)

    def labels(self, view: Observation, menu: str) -> Iterator[SeenLabel]:
        """Labels of a page; `menu` is the name of the menu that is open on it, if any."""
        for label_arguments in self._named_things(view, menu):
            yield from self._seen_labels(view, *label_arguments)

    def selected_option(self, turn: Turn, task: Task) -> Iterator[SeenLabel]:
        """The option that a turn selected: some lists are never open when a page is observed."""
        match turn.decision.action:
            case actions.Select(element=id, option=option) if turn.performed and turn.performed.ok:
                element = turn.view.element(id)
                if element and element.row is None and option not in task.bindings.values():
                    place = (element.dialog or "", element.name)
                    yield from self._seen_labels(turn.view, *place, "option", option)
            case _:
                pass

    def _seen_labels(
        self, view: Observation, dialog: str, parent: str, role: str, name: str
    ) -> Iterator[SeenLabel]:
        if label := self._cached_label(name):
            locale = view.language.split("-")[0].casefold() or self._locale
            position = (
                locale,
                self._cached_path(view.url),
                self._cached_label(dialog),
                self._cached_label(parent),
            )
            yield SeenLabel(*position, PLACE, "")
            yield SeenLabel(*position, role, label)

    def _named_things(self, view: Observation, menu: str) -> Iterator[tuple[str, str, str, str]]:
        for element in view.elements:
            if element.role == "img" or not self._is_shared(element):
                continue
            dialog = element.dialog or ""
            in_menu = element.region == "menu" or element.role.startswith("menuitem")
            yield dialog, menu if in_menu else "", element.role, element.name
            if element.text and element.row is None:
                yield dialog, "", element.role, element.text
            for option in element.options:
                yield dialog, element.name, "option", option
            for title in (element.section, element.group):
                yield dialog, "", TextKind.HEADING, title
        for text in view.texts:
            if text.kind in _TEXTS and (text.row is None or text.kind is TextKind.COLUMN_HEADER):
                yield text.dialog or "", "", text.kind, text.text

    def _is_shared(self, element: Element) -> bool:
        """Whether its label is the console's own and not about one row."""
        if element.row is None:
            return True
        cells = (cell for cell in element.row.split(" | ") if len(cell) > 1)
        return element.role in _SHARED_ROW_ROLES and not any(cell in element.name for cell in cells)

    def _label(self, name: str) -> str:
        """The label without a trailing count; empty if it is no label of the console."""
        label = _COUNT.sub("", " ".join(name.split()))
        if len(label) > _MAX_LABEL or not _LETTER.search(label) or is_own_name(label):
            return ""
        plain_label = plain(label)
        if plain_label in self._own_names or any(
            word in plain_label for word in self._searchable_names
        ):
            return ""
        return label if without_secrets(label) == label else ""

    def _path(self, url: str) -> str:
        address = urlsplit(url)
        path, fragment = address.path, address.fragment
        path_and_route = path + (f"#{fragment}" if fragment.startswith(("/", "!")) else "")
        return "".join(self._segments(re.split(r"([/:;?&=#])", path_and_route)))

    def _segments(self, parts: Iterable[str]) -> Iterator[str]:
        for segment in parts:
            is_specific = _NUMBER.search(segment) or plain(segment) in self._own_names
            yield "*" if is_specific else segment
