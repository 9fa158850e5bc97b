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
from appliance.reports._wording import without_markup, words_in
from appliance.reports.catalogue import Language
from appliance.reports.sentences import spoken
from appliance.reports.suggestions import ReadDocument

_CHINESE = re.compile("[\u3400-\u9fff]")


def html_report(
    run: RunResult,
    read_document: ReadDocument,
    read_artifact: ReadArtifact,
    *,
    picture_budget: int = BUDGET_BYTES,
    language: Language | None = None,
) -> str:
    """The page that the docs engineer opens in the morning.

    Args:
        run: The run.
        read_document: The sources as they are now.
        read_artifact: The bytes of screenshots and other evidence.
        picture_budget: Bytes of screenshots in the page; those of findings come first.
        language: Of the page's own words; None: that of most procedures.
    """
    words = words_in(language or _language_of(run))
    folder = files("appliance.reports") / "templates"
    script = (folder / "report.js").read_text("utf-8").strip()
    return _template().render(
        page=page(run, read_document, Album(read_artifact, picture_budget), words),
        style=(folder / "report.css").read_text("utf-8").strip(),
        script=script,
        script_hash=b64encode(sha256(script.encode()).digest()).decode(),
        t=words,
        language=words.language,
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
    environment.filters["lang"] = language_of
    environment.filters["spoken"] = spoken
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


def _language_of(run: RunResult) -> Language:
    titles = [" ".join((p.title, *(step.text for step in p.steps))) for p in run.procedures]
    return "zh" if sum(map(bool, map(_CHINESE.search, titles))) * 2 > len(titles) else "en"


def language_of(text: str) -> str:
    """The language whose glyphs a text needs: Chinese ones look wrong in a Japanese font."""
    return "zh-Hans" if _CHINESE.search(text) else ""
