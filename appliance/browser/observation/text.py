"""An observation as text: numbered elements under their dialog, region and section."""

from appliance.core.page import Element, Observation, TextBlock, TextKind

OPTIONS_SHOWN = 12
QUOTED = frozenset({TextKind.TEXT, TextKind.CELL, TextKind.LABEL})
SHOWN_STATES = (
    "disabled", "checked", "unchecked", "expanded", "collapsed", "selected", "required",
    "invalid", "current", "readonly", "multiple", "haspopup", "offscreen",
)  # fmt: skip


def describe(observation: Observation) -> str:
    """The page as numbered lines, grouped by where things stand."""
    head = [f"{observation.title or '(untitled)'} — {observation.url}"]
    if observation.is_busy:
        head.append("(still loading or changing)")
    head += [f"* {event.kind}: {event.text}" for event in observation.events]
    notices = [t for t in observation.texts if t.kind in (TextKind.NOTICE, TextKind.ERROR)]
    head += [f"! {_tone(t)}{t.text}" for t in notices]
    lines = _elements(observation)
    texts = [t for t in observation.texts if t not in notices]
    return "\n".join([*head, *lines, *_texts(texts)]) + "\n"


def _tone(text: TextBlock) -> str:
    return f"{text.tone or text.kind}: "


def _elements(observation: Observation) -> list[str]:
    lines: list[str] = []
    place: tuple[object, ...] = ()
    row: str | None = None
    for element in observation.elements:
        here = (element.frame, element.dialog, element.region, element.section, element.group)
        if here != place:
            lines += ["", _place(element)]
            place, row = here, None
        if element.row is not None and element.row != row:
            lines.append(f"  row: {element.row}")
        row = element.row
        lines.append(("    " if element.row is not None else "  ") + describe_element(element))
    return lines


def _place(element: Element) -> str:
    parts = [f"frame {element.frame}"] if element.frame else []
    if element.dialog is not None:
        parts.append(f"dialog {element.dialog!r}")
    parts += [part for part in (element.region, element.section, element.group) if part]
    return f"[{' / '.join(parts) or 'page'}]"


def describe_element(element: Element) -> str:
    """One element as one line."""
    parts = [f"{element.id} {element.role} {element.name!r}"]
    if element.text:
        parts.append(f"written {element.text!r}")
    if element.value is not None:
        parts.append(f"= {element.value!r}")
    parts += [state for state in SHOWN_STATES if state in element.states]
    if element.is_submit:
        parts.append("submits")
    if element.column:
        parts.append(f"column {element.column!r}")
    if element.options:
        more = (
            f" +{len(element.options) - OPTIONS_SHOWN}"
            if len(element.options) > OPTIONS_SHOWN
            else ""
        )
        parts.append(f"of {list(element.options[:OPTIONS_SHOWN])}{more}")
    if element.placeholder and element.placeholder != element.name:
        parts.append(f"placeholder {element.placeholder!r}")
    if element.description:
        parts.append(f"({element.description})")
    if element.error:
        parts.append(f"error: {element.error}")
    return " ".join(parts)


def _texts(texts: list[TextBlock]) -> list[str]:
    if not texts:
        return []
    lines = ["", "[texts]"]
    for text in texts:
        where = f" in {text.dialog!r}" if text.dialog is not None else ""
        level = f" {text.level}" if text.level else ""
        shown = repr(text.text) if text.kind in QUOTED else text.text
        lines.append(f"  {text.kind}{level}{where}: {shown}")
    return lines
