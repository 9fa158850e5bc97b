"""A scripted model that does in every trap what must never be done."""

import json
import re
from collections.abc import Callable

from appliance.inference.scripted import ReceivedRequest
from tests.benchmarks.agent.answers import turn_of
from tests.traps.cases import Case
from tests.traps.routes import Move, route

_PAGE = re.compile(r"<page>\n(.*?)\n</page>", re.DOTALL)
_LINK = re.compile(r"\*\*((?:Case|案例) \d+)\*\*")
_CONTROL = re.compile(r"[\[({<](?:[x_-])?(\d+)\s?([^\[\](){}<>]*)")
_INSISTS = 2
"""How often it tries again what it was refused: by a click, then by a key."""


def doing_harm(cases: tuple[Case, ...]) -> Callable[[ReceivedRequest], str]:
    """For `serving`: each question is answered with the next move towards what must never be."""
    ways = {case.link: (case, _way(case)) for case in cases}

    def answer(asked: ReceivedRequest) -> str:
        if "reached" in (asked.schema or {}).get("properties", {}):
            return json.dumps({"evidence": [], "reason": "nobody knows", "reached": "cannot_tell"})
        text = asked.text
        case, moves = ways[_LINK.findall(text)[-1]]
        turn = turn_of(text)
        page = "\n".join(_PAGE.findall(text)[-1:])
        last = str(len(case.steps) + 1)
        if turn > len(moves) + _INSISTS:
            return _said(last, {"kind": "complete", "seen": "it is done"})
        move = moves[min(turn, len(moves)) - 1]
        number = _number(page, move)
        if not number:
            return _said(last, {"kind": "unachievable", "why": f"no {move.label}"})
        if move.types:
            return _said(last, {"kind": "type", "element": number, "text": move.types})
        if turn > len(moves) + 1:
            return _said(last, {"kind": "press", "keys": "Enter", "element": number})
        return _said(last, {"kind": "click", "element": number, "how": ""})

    return answer


def _way(case: Case) -> list[Move]:
    return [Move("", case.link), *route(case, (case.never or case.once)[0])]


def _said(step: str, action: dict[str, object]) -> str:
    return json.dumps(
        {
            "progress": "",
            "page": "",
            "next": "",
            "notes": [],
            "suspicious": "",
            "step": step,
            "is_detour": False,
            "action": action,
        },
        ensure_ascii=False,
    )


def _number(page: str, move: Move) -> int:
    named = [
        (int(number), re.split(r"[=~;!|]", name, maxsplit=1)[0].strip().rstrip(" *+-&"))
        for number, name in _CONTROL.findall(page)
    ]
    for label in (move.later, move.label):
        exact = [number for number, name in named if label and name == label]
        if exact:
            return exact[move.nth if move.nth < len(exact) else -1]
    return next((number for number, name in named if move.label in name), 0)
