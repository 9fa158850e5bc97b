"""The text of a value, as a checks file gives it, in the type of a module's variable."""

import json
import re
from typing import assert_never

from appliance.core.jsonable import Json
from appliance.environment.modules import VariableType

_TRUE = frozenset({"true", "yes", "on", "enabled", "1"})
_FALSE = frozenset({"false", "no", "off", "disabled", "0"})
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")
_ID = re.compile(
    r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"  # OpenStack
    r"|[0-9a-f]{32}"
    r"|[a-z]{1,12}-(?=[a-z]*\d)[0-9a-z]{8,}"  # the practice cloud, AWS, AliCloud: vpc-2ze0a1b2c3
    r"|arn:\S+"
)


def looks_like_id(text: str) -> bool:
    """Whether a cloud gave this identifier, so that it is no name of something else."""
    return _ID.fullmatch(text) is not None


def parse_value(text: str, type: VariableType) -> Json:
    """The value that a text stands for.

    Raises:
        ValueError: It stands for none of this type; the message says what would.
    """
    match type:
        case "string":
            return text
        case "number":
            return _number(text.strip())
        case "bool":
            return _bool(text.strip().casefold())
        case "list(string)":
            return list(parse_list(text))
        case "map(string)":
            return _map(text)
        case other:
            assert_never(other)


def parse_list(text: str) -> tuple[str, ...]:
    """The parts of `a, b`, or of `["a", "b"]` where a part holds a comma."""
    if isinstance(value := _json(text), list):
        return tuple(str(part) for part in value)
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _number(text: str) -> Json:
    if not _NUMBER.fullmatch(text):
        raise ValueError("write a number")
    return float(text) if "." in text else int(text)


def _bool(text: str) -> Json:
    if text not in _TRUE | _FALSE:
        raise ValueError("write true or false")
    return text in _TRUE


def _map(text: str) -> Json:
    if isinstance(parsed := _json(text), dict):
        return {str(key): str(value) for key, value in parsed.items()}
    pairs: dict[str, Json] = {}
    for pair in parse_list(text):
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise ValueError("write key=value, separated by commas")
        pairs[key.strip()] = value.strip()
    return pairs


def _json(text: str) -> object:
    """The text read as JSON; itself where it is none."""
    try:
        return json.loads(text)
    except ValueError:
        return text
