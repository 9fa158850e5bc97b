"""Plays the model: reads the agent's own prompts, and answers as a list of turns says.

It keeps nothing between two questions, so that any number of attempts may ask at the same time.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from appliance.inference.scripted import ReceivedRequest

Turn = Mapping[str, Any]  # Any: JSON, as the agent's answer has it
"""One answer, with elements named in words: `{"element": "button Save"}`, the first long list as
`{"list": ""}`; what is left out of the thought and the notes is filled in."""

_DONE = re.compile(r"<done>\n(.*?)\n</done>", re.DOTALL)
_NUMBER = re.compile(r"^(\d+)\. ", re.MULTILINE)
_PAGE = re.compile(r"<page>\n(.*?)\n</page>", re.DOTALL)
_CONTROL = re.compile(r"([\[({<])(?:[x_-])?(\d+)\s?([^\[\](){}<>]*)")
_FIELDS = ("element", "to")
_LIST = re.compile(r"\bunfold (\d+)")
_NTH = re.compile(r" #(\d+)$")
_KINDS = {
    "button": "(", "option": "(", "box": "(", "link": "[", "tab": "[", "field": "{", "choice": "<",
}  # fmt: skip
_ROLES = {"field": "textbox", "choice": "combobox", "box": "checkbox"}
_WANTED = re.compile(r'^Wanted: to \w+ (?P<role>\S+) "(?P<label>.*?)"', re.MULTILINE)
_VAGUELY = "the one for {} here"
"""How a planner puts it where only a grounder knows what is meant."""
_THOUGHT: Turn = {
    "progress": "", "page": "", "next": "", "notes": [], "suspicious": "", "is_detour": False,
}  # fmt: skip


def playing(turns: Sequence[Turn], vague: str = "") -> Callable[[ReceivedRequest], str]:
    """For `serving`: each question is answered with the turn whose number it has come to.

    Args:
        turns: What an agent, or a planner, answers. A grounder finds what it is asked for.
        vague: A word in the prompts of planners that name things so that only a grounder knows
            them; empty: none does.
    """

    def answer(asked: ReceivedRequest) -> str:
        prompt = asked.text
        if wanted := _WANTED.search(asked.last):
            return found(prompt, wanted["role"], wanted["label"])
        turn = turns[min(turn_of(prompt), len(turns)) - 1]
        if "Described" in (asked.schema or {}).get("$defs", {}):
            turn = {
                **turn,
                "action": in_words(turn["action"], is_vague=bool(vague) and vague in prompt),
            }
        return said(turn, prompt)

    return answer


def in_words(action: Turn, *, is_vague: bool = False) -> Turn:
    """The action as a planner says it: `button Save` becomes role and label."""
    worded = dict(action)
    for name in _FIELDS:
        if isinstance(worded.get(name), str):
            role, _, label = worded[name].partition(" ")
            label = _VAGUELY.format(label) if is_vague else label
            worded[name] = {"role": _ROLES.get(role, role), "label": label, "place": ""}
    return worded


def found(prompt: str, role: str, label: str) -> str:
    """A grounder's answer."""
    kind = next((kind for kind, known in _ROLES.items() if known == role), role)
    exact = label.removeprefix(_VAGUELY.partition("{")[0]).removesuffix(_VAGUELY.partition("}")[2])
    number = number_of(prompt, f"{kind} {exact}")
    answer = {
        "why": "",
        "found": "element" if number else "none",
        "element": number,
        "x": 0,
        "y": 0,
    }
    return json.dumps(answer, ensure_ascii=False)


def turn_of(prompt: str) -> int:
    """The number of the turn that a prompt asks for, from 1."""
    done = _DONE.findall(prompt)
    numbers = _NUMBER.findall(done[-1]) if done else []
    return int(numbers[-1]) + 1 if numbers else 1


def said(turn: Turn, prompt: str) -> str:
    """An answer, with the numbers that the prompt's page has for what the turn names."""
    action = dict(turn["action"])
    for name in _FIELDS:
        if isinstance(action.get(name), str):
            action[name] = number_of(prompt, action[name])
    if action.get("list") == "":
        lists = _LIST.findall(_page(prompt))
        action["list"] = int(lists[0]) if lists else 0
    return json.dumps({**_THOUGHT, **turn, "action": action}, ensure_ascii=False)


def number_of(prompt: str, wanted: str) -> int:
    """The number of a control: `button Save`, `field Name`, `link web-1 #2`, or `Save` alone.

    0 where the page has none of it: an answer that cannot be used.
    """
    nth = _NTH.search(wanted)
    wanted = _NTH.sub("", wanted)
    kind, _, words = wanted.partition(" ")
    opens = _KINDS.get(kind, "")
    label = words if opens else wanted
    found = [
        (name.strip(), int(number))
        for bracket, number, name in _CONTROL.findall(_page(prompt))
        if not opens or bracket == opens
    ]
    exact = [number for name, number in found if _label(name) == label]
    near = [number for name, number in found if label in name]
    at = int(nth[1]) - 1 if nth else 0
    return next(iter([*exact, *near][at:]), 0)


def _page(prompt: str) -> str:
    """The page, and the rows that were asked for."""
    return "\n".join(_PAGE.findall(prompt.rpartition("</document>")[2]))


def _label(name: str) -> str:
    """Without the value, the marks and the hints that stand behind it."""
    return re.split(r"[=~;!|]", name, maxsplit=1)[0].rstrip(" *+-&")
