"""How words are kept and said."""

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from markupsafe import Markup

Language: TypeAlias = Literal["en", "zh"]


class Pair(NamedTuple):
    """One thing to say, in both languages. English for one and for many is divided by `|`."""

    en: str
    zh: str


Catalogue: TypeAlias = Mapping[str, Pair]


def merged(*parts: Catalogue) -> Catalogue:
    """One catalogue of several.

    Raises:
        ValueError: Two of them say the same.
    """
    whole: dict[str, Pair] = {}
    for part in parts:
        if twice := whole.keys() & part.keys():
            raise ValueError(f"twice in the catalogue: {', '.join(sorted(twice))}")
        whole |= part
    return whole


class Words:
    """Says things in one language."""

    def __init__(self, language: Language, catalogue: Catalogue) -> None:
        self.language: Language = language
        self._catalogue = catalogue

    def __call__(self, key: str, n: int | None = None, **values: object) -> str:
        """The text of a key.

        Args:
            key: Of the catalogue.
            n: How many: chooses the form, and stands for `{n}`.
            **values: For the braces in the text.

        Raises:
            KeyError: There is no such key, or a value is missing.
        """
        text: str = getattr(self._catalogue[key], self.language)
        if n is not None:
            one, _, many = text.partition("|")
            text = many if many and n != 1 else one
            values["n"] = f"{n:,}"
        if any(isinstance(value, Markup) for value in values.values()):
            text = Markup(text)  # noqa: S704 - the catalogue is ours; `format` escapes the rest
        return text.format(**values)

    def has(self, key: str) -> bool:
        """Whether there is such a key."""
        return key in self._catalogue
