"""What a model is told: rules, what there is, the request, what was wrong with its answer."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import jinja2

from appliance.environment.coder.allowed import Allowed
from appliance.environment.coder.report import Stage
from appliance.environment.modules import Module

FOLDER = Path(__file__).with_name("prompts")
_LONGEST_REQUEST = 2000
_LONGEST_PROBLEM = 600
_MOST_PROBLEMS = 12


@lru_cache(maxsize=1)
def version() -> str:
    """Which prompts these are: another one after every change of a word."""
    texts = [f.read_bytes() for f in sorted(FOLDER.glob("*.jinja"))]
    return f"coder-{hashlib.sha256(b''.join(texts)).hexdigest()[:8]}"


def system(console: str, modules: Mapping[str, Module], allowed: Allowed) -> str:
    """The rules, and what there is to write of."""
    types = allowed.schema.resources
    return _template("system").render(
        console=console,
        modules=[modules[name] for name in sorted(modules)],
        usual=_usual,
        resources=[types[name] for name in sorted(types)],
        data=[allowed.schema.data[name] for name in sorted(allowed.schema.data)],
        max_resources=allowed.max_resources,
        max_cost_per_hour=allowed.max_cost_per_hour,
        currency=allowed.currency,
    )


def request(text: str) -> str:
    """What is asked for, quoted: nothing in it can end the quotation."""
    return _template("request").render(request=_as_data(text, _LONGEST_REQUEST))


def repair(stage: Stage, problems: Sequence[str]) -> str:
    """What was wrong with an answer, quoted: provider and cloud repeat what others wrote."""
    quoted = [_as_data(each, _LONGEST_PROBLEM) for each in problems[:_MOST_PROBLEMS]]
    return _template("repair").render(stage=stage.value, problems=quoted)


def _usual(module: Module) -> str:
    """The defaults of a module: values that are known to work."""
    shown = {
        name: variable.default
        for name, variable in module.variables.items()
        if variable.default not in (None, "")
    }
    return json.dumps(shown, ensure_ascii=False)


def _as_data(text: str, longest: int) -> str:
    cut = text if len(text) <= longest else f"{text[:longest]}…"
    return json.dumps(cut, ensure_ascii=False)


def _template(name: str) -> jinja2.Template:
    return _environment().get_template(f"{name}.jinja")


@lru_cache(maxsize=1)
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # noqa: S701 - no HTML
        keep_trailing_newline=True,
    )
