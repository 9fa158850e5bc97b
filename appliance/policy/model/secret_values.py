"""The values to use, as the model may see them: it types a secret without ever being shown it."""

import re
from collections.abc import Mapping

from appliance.core.secrets import FOR_A_DAY_S, MASK, learn, without_secrets
from appliance.language import values
from appliance.language.words import one_of

_SECRET = re.compile(
    one_of(values.SECRETS.en, values.SECRETS.zh),
    re.IGNORECASE,
)
_ABOUT_SECRETS = re.compile(
    rf"\b(?:{one_of(values.ABOUT_SECRETS.en)})\b|{one_of(values.ABOUT_SECRETS.zh)}",
    re.IGNORECASE,
)
"""What is said of a secret is none: its name, its length."""
_LONG = 6
"""Characters from which on a value is masked wherever it stands; shorter ones mean other things,
too."""


class Values:
    """Bindings with their secrets replaced by names."""

    def __init__(self, bindings: Mapping[str, str]) -> None:
        self._by_name = {
            _name(label): value for label, value in bindings.items() if _hides(label, value)
        }
        learn_marked(bindings)
        self.shown = tuple(
            (label, _name(label) if _hides(label, value) else value)
            for label, value in bindings.items()
        )
        """Labels and values as the prompt tells them."""

    def real(self, text: str) -> str:
        """The text with the names of secrets replaced by their values, as it is typed."""
        for name, value in self._by_name.items():
            text = text.replace(name, value)
        return text


def learn_marked(bindings: Mapping[str, str]) -> None:
    """Remember the values of bindings that are secrets by name: a page may show what was typed."""
    for label, value in bindings.items():
        if len(value) < _LONG or value == _name(label) or _SECRET.fullmatch(value):
            continue
        if _is_secret(label):
            learn(value, for_s=FOR_A_DAY_S)


def shown_values(bindings: Mapping[str, str]) -> dict[str, str]:
    """The bindings as a model may see them: secrets as the names by which it types them."""
    return dict(Values(bindings).shown)


def unmarked(bindings: Mapping[str, str]) -> dict[str, str]:
    """The bindings without the values of those that are secrets by name, for storage."""
    return {label: MASK if _is_secret(label) else value for label, value in bindings.items()}


def _name(label: str) -> str:
    return f"<secret:{label}>"


def _hides(label: str, value: str) -> bool:
    return _is_secret(label) or without_secrets(value) != value


def _is_secret(label: str) -> bool:
    return bool(_SECRET.search(label)) and not _ABOUT_SECRETS.search(label)
