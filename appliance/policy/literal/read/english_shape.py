"""Simplifies an English sentence before it is read: drops reasons and asides, splits it into parts."""

import re
from dataclasses import replace

from appliance.core.procedure import InlineRole, Sentence
from appliance.language import nouns, verbs
from appliance.language.words import one_of
from appliance.policy.literal.read.english_plain import IMPERATIVES, plainly
from appliance.policy.literal.read.intents import Intent, IntentKind
from appliance.policy.literal.read.maker import IntentMaker
from appliance.policy.literal.read.masking import LABEL, MARK, OTHER, Masked

_REASON = re.compile(
    r",? (?:so that|so you|because|in order that|as otherwise)\b[^,;:]*(?=[,;:]|\.?$)",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"\b(?P<joint>and then|then|and), (?:after|before|once|when|as soon as|if all)\b[^,;]{1,60}, ",
    re.IGNORECASE,
)
_NEW_PLACE = re.compile(
    r"(?:[,;]? (?:and then|and|then),?|;) (?=(?:in|on|at|under|from|for) [^,;.]{1,60}?,? "
    r"(?:click|select|choose|press|open|enter|type|set|turn on|tick|clear|pick)\b)",
    re.IGNORECASE,
)
_LEAD_WITHOUT_COMMA = re.compile(
    r"^((?:in|on|at|from|for|under) [^,;.]{1,60}?)"
    r" (?=(?:click|choose|press|enter|select|type|write|put|pick|set|tick|turn (?:on|off))\b)",
    re.IGNORECASE,
)
_UNDER_LABEL = re.compile(
    rf"(?:^|\s)(?:under|in|on|at|from)\s+(?:the )?(?P<mark>{LABEL})", re.IGNORECASE
)
_NAVIGATION = re.compile(
    r"\bnavigation\b|\b(?:service|side|settings) menu\b|\bside ?bar\b|\bleft[- ]hand\b|\bon the left(?! of)\b"
    rf"|\bitem under the {LABEL} heading\b",
    re.IGNORECASE,
)
_ACTS_ON = re.compile(r"\b(?:click|press|choose|select|pick|tap)$", re.IGNORECASE)
_AS_SHOWN = re.compile(
    r",? ?\b(?:as|like) (?:shown|seen|illustrated|pictured)(?: here)?"
    r"(?: (?:below|above|in (?:the |this )?(?:following )?(?:figure|image|picture|screenshot)"
    r"[^,;.]*))?(?:,(?= ?\w))?",
    re.IGNORECASE,
)
_BOX_OF = re.compile(
    r"\b(?:the |a )?(?:[a-z]+ )?(?P<noun>check ?box|box|radio button|toggle|switch)"
    rf" {nouns.NAMED_BESIDE}:? (?:the )?(?P<mark>{LABEL})(?=\s*(?:[,.;]|$|\b(?:and|then|to|if|in|on|so|when)\b))",
    re.IGNORECASE,
)
_DESIRED_LABEL = re.compile(
    r"\b(?:the|your|an?) (?:desired|appropriate|relevant|required|preferred|correct|right"
    rf"|suitable|necessary|proper) (?={LABEL}(?! (?:tab|menu|button|page|option|entry|item|link)))",
    re.IGNORECASE,
)
_BY_MEANS = re.compile(
    rf"^(?!(?:if|when|once|to|you can|upload|attach|import)\b)[^{MARK[1:-1]},;]*?,? ?\bby (?P<verb>clicking|selecting|choosing"
    rf"|pressing|ticking|unticking|clearing|entering|typing|opening|going|using(?= (?:the )?{LABEL} (?:button|link|icon|tab|menu|item|entry|on the (?:tool ?bar|menu|left|right)\b)))\b",
    re.IGNORECASE,
)
_CLICK_TOLD_AS_FACT = re.compile(
    r"^(?:(?:by )?clicking|(?:when|once|as soon as) you (?:click|press)) (?P<what>(?:on )?(?:the |an? )?(?!it\b|this\b)[^,.;]{1,60}?(?: (?:button|link|icon|tab)|[\ue000-\ue0ff]))"
    r"(?:,? (?:you|it|[^,.;]{1,30}?))? (?:will|opens?|brings?|takes?|allows?|lets?|shows?|displays?|leads?|reveals?|can)\b.*$",
    re.IGNORECASE | re.DOTALL,
)
"""A click stated as a fact: "Clicking **Add** opens a form"."""
_OPTIONAL_MARK = re.compile(r"^\W*(?:optional|recommended)(?:ly)?\W*$", re.IGNORECASE)
_SAME_FOR_LABEL = re.compile(
    rf"^(?:and )?(?:do|repeat) (?:the same|this|that|these steps) (?:for|with|in) "
    rf"(?:the |your )?(?P<mark>{LABEL})",
    re.IGNORECASE,
)


def strip_optional_mark(masked: Masked, text: str) -> tuple[bool, str]:
    """Strip a marked "Optional:" off the start; says whether there was one."""
    first_mark = re.match(OTHER, text)
    if first_mark and _OPTIONAL_MARK.match(masked.mark(first_mark.group()).text):
        return True, text[1:].lstrip(" :,")
    return False, text


_LOOK_FOR = re.compile(
    rf"\blook for (?=(?:the )?{LABEL}|(?:the|an?|your) [\w -]+? (?:that |which )?you )",
    re.IGNORECASE,
)
_MAKE_A_CHOICE = re.compile(
    rf"\bmake (?:a|your) (?:selection|choice) (?:from|in) (?:the )?(?P<mark>{LABEL})(?: [\w-]+)*",
    re.I,
)


