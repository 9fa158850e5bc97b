"""Other words for the texts of the console, drawn from `words.yaml`."""

import re
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from appliance.practice.catalogue import Catalogue, Text
from appliance.practice.loading import read_source

_FILE = Path(__file__).with_name("words.yaml")


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:  # Any: YAML of our own
    return read_source(_FILE).data


def new_fields() -> dict[str, dict[str, Any]]:  # Any: fields of the catalogue, checked later
    """Fields that a product could have as well, by name."""
    return dict(_data()["fields"])


class NewWords:
    """Draws texts that no place of the catalogue has yet."""

    def __init__(self, catalogue: Catalogue, random: Random) -> None:
        self._random = random
        self._used = {
            language: {text for text in _texts(catalogue.model_dump(mode="json"), language)}
            for language in ("en", "zh")
        }

    def renamed(self, text: Text, languages: tuple[str, ...]) -> dict[str, str] | None:
        """Another label in some languages; None where no word comes to mind."""
        new_labels = {
            language: self._other(text.in_language(language), language) for language in languages
        }
        return {k: v for k, v in new_labels.items() if v} if all(new_labels.values()) else None

    def one_of(self, sort: str, languages: tuple[str, ...]) -> dict[str, str]:
        """A message, remark or acknowledgement."""
        index = self._random.randrange(len(_data()["en"][sort]))
        choices = {language: _data()[language][sort] for language in languages}
        return {language: texts[index % len(texts)] for language, texts in choices.items()}

    def languages(self) -> tuple[str, ...]:
        """The languages in which something changes: one, the other, or both."""
        return self._random.choice((("en",), ("zh",), ("en", "zh")))

    def _other(self, text: str, language: str) -> str | None:
        candidates = list(_with_other_words(text, language))
        self._random.shuffle(candidates)
        patterns = list(_data()[language]["patterns"])
        self._random.shuffle(patterns)
        candidates += [p.format(text=text, lower=_lower(text)) for p in patterns]
        for candidate in candidates:
            if candidate.casefold() not in self._used[language]:
                self._used[language].add(candidate.casefold())
                return candidate
        return None


def _with_other_words(text: str, language: str) -> list[str]:
    texts = []
    for word, others in _data()[language]["words"].items():
        pattern = rf"\b{word}\b" if language == "en" else word
        for other in others:
            if re.search(pattern, text, re.IGNORECASE):
                texts.append(re.sub(pattern, other, text, count=1, flags=re.IGNORECASE))
    return [one[0].upper() + one[1:] if text[0].isupper() else one for one in texts]


def _lower(text: str) -> str:
    """A label inside another: "Size" becomes "size", "DNS zones" stays."""
    return text if text[1:2].isupper() else text[0].lower() + text[1:]


def _texts(value: object, language: str) -> list[str]:
    if isinstance(value, dict):
        if isinstance(value.get(language), str):
            return [value[language].casefold()]
        return [text for inner in value.values() for text in _texts(inner, language)]
    if isinstance(value, (list, tuple)):
        return [text for inner in value for text in _texts(inner, language)]
    return []
