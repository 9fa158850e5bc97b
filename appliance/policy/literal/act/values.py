"""Values for what the text leaves open: from the checks' bindings, from the text, or made up."""

import math
import re
from datetime import UTC, datetime

from appliance.core.page import Bounds, Element
from appliance.language import nouns
from appliance.language.names import plain, singular_words, words
from appliance.policy.base import Task

_GENERIC = frozenset(
    {
        "name",
        "new",
        "of",
        "for",
        "the",
        "a",
        "an",
        "id",
        "one",
        "more",
        "brief",
        "unique",
        "名称",
        "新",
        "or",
        "and",
        "it",
    }
)
_OWNED = re.compile(
    r"['’]s? (?P<own>(?!(?:own|current|details?|page|name|title|row|entry|card|link|profile"
    r"|record)\b)\w.*)$"
)
"""The owned things, which are not the owner: "orders" in "the customer's orders"."""
_EMPTY_OPTION = re.compile(
    r"^$|^-+$|^\(.*\)$|^(?:select|choose|please|no\b|none|any\b|请选择|选择|无)", re.IGNORECASE
)


def _is_name(text: str) -> bool:
    return bool(nouns.NAMES.both & words(text))


_MOMENTS = {
    "date": "%Y-%m-%d",
    "datetime-local": "%Y-%m-%dT12:00",
    "month": "%Y-%m",
    "week": "%G-W%V",
    "time": "12:00",
}
"""How the types of fields for days and times write today's noon."""
_YEAR = re.compile(r"\byear\b|年份")
_DATE = re.compile(r"\bdate\b|\byyyy\b|日期")


def _moment(element: Element, description: str) -> str | None:
    """Today, as the field takes it; None for a field of something else."""
    written = _MOMENTS.get(element.type)
    if written is None and _YEAR.search(description):
        written = "%Y"
    elif written is None and _DATE.search(description):
        written = _MOMENTS["date"]
    return datetime.now(tz=UTC).strftime(written) if written else None


def _within(value: str, bounds: Bounds | None) -> str:
    """The value, or the next one that the field says it takes."""
    if bounds is None:
        return value
    if re.fullmatch(r"\d+", value) and (bounds.least is not None or bounds.most is not None):
        least = -math.inf if bounds.least is None else bounds.least
        most = math.inf if bounds.most is None else bounds.most
        nearest = min(max(float(value), least), most)
        return f"{nearest:.12g}"
    return value[-bounds.max_length :].lstrip("- ") if bounds.max_length else value


class Values:
    """Looks up and makes values; remembers what was typed where."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._bound = {plain(k): v for k, v in task.bindings.items()}
        self.assigned: dict[str, str] = {}
        """What was typed, by plain label, in order."""

    def bound_to(self, *labels: str) -> str | None:
        """The value bound to a field's label; words such as "name" may differ."""
        for label in labels:
            if plain(label) in self._bound:
                return self._bound[plain(label)]
        for label in labels:
            label_words = words(label) - _GENERIC
            for key, value in self._bound.items():
                if (
                    label_words
                    and words(key) - _GENERIC == label_words
                    and _is_name(key) == _is_name(label)
                ):
                    return value
        return None

    def for_phrase(self, phrase: str) -> str | None:
        """The value bound to an unmarked phrase ("name for the router"), by the words in common."""
        if plain(phrase) in self._bound:
            return self._bound[plain(phrase)]
        phrase_words = words(phrase) - {"of", "for"}
        best: tuple[int, str] | None = None
        for key, value in self._bound.items():
            key_words = words(key)
            fits = (
                key_words
                and key_words <= phrase_words
                and (key_words - _GENERIC)
                and _is_name(key) == _is_name(phrase)
            )
            if fits and (best is None or len(key_words) > best[0]):
                best = (len(key_words), value)
        return best[1] if best else None

    def row_key(self, thing: str) -> str | None:
        """The text that identifies the row of a thing ("volume", "default security group")."""
        names = [thing, thing.rstrip("s"), re.sub(r"^(?:name|id) of ", "", thing)]
        for name in names:
            if plain(name) in self._bound:
                return self._bound[plain(name)]
        owned = _OWNED.search(thing)
        thing_words = singular_words(owned["own"] if owned else thing) - _GENERIC
        best: tuple[int, str] | None = None
        for key, value in self._bound.items():
            key_words = singular_words(key) - _GENERIC
            overlap = len(key_words & thing_words)
            if (
                overlap
                and (key_words <= thing_words or thing_words <= key_words)
                and (best is None or overlap > best[0])
            ):
                best = (overlap, value)
        if best:
            return best[1]
        only_value = self._only_value_of_kind(thing_words)
        return only_value if only_value or owned else self._last_entered_name(thing_words, thing)

    def _only_value_of_kind(self, thing_words: frozenset[str]) -> str | None:
        """The only value that a general word for a person or a thing can mean; None if several."""
        keys = {key: singular_words(key) for key in self._bound}
        if thing_words and thing_words <= nouns.PEOPLE.both:
            keys = {
                key: key_words for key, key_words in keys.items() if key_words & nouns.PEOPLE.both
            }
        elif not thing_words or not thing_words <= nouns.ANYTHING.both:
            return None
        return self._bound[next(iter(keys))] if len(keys) == 1 else None

    def _last_entered_name(self, thing_words: frozenset[str], thing: str) -> str | None:
        """The name last entered in this procedure for a thing of that kind."""
        kind = singular_words(re.split(r" (?:for|of|in|on|to) ", thing)[0])
        is_made = bool(kind & singular_words(" ".join(self._task.procedure.title_path)))
        for label, value in reversed(self.assigned.items()):
            label_words = singular_words(label)
            if label_words & thing_words or (
                is_made and label_words & nouns.NAMES.both and label_words <= _GENERIC
            ):
                return value
        return None

    def all_values(self) -> tuple[str, ...]:
        """All bound and entered values."""
        return (*self._bound.values(), *self.assigned.values())

    def remember(self, label: str, value: str) -> None:
        """Remember what was entered."""
        self.assigned[plain(label)] = value

    def make_up(self, element: Element, label: str = "", thing: str = "") -> str:
        """A plausible value for the field's type and label, within the bounds that it states."""
        return _within(self._plausible(element, label, thing), element.bounds)

    def _plausible(self, element: Element, label: str, thing: str) -> str:
        description = f"{label} {thing} {element.name} {element.placeholder}".casefold()
        unique = self._task.unique
        if element.options:
            return next(
                (o for o in element.options if not _EMPTY_OPTION.match(o.strip())),
                element.options[-1],
            )
        if element.type == "email" or "mail" in description or "邮箱" in description:
            return f"docs-{unique}@example.com"
        if element.type == "password" or "password" in description or "密码" in description:
            return self._task.made_up_password
        if re.search(r"user ?name|\blogin\b|用户名|登录名", description):
            return f"docs{unique}"  # letters and digits: few consoles take more
        if moment := _moment(element, description):
            return moment
        if element.type == "number" or element.role == "spinbutton":
            return "1"
        if element.type == "url" or re.search(r"\burl\b", description):
            return "http://example.com/"
        if re.search(r"cidr|network address|subnet|网段", description):
            return "10.99.0.0/24"
        if re.search(r"name|id\b|identifier|名|标识", description):
            return f"docs-check-{unique}"
        return f"docs check {unique}"
