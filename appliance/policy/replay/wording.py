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
_PLACEHOLDER = re.compile(r"\$\{([^}]*)\}")


def is_time(words: str) -> bool:
    """Whether a text is a date or a time, and nothing else."""
    return bool(re.fullmatch(rf"(?:(?:{_DATE}|{_TIME}|{_AGO})[\s,]*)+", words))


class BindingForm(NamedTuple):
    """A bound value with its variable parts replaced."""

    form: str
    """Without what differs from attempt to attempt; equal to the value where nothing does."""
    same_as: str
    """The first binding of equal value: replay wants what was equal to be equal again."""


class Wording:
    """Rewrites the texts of one attempt without what is specific to it."""

    def __init__(self, task: Task) -> None:
        phrases = self.procedure_phrases = Phrases(task.procedure)
        self._forms: dict[str, str] = {}
        """A cache of forms by text: successive pages have much in common."""
        unique_value = {"unique": task.unique} if task.unique else {}
        self.bindings = _binding_forms(task.bindings, _Pattern(unique_value, phrases))
        """What is bound, in the order of the names."""
        attempt_values = unique_value | {
            name: task.bindings[name]
            for name, binding in self.bindings.items()
            if binding.form != task.bindings[name] and binding.same_as == name
        }
        self._things = frozenset(attempt_values)
        attempt_values |= {"username": task.username, "project": task.project}
        attempt_values |= {"sample_file": task.sample_file}
        if task.unique:
            attempt_values["made_up_password"] = task.made_up_password
        self._values = {name: value for name, value in attempt_values.items() if value}
        constant = [
            binding.form for name, binding in self.bindings.items() if name not in attempt_values
        ]
        self._pattern = _Pattern(self._values, phrases, constant)

    def text(self, words: str) -> str:
        """A name or a text; numbers that the procedure does not mention are replaced as well."""
        if (form := self._forms.get(words)) is None:
            form = self._forms[words] = self._pattern.sub(words, is_count=True)
        return form

    def phrases(self, texts: Iterable[str]) -> frozenset[str]:
        """Phrases of the procedure that occur in the texts, outside of times, ids and values."""
        return self.procedure_phrases.within(map(self.text, texts))

    def value(self, words: str) -> str:
        """A value or an option; its numbers are kept."""
        return self._pattern.sub(words, is_count=False)

    def template(self, words: str) -> str | None:
        """A text to type or report again, with known values replaced by placeholders.

        None if it cannot be repeated: it holds an id or a time of unknown origin.
        """
        if _OPENING in words:
            return None
        template = self._pattern.name_values(words)
        fixed_text = _PLACEHOLDER.sub("", template)
        has_varying = re.search(f"{_ID}|{_DATE}|{_TIME}", fixed_text)
        return None if has_varying and not self._pattern.has_phrase(fixed_text) else template

    def is_one_value(self, template: str) -> bool:
        """Whether a template is one known value and nothing else."""
        placeholder = _PLACEHOLDER.fullmatch(template)
        return placeholder is not None and placeholder[1] in self._values

    def note(self, words: str) -> str:
        """A remark for the report: only known values are replaced, whatever else it contains."""
        return self._pattern.name_values(words.replace(_OPENING, "$ {"))

    def fill(self, template: str) -> str:
        """The template with the values of this attempt."""
        return _PLACEHOLDER.sub(lambda match: self._values.get(match[1], match[0]), template)

    def things(self, form: str) -> tuple[str, ...]:
        """The names of this attempt's own values that occur in a form."""
        return tuple(n for n in _PLACEHOLDER.findall(form) if n in self._things)


def _binding_forms(bindings: Mapping[str, str], pattern: "_Pattern") -> dict[str, BindingForm]:
    first_names: dict[str, str] = {}
    for name in sorted(bindings):
        first_names.setdefault(bindings[name], name)
    return {
        name: BindingForm(pattern.sub(bindings[name], is_count=False), first_names[bindings[name]])
        for name in sorted(bindings)
    }


class _Pattern:
    """Replaces known values first, so that none is taken for an id, then ids, times and numbers."""

    def __init__(
        self, values: Mapping[str, str], phrases: Phrases, constant: Sequence[str] = ()
    ) -> None:
        by_length = sorted(values.items(), key=lambda item: (-len(item[1]), item[0]))
        self._names: dict[str, str] = {}
        for name, value in by_length:
            self._names.setdefault(value, name)
        value_pattern = "|".join(
            re.escape(value) if name == "unique" else _bounded(value)
            for value, name in self._names.items()
        )
        self._numbers = phrases.numbers.union(*(numbers(value) for value in constant))
        self._numbered_phrases = [p for p in phrases.phrases if any(c.isdigit() for c in p)]
        phrase_pattern = "|".join(
            rf"(?<!\d){re.escape(phrase)}(?!\d)"
            for phrase in sorted(self._numbered_phrases, key=len)[::-1]
        )
        self._value_pattern = re.compile(value_pattern or r"(?!)")
        self._token_pattern = re.compile(
            rf"(?P<known>\$\{{[^}}]*\}})|(?P<said>{phrase_pattern or '(?!)'})"
            f"|(?P<own>{_DATE}|{_TIME}|{_AGO}|{_ID})|(?P<number>{_NUMBER})"
        )

    def sub(self, words: str, *, is_count: bool) -> str:
        def replace_match(match: re.Match[str]) -> str:
            text = match.group()
            match match.lastgroup:
                case "own":
                    return "#"
                case "number" if is_count and not numbers(text) <= self._numbers:
                    return "#"
            return text

        return self._token_pattern.sub(
            replace_match, self.name_values(words.replace(_OPENING, "$ {"))
        )

    def name_values(self, words: str) -> str:
        return self._value_pattern.sub(lambda match: f"${{{self._names[match.group()]}}}", words)

    def has_phrase(self, words: str) -> bool:
        """Whether the procedure itself contains these words."""
        return any(words.strip() in phrase for phrase in self._numbered_phrases)


def _bounded(value: str) -> str:
    """A pattern for the value as a word of its own: "bob" does not match in "Bobcat"."""
    return f"{_IN_WORD}{re.escape(value)}{_OUT_WORD}"
