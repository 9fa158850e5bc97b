"""What a sentence asks a reader to do in a console, and what it asks to be done elsewhere."""

import re

from appliance.core.procedure import InlineRole, Sentence
from appliance.documents._language import is_instruction
from appliance.documents._text import RichText
from appliance.language import nouns, verbs
from appliance.language.words import one_of

_LABELS = (InlineRole.UI_LABEL, InlineRole.MENU_PATH)
_MANUAL = verbs.HAND
_BY_HAND = re.compile(
    rf"\b(?:{one_of(_MANUAL.en)})\b(?! out\b| if\b| whether\b| that\b)|{one_of(_MANUAL.zh)}"
    r"|\buse the [^,;()_]{1,40}? (?:menu|button|link|icon|tab|drop-?down)\b",
    re.I,
)
_ABOUT = re.compile(
    r"(?: (?:button|link|icon|tab|menu|option|field|page))? (?:will|can|may|must|is|are"
    r"|has|lets|allows"
    r"|enables|opens|shows|displays|takes|lists|contains|provides|removes|deletes|creates|adds|saves)\b"
)
"""How a sentence continues when it describes the control named at its head."""
_HAPPENS = re.compile(
    r"\b(?:will|(?:is|are) \w+ed|should|opens?|shows?|displays?|brings?|takes?|lets?|allows?)\b"
)
_POINTS = re.compile(
    rf"\b(?:{one_of(verbs.POINT.en)})\b(?! (?:here|this link)\b)|{one_of(verbs.POINT.zh)}", re.I
)
_GERUND = re.compile(
    r"(?:(?:by|after|upon|simply) )?"
    r"(?:clicking|pressing|selecting|choosing|tapping|ticking|checking)\b"
    r"|(?:once|after|when) [^,.;]{2,70} (?:is|are|was|has been) (?:clicked|pressed|selected)\b",
    re.I,
)
_AFTERWARDS = re.compile(r"(?:after|once|upon)\b", re.I)
_METHOD = re.compile(
    r"\b(?:by|as simple as|as easy as|a matter of)(?: simply| just)?"
    r" (?:(?:first )?(?:clicking|pressing|selecting|choosing|tapping|ticking|checking|opening|using"
    r"|dragging|hovering)|(?:going|navigating) (?:to|into)\b.{1,80}?\b(?:clicking|selecting))\b"
    r"|\bway (?:to [^.,;]{2,60}?|of [^.,;]{2,60}? )?is to (?:click|press|select|choose"
    r"|tap|open|use)\b"
    r"|\b(?:can|could|may) (?:be )?[^.,;]{2,60}? using the [^.,;]{1,40}?"
    r" (?:button|link|icon|menu|tab|check ?box|drop-?down|toggle|switch)\b",
    re.I,
)
_BY_THE_WAY = re.compile(r"however\b|不过|但是", re.I)
_VAGUE = re.compile(
    r"\b(?:clicking|pressing|selecting|choosing|tapping|using)(?: on)? (?:the|a)"
    r" (?:drop-?down(?: menu)?|menu|option|button|link|icon|filter|search)"
    r"(?! (?:of|next|beside|for|in|on|at|to the|above|below|under)\b)",
    re.I,
)
"""Names no control, not even by look or place: "by clicking on the menu"."""
_DOES_THIS = re.compile(r"to do (?:this|so|that|it)\b", re.I)
_OFFERED_WHEN = re.compile(
    rf"(?:you|users?) can (?:{one_of(verbs.PURPOSES.en)})\b[^.:;]{{2,80}}?"
    r" (?:when|if|once) you (?:click|press|select|choose)\b",
    re.I,
)
_ON_SCREEN = re.compile(
    rf"\b(?:{one_of(nouns.ON_SCREEN.en)})s?\b|{one_of(nouns.ON_SCREEN.zh)}", re.I
)
_MAY = re.compile(
    r"(?:also |then |here |from here |there )*(?:you|users?|one|administrators?)"
    r"(?: may| can| could| might|['’]ll be able to| are able to)\b|(?:您|你|用户)?还?可以",
    re.I,
)
_ELSEWHERE = re.compile(
    rf"(?:{one_of(verbs.ELSEWHERE.en)})\b|note that\b|(?:请|先"
    rf"|再)?(?:{one_of(verbs.ELSEWHERE.zh)})",
    re.I,
)
_PURPOSE = re.compile(
    rf"(?:(?:in order )?to|if you (?:want|wish|need|would like) to|如需|如要|若需|若要|要)\s*"
    rf"(?P<goal>(?:{one_of(verbs.PURPOSES.en)})\b[^,.:;]{{2,60}}|(?:{one_of(verbs.PURPOSES.zh)})[^，。：；]{{1,24}})[,，:：]",
    re.I,
)
_AIM = re.compile(r"(?:in order )?to [a-z]+ [^,.;]{4,},|if you (?:want|need|wish) to ", re.I)
_OFFERED = re.compile(
    rf"(?:you|users?) can (?P<goal>(?:{one_of(verbs.PURPOSES.en)})\b[^,.:;]{{2,60}}?)"
    r",? by (?:clicking|pressing|selecting|choosing|going|opening)\b",
    re.I,
)
_NAMES = re.compile(
    rf"(?:{one_of(verbs.ALSO_NOUNS.en)}|type|set|sort|open|clear|save|upload|export)\b"
    r"(?! (?:(?-i:[A-Z“‘\"'`])"
    r"|(?:the|a|an|your|this|that|it|its|all|any|each|one|for|in|on|to)\b))",
    re.I,
)
"""A noun, and no imperative: "Name and type", "View: …"."""
_WHEN_DONE = re.compile(
    r"(?:when|once|after)\b[^,]{0,40}?\b(?:done|finished|ready|complete[ds]?|happy|satisfied)\b"
    r"|(?:finally|lastly)\b|(?:完成|设置|填写|配置)(?:后|完成后|完毕后)",
    re.I,
)
_WHAT_FOR = re.compile(
    r"(?:click|select|press|use|choose)(?: on)?(?: the)? [^.,;]{1,50}? to (?!the\b)[a-z]+ ", re.I
)
_LEADS_OUT = re.compile(
    r"\b(?:here|documentation|website|video|image|article|guide|github|forum|localhost)\b", re.I
)
"""Clicks that open something to read, outside the console."""
_ALL_THE_WAY = re.compile(
    r"\b(?:and|then) (?:then )?(?:click|press|tap)\b|(?:并|然后|再)(?:单击|点击)", re.I
)
_CODE = (InlineRole.COMMAND,)
_OFFERS = re.compile(
    r"(?:as an? optional step,? |(?:otherwise,? )?if [^,;:]{2,80}? )"
    rf"(?:(?:you can|you may) (?:also |then )?(?:{one_of(_MANUAL.en)}|expand|open|toggle)"
    r"|click|press)\b",
    re.I,
)
"""A condition that no comma ends: "If you have more of them you can click **Add another**."."""
_ASKS_FOR_INPUT = re.compile(
    r"\b(?:form|dialog)\b[^.]{0,60}?\b(?:appears?|opens?|comes? up)\b"
    r"|\b(?:fields|properties|parameters|attributes)\b"
    r"|\b(?:define|enter|fill(?: in| out)?|specify|provide|complete|configure)\b"
    r"|填写|输入|设置|配置|指定|参数|表单",
    re.I,
)
_TO_LOOK_AT = re.compile(
    r"\b(?:see|shows?|shown|displays?|displayed|views?|tabs?|actions?|buttons?|menu|columns?|icons?"
    r"|commands?|returns?|response|output|methods?|ways?)\b|查看|显示|返回|操作|按钮|页签|方式",
    re.I,
)
"""Announces a list to look at or click on, not to fill in."""
_LEADS_TO_LIST = re.compile(r"[:：]$|\b(?:following|below)\b|以下|下表|下列|如下", re.I)
_BELOW = re.compile(
    r"\b(?:following|below|table|fields?|parameters?|settings|properties|details"
    r"|form|dialog|box|window)\b|以下|下表|下列|如下|下方|参数|字段|表单|对话框|弹窗",
    re.I,
)


