"""The description of the API, for people and for programs that make clients of it."""

from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme, Tag

from appliance import __version__
from appliance.server.api._tidied import AsJson, AsYaml
from appliance.server.api.schemas import ModelSchemas
from appliance.server.permissions import in_markdown

__all__ = ["ModelSchemas", "openapi_config"]

_ABOUT = """\
Carries out the documentation of a cloud console in the console itself, and says which sentences are
no longer true.

**Keys.** Send `Authorization: Bearer KEY`. `appliance key create` makes the first key; on the
machine itself none is needed, unless the settings say so. Too many wrong keys from one address lock
it out for a while (429).

{permissions}

**Lists** take `page` and `page_size`, and say with `links` where the other pages are.

**Errors** are problem documents (RFC 9457) with the media type `application/problem+json`.

**Repeating.** A `POST` with an `Idempotency-Key` is done once, however often it is sent. Answers
to `GET` have an `ETag`; `If-None-Match` saves the body where nothing has changed.

**Streams** (`…/events`) are server-sent events; `Last-Event-ID` goes on where one broke off."""
_TAGS = {
    "Verifications": "Documents that are verified now, because somebody asks.",
    "Sweeps": "All of the documentation, or what of it is due.",
    "Runs": "What sweeps and verifications found: one list of both.",
    "Questions": "What attempts ask people while they wait, and their answers.",
    "Findings": "Sentences that the console contradicts: one for each root cause, with its places.",
    "Documentation": "Documents and procedures, with their last verdicts.",
    "Schedules": "What is done by the clock.",
    "Environment": "Accounts of the consoles, and what was made in the clouds behind them.",
    "Models": "Models, their training and their benchmarks.",
    "Administration": "Keys, who did what, webhooks and the store.",
}


def openapi_config() -> OpenAPIConfig:
    """What `/schema/openapi.json` says besides the routes."""
    return OpenAPIConfig(
        title="Console Docs Appliance",
        version=__version__,
        summary="Verifies cloud-console documentation in the live console.",
        description=_ABOUT.format(permissions=in_markdown()),
        tags=[Tag(name=name, description=about) for name, about in _TAGS.items()],
        components=Components(
            security_schemes={
                "key": SecurityScheme(
                    type="http",
                    scheme="bearer",
                    description="A key that `appliance key create` or `POST /keys` made.",
                )
            }
        ),
        security=[{"key": []}, {}],
        render_plugins=[AsJson(), AsYaml()],
        use_handler_docstrings=True,
    )
