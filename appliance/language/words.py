"""How words of one meaning are kept, and how patterns take them."""

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
    """Words written as in a pattern: `go to|go`."""
    return Words(_parted(en), _parted(zh))


def one_of(*lists: Iterable[str]) -> str:
    """A pattern for any of them, tried in their order."""
    return "|".join(word for words in lists for word in words)


def longest_first(words: Iterable[str]) -> tuple[str, ...]:
    """The words, none behind one that it begins with: `go to` before `go`."""
    return tuple(sorted(set(words), key=lambda word: (-len(word), word)))


def in_text(text: str) -> tuple[str, ...]:
    """The words of a text, in order."""
    return tuple(text.split())


def _parted(text: str) -> tuple[str, ...]:
    return tuple(text.split("|")) if text else ()
