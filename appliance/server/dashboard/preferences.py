"""Language and colours, as the reader chose them: two cookies; and the words of a language."""

from functools import cache
from typing import Annotated, Any, Literal, TypeAlias, cast

from litestar import Request, post
from litestar.datastructures import Cookie
from litestar.enums import RequestEncodingType
from litestar.params import Body
from litestar.response import Redirect
from pydantic import BaseModel

from appliance.reports import Language, Words, load_catalogue
from appliance.server.callers import PUBLIC
from appliance.server.logins import local

Theme: TypeAlias = Literal["system", "light", "dark"]
_YEAR_S = 365 * 86_400
_PageRequest: TypeAlias = Request[Any, Any, Any]  # Any: see `frame.PageRequest`


class Preferences(BaseModel):
    """The fields of the navigation's form: language and theme."""

    language: Language | None = None
    theme: Theme | None = None
    next: str = "/"


def language_of(request: _PageRequest) -> Language:
    """The chosen one, else the first of the browser's that we speak."""
    chosen = request.cookies.get("language")
    if chosen in ("en", "zh"):
        return cast("Language", chosen)  # just looked
    for preference in request.headers.get("accept-language", "").split(","):
        language_code = preference.partition(";")[0].strip().lower()[:2]
        if language_code in ("en", "zh"):
            return cast("Language", language_code)  # just looked
    return "en"


def theme_of(request: _PageRequest) -> Theme:
    """The chosen one, else that of the system."""
    chosen = request.cookies.get("theme")
    return cast("Theme", chosen) if chosen in ("light", "dark") else "system"  # just looked


@post("/preferences", status_code=303, opt={PUBLIC: True})
async def choose(
    data: Annotated[Preferences, Body(media_type=RequestEncodingType.URL_ENCODED)],
) -> Redirect:
    """Keep a choice in the browser and go back to where it was made."""
    response = Redirect(local(data.next), status_code=303)
    for name, value in (("language", data.language), ("theme", data.theme)):
        if value is not None:
            response.set_cookie(
                Cookie(name, value=value, max_age=_YEAR_S, httponly=True, samesite="lax")
            )
    return response


__all__ = ["Language", "Words", "words_in"]


@cache
def words_in(language: Language) -> Words:
    """The texts of the dashboard in one language."""
    catalogue = load_catalogue("appliance.reports", "appliance.server.dashboard")
    return Words(language, catalogue[language])
