"""Remembers what the pages of an attempt have shown, as a model may be too kind to the text."""

import re
from collections.abc import Iterator

from appliance.core.page import Element, Observation
from appliance.core.procedure import Field, InlineRole, Sentence, Step
from appliance.language.names import plain

_NAVIGATION_REGIONS = frozenset({"navigation", "menu", "menubar", "banner", "tree"})
_CONTROL_NOUN = re.compile(
    r"\s+(?:(?:tool|side)?bar|button|icon|check ?box|drop-?down(?: list| menu)?|(?:text|combo) ?box"
    r"|dialog(?: box)?)$"
    r"|(?:栏|按钮|图标|复选框|下拉框|输入框|文本框|对话框)$",
    re.IGNORECASE,
)
"""What a control is, and no part of its name: "the **Search Bar**"."""
_LINK_ROLES = frozenset({"link", "menuitem", "treeitem"})


def is_navigation(element: Element) -> bool:
    """Whether the element only leads through the console."""
    return element.role in _LINK_ROLES and element.region in _NAVIGATION_REGIONS


class Witness:
    """Every text seen on a control or page so far."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._texts: set[str] = set()
        self._navigation_names: set[str] = set()
        self._button_names: set[str] = set()

    def see(self, view: Observation) -> None:
        """Take in a page."""
        for e in view.elements:
            labels = (e.name, e.text, e.value, e.group, e.section, e.placeholder, e.column)
            self._names.update(plain(text) for text in (*labels, *e.options) if text)
        self._navigation_names.update(plain(e.name) for e in view.elements if is_navigation(e))
        self._button_names.update(plain(e.name) for e in view.elements if e.role == "button")
        self._texts.update(plain(block.text) for block in view.texts)
        self._texts.update(plain(text) for text in (view.title, *view.dialogs))

    def unseen(self, step: Step) -> tuple[str, ...]:
        """The labels of a step that no page has shown, with or without the noun of the control."""
        return tuple(label for label in labels_of(step) if not self._has_control(label))

    def _has_control(self, label: str) -> bool:
        bare = _CONTROL_NOUN.sub("", label)
        return self._has(plain(label)) or bool(bare and bare != label and self._has(plain(bare)))

    def knows_navigation(self, label: str) -> bool:
        """Whether a link of that name led through the console."""
        return plain(label) in self._navigation_names

    def knows_button(self, label: str) -> bool:
        """Whether there was a button of that name."""
        return plain(label) in self._button_names

    def has_shown(self, words: str) -> bool:
        """Whether a page had these words."""
        return self._has(plain(words))

    def _has(self, label: str) -> bool:
        if not label or label in self._names or label in self._texts:
            return True
        return any(label in text for text in self._texts)


def labels_of(step: Step) -> tuple[str, ...]:
    """The labels that the step itself names, each once."""
    return tuple(dict.fromkeys(_labels(step)))


def _labels(step: Step) -> Iterator[str]:
    for part in step.body:
        if isinstance(part, Field):
            yield from (label.text for label in part.labels[:1])
        elif isinstance(part, Sentence):
            for inline in part.inlines:
                if inline.role is InlineRole.MENU_PATH:
                    yield from inline.parts
                elif inline.role is InlineRole.UI_LABEL:
                    yield inline.text
