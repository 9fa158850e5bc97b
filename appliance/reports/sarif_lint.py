"""What lint has to say as SARIF 2.1.0."""

import hashlib
import json
from collections.abc import Callable

from appliance import __version__
from appliance.core.jsonable import Json
from appliance.lint import Lint, Remark, RemarkKind
from appliance.reports.sarif import BASE, SCHEMA, artifact_uri

_RULES = tuple(RemarkKind)
_ABOUT = {
    RemarkKind.RENAMED: "A label has another name in this release of the console",
    RemarkKind.MOVED: "A control stands elsewhere in this release of the console",
    RemarkKind.GONE: "A control is gone in this release of the console",
    RemarkKind.UNSEEN: "A label was not seen in the console so far",
    RemarkKind.NOT_UNDERSTOOD: "An instruction that the reader will not understand",
}


def lint_sarif(result: Lint, name: Callable[[str], str] = str) -> str:
    """What was found as a SARIF log; `name` gives a document's path in the repository."""
    rules: list[Json] = [
        {
            "id": kind.value,
            "name": kind.value.title().replace("_", ""),
            "shortDescription": {"text": f"{_ABOUT[kind]}."},
            "defaultConfiguration": {"level": "note"},
        }
        for kind in _RULES
    ]
    run: dict[str, Json] = {
        "tool": {
            "driver": {
                "name": "Console Docs Appliance",
                "version": __version__,
                "rules": rules,
            }
        },
        "automationDetails": {"id": f"lint/{result.console}/{result.release}"},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": BASE,
        "results": [_result(remark, name) for remark in result.remarks],
    }
    log: Json = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, ensure_ascii=False, indent=2) + "\n"


def _result(remark: Remark, name: Callable[[str], str]) -> Json:
    at = remark.span
    region: dict[str, Json] = {
        "startLine": at.line,
        "startColumn": at.column,
        "endLine": at.end_line,
        "endColumn": at.end_column,
        "snippet": {"text": remark.quote},
    }
    where: Json = {
        "physicalLocation": {
            "artifactLocation": artifact_uri(remark.document, name),
            "region": region,
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
