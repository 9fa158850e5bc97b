"""Ranks controls with another name by how likely the text means them."""

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
_SMALL_WORDS = frozenset(
    {"the", "a", "an", "of", "for", "to", "in", "on", "and", "or", "your", "this"}
)


class Effect(StrEnum):
    """Actions that only open a form."""

    ADJUST = "adjust"
    MAKE = "make"


@lru_cache(maxsize=8192)
def action_of_control(text: str) -> str | None:
    """What a control does, by its name; all words for adjusting something count as the same."""
    name = plain(text)
    singular = {singular_of(w) for w in name.split()}
    if singular & _SETTINGS or any(w in name for w in _SETTINGS_ZH):
        return Effect.ADJUST
    return Effect.MAKE if _object_made(name) else verb_of(text)


def _object_made(name: str) -> str:
    """What the name says is created ("alarm" in "set up alarm"); empty if nothing is."""
    verb = next((v for v in verbs.MAKES_BY_A_FORM.en if name.startswith(f"{v} ")), "")
    verb = verb or next((v for v in verbs.MAKES_BY_A_FORM.zh if name.startswith(v)), "")
    return name.removeprefix(verb).strip() if verb else ""


@lru_cache(maxsize=8192)
def topic_words(text: str) -> frozenset[str]:
    """The words that a name is about, without those that say what is done."""
    name = plain(text)
    if object_made := _object_made(name):
        return frozenset(singular_of(w) for w in words(object_made)) - _SMALL_WORDS
    for word in _SETTINGS_ZH:
        name = name.replace(word, " ")
    stems = [singular_of(w) for w in words(name)]
    first_stem = singular_of(name.split(" ")[0]) if name.split() else ""
    topic = {w for w in stems if w not in _SETTINGS | _SMALL_WORDS}
    return frozenset(
        topic - {first_stem} if verb_of(text) is not None and len(topic) > 1 else topic
    )


def rank_by_likeness(label: str, candidates: Iterable[Element]) -> list[Element]:
    """The candidates that the label may mean, the likeliest first.

    They share action and topic. One that shares only the topic ("Delete versioning"), or only the
    action ("Edit tags"), is another control.
    """
    label_topic, label_action = topic_words(label), action_of_control(label)
    scored = []
    for order, e in enumerate(candidates):
        name_topic = topic_words(_TRAILING_COUNT.sub("", e.name))
        shared_words = label_topic & name_topic
        name_action = action_of_control(e.name)
        if name_action is None and label_action in _SHOWING_ACTIONS:
            # "View archived flags" may mean a section that is just called "Archived".
            name_action = label_action
        is_same_action = label_action is not None and name_action == label_action
        if not is_enabled(e) or not shared_words or not is_same_action:
            continue
        share = len(shared_words) / len(label_topic | name_topic)
        if share >= _MIN_SHARE:
            scored.append((-share, order, e))
    return [e for _, _, e in sorted(scored, key=lambda item: item[:2])]


def only_entry_doing(label: str, entries: Iterable[Element]) -> list[Element]:
    """The only menu entry that names just the action of the label: "Edit" for "Edit details"."""
    action = action_of_control(label)
    one_word_entries = [e for e in entries if len(words(e.name)) == 1 and is_enabled(e)]
    # "Tax settings" has an action but no verb: it names a thing.
    is_action_named = action is not None and verb_of(label) is not None
    matching = [
        e for e in one_word_entries if is_action_named and action_of_control(e.name) == action
    ]
    return matching if len(matching) == 1 else []


_MIN_SHARE = 0.5
_TRAILING_COUNT = re.compile(r"\s+\(?\d+\+?\)?$")
_SHOWING_ACTIONS = frozenset(("view", "open", "查看", "打开"))
