"""Rewrites varied English wording into the wording the grammar reads: "Flip the **A** switch" → "turn on **A**"."""

import re

from appliance.language import nouns, verbs
from appliance.language.words import one_of
from appliance.policy.literal.read.masking import LABEL, LITERAL, MARK, OTHER, as_label, as_literal

_ON = r"on|enabled|ticked|checked|selected|active"
_OFF = r"off|disabled|unticked|unchecked|cleared|deselected|inactive"
_SWITCH = r"(?: switch| toggle| check ?box| slider| box| option| setting)?"
_SWITCH_OR_BUTTON = r"(?: switch| toggle| check ?box| slider| box| option| setting| button)?"
_IS_OVER = one_of(verbs.IS_OVER.en)
_MADE_OBJECT = (
    r"(?:it|this|that|them|(?:the|your|this) (?:new )?[a-z](?:(?! (?:and|or|then|to) )[\w -])*?)"
)
_FOR_EXAMPLE = r"(?:something[^,]*?,? )?(?:like|such as|for example,?|for instance,?|e\.g\.,?|\(e\.g\.,?|say,?)"
_LIST = r"(?:selector|drop-?down(?: list| menu)?|picker|list|menu)"
_TOGGLE = r"(?:option|switch|toggle|check ?box|setting)"
_IMPERATIVE_OF = dict(
    adding="enter",
    entering="enter",
    specifying="enter",
    providing="enter",
    choosing="choose",
    selecting="select",
)
IMPERATIVES = dict(
    clicking="click", selecting="select", choosing="choose", pressing="press", ticking="tick",
    unticking="untick", clearing="clear", entering="enter", typing="type", opening="open", going="go",
    using="click", dragging="drag", hovering="hover", tapping="click",
)  # fmt: skip


def _turned(m: re.Match[str]) -> str:
    return f"turn {'off' if m[1] else 'on'} {m[2] or m[3]}"


