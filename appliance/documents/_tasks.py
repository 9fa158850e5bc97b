"""Titles and lead-ins that name a task whose instructions follow."""

import re

from appliance.documents._language import starts_with_verb
from appliance.language import verbs
from appliance.language.words import one_of

_GERUND = re.compile(
    r"(?:\d+[.)] )?(?:Manually [a-z]+ing|[A-Z][a-z]+ing) "
    r"(?:(?:up|out) )?(?:an? |the |your )?[\w\"“]"
)
"""As "Closing Review Requests"."""
_COMPOUND = re.compile(r"[A-Za-z]+-[a-z]")
"""As "Add-on issues", which adds nothing."""
_HOW = re.compile(
    r"(?:q[:.] ?|问[:：] ?)?(?:how (?:to|do|does|can|could|would|should)\b|can (?:i|we|you)\b"
    r"|where (?:do|can) (?:i|we|you)\b|is (?:it possible|there a way)\b"
    r"|.{0,12}(?:如何|怎样|怎么|怎麽)|(?:是否)?可以.*[吗？?])",
    re.I,
)
_QUESTION = re.compile(r"[?？]\W*$")
_PURPOSE = re.compile(
    rf"(?:{one_of(verbs.PURPOSES.en)})(?: (?:an?|the|your|this|all)\b|$)"
    rf"|(?:{one_of(verbs.PURPOSES.zh)})",
    re.I,
)
_ANNOUNCED = re.compile(
    r"(?:(?:next|now|first|so|in this (?:section|part|step|tutorial)|to start|finally),? )*"
    r"(?:let['’]s|we(?:['’]ll| will| are going to|['’]re going to)|you(?:['’]ll| will)"
    r"|here(?:['’]s| is) how to)"
    r" (?:now |also )?(?!(?:look|see|explore|discuss|describe|explain|cover|learn"
    r"|understand|talk|review"
    r"|consider|say|assume|suppose|take|show|find|be|have|need|get|notice|want|use|install|write|run"
    r"|implement|define|build|deploy|import)\b)[a-z]+",
    re.I,
)


def asks(title: str) -> bool:
    """Whether it is a question, as in an FAQ."""
    return bool(_QUESTION.search(title))


def asks_how(title: str) -> bool:
    """Whether it asks how something is done: "How do I delete a project?", "如何删除实例？"."""
    return bool(_HOW.match(title))


def names_task(title: str) -> bool:
    """Whether it names something to be done: "Adding users", "Publish", "How do I …?"."""
    if _COMPOUND.match(title):
        return False
    match = _GERUND.match(title) or _PURPOSE.match(title)
    return bool(match) or starts_with_verb(title) or asks_how(title)


def announces_task(sentence: str) -> bool:
    """Whether it announces what is done next: "Next, let's annotate the texts."."""
    return bool(_ANNOUNCED.match(sentence))
