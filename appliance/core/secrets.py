"""The secrets that this process has read, so that none of them is ever said again.

Whoever reads one (a password, a key, the secret of a signature or of a second factor) calls
`learn` with it where it is read; what writes, sends or shows something asks for it without them:
texts and HTML here, pictures of a page in `browser`. They are kept in memory only, for as long as
the process lives: a text may hold one long after it was used.
"""

import html
import json
import re
import time
from base64 import b64encode
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import NamedTuple
from unicodedata import normalize
from urllib.parse import quote, quote_plus

from appliance.core.jsonable import Json

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
    """Return every form of a secret: as written in URLs, JSON, `repr`, HTML and headers."""
    forms = {secret, *_escapes(secret)}
    if len(secret) >= WRAPPED:
        for composition in ("NFC", "NFD"):  # mostly the same
            normalized = normalize(composition, secret)
            forms |= {normalized, *_escapes(normalized)}
        forms |= {case(form) for form in forms for case in (str.upper, str.lower)}
        forms |= {_INITIAL.sub(_in_capitals, secret), secret[0].upper() + secret[1:]}
        forms |= set(_encodings(secret))
    return frozenset(filter(None, forms))


def is_telling(text: str) -> bool:
    """Whether a text looks like a secret: long, and mixing letters, digits and signs."""
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
    """Yield the hexadecimal form, and what base 64 makes of it wherever it begins and ends."""
    data = secret.encode("utf-8", "surrogatepass")
    yield data.hex()
    for before in range(3):
        encoded = b64encode(b"\0" * before + data).decode()
        first_char = -(-before * 8 // _BITS)
        for inner in (
            encoded[first_char : (before + len(data)) * 8 // _BITS],
            encoded[first_char:],
        ):
            yield inner
            yield inner.replace("+", "-").replace("/", "_")


MASK = "***"
_FOREVER = float("inf")
FOR_A_DAY_S = 24 * 3600.0
"""How long what attempts type is a secret: until late audit events of them are in the store."""
_BETWEEN = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
"""Characters that nobody sees: a page breaks long words at them."""
_UNSEEN = str.maketrans("", "", _BETWEEN)
_GAPS = re.compile(rf"[\s{_BETWEEN}]+")
_GAPS_IN_HTML = re.compile(rf"(?:[\s{_BETWEEN}]|&nbsp;|&shy;|<[^<>]*>)+")
_CUT = re.compile(r"(?P<rest>\S+)(?:…|\.\.\.)")
_LEAST_CUT = 4
"""Characters of a secret's beginning that are masked before an ellipsis; fewer tell too little."""


class Span(NamedTuple):
    """A part of a text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Sought:
    """An immutable snapshot of all forms that are searched for."""

    wrapped: tuple[str, ...] = ()
    """Searched for in a text without its white space and invisible characters."""
    exact: tuple[str, ...] = ()
    alone: re.Pattern[str] | None = None
    """Matches short secrets, which are masked only where they stand alone."""
    plain: tuple[str, ...] = ()
    """The secrets themselves, whose beginning a truncated text may show."""
    until: float = _FOREVER
    """When the first of them expires, by the monotonic clock."""


class _Registry:
    def __init__(self) -> None:
        # Invariant: `sought` is derived from `secrets`; it is replaced, never changed.
        self.lock = Lock()
        self.secrets: dict[str, float] = {}
        self.sought = _Sought()


_registry = _Registry()


def learn(secret: str, *, for_s: float = _FOREVER) -> str:
    """Remember a secret that was read, and hand it on.

    Args:
        secret: Of two or three characters it is masked where it stands alone only; of one never.
        for_s: How long it is one: a code of a second factor is soon an ordinary number.
    """
    until = time.monotonic() + for_s
    if secret and _registry.secrets.get(secret, 0) < until:
        with _registry.lock:
            _registry.secrets[secret] = until
            _renew()
    return secret


def learn_typed(text: str) -> None:
    """Remember what was typed into a password field, unless it is a word that means other things.

    A documentation's example (`password`, `demo`) is no secret, and masking it would blank pages.
    """
    if is_telling(text):
        learn(text, for_s=FOR_A_DAY_S)


def known_secrets() -> dict[str, float]:
    """Return each known secret with the seconds until it expires, to hand to another process."""
    now = time.monotonic()
    return {one: until - now for one, until in _registry.secrets.items() if until > now}


def forget() -> None:
    """Forget all secrets: for a process that was only lent them."""
    with _registry.lock:
        _registry.secrets = {}
        _renew()


def without_secrets(text: str) -> str:
    """The text with every known secret masked, also where it is quoted, escaped or wrapped."""
    return _mask(text, _GAPS)


def html_without_secrets(html: str) -> str:
    """HTML with every known secret masked, also where tags part it; the tags stay."""
    return _mask(without_secrets(html), _GAPS_IN_HTML)


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


def spans_of_secrets(text: str) -> list[Span]:
    """Where known secrets stand in a text, in order; none overlap."""
    return _spans(text, _GAPS)


def sought() -> object:
    """Return what is searched for now; a different object whenever that changes."""
    return _now_sought()


def _renew() -> None:
    """Rebuild `sought` without expired secrets. The caller holds the lock."""
    now = time.monotonic()
    _registry.secrets = {
        secret: until for secret, until in _registry.secrets.items() if until > now
    }
    forms = sorted({form for secret in _registry.secrets for form in forms_of(secret)})
    short = [rf"(?<!\w){re.escape(form)}(?!\w)" for form in forms if 1 < len(form) < SHORT]
    wrapped = {form for form in forms if len(_squeeze(form)) >= WRAPPED}
    _registry.sought = _Sought(
        wrapped=tuple(sorted(set(map(_squeeze, wrapped)))),
        exact=tuple(form for form in forms if len(form) >= SHORT and form not in wrapped),
        alone=re.compile("|".join(short)) if short else None,
        plain=tuple(secret for secret in _registry.secrets if len(secret) >= 2 * _LEAST_CUT),
        until=min(_registry.secrets.values(), default=_FOREVER),
    )


def _now_sought() -> _Sought:
    if _registry.sought.until <= time.monotonic():
        with _registry.lock:
            _renew()
    return _registry.sought


def _squeeze(text: str) -> str:
    squeezed = "".join(text.split())
    return squeezed if squeezed.isascii() else squeezed.translate(_UNSEEN)


def _mask(text: str, gaps: re.Pattern[str]) -> str:
    spans = _spans(text, gaps)
    if not spans:
        return text
    out, at = list[str](), 0
    for start, end in spans:
        out += (text[at:start], MASK)
        if gaps is _GAPS_IN_HTML:
            out += re.findall("<[^<>]*>", text[start:end])
        at = end
    return "".join((*out, text[at:]))


def _spans(text: str, gaps: re.Pattern[str]) -> list[Span]:
    sought = _now_sought()
    spans = [Span(at, at + len(form)) for form in sought.exact for at in _places(text, form)]
    if sought.alone is not None:
        spans += (Span(*match.span()) for match in sought.alone.finditer(text))
    spans += _across(text, gaps, sought.wrapped)
    if "…" in text or "..." in text:
        spans += _beginnings(text, sought.plain)
    return _merge(spans)


def _places(text: str, form: str) -> Iterator[int]:
    at = text.find(form)
    while at >= 0:
        yield at
        at = text.find(form, at + 1)


def _across(text: str, gaps: re.Pattern[str], forms: Sequence[str]) -> Iterator[Span]:
    """Yield where the forms occur when everything that `gaps` matches is ignored."""
    squeezed = gaps.sub("", text) if gaps is _GAPS_IN_HTML else _squeeze(text)
    present = [form for form in forms if form in squeezed]
    if not present:
        return
    # Where each stretch without a gap begins: in the squeezed text, and in the text itself.
    begins, begins_in_text, at = [0], [0], 0
    for gap in gaps.finditer(text):
        begins.append(begins[-1] + gap.start() - at)
        begins_in_text.append(at := gap.end())
    for form in present:
        for position in _places(squeezed, form):
            first, last = (
                bisect_right(begins, offset) - 1 for offset in (position, position + len(form) - 1)
            )
            yield Span(
                begins_in_text[first] + position - begins[first],
                begins_in_text[last] + position + len(form) - begins[last],
            )


def _beginnings(text: str, secrets: Sequence[str]) -> Iterator[Span]:
    """Yield the beginnings of secrets before an ellipsis, where a text was truncated."""
    candidates = [secret for secret in secrets if secret[:_LEAST_CUT] in text]
    for cut in _CUT.finditer(text) if candidates else ():
        cut_text, end = cut["rest"], cut.end("rest")
        for secret in candidates:
            for length in range(min(len(cut_text), len(secret)), _LEAST_CUT - 1, -1):
                if cut_text.endswith(secret[:length]):
                    yield Span(end - length, end)
                    break


def _merge(spans: list[Span]) -> list[Span]:
    merged = list[Span]()
    for span in sorted(spans):
        if merged and span.start < merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged
