"""What a procedure's text marks, quotes or counts: on a page, these words are never left out."""

import re
from collections.abc import Iterable, Iterator

from appliance.core.jsonable import Json, to_jsonable
from appliance.core.procedure import Procedure

_QUOTED = re.compile(r"[\"“「『]([^\"“”「」『』]{1,80})[\"”」』]")
_NUMBER = re.compile(r"\d+")
_LATIN = "[a-z0-9]"
_SHORTEST = 2
"""A mark of one character ("×") is found anywhere."""


class Phrases:
    """The marked or quoted phrases and the numbers of one procedure."""

    def __init__(self, procedure: Procedure) -> None:
        plain = to_jsonable(procedure)
        texts = [text for text in _texts(plain) if text.strip()]
        marked = {" ".join(text.split()) for text in _marked(plain)}
        marked |= {quoted for text in texts for quoted in _QUOTED.findall(text)}
        self.phrases = tuple(sorted(p for p in marked if len(p) >= _SHORTEST))
        """Marked or quoted stretches."""
        self.numbers = frozenset[str]().union(*map(numbers, texts))
        """Every number of the text."""
        self._folded = tuple((p, p.casefold()) for p in self.phrases)
        self._words = {p: re.compile(rf"(?<!{_LATIN}){re.escape(f)}(?!{_LATIN})")
                       for p, f in self._folded}  # fmt: skip

    def within(self, texts: Iterable[str]) -> frozenset[str]:
        """The phrases that occur in any of these texts as separate words."""
        joined = "\n".join(texts).casefold()
        return frozenset(
            p for p, f in self._folded if f in joined and self._words[p].search(joined)
        )


def numbers(text: str) -> frozenset[str]:
    """Every number in a text, digit by digit."""
    return frozenset(_NUMBER.findall(text))


def _texts(value: Json) -> Iterator[str]:
    """Everything that a reader reads: sentences, code, captions, conditions."""
    match value:
        case dict():
            for name, item in value.items():
                if isinstance(item, str) and name in ("text", "caption", "condition"):
                    yield item
                elif name != "checks":
                    yield from _texts(item)
        case list():
            for item in value:
                yield from _texts(item)


def _marked(value: Json) -> Iterator[str]:
    """Marked stretches, and the parts of menu paths."""
    match value:
        case dict():
            if "role" in value and isinstance(text := value.get("text"), str):
                yield text
                parts = value.get("parts")
                yield from (
                    (p for p in parts if isinstance(p, str)) if isinstance(parts, list) else ()
                )
            for name, item in value.items():
                if name != "checks":
                    yield from _marked(item)
        case list():
            for item in value:
                yield from _marked(item)
