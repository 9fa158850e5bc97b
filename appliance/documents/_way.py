"""Sentences that lead to the page where the steps begin."""

import re

from appliance.core.procedure import InlineRole, Sentence
from appliance.documents._language import is_instruction
from appliance.language import nouns, verbs
from appliance.language.words import one_of

_LABELS = (InlineRole.UI_LABEL, InlineRole.MENU_PATH)
_GO = re.compile(
    rf"(?:^|[,;:] ?|\bthen |\band |^please |^first,? |^next,? )(?:{one_of(verbs.GO_THERE.en)})\b"
    rf"|(?:{one_of(verbs.GO_THERE.zh)})",
    re.I,
)
_REACHED = re.compile(
    r"\b(?:found|accessed|accessible|reached|reachable|available|located|opened|managed|done)"
    r" (?:via|through|from|in|under|on|at|by (?:clicking|selecting|choosing|going to))\b"
    r"|\bway (?:to [^.,;]*? )?is (?:by|to) (?:using|use|clicking|opening|going to|selecting)\b"
    r"|(?:位于|可在|入口)",
    re.I,
)
_PLACE = re.compile(rf"\b(?:{one_of(nouns.PLACES.en)}|tool ?bar)\b|{one_of(nouns.PLACES.zh)}", re.I)
_AT = re.compile(r"^(?:in|on|from|under|within|在)(?: the)? ?", re.I)
_ELSEWHERE = re.compile(
    r"^(?:see|refer|for (?:more|details|information)|note|if|when|unless|once|after)\b"
    r"|\b(?:as described|above|below in|previous section|earlier)\b|参见|请参考|如果|若",
    re.I,
)


def leads_to_place(sentence: Sentence) -> bool:
    """Whether it leads to a page: "Go to **A**.", "X is found under **A** > **B**."."""
    labels = [i for i in sentence.inlines if i.role in _LABELS]
    if not labels or _ELSEWHERE.search(sentence.text):
        return False
    if is_instruction(sentence.text):
        return bool(_GO.search(sentence.text))
    names_place = any(i.role is InlineRole.MENU_PATH for i in labels) or bool(
        _PLACE.search(sentence.text)
    )
    if reached := _REACHED.search(sentence.text):
        return names_place and labels[-1].end > reached.end()
    lead = _AT.match(sentence.text)
    return names_place and lead is not None and labels[0].start <= lead.end() + 2
