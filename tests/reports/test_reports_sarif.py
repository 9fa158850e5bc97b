import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from appliance.core.result import RunResult
from appliance.reports import sarif_report

MakeRun = Callable[..., RunResult]

TEXT = {"type": "string", "minLength": 1}
MESSAGE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["text"],
    "properties": {"text": TEXT, "markdown": TEXT},
}
COUNT = {"type": "integer", "minimum": 1}
URI = {
    "type": "object",
    "additionalProperties": False,
    "required": ["uri"],
    "properties": {
        "uri": {"type": "string", "pattern": r"^[!-~]+$"},
        "uriBaseId": {"const": "SRCROOT"},
        "index": {"type": "integer", "minimum": 0},
    },
}
REGION = {
    "type": "object",
    "additionalProperties": False,
    "required": ["startLine"],
    "properties": {
        "startLine": COUNT,
        "startColumn": COUNT,
        "endLine": COUNT,
        "endColumn": COUNT,
        "snippet": {"type": "object", "required": ["text"]},
    },
}
LOCATIONS = {
    "type": "array",
    "minItems": 1,
    "items": {
        "type": "object",
        "additionalProperties": False,
        "required": ["physicalLocation"],
        "properties": {
            "physicalLocation": {
                "type": "object",
                "additionalProperties": False,
                "required": ["artifactLocation", "region"],
                "properties": {"artifactLocation": URI, "region": REGION},
            }
        },
    },
}
TIME = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$"}
LEVEL = {"enum": ["none", "note", "warning", "error"]}


def thing(required: str, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": required.split(),
        "properties": properties,
    }


RULE = thing(
    "id shortDescription",
    id=TEXT,
    name={"type": "string", "pattern": "^[A-Z][A-Za-z]+$"},
    shortDescription=MESSAGE,
    fullDescription=MESSAGE,
    help=MESSAGE,
    defaultConfiguration=thing("level", level=LEVEL),
)
REPLACEMENT = thing(
    "deletedRegion insertedContent",
    deletedRegion=REGION,
    insertedContent=thing("text", text={"type": "string"}),
)
FIX = thing(
    "artifactChanges",
    description=MESSAGE,
    artifactChanges={
        "type": "array",
        "minItems": 1,
        "items": thing(
            "artifactLocation replacements",
            artifactLocation=URI,
            replacements={"type": "array", "minItems": 1, "items": REPLACEMENT},
        ),
    },
)
RESULT = thing(
    "ruleId message locations",
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": 0},
    level=LEVEL,
    message=MESSAGE,
    locations=LOCATIONS,
    partialFingerprints={"type": "object", "additionalProperties": TEXT},
    rank={"type": "number", "minimum": 0, "maximum": 100},
    properties={"type": "object"},
    fixes={"type": "array", "items": FIX},
)
NOTIFICATION = thing("message", message=MESSAGE, level=LEVEL, locations=LOCATIONS)
RUN = thing(
    "tool results",
    tool=thing(
        "driver",
        driver=thing(
            "name",
            name=TEXT,
            version=TEXT,
            rules={"type": "array", "items": RULE},
            properties={"type": "object"},
        ),
    ),
    automationDetails=thing("id", id=TEXT),
    columnKind={"const": "unicodeCodePoints"},
    originalUriBaseIds={"type": "object"},
    invocations={
        "type": "array",
        "items": thing(
            "executionSuccessful",
            executionSuccessful={"type": "boolean"},
            startTimeUtc=TIME,
            endTimeUtc=TIME,
            toolExecutionNotifications={"type": "array", "items": NOTIFICATION},
        ),
    },
    artifacts={
        "type": "array",
        "uniqueItems": True,
        "items": thing(
            "location",
            location=URI,
            roles={"type": "array", "items": {"const": "analysisTarget"}},
            hashes={"type": "object"},
        ),
    },
    results={"type": "array", "items": RESULT},
)
SUBSET = (
    thing(
        "version runs $schema",
        version={"const": "2.1.0"},
        runs={"type": "array", "items": RUN},
    )
    | {}
)
SUBSET["properties"]["$schema"] = TEXT
"""What we use of SARIF 2.1.0, written down from the specification: names, types and bounds."""


def log_of(run: RunResult, documents: dict[str, str]) -> Any:
    log = json.loads(sarif_report(run, documents.get))
    jsonschema.Draft202012Validator(SUBSET).validate(log)
    return log["runs"][0]


def test_the_whole_log(night: RunResult, documents: dict[str, str], snapshot: Any) -> None:
    log_of(night, documents)
    assert sarif_report(night, documents.get) == snapshot


def test_every_result_points_at_its_rule_and_document(
    night: RunResult, documents: dict[str, str]
) -> None:
    log = log_of(night, documents)
    rules = log["tool"]["driver"]["rules"]
    assert len(log["results"]) == sum(
        (night.summary.findings, night.summary.cosmetic, night.summary.unsure)
    )
    for result in log["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        where = result["locations"][0]["physicalLocation"]["artifactLocation"]
        assert log["artifacts"][where["index"]]["location"]["uri"] == where["uri"]


def test_fixes_make_the_suggested_text(night: RunResult, documents: dict[str, str]) -> None:
    fixes = 0
    for result in log_of(night, documents)["results"]:
        for fix in result.get("fixes", ()):
            fixes += 1
            (change,) = fix["artifactChanges"]
            lines = documents[change["artifactLocation"]["uri"]].split("\n")
            (replacement,) = change["replacements"]
            region = replacement["deletedRegion"]
            at, to = region["startLine"] - 1, region["endLine"] - 1
            picked = lines[at : to + 1]
            picked[-1] = picked[-1][: region["endColumn"] - 1]
            picked[0] = picked[0][region["startColumn"] - 1 :]
            snippet = result["locations"][0]["physicalLocation"]["region"]["snippet"]["text"]
            assert "\n".join(picked) == snippet
    assert fixes == 5


def test_levels_follow_the_severity(night: RunResult, documents: dict[str, str]) -> None:
    levels = {r["ruleId"]: r["level"] for r in log_of(night, documents)["results"]}
    assert levels["missing_control"] == "error"
    assert levels["changed_option"] == "warning"


@pytest.mark.parametrize(
    ("document", "where"),
    [
        ("docs/my file#1.md", {"uri": "docs/my%20file%231.md", "uriBaseId": "SRCROOT"}),
        ("文档/a.md", {"uri": "%E6%96%87%E6%A1%A3/a.md", "uriBaseId": "SRCROOT"}),
        ("/srv/docs/a b.md", {"uri": "file:///srv/docs/a%20b.md"}),
        ("https://docs.example.com/a b?x=1", {"uri": "https://docs.example.com/a%20b?x=1"}),
    ],
)
def test_documents_are_uris(one_finding: MakeRun, document: str, where: dict[str, str]) -> None:
    log = log_of(one_finding(document=document), {})
    found = log["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert {key: found[key] for key in found if key != "index"} == where


def test_an_unknown_commit_is_not_told(one_finding: MakeRun, documents: dict[str, str]) -> None:
    log = log_of(replace(one_finding(), commit="unknown"), documents)
    assert "properties" not in log["tool"]["driver"]


def test_blocked_procedures_are_notifications(night: RunResult, documents: dict[str, str]) -> None:
    (invocation,) = log_of(night, documents)["invocations"]
    told = [n["message"]["text"] for n in invocation["toolExecutionNotifications"]]
    assert told[1] == "Share a network is blocked: Log-in as “admin” was refused."
    assert len(told) == 3
