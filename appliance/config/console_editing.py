"""Consoles that are made in the dashboard: their file, and what they may name of this machine.

Whoever has an admin's key need not have a shell here. What such a console names (hosts, files,
variables) is held against `server.consoles` when it is saved and whenever settings are read.
"""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path as FilePath
from typing import Any
from urllib.parse import urlsplit

import yaml
from pydantic import BaseModel

from appliance.config._layers import ConfigProblem, Layer, file_layer
from appliance.config._schema import Path
from appliance.config.access_settings import ConsoleEditingSettings
from appliance.config.service_rules import BAD_NAME, NAME
from appliance.config.settings import ConsoleSettings
from appliance.system.files import write_whole
from appliance.system.yaml import Dumper, load

FILE_NAME = "consoles.yaml"
_HEAD = "# Made in the dashboard. What `server.consoles` does not allow is refused.\n"
_FILE_ONLY = ("client_certificate", "drift", "network")
"""Keys that stand in the settings file only."""
_WILD = frozenset("*?[")


class EditedConsoles:
    """The file in the data folder. Calls block; `YamlError` where somebody else wrote into it."""

    def __init__(self, data_dir: FilePath) -> None:
        self._file = data_dir / FILE_NAME

    def names(self) -> frozenset[str]:
        """Of those that stand in it."""
        return frozenset(self._read())

    def put(self, name: str, console: ConsoleSettings) -> None:
        """Keep one, in place of one of that name."""
        plain = console.model_dump(mode="json", exclude_defaults=True)
        self._write(self._read() | {name: plain})

    def drop(self, name: str) -> None:
        """Forget one."""
        self._write({key: value for key, value in self._read().items() if key != name})

    def _read(self) -> dict[str, Any]:  # Any: YAML
        if not self._file.exists():
            return {}
        text = load(self._file.read_text("utf-8")) or {}
        return dict(text.get("consoles") or {})

    def _write(self, consoles: Mapping[str, Any]) -> None:  # Any: YAML
        text = yaml.dump(
            {"consoles": dict(consoles)}, Dumper=Dumper, allow_unicode=True, sort_keys=False
        )
        write_whole(self._file, _HEAD + text, mode=0o600, is_durable=True)


def edited_layer(data_dir: FilePath, configured: Collection[str]) -> Layer:
    """What that file says; `configured` are the consoles of the settings file."""
    file = data_dir / FILE_NAME
    if not os.access(file, os.R_OK):  # also where the folder is somebody else's
        return Layer()
    layer = file_layer(file)
    for path, location in layer.places.items():
        if path[0] != "consoles":
            layer.problems.append(ConfigProblem(location, "only `consoles` stands in this file."))
        elif len(path) == 2 and path[1] in configured:
            message = f"console `{path[1]}` stands in the settings, too; remove it here or there."
            layer.problems.append(ConfigProblem(location, message))
    return layer


def editing_problems(
    name: str, console: ConsoleSettings, may: ConsoleEditingSettings, data_dir: FilePath
) -> Iterator[tuple[Path, str]]:
    """What a console that was made in the dashboard may not be: the path of the value, and why."""
    path = ("consoles", name)
    if not NAME.fullmatch(name):
        yield path, f"`{'.'.join(path)}`{BAD_NAME}"
    if console.kind == "practice":
        yield (*path, "kind"), "a practice cloud stands in the settings file only."
    defaults = ConsoleSettings(kind=console.kind)
    for key in _FILE_ONLY:
        if getattr(console, key) != getattr(defaults, key):
            yield (*path, key), f"`{key}` stands in the settings file only."
    if console.audit.kind == "cloudtrail" and not console.audit.key_id_env:
        yield (
            (*path, "audit", "key_id_env"),
            "`audit.key_id_env` is required: this machine's own rights in AWS are not for a console"
            " that was made in the dashboard.",
        )
    for value_path, value in _leaves(path, console):
        if problem := _problem(value_path[-1], value, may, data_dir):
            yield value_path, f"`{'.'.join(value_path)}`: {problem}"


def _problem(
    key: str, value: object, may: ConsoleEditingSettings, data_dir: FilePath
) -> str | None:
    if isinstance(value, FilePath):
        return _file_problem(value, may.folders, data_dir)
    if key.endswith("_env"):
        return _variable_problem(str(value), may.variables)
    if key in ("url", "auth_url", "endpoint", "hosts"):
        return _host_problem(str(value), may.hosts)
    if key == "region" and not str(value).replace("-", "").replace("_", "").isalnum():
        return "a region has letters, digits and hyphens only."
    return None


def _leaves(path: Path, section: BaseModel) -> Iterator[tuple[Path, object]]:
    """Every single value that says something, with the path of its key."""
    for key, value in section:
        value_path = (*path, key)
        if isinstance(value, BaseModel):
            yield from _leaves(value_path, value)
        elif isinstance(value, dict):
            for name, inner in value.items():
                if isinstance(inner, BaseModel):
                    yield from _leaves((*value_path, name), inner)
        elif isinstance(value, tuple):
            yield from ((value_path, one) for one in value)
        elif value not in (None, ""):
            yield value_path, value


def _host_problem(text: str, allowed: Collection[str]) -> str | None:
    """`hosts` has hosts, with a port or none; all others are addresses."""
    try:
        parts = urlsplit(text if "://" in text else f"//{text}")
        host, has_more = parts.hostname or "", bool(parts.username or parts.password)
    except ValueError:
        host, has_more = "", True
    if not host or has_more or not text.isprintable() or _has_any(text, "\\ "):
        return f"{text!r} is no address that is nothing but a host, a port and a path."
    if any(fnmatchcase(host, pattern.lower()) for pattern in allowed):
        return None
    return (
        f"the host {host} is none of those that `server.consoles.hosts` names"
        f" ({_join_names(allowed)}). Add it there in the settings file, and start the server again."
    )


def _variable_problem(name: str, allowed: Collection[str]) -> str | None:
    if any(fnmatchcase(name, pattern) for pattern in allowed):
        return None
    return (
        f"the environment variable {name} is none of those that `server.consoles.variables` names"
        f" ({_join_names(allowed)}). Add it there in the settings file, and start the server again."
    )


def _file_problem(file: FilePath, folders: Collection[FilePath], data_dir: FilePath) -> str | None:
    if not file.is_absolute() or "\0" in str(file) or _has_any(str(file.parent), _WILD):
        return f"{file} is no whole path, of which only the last part may be a pattern."
    real = file.resolve()  # after all links
    is_ours = real.is_relative_to(data_dir.resolve())
    if not is_ours and any(real.is_relative_to(folder.resolve()) for folder in folders):
        return None
    return (
        f"{file} lies in none of the folders that `server.consoles.folders` names"
        f" ({_join_names(map(str, folders))}). Put it there, or name its folder in the settings"
        " file and start the server again. Nothing in the data folder can be named."
    )


def _has_any(text: str, characters: Collection[str]) -> bool:
    return any(character in text for character in characters)


def _join_names(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
