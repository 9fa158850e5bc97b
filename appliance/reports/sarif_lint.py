"""What lint has to say as SARIF 2.1.0."""

import hashlib
from collections.abc import Callable

from appliance import __version__
from appliance.core.jsonable import Json
from appliance.lint import LintResult, Remark, RemarkKind
from appliance.reports.sarif import artifact_uri, sarif_log, sarif_region, sarif_rule

_RULES = tuple(RemarkKind)
_ABOUT = {
    RemarkKind.RENAMED: "A label has another name in this release of the console",
    RemarkKind.MOVED: "A control stands elsewhere in this release of the console",
    RemarkKind.GONE: "A control is gone in this release of the console",
    RemarkKind.UNSEEN: "A label was not seen in the console so far",
    RemarkKind.NOT_UNDERSTOOD: "An instruction that the reader will not understand",
}


def lint_sarif(result: LintResult, name: Callable[[str], str] = str) -> str:
    """What was found as a SARIF log; `name` gives a document's path in the repository."""
    driver: dict[str, Json] = {
        "name": "Console Docs Appliance",
        "version": __version__,
        "rules": [sarif_rule(kind, _ABOUT[kind], "note") for kind in _RULES],
    }
    return sarif_log(
        {
            "tool": {"driver": driver},
            "automationDetails": {"id": f"lint/{result.console}/{result.release}"},
            "results": [_result(remark, name) for remark in result.remarks],
        }
    )


def _result(remark: Remark, name: Callable[[str], str]) -> Json:
    where: Json = {
        "physicalLocation": {
            "artifactLocation": artifact_uri(remark.document, name),
            "region": sarif_region(remark.span, remark.quote),
        }
    }
    return {
        "ruleId": remark.kind.value,
        "ruleIndex": _RULES.index(remark.kind),
        "level": "warning" if remark.is_finding else "note",
        "message": {"text": f'"{remark.quote}": {remark.message}.'},
        "locations": [where],
        "partialFingerprints": {"consoleDocsLint/v1": _fingerprint(remark)},
        "properties": {"procedure": remark.procedure, "step": remark.step},
    }


def _fingerprint(remark: Remark) -> str:
    """The same when unrelated text changes."""
    facts = "\n".join((remark.kind, remark.procedure, remark.quote))
    return hashlib.sha256(facts.encode()).hexdigest()[:16]
