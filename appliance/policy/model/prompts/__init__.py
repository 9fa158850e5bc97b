"""The words that models are asked with, in English and Chinese, and their version."""

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib.resources import files

from appliance.core.fencing import fence
from appliance.inference.prompts import Prompts
from appliance.policy.model.fence import line

NUMBER = 5
"""Raised where what models are asked changes in meaning: what they learnt with another one is
kept apart."""


def _fenced(name: str, *, caller: Callable[[], str]) -> str:
    """For `{% call %}` blocks."""
    return fence(caller(), name)


@cache
def version(language: str) -> str:
    """Language, number, and a hash that tells whether a word was changed."""
    folder = files("appliance.policy.model") / "prompts" / language
    texts = [f.read_bytes() for f in sorted(folder.iterdir(), key=lambda f: f.name)]
    return f"{language}-{NUMBER}-{sha256(b''.join(texts)).hexdigest()[:8]}"


def prompts_version() -> str:
    """Of the prompts in all languages."""
    return f"{version('en')} {version('zh')}"


render = Prompts(
    "appliance.policy.model", filters={"fence": fence, "line": line}, functions={"fenced": _fenced}
).render
