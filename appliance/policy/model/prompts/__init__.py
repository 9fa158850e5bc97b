"""The words that models are asked with, in English and Chinese, and their version."""

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined

from appliance.core.fencing import fence
from appliance.policy.model.fence import line

NUMBER = 1
"""Raised where what models are asked changes in meaning: what they learnt with another one is
kept apart."""


@cache
def _templates() -> Environment:
    made = Environment(
        loader=PackageLoader("appliance.policy.model", "prompts"),
        autoescape=False,  # noqa: S701 - plain text; what others wrote goes through `fence`
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"fence": fence, "line": line}
    made.globals["fenced"] = _fenced
    return made


def _fenced(name: str, *, caller: Callable[[], str]) -> str:
    """For `{% call %}` blocks."""
    return fence(caller(), name)


def language_of(language: str) -> str:
    """The language of the prompts for a text in that language."""
    return "zh" if language.lower().startswith("zh") else "en"


@cache
def version(language: str) -> str:
    """Language, number, and a hash that tells whether a word was changed."""
    folder = files("appliance.policy.model") / "prompts" / language
    texts = [f.read_bytes() for f in sorted(folder.iterdir(), key=lambda f: f.name)]
    return f"{language}-{NUMBER}-{sha256(b''.join(texts)).hexdigest()[:8]}"


def render(language: str, name: str, **values: object) -> str:
    """A template with its values."""
    return _templates().get_template(f"{language}/{name}.jinja").render(values).strip()
