"""How likely a control that is called otherwise is the one that the text means."""

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache

from appliance.core.page import Element
from appliance.language import verbs
from appliance.language.names import plain, singular_of, verb_of, words
from appliance.policy.literal.match.grounding import is_enabled

_SETTINGS = frozenset(
    {"setting", "manage", "configure", "configuration", "option", "preference", "property",
     "adjust", "edit", "update", "modify", "change"}
)  # fmt: skip
_SETTINGS_ZH = ("设置", "配置", "管理", "选项", "编辑", "修改", "更改", "变更", "调整")
_SMALL = frozenset({"the", "a", "an", "of", "for", "to", "in", "on", "and", "or", "your", "this"})


class _Effect(StrEnum):
    """What opens a form and does nothing by itself."""

    ADJUST = "adjust"
    MAKE = "make"


@lru_cache(maxsize=8192)
def deed_of_control(text: str) -> str | None:
    """What a control does, by its name: the same for all words of adjusting something."""
    name = plain(text)
    singular = {singular_of(w) for w in name.split()}
    if singular & _SETTINGS or any(w in name for w in _SETTINGS_ZH):
        return _Effect.ADJUST
    return _Effect.MAKE if _made(name) else verb_of(text)


def _made(name: str) -> str:
    """What is to be made, where that is what the name says: "alarm" of "set up alarm"."""
    said = next((v for v in verbs.MAKES_BY_A_FORM.en if name.startswith(f"{v} ")), "")
    said = said or next((v for v in verbs.MAKES_BY_A_FORM.zh if name.startswith(v)), "")
    return name.removeprefix(said).strip() if said else ""


@lru_cache(maxsize=8192)
def things_of(text: str) -> frozenset[str]:
    """What a name is about: its words without those that say what is done."""
    name = plain(text)
    if made := _made(name):
        return frozenset(singular_of(w) for w in words(made)) - _SMALL
    for word in _SETTINGS_ZH:
        name = name.replace(word, " ")
    about = [singular_of(w) for w in words(name)]
    first = singular_of(name.split(" ")[0]) if name.split() else ""
    left = {w for w in about if w not in _SETTINGS | _SMALL}
    return frozenset(left - {first} if verb_of(text) is not None and len(left) > 1 else left)


def ranked(label: str, candidates: Iterable[Element]) -> list[Element]:
    """Those that may be what the text calls by that name, the likeliest first.

    They do the same, and are about the same. What only shares the thing ("Delete versioning"), or
    only the deed ("Edit tags"), is another control.
    """
    wanted, deed = things_of(label), deed_of_control(label)
    scored = []
    for place, e in enumerate(candidates):
        shown = things_of(_COUNT.sub("", e.name))
        shared = wanted & shown
        does = deed_of_control(e.name)
        # "View archived flags" may be a part of the page that is called "Archived"
        does = deed if does is None and deed in _SHOWS else does
        if not is_enabled(e) or not shared or deed is None or does != deed:
            continue
        share = len(shared) / len(wanted | shown)
        if share >= _LEAST:
            scored.append((-share, place, e))
    return [e for _, _, e in sorted(scored, key=lambda one: one[:2])]


def only_one_doing(label: str, entries: Iterable[Element]) -> list[Element]:
    """The only entry of a menu that says no more than what is done: "Edit" of "Edit details"."""
    deed = deed_of_control(label)
    bare = [e for e in entries if len(words(e.name)) == 1 and is_enabled(e)]
    is_said = deed is not None and verb_of(label) is not None  # "Tax settings" are a thing
    doing = [e for e in bare if is_said and deed_of_control(e.name) == deed]
    return doing if len(doing) == 1 else []


_LEAST = 0.5
_COUNT = re.compile(r"\s+\(?\d+\+?\)?$")
_SHOWS = frozenset(("view", "open", "查看", "打开"))
