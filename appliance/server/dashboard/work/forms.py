"""What forms send, and going back with what went wrong."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, TypeVar

from litestar.response import Redirect

from appliance.core.errors import ApplianceError
from appliance.server.dashboard.frame import redirect_with_problem
from appliance.server.dashboard.preferences import local

E = TypeVar("E", bound=StrEnum)


def field(form: Mapping[str, Any], name: str) -> str:  # Any: texts and files
    """The text of a field; empty where there is none."""
    value = form.get(name, "")
    return value.strip() if isinstance(value, str) else ""


def member_named(kind: type[E], word: str) -> E | None:
    """The member of that name; None for no word, and for one that is no member: a list of all."""
    return next((member for member in kind if member.value == word), None)


def redirect_with_failure(back: str, problem: ApplianceError) -> Redirect:
    """Back to where it was asked for, with what went wrong."""
    return redirect_with_problem(local(back), problem)
