"""The cases of `documents_fuzzing.py` by the thousand, in several processes: see `--help`.

Each process draws its own cases and reads them under the limits of the child that reads documents
in the program (`apart.py`). What ends such a process, or stops it, is a failure of the case that it
had before it.
"""

import argparse
import gc
import multiprocessing
import random
import sys
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait

from documents_fuzzing import SIZE, Case, complaint, drawn, seconds
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from appliance.documents import _apart_child

_SILENT_S = 180.0
"""By the clock. A case is given up after some seconds of processor time, where it can be."""
_SLOWEST = 10
_PLAIN_EVERY_S = 15.0
_SHOWN = 300


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a case."""

    case: Case
    took_s: float
    wrong: str | None = None


def _read_many(outcomes: Connection, numbers: range, seed: int, size: int) -> None:
    """In a process of its own: sends each case before it is read, and what became of it."""
    _apart_child.limit()
    for number in numbers:
        case = drawn(random.Random(f"{seed}/{number}"), size)
        outcomes.send(case)
        outcomes.send(_judged(case))
        _apart_child.tidy()
    gc.unfreeze()  # or libraries complain, when the process ends, of what they could not free


def _judged(case: Case) -> Outcome:
    try:
        took_s = seconds(case)
        return Outcome(case, took_s, complaint(case, took_s))
    except Exception as error:  # noqa: BLE001 - that is what is looked for
        return Outcome(case, 0.0, f"{type(error).__name__}: {str(error)[:200]}")


class _Run:
    """What the processes have sent."""

    def __init__(self) -> None:
        self.done = 0
        self.slowest: list[Outcome] = []
        self.wrong: list[Outcome] = []
        self._before: dict[Connection, tuple[float, Case | None]] = {}

    def begins(self, process: Connection) -> None:
        self._before[process] = (time.monotonic(), None)

    def take(self, process: Connection) -> Outcome | None:
        """The next thing that a process has sent, if it is an outcome. `EOFError`: it has ended."""
        sent = process.recv()
        now = time.monotonic()
        if isinstance(sent, Case):
            self._before[process] = (now, sent)
            return None
        self._before[process] = (now, None)
        return self._counted(sent)

    def lost(self, process: Connection, why: str) -> Outcome:
        """What the process had before it when it was lost."""
        _, case = self._before.pop(process)
        return self._counted(Outcome(case or Case("none", "", "", 0), 0.0, why))

    def is_silent(self, process: Connection) -> bool:
        return time.monotonic() - self._before[process][0] > _SILENT_S

    def _counted(self, outcome: Outcome) -> Outcome:
        self.done += 1
        self.slowest = sorted([*self.slowest, outcome], key=lambda o: -o.took_s)[:_SLOWEST]
        if outcome.wrong is not None:
            self.wrong.append(outcome)
        return outcome


def _watch(run: _Run, at_work: dict[Connection, multiprocessing.Process], bar: Progress) -> None:
    """Until all have ended."""
    task = bar.tasks[0].id
    said = time.monotonic()
    for process in at_work:
        run.begins(process)
    while at_work:
        for process in wait(list(at_work), timeout=1.0):
            assert isinstance(process, Connection)
            outcome = None
            try:
                outcome = run.take(process)
            except EOFError:
                ended = at_work.pop(process)
                ended.join()
                if ended.exitcode:
                    outcome = run.lost(process, f"ended its process with {ended.exitcode}")
            if outcome is not None and outcome.wrong is not None:
                bar.console.print(_said(outcome), markup=False, highlight=False, soft_wrap=True)
        for process in [p for p in at_work if run.is_silent(p)]:
            at_work.pop(process).kill()
            run.lost(process, f"is not read within {_SILENT_S:g} s")
        slowest = run.slowest[0].took_s if run.slowest else 0.0
        bar.update(task, completed=run.done, slowest=f"{slowest:.2f} s", wrong=str(len(run.wrong)))
        if not bar.console.is_terminal and time.monotonic() - said > _PLAIN_EVERY_S:
            said = time.monotonic()
            print(
                f"{run.done} cases, {len(run.wrong)} failures, the slowest {slowest:.2f} s",
                file=sys.stderr,
            )


def _said(outcome: Outcome) -> str:
    return f"{outcome.wrong}: {outcome.case!r}"[:_SHOWN]


def main() -> int:
    """The program; 1: something fails."""
    parser = argparse.ArgumentParser(
        prog="scripts/fuzz-documents", description="Documents that nobody would write, each timed."
    )
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0, help="the same seed draws the same cases")
    parser.add_argument("--size", type=int, default=SIZE, help="characters of the longest texts")
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    began = time.monotonic()
    context = multiprocessing.get_context("spawn")
    at_work = {}
    for number in range(asked.processes):
        ours, theirs = context.Pipe(duplex=False)
        numbers = range(number, asked.cases, asked.processes)
        process = context.Process(
            target=_read_many, args=(theirs, numbers, asked.seed, asked.size), daemon=True
        )
        process.start()
        theirs.close()
        at_work[ours] = process
    run = _Run()
    with Progress(
        TextColumn("Reading"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("slowest {task.fields[slowest]}, failures {task.fields[wrong]}"),
        console=Console(stderr=True),
    ) as bar:
        bar.add_task("", total=asked.cases, slowest="-", wrong="0")
        _watch(run, at_work, bar)
    print(f"{run.done} cases in {time.monotonic() - began:.0f} s. The slowest, in processor time:")
    for outcome in run.slowest:
        print(f"{outcome.took_s:6.2f} s  {outcome.case!r}"[:_SHOWN])
    print(f"{len(run.wrong)} failures")
    for outcome in run.wrong:
        print(f"  {_said(outcome)}")
    return 1 if run.wrong or run.done < asked.cases else 0


if __name__ == "__main__":
    sys.exit(main())
