"""`page` and `page_size` of lists."""

from typing import Annotated, TypeAlias

from litestar.di import NamedDependency
from litestar.params import QueryParameter, SkipValidation

from appliance.store.paging import Paging

MAX_PAGE = 1_000_000
"""Last page that may be asked for: more is a mistake, not a list."""
MAX_PAGE_SIZE = 200

ThePaging: TypeAlias = NamedDependency[SkipValidation[Paging]]
"""For handlers of lists: `paging: ThePaging`; the request gets `page` and `page_size`."""


def provide_paging(
    page: Annotated[
        int, QueryParameter(ge=1, le=MAX_PAGE, description="Which page; the first is 1.")
    ] = 1,
    page_size: Annotated[
        int, QueryParameter(ge=1, le=MAX_PAGE_SIZE, description="Items on a page.")
    ] = 50,
) -> Paging:
    """What the request asks for."""
    return Paging(offset=(page - 1) * page_size, limit=page_size)
