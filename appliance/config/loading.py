"""Settings from defaults < config.yaml < `APPLIANCE_*` variables < flags, with their origins."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

from pydantic import ValidationError

from appliance.config._layers import ConfigProblem, Layer, environ_layer, file_layer, flag_layer
from appliance.config._rules import contradictions
from appliance.config._schema import Path, variable
from appliance.config._words import unknown_key, wrong_value
from appliance.config.console_editing import edited_layer, editing_problems
from appliance.config.service_settings import default_schedules
from appliance.config.settings import Settings
from appliance.core.errors import ConfigError

DEFAULT_FILES = (FilePath("config.yaml"), FilePath("/etc/appliance/config.yaml"))
"""Where settings are looked for when no file is named; the first that is there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """Settings, and where they come from."""

    settings: Settings
    file: FilePath | None
    """The settings file that was read."""
    origins: Mapping[Path, str]
    """File and line, variable or flag of every value that is not a default."""


def load_settings(
    file: FilePath | None, environ: Mapping[str, str], overrides: Mapping[str, object]
) -> Settings:
    """The settings; `ConfigError` with everything that is wrong.

    Args:
        file: The settings file; None: the first of `DEFAULT_FILES` that is there.
        environ: The environment; `APPLIANCE_*` variables in it must be settings, or be named as
            `password_env`.
        overrides: Flags, by dotted path (`browser.pool_size`).
    """
    return load(file, environ, overrides).settings


def load(
    file: FilePath | None, environ: Mapping[str, str], overrides: Mapping[str, object]
) -> Loaded:
    """The same, with the origins of the values."""
    file = file or next((path for path in DEFAULT_FILES if path.is_file()), None)
    from_file = file_layer(file) if file else Layer()
    base = _tree(from_file)
    if "consoles" not in base:
        base["consoles"] = {"practice": {"kind": "practice"}}
    edited = edited_layer(_data_dir(base, environ, overrides), tuple(base["consoles"] or ()))
    _lay_over(base, edited)
    layers = [
        from_file,
        edited,
        environ_layer(environ, with_default_schedules(base)),
        flag_layer(overrides),
    ]
    for layer in layers[2:]:
        _lay_over(base, layer)
    if "console" not in base and isinstance(base["consoles"], dict) and base["consoles"]:
        base["console"] = next(iter(base["consoles"]))
    places = {path: location for layer in layers for path, location in layer.places.items()}
    problems = [problem for layer in layers for problem in layer.problems]
    names = {path[1] for path in edited.places if len(path) == 2}
    settings = _validate(with_default_schedules(base), places, problems, names)
    origins = {entry.path: entry.origin for layer in layers for entry in layer.entries}
    return Loaded(settings=settings, file=file, origins=origins)


def _tree(layer: Layer) -> dict[str, Any]:  # Any: unvalidated settings
    tree: dict[str, Any] = {}
    _lay_over(tree, layer)
    return tree


def _lay_over(tree: dict[str, Any], layer: Layer) -> None:  # Any: as above
    for entry in layer.entries:
        *above, key = entry.path
        at = tree
        for name in above:
            if not isinstance(at.get(name), dict):
                at[name] = {}
            at = at[name]
        at[key] = entry.value


def _data_dir(
    base: Mapping[str, Any],  # Any: unvalidated settings
    environ: Mapping[str, str],
    overrides: Mapping[str, object],
) -> FilePath:
    """Where consoles were kept that the dashboard made: known before all else is."""
    key = ("data_dir",)
    configured = overrides.get(key[0]) or environ.get(variable(key)) or base.get(key[0])
    return FilePath(str(configured or Settings.model_fields[key[0]].default))


def _validate(
    tree: Mapping[str, Any],
    places: Mapping[Path, str],
    problems: list[ConfigProblem],
    edited: Collection[str],
) -> Settings:
    settings: Settings | None = None
    try:
        settings = Settings.model_validate(tree)
    except ValidationError as exc:
        problems += [_problem(error, places) for error in exc.errors(include_url=False)]
    else:
        wrong = [*contradictions(settings), *_refused(settings, edited)]
        problems += [ConfigProblem(_location_of(p, places), text) for p, text in wrong]
    if settings is None or problems:
        details = tuple((problem.origin, problem.message) for problem in problems)
        raise ConfigError(_sentence(problems), details)
    return settings


def checked(settings: Settings, edited: Collection[str]) -> Settings:
    """The settings, where consoles of those names were made in the dashboard; `ConfigError`."""
    wrong = [*contradictions(settings), *_refused(settings, edited)]
    if wrong:
        details = tuple((".".join(path), text) for path, text in wrong)
        raise ConfigError("; ".join(text for _, text in wrong), details)
    return settings


def _refused(settings: Settings, edited: Collection[str]) -> Iterator[tuple[Path, str]]:
    may, data_dir = settings.server.consoles, settings.data_dir
    for name in sorted(edited):
        if name in settings.consoles:
            yield from editing_problems(name, settings.consoles[name], may, data_dir)


def _problem(
    error: Any, places: Mapping[Path, str]
) -> ConfigProblem:  # Any: pydantic's ErrorDetails
    path = tuple(str(part) for part in error["loc"])
    is_unknown = error["type"] == "extra_forbidden"
    return ConfigProblem(
        _location_of(path, places), unknown_key(path) if is_unknown else wrong_value(path, error)
    )


def _location_of(path: Path, places: Mapping[Path, str]) -> str:
    """Where a path, or else the nearest group around it, was set."""
    for length in range(len(path), 0, -1):
        if place := places.get(path[:length]):
            return place
    return "settings"


def _sentence(problems: list[ConfigProblem]) -> str:
    if len(problems) == 1:
        return str(problems[0])
    lines = "\n".join(f"  {problem}" for problem in problems)
    return f"{len(problems)} problems in the settings:\n{lines}"


_TIMES = ("cron", "every_minutes")


def with_default_schedules(tree: Mapping[str, Any]) -> dict[str, Any]:  # Any: unvalidated settings
    """The tree, with our schedules under what stands there of the same names."""
    configured = tree.get("schedules", {})
    if not isinstance(configured, Mapping):
        return dict(tree)
    schedules = dict(configured)
    for name, schedule in default_schedules().items():
        ours, theirs = schedule.model_dump(exclude_unset=True), configured.get(name, {})
        schedules[name] = _merge_schedule(ours, theirs) if isinstance(theirs, Mapping) else theirs
    return {**tree, "schedules": schedules}


def _merge_schedule(
    ours: Mapping[str, Any],  # Any: as above
    theirs: Mapping[str, Any],  # Any: as above
) -> dict[str, Any]:  # Any: as above
    """Another way to say when takes the place of ours."""
    says_when = any(key in theirs for key in _TIMES)
    defaults = {key: value for key, value in ours.items() if not (says_when and key in _TIMES)}
    return defaults | dict(theirs)
