"""Texts without what differs from attempt to attempt: made-up names, bound values, ids, times.

A value of the attempt becomes `${name}`; what else changes by itself becomes `#`. What the
procedure says itself is left as it stands, so that no claim of the text can hide behind a `#`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from appliance.language.values import UNITS_OF_TIME
from appliance.language.words import one_of
from appliance.policy.base import Task
from appliance.policy.replay.phrases import Phrases, numbers

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
_DATE = (
    rf"\d{{1,2}} {_MONTH} \d{{4}}|{_MONTH} \d{{1,2}},? \d{{4}}|\d{{4}}-\d{{2}}-\d{{2}}T?"
    r"|\d{4}[年/]\d{1,2}[月/]\d{1,2}日?|\d{1,2}/\d{1,2}/\d{4}"
)
_TIME = r"\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[AaPp]\.?[Mm]\b\.?| ?(?:UTC|GMT)\b|Z\b)?"
_AGO = (
    rf"\b(?:\d+|an?|one|a few|less than a) (?:{one_of(UNITS_OF_TIME.en)})s?(?: ago)\b|\bjust now\b"
    rf"|\d+ ?(?:{one_of(UNITS_OF_TIME.zh)})前|刚刚"
)
_ID = (
    r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
    r"|\b[a-z_]{1,16}-(?=[a-f]*\d)[0-9a-f]{8,}\b|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,}\b"
    r"|(?<![\w/+=-])(?=[\w/+=-]*\d)(?=[\w/+=-]*[A-Za-z])[\w/+=-]{16,}"
)
_NUMBER = r"\d+(?:[.,]\d+)*"
_IN_WORD = r"(?<![A-Za-z0-9])"
_OUT_WORD = r"(?![A-Za-z0-9])"
_OPENING = "${"


def is_time(words: str) -> bool:
    """Whether a text is a date or a time, and nothing else."""
    return bool(re.fullmatch(rf"(?:(?:{_DATE}|{_TIME}|{_AGO})[\s,]*)+", words))


class Varying(NamedTuple):
    """A bound value, and whether it is another in every attempt."""

    form: str
    """Without what differs from attempt to attempt; equal to the value where nothing does."""
    same_as: str
    """The first binding of equal value: replay wants what was equal to be equal again."""


class Wording:
    """How the texts of one attempt read without what is its own."""

    def __init__(self, task: Task) -> None:
        said = self.said = Phrases(task.procedure)
        self._forms: dict[str, str] = {}
        """Of texts that were seen already: pages have much in common."""
        own = {"unique": task.unique} if task.unique else {}
        self.bindings = _varying(task.bindings, _Pattern(own, said))
        """What is bound, in the order of the names."""
        known = own | {
            name: task.bindings[name]
            for name, bound in self.bindings.items()
            if bound.form != task.bindings[name] and bound.same_as == name
        }
        self._things = frozenset(known)
        known |= {"username": task.username, "project": task.project}
        known |= {"sample_file": task.sample_file}
        self._values = {name: value for name, value in known.items() if value}
        constant = [one.form for name, one in self.bindings.items() if name not in known]
        self._pattern = _Pattern(self._values, said, constant)

    def text(self, words: str) -> str:
        """A name or a text: numbers that the procedure does not say are left out as well."""
        if (form := self._forms.get(words)) is None:
            form = self._forms[words] = self._pattern.sub(words, is_count=True)
        return form

    def phrases(self, texts: Iterable[str]) -> frozenset[str]:
        """What the procedure says, in texts: not in their times, ids and values."""
        return self.said.within(map(self.text, texts))

    def value(self, words: str) -> str:
        """A value or an option: its numbers stay."""
        return self._pattern.sub(words, is_count=False)

    def template(self, words: str) -> str | None:
        """A text to be typed or told again: only known values are replaced.

        None where it cannot be told again: it holds an id or a time that is known from nowhere.
        """
        if _OPENING in words:
            return None
        template = self._pattern.known(words)
        rest = re.sub(r"\$\{[^}]*\}", "", template)
        is_own = re.search(f"{_ID}|{_DATE}|{_TIME}", rest)
        return None if is_own and not self._pattern.says(rest) else template

    def note(self, words: str) -> str:
        """A remark for the report: known values are replaced, whatever else is in it."""
        return self._pattern.known(words.replace(_OPENING, "$ {"))

    def fill(self, template: str) -> str:
        """The words of this attempt for a template of another."""
        return re.sub(
            r"\$\{([^}]*)\}", lambda found: self._values.get(found[1], found[0]), template
        )

    def things(self, form: str) -> tuple[str, ...]:
        """The names of this attempt's own values in a text's form: what it is about."""
        return tuple(n for n in re.findall(r"\$\{([^}]*)\}", form) if n in self._things)


def _varying(bindings: Mapping[str, str], own: "_Pattern") -> dict[str, Varying]:
    first: dict[str, str] = {}
    for name in sorted(bindings):
        first.setdefault(bindings[name], name)
    return {
        name: Varying(own.sub(bindings[name], is_count=False), first[bindings[name]])
        for name in sorted(bindings)
    }


class _Pattern:
    """Known values first, so that none is taken for an id; then what changes by itself."""

    def __init__(
        self, values: Mapping[str, str], said: Phrases, constant: Sequence[str] = ()
    ) -> None:
        by_length = sorted(values.items(), key=lambda item: (-len(item[1]), item[0]))
        self._names: dict[str, str] = {}
        for name, value in by_length:
            self._names.setdefault(value, name)
        known = "|".join(
            re.escape(value) if name == "unique" else _bounded(value)
            for value, name in self._names.items()
        )
        self._numbers = said.numbers.union(*(numbers(value) for value in constant))
        self._said = [p for p in said.phrases if any(c.isdigit() for c in p)]
        kept = "|".join(
            rf"(?<!\d){re.escape(phrase)}(?!\d)" for phrase in sorted(self._said, key=len)[::-1]
        )
        self._known = re.compile(known or r"(?!)")
        self._whole = re.compile(
            rf"(?P<known>\$\{{[^}}]*\}})|(?P<said>{kept or '(?!)'})"
            f"|(?P<own>{_DATE}|{_TIME}|{_AGO}|{_ID})|(?P<number>{_NUMBER})"
        )

    def sub(self, words: str, *, is_count: bool) -> str:
        def put(found: re.Match[str]) -> str:
            text = found.group()
            match found.lastgroup:
                case "own":
                    return "#"
                case "number" if is_count and not numbers(text) <= self._numbers:
                    return "#"
            return text

        return self._whole.sub(put, self.known(words.replace(_OPENING, "$ {")))

    def known(self, words: str) -> str:
        return self._known.sub(lambda found: f"${{{self._names[found.group()]}}}", words)

    def says(self, words: str) -> bool:
        """Whether the procedure gives these words."""
        return any(words.strip() in phrase for phrase in self._said)


def _bounded(value: str) -> str:
    """A value as it stands alone: "bob" is not in "Bobcat", and "vol-1" not in "vol-12"."""
    return f"{_IN_WORD}{re.escape(value)}{_OUT_WORD}"
