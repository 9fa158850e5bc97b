"""Errors as pages."""

from litestar.response import Template

from appliance.server.dashboard.frame import Asked, page, words_of
from appliance.server.parts import Service
from appliance.server.problems import ProblemDocument


def error_page(request: Asked, service: Service, problem: ProblemDocument) -> Template:
    """What a browser shows of an error."""
    key = f"error.{problem.status}"
    return page(
        request,
        service,
        "error.jinja",
        at="",
        title=key if words_of(request).has(key) else "error.other",
        status=problem.status,
        detail=problem.detail,
        id=problem.id,
        status_of=problem.status,
    )
