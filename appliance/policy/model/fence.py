"""Keeps what others wrote apart from what we say, and notices where it speaks to an assistant."""

import re

from appliance.browser.observation.notation import clean
from appliance.core.page import Observation
from appliance.core.secrets import without_secrets

_ENDS = re.compile(r"<(?=\s*/?\s*(?:page|document|done)\b|\||/?s>)", re.IGNORECASE)
"""Our own fences, and the marks by which chat templates part who speaks (`<|im_end|>`, `</s>`)."""
_ADDRESSED = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b[^.!?\n]{0,40}\b(?:above|previous|prior|earlier|all)\b"
    r"[^.!?\n]{0,40}|\b(?:ignore|disregard|override)\b[^.!?\n]{0,20}\b(?:instructions?|rules|prompt)\b"
    r"|\b(?:ai|language[- ]model|automated|browser) (?:agents?|assistants?)\b[^.!?\n]{0,60}"
    r"|\b(?:dear|attention|note to|message (?:to|for)) (?:the )?(?:ai|assistants?|agents?|llms?)\b"
    r"|\bsystem prompt\b|\bnew instructions?\s*:|\byou are (?:now )?(?:an? )?(?:ai|assistant)\b"
    r"|(?:忽略|无视|忘记|不要理会)[^。！？\n]{0,12}(?:以上|上述|上面|之前|前面|先前|所有)?[^。！？\n]{0,8}"
    r"(?:指令|指示|说明|规则|要求|提示)"
    r"|(?:致|告|请)\s*(?:人工智能|AI|智能体|大?语言?模型|自动化?助手)|系统提示词|新的?指令\s*[:：]"
    r"|你(?:现在)?是[^。！？\n]{0,6}(?:人工智能|AI|助手|智能体|模型)",
    re.IGNORECASE,
)
_QUOTED = 160


def fence(text: str, name: str) -> str:
    """Text of others between marks that it cannot forge, without any secret that we know."""
    safe = _ENDS.sub("<\\\\", without_secrets(text)).strip("\n")
    return f"<{name}>\n{safe}\n</{name}>"


def line(text: object, limit: int = 200) -> str:
    """Text of others as a part of one line, cut."""
    return _ENDS.sub("<\\\\", clean(without_secrets(str(text)), limit))


def addressed(view: Observation) -> str:
    """The first text of the page that speaks to an assistant, quoted; empty: there is none."""
    texts = [t.text for t in view.texts]
    texts += [said for e in view.elements for said in (e.name, e.value, e.description) if said]
    found = _ADDRESSED.search("\n".join(texts))
    if found is None:
        return ""
    whole = found.string
    start = whole.rfind("\n", 0, found.start()) + 1
    end = whole.find("\n", found.end())
    return clean(whole[start : end if end >= 0 else None], _QUOTED)
