"""What an attempt's pages call things, without what people called theirs."""

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
_IN_ROWS = frozenset({"button", "menuitem", "combobox", "switch"})
"""What rows have in common; links and the texts in them are names and values of things."""
_OPENS_MENU = frozenset({"button", "link", "menuitem", "combobox", "tab"})
_LONGEST = 80
_SHORTEST = 3
"""Of people's words, to be looked for inside of labels: shorter ones are in every word."""
_NUMBER = re.compile(r"\d")
_COUNT = re.compile(r"\s*[(（]\d+[)）]$")
_LETTER = re.compile(r"[^\W\d_]")


def labels_of(trajectory: Trajectory, task: Task, locale: str) -> frozenset[SeenLabel]:
    """All of them, each once."""
    reader = _Reader(_own_words(trajectory, task), locale)
    opened, found = "", set[SeenLabel]()
    for turn in trajectory.turns:
        found.update(reader.labels(turn.view, opened))
        found.update(reader.chosen(turn, task))
        opened = _opened(turn, opened)
    return frozenset(found)


def _own_words(trajectory: Trajectory, task: Task) -> frozenset[str]:
    """What was typed, who was logged in, and how the things in lists are called."""
    own = {task.unique, task.username, task.project}
    own |= {value for value in task.bindings.values() if is_own_name(value)}
    for turn in trajectory.turns:
        if isinstance(turn.decision.action, actions.Type):
            own.add(turn.decision.action.text)
        own |= {e.name for e in turn.view.elements if e.row is not None and e.role == "link"}
        own |= {
            text.text
            for text in turn.view.texts
            if text.row is not None and text.row.split(" | ")[0] == text.text
        }
    return frozenset(filter(None, map(plain, own)))


def _opened(turn: Turn, before: str) -> str:
    """What was clicked last: the menu that stands open then, if one does."""
    if not isinstance(turn.decision.action, actions.Click):
        return before
    element = turn.view.element(turn.decision.action.element)
    return element.name if element and element.role in _OPENS_MENU else ""


class _Reader:
    """Of one attempt."""

    def __init__(self, own: frozenset[str], locale: str) -> None:
        self._own = own
        self._inside = tuple(word for word in own if len(word) >= _SHORTEST)
        self._locale = locale
        self._kept = cache(self._label)  # the same ones stand on page after page
        self._page = cache(self._path)

    def labels(self, view: Observation, opened: str) -> Iterator[SeenLabel]:
        """Those of a page; `opened` is the menu that stands open on it, if one does."""
        for named in self._named(view, opened):
            yield from self._seen(view, *named)

    def chosen(self, turn: Turn, task: Task) -> Iterator[SeenLabel]:
        """An option that was chosen: some lists are never open when a page is looked at."""
        match turn.decision.action:
            case actions.Select(element=id, option=option) if turn.performed and turn.performed.ok:
                element = turn.view.element(id)
                if element and element.row is None and option not in task.bindings.values():
                    place = (element.dialog or "", element.name)
                    yield from self._seen(turn.view, *place, "option", option)
            case _:
                pass

    def _seen(
        self, view: Observation, dialog: str, parent: str, role: str, name: str
    ) -> Iterator[SeenLabel]:
        if kept := self._kept(name):
            locale = view.language.split("-")[0].casefold() or self._locale
            where = (locale, self._page(view.url), self._kept(dialog), self._kept(parent))
            yield SeenLabel(*where, PLACE, "")
            yield SeenLabel(*where, role, kept)

    def _named(self, view: Observation, opened: str) -> Iterator[tuple[str, str, str, str]]:
        for element in view.elements:
            if element.role == "img" or not self._is_shared(element):
                continue
            dialog = element.dialog or ""
            in_menu = element.region == "menu" or element.role.startswith("menuitem")
            yield dialog, opened if in_menu else "", element.role, element.name
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
        """Whether it is the console's, not a row's."""
        if element.row is None:
            return True
        cells = (cell for cell in element.row.split(" | ") if len(cell) > 1)
        return element.role in _IN_ROWS and not any(cell in element.name for cell in cells)

    def _label(self, name: str) -> str:
        """The label, without the number of things behind it; empty: it is not one."""
        label = _COUNT.sub("", " ".join(name.split()))
        if len(label) > _LONGEST or not _LETTER.search(label) or is_own_name(label):
            return ""
        shown = plain(label)
        if shown in self._own or any(word in shown for word in self._inside):
            return ""
        return label if without_secrets(label) == label else ""

    def _path(self, url: str) -> str:
        address = urlsplit(url)
        path, fragment = address.path, address.fragment
        whole = path + (f"#{fragment}" if fragment.startswith(("/", "!")) else "")
        return "".join(self._segments(re.split(r"([/:;?&=#])", whole)))

    def _segments(self, parts: Iterable[str]) -> Iterator[str]:
        for part in parts:
            is_own = _NUMBER.search(part) or plain(part) in self._own
            yield "*" if is_own else part
