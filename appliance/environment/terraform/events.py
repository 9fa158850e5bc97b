"""Parse the output of `terraform -json`, one JSON object per line."""

import json
import re
from collections.abc import Mapping
from typing import Any

from appliance.environment.terraform.types import Diagnostic, Progress

JsonObject = Mapping[str, Any]  # Any: Terraform's JSON, of every version

_PLACE = re.compile(r"on (\S+) line (\d{1,9})\b")
_DOING = {
    "create": ("creating", "created"),
    "update": ("updating", "updated"),
    "delete": ("deleting", "deleted"),
    "replace": ("replacing", "replaced"),
    "read": ("reading", "read"),
}


def read_line(line: str, attempt_id: str) -> Diagnostic | Progress | None:
    """Parse a line; None if it is irrelevant or not JSON."""
    event = _parse_json(line)
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
    """The diagnostics of `validate -json`; None if it printed none."""
    document = _parse_json(text)
    if not isinstance(document, dict) or not isinstance(document.get("diagnostics"), list):
        return None
    return [parsed for each in document["diagnostics"] if (parsed := diagnostic(each))]


def read_shown(text: str) -> JsonObject:
    """The document printed by `show -json`; empty if it is invalid."""
    document = _parse_json(text)
    return document if isinstance(document, dict) else {}


def diagnostic(raw: object) -> Diagnostic | None:
    """Convert one of Terraform's diagnostics."""
    if not isinstance(raw, dict) or not isinstance(raw.get("summary"), str):
        return None
    place = _within(raw, "range")
    line = _within(place, "start").get("line")
    return Diagnostic(
        severity="warning" if raw.get("severity") == "warning" else "error",
        summary=raw["summary"],
        detail=_text(raw, "detail"),
        address=_text(raw, "address"),
        file=_text(place, "filename"),
        line=line if isinstance(line, int) else 0,
    )


def read_plain(text: str) -> list[Diagnostic]:
    """The errors in plain text, for commands without JSON or that failed before printing it."""
    paragraphs: list[list[str]] = []
    for raw in text.splitlines():
        line = raw.strip("╷│╵ \t")
        if line.startswith("Error: "):
            paragraphs.append([line.removeprefix("Error: ")])
        elif line.startswith("Warning: "):
            paragraphs.append([line])
        elif paragraphs and line:
            paragraphs[-1].append(line)
    return [_plain(lines) for lines in paragraphs if not lines[0].startswith("Warning: ")]


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


def _progress(raw: JsonObject, attempt_id: str, when: int | None) -> Progress | None:
    hook = _within(raw, "hook")
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


def _within(raw: JsonObject, key: str) -> JsonObject:
    inner = raw.get(key)
    return inner if isinstance(inner, dict) else {}


def _text(raw: JsonObject, key: str) -> str:
    text = raw.get(key)
    return text if isinstance(text, str) else ""


def _parse_json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
