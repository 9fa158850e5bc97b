"""The words of the reports: one way of saying a thing, whatever the format."""

import re
import shlex
from collections.abc import Mapping
from datetime import datetime
from functools import cache

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
from appliance.core.window import zone_of
from appliance.reports.catalogue import Language, Words, load_catalogue
from appliance.reports.sentences import spoken

_ADVISED = frozenset(CauseKind) - {CauseKind.BY_HAND, CauseKind.APPLIANCE}
"""Causes for which advice is known."""


@cache
def words_in(language: Language) -> Words:
    """The reports' words in one language; formats that machines read are English."""
    return Words(language, load_catalogue("appliance.reports")[language])


def text_of(key: str) -> str:
    """A text of the catalogue, in English."""
    return words_in("en")(key)


def began(run: RunResult) -> datetime:
    """When it began, in the zone of its settings."""
    sweep = run.config.get("sweep")
    name = sweep.get("time_zone") if isinstance(sweep, Mapping) else None
    try:
        return run.started_at.astimezone(zone_of(str(name or "UTC")))
    except ValueError:  # settings of another machine, which knew another zone
        return run.started_at


def headline(run: RunResult, words: Words) -> str:
    """The run in one sentence: what a person wants to know first."""
    total = run.summary
    if total.procedures == 0:
        return words("report.none")
    untrue = _shares(total, ("drifted", "broken"), words)
    if untrue and total.findings:
        changes = words("report.sentences", total.findings)
        return words("report.untrue_to_change", what=untrue, sentences=changes)
    if untrue:
        return words("report.untrue", what=untrue)
    if total.verified == 0:
        shares = _shares(total, ("blocked", "undecided"), words)
        return words("report.nothing_learnt", what=shares)
    if total.procedures == 1:
        return words("report.one_true")
    if total.verified == total.procedures:
        return words("report.all_true", total.procedures)
    return words("report.some_true", total.procedures, k=total.verified)


def second_line(run: RunResult, words: Words) -> str:
    """What the headline leaves out: procedures without a verdict; "" where there are none."""
    unreached = words("report.not_reached", run.not_reached) if run.not_reached else ""
    return " ".join(filter(None, (_undecided(run, words), unreached)))


def _undecided(run: RunResult, words: Words) -> str:
    total = run.summary
    without = total.blocked + total.undecided
    if not without or without == total.procedures:
        return ""
    counts = ((total.blocked, Verdict.BLOCKED), (total.undecided, Verdict.UNDECIDED))
    kinds = [words("report.kind", n, verdict=words(f"verdict.{v}")) for n, v in counts if n]
    return words("report.without", without, kinds=words("report.list").join(kinds))


def coverage(covered: Coverage, words: Words) -> str:
    """`47 of 69 statements confirmed, 3 untrue, 19 not checked.`; "" where there are none."""
    if not covered.total:
        return ""
    parts = [words("report.covered", covered.total, k=f"{covered.confirmed:,}")]
    if covered.contradicted:
        parts.append(words("report.untrue_claims", covered.contradicted))
    if covered.not_checked:
        parts.append(words("report.unchecked_claims", covered.not_checked))
    return words("report.sentence", text=words("report.list").join(parts))


def _shares(total: Summary, verdicts: tuple[str, str], words: Words) -> str:
    """`3 of 14 procedures have drifted and 1 is broken`; "" where there are none."""
    parts: list[str] = []
    for verdict in verdicts:
        number: int = getattr(total, verdict)
        if number:
            of_all = words("report.of", total.procedures, k=number)
            subject = words("report.number", number) if parts else of_all
            parts.append(words(f"report.share.{verdict}", number, subject=subject))
    return words("report.and").join(parts)


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


def reason(result: ProcedureResult, words: Words) -> str:
    """Why a procedure is blocked or undecided, as a sentence without the boundary's name."""
    reason = without_boundary(spoken(result.blocked_by or "", words.language))
    return reason or words("report.no_reason")


def what_to_do(result: ProcedureResult, words: Words) -> str:
    """The next thing a person can do about a blocked or undecided procedure."""
    key = advice_key(result)
    return words(key) if key else ""


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


def model_time(cost: Cost, words: Words) -> str:
    """`12 s in 7 calls`; "" where no model was asked."""
    if not cost.model_calls:
        return ""
    return words("report.model_time", cost.model_calls, time=duration(cost.model_s, words))


def cost(result: ProcedureResult, words: Words) -> str:
    """`2 attempts, decided by the literal policy, 12 s`, and what a model took."""
    spent = result.cost
    parts = [words("report.attempts", result.attempts)]
    if result.decided_by:
        parts.append(words("report.decided_by", policy=result.decided_by))
    parts.append(duration(spent.wall_s, words))
    if spent.model_calls:
        parts.append(words("report.calls", spent.model_calls))
        parts.append(words("report.tokens", tokens=f"{spent.tokens:,}"))
    return words("report.list").join(parts)


def sentence(text: str) -> str:
    """A phrase as a sentence: with a capital and a full stop."""
    text = folded(text)
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".!?。！？" else ".")


def without_markup(quote: str) -> str:
    """A quote for headings: the asterisks, backticks and roles of its markup say nothing there."""
    return folded(re.sub(r":[a-z-]+:(?=`)|\*\*|`+", "", quote))


def duration(seconds: float, words: Words) -> str:
    """`4.2 s`, `3 min 5 s`, `1 h 2 min`, `3 days`."""
    if seconds < 10:
        return words("time.seconds", x=f"{max(seconds, 0):.1f}")
    minutes, seconds_left = divmod(round(seconds), 60)
    hours, minutes_left = divmod(minutes, 60)
    if hours >= 48:
        return words("time.days", round(hours / 24))
    if hours:
        return words("time.hours", x=hours, y=minutes_left)
    return (
        words("time.minutes", x=minutes, y=seconds_left)
        if minutes
        else words("time.seconds", x=seconds_left)
    )


def goal_sentence(result: ProcedureResult, words: Words) -> str:
    """Whether the goal was reached and who says so; plainly, when only the page itself does."""
    reached = result.goal.reached
    witnesses = [c.channel for c in result.goal.channels if c.reached is reached]
    if result.attempts == 0:
        return words("report.goal.not_tried")
    if not reached:
        return words("report.goal.unknown" if reached is None else "report.goal.missed")
    for witness in (GoalChannel.AUDIT, GoalChannel.LISTS, GoalChannel.JUDGES):
        if witness in witnesses:
            return words(f"report.goal.{witness}")
    return words("report.goal.page")
