"""A notice as plain text, for chats and for mail programs that show no HTML; and as HTML."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from appliance.notifications.notice import Notice, words_in
from appliance.notifications.picture import Picture
from appliance.reports import Language, language_of

_SHOUTS = re.compile(r"@(?=(?:everyone|here|channel|all)\b)", re.IGNORECASE)
"""With which a page's text would call all members of a chat."""


class Rendered(NamedTuple):
    """A message in both forms."""

    text: str
    html: str


def rendered(notice: Notice, language: Language, picture: Picture | None) -> Rendered:
    """Both; the HTML shows the picture where it stands beside it in the mail."""
    words = words_in(language)
    html = _template().render(
        notice=notice,
        language="zh-Hans" if language == "zh" else "en",
        picture=picture,
        caption=words("notice.picture", where=picture.where) if picture else "",
    )
    text = "\n".join(_lines(notice)).strip() + "\n"
    return Rendered(_SHOUTS.sub("@\u2060", text), html)


def _lines(notice: Notice) -> Iterator[str]:
    yield from notice.lead
    for part in notice.parts:
        yield f"\n{part.heading}"
        for item in part.items:
            yield f"- {item.head}"
            yield from (f"  {line}" for line in (*item.lines, item.url))
        if part.more:
            yield f"- {part.more}"
    if notice.foot:
        yield ""
        yield from notice.foot


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("appliance.notifications", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["lang"] = language_of
    return environment.get_template("notice.html.jinja")
