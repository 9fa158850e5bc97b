"""Recognises personal data in training samples by its form, and replaces it."""

import re

from appliance.core.secrets import without_secrets

_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"(?<![\w.:/-])\+\d{1,3}[ -]?(?:\(?\d{1,4}\)?[ -]?){2,5}\d{2,4}(?![\w.:/-])")
_PERSON = "person{n}@mail.example"
_NUMBER = "+99 555 {n:04d}"


class Masking:
    """Replaces what is personal, and the same thing by the same words: an answer copies a prompt.

    Known secrets are masked as everywhere; what a task was given as a secret stands as its name.
    """

    def __init__(self) -> None:
        self._pseudonyms: dict[str, str] = {}

    def __call__(self, text: str) -> str:
        """Return the text with personal data replaced."""
        text = _MAIL.sub(lambda match: self._pseudonym(match[0], _PERSON), without_secrets(text))
        return _PHONE.sub(lambda match: self._pseudonym(match[0], _NUMBER), text)

    def _pseudonym(self, original: str, template: str) -> str:
        return self._pseudonyms.setdefault(original, template.format(n=len(self._pseudonyms) + 1))