def has_label(text: RichText | Sentence) -> bool:
    """Whether the text marks a control or menu path."""
    return any(role in _LABELS for role in _roles(text))


def _roles(text: RichText | Sentence) -> list[InlineRole]:
    marked = text.marks if isinstance(text, RichText) else text.inlines
    return [mark.role for mark in marked]


def is_console_instruction(text: RichText | Sentence) -> bool:
    """Whether a sentence instructs the reader to do something in a console."""
    if not is_instruction(text.text) or _ELSEWHERE.match(text.text):
        return False
    if (
        any(role in _CODE for role in _roles(text))
        or _NAMES.match(text.text)
        or _describes_control(text)
    ):
        return False
    if has_label(text) or (_BY_HAND.search(text.text) and _ON_SCREEN.search(text.text)):
        return True
    return bool(_POINTS.search(text.text)) and not _LEADS_OUT.search(text.text)


def _describes_control(text: RichText | Sentence) -> bool:
    """Whether it describes a control whose name is a verb: "**Discard** will delete your draft"."""
    marked = text.marks if isinstance(text, RichText) else text.inlines
    first = next((m for m in marked if m.role in _LABELS), None)
    return first is not None and first.start == 0 and bool(_ABOUT.match(text.text, first.end))


def is_definite_instruction(text: RichText) -> bool:
    """Whether it names the control to operate and does not leave the step to the reader's choice.

    "You can enter a reason and click **Save**" counts: only the reason is optional.
    """
    names_action = is_console_instruction(text) and has_label(text) and count_actions(text) > 0
    return names_action and (not _MAY.match(text.text) or bool(_ALL_THE_WAY.search(text.text)))


