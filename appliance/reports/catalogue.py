"""Texts of reports and pages: a YAML file for each language, and how one of them is filled in."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Literal, TypeAlias, get_args

from markupsafe import Markup

from appliance.system.yaml import load

Language: TypeAlias = Literal["en", "zh"]
Texts: TypeAlias = Mapping[str, str]


class Words:
    """The texts of one language."""

    def __init__(self, language: Language, texts: Texts) -> None:
        self.language: Language = language
        self._texts = texts

    def __call__(self, key: str, n: int | None = None, **values: object) -> str:
        """The text of a key.

        Args:
            key: Of the catalogue.
            n: How many: chooses the form before or behind the `|`, and stands for `{n}`.
            **values: For the braces in the text.

        Raises:
            KeyError: There is no such key, or a value is missing.
        """
        text = self._texts[key]
        if n is not None:
            one, _, many = text.partition("|")
            text = many if many and n != 1 else one
            values["n"] = f"{n:,}"
        if any(isinstance(value, Markup) for value in values.values()):
            text = Markup(text)  # noqa: S704 - the catalogue is ours; `format` escapes the rest
        return text.format(**values)

    def has(self, key: str) -> bool:
        """Whether there is such a key."""
        return key in self._texts


@cache
def load_catalogue(*packages: str) -> Mapping[Language, Texts]:
    """The texts of several packages, each of which has `texts/en.yaml` and `texts/zh.yaml`.

    Raises:
        ValueError: A key stands in two packages, or the languages differ in keys or placeholders.
    """
    catalogue: dict[Language, Texts] = {}
    for language in get_args(Language):
        texts: dict[str, str] = {}
        for package in packages:
            added = load((files(package) / "texts" / f"{language}.yaml").read_text("utf-8"))
            if twice := texts.keys() & added.keys():
                raise ValueError(f"twice in the catalogue: {', '.join(sorted(twice))}")
            texts |= added
        catalogue[language] = texts
    check_catalogue(catalogue)
    return catalogue


def check_catalogue(catalogue: Mapping[Language, Texts]) -> None:
    """Hold the languages against each other.

    Raises:
        ValueError: A key is missing in one of them, or a text has other placeholders.
    """
    english, chinese = catalogue["en"], catalogue["zh"]
    if missing := english.keys() ^ chinese.keys():
        raise ValueError(f"in one language only: {', '.join(sorted(missing))}")
    for key, text in english.items():
        forms = text.split("|")
        optional = {"n"} if len(forms) > 1 else set()
        for form in forms:
            if differing := (_placeholders(form) ^ _placeholders(chinese[key])) - optional:
                raise ValueError(f"{key}: one language only has {', '.join(sorted(differing))}")


def _placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}
