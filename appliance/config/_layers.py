"""Sources of settings: a YAML file, the environment, flags; each gives values with origins."""

import pathlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from appliance.config._schema import (
    KEY_VARIABLE,
    PREFIX,
    ROOT,
    SEPARATOR,
    SERVER_VARIABLE,
    Path,
    Shape,
    leaves,
    shape_at,
    variable,
)
from appliance.config._words import did_you_mean
from appliance.core.errors import ConfigError
from appliance.system.yaml import YamlError, compose, construct


@dataclass(frozen=True, slots=True)
class ConfigProblem:
    """One thing that is wrong, and where."""

    origin: str
    message: str

    def __str__(self) -> str:
        return f"{self.origin}: {self.message}"


@dataclass(frozen=True, slots=True)
class LayerValue:
    """One value of a layer."""

    path: Path
    value: Any  # Any: what YAML or the caller gave; pydantic decides
    origin: str


@dataclass(slots=True)
class Layer:
    """What one source says."""

    entries: list[LayerValue] = field(default_factory=list)
    places: dict[Path, str] = field(default_factory=dict)
    """Where each key stands, groups included."""
    problems: list[ConfigProblem] = field(default_factory=list)

    def add(self, path: Path, value: Any, origin: str) -> None:  # Any: as in Entry
        """Add a value, and record where it was set."""
        self.entries.append(LayerValue(path, value, origin))
        self.places[path] = origin


def file_layer(file: pathlib.Path) -> Layer:
    """What a settings file says. Relative paths in it start at its folder."""
    layer = Layer()
    node = _compose(_read_file(file), str(file))
    if node is not None:
        walk = _KeyLocator(layer, lambda n: f"{file}:{n.start_mark.line + 1}")
        if isinstance(node, yaml.MappingNode):
            walk.mapping((), node, ROOT)
        else:
            raise ConfigError(f"{file}:1: expected settings as `key: value` lines.")
    layer.entries = [_anchor(entry, file.parent) for entry in layer.entries]
    return layer


def environ_layer(environ: Mapping[str, str], below: Mapping[str, Any]) -> Layer:
    """What the `APPLIANCE_*` variables say; `below` is the tree that they refine."""
    layer = Layer()
    secrets = frozenset(_secret_variables(below, environ))
    non_settings = secrets | {KEY_VARIABLE, SERVER_VARIABLE}
    names = {name for name in environ if name.startswith(PREFIX)} - non_settings
    for name in sorted(names):
        location = _locate(name, below)
        if location is None:
            layer.problems.append(ConfigProblem(name, _unknown_variable(name, below)))
            continue
        path, shape = location
        _read_variable(layer, name, environ[name], path, shape)
    return layer


def flag_layer(overrides: Mapping[str, object]) -> Layer:
    """What the command line says, by dotted path."""
    layer = Layer()
    for key, value in overrides.items():
        path = tuple(key.split("."))
        layer.add(path, value, "--" + path[-1].replace("_", "-"))
    return layer


