"""The secrets that this process has read, so that none of them is ever said again.

Whoever reads one (a password, a key, the secret of a signature or of a second factor) calls
`learn` with it where it is read; what writes logs asks for texts without them. They are kept in
memory only, for as long as the process lives: a text may hold one long after it was used.
"""

import html
import json
import re
from threading import Lock
from urllib.parse import quote, quote_plus

from appliance.core.jsonable import Json

MASK = "***"
_SHORT = 4
"""A secret of fewer characters is masked where it stands alone only: it is part of many words."""


class _Known:
    def __init__(self) -> None:
        # Invariant: `pattern` is made of all that is in `secrets`.
        self.lock = Lock()
        self.secrets: set[str] = set()
        self.pattern: re.Pattern[str] | None = None


_known = _Known()


def learn(secret: str) -> str:
    """Remember a secret that was read, and hand it on."""
    if secret and secret not in _known.secrets:
        with _known.lock:
            _known.secrets.add(secret)
            forms = {form for one in _known.secrets for form in _forms(one)}
            longest_first = sorted(forms, key=lambda form: (-len(form), form))
            _known.pattern = re.compile("|".join(map(_alone_if_short, longest_first)))
    return secret


def without_secrets(text: str) -> str:
    """The text with every known secret masked, also where it is quoted or escaped."""
    pattern = _known.pattern
    return pattern.sub(MASK, text) if pattern else text


def masked(value: Json) -> Json:
    """JSON with every known secret in its texts masked; its keys are ours."""
    match value:
        case str():
            return without_secrets(value)
        case list():
            return [masked(item) for item in value]
        case dict():
            return {key: masked(item) for key, item in value.items()}
        case _:
            return value


def _forms(secret: str) -> set[str]:
    """As it stands in an address, in JSON, in a `repr` and in a page."""
    return {
        secret,
        quote(secret, errors="surrogatepass"),
        quote(secret, safe="", errors="surrogatepass"),
        quote_plus(secret, errors="surrogatepass"),
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        repr(secret)[1:-1],
        repr(secret.encode("utf-8", "backslashreplace"))[2:-1],
        html.escape(secret),
    }


def _alone_if_short(form: str) -> str:
    escaped = re.escape(form)
    return rf"(?<!\w){escaped}(?!\w)" if len(form) < _SHORT else escaped
