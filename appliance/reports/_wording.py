"""The words of the reports: one way of saying a thing, whatever the format."""

import re
import shlex
from datetime import timedelta

from appliance.core.causes import CauseKind
from appliance.core.claims import Coverage
from appliance.core.result import (
    Cost,
    Finding,
    ProcedureResult,
    RunResult,
    Summary,
    procedure_of,
)
from appliance.core.verdict import DivergenceKind, GoalChannel, Verdict
from appliance.reports.catalogue import Words, load_catalogue

_ADVISED = frozenset(CauseKind) - {CauseKind.BY_HAND, CauseKind.APPLIANCE}
"""Causes for which advice is known."""


def text_of(key: str) -> str:
    """A text of the catalogue, in English: reports speak no other language."""
    return Words("en", load_catalogue("appliance.reports")["en"])(key)


def headline(run: RunResult) -> str:
    """The run in one sentence: what a person wants to know first."""
    total = run.summary
    if total.procedures == 0:
        return "No procedure was verified."
    untrue = _verdict_sentence(total.procedures, total, ("drifted", "broken"))
    if untrue:
        changes = f"; {counted(total.findings, 'sentence')} to change" if total.findings else ""
        return f"{untrue}{changes}."
    if total.verified == 0:
        unknown = _verdict_sentence(total.procedures, total, ("blocked", "undecided"))
        return f"{unknown}; nothing was learnt."
    if total.procedures == 1:
        return "The procedure can be carried out as it is written."
    how_many = (
        f"All {total.procedures}"
        if total.verified == total.procedures
        else f"{total.verified} of {total.procedures}"
    )
    return f"{how_many} procedures can be carried out as written."


def second_line(run: RunResult) -> str:
    """What the headline leaves out: procedures without a verdict; "" where there are none."""
    total = run.summary
    without = total.blocked + total.undecided
    if not without or without == total.procedures:
        return ""
    kinds = [
        f"{n} {word}"
        for n, word in ((total.blocked, "blocked"), (total.undecided, "undecided"))
        if n
    ]
    return f"{counted(without, 'procedure')} without a verdict: {', '.join(kinds)}."


def coverage(covered: Coverage) -> str:
    """`47 of 69 statements were seen in the console, 3 are untrue, 19 were not checked`."""
    if not covered.total:
        return ""
    were = "were" if covered.confirmed != 1 else "was"
    parts = [f"{covered.confirmed} of {counted(covered.total, 'statement')} {were} confirmed"]
    if covered.contradicted:
        parts.append(
            f"{covered.contradicted} {'is' if covered.contradicted == 1 else 'are'} untrue"
        )
    if covered.not_checked:
        were = "was" if covered.not_checked == 1 else "were"
        parts.append(f"{covered.not_checked} {were} not checked")
    return ", ".join(parts) + "."


def _verdict_sentence(of: int, total: Summary, verdicts: tuple[str, str]) -> str:
    """`3 of 14 procedures have drifted and 1 is broken`; "" where there are none."""
    words = {
        "drifted": ("has drifted", "have drifted"),
        "broken": ("is broken", "are broken"),
        "blocked": ("was blocked", "were blocked"),
        "undecided": ("is undecided", "are undecided"),
    }
    parts: list[str] = []
    for verdict in verdicts:
        number: int = getattr(total, verdict)
        if number:
            subject = str(number) if parts else f"{number} of {counted(of, 'procedure')}"
            parts.append(f"{subject} {words[verdict][number > 1]}")
    return " and ".join(parts)


