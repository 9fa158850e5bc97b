"""Compare the words of a text with the words on a page."""

import re
import unicodedata
from collections.abc import Iterator
from enum import IntEnum
from functools import lru_cache

from rapidfuzz import fuzz

from appliance.language import verbs


class How(IntEnum):
    """How a name on a page matches the words of a text; from `SUBSET` on it is a divergence."""

    EXACT = 0  # but for case, trailing colon, asterisk, ellipsis, icons
    HINTED = 1  # but for a hint in brackets, "(optional)"
    PUNCTUATION = 2  # but for punctuation and spaces
    NUMBER = 3  # but for one and many
    SUBSET = 4  # one's words are all among the other's
    SYNONYM = 5  # the same but for a usual synonym
    SIMILAR = 6  # by edit distance
    STRUCTURE = 7  # by its place alone: the only primary button of the dialog

    @property
    def is_strict(self) -> bool:
        """Whether a reader takes it for the same name."""
        return self <= How.HINTED

    @property
    def is_small(self) -> bool:
        """Whether a reader finds it at once despite a small difference."""
        return self in (How.PUNCTUATION, How.NUMBER)


_TRAIL = re.compile(r"[\s:：*＊…›»→▾▼⌄+.]+$|\.{3}$")
_LEAD = re.compile(r"^[\s+*＋‹«←•]+(?=\S)")
_HINT = re.compile(r"\s*[(（](optional|required|可选|必填)[)）]", re.IGNORECASE)
_SYNONYMS = tuple(frozenset(g) for words in verbs.SYNONYMS for g in (words.en, words.zh) if g)
_OTHER_VERBS = verbs.OTHERS_ON_CONTROLS.both
_STOP = frozenset({"the", "a", "an", "of", "for", "to", "in", "on", "and", "or", "new", "your"})


@lru_cache(maxsize=8192)
def plain(text: str) -> str:
    """Normalise a name: case, width, icons and leading and trailing marks removed."""
    text = unicodedata.normalize("NFKC", text)
    text = "".join(c for c in text if unicodedata.category(c) not in ("Co", "So", "Cf"))
    text = re.sub(r"\s+", " ", text).strip().casefold().replace("&", "and")
    text = _TRAIL.sub("", text)
    return _LEAD.sub("", text)


_JOINED = re.compile(r"\s*(?:,|/|\band\b|与|和|及)\s*")


def is_part(label: str, name: str) -> bool:
    """Whether a label is one part of a compound name: "Locations" of "Locations & Taxes"."""
    parts = [p for p in _JOINED.split(plain(name)) if p]
    return len(parts) > 1 and plain(label) in parts and verb_of(label) is None


@lru_cache(maxsize=8192)
def words(text: str) -> frozenset[str]:
    """The words of a name; a run of Chinese characters yields its pairs of characters."""
    result: set[str] = set()
    for run in re.findall(r"[a-z0-9]+|[\u4e00-\u9fff]+", plain(text)):
        if run[0] < "\u4e00":
            result.add(run)
        else:
            result.update(run[i : i + 2] for i in range(max(1, len(run) - 1)))
    return frozenset(result)


def same(a: str, b: str) -> bool:
    """Whether a reader takes both for the same name."""
    how = compare(a, b)
    return how is not None and how.is_strict


@lru_cache(maxsize=65536)
def compare(wanted: str, shown: str) -> How | None:
    """How `shown` matches `wanted`; None if it does not."""
    a, b = plain(wanted), plain(shown)
    if not a or not b:
        return None
    if a == b:
        return How.EXACT
    if plain(_HINT.sub("", b)) == plain(_HINT.sub("", a)):
        return How.HINTED
    if squeezed(a) and squeezed(a) == squeezed(b):
        return How.PUNCTUATION
    if _singular_text(a) == _singular_text(b):
        return How.NUMBER
    return _loosely(a, b)


def _loosely(a: str, b: str) -> How | None:
    if _unified(a) & _unified(b) == _unified(a) | _unified(b) and _unified(a):
        return How.SYNONYM
    wa, wb = words(a) - _STOP, words(b) - _STOP
    if wa and wb and (wa <= wb or wb <= wa):
        return How.SUBSET
    if len(a) >= 4 and fuzz.ratio(a, b) >= 88:
        return How.SIMILAR
    return How.SIMILAR if _does_the_same(a, b) else None


