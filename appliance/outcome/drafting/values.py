"""What a value of an event is to the next attempt: bound, made up, given by the text, or chance."""

import json
import re
from collections.abc import Mapping, Sequence

from appliance.core.checks import as_number
from appliance.core.placeholders import as_written
from appliance.outcome.paths import as_text

UNIQUE = "unique"
_SHORTEST_BOUND = 3
"""Characters: shorter values are equal by chance."""
_SHORTEST_WORD = 3
_MARKUP = re.compile(r"<[^>]*>|[*`_:\-\s]+")
_OFF = re.compile(
    r"\b(?:off|disabled?|untick|clear|deselect|without)\b|关闭|禁用|取消", re.IGNORECASE
)
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


class Values:
    """Writes values of events for rules so that they hold in other attempts too."""

    def __init__(self, bindings: Mapping[str, str], prefer: Sequence[str], text: str) -> None:
        """What is known of the values of an attempt.

        Args:
            bindings: What was bound in it, with `unique`.
            prefer: Names that go before others of the same value.
            text: The documentation, as it stands.
        """
        self._unique = bindings.get(UNIQUE, "")
        order = [*(n for n in prefer if n in bindings), *(n for n in bindings if n not in prefer)]
        self._name_by_value: dict[str, str] = {}
        for name in order:
            value = bindings[name]
            if name != UNIQUE and len(value) >= _SHORTEST_BOUND:
                self._name_by_value.setdefault(value, name)
        self._raw, self._text = text, _plain(text)
        self._has_off = bool(_OFF.search(text))

    def as_rule_value(self, value: object, key: str = "") -> str | None:
        """The value as a rule writes it; None if it will differ in the next attempt."""
        if value is None or value in ("", [], {}):
            return None
        if isinstance(value, list | tuple):
            return self._list(value, key)
        if isinstance(value, Mapping):
            return None
        if isinstance(value, bool):
            is_mentioned = self._mentions(key) and (value or self._has_off)
            return as_text(value) if is_mentioned else None
        text = as_text(value)
        return self.with_names(text) or (as_written(text) if self._is_in_text(text, key) else None)

    def with_names(self, text: str) -> str | None:
        """A bound or made-up value, with names in place of what changes."""
        if text in self._name_by_value:
            return f"${{{self._name_by_value[text]}}}"
        if self._unique and self._unique in text:
            return as_written(text).replace(self._unique, f"${{{UNIQUE}}}")
        return None

    def is_lasting(self, text: str) -> bool:
        """Whether the text contains nothing made up for this attempt."""
        return not self._unique or self._unique not in text

    def _list(self, values: Sequence[object], key: str) -> str | None:
        texts: list[object] = []
        for value in values:
            text = self.as_rule_value(value, key) if not isinstance(value, list | Mapping) else None
            if text is None:
                return None
            is_text = isinstance(value, str)
            texts.append(text if is_text else value)
        return json.dumps(texts, ensure_ascii=False)

    def _is_in_text(self, value: str, key: str) -> bool:
        plain = _plain(value)
        if as_number(plain) is not None:
            match = re.search(rf"(?<![\w.]){re.escape(plain)}(?!\d|\.\d)", self._text)
            return match is not None and (len(plain) > 1 or self._mentions(key))
        if plain.isascii() and len(plain) < _SHORTEST_WORD:  # a code, as MX: not part of prose
            is_code = len(plain) > 1 and value.isupper()
            return is_code and re.search(rf"\b{re.escape(value)}\b", self._raw) is not None
        if plain.isascii():
            words = rf"(?<![a-z0-9]){re.escape(plain)}(?![a-z0-9])"
            return re.search(words, self._text) is not None
        return plain in self._text

    def _mentions(self, key: str) -> bool:
        words = [word.casefold() for word in _CAMEL.findall(key.rsplit(".", 1)[-1])]
        return bool(words) and all(word in self._text for word in words)


def _plain(text: str) -> str:
    """Without markup, in lower case, words separated by single spaces."""
    return _MARKUP.sub(" ", text).strip().casefold()
