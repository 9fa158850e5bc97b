"""The scripts that run in pages: the observer in our own world, small hooks in the page's own."""

import secrets
from functools import cache
from importlib.resources import files

BINDING = "__appliance_tell"
PARTS = (
    "base", "classes", "reads", "drawn", "looks", "shapes", "icons", "names", "states", "context",
    "backdrop", "texts", "bare", "folds", "virtual", "observe", "emit", "merging", "watch",
    "pending", "calm", "reach", "fields", "choices", "rolling", "calendar",
    "glance", "act", "written", "export",
)  # fmt: skip

# Names of the events between the worlds: not to be guessed by a page.
NAMES = {
    name: f"{name.lower()}-{secrets.token_hex(8)}" for name in ("ASK", "TELL", "PACE", "PACED")
}


def _read(name: str) -> str:
    source = files("appliance.browser").joinpath("js", f"{name}.js").read_text("utf-8")
    for word, secret in {**NAMES, "BINDING": BINDING}.items():
        source = source.replace(f"__{word}__", secret)
    return source


@cache
def observer_source() -> str:
    """The script of our world: all parts in one scope, installed once per document."""
    body = "\n".join(_read(part) for part in PARTS)
    return f"(() => {{ 'use strict'; if (globalThis.__appliance) return;\n{body}\n}})();"


@cache
def hook_source() -> str:
    """The small scripts that run in the page's own world before its first script."""
    return "\n".join(map(_read, ("hook", "pace")))