def _read_file(file: pathlib.Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as exc:
        raise ConfigError(
            f"{file}: not a text file in UTF-8; settings are written in YAML."
        ) from exc
    except FileNotFoundError as exc:
        raise ConfigError(f"{file}: there is no such settings file.") from exc
    except OSError as exc:
        raise ConfigError(f"{file}: cannot be read: {exc.strerror}.") from exc


def _compose(text: str, origin: str) -> yaml.Node | None:
    try:
        return compose(text)
    except YamlError as exc:
        raise ConfigError(f"{origin}:{exc.line}:{exc.column}: {exc.says}.") from exc


class _KeyLocator:
    """Walks YAML nodes and records where every key stands."""

    def __init__(self, layer: Layer, locate: Callable[[yaml.Node], str]) -> None:
        self._layer = layer
        self._locate = locate

    def mapping(self, path: Path, node: yaml.MappingNode, shape: Shape) -> None:
        """Add a mapping's keys to the layer."""
        places: dict[str, str] = {}
        for key_node, value_node in node.value:
            key = str(key_node.value)
            location = self._locate(key_node)
            if key in places:
                message = f"`{key}` stands here a second time (first at {places[key]}); keep one."
                self._layer.problems.append(ConfigProblem(location, message))
                continue
            places[key] = location
            self._layer.places[*path, key] = location
            self._value((*path, key), value_node, shape.under(key), location)

    def _value(self, path: Path, node: yaml.Node, shape: Shape | None, location: str) -> None:
        is_group = shape is not None and not shape.is_leaf
        if shape is not None and is_group and isinstance(node, yaml.MappingNode) and node.value:
            self.mapping(path, node, shape)
            return
        if isinstance(node, yaml.SequenceNode):
            for index, item in enumerate(node.value):
                self._layer.places[*path, str(index)] = self._locate(item)
        value = _construct(node, location)
        if value is None and is_group:
            return  # `browser:` with everything below it commented out says nothing
        self._layer.entries.append(LayerValue(path, value, location))


def _construct(node: yaml.Node, origin: str) -> Any:  # Any: as in Entry
    try:
        return construct(node)
    except YamlError as exc:
        raise ConfigError(f"{origin}: {exc.says}.") from exc


def _anchor(entry: LayerValue, folder: pathlib.Path) -> LayerValue:
    """The entry, with relative paths made to start at the file's folder."""
    shape = shape_at(entry.path)
    if shape is None:
        return entry
    match entry.value:
        case str() if shape.annotation is pathlib.Path:
            path = folder / pathlib.Path(entry.value).expanduser() if entry.value else None
            return LayerValue(entry.path, path, entry.origin)
        case list() if shape.annotation == tuple[pathlib.Path, ...]:
            paths = [
                folder / pathlib.Path(item).expanduser() if isinstance(item, str) else item
                for item in entry.value
            ]
            return LayerValue(entry.path, paths, entry.origin)
    return entry


def _secret_variables(below: Mapping[str, Any], environ: Mapping[str, str]) -> Iterator[str]:
    """Variables that the settings name as holders of a secret: not settings themselves."""
    for key, value in below.items():
        if isinstance(value, Mapping):
            yield from _secret_variables(value, environ)
        elif isinstance(value, str) and key.endswith("_env"):
            yield value
    for name, text in environ.items():
        if name.startswith(PREFIX) and name.endswith("_ENV"):
            yield text


def _locate(name: str, below: Mapping[str, Any]) -> tuple[Path, Shape] | None:
    """The place that a variable sets; None where there is no such place."""
    path: Path = ()
    shape: Shape = ROOT
    at: Mapping[str, Any] = below
    for part in name.removeprefix(PREFIX).split(SEPARATOR):
        key = _chosen_key(part, at) if shape.is_table else part.lower()
        child = None if shape.is_leaf or not key else shape.under(key)
        if child is None:
            return None
        path, shape = (*path, key), child
        inner = at.get(key)
        at = inner if isinstance(inner, Mapping) else {}
    return path, shape


def _chosen_key(part: str, at: Mapping[str, Any]) -> str:
    """The user's own spelling of a name (`my-lab` for `MY_LAB`), or the name in lower case."""
    return next((key for key in at if key.upper().replace("-", "_") == part), part.lower())


def _read_variable(layer: Layer, name: str, text: str, path: Path, shape: Shape) -> None:
    if shape.annotation in (str, pathlib.Path):
        is_path = shape.annotation is pathlib.Path
        layer.add(
            path, (pathlib.Path(text).expanduser() if text else None) if is_path else text, name
        )
        return
    node = _compose(text, name)
    layer.places[path] = name
    if isinstance(node, yaml.MappingNode) and not shape.is_leaf:
        _KeyLocator(layer, lambda _: name).mapping(path, node, shape)
    elif node is None:
        layer.add(path, None, name)
    else:
        layer.add(path, _construct(node, name), name)


def _unknown_variable(name: str, below: Mapping[str, Any]) -> str:
    variable_names = [variable(path) for path in leaves(_tables(below))]
    return f"no setting has this variable{did_you_mean(name, variable_names)}"


def _tables(tree: Mapping[str, Any], path: Path = ()) -> dict[Path, tuple[str, ...]]:
    tables: dict[Path, tuple[str, ...]] = {}
    for key, value in tree.items():
        if isinstance(value, Mapping):
            tables[*path, key] = tuple(value)
            tables |= _tables(value, (*path, key))
    return tables
