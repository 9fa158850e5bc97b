"""A part of a list as a page, with the way to the others."""

from typing import Any, TypeVar
from urllib.parse import urlencode

from appliance.server.api.shapes.base import Page
from appliance.server.problems import AnyRequest
from appliance.store.paging import Paged, Paging

P = TypeVar("P", bound=Page[Any])  # Any: each page has its own items


def page_of(kind: type[P], rows: Paged[Any], paging: Paging, request: AnyRequest) -> P:  # Any: rows
    """A page of that kind with the rows that were found."""
    number, last = paging.offset // paging.limit + 1, max(1, -(-rows.total // paging.limit))

    def link(page: int) -> str:
        query = {name: value for name, value in request.query_params.items() if name != "page"}
        return f"{request.url.path}?{urlencode(query | {'page': page})}"

    return kind.model_validate(
        {
            "items": rows.items,
            "total": rows.total,
            "page": number,
            "page_size": paging.limit,
            "links": {
                "first": link(1),
                "previous": link(min(number - 1, last)) if number > 1 else None,
                "next": link(number + 1) if number < last else None,
                "last": link(last),
            },
        }
    )
