"""The template engine, and the static files with the hash of each in its address."""

import re
from collections.abc import Callable
from datetime import datetime
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from litestar import Router
from litestar.datastructures import CacheControlHeader
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.static_files import create_static_files_router
from litestar.template.config import TemplateConfig
from markupsafe import Markup, escape

from appliance.reports import codes, language_of, sentence, without_markup
from appliance.reports import spoken as in_language
from appliance.server.callers import PUBLIC
from appliance.server.dashboard.formats import counts
from appliance.server.dashboard.preferences import Words

_PACKAGE = "appliance.server.dashboard"
_YEAR_S = 365 * 86_400
_FORMATS = ("age", "moment", "duration", "number", "percent")


def template_config() -> TemplateConfig[JinjaTemplateEngine]:
    """The template configuration, for `Litestar(template_config=…)`."""
    return TemplateConfig(instance=JinjaTemplateEngine.from_environment(environment()))


@cache
def environment() -> Environment:
    """Jinja, for whole pages and for parts of them."""
    environment = Environment(
        loader=PackageLoader(_PACKAGE, "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "lang": language_of,
        "lang_attribute": lang_attribute,
        "quoted": quoted,
        "codes": codes,
        "asset": asset,
        "with_query": with_query,
    }
    environment.filters |= {
        "counts": counts,
        "sentence": sentence,
        "without_markup": without_markup,
    }
    environment.filters |= {
        "pair": lambda text: (text, text),
        "worded": _with_label,
        "parsed": parse_moment,
        "daily": daily,
    }
    environment.filters |= {name: _of_request(name) for name in _FORMATS}
    environment.filters["spoken"] = spoken
    environment.globals["address_of"] = address_of
    return environment


def lang_attribute(text: str) -> Markup:
    """The attribute that says in which language words are; nothing where that is not known."""
    language = language_of(text)
    return Markup(f' lang="{language}"' if language else "")  # noqa: S704 - ours


def quoted(text: str, style: str = "") -> Markup:
    """Words of a document or a console: data, in its own language.

    No macro, as other parts of pages are: some have thousands.
    """
    names = f"isolate {style}" if style else "isolate"
    return Markup(f'<span class="{names}"{lang_attribute(text)}>{escape(text)}</span>')  # noqa: S704


def address_of(console: str, result_id: str, run_id: str = "") -> str:
    """The page of a procedure, with its last verdict or that of a run."""
    of_run = f"?run={quote(run_id, safe='')}" if run_id else ""
    return f"/procedures/{quote(console, safe='')}/{quote(result_id)}{of_run}"


def with_query(path: str, **values: object) -> str:
    """A path of ours with parameters replaced; those that are empty are left out."""
    parts = urlsplit(path)
    query = dict(parse_qsl(parts.query)) | {name: str(value) for name, value in values.items()}
    query_string = urlencode({name: value for name, value in query.items() if value})
    return parts.path + (f"?{query_string}" if query_string else "")


def parse_moment(text: str) -> datetime:
    """A moment of a status document."""
    return datetime.fromisoformat(text)


def daily(cron: str) -> str:
    """`22:00` of a time that is the same every day; empty: it is not so simple."""
    match = re.fullmatch(r"(\d{1,2}) (\d{1,2}) \* \* \*", cron)
    return f"{int(match[2]):02}:{int(match[1]):02}" if match else ""


def _with_label(value: str, words: Words, prefix: str) -> tuple[str, str]:
    return value, words(prefix + value)


def _of_request(name: str) -> Callable[..., object]:
    """A filter of `Formats`, which speaks the language of the request."""

    @pass_context
    def format_value(context: Context, value: object) -> object:
        return getattr(context["fmt"], name)(value)

    return format_value


@pass_context
def spoken(context: Context, text: str) -> str:
    """A sentence of the engine in the language of the request."""
    return in_language(text, context["language"])


@cache
def asset(name: str) -> str:
    """The address of a static file; another one as soon as its content is another."""
    content = (files(_PACKAGE) / "static" / name).read_bytes()
    return f"/static/{name}?v={sha256(content).hexdigest()[:12]}"


def static_router() -> Router:
    """The static files. Nobody needs a key for them: the log-in page is made of them."""
    return create_static_files_router(
        path="/static",
        directories=[Path(str(files(_PACKAGE) / "static"))],
        cache_control=CacheControlHeader(public=True, max_age=_YEAR_S, immutable=True),
        opt={PUBLIC: True},
    )
