"""How one control is written, and how page text is kept from looking like anything else."""

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import parse_qsl, urlsplit

from appliance.core.page import Bounds, Element

BLANK = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029]+")
# What is not seen: marks of direction, soft hyphens, joiners of nothing, tags.
UNSEEN = re.compile(
    r"[\xad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
PLAIN = re.compile(r"[\w,.;:/-]*(?: [\w,.;:/-]+)*", re.ASCII)  # as most texts are
FORGED = re.compile(r"[\[({<](?=[x_\-~\u200c\u200d]*[0-9])")
MARKED = re.compile(r"[#!*=.+\-~'|]")  # what the lines of the form itself begin with
LINKS = frozenset({"link", "tab"})
CHOICES = frozenset({"combobox", "listbox"})
FIELDS = frozenset({"textbox", "searchbox", "spinbutton", "slider"})
TICKED = (("mixed", "-"), ("checked", "x"), ("unchecked", "_"))
TYPES = frozenset({"date", "time", "datetime-local", "month", "week", "color", "file"})
UNUSABLE = frozenset({"disabled", "covered"})
SHORT_VALUE = 24  # characters of a query's value that still mean something


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """How much is said; a tight budget says less."""

    text: int = 240
    """Characters of one text; 0 leaves plain texts out."""
    cell: int = 60
    """As above, for cells of tables."""
    name: int = 80
    description: int = 80
    options: int = 8
    hints: int = 6
    """Names told per section that is out of view; 0 tells counts only."""
    sections: bool = True
    """Whether the heading over a control is told where it is not in view."""
    whole: bool = False
    """Also what is out of view."""
    reach: bool = True
    """Whether what is told of it can be acted upon: no dialog is in the way."""


@lru_cache(maxsize=8192)
def clean(text: str, limit: int = 240) -> str:
    """Page text on one line, cut, and unable to pass for a numbered control."""
    if PLAIN.fullmatch(text) and len(text) <= limit:
        return text
    text = BLANK.sub(" ", UNSEEN.sub("", text)).strip()
    if len(text) > limit:
        text = text[: max(0, limit - 1)].rstrip() + "…"
    text = FORGED.sub(lambda match: "\\" + match.group(), text)
    return text + " " if text.endswith("\\") else text


def line_of(text: str) -> str:
    """Page text that begins a line: unable to pass for a heading, a notice, a hint."""
    return "'" + text if MARKED.match(text) else text


def is_usable(element: Element) -> bool:
    """Whether it can be acted upon now (after scrolling to it)."""
    return not element.states & UNUSABLE


def control(element: Element, detail: Detail, *, name: str | None = None, more: str = "") -> str:
    """A control with its number; `name` stands for its own name, `more` goes behind it."""
    brackets = _brackets(element)
    opens, closes = brackets[0], brackets[1]
    label = _name(element, detail) if name is None else name
    tick = next((mark for state, mark in TICKED if state in element.states), "")
    if is_usable(element):
        head = f"{opens}{tick}{element.id}"
        glue = "" if not label or _is_ideograph(label[0]) else " "
    else:
        head = f"{opens}~{tick}"
        glue = " " if tick or re.match(r"[x_\-0-9]", label) else ""
    return f"{head}{glue}{label}{_marks(element)}{_value_text(element, detail)}{more}{closes}"


def _is_ideograph(char: str) -> bool:
    # A space before one costs a token and parts nothing: no such name begins with a digit.
    return char >= "\u2e80" and char.isalpha()


def _brackets(element: Element) -> str:
    if element.role in LINKS:
        return "[]"
    if element.role in CHOICES:
        return "<>"
    return "{}" if element.role in FIELDS else "()"


def _name(element: Element, detail: Detail) -> str:
    name, text = element.name.strip(), element.text.strip()
    if text and text.casefold() not in name.casefold():
        name = text if name.casefold() in text.casefold() else f"{name}/{text}"
    elif name and element.look and element.look.casefold() not in name.casefold():
        name = f"{name}/icon {element.look}"  # documents name either
    if element.type in TYPES and element.role not in LINKS:
        name = f"{name}:{element.type}"
    elif limits := _range(element.bounds):
        name = f"{name}:{limits}"
    if not name and element.href:
        name = address(element.href)
    if not name and element.placeholder and not element.value:
        name = f"~{element.placeholder}"
    return clean(name, detail.name)


def _range(bounds: Bounds | None) -> str:
    """`1..500`: the numbers that it takes."""
    if bounds is None or (bounds.least is None and bounds.most is None):
        return ""
    least, most = (f"{n:.12g}" if n is not None else "" for n in (bounds.least, bounds.most))
    return f"{least}..{most}"


def _marks(element: Element) -> str:
    states = element.states
    marks = "*" if states & {"required", "selected", "current", "pressed"} else ""
    if "expanded" in states:
        marks += "-"
    elif states & {"collapsed", "haspopup"} and element.role not in CHOICES:
        marks += "+"
    if "multiple" in states:
        marks += "&"
    if "readonly" in states:
        marks += ";readonly"
    return marks + ";covered" if "covered" in states else marks


def _value_text(element: Element, detail: Detail) -> str:
    """Value, options, hint and error."""
    parts = ""
    value = clean(element.value or "", detail.name)
    if value or element.role in CHOICES:
        parts += f"={value}"
    parts += options(element, detail)
    if not value and element.placeholder and element.name and element.role in FIELDS:
        name = element.name.casefold()
        hint = element.placeholder.casefold()
        if hint not in name and name not in hint:
            parts += f" ~{clean(element.placeholder, detail.description)}"
    if element.error:
        parts += f" !{clean(element.error, detail.text or 80)}"
    elif "invalid" in element.states:
        parts += " !"
    return parts + _description(element, detail)


def _description(element: Element, detail: Detail) -> str:
    description = element.description
    if element.error:
        description = description.replace(element.error, " ")  # told already
    if not detail.description or not description.strip() or description == element.name:
        return ""
    return f";{clean(description, detail.description)}"


def options(element: Element, detail: Detail) -> str:
    """The choices other than the chosen one: the first, and the last of many."""
    others = [f"|{clean(o, 40)}" for o in element.options if o != element.value]
    omitted = len(others) - detail.options - 1
    if not detail.options or omitted <= 0:
        return "".join(others) if detail.options else ""
    return "".join((*others[: detail.options], f"|…{omitted} more", others[-1]))


def address(url: str) -> str:
    """Path and the short values of the query; what is only noise is left out."""
    try:
        parts = urlsplit(url)
        query = [f"{k}={v}" for k, v in parse_qsl(parts.query) if len(v) <= SHORT_VALUE]
    except ValueError:
        return clean(url, 120)
    tail = "?" + "&".join(query) if query else ""
    hashed = f"#{parts.fragment}" if parts.fragment else ""
    return clean(f"{parts.path or '/'}{tail}{hashed}", 120)
