"""SARIF 2.1.0: what code hosts and editors show beside the line."""

import json
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from urllib.parse import quote

from appliance.core.jsonable import Json
from appliance.core.result import Finding, ProcedureResult, RunResult
from appliance.core.source import Span
from appliance.core.verdict import DivergenceKind, Severity, Verdict
from appliance.documents import SourceText, Stretch
from appliance.reports._wording import message, reason, replay_command, text_of, words_in
from appliance.reports.suggestions import ReadDocument, planned_edits

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_ROOT = "SRCROOT"
_BASE: dict[str, Json] = {
    _ROOT: {"description": {"text": "The top of the documentation's repository."}}
}
_LEVELS = {Severity.BREAKS: "error", Severity.MISLEADS: "warning", Severity.COSMETIC: "note"}
_RULES = tuple(DivergenceKind)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)


def sarif_report(
    run: RunResult, read_document: ReadDocument, name: Callable[[str], str] = str
) -> str:
    """The run as a SARIF log; `name` gives a document's path in the repository."""
    return sarif_log(_Log(run, read_document, name).run())


def sarif_log(run: Mapping[str, Json]) -> str:
    """A log of one run, whose places are counted as this program does."""
    counted: dict[str, Json] = {"columnKind": "unicodeCodePoints", "originalUriBaseIds": _BASE}
    log: Json = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{**run, **counted}]}
    return json.dumps(log, ensure_ascii=False, indent=2) + "\n"


def sarif_region(at: Span | Finding, quote: str) -> dict[str, Json]:
    """The place of a quote in its document."""
    return {
        "startLine": at.line,
        "startColumn": at.column,
        "endLine": at.end_line,
        "endColumn": at.end_column,
        "snippet": {"text": quote},
    }


def sarif_rule(kind: StrEnum, about: str, level: str, **texts: Json) -> dict[str, Json]:
    """A kind of result."""
    return {
        "id": kind.value,
        "name": kind.value.title().replace("_", ""),
        "shortDescription": {"text": f"{about}."},
        **texts,
        "defaultConfiguration": {"level": level},
    }


class _Log:
    """One `run` of a log."""

    def __init__(
        self, run: RunResult, read_document: ReadDocument, name: Callable[[str], str]
    ) -> None:
        self._run = run
        self._name = name
        texts = {document: read_document(document) for document in _documents(run)}
        self._sources = {document: SourceText.of(text or "") for document, text in texts.items()}
        self._artifacts = list(texts)
        self._edits = {
            edit.finding.id: edits.replacement(edit)
            for edits in planned_edits(run, texts.get)
            for edit in edits.edits
        }

    def run(self) -> dict[str, Json]:
        return {
            "tool": {"driver": self._driver()},
            "automationDetails": {"id": f"{self._run.console}/{self._run.id}"},
            "invocations": [self._invocation()],
            "artifacts": [self._artifact(document) for document in self._artifacts],
            "results": [
                self._result(procedure, finding)
                for procedure in self._run.procedures
                for finding in procedure.findings
            ],
        }

    def _driver(self) -> dict[str, Json]:
        driver: dict[str, Json] = {
            "name": "Console Docs Appliance",
            "version": self._run.appliance_version,
            "rules": [_rule(kind) for kind in _RULES],
        }
        if re.fullmatch("[0-9a-f]{40}|[0-9a-f]{64}", self._run.commit):
            driver["properties"] = {"commit": self._run.commit}
        return driver

    def _invocation(self) -> dict[str, Json]:
        unverified = [
            procedure
            for procedure in self._run.procedures
            if procedure.verdict in (Verdict.BLOCKED, Verdict.UNDECIDED)
        ]
        return {
            "executionSuccessful": True,
            "startTimeUtc": _utc(self._run.started_at),
            "endTimeUtc": _utc(self._run.ended_at),
            "toolExecutionNotifications": [
                {
                    "level": "note",
                    "message": {"text": f"{p.title} is {p.verdict}: {reason(p, words_in('en'))}"},
                    "locations": [self._location(p.document, {"startLine": p.line})],
                }
                for p in unverified
            ],
        }

    def _artifact(self, document: str) -> dict[str, Json]:
        artifact: dict[str, Json] = {"location": self._uri(document), "roles": ["analysisTarget"]}
        revision = self._run.documents.get(document, "")
        if re.fullmatch("[0-9a-f]{64}", revision):
            artifact["hashes"] = {"sha-256": revision}
        return artifact

    def _result(self, procedure: ProcedureResult, finding: Finding) -> dict[str, Json]:
        region = sarif_region(finding, finding.quote)
        result: dict[str, Json] = {
            "ruleId": finding.kind.value,
            "ruleIndex": _RULES.index(finding.kind),
            "level": _LEVELS[finding.severity] if finding.is_sure else "note",
            "message": {"text": message(finding)},
            "locations": [self._location(finding.document, region)],
            "partialFingerprints": {"consoleDocs/v1": finding.fingerprint},
            "rank": round(finding.confidence * 100, 1),
            "properties": {
                "finding": finding.id,
                "procedure": procedure.id,
                "verdict": procedure.verdict.value,
                "replay": replay_command(procedure, self._run.console),
            },
        }
        if (edit := self._edits.get(finding.id)) is not None:
            result["fixes"] = [self._fix(finding.document, *edit)]
        return result

    def _fix(self, document: str, at: Stretch, new: str) -> dict[str, Json]:
        source = self._sources[document]
        return {
            "description": {"text": "Write what the console shows."},
            "artifactChanges": [
                {
                    "artifactLocation": self._uri(document),
                    "replacements": [
                        {
                            "deletedRegion": _region(source, at),
                            "insertedContent": {"text": new},
                        }
                    ],
                }
            ],
        }

    def _location(self, document: str, region: dict[str, Json]) -> dict[str, Json]:
        where = self._uri(document) | {"index": self._artifacts.index(document)}
        return {"physicalLocation": {"artifactLocation": where, "region": region}}

    def _uri(self, document: str) -> dict[str, Json]:
        return artifact_uri(document, self._name)


def artifact_uri(document: str, name: Callable[[str], str]) -> dict[str, Json]:
    """Where a document is; `name` gives its path in the repository."""
    if _SCHEME.match(document):
        return {"uri": quote(document, safe="/:?&=#%+,;@~")}
    path = name(document)
    if path.startswith("/"):
        return {"uri": f"file://{quote(path)}"}
    return {"uri": quote(path), "uriBaseId": _ROOT}


def _documents(run: RunResult) -> tuple[str, ...]:
    named = [p.document for p in run.procedures]
    named += [finding.document for p in run.procedures for finding in p.findings]
    return tuple(dict.fromkeys([*run.documents, *named]))


def _rule(kind: DivergenceKind) -> dict[str, Json]:
    advice = text_of(f"kind.{kind}.help")
    texts: dict[str, Json] = {
        "fullDescription": {"text": advice},
        "help": {"text": advice, "markdown": advice},
    }
    return sarif_rule(kind, text_of(f"kind.{kind}"), "warning", **texts)


def _region(source: SourceText, at: Stretch) -> dict[str, Json]:
    start, end = source.place(at.start), source.place(at.end)
    return {
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    }


def _utc(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
