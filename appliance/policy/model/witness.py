"""What the pages of an attempt have shown: a model may be too kind to the text."""

import re
from collections.abc import Iterator

from appliance.core.page import Element, Observation
from appliance.core.procedure import Field, InlineRole, Sentence, Step
from appliance.language.names import plain

_WAYS = frozenset({"navigation", "menu", "menubar", "banner", "tree"})
_KIND = re.compile(
    r"\s+(?:(?:tool|side)?bar|button|icon|check ?box|drop-?down(?: list| menu)?|(?:text|combo) ?box"
    r"|dialog(?: box)?)$"
    r"|(?:栏|按钮|图标|复选框|下拉框|输入框|文本框|对话框)$",
    re.IGNORECASE,
)
"""What a control is, and no part of its name: "the **Search Bar**"."""
_LEADING = frozenset({"link", "menuitem", "treeitem"})


def is_way(element: Element) -> bool:
    """Whether it leads through the console, and does nothing else."""
    return element.role in _LEADING and element.region in _WAYS


class Witness:
    """Everything that was written on a control or page so far."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._texts: set[str] = set()
        self._ways: set[str] = set()
        self._buttons: set[str] = set()

    def see(self, view: Observation) -> None:
        """Take in a page."""
        for e in view.elements:
            said = (e.name, e.text, e.value, e.group, e.section, e.placeholder, e.column)
            self._names.update(plain(text) for text in (*said, *e.options) if text)
        self._ways.update(plain(e.name) for e in view.elements if is_way(e))
        self._buttons.update(plain(e.name) for e in view.elements if e.role == "button")
        self._texts.update(plain(block.text) for block in view.texts)
        self._texts.update(plain(text) for text in (view.title, *view.dialogs))

    def unseen(self, step: Step) -> tuple[str, ...]:
        """The labels of a step that no page has shown, with or without what kind of thing it is."""
        return tuple(label for label in labels_of(step) if not self._has_control(label))

    def _has_control(self, label: str) -> bool:
        bare = _KIND.sub("", label)
        return self._has(plain(label)) or bool(bare and bare != label and self._has(plain(bare)))

    def knows_way(self, label: str) -> bool:
        """Whether a link of that name led through the console."""
        return plain(label) in self._ways

    def knows_button(self, label: str) -> bool:
        """Whether there was a button of that name."""
        return plain(label) in self._buttons

    def has_shown(self, words: str) -> bool:
        """Whether a page had these words."""
        return self._has(plain(words))

    def _has(self, label: str) -> bool:
        if not label or label in self._names or label in self._texts:
            return True
        return any(label in text for text in self._texts)


def labels_of(step: Step) -> tuple[str, ...]:
    """What the step itself names in the console, each once."""
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
