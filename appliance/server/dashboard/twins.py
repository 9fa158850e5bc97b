"""Every page as JSON, for programs: `Accept: application/json` gives the data that it is made of.

What it has follows the page; what programs rely on for years is REST.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from typing import Any

from litestar import MediaType, Response
from litestar.response import Template
from litestar.response.base import ASGIResponse

from appliance.config import ScheduleSettings
from appliance.core.jsonable import Json, to_jsonable
from appliance.core.secrets import masked


class JsonTwin(Template):
    """A page that is sent as its data."""

    def to_asgi_response(self, *args: Any, **kwargs: Any) -> ASGIResponse:  # Any: as Litestar's
        """The data, in place of what the template makes of it."""
        plain = {
            name: masked(_plain(value))
            for name, value in self.context.items()
            if not callable(value) and not name.startswith("_")
        }
        twin = Response(
            plain,
            media_type=MediaType.JSON,
            status_code=self.status_code,
            headers=self.headers,
            cookies=self.cookies,
        )
        return twin.to_asgi_response(*args, **kwargs)


def wants_data(accept: str) -> bool:
    """Whether it is a program that asks, by its `Accept`; browsers name HTML."""
    return "application/json" in accept and "text/html" not in accept


def _plain(value: object) -> Json:
    """Without what a dataclass does not show of itself, as the hash of a key; null: no data."""
    if is_dataclass(value) and not isinstance(value, type):
        shown = (field.name for field in fields(value) if field.repr)
        return {name: _plain(getattr(value, name)) for name in shown}
    match value:
        case ScheduleSettings():  # of no others: their variables may hold what is secret
            return to_jsonable(value.model_dump(mode="json"))
        case date():
            return value.isoformat()
        case Mapping():
            return {str(key): _plain(item) for key, item in value.items()}
        case list() | tuple() | set() | frozenset():
            return [_plain(item) for item in value]
    try:
        return to_jsonable(value)
    except TypeError:
        return None
