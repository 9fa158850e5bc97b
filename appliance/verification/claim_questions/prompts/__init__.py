"""The words that a model is asked with about claims, in English and Chinese."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

VERSION = "claims-1"
"""Of both languages together: an answer to other words is another answer."""
_PACKAGE = "appliance.verification.claim_questions"


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


def render(language: str, name: str, **values: object) -> str:
    """A template with its values."""
    return _templates().get_template(f"{language}/{name}.jinja").render(values).strip()
