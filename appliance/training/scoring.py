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
"""What is said of an outcome."""
_SAID_FREELY = frozenset({"complete", "unachievable", "hand_over", "request_resource"})
"""Kinds of actions whose argument is said in words of one's own."""


class ScoredAnswer(NamedTuple):
    """What counts of an answer."""

    action: tuple[str, ...]
    """Kind, element and value."""
    untrue: frozenset[tuple[str, str]]
    """Steps of which it is noted that the text is not true, and how."""


def scored(answer: str) -> ScoredAnswer | None:
    """What counts of an answer in either form; None: it is none."""
    answer = answer.strip()
    return _of_json(answer) if answer.startswith("{") else _of_words(answer)


def is_exact(answer: str, right: str) -> bool:
    """Whether it does, or says, just what the right one does."""
    if right in (YES, NO):
        return answer.strip() == right
    said, wanted = scored(answer), scored(right)
    return said is not None and wanted is not None and said.action == wanted.action


def _of_words(answer: str) -> ScoredAnswer | None:
    found = _SHORT.fullmatch(answer)
    if found is None:
        return None
    untrue = frozenset(_UNTRUE.findall(found["untrue"]))
    if found["step"] is None:
        return ScoredAnswer(("complete",), untrue)
    return ScoredAnswer((found["verb"], found["rest"]), untrue)


def _of_json(answer: str) -> ScoredAnswer | None:
    try:
        said = json.loads(answer)
        deed = said["action"]
        notes = said.get("notes") or []
        untrue = frozenset(
            (str(n["step"]), str(n.get("kind"))) for n in notes if n["matched"] in _FAILING
        )
        kind = str(deed["kind"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    if kind in _SAID_FREELY:
        return ScoredAnswer((kind,), untrue)
    rest = sorted((k, json.dumps(v, sort_keys=True)) for k, v in deed.items() if k != "kind")
    return ScoredAnswer((kind, *(f"{k}={v}" for k, v in rest)), untrue)


_FAILING = frozenset({"differs", "missing"})
