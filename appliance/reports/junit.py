"""JUnit XML: a suite a document, a case a procedure."""

import re
from collections.abc import Iterable
from xml.etree import ElementTree as ET

from appliance.core.result import ProcedureResult, RunResult
from appliance.core.verdict import Verdict
from appliance.reports._wording import (
    counted,
    message,
    reason,
    replay_command,
    what_to_do,
    words_in,
)

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_report(run: RunResult) -> str:
    """Drifted and broken procedures fail; blocked and undecided ones are skipped, with why."""
    documents: dict[str, list[ProcedureResult]] = {}
    for procedure in run.procedures:
        documents.setdefault(procedure.document, []).append(procedure)
    root = ET.Element("testsuites", {"name": "Console Docs Appliance", **_counts(run.procedures)})
    for document, procedures in documents.items():
        started = run.started_at.replace(microsecond=0, tzinfo=None).isoformat()
        attributes = {"name": _text(document), **_counts(procedures), "timestamp": started}
        suite = ET.SubElement(root, "testsuite", attributes)
        for procedure in procedures:
            suite.append(_case(procedure, run.console))
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _case(procedure: ProcedureResult, console: str) -> ET.Element:
    case = ET.Element(
        "testcase",
        {
            "classname": _text(procedure.document),
            "name": _text(" › ".join(procedure.title_path) or procedure.title),
            "file": _text(procedure.document),
            "line": str(procedure.line),
            "time": f"{procedure.cost.wall_s:.3f}",
        },
    )
    match procedure.verdict:
        case Verdict.DRIFTED | Verdict.BROKEN:
            number = counted(len(procedure.findings), "finding")
            summary = f"{procedure.verdict}: {number}"
            attributes = {"message": summary, "type": procedure.verdict.value}
            failure = ET.SubElement(case, "failure", attributes)
            failure.text = _text(_explanation(procedure, console))
        case Verdict.BLOCKED | Verdict.UNDECIDED:
            words = words_in("en")
            why = f"{reason(procedure, words)} {what_to_do(procedure, words)}".strip()
            ET.SubElement(case, "skipped", {"message": _text(f"{procedure.verdict}: {why}")})
        case Verdict.VERIFIED:
            pass
    return case


def _explanation(procedure: ProcedureResult, console: str) -> str:
    paragraphs = [
        f"{finding.document}:{finding.line}:{finding.column}: {message(finding)}"
        for finding in procedure.findings
    ]
    if not paragraphs and procedure.blocked_by:
        paragraphs.append(reason(procedure, words_in("en")))
    paragraphs.append(f"Again: {replay_command(procedure, console)}")
    return "\n".join(paragraphs)


def _counts(procedures: Iterable[ProcedureResult]) -> dict[str, str]:
    verdicts = [procedure.verdict for procedure in procedures]
    return {
        "tests": str(len(verdicts)),
        "failures": str(sum(v in (Verdict.DRIFTED, Verdict.BROKEN) for v in verdicts)),
        "errors": "0",
        "skipped": str(sum(v in (Verdict.BLOCKED, Verdict.UNDECIDED) for v in verdicts)),
        "time": f"{sum(procedure.cost.wall_s for procedure in procedures):.3f}",
    }


def _text(text: str) -> str:
    """Text without the characters that XML does not have."""
    return _NOT_IN_XML.sub("\ufffd", text)
