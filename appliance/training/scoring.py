"""Whether an answer is the right one: the same action, whatever is said around it.

Used by the trainer's process, too: nothing is imported but the standard library.
"""

import json
import re
from typing import NamedTuple

_SHORT = re.compile(
    r"(?P<untrue>(?:untrue \S+ \w+; )*)"
    r"(?:done|(?P<step>\S+) (?P<verb>click|check|uncheck|type|select) (?P<rest>.+))"
)
_UNTRUE = re.compile(r"untrue (\S+) (\w+); ")
YES, NO = "yes", "no"
"""The answers to a question about an outcome."""
_FREE_TEXT_KINDS = frozenset({"complete", "unachievable", "hand_over", "request_resource"})
"""Kinds of actions whose argument is said in words of one's own."""


class ScoredAnswer(NamedTuple):
    """What counts of an answer."""

    action: tuple[str, ...]
    """Kind, element and value."""
    untrue: frozenset[tuple[str, str]]
    """Steps of which it is noted that the text is not true, and how."""


def parse_answer(answer: str) -> ScoredAnswer | None:
    """Parse an answer of either form; None if it is not a valid answer."""
    answer = answer.strip()
    return _parse_json(answer) if answer.startswith("{") else _parse_short(answer)


def is_exact(answer: str, right_answer: str) -> bool:
    """Whether it does, or says, just what the right one does."""
    if right_answer in (YES, NO):
        return answer.strip() == right_answer
    given, expected = parse_answer(answer), parse_answer(right_answer)
    return given is not None and expected is not None and given.action == expected.action


def _parse_short(answer: str) -> ScoredAnswer | None:
    match = _SHORT.fullmatch(answer)
    if match is None:
        return None
    untrue = frozenset(_UNTRUE.findall(match["untrue"]))
    if match["step"] is None:
        return ScoredAnswer(("complete",), untrue)
    return ScoredAnswer((match["verb"], match["rest"]), untrue)


def _parse_json(answer: str) -> ScoredAnswer | None:
    try:
        data = json.loads(answer)
        action = data["action"]
        notes = data.get("notes") or []
        untrue = frozenset(
            (str(note["step"]), str(note.get("kind")))
            for note in notes
            if note["matched"] in _UNTRUE_MATCHES
        )
        kind = str(action["kind"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    if kind in _FREE_TEXT_KINDS:
        return ScoredAnswer((kind,), untrue)
    arguments = sorted((k, json.dumps(v, sort_keys=True)) for k, v in action.items() if k != "kind")
    return ScoredAnswer((kind, *(f"{k}={v}" for k, v in arguments)), untrue)


_UNTRUE_MATCHES = frozenset({"differs", "missing"})