def _does_the_same(a: str, b: str) -> bool:
    """Whether both name the same action on a similar object: "Import Key Pair", "Import Key"."""
    verb = verb_of(a)
    if verb is None or verb != verb_of(b):
        return False
    shared = (words(a) & words(b)) - _STOP
    return len(shared) >= 2 and fuzz.token_sort_ratio(a, b) >= 70


@lru_cache(maxsize=8192)
def verb_of(text: str) -> str | None:
    """The verb that a name begins with, equal for synonyms; None if it begins with none."""
    name = plain(text)
    first = name.split(" ")[0]
    for group in _SYNONYMS:
        if first in group or any(v >= "\u4e00" and name.startswith(v) for v in group):
            return min(group)
    if first in _OTHER_VERBS:
        return first
    return next((v for v in _OTHER_VERBS if v >= "\u4e00" and name.startswith(v)), None)


_GERUND = re.compile(r"(?P<stem>[a-z]+)ing (?P<rest>.+)", re.IGNORECASE)


_ASKED = re.compile(r"^how (?:to|do (?:i|you|we)|can (?:i|you|we)) |\?$", re.IGNORECASE)


def imperatives(title: str) -> Iterator[str]:
    """The title, and for a gerund ("Creating a bucket") its possible imperatives."""
    title = _ASKED.sub("", title)
    yield title
    if gerund := _GERUND.fullmatch(title):
        stem, rest = gerund.group("stem", "rest")
        undoubled = stem[:-1] if stem[-2:-1] == stem[-1] else stem
        yield from (f"{verb} {rest}" for verb in (stem, f"{stem}e", undoubled))


def verb_of_task(title: str) -> str | None:
    """The verb of a task's title, as `verb_of`; also that of "Creating a bucket"."""
    return next((verb for imperative in imperatives(title) if (verb := verb_of(imperative))), None)


def says_change(title: str) -> bool:
    """Whether a title speaks of something that is different afterwards."""
    first_words = {plain(imperative).partition(" ")[0] for imperative in imperatives(title)}
    is_set_up = bool(first_words & _SET_UP) or any(
        plain(title).startswith(v) for v in verbs.SET_UP.zh
    )
    return is_set_up or verb_of_task(title) in _CHANGE_VERBS


_SET_UP = frozenset(verbs.SET_UP.en)
_CHANGE_VERBS = frozenset(map(verb_of, (verbs.CREATES + verbs.DELETES + verbs.EDITS).both))


@lru_cache(maxsize=8192)
def is_telling(text: str) -> bool:
    """Whether a name is specific enough to identify a page: "Add" and "Name" are anywhere."""
    return len(words(text) - _STOP) >= 2


@lru_cache(maxsize=65536)
def key(text: str) -> str:
    """A key that is equal for names that match up to `How.NUMBER`."""
    return _singular_text(plain(_HINT.sub("", plain(text))))


def is_own_name(text: str) -> bool:
    """Whether it looks like an identifier: `web-1`, `10.0.0.0/16`, `t2.micro`."""
    has_shape = re.fullmatch(r"[\w.@/:+-]+", text) and re.search(r"\d", text)
    return bool(has_shape and re.search(r"[-_.@/:]|^\d+$", text))


def closeness(wanted: str, shown: str) -> float:
    """Similarity from 0 to 1, to rank loose matches of the same kind."""
    return fuzz.token_sort_ratio(plain(wanted), plain(shown)) / 100


@lru_cache(maxsize=8192)
def singular_of(word: str) -> str:
    """The singular of an English word."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "xes", "shes", "tches", "nches", "rches")):
        return word[:-2]
    is_plural = word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3
    return word[:-1] if is_plural else word


def singular_words(text: str) -> frozenset[str]:
    """The words of a name in the singular."""
    return frozenset(singular_of(w) if len(w) > 3 else w.rstrip("s") for w in words(text))


def _singular_text(name: str) -> str:
    return "".join(map(singular_of, re.split(r"[\W_]+", name)))


def squeezed(text: str) -> str:
    """Letters and digits only, so that `wrong-size` equals "wrong size"."""
    return re.sub(r"[\W_]+", "", text)


def _unified(text: str) -> frozenset[str]:
    """The words of a text, with each synonym replaced by the first of its group."""
    result = set()
    for word in words(text) - (_STOP - {"new"}):
        for group in _SYNONYMS:
            if word in group:
                result.add(min(group))
                break
        else:
            result.add(word)
    return frozenset(result)
