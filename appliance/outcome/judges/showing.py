"""The case as a judge sees it: what others wrote in fences, shortened to what a model takes."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from appliance.browser import LEGEND
from appliance.core.fencing import command_quotes, commanded, escaped, fence
from appliance.core.tokens import estimate_tokens
from appliance.inference.messages import Message, image_part
from appliance.outcome.judges.case import JudgedCase, JudgedTurn
from appliance.outcome.judges.prompts import render

_MAX_TOKENS = 12_000
"""Of a case, also where more would fit: several judges read it."""
_MIN_TOKENS = 400
"""Of a case, below which it tells nothing."""
_PARTS = {"procedure": 0.2, "actions": 0.3, "page": 0.4}
"""How much of it each part may take; what is left goes to values, titles and our own words."""
_BEGINNING_SHARE = 0.6
"""Part of a shortened text that is its beginning; the rest is its end."""
_LONGEST_LINE = 400
"""Characters of one recorded action or message."""
_TRIES = 8
"""Each takes a text at least a tenth down; estimates of a part are not exact."""

_ACTION = re.compile(r"\d+\. step ")
_LONGEST_TOKEN = 8
"""Characters of a token of prose, with room; a longer text is cut before its tokens are counted."""

ORDERS = {
    "witness": ("page", "actions", "procedure"),
    "sceptic": ("actions", "page", "procedure"),
    "reader": ("procedure", "actions", "page"),
}
"""In which order each role sees the evidence."""


@dataclass(frozen=True, slots=True)
class ShownEvidence:
    """What one judge was shown."""

    messages: tuple[Message, ...]
    quotable: str
    """What stands between <actions> and <page>: all that may be quoted."""
    observed: str
    """What the console showed of it; the rest is what the policy did, and proves nothing."""
    before: str
    """What stood on the page before anything was done."""
    suspicious: tuple[str, ...]
    """Lines of it that tell an assistant or a judge what to do: no evidence."""


class PromptBudget(NamedTuple):
    """How much a judge can be shown."""

    tokens: int
    has_picture: bool


def show_case(case: JudgedCase, role: str, language: str, budget: PromptBudget) -> ShownEvidence:
    """The messages for one judge.

    `budget` are tokens of all messages together, without the picture.
    """
    system = render(language, "system", role=role, legend=LEGEND[language])
    total_tokens = min(max(budget.tokens - estimate_tokens(system), _MIN_TOKENS), _MAX_TOKENS)
    page = shorten(escaped(case.final_text), int(total_tokens * _PARTS["page"]))
    actions = shorten(_actions_text(case.turns), int(total_tokens * _PARTS["actions"]))
    small_share = int(total_tokens * 0.05)
    values = "\n".join(f"{name}: {value}" for name, value in sorted(case.bindings.items()))
    shown_by_console = "\n".join(line for line in actions.splitlines() if not _ACTION.match(line))
    quotable, observed = f"{actions}\n{page}", f"{shown_by_console}\n{page}"
    text = render(
        language,
        "case",
        title=_line(case.title),
        procedure=fence(shorten(case.text, int(total_tokens * _PARTS["procedure"])), "procedure"),
        expected=fence(shorten(case.expected, small_share), "procedure") if case.expected else "",
        values=fence(shorten(values, small_share), "values") if values else "",
        actions=fence(actions, "actions"),
        page=fence(page, "page"),
        suspicious=command_quotes(observed),
        has_picture=budget.has_picture,
        order=ORDERS[role],
    )
    content: object = text
    if budget.has_picture and case.final_picture is not None:
        content = [{"type": "text", "text": text}, image_part(case.final_picture)]
    messages = ({"role": "system", "content": system}, {"role": "user", "content": content})
    before = escaped(case.first_text)
    return ShownEvidence(messages, quotable, observed, before, commanded(observed))


def shorten(text: str, tokens: int) -> str:
    """The text in about so many tokens, with what was left out said."""
    if len(text) <= tokens // 2:  # a token is half a character at worst
        return text
    shortened, at_most = text, len(text)
    if at_most > tokens * _LONGEST_TOKEN:
        at_most = tokens * _LONGEST_TOKEN
        shortened = _ends_of(text, at_most)
    for _ in range(_TRIES):
        estimate = estimate_tokens(shortened)
        if estimate <= tokens:
            break
        at_most = int(at_most * min(tokens / estimate, 0.9))
        shortened = _ends_of(text, at_most)
    return shortened


def _ends_of(text: str, at_most: int) -> str:
    head = int(at_most * _BEGINNING_SHARE)
    left_out = f"\n[… {len(text) - at_most} characters are left out …]\n"
    return text[:head] + left_out + text[len(text) - (at_most - head) :]


def _actions_text(turns: tuple[JudgedTurn, ...]) -> str:
    """The actions, numbered, each with what the console said then."""
    lines = []
    for number, turn in enumerate(turns, start=1):
        failed = "" if turn.is_ok else " (failed)"
        lines.append(_line(f"{number}. step {turn.step or '-'}: {turn.action}{failed}"))
        lines.append(_line(f"   on: {turn.title} {turn.url}"))
        lines += [_line(f"   the console says: {notice}") for notice in turn.notices]
        lines += [_line(f"   error: {error}") for error in turn.errors]
    return "\n".join(lines)


def _line(text: str) -> str:
    indent = len(text) - len(text.lstrip(" "))
    words = " " * indent + " ".join(text.split())
    return escaped(words if len(words) <= _LONGEST_LINE else f"{words[:_LONGEST_LINE]}…")