_FIELD = r"(?:(?:text )?(?:field|box|area)|input|drop-?down(?: list| menu)?|list|selector|filter|policy|mode|level|option|parameter|property|setting|value)"
_QUESTION_WORD = r"(?:how|what|which|when|whether|who|where)"
_MAY = r"(?:can|could|may|might)(?: also| then| now| individually| simply| choose to)*"
_MUST = rf"{verbs.OUGHT_TO}(?: first| then)?"
_ACTS = rf"(?=(?:{one_of(verbs.BEGIN_A_STEP.en)})\b)"
_REWRITINGS = (
    # what somebody else does, whom the reader stands for; what is told as done
    (rf"(?:^|(?<=, )){nouns.SOMEBODY} {_MAY} {_ACTS}(?![^.;]* by (?:{one_of(IMPERATIVES)})\b)", "you can "),
    (rf"(?:^|(?<=, )){nouns.SOMEBODY} {_MUST} {_ACTS}", ""),
    (rf"^((?:in|on|at|from) (?:the |your )?{LABEL} (?:page|tab|section|screen|view|list|dashboard)),? [^{MARK[1:-1]},;]*? by clicking (?:on )?", r"\1, click "),
    (rf"^(?:once|after|when) ((?:the |an? )?{LABEL}(?: button| link| icon)?) (?:is|has been|was) (?:clicked|pressed|selected),[^{MARK[1:-1]}]*$", r"click \1"),
    (rf"^(?:after|upon) (?:clicking|pressing|selecting)(?: on)? ((?:the |an? )?{LABEL}(?: button| link| icon)?), (?!{_ACTS[3:-1]})[^{MARK[1:-1]}]*$", r"click \1"),
    (r"\b(?:select|choose|pick) (the|an?) ([a-z][a-z ]{2,30}?) from(?: the following(?: [a-z]+)?)?: .*$", r"enter \1 \2"),
    (r"\b(?:they|he or she|one) (want|wish|need|would like)s? to\b", r"you \1 to"),
    (r",? and then on (the [a-z]+ you (?:want|wish|need|would like) to [^,.;]*)", r", and then click \1"),
    (rf"\b(next to|beside) both (?={LABEL})", r"\1 "),
    (rf"\b(?:toggle|switch|change|set) (?:the )?({LABEL}) from [A-Z][\w-]* to (?=[A-Z][\w-]*)", r"set \1 to "),
    (rf"^to [a-z][^,;:]{{3,80}}? (?=(?:click|press)(?: on)? (?:the |an? )?(?:{LABEL}|[a-z -]+? (?:icon|button|link)\b))", ""),
    (r"\bscroll (?:down |up )?to the (?:bottom|top|end)(?: of the (?:page|form|screen|list))?(?: to|,? and)(?: then)? (?=(?:click|press|select|choose)\b)", ""),
    (rf"^after (?:entering|typing|filling in|filling out|specifying|providing) ([^,.;{MARK[1:-1]}]+), (?=(?:click|press|select|choose)\b)", r"enter \1 and "),
    (rf"\bmove to the (?=(?:{MARK}|[a-z]+) (?:page|tab|screen|view|section|menu)\b)", "go to the "),
    (rf"\bfill (?:in|out) the ({LABEL}) form(?: with [^.;]*)?(?=[.;]|$)", "fill in the form"),
    # signs of an icon font, colours, owners
    (rf"\b(click|select|press|tap)(?: on)? (?!(?:on|the|an?|your|its|it|this|that|each|any|all|either|in|and|or|then|twice|again|first|next|here|to)\b)[a-z_]+ (?={LABEL})", r"\1 "),
    (rf"\b(the|that|an?) (?:blue|green|red|yellow|orange|gr[ae]y|white|black|purple) (?={MARK} (?:button|icon|link|tab|sign|symbol))", r"\1 "),
    (rf"({LITERAL})(?= (?:(?:text )?(?:field|box)|drop-?down|check ?box|toggle|switch|button|tab|menu|link)\b)", lambda m: as_label(m[1])),
    (rf"({OTHER})(?= (?:switch|toggle|slider|field|drop-?down|check ?box|button|tab)\b)", lambda m: as_label(m[1])),
    (rf"\b(?:your|the) [\w-]+['’]s (?={LABEL})", "the "),
    (rf"\b(enter|type) ({OTHER})(?= in\b|[.,;]|$)", lambda m: f"{m[1]} {as_literal(m[2])}"),
    (rf"^{verbs.AIM}", ""),
    (r"^to do (?:this|so|that|it),? (?:you (?:must|should|need to|have to|can) )?(?:first |simply |just )*(?=(?:click|select|choose|press|open|go|navigate)\b)", ""),
    (r"^(?:first things first|here['’]s how|tip)\s*[:,–—-] ?", ""),
    (rf",? (?:for example|for instance|e\.g\.|such as),? [^,.;{MARK[1:-1]}]+(?=[.;]|$)", ""),
    # a choice, and where
    (rf"\b(?:set|change|switch) (?:the )?({LABEL})(?: {_FIELD})?(?: of (?:the |your |this )?[^,.;{MARK[1:-1]}]*?)?(?: from {MARK})? to (?:the )?({MARK})", r"set \1 to \2"),
    (rf"\b(?:set|change) the [\w ]+? of (?:the )?({LABEL}) to ({MARK})", r"set \1 to \2"),
    (rf"\b(?:choose|pick|select|use) ({MARK}) (?:for|from) (?:the )?({LITERAL})", lambda m: f"choose {m[1]} from {as_label(m[2])}"),
    (rf"\b(?:choose|pick|select) ({MARK}) for (?:the )?({LABEL})", r"select \1 from \2"),
    (rf"\bfrom (?:the )?{_LIST} (?:beside|next to|under|below|labell?ed|called|named|titled) (?:the )?({LABEL}), ", r"from \1, "),
    (rf"\b(?:choose|select|specify|set|decide) {_QUESTION_WORD}\b[^,.;{MARK[1:-1]}]*? (?:from|in|with|using) (?:the )?({LABEL})", r"select a value from \1"),
    (rf"^(in|for) (?:the )?({LABEL})(?: {_FIELD})?, (?:specify|enter|choose|select|type|set|state) {_QUESTION_WORD}\b[^:]*$", r"enter a value in \2"),
    (rf"^in (?:the )?({LABEL}) {_FIELD},? add (?=(?:the|an?|your|{LITERAL[1:-1]}))", r"in the \1 field, enter "),
    (rf"\badd ({LITERAL}) to (?:the )?({LABEL})", r"enter \1 in \2"),
    (rf"^({MARK})\s*[:–—-]\s*(?:enter|type|specify) ", lambda m: f"in {as_label(m[1])}, enter "),
    (rf"\bgo for (?={MARK})", "select "),
    # several fields
    (rf"\b(enter|type|specify|provide|fill in|add) (?:an?|the|your) ({LABEL}) and (?:an? |the |your )?({LABEL})(?= for (?:the|an?|your|this)\b|[.,;]|$| to (?:help|identify|describe)\b)", r"\1 the \2 and \1 the \3"),
    (rf"\b(enter|type|specify|provide|fill in|add) (?:an?|the|your) ({LABEL}) and, (if [^,]*), (?:an? |the |your )?({LABEL})", r"\1 the \2. \3, \1 the \4"),
    (r",? (?:and )?optionally (adding|entering|specifying|providing|choosing|selecting) ", lambda m: f" and optionally {_IMPERATIVE_OF[m[1].lower()]} "),
    # switches
    (rf"\b(?:move|slide|click|toggle|flip|switch) (?:the )?({LABEL}){_SWITCH_OR_BUTTON} to (?:the )?(on|off|yes|no)\b(?: position)?",
     lambda m: f"turn {'on' if m[2].lower() in ('on', 'yes') else 'off'} {m[1]}"),
    (rf"\b(?:toggle|click|use|flip) (?:the )?({LABEL}){_SWITCH} to (?:disable|deactivate|turn off|switch off|hide)\b", r"turn off \1"),
    (rf"\b(?:switch|turn) ({LABEL}) (on|off) and ({LABEL}) (on|off)\b", r"turn \2 \1 and turn \4 \3"),
    (rf"\b(?:take|remove|clear) (?:the |a )?(?:tick|check|check ?mark) (?:out of|from|at|next to|in front of) (?:the )?(?={LABEL})", "untick "),
    (r"\bput a (?:check ?mark|tick|check) (?:in front of|next to|beside) (?:every|each|the|all|any) ", "select the check box next to the "),
    (rf"\b(?:decide|choose|select|specify|indicate) (?:if|whether) you(?:['’]d| would)? (?:want|wish|like|need|prefer) to ({LABEL})", r"optionally tick \1"),
    (rf"\bby (?:toggling|switching|turning) (?:the )?({LABEL}){_SWITCH} (on|off)\b", r"by clicking to turn \2 \1"),
    # answers, places to go to, forms to send
    (rf"\banswer (?:it |this |the (?:question|prompt|warning) )?(?:with )?({LABEL})(?: to the (?:question|prompt)[^.]*)?", r"click \1"),
    (rf"\bscroll (?:down |up )?to (?:the )?({LABEL})([^,.;]*?),? and (?:then )?(?:click|select|press|open)(?: on)? it\b", r"click \1\2"),
    (r"(?:^|(?<=\band )|(?<=\bthen )|(?<=, ))submit (?:the|this|your) (?:form|changes|request|page)\b", "save the changes"),
    (rf"^replace {LITERAL} with (?=(?:the|your|an?)\b)", "note this: "),
    (r"^(?:from (?:here|there),? )?you can (?:then|now) (?=(?:browse|click|select|choose|enter|press|open|go|navigate|type|pick|find|search|edit|delete|add|create|save|fill|drag|use)\b)", ""),
    (r"^(?:make sure|be sure|take care|remember)(?: to| that you| you)? (?:choose|select|click|pick|use|open) (?=[^,.;]*\b(?:and not|not|rather than|instead of) )", "note this: "),
    (r"(?<=[a-z])\((e?s)\)", r"\1"),
    (r"\b(you (?:want|wish|need|would like) to \w+) (?:or|and) \w+(?=\s*(?:$|[(,.;]))", r"\1"),
    (r"\bfollow the (?:instructions|steps|procedure|directions) (?:in|under|from|above|below)\b[^,.;]*? to (find|locate|open|select|edit) ", r"\1 "),
    (rf"\buse the ({LABEL}) ((?:drop-?down |pull-?down |context )?menu)(?: for (?:an?|the|your) \w+)?(?: to [^.,;]*)?(?=[.,:;]|$)", r"open the \1 \2"),
    # examples and limits in between
    (rf",? \(?(?:for example|for instance|such as|e\.g\.|like|say|eg),? (?:enter |type )?({MARK})\)?(?:,(?= in\b| into\b))?",
     lambda m: f" {as_literal(m[1])}"),
    (rf"(?<=\w) \((?!if\b|only\b|optional|when\b|e\.g|for example)[\w][^(){MARK[1:-1]}]*\)", ""),
    (rf"\bin the search (?:box|bar|field)\b[^,{MARK[1:-1]}]*, (?:enter|type|search for) ({MARK})",
     lambda m: f"search for {as_literal(m[1])}"),
    (rf"\b(?:in|into) the search (?:box|bar|field)\b[^,{MARK[1:-1]}]*, (?:enter|type) (?=the |your |an? )", "search for "),
    (r"\baccept (?=(?:the |all )?(?:remaining |other )?default)", "keep "),
    (r"(\bsearch for (?:the |your |an? )?[\w -]+?) by (?:its )?name\b", r"\1"),
    (rf"\binsert (?=(?:the|an?|your) [^{MARK[1:-1]},;.]+ (?:in|into) (?:the )?{LABEL})", "enter "),
    (rf"\b(enter|type) ([^{MARK[1:-1]},;.]+ (?:in|into) (?:the )?{LABEL}(?: (?:text )?(?:field|box))?) and (?=(?:the|an?|your) [^{MARK[1:-1]},;.]+ (?:in|into) (?:the )?{LABEL})",
     r"\1 \2 and \1 "),
    (rf"\bclick (?:in|into|inside) (?:the )?({LABEL})(?: (?:text )?(?:field|box|area))?,? and (?:then )?(?:paste|enter|type|write) ([^,.;]+)", r"enter \2 in \1"),
    (r",? (?:each )?separated by (?:an? )?(?:commas?|semicolons?|spaces?|new ?lines?|line breaks?)\b", ""),
    (r"\b(?:choose|select|decide|specify|determine) (?:how|whether|what|who|when|where)\b[^:]*:\s*$", "note this:"),
    (rf"\beither (?={MARK})", ""),
    (rf"({LABEL}), {LABEL}(?:, {LABEL})*,? or (?:the |an? )?{LABEL}", r"\1"),  # any will do
    (r"\bstart typing\b", "type"),
    (r"\bselect and click(?: on)?\b", "select"),
    (r"\b(?:check|tick|select) (?:or|and/or) (?:uncheck|untick|deselect|unselect|clear) (?=the [a-z])", "select the check box next to "),
    (r"(?:^|(?<=\band )|(?<=, ))name (?:your|the|this) (?:new )?[a-z][\w -]*?(?=[.,]|$| and )", "enter the name"),
    (r"\bclick(?: on)? (?=the check ?box(?:es)? (?:next to|beside|of|for|in front of|to the left of)\b)", "select "),
    (r"\bassign (?=(?:an?|the) (?:name|title|description|label)\b)", "enter "),
    (r"\bfirst and last names?\b", "first name and last name"),
    (r"\b(enter|provide|specify|fill in|edit|change|update) (?:the |its |your |some )?(?:[\w’'-]+ ){0,3}(?:details|information|data|values|properties)"
     r"(?: (?:of|for) (?:the |your )?[\w’'-]+)?,? (?:such as|like|including) (?=[a-z])", r"\1 the "),
    (r"\bopen ((?:the|your|an?) [a-z][\w -]*?) by clicking(?: on)? (?:its|the) (?:name|title|link)\b", r"open \1"),
    (r"\b(?:turn|switch) (on|off) the (?:toggle|switch) (?:next to|beside|for|of|in the row of) (?:the |your )?([a-z][\w -]*?)(?: name)?(?= to\b|[.,]|$)",
     r"toggle the switch of the \2"),
    (r"\b(the|your|an?) (?:desired|preferred|chosen) (?=[a-z\ue200-\ue2ff])", r"\1 "),
    (rf"\bthe (?:word|text|phrase|string) ({MARK})", lambda m: as_literal(m[1])),
    (rf"\b(select|choose|pick) (?:a|an|any|the) (?:suitable |appropriate |new )?(?:value|option|entry|item|setting) (?:for|from|in|of) (?:the |your )?({LABEL})", r"\1 a \2"),
    (r"(?:^|(?<=, )|(?<=\band ))(?:mark|highlight) (?=(?:the|all|one|any|each) )", "select "),
    (rf"\bbrowse to (?=(?:the )?{LABEL}(?! file))", "go to "),
    (r"\bbrowse to (?=(?:the|your|an?) (?![^.,;]*\b(?:file|image|picture|photo|folder|document|logo|backup)\b))", "find "),
    (r"\bclick twice on\b", "double-click"),
    (r"\b(?:save|submit|confirm|send)(?: [a-z ]+?)? (?:with|using|via) (?=[\ue200-\ue2ff]|(?:ctrl|cmd|control|enter|return)\b)", "press "),
    (r"\bthe icon (?:that looks like|shaped like|in the shape of|with|of|resembling|like) (?:an? |the )?([a-z][\w -]*?)(?=,| and|\.| to| in| next|$)", r"the \1 icon"),
    (r"\b([a-z]+)-shaped\b", r"\1"),
    (rf"\b(de)?activate (?:the )?(?:({MARK})(?= {_TOGGLE})|{_TOGGLE} ({MARK}))", _turned),
    (r"\bclick(?: here)? to (?=(?:open|expand|select|choose|turn o[nf]+) )", ""),
    (rf"\bopen (?:the |a )?{_LIST} (?:under|below|of|for|beside|next to) (?:the )?({LABEL})", r"open the \1 list"),
    (r"\buse (?:the )?check ?boxes to (?:select|choose|pick|mark) (?:all |any |some |one or more )?(?:of )?(?:the )?([a-z][a-z -]*?)(?: (?:in|from|on|of|that|which|you)\b.*)?(?=[,.]|$)(?:, or (?:use )?the search\b[^.]*)?",
     r"select the check box next to the \1"),
    (r"^when(?:ever)? you hover over ", "hover over "),
    (rf"\b(?:slide|move|flip|switch|set|turn) the (?:toggle|switch|slider) (?:next to|for|beside|of) ({LABEL}) (?:to )?(?:the )?(on|off|right|left)\b",
     lambda m: f"turn {'on' if m[2].lower() in ('on', 'right') else 'off'} {m[1]}"),
    (r"\b(?:select|choose|pick|use) ([A-Z][\w.+-]*|[\ue000-\ue2ff]) as (the|your|its) (?=[a-z])", r"enter \1 as \2 "),
    (r"\b(?:hover|move|place|put|rest) (?:your|the) (?:mouse|cursor|pointer) (?:over|on|onto)\b", "hover over"),
    (rf"\bthe (?:thing|one|button|link|option) (?:that|which) (?:says|reads|is called) ({LABEL})", r"\1"),
    (rf"(?<=[^\ue000-\ue0ff])(?:,| and|, and) (?:then|finally|lastly) (?:on )?(?=(?:the )?{LABEL})", ", then click "),
    (rf"(?<=[\ue000-\ue0ff]),? and (?:finally|lastly) (?:on )?(?=(?:the )?{LABEL})", ", then click "),
    (rf"\b(name|title) \([^()]*?({MARK})\)", lambda m: f"{m[1]} {as_literal(m[2])}"),
    (r"\buse the search (?:box|field|bar) to (?:find|search for|look for|locate)\b", "search for"),
    (rf"\bedit (?:any|some|one|all|each) of (?:the|its|your) [^,.{MARK[1:-1]}]*", "edit the form"),
    (r"\bedit (?:the |its |your )?(?:[\w’'-]+ ){0,3}?(?:details|information|settings|values|data|properties|fields)(?: of (?:the |this )?[\w’' -]+?)?(?=[.,]|$)", "edit the form"),
    (r"\b(?:edit|change|update|modify) the (?:[a-z]+ )?(?:fields|values|details) (?:as|where|if) (?:required|needed|necessary)\b", "edit the form"),
    (rf"(?<=\w) \({MARK}\)(?= [a-z]+ed\b)", ""),
    (r"^(?:when|once|after) you(?:['’]ve| have)? (?:completed|filled)(?: in| out)? (?:this|the) form, (?:you can )?(?=[a-z])", "fill in the form and "),
    # words that only lead up to the instruction
    (rf"^((?:if|once|after) [^,;:{MARK[1:-1]}]{{0,80}}?\b(?!(?:you|to|they|users?|not|can|cannot|and|or|then|will|that|which|also|just|first)\b)[\w’']+) (?=(?:click|press|select|choose|tap)(?: on)? (?:the )?{LABEL})", r"\1, "),
    (r"^(if [^,;:]+), you (?:must|should|need to|have to|will need to) (?=[a-z])", r"\1, "),
    (rf"^(?:once|when|after|as soon as) [^,{MARK[1:-1]}]*, you can(?: then| now)? (?=(?:click|press|select|choose)\b)", ""),
    (rf"^you can (?:then|now) [^,{MARK[1:-1]}]*? by clicking(?: on)? ", "click "),
    (rf"^(?:when|once|after|as soon as|now that|if all|if everything) (?:[^,]*? )?(?:{_IS_OVER})\b[^,{MARK[1:-1]}]*, (?=\w)", ""),
    (rf",? (?:when|once|after|as soon as) (?:you|everything|all|it|that|this)[^,{MARK[1:-1]}]*?\b(?:{_IS_OVER})[\s.]*$", ""),
    (rf"^(?:after|when|once) [^,{MARK[1:-1]}]*?\b(?:{_IS_OVER}),? (?=click\b)", ""),
    (r"^(?:it|this|that|the [\w ]+?) will [^,]*, (?=click\b|choose\b|select\b)", ""),
    (r"^[^,]*, so (?=(?:enter|type|click|choose|select|set|tick|turn|slide|pick)\b)", ""),
    (r"^do (?:one|any|either) of the following: ?", ""),
    (r"\b(?:don['’]t forget to|be sure to|remember to|make sure (?:to|you)|go ahead and|please) (?=[a-z])", ""),
    (r"(?:^|(?<=, )|(?<=and ))you(?:['’]ll| will| then)? (?:need|have) to ", ""),
    (r"\bgive it (?:a|an|some|another) (?:[a-z]+ )?(?:seconds?|minutes?|moments?|time|while)\b", "wait"),
    (r"\bdrag and drop\b", "drag"),
    (rf"\b(?:find|locate|look for) (?:the )?({LABEL})([^,.]*?),? and (?:then )?(?:click|select|open|choose)(?: on)? it\b", r"click \1\2"),
    (rf"\b(the|that|an?) (?:(?:big|large|small|little|tiny|round|bright|blue|green|red|yellow|orange|gr[ae]y|white|black|purple),? )+(?={LABEL})", r"\1 "),
    (r"^feel free to ", "optionally "),
    (r"\b(?:smash|slam|bash|punch) (?:that |the )?", "click the "),
    (r"\bthat (?=(?:[a-z]+ )?[\ue000-\ue0ff] (?:button|tab|link))", "the "),
    (r"\bpull down (?:the )?", "open "),
    (r"\bswitch over to\b", "switch to"),
    (r"\b(?:enter|come|get) into the page ", "go to "),
    (rf"\b(?:on|of|for) the (?:left|right)(?:-hand)? side menu (?={LABEL})", " "),
    (rf"\b(?:left|right)(?:-hand)? side menu (?={LABEL})", ""),
    # switches and boxes
    (rf"\b(?:turn|switch|toggle|slide|flip|flick|put|set|move) (?:the )?({LABEL}){_SWITCH_OR_BUTTON}(?: to)? (?:the )?(on|off)\b(?: position)?",
     r"turn \2 \1"),
    (rf"\b(?:flip|toggle) (?:the )?({LABEL}){_SWITCH}", r"turn on \1"),
    (rf"\b(?:open|close) the switch (?:of|for) ({LABEL})",
     lambda m: f"turn {'on' if m[0].lower().startswith('open') else 'off'} {m[1]}"),
    (rf"\bhook (?:the )?({LABEL})", r"tick \1"),
    (r"\bdo not (?:tick|hook|check|select) ", "untick "),
    (rf"(?:^|(?<=, ))(?:make sure|ensure|check|verify|see)(?: that)? (?:the )?({LABEL})(?: box| option)? (?:is|are)(n['’]t| not)? (?:turned |switched |set to )?(?:({_ON})|{_OFF})\b",
     lambda m: f"turn {'on' if bool(m[3]) != bool(m[2]) else 'off'} {m[1]}"),
    (rf"^(?:the )?({LABEL}){_SWITCH} (?:must|should|has to|have to|needs to) be (?:turned |switched |set to )?(?:({_ON})|{_OFF})\b",
     lambda m: f"turn {'on' if m[2] else 'off'} {m[1]}"),
    (rf"\bremove the (?:check ?mark|tick|check) (?:from|next to|in front of) (?=(?:the )?{LABEL})", "untick "),
    (r",? or (?:by )?(?:clicking|selecting|pressing|choosing|typing|entering|dragging)\b[^,.;]*", ""),
    (r"\b(click|press|tap|hit|use)(?: on)? the ([\w -]{1,40}?)['’]s (\w+) (button|icon)\b", r"\1 the \3 icon next to the \2"),
    (r"\b(?:click|tick|check|select)(?: on)? the check ?box(?:es)? (?:on|to) the (?:left|right)(?:[- ]hand)?(?: side)? of (?:the |each )?([\w -]+?)(?:['’]s)?(?: names?| row| record)?(?=\s*(?:[.,;]|$|and\b|or\b))",
     r"check the check box next to the \1"),
    (r",? respectively\b", ""),
    (rf"\b(update|edit|change|adjust) (?:the |its |your )?(?:(?! and (?:select|choose|click|set|enter|tick|then)\b)[\w ])+? (?:with|using|in) (?:the )?(?={LABEL} (?:(?:text )?field|drop-?down|list|box)\b[^,;.]*\.?$)", r"\1 "),
    (r"\bamong (?:the )?(?=[\ue000-\ue0ff])", "from "),
    (r"\bfill (?:in|out) (?:the|all|all the|any) (?:[a-z]+ )?fields(?: of (?:the|your) [\w -]+)?(?=[.,;]|$)", "fill in the form"),
    (r",? (?:and then|then|and) (clicking|pressing|choosing|selecting|entering|typing)\b", lambda m: f", then {IMPERATIVES[m[1].lower()]}"),
    # names
    (r"\bconfirm [^,.]*?\bby (?:typing|entering) (?:in )?", "enter "),
    (rf"\b(?:type|enter|write) (?:the (?:word|text|phrase) )?({MARK}) (?:in(?:to)? (?:the|this|that) (?:(?:confirmation|input|text|provided|empty) )?(?:field|(?:text ?)?box|input)\b|to confirm\b(?: (?:it|that|the) ?[^.,;]*)?)",
     lambda m: f"enter {as_literal(m[1])}"),
    (r" to (?:confirm|finish|complete|finalize|finalise) (?:the|your) [^,.;:]*?(?=[.,;]|$)", ""),
    (rf"\b(choose|select|pick) between (?:the )?({LABEL}) (?:and|or) (?:the )?{LABEL}", r"\1 \2"),
    (rf"\b(?:call|name|title) {_MADE_OBJECT} (?:{_FOR_EXAMPLE} )?({MARK})", r"enter \1 as the name"),
    (rf"\b(?:call|name|title) {_MADE_OBJECT} (?:whatever|something|anything|as you|how you)[^,.]*?(?:,? such as ({MARK}),?|({MARK}))?(?=\s*(?:,|\.|$| and ))",
     lambda m: f"enter {m[1] or m[2]} as the name" if m[1] or m[2] else "enter the name"),
    (rf"\b(?:call|name) {_MADE_OBJECT} \((?:e\.g\.|for example),? ({MARK})\)", r"enter \1 as the name"),
    (rf"\b(?:give|take|pick|choose|think of) (?:it |them |{_MADE_OBJECT} )?an? (?:[a-z-]+ )?(name|title|description)(?: for [\w ]+?)?,?(?: {_FOR_EXAMPLE})? ({MARK})\)?",
     r"enter \2 as the \1"),
    (r"\b(?:give|take|think of|pick|choose) (?:it |them |(?:the|your|this) [\w -]+? )?an? (?:[a-z-]+ )?(name|title|description)\b",
     r"enter the \1"),
    (rf"\bgive (?:it|them|(?:the|your|this) [\w -]+?) the (name|title|role|type|id|label) ({MARK})(?: and the (\w+) ({MARK}))?",
     lambda m: f"enter {m[2]} as the {m[1]}" + (f" and enter {m[4]} as the {m[3]}" if m[3] else "")),
    # values
    (rf"\b(?:take|pick|choose|select|use) ([A-Z][\w-]*|{MARK}) as (?:the |its |your )?({LABEL})", r"select \1 from \2"),
    (rf"\bas (?:the |its )?({LABEL}),? (?:take|choose|pick|use|select) ({MARK})", r"select \2 from \1"),
    (rf"\b(?:put|write|key|enter|type|fill) (?:in )?(?=[^,.]*? (?:next to|in|into|under|beside|against) (?:the )?{LABEL})", "enter "),
    (rf"^(?:beside|next to|against) (?:the )?({LABEL}), (?:put|write|enter|type) ", r"in \1, enter "),
    (rf"^({LABEL}): (?:choose|select|pick) ({MARK})", r"set \1 to \2"),
    (rf"^(?:then |now |next,? )?(?:choose|select|pick|enter|specify) (?:the |an? |your )?((?![^:]*\b(?:following|options?|values?|of)\b)[a-z][\w -]{{1,30}}?): ({MARK})(?: \([^()]*\))?(?=[\s.]*$)",
     lambda m: f"enter {as_literal(m[2])} as the {m[1]}"),
    (r"\bpaste in\b", "paste"),
    (rf"\b(?:change|set|switch|update) (?:the |its |your )?([a-z][\w ]{{1,30}}?) to (?:the )?({MARK})(?! (?:slider|switch|toggle))",
     r"enter \2 as the \1"),
    (r"\b(?:change|edit|update|adjust|fill in|enter) (?:what(?:ever)?|everything|anything|all) (?:that )?you (?:like|want|need)[^,.]*?(?= and |,|\.|$)", "fill in the form"),
    (r"\bcomplete (?=(?:the|all|any|every)? ?(?:[a-z]+ )?(?:fields?|form|details|information|settings|wizard)\b)", "fill in "),
    (r"\b(?:enter|provide|specify|fill in|fill out|type) (?:the|your|its) (?!following\b)[\w'’ -]{1,40}? (?:details|information)(?=\s*(?:[.:;]|$|in the form\b|,? (?:and|then) (?:click|press|select|choose|save)\b))",
     "fill in the form"),
    (r"\bfill the (?=\w+)", "enter the "),
    (r"\bfill (?:this|it|them|everything|these) (?:in|out)\b", "fill in the form"),
)  # fmt: skip
_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), plain) for pattern, plain in _REWRITINGS)


def plainly(text: str) -> str:
    """Rewrite a masked sentence in the wording of the grammar."""
    for pattern, replacement in _COMPILED:
        text = pattern.sub(replacement, text)
    return text
