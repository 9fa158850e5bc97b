"""config.example.yaml, made from the settings tree and its docstrings."""

from collections.abc import Iterator
from typing import Literal, get_args, get_origin

from annotated_types import Ge, Gt, Le
from pydantic.fields import FieldInfo

from appliance.config._schema import shape_of
from appliance.config.section import Section
from appliance.config.service_settings import (
    NotificationSettings,
    ScheduleSettings,
    WebhookSettings,
)
from appliance.config.settings import AccountSettings, ConsoleSettings, Settings
from appliance.config.show import flow

_HEAD = """\
# Settings of the Console Docs Appliance. This file is made from the code by
# `appliance config example --full`: every setting is here, with its default.
# A short one to begin with is written by `appliance init`.
#
# Copy it to config.yaml and keep what you change. Settings come from
#   defaults < config.yaml < environment < flags
# config.yaml is looked for in the current folder, then in /etc/appliance;
# `appliance --config FILE` names another. A variable is the path in capitals,
# e.g. APPLIANCE_DATA_DIR or APPLIANCE_BROWSER__POOL_SIZE (`__` between levels).
# Relative paths in a settings file start at that file's folder.
"""

_FURTHER_CONSOLE = """\
  # Another console has the same keys, for example:
  # lab:
  #   kind: openstack
  #   url: http://dashboard.example/horizon
  #   auth_url: http://keystone.example:5000/v3
  #   audit: {kind: cadf, path: /var/log/audit.jsonl}
  #   accounts:
  #     alice:
  #       username: alice
  #       password_env: LAB_ALICE_PASSWORD
  #       role: member
  #       project: demo
"""


_TEMPLATES: dict[str, type[Section]] = {
    "accounts": AccountSettings,
    "schedules": ScheduleSettings,
    "webhooks": WebhookSettings,
    "notifications": NotificationSettings,
}
"""Settings under names that people choose."""


def example_config() -> str:
    """The whole of it. It loads, and gives the defaults."""
    parts = [_HEAD]
    for name, field in Settings.model_fields.items():
        parts.append("\n".join(_setting(name, field, 0)) + "\n")
        if name == "consoles":
            parts[-1] += _FURTHER_CONSOLE
    return "\n".join(parts)


def _setting(name: str, field: FieldInfo, level: int) -> Iterator[str]:
    indent = "  " * level
    yield f"{indent}# {_explanation(field)}"
    default = field.get_default(call_default_factory=True)
    if isinstance(default, Section):
        yield f"{indent}{name}:"
        yield from _section(default, level + 1)
    elif name == "consoles":
        yield f"{indent}{name}:"
        for key, value in default.items():
            yield f"{indent}  {key}:"
            yield from _section(value, level + 2)
    elif name in _TEMPLATES:
        yield f"{indent}{name}:" if default else f"{indent}{name}: {{}}"
        for key, value in default.items():
            yield f"{indent}  {key}: {flow(value.model_dump(exclude_defaults=True))}"
        yield f"{indent}#   NAME:"
        yield from (f"{indent}#     {line}" for line in _template(_TEMPLATES[name]))
    else:
        yield f"{indent}{name}: {flow(default)}"


def _section(section: Section, level: int) -> Iterator[str]:
    for name, field in type(section).model_fields.items():
        if isinstance(section, ConsoleSettings) and name == "kind":
            yield f"{'  ' * level}# {_explanation(field)}"
            yield f"{'  ' * level}kind: {section.kind}"
        else:
            yield from _setting(name, field, level)


def _template(section: type[Section]) -> Iterator[str]:
    for name, field in section.model_fields.items():
        yield f"# {_explanation(field)}"
        default = field.get_default(call_default_factory=True)
        yield f"{name}: {'…' if field.is_required() else flow(default)}"


def _explanation(field: FieldInfo) -> str:
    """The field's documentation, with the values that it takes where they are few or bounded."""
    text = " ".join((field.description or "").split())
    annotation = shape_of(field.annotation).annotation
    if get_origin(annotation) is Literal:
        return f"{text} One of: {', '.join(map(str, get_args(annotation)))}."
    bounds = _bounds(field)
    return f"{text.rstrip('.')} ({bounds})." if bounds else text


def _bounds(field: FieldInfo) -> str:
    low = high = None
    for limit in field.metadata:
        match limit:
            case Ge(ge=bound):
                low = f"{bound}"
            case Gt(gt=bound):
                low = f"more than {bound}"
            case Le(le=bound):
                high = f"{bound}"
    if low and high:
        return f"{low} to {high}"
    if low and not low.startswith("more"):
        return f"at least {low}"
    return low or (f"at most {high}" if high else "")
