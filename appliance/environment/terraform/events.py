"""What Terraform says with `-json`, a JSON object a line, as types."""

import json
import re
from collections.abc import Mapping
from typing import Any

from appliance.environment.terraform.types import Diagnostic, Progress

Said = Mapping[str, Any]  # Any: Terraform's JSON, of every version

_PLACE = re.compile(r"on (\S+) line (\d{1,9})\b")
_DOING = {
    "create": ("creating", "created"),
    "update": ("updating", "updated"),
    "delete": ("deleting", "deleted"),
    "replace": ("replacing", "replaced"),
    "read": ("reading", "read"),
}


def read_line(line: str, attempt_id: str) -> Diagnostic | Progress | None:
    """What a line says; None: nothing that matters here, or no JSON at all."""
    event = _loaded(line)
    if not isinstance(event, dict):
        return None
    match event.get("type"):
        case "diagnostic":
            return diagnostic(event.get("diagnostic"))
        case "apply_start" | "apply_progress":
            return _progress(event, attempt_id, 0)
        case "apply_complete":
            return _progress(event, attempt_id, 1)
        case "apply_errored":
            return _progress(event, attempt_id, None)
    return None


def read_validation(text: str) -> list[Diagnostic] | None:
    """What `validate -json` found; None: it did not get that far."""
    said = _loaded(text)
    if not isinstance(said, dict) or not isinstance(said.get("diagnostics"), list):
        return None
    return [found for each in said["diagnostics"] if (found := diagnostic(each))]


def read_shown(text: str) -> Said:
    """The document that `show -json` prints; empty when it is none."""
    said = _loaded(text)
    return said if isinstance(said, dict) else {}


def diagnostic(said: object) -> Diagnostic | None:
    """A diagnostic of Terraform's."""
    if not isinstance(said, dict) or not isinstance(said.get("summary"), str):
        return None
    place = _within(said, "range")
    line = _within(place, "start").get("line")
    return Diagnostic(
        severity="warning" if said.get("severity") == "warning" else "error",
        summary=said["summary"],
        detail=_text(said, "detail"),
        address=_text(said, "address"),
        file=_text(place, "filename"),
        line=line if isinstance(line, int) else 0,
    )


def read_plain(text: str) -> list[Diagnostic]:
    """The errors of a text for people, where a command has no JSON or did not get that far."""
    found: list[list[str]] = []
    for raw in text.splitlines():
        line = raw.strip("╷│╵ \t")
        if line.startswith("Error: "):
            found.append([line.removeprefix("Error: ")])
        elif line.startswith("Warning: "):
            found.append([line])
        elif found and line:
            found[-1].append(line)
    return [_plain(lines) for lines in found if not lines[0].startswith("Warning: ")]


def _plain(lines: list[str]) -> Diagnostic:
    detail = " ".join(lines[1:])
    place = _PLACE.match(detail)
    return Diagnostic(
        severity="error",
        summary=lines[0],
        detail=detail,
        file=place[1] if place else "",
        line=int(place[2]) if place else 0,
    )


def _progress(said: Said, attempt_id: str, when: int | None) -> Progress | None:
    hook = _within(said, "hook")
    address = _text(_within(hook, "resource"), "addr")
    if not address:
        return None
    took_s = hook.get("elapsed_seconds")
    doing = _DOING.get(_text(hook, "action"), ("changing", "changed"))
    return Progress(
        attempt_id=attempt_id,
        address=address,
        doing="failed" if when is None else doing[when],
        took_s=float(took_s) if isinstance(took_s, int | float) else 0.0,
    )


def _within(said: Said, key: str) -> Said:
    inner = said.get(key)
    return inner if isinstance(inner, dict) else {}


def _text(said: Said, key: str) -> str:
    text = said.get(key)
    return text if isinstance(text, str) else ""


def _loaded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
