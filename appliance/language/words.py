"""Sets of words of one meaning, and patterns made from them."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """Words of one meaning, in both languages."""

    en: tuple[str, ...]
    zh: tuple[str, ...]

    @property
    def both(self) -> frozenset[str]:
        """The words of both languages."""
        return frozenset((*self.en, *self.zh))

    def __add__(self, other: "Words") -> "Words":
        """The words of both meanings."""
        return Words((*self.en, *other.en), (*self.zh, *other.zh))


def words(en: str, zh: str = "") -> Words:
    """Build `Words` from alternatives separated by bars: `go to|go`."""
    return Words(_alternatives(en), _alternatives(zh))


def one_of(*lists: Iterable[str]) -> str:
    """A pattern for any of the words, tried in order."""
    return "|".join(word for words in lists for word in words)


def longest_first(words: Iterable[str]) -> tuple[str, ...]:
    """The words, longest first, so that `go to` is tried before `go`."""
    return tuple(sorted(set(words), key=lambda word: (-len(word), word)))


def in_text(text: str) -> tuple[str, ...]:
    """The words of a text, in order."""
    return tuple(text.split())


def _alternatives(text: str) -> tuple[str, ...]:
    return tuple(text.split("|")) if text else ()
