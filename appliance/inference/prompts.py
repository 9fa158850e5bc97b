"""Prompts as templates: a folder `prompts` of a package, with one folder for each language."""

from collections.abc import Callable, Mapping
from functools import cached_property

from jinja2 import Environment, PackageLoader, StrictUndefined


class Prompts:
    """The words that models are asked with by one package."""

    def __init__(
        self,
        package: str,
        *,
        filters: Mapping[str, Callable[..., str]] | None = None,
        functions: Mapping[str, Callable[..., str]] | None = None,
    ) -> None:
        self._package, self._filters, self._functions = package, filters or {}, functions or {}

    def render(self, language: str, name: str, **values: object) -> str:
        """A template with its values."""
        return self._templates.get_template(f"{language}/{name}.jinja").render(values).strip()

    @cached_property
    def _templates(self) -> Environment:
        templates = Environment(
            loader=PackageLoader(self._package, "prompts"),
            autoescape=False,  # noqa: S701 - plain text; what others wrote is fenced before
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        templates.filters.update(self._filters)
        templates.globals.update(self._functions)
        return templates


def language_of(language: str) -> str:
    """The language of the prompts for a text in that language."""
    return "zh" if language.lower().startswith("zh") else "en"
