"""How English says that something is there already, is to be made, or is not needed."""

import re

from appliance.environment.needs._grammar import Grammar
from appliance.language import values, verbs
from appliance.language.words import one_of

_BEFORE = r"(?:(?!new\b|newly\b|no\b|not\b|without\b|default\b)[\w'/-]+ ){0,3}?"
"""An article and what describes the thing: `the`, `one of your existing`; the default one comes
with the account."""
_THING = rf"{_BEFORE}‹(\d+)›"
_ENDS = (
    r"(?=[.,;:!?)⟦/]|$| ⟦| \(| (?:in|on|at|from|that|which|who|whose|to|of|for|and|or|you|is|are"
    r"|was|has|have|with|by|as|when|where|while|then|so|if|before|after|into|under|again|exists?"
    r"|can|must|it|below|above|there|here|already|first|page|row|name|list)\b)"
)
"""What may follow a thing: not `type`, for the type of a disk is no disk."""
_TAKE = rf"(?:{one_of(verbs.TAKE.en)})"
_ONE = r"(?:the|your|this|that|an?|another|one or more|one of the|an existing)"
_DONE_WITH = one_of(verbs.DONE_WITH.en)
_BEGINS = r"(?:^|[.,:;] |\bthen |\band |\bor )"

ENGLISH = Grammar(
    existing=tuple(
        re.compile(pattern)
        for pattern in (
            # in the row of the disk; the line with the name of the network
            rf"\b(?:rows?|lines?|entry|entries|details?|details page|check ?box(?:es)?|cards?"
            rf"|pages?|actions(?: menu| column)?|menu|status|state|icon) (?:of|for|with|next to"
            rf"|beside|containing) (?:the name of )?{_THING}{_ENDS}",
            # the name of the disk; not: a name for the disk
            rf"\bthe (?:name|id|link) of {_THING}{_ENDS}(?! (?:to|that you want to) create)",
            rf"\b(?:next to|beside|to the left of|to the right of) {_THING}{_ENDS}",
            rf"\b{_BEFORE}‹(\d+)›['’]s? (?:row|page|name|id|check|details?|menu|actions|entry)",
            rf"\b{_TAKE} {_THING}{_ENDS}",
            rf"\b(?:select|choose|pick) the new ‹(\d+)›{_ENDS}",
            rf"\b{_TAKE} {_ONE} ‹\d+›(?:,? and | or |, )(?:{_ONE} )?‹(\d+)›{_ENDS}",
            # your existing network; the network that you created
            rf"\b(?<!newly )(?:existing|created) ‹(\d+)›{_ENDS}",
            # the **Network name** of the network
            rf"\b(?:click(?: on)?|select|open) (?:the )?⟦\d+⟧(?: \w+)? (?:of|for|next to)"
            rf" {_THING}{_ENDS}",
            r"‹(\d+)› (?:that|which) (?:you|has|have|was|already)\b[^.]{0,20}"
            r"\b(?:created|exists?|made|own)",
            rf"{_BEGINS}(?:{_DONE_WITH}) {_ONE} ‹(\d+)›{_ENDS}",
            rf"{_BEGINS}(?:attach|detach|remove|move|associate|disassociate|connect|assign|add|put"
            rf"|restore)\b[^.;]{{0,40}} (?:to|from|into|with) {_ONE} ‹(\d+)›{_ENDS}",
        )
    ),
    in_titles=re.compile(
        rf"^(?:to |how to )?(?:{_DONE_WITH})(?:ing)? (?:(?:the|your|an?) )?‹(\d+)›(?!‹| of)" + _ENDS
    ),
    in_prerequisites=re.compile(rf"‹(\d+)›{_ENDS}"),
    made=re.compile(
        rf"^(?:to |how to |then )?(?P<verb>{one_of(verbs.MAKE.en)}"
        r")(?: and \w+)? (?:(?:an?|the|your|new|another|own|first|private|public|virtual"
        r"|custom|more|one|one or more) ){0,3}‹(?P<thing>\d+)›(?=[.,;:)]|$| (?:in|on|of|for|from|by"
        r"|with|to|and|that|at|as|under)\b)"
    ),
    made_for_sure=frozenset(verbs.MAKE_FOR_SURE.en),
    fresh=re.compile(
        r"(?<!select the )(?<!choose the )(?<!pick the )\bnew ‹(\d+)›|‹(\d+)› to be created"
        r"|\bnames? for (?:the |your |an? )?‹(\d+)›"
    ),
    field=re.compile(
        r"\b(?:in|into|from|under|for|at) (?:the )?(?:field |list |box )?⟦(\d+)⟧"
        r"(?! (?:dialog|page|tab|step|panel|drawer|wizard|section|window|area|navigation|view))"
    ),
    filled=re.compile(
        r"\b(?:select|choose|pick|specify|enter|same for) (?:(?:the|your|an?) )?⟦(\d+)⟧"
        r"(?:(?:,| and|, and) (?:(?:the|your|an?) )?⟦(\d+)⟧)?"
    ),
    left_alone=re.compile(r"\b(?:leave|keep|skip|ignore|clear|default)\b"),
    negation=re.compile(
        r"\b(?:not? (?:need|have to|required?|asked?|necessary)"
        r"|(?:do|does|need|is|are|must|can|should)(?: not|n't|n’t)|cannot|without|never|no longer"
        r"|instead of|rather than|unless)\b"
    ),
    condition=re.compile(r"^(?:otherwise,? )?(?:if|when(?:ever)?|unless|in case|should you)\b"),
    elsewhere=re.compile(
        r"^\W*(?:for (?:more|further|details|the details|information|instructions|example)\b|see\b"
        r"|refer to|learn (?:more|how)|also see|more information)"
    ),
    possible=re.compile(r"\byou (?:can|may|could|might)\b|\blater\b"),
    rights=re.compile(
        r"\b(?:permissions?|rights?|roles?|privileges?|quotas?|limits?|allowed|administrator"
        r"|authorized|familiar|understand|know)\b"
    ),
    clause=re.compile(r"(?:[,;:.]| then| and) (?:then |and )?"),
    sure=re.compile(r"\b(?:make sure|ensure|verify|must be|has to be)\b"),
    changes=re.compile(rf"^(?:{one_of(verbs.CHANGE_STATE.en)})\b", re.IGNORECASE),
    removes=re.compile(rf"^(?:{one_of(verbs.TAKE_OUT.en)})\b", re.IGNORECASE),
    states={
        re.compile(rf"^(?:to |how to )?(?:{verb})\b", re.IGNORECASE): before
        for verb, before in values.STATES_BEFORE_EN.items()
    },
    state_words={},
)