def counted(number: int, word: str) -> str:
    """`1 finding`, `2 findings`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def replay_command(procedure: ProcedureResult, console: str) -> str:
    """The command that verifies one procedure again."""
    plain = procedure_of(procedure.id)
    job = ["verify"] if plain == procedure.id else ["sweep", "start"]  # in a language, as a role
    words = ["appliance", *job, procedure.document]
    words += ["--procedure", plain, "--console", console]
    return shlex.join(words)


def message(finding: Finding) -> str:
    """A finding in a line or two of plain text."""
    parts = [f"{text_of(f'kind.{finding.kind}')}."]
    if finding.quote:
        parts.append(f"The text says “{folded(finding.quote)}”;")
    parts.append(f"the console shows: {folded(finding.shown)}")
    text = " ".join(parts)
    if finding.suggestion is not None and folded(finding.suggestion) != folded(finding.quote):
        text += f"\nSuggested: “{folded(finding.suggestion)}”"
    return text


def folded(text: str) -> str:
    """The text on one line, white space folded."""
    return " ".join(text.split())


def reason(result: ProcedureResult) -> str:
    """Why a procedure is blocked or undecided, as a sentence without the boundary's name."""
    return without_boundary(result.blocked_by or "") or "No reason was recorded."


def what_to_do(result: ProcedureResult) -> str:
    """The next thing a person can do about a blocked or undecided procedure."""
    key = advice_key(result)
    return text_of(key) if key else ""


def advice_key(result: ProcedureResult) -> str:
    """Under which key the catalogue has that; "" for what needs no advice."""
    if result.verdict not in (Verdict.BLOCKED, Verdict.UNDECIDED):
        return ""
    is_open = (result.verdict, result.cause) == (Verdict.UNDECIDED, CauseKind.OUTCOME)
    if result.cause in _ADVISED and not is_open:
        return f"advice.{result.cause}"
    return f"advice.{result.verdict}"


def kind_advice_key(kind: DivergenceKind, result: ProcedureResult | None) -> str:
    """Under which key the catalogue says what to do about a kind of finding.

    Only what the goal was reached without is really gone; all else may have another name or place.
    """
    is_gone = kind is DivergenceKind.MISSING_CONTROL and result is not None and result.goal.reached
    return f"kind.{kind}.gone" if is_gone else f"kind.{kind}.help"


def without_boundary(text: str) -> str:
    """`boundary: sentence` as a sentence; "" for nothing."""
    head, colon, tail = text.partition(":")
    return sentence(tail if colon and head.isidentifier() else text)


def model_time(cost: Cost) -> str:
    """`12 s in 7 calls`; "" where no model was asked."""
    calls = counted(cost.model_calls, "call")
    return f"{duration(cost.model_s)} in {calls}" if cost.model_calls else ""


def sentence(text: str) -> str:
    """A phrase as a sentence: with a capital and a full stop."""
    text = folded(text)
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".!?。！？" else ".")


def without_markup(quote: str) -> str:
    """A quote for headings: the asterisks, backticks and roles of its markup say nothing there."""
    return folded(re.sub(r":[a-z-]+:(?=`)|\*\*|`+", "", quote))


def duration(seconds: float) -> str:
    """`4.2 s`, `3 min 5 s`, `1 h 2 min`."""
    if seconds < 10:
        return f"{max(seconds, 0):.1f} s"
    whole = timedelta(seconds=round(seconds))
    hours, rest = divmod(int(whole.total_seconds()), 3600)
    minutes, left = divmod(rest, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {left} s" if minutes else f"{left} s"


def goal_sentence(result: ProcedureResult) -> str:
    """Whether the goal was reached and who says so; plainly, when only the page itself does."""
    reached = result.goal.reached
    witnesses = [c.channel for c in result.goal.channels if c.reached is reached]
    if result.attempts == 0:
        return "Not tried: no attempt was made."
    if reached is None:
        return "Nobody can say whether the goal was reached."
    if not reached:
        return "The goal was not reached."
    if GoalChannel.AUDIT in witnesses:
        return "The goal was reached; the audit log is the witness."
    if GoalChannel.JUDGES in witnesses:
        return "The goal was reached, say the judges; no audit rule confirms it."
    return (
        "The goal was reached by the evidence of the page alone: no audit rule and no judge "
        "confirms it. Expected events in a checks file would."
    )
