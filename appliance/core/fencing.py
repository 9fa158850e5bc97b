"""Keeps what others wrote apart from what we say to a model, and notices where it speaks to one."""

import re

from appliance.core.secrets import without_secrets

_ENDS = re.compile(
    r"<(?=\s*/?\s*(?:page|document|done|actions|procedure|values)\b|\||/?s>)", re.IGNORECASE
)
"""Our own fences, and the marks by which chat templates part who speaks (`<|im_end|>`, `</s>`)."""
_COMMANDED = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b[^.!?\n]{0,40}\b(?:above|previous|prior|earlier|all)\b"
    r"[^.!?\n]{0,40}|\b(?:ignore|disregard|override)\b[^.!?\n]{0,20}\b(?:instructions?|rules|prompt)\b"
    r"|\b(?:dear|attention|note to|message (?:to|for)) (?:the )?"
    r"(?:ai|assistants?|agents?|llms?|judges?)\b"
    r"|\bsystem prompt\b|\bnew instructions?\s*:"
    r"|\byou are (?:now )?(?:an? )?(?:ai|assistant|judge)\b"
    r"|(?:忽略|无视|忘记|不要理会)[^。！？\n]{0,12}(?:以上|上述|上面|之前|前面|先前|所有)?[^。！？\n]{0,8}"
    r"(?:指令|指示|说明|规则|要求|提示)"
    r"|(?:致|告|请)\s*(?:人工智能|AI|智能体|大?语言?模型|自动化?助手|评审|评判)|系统提示词|新的?指令\s*[:：]"
    r"|你(?:现在)?是[^。！？\n]{0,6}(?:人工智能|AI|助手|智能体|模型|评审)",
    re.IGNORECASE,
)

_MENTIONED = re.compile(
    r"\b(?:ai|language[- ]model|automated|browser) (?:agents?|assistants?|judges?)\b", re.IGNORECASE
)
"""Also in an honest console that has such things to offer."""
_TOLD = re.compile(
    r"\b(?:must|should|please|answer|reply|report|judge|say|conclude|has to|have to)\b",
    re.IGNORECASE,
)
_LONGEST = 20_000
"""Characters of a line; on longer ones the search takes too long, and nobody reads them."""


_QUOTED = 3
"""Lines that a warning quotes."""
_CUT = 160
"""Characters of each."""


def escaped(text: str) -> str:
    """Text of others in which nothing closes a fence, without any secret that we know."""
    return _ENDS.sub("<\\\\", without_secrets(text))


def fence(text: str, name: str) -> str:
    """Text of others between marks that it cannot forge, without any secret that we know."""
    inside = escaped(text).strip("\n")
    return f"<{name}>\n{inside}\n</{name}>"


def folded(text: str) -> str:
    """What quotes are compared by: no blanks, no case, no strokes before a page's brackets."""
    return " ".join(text.replace("\\", "").split()).casefold()


def commanded(text: str) -> tuple[str, ...]:
    """The lines of a text that tell an assistant or a judge what to do."""
    lines = (line.strip() for line in text.splitlines() if len(line) < _LONGEST)
    return tuple(filter(_is_told, lines))


def command_quotes(text: str) -> tuple[str, ...]:
    """The first of these, as a warning may quote them: on one line each, cut, ending no fence."""
    first = (" ".join(line.split()) for line in commanded(text)[:_QUOTED])
    return tuple(escaped(line if len(line) <= _CUT else f"{line[:_CUT]}…") for line in first)


def _is_told(line: str) -> bool:
    is_told = _MENTIONED.search(line) and _TOLD.search(line)
    return bool(is_told or _COMMANDED.search(line))
