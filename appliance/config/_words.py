"""Words of the messages about settings."""

from collections.abc import Iterable
from typing import Any

from appliance.config._schema import Path, keys_at, leaves, shape_at
from appliance.core.near import meant


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """`. Did you mean X?` where something known is near; else a full stop."""
    near = meant(word, names)
    return f". Did you mean `{near}`?" if near else "."


def unknown_key(path: Path) -> str:
    """What to say of a key that no setting has."""
    *above, key = path
    if key == "password":
        return (
            "`password`: no password is written into settings; name the variable or file that"
            " holds it with `password_env` or `password_file`."
        )
    keys = keys_at(tuple(above))
    hint = did_you_mean(key, keys)
    if hint == ".":
        elsewhere = [".".join(leaf) for leaf in leaves({}) if leaf[-1] == key]
        hint = f". It belongs under `{elsewhere[0]}`." if elsewhere else _list_of(keys)
    return f"unknown key `{key}`{hint}"


def _list_of(keys: tuple[str, ...]) -> str:
    return f". Known here: {', '.join(keys)}." if keys else "."


def wrong_value(path: Path, error: Any) -> str:  # Any: pydantic's ErrorDetails is a loose dict
    """What to say of a value that a setting does not take."""
    name = ".".join(path)
    if error["type"] == "missing":
        return f"`{name}` is required{_description(path)}."
    expected = _expected_text(error)
    return f"`{name}`: expected {expected}, got {_shown_value(error['input'])}."


_EXPECTED = {
    "int_parsing": "a whole number",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_parsing": "a number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "string_type": "text (put it in quotes)",
    "path_type": "a path",
    "tuple_type": "a list",
    "dict_type": "a group of `name: …` entries",
    "model_type": "a group of `key: value` entries",
    "greater_than_equal": "at least {ge}",
    "greater_than": "more than {gt}",
    "less_than_equal": "at most {le}",
    "less_than": "less than {lt}",
    "literal_error": "one of {expected}",
}


def _expected_text(error: Any) -> str:  # Any: as above
    pattern = _EXPECTED.get(error["type"])
    if pattern is None:
        return str(error["msg"])
    return pattern.format(**error.get("ctx", {}))


def _shown_value(value: object) -> str:
    if value is None:
        return "nothing"
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else text[:57] + "…"


def _description(path: Path) -> str:
    above = shape_at(path[:-1])
    field = above.section.model_fields.get(path[-1]) if above and above.section else None
    text = (field.description or "") if field else ""
    return f": {text.rstrip('.')[:1].lower()}{text.rstrip('.')[1:]}" if text else ""