_MOVE_ON = re.compile(
    rf"\bmove (?:on )?to (?=(?:the |your )?(?:{LABEL}|[\w ]{{1,30}}?) (?:page|tab|screen|section|view)\b)",
    re.I,
)


def tidy(text: str) -> str:
    """Drop explanations ("so that …") and asides ("and then, after a look, …"), and normalize wording."""
    text = _AS_SHOWN.sub("", text).lstrip()
    text = re.sub(r"\beither (?=[a-z]+ )", "", text, count=1, flags=re.IGNORECASE)
    text = _BOX_OF.sub(lambda m: f"the {m['mark']} {_box_noun(m['noun'])}", text)
    text = _DESIRED_LABEL.sub("a ", text)
    text = _LOOK_FOR.sub("find ", text)
    text = _MOVE_ON.sub("go to ", text)
    text = _MAKE_A_CHOICE.sub(r"choose a value from the \g<mark> drop-down", text)
    return plainly(_ASIDE.sub(lambda m: f"{m.group('joint')} ", _REASON.sub("", text)))


def _box_noun(noun: str) -> str:
    return "check box" if noun.lower() == "box" else noun


_VERB = re.compile(rf"(?:{one_of(verbs.BEGIN_A_STEP.en)})", re.I)
_HAND = re.compile(rf"(?:{one_of(verbs.HAND.en)})(?: on)? \S", re.I)
_OBJECT = re.compile(r"\s+(?:the|your|this|these|an?|all|it)\b", re.I)


def without_marked_verb(sentence: Sentence) -> Sentence:
    """Drop the mark of a verb ("**Save** the rule"), or of a whole instruction ("**Click Save**").

    The words are read as any others; the verb may name a control, and need not.
    """
    mark = next((i for i in sentence.inlines if not sentence.text[: i.start].strip()), None)
    if mark is None or mark.role is InlineRole.MENU_PATH:
        return sentence
    rest = sentence.text[mark.end :]
    is_verb = _VERB.fullmatch(mark.text) and _OBJECT.match(rest)
    is_whole = _HAND.match(mark.text) and not rest.strip(" .:")
    if not (is_verb or is_whole):
        return sentence
    return replace(sentence, inlines=tuple(i for i in sentence.inlines if i is not mark))


def implied_click(text: str) -> str:
    """The instruction in "Clicking **Add** opens a form": "click **Add**"; empty if there is none."""
    m = _CLICK_TOLD_AS_FACT.match(text)
    return f"click {m['what']}" if m else ""


def means_as_imperative(text: str) -> str:
    """Turn "Make one by clicking **B**" into "click **B**"; other text stays as it is."""
    m = _BY_MEANS.match(text)
    return plainly(f"{IMPERATIVES[m['verb'].lower()]}{text[m.end() :]}") if m else text


_OFFERED_MEANS = re.compile(
    rf"^.*?\b(?:by|as simple as|as easy as|a matter of)(?: simply| just)? (?P<verb>{one_of(IMPERATIVES)})\b",
    re.I | re.S,
)
_YOU_CAN = re.compile(
    r"^(?:once [^,;]*, |when [^,;]*, |now |then |here,? |from here,? )*(?:you|users?) can (?:now |then |simply )*(?!also\b)",
    re.I,
)


def offer_as_imperative(text: str) -> str:
    """Turn "You can make one by clicking **B**" and "You can click **B**" into "click **B**"."""
    m = _OFFERED_MEANS.match(text)
    return (
        plainly(f"{IMPERATIVES[m['verb'].lower()]}{text[m.end() :]}")
        if m
        else _YOU_CAN.sub("", text)
    )


def split_by_place(text: str) -> list[str]:
    """Split where the sentence moves to another place: "Open X, and in the navigation click Y"."""
    first_mark = re.search(MARK, text)
    is_led = re.match(r"(?:click|select|open|choose|go to)\b", text, re.IGNORECASE) is not None
    breaks = [
        m
        for m in _NEW_PLACE.finditer(text)
        if first_mark and (is_led or first_mark.start() < m.start())
    ]
    starts = [0, *(m.end() for m in breaks)]
    ends = [*(m.start() for m in breaks), len(text)]
    return [_LEAD_WITHOUT_COMMA.sub(r"\1, ", text[a:b]) for a, b in zip(starts, ends, strict=True)]


def path_opened_first(text: str, make: IntentMaker) -> tuple[list[Intent], str]:
    """Open a menu path that only says where ("Tick the box under **A** > **B**") before the rest."""
    match = _UNDER_LABEL.search(text)
    mark = make.masked.mark(match.group("mark")) if match else None
    if match is None or mark is None or mark.role is not InlineRole.MENU_PATH:
        return [], text
    if _ACTS_ON.search(text[: match.start()]):
        return [], text
    opening = make(IntentKind.OPEN, mark, noun="place")
    return [opening], f"{text[: match.start()]}{text[match.end() :]}".strip(" ,")


def in_navigation(text: str) -> bool:
    """Whether the words refer to the navigation at the side of the page."""
    return bool(_NAVIGATION.search(text))


def repeated_for_label(text: str, make: IntentMaker) -> Intent | None:
    """Read "Do the same for the **Subnet**"; None if the text does not say so."""
    m = _SAME_FOR_LABEL.match(text)
    return make(IntentKind.UNCLEAR, m.group("mark"), noun="same") if m else None
