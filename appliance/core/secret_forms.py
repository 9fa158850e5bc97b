"""How a secret may stand in a text: quoted, escaped, encoded, in other case."""

import html
import json
import re
from base64 import b64encode
from collections.abc import Iterator
from functools import lru_cache
from unicodedata import normalize
from urllib.parse import quote, quote_plus

SHORT = 4
"""A secret of fewer characters is masked where it stands alone only: it is part of many words."""
WRAPPED = 6
"""From so many characters on it is found with line breaks in it, in other case, and encoded."""
_ESCAPE = re.compile("%[0-9A-F]{2}")
_INITIAL = re.compile(r"(?<!\w)[^\W\d_]")
"""What `text-transform: capitalize` changes."""
_BITS = 6
"""Of one character in base 64."""


@lru_cache(maxsize=512)
def forms_of(secret: str) -> frozenset[str]:
    """As it stands in an address, in JSON, in a `repr`, in a page, in a header."""
    forms = {secret, *_escapes(secret)}
    if len(secret) >= WRAPPED:
        for composition in ("NFC", "NFD"):  # mostly the same
            one = normalize(composition, secret)
            forms |= {one, *_escapes(one)}
        forms |= {case(form) for form in forms for case in (str.upper, str.lower)}
        forms |= {_INITIAL.sub(_in_capitals, secret), secret[0].upper() + secret[1:]}
        forms |= set(_encodings(secret))
    return frozenset(filter(None, forms))


def is_telling(text: str) -> bool:
    """Whether a text is no word or number of its own right: long, and of several kinds."""
    kinds = sum(bool(re.search(kind, text)) for kind in (r"[^\W\d_]", r"\d", r"[\W_]"))
    return len(text) >= WRAPPED and kinds > 1


def _in_capitals(match: re.Match[str]) -> str:
    return match[0].upper()


def _escapes(secret: str) -> Iterator[str]:
    for safe in ("/", ""):
        yield (quoted := quote(secret, safe=safe, errors="surrogatepass"))
        yield _ESCAPE.sub(lambda escape: escape[0].lower(), quoted)
    yield quote_plus(secret, errors="surrogatepass")
    yield json.dumps(secret)[1:-1]
    yield json.dumps(secret, ensure_ascii=False)[1:-1]
    yield repr(secret)[1:-1]
    yield repr(secret.encode("utf-8", "backslashreplace"))[2:-1]
    yield html.escape(secret)
    yield html.escape(secret, quote=False)
    yield html.escape(secret, quote=False).replace('"', "&quot;")
    yield secret.replace("&", "&amp;").replace('"', "&quot;")


def _encodings(secret: str) -> Iterator[str]:
    """In hexadecimal and base 64: what is the same whatever stands around it, and as the end."""
    data = secret.encode("utf-8", "surrogatepass")
    yield data.hex()
    for before in range(3):
        whole = b64encode(b"\0" * before + data).decode()
        first = -(-before * 8 // _BITS)
        for inner in (whole[first : (before + len(data)) * 8 // _BITS], whole[first:]):
            yield inner
            yield inner.replace("+", "-").replace("/", "_")
