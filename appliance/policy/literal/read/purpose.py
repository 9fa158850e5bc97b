"""Tells whether a procedure is meant to change something, or only to look."""

from appliance.core.procedure import Procedure
from appliance.language.names import verb_of
from appliance.policy.literal.read.intents import Intent, IntentKind
from appliance.policy.literal.read.reading import read_procedure

K = IntentKind
_CHANGES = frozenset(
    {K.FILL, K.CHOOSE, K.TICK, K.UNTICK, K.UPLOAD, K.MOVE, K.SET_PAIR, K.FIELD, K.CONFIRM}
)
_LOOKS = frozenset(
    {None, "view", "open", "close", "cancel", "back", "next", "search", "filter", "select",
     "download", "copy", "查看", "返回", "取消", "下一步", "上一步", "搜索", "下载", "复制"}
)  # fmt: skip


def asks_for_change(procedure: Procedure) -> bool:
    """Whether any instruction changes something in the console; an unclear one might."""
    return any(_changes(intent) for intent in read_procedure(procedure))


def does_something(name: str) -> bool:
    """Whether a control of that name does more than show something."""
    return verb_of(name) not in _LOOKS


def _changes(intent: Intent) -> bool:
    if intent.kind is K.UNCLEAR:
        return True  # it may change something
    is_search = intent.kind is K.FILL and "search" in intent.noun
    if intent.kind in _CHANGES:
        return not (is_search or intent.is_optional)
    is_click = intent.kind is K.OPEN and intent.label is not None
    return is_click and intent.label is not None and does_something(intent.label.text)
