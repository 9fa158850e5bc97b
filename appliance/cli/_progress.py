"""What is said while procedures are carried out: bars on a terminal, lines elsewhere."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.text import Text

from appliance.cli._output import talk, talk_console
from appliance.cli._summary import COLOURS, place
from appliance.core.events import (
    AttemptStarted,
    Event,
    ProcedureFinished,
    ProcedureStarted,
    ResourceProgressed,
    RunStarted,
    StepFinished,
    Subscriber,
    SweepProgressed,
)
from appliance.core.result import ProcedureResult


def counting_bar(*, transient: bool = False) -> Progress:
    """How many of a known number are done, shown at a terminal only; `transient`: then gone."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
               TimeElapsedColumn())  # fmt: skip
    console = talk_console()
    return Progress(*columns, console=console, disable=not console.is_terminal, transient=transient)


@contextmanager
def progress(total: int) -> Iterator[Subscriber]:
    """A subscriber that shows how far a run of so many procedures is, on standard error."""
    console = talk_console()
    if not console.is_terminal:
        yield Lines()
        return
    bars = Bars(total, console)
    with bars.display:
        yield bars


class Lines:
    """One line for every verdict: for logs and pipes."""

    def __init__(self) -> None:
        self._total = 0
        self._done = 0
        self._sweep: SweepProgressed | None = None

    def __call__(self, event: Event) -> None:
        """Take in an event."""
        match event:
            case RunStarted():
                self._total = event.procedures
            case ProcedureFinished():
                self._done += 1
                pace = f" · {_pace(self._sweep)}" if self._sweep else ""
                talk(f"[{self._done}/{self._total}] {summed_up(event.result)}{pace}")
            case SweepProgressed():
                self._progress(event)

    def _progress(self, event: SweepProgressed) -> None:
        if event.why and (self._sweep is None or self._sweep.why != event.why):
            talk(f"[{event.done}/{event.total}] sweep {event.sweep_id}: {event.why}")
        elif self._sweep is not None and self._sweep.paused_for and event.state == "running":
            talk(f"[{event.done}/{event.total}] sweep {event.sweep_id} goes on")
        self._sweep, self._done, self._total = event, event.done, event.total


class Bars:
    """A bar for the run and one for each procedure under way; verdicts scroll by above them."""

    def __init__(self, total: int, console: Console) -> None:
        self.display = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[note]}", style="dim", markup=False),
            TimeElapsedColumn(),
            console=console,
            transient=True,
        )
        self._steps: dict[str, Sequence[str]] = {}
        self._bars: dict[str, TaskID] = {}
        self._whole = self.display.add_task("Procedures", total=total, note="")

    def __call__(self, event: Event) -> None:
        """Take in an event."""
        match event:
            case ProcedureStarted():
                self._steps[event.procedure_id] = event.steps
                self._bars[event.procedure_id] = self.display.add_task(
                    _shorten(event.title), total=len(event.steps), note=""
                )
            case AttemptStarted(attempt=attempt) if attempt > 1:
                self._update(event.procedure_id, completed=0, note=f"attempt {attempt}")
            case ResourceProgressed():
                self._note(event.procedure_id, f"{event.doing} {event.what}")
            case StepFinished():
                self._step(event)
            case ProcedureFinished():
                self._finish(event.result)
            case SweepProgressed():
                self.display.update(
                    self._whole,
                    completed=event.done,
                    total=event.total,
                    note=_shorten(event.why or _pace(event)),
                )

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Show nothing while the block runs: somebody is asked."""
        self.display.stop()
        try:
            yield
        finally:
            self.display.start()

    def _step(self, event: StepFinished) -> None:
        steps = self._steps.get(event.procedure_id, ())
        if event.step in steps:
            done = steps.index(event.step) + 1
            self._update(event.procedure_id, completed=done, note=f"step {event.step}")

    def _finish(self, result: ProcedureResult) -> None:
        self._steps.pop(result.id, None)
        bar = self._bars.pop(result.id, None)
        if bar is not None:
            self.display.remove_task(bar)
        self.display.advance(self._whole)
        line = Text(summed_up(result))
        line.stylize(COLOURS[result.verdict], 0, len(result.verdict))
        self.display.console.print(line, soft_wrap=True)

    def _note(self, procedure_id: str, note: str) -> None:
        bar = self._bars.get(procedure_id)
        if bar is not None:
            self.display.update(bar, note=_shorten(note))

    def _update(self, procedure_id: str, *, completed: int, note: str) -> None:
        bar = self._bars.get(procedure_id)
        if bar is not None:
            self.display.update(bar, completed=completed, note=note)


def summed_up(result: ProcedureResult) -> str:
    """A verdict on one line."""
    count = len(result.findings)
    findings = f", {count} finding{'s' * (count != 1)}" if count else ""
    reason = f": {result.blocked_by}" if result.blocked_by else ""
    return f"{result.verdict} {result.title} ({place(result)}){findings}{reason}"


def _pace(event: SweepProgressed) -> str:
    """`2.1 a minute, 14 min left`."""
    rate = f"{event.rate_per_minute:.1f} a minute, " if event.rate_per_minute else ""
    left = event.seconds_left
    return f"{rate}{lasting(left)} left" if left is not None else ""


def lasting(seconds: float) -> str:
    """`40 s`, `14 min`, `3 h 20 min`."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _shorten(title: str, width: int = 40) -> str:
    return title if len(title) <= width else title[: width - 1] + "…"