def offers_control(text: RichText | Sentence) -> bool:
    """Whether it offers a control it names under a condition: "If you have more, click **Add**"."""
    return has_label(text) and bool(_OFFERS.match(text.text))


def announces_fields(text: RichText | Sentence) -> bool:
    """Whether it refers to fields below: "Fill in the form, using the table below:"."""
    return bool(_BELOW.search(text.text))


def asks_for_fields(text: RichText | Sentence) -> bool:
    """Whether it introduces a list of fields to fill in: "You can set the following fields:"."""
    asks_for_input = _ASKS_FOR_INPUT.search(text.text) and not _TO_LOOK_AT.search(text.text)
    return bool(asks_for_input and _LEADS_TO_LIST.search(text.text))


def is_concluding(text: RichText) -> bool:
    """Whether it only concludes earlier steps: "When you're done, click **Save**."."""
    return bool(_WHEN_DONE.match(text.text))


def describes_purpose(text: RichText) -> bool:
    """Whether it says what a control is for ("Click **Export** to …"), as page tours do."""
    return bool(_WHAT_FOR.match(text.text)) and has_label(text)


def mentions_action(text: RichText) -> bool:
    """Whether it states an action as a fact: "Clicking the **Add** button opens a form"."""
    return bool(_GERUND.match(text.text) and (has_label(text) or _ON_SCREEN.search(text.text)))


def describes_method(text: RichText) -> bool:
    """Whether it states a method as a fact: "Folders are added by clicking **Add**"."""
    method = _METHOD.search(text.text)
    if method is None or _BY_THE_WAY.match(text.text):
        return False
    if has_label(text):
        return True
    return (
        not is_vague(text)
        and not method.group().endswith(("using", "use"))
        and bool(_ON_SCREEN.search(text.text))
    )


def refers_back(text: RichText) -> bool:
    """Whether it says how to do what an earlier sentence named: "To do this, open the menu …"."""
    return (
        bool(_DOES_THIS.match(text.text))
        and is_console_instruction(text)
        and count_actions(text) > 0
    )


def offers_form(text: RichText) -> bool:
    """Whether it says how a form is opened: "You can add a tile when you click **Add**."."""
    names_control = has_label(text) or _ON_SCREEN.search(text.text)
    return bool(_OFFERED_WHEN.match(text.text) and names_control)


def is_vague(text: RichText) -> bool:
    """Whether it leaves open which control is meant: "by clicking on the menu"."""
    return not has_label(text) and bool(_VAGUE.search(text.text))


def describes_effect(text: RichText) -> bool:
    """Whether it says what an action leads to: "Clicking **Edit** opens the form"."""
    return mentions_action(text) and has_label(text) and bool(_HAPPENS.search(text.text))


def tells_what_follows(text: RichText) -> bool:
    """Whether it tells an action as done before: "After clicking **Add**, a form opens"."""
    return bool(_AFTERWARDS.match(text.text)) and describes_effect(text)


def requires_clicking(text: RichText) -> bool:
    """Whether it requires something only possible on a screen, such as a click."""
    return (
        is_console_instruction(text)
        and bool(_POINTS.search(text.text))
        and not _MAY.match(text.text)
    )


def is_complete_procedure(text: RichText) -> bool:
    """Whether one sentence is a whole procedure: "To get …, go to **A** and choose **B**."."""
    labels = sum(role in _LABELS for role in _roles(text))
    return bool(_AIM.match(text.text)) and count_actions(text) >= 2 and labels >= 2


def count_actions(text: RichText | Sentence) -> int:
    """Count the mouse and keyboard actions that the text asks for."""
    return len(_BY_HAND.findall(text.text))


def purpose_of(text: RichText) -> str:
    """The goal that a sentence states for its procedure, capitalised; empty if it states none.

    Both "To delete a user, click …" and "You can delete a user by clicking …" state one.
    """
    match = _PURPOSE.match(text.text) or _OFFERED.match(text.text)
    goal = match["goal"].strip() if match else ""
    return goal[:1].upper() + goal[1:]
