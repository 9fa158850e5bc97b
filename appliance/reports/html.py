"""One self-contained HTML page. It loads nothing, and a policy in it forbids it to."""

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from appliance.core.result import RunResult
from appliance.core.verdict import Verdict
from appliance.reports._html_view import page
from appliance.reports._images import BUDGET_BYTES, Album, ReadArtifact
from appliance.reports._wording import counted, text_of, without_markup
from appliance.reports.suggestions import ReadDocument

_CHINESE = re.compile("[\u3400-\u9fff]")


def html_report(
    run: RunResult,
    read_document: ReadDocument,
    read_artifact: ReadArtifact,
    *,
    picture_budget: int = BUDGET_BYTES,
) -> str:
    """The page that the docs engineer opens in the morning.

    Args:
        run: The run.
        read_document: The sources as they are now.
        read_artifact: The bytes of screenshots and other evidence.
        picture_budget: Bytes of screenshots in the page; those of findings come first.
    """
    folder = files("appliance.reports") / "templates"
    script = (folder / "report.js").read_text("utf-8").strip()
    return _template().render(
        page=page(run, read_document, Album(read_artifact, picture_budget)),
        style=(folder / "report.css").read_text("utf-8").strip(),
        script=script,
        script_hash=b64encode(sha256(script.encode()).digest()).decode(),
        text_of=text_of,
        Verdict=Verdict,
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("appliance.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["counted"] = counted
    environment.filters["lang"] = language
    environment.filters["codes"] = codes
    environment.filters["without_markup"] = without_markup
    return environment.get_template("report.html.jinja")


def codes(text: str) -> Markup:
    """Our own sentences, in which backticks are code."""
    pieces = text.split("`")
    return Markup().join(
        Markup("<code>{}</code>").format(piece) if number % 2 else escape(piece)
        for number, piece in enumerate(pieces)
    )


def language(text: str) -> str:
    """The language whose glyphs a text needs: Chinese ones look wrong in a Japanese font."""
    return "zh-Hans" if _CHINESE.search(text) else ""
