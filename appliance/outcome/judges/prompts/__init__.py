"""The words that judges are asked with, in English and Chinese, and their version."""

from functools import cache
from hashlib import sha256
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined

_PACKAGE = "appliance.outcome.judges"


@cache
def _templates() -> Environment:
    return Environment(
        loader=PackageLoader(_PACKAGE, "prompts"),
        autoescape=False,  # noqa: S701 - plain text; what others wrote is fenced before
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def language_of(language: str) -> str:
    """The language of the prompts for a text in that language."""
    return "zh" if language.lower().startswith("zh") else "en"


@cache
def version(language: str) -> str:
    """Language, and a hash that is another one after every change of a word."""
    folder = files(_PACKAGE) / "prompts" / language
    texts = [f.read_bytes() for f in sorted(folder.iterdir(), key=lambda f: f.name)]
    return f"judges-{language}-{sha256(b''.join(texts)).hexdigest()[:8]}"


def render(language: str, name: str, **values: object) -> str:
    """A template with its values."""
    return _templates().get_template(f"{language}/{name}.jinja").render(values).strip()
