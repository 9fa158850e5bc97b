"""A Markdown summary, for job pages (`GITHUB_STEP_SUMMARY`) and merge requests."""

import re
from collections.abc import Iterator

from appliance.core.result import Finding, ProcedureResult, RunResult
from appliance.core.verdict import Verdict
from appliance.reports._wording import (
    began,
    counted,
    coverage,
    duration,
    folded,
    headline,
    model_time,
    reason,
    replay_command,
    second_line,
    text_of,
    what_to_do,
    words_in,
)

MARKS = {
    Verdict.VERIFIED: "✅ verified",
    Verdict.DRIFTED: "🟠 drifted",
    Verdict.BROKEN: "❌ broken",
    Verdict.BLOCKED: "⛔ blocked",
    Verdict.UNDECIDED: "❔ undecided",
}
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#!|~&@$]|(?<=\w):(?=//))")


def markdown_summary(run: RunResult) -> str:
    """Headline, table of procedures, findings, and what could not be decided."""
    return "\n".join(_lines(run)) + "\n"


def _lines(run: RunResult) -> Iterator[str]:
    words = words_in("en")
    at = began(run)
    took = duration((run.ended_at - run.started_at).total_seconds(), words)
    summary = (headline(run, words), coverage(run.coverage, words), second_line(run, words))
    yield from (
        "## Documentation check",
        "",
        " ".join(filter(None, (f"**{summary[0]}**", *summary[1:]))),
        "",
    )
    yield (
        f"Console {_code(run.console)}, policy {_code(run.policy)}, {at:%Y-%m-%d %H:%M}"
        f" {at.tzname()}, {took}."
    )
    if run.procedures:
        yield from (
            "",
            "| Verdict | Procedure | Where | Findings | Checked |",
            "| --- | --- | --- | ---: | ---: |",
        )
        yield from map(_row, run.procedures)
    if run.summary.findings:
        yield from ("", "### What to change", "")
        for procedure in run.procedures:
            for finding in procedure.findings:
                yield from _finding(finding)
    if any(p.cost.model_calls for p in run.procedures):
        yield from (
            "",
            "### What it took",
            "",
            "| Procedure | Decided by | Browser | Model | Tokens |",
        )
        yield "| --- | --- | ---: | ---: | ---: |"
        yield from (_cost(p) for p in run.procedures if p.tiers)
    undecided = [p for p in run.procedures if p.verdict in (Verdict.BLOCKED, Verdict.UNDECIDED)]
    if undecided:
        yield from ("", f"### {counted(len(undecided), 'procedure')} without a verdict", "")
        for procedure in undecided:
            yield from _open(procedure, run.console)


def _row(procedure: ProcedureResult) -> str:
    covered = procedure.coverage
    cells = (
        MARKS[procedure.verdict],
        _plain(procedure.title),
        _code(f"{procedure.document}:{procedure.line}").replace("|", "\\|"),  # even in code
        str(len(procedure.findings) or ""),
        f"{covered.checked} of {covered.total}" if covered.total else "",
    )
    return f"| {' | '.join(cells)} |"


def _cost(procedure: ProcedureResult) -> str:
    cost = procedure.cost
    cells = (
        _plain(procedure.title),
        procedure.decided_by,
        duration(cost.browser_s, words_in("en")),
        model_time(cost, words_in("en")),
        f"{cost.tokens:,}" if cost.tokens else "",
    )
    return f"| {' | '.join(cells)} |"


def _finding(finding: Finding) -> Iterator[str]:
    place = _code(f"{finding.document}:{finding.line}:{finding.column}")
    unsure = "" if finding.is_sure else f", {text_of('unsure')}"
    yield (
        f"- {place} **{text_of(f'kind.{finding.kind}')}** "
        f"({text_of(f'severity.{finding.severity}')}, {finding.confidence:.0%}{unsure}): "
        f"{_plain(finding.shown)}"
    )
    if finding.suggestion is not None:
        yield f"  - {_code(finding.quote)} → {_code(finding.suggestion)}"
    elif finding.quote:
        yield f"  - {_code(finding.quote)}"


def _open(procedure: ProcedureResult, console: str) -> Iterator[str]:
    words = words_in("en")
    yield (
        f"- {MARKS[procedure.verdict]}: {_plain(procedure.title)}. "
        f"{_plain(reason(procedure, words))} {what_to_do(procedure, words)}".rstrip()
    )
    yield f"  - {_code(replay_command(procedure, console))}"


def _plain(text: str) -> str:
    """Text that Markdown leaves as it is, on one line."""
    return _SPECIAL.sub(r"\\\1", folded(text))


def _code(text: str) -> str:
    """Text as code, whatever backticks and pipes it has, on one line."""
    text = folded(text)
    if not text:
        return "(nothing)"
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"
