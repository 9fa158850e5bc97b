import io

import pytest
from rich.console import Console

from appliance.cli._progress import Bars, Lines
from appliance.cli._summary import print_run
from appliance.core.events import (
    AttemptStarted,
    ProcedureFinished,
    ProcedureStarted,
    RunStarted,
    StepFinished,
)
from appliance.core.verdict import StepStatus, Verdict
from appliance.documents import parse_document

PAGE = "# Disks\n\n## Create a disk\n\n1. Click **Create disk**.\n1. Click **OK**.\n"


def printed(run) -> str:
    console = Console(file=io.StringIO(), width=100, highlight=False, markup=False)
    print_run(run, console)
    return console.file.getvalue()


def test_the_summary_names_every_verdict_and_finding(results):
    run = results.run(
        results.procedure(Verdict.VERIFIED, title="Fine [b]bold[/b]"),
        results.procedure(),
        results.procedure(Verdict.BLOCKED, blocked_by="console: it is down"),
        results.procedure(Verdict.UNDECIDED),
    )
    text = printed(run)
    assert "verified   Fine [b]bold[/b]  " in text
    assert "docs/a.md:3" in text
    assert (
        "  docs/a.md:7:10 renamed label: “Create disk” → “New disk”"
        "  the button is called New disk\n"
    ) in text
    assert "  console: it is down\n" in text
    assert "  ui: row shown\n" in text
    assert "  again: appliance verify docs/a.md --procedure docs/a/create-a-disk\n" in text
    total = "4 procedures: 1 verified, 1 drifted, 1 blocked, 1 undecided · 1 finding · 12 s\n"
    assert text.endswith(total)


@pytest.mark.parametrize(
    ("suggestion", "shown"), [(None, "“Create disk”  gone"), ("", "“Create disk” → (leave out)")]
)
def test_a_finding_without_a_replacement(results, suggestion, shown):
    finding = results.finding(suggestion=suggestion, shown="gone")
    assert shown in printed(results.run(results.procedure(findings=(finding,))))


def test_the_replay_command_names_another_console_and_quotes(results):
    procedure = results.procedure(document="my docs/a.md")
    text = printed(results.run(procedure, console="lab"))
    assert "appliance verify 'my docs/a.md' --procedure docs/a/create-a-disk --console lab" in text


def test_without_a_terminal_every_verdict_is_a_line(results, capsys):
    lines = Lines()
    lines(RunStarted(run_id="r", procedures=2))
    lines(ProcedureStarted(run_id="r", procedure_id="a", title="A"))
    lines(ProcedureFinished(run_id="r", result=results.procedure()))
    blocked = results.procedure(Verdict.BLOCKED, blocked_by="console: down")
    lines(ProcedureFinished(run_id="r", result=blocked))
    assert capsys.readouterr().err == (
        "[1/2] drifted Create a disk (docs/a.md:3), 1 finding\n"
        "[2/2] blocked Create a disk (docs/a.md:3): console: down\n"
    )


def test_on_a_terminal_bars_follow_the_steps(results):
    procedures = parse_document(PAGE, "docs/a.md", "markdown").procedures
    known, steps = procedures[0].id, tuple(step.index for step in procedures[0].walk())
    console = Console(file=io.StringIO(), width=100, force_terminal=True, color_system=None)
    bars = Bars(1, console)
    with bars.display:
        bars(RunStarted(run_id="r", procedures=1))
        title = "Create a disk " * 5
        bars(ProcedureStarted(run_id="r", procedure_id=known, title=title, steps=steps))
        bars(AttemptStarted(procedure_id=known, attempt=1))
        for step in ("1", "2", "none such"):
            bars(
                StepFinished(procedure_id=known, attempt=1, step=step, status=StepStatus.AS_WRITTEN)
            )
        whole, one = bars.display.tasks
        assert (one.completed, one.total, one.fields["note"]) == (2, 2, "step 2")
        assert len(one.description) == 40
        bars(AttemptStarted(procedure_id=known, attempt=2))
        assert (one.completed, one.fields["note"]) == (0, "attempt 2")
        bars(ProcedureFinished(run_id="r", result=results.procedure(id=known)))
        assert [task.id for task in bars.display.tasks] == [whole.id]
        assert whole.completed == 1
    assert "drifted Create a disk (docs/a.md:3), 1 finding\n" in console.file.getvalue()
