"""The engine's sentences in Chinese, for reports and pages: `texts/sentences.yaml` says how.

What is stored stays English, and nothing is decided by what is said here.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from string import Formatter
from typing import NamedTuple

from appliance.reports.catalogue import Language
from appliance.system.yaml import load

LONGEST = 4_000
"""Characters of what is translated; what is longer stays as it is."""
_MOST, _DEEPEST = 100, 6
"""Sentences of a text, and sentences within sentences."""
_QUOTED = r"""(?:"[^"]*"|'[^']*')"""
_VALUES = {
    "": ".*?",
    "word": r"\S+?",
    "role": r"\S+?",
    "number": r"\d[\d.,]*?",
    "repr": r"""(?:'.*?'|".*?")""",
    "names": f"{_QUOTED}(?:, {_QUOTED})*",
    "phrase": ".+?",
    "known": ".+?",
}
_JOINT = re.compile(rf"(?<!\w){_QUOTED}(?!\w)|(; )")
"""What joins two sentences; not within quotes."""


class Entry(NamedTuple):
    """A template, and what stands for it."""

    pattern: re.Pattern[str]
    kinds: Mapping[str, str]
    """Of the values, by name."""
    chinese: str
    is_sentence: bool
    """Whether it may stand alone."""


def in_chinese(text: str) -> str | None:
    """Sentences of the engine in Chinese; None where none of them is known."""
    return _translate(text, _DEEPEST) if len(text) <= LONGEST else None


def spoken(text: str, language: Language) -> str:
    """A sentence of the engine in a reader's language, as far as it is known there."""
    return (in_chinese(text) if language == "zh" else None) or text


@lru_cache(maxsize=2048)
def _translate(text: str, depth: int) -> str | None:
    """All sentences of a text; among them, what is not known stays as it is."""
    cuts = [joint for joint in _JOINT.finditer(text) if joint[1]]
    starts, ends = [0, *(c.end() for c in cuts)], [*(c.start() for c in cuts), len(text)]
    parts = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    translations = [_sentence(part, depth) for part in parts] if len(parts) <= _MOST else []
    if not any(translations):
        return None
    return "；".join(chinese or part for chinese, part in zip(translations, parts, strict=True))


def _sentence(text: str, depth: int) -> str | None:
    for entry in catalogue():
        match = entry.pattern.match(text) if entry.is_sentence or depth < _DEEPEST else None
        if (
            match is not None
            and (values := _fill_placeholders(entry, match, depth - 1)) is not None
        ):
            return entry.chinese.format(**values)
    return None


def _fill_placeholders(entry: Entry, match: re.Match[str], depth: int) -> dict[str, str] | None:
    """What is put into the braces; None: one of them is not what it has to be."""
    values = match.groupdict()
    for name, kind in entry.kinds.items():
        text = values[name]
        match kind:
            case "repr":
                values[name] = text[1:-1]
            case "names":
                values[name] = "、".join(
                    f"“{quoted[1:-1]}”" for quoted in re.findall(_QUOTED, text)
                )
            case "role" | "phrase" | "known":
                chinese = _translate(text, depth) if depth else None
                if chinese is None and kind == "known":
                    return None
                values[name] = chinese or text
    return values


@cache
def catalogue() -> tuple[Entry, ...]:
    """What is known; what has the most words of its own comes first."""
    text = (files("appliance.reports") / "texts" / "sentences.yaml").read_text("utf-8")
    pairs = [
        (english, chinese, section == "sentences")
        for section, entries in load(text).items()
        for english, chinese in entries.items()
    ]
    return tuple(
        _entry(*pair) for pair in sorted(pairs, key=lambda pair: -_template_letters(pair[0]))
    )


def _template_letters(template: str) -> int:
    return sum(len(literal) for literal, *_ in Formatter().parse(template))


def _entry(english: str, chinese: str, is_sentence: bool) -> Entry:
    """A value ends where the words behind it first stand: nothing is tried in two ways."""
    parts = list(Formatter().parse(english))
    kinds = {name: kind or "" for _, name, kind, _ in parts if name}
    pattern, behind = re.escape(parts[0][0]), [re.escape(literal) for literal, *_ in parts[1:]]
    for (name, kind), words in zip(kinds.items(), [*behind, ""][: len(kinds)], strict=True):
        end = r"\Z" if name == list(kinds)[-1] else ""
        pattern += f"(?>(?P<{name}>{_VALUES[kind]}){words}{end})"
    return Entry(re.compile(rf"{pattern}\Z", re.DOTALL), kinds, chinese, is_sentence)
