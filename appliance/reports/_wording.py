"""The words of the reports: one way of saying a thing, whatever the format."""

import re
import shlex
from datetime import timedelta
from typing import NamedTuple

from appliance.core.result import (
    Cost,
    Finding,
    ProcedureResult,
    RunResult,
    Summary,
    procedure_of,
)
from appliance.core.verdict import DivergenceKind, GoalChannel, Severity, StepStatus, Verdict


class KindWords(NamedTuple):
    """How a kind of divergence is told."""

    title: str
    """A few words: the heading of a finding."""
    help: str
    """A sentence or two: what it means and what to do."""


KINDS: dict[DivergenceKind, KindWords] = {
    DivergenceKind.RENAMED_LABEL: KindWords(
        "Label has another name",
        "The control is there, under another name. Write the name that the console shows.",
    ),
    DivergenceKind.MOVED_CONTROL: KindWords(
        "Control is somewhere else",
        "The control is in another menu, page, tab or dialog. Describe the way that leads to it.",
    ),
    DivergenceKind.MISSING_CONTROL: KindWords(
        "Control is not there",
        "The console has no such control. Take the instruction out, or say where it is available.",
    ),
    DivergenceKind.MISSING_STEP: KindWords(
        "A step is missing",
        "The console asks for something that the text does not mention. Add the step.",
    ),
    DivergenceKind.EXTRA_STEP: KindWords(
        "A step is no longer needed",
        "The console does not ask for this step. Take it out.",
    ),
    DivergenceKind.CHANGED_OPTION: KindWords(
        "Option is not on offer",
        "The list does not have this option. Name one that it has.",
    ),
    DivergenceKind.CHANGED_DEFAULT: KindWords(
        "Default is another",
        "What the console chooses by itself is not what the text says. Write the present default.",
    ),
    DivergenceKind.WRONG_ORDER: KindWords(
        "Order is another",
        "The console asks for these things in another order. Put the steps in that order.",
    ),
    DivergenceKind.WRONG_RESULT: KindWords(
        "Result is another",
        "What happens is not what the text promises. Describe what happens.",
    ),
    DivergenceKind.MISSING_PREREQUISITE: KindWords(
        "A prerequisite is not mentioned",
        "The procedure works only where something is there already. Say so before the first step.",
    ),
    DivergenceKind.PERMISSION: KindWords(
        "Permission is not mentioned",
        "The account may not do this. Say which role it takes.",
    ),
    DivergenceKind.ERROR_SHOWN: KindWords(
        "Console shows an error",
        "Following the text leads to an error message. Correct the text, or report the error.",
    ),
    DivergenceKind.AMBIGUOUS_TEXT: KindWords(
        "Text fits several controls",
        "The words fit more than one control on the page. Say which one is meant.",
    ),
    DivergenceKind.DEAD_LINK: KindWords(
        "Link leads nowhere",
        "The address does not answer. Correct it, or take the link out.",
    ),
}

SEVERITIES: dict[Severity, str] = {
    Severity.BREAKS: "the reader cannot go on",
    Severity.MISLEADS: "the reader is misled",
    Severity.COSMETIC: "cosmetic",
}

STEPS: dict[StepStatus, str] = {
    StepStatus.AS_WRITTEN: "as written",
    StepStatus.DIVERGED: "not as written",
    StepStatus.SKIPPED: "nothing to do",
    StepStatus.STUCK: "could not be carried out",
    StepStatus.UNREACHED: "not reached",
}

_DO_ABOUT: dict[str, str] = {
    "console": "Check that the console answers and that the account's name and password are right: "
    "`appliance doctor` does both.",
    "environment": "Make what the procedure needs, or name it under `needs` in its checks file; "
    "then verify again.",
    "browser": "Run `appliance doctor`, then verify again; the log tells of a crash.",
    "policy": "The text could not be turned into actions. Read the steps below: a plainer sentence "
    "often helps the human reader too. A model policy may understand more.",
    "model": "Check that the model answers: `appliance doctor` asks it; then verify again.",
    "person": "It takes a person: verify again on a terminal, or with the server, whose dashboard "
    "shows the question; `agent.person_wait_minutes` says how long it waits.",
    "outcome": "Check that the audit log can be read, and the rules in the checks file.",
    "checks": "The checks file says that it cannot be verified; take `skip` out when it can be.",
}
_DO_ABOUT_OTHERS = {
    Verdict.BLOCKED: "Remove what blocks it and verify again. Nothing was learnt about the text.",
    Verdict.UNDECIDED: "Look at the steps and screenshots and decide: the text leaves something "
    "open, or the rules for the audit log in the checks file expect something else.",
}


def headline(run: RunResult) -> str:
    """The run in one sentence: what a person wants to know first."""
    total = run.summary
    if total.procedures == 0:
        return "No procedure was verified."
    untrue = _told(total.procedures, total, ("drifted", "broken"))
    if untrue:
        changes = f"; {counted(total.findings, 'sentence')} to change" if total.findings else ""
        return f"{untrue}{changes}."
    if total.verified == 0:
        return f"{_told(total.procedures, total, ('blocked', 'undecided'))}; nothing was learnt."
    if total.procedures == 1:
        return "The procedure is true: the console does what the text says."
    how_many = (
        f"All {total.procedures}"
        if total.verified == total.procedures
        else f"{total.verified} of {total.procedures}"
    )
    are = "are" if total.verified > 1 else "is"
    return f"{how_many} procedures {are} true: the console does what the text says."


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


def _told(of: int, total: Summary, verdicts: tuple[str, str]) -> str:
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
    parts = [f"{KINDS[finding.kind].title}."]
    if finding.quote:
        parts.append(f"The text says “{folded(finding.quote)}”;")
    parts.append(f"the console shows: {folded(finding.shown)}")
    text = " ".join(parts)
    if finding.suggestion is not None and folded(finding.suggestion) != folded(finding.quote):
        text += f"\nSuggested: “{folded(finding.suggestion)}”"
    return text


def folded(text: str) -> str:
    """Text on one line."""
    return " ".join(text.split())


def reason(result: ProcedureResult) -> str:
    """Why a procedure is blocked or undecided, as a sentence without the boundary's name."""
    _, told = _blame(result)
    return sentence(told) or "No reason was recorded."


def what_to_do(result: ProcedureResult) -> str:
    """The next thing a person can do about a blocked or undecided procedure."""
    boundary, _ = _blame(result)
    if boundary in _DO_ABOUT and (result.verdict, boundary) != (Verdict.UNDECIDED, "outcome"):
        return _DO_ABOUT[boundary]
    return _DO_ABOUT_OTHERS.get(result.verdict, "")


def without_boundary(told: str) -> str:
    """`boundary: sentence` as a sentence; "" for nothing."""
    return sentence(_parted(told)[1]) if told else ""


def model_time(cost: Cost) -> str:
    """`12 s in 7 calls`; "" where no model was asked."""
    calls = counted(cost.model_calls, "call")
    return f"{duration(cost.model_s)} in {calls}" if cost.model_calls else ""


def _blame(result: ProcedureResult) -> tuple[str, str]:
    return _parted(result.blocked_by or "")


def _parted(told: str) -> tuple[str, str]:
    head, colon, tail = told.partition(":")
    if colon and head.isidentifier():
        return head, tail.strip()
    return "", told.strip()


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


CHANNELS: dict[GoalChannel, str] = {
    GoalChannel.AUDIT: "Audit log",
    GoalChannel.JUDGES: "Judges",
    GoalChannel.UI: "Page",
}
SAYS: dict[bool | None, str] = {True: "reached", False: "not reached", None: "cannot tell"}
