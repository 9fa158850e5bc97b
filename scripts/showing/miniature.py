"""`scripts/miniature`: a small model is trained on the practice cloud, stage after stage.

Every stage is a command of the appliance, and goes on where it was.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType

import click
import yaml

from appliance.benchmark.comparison import compare
from appliance.benchmark.finding import load_suite
from appliance.benchmark.suite import Task
from appliance.benchmark.summary import summarise
from appliance.benchmark.trials import BenchmarkResult, Split, all_results
from appliance.core.jsonable import json_object
from appliance.training.curves import curves_svg
from appliance.training.phases.record import all_series
from appliance.training.runs import TrainingRun, all_runs
from showing.phases import (
    ABLATIONS,
    UPDATES,
    Phases,
    as_table,
    compare_with_others,
    phase_settings,
    truth_of_estimates,
)

_HELD_OUT = "buckets.md"
"""What the promoted policy verifies in the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much of everything."""

    recorded: int | None
    """Tasks to learn from; None: all."""
    recorded_held_out: int | None
    sft: tuple[str, ...]
    live: tuple[str, ...]
    measured: int | None
    """Held-out tasks."""
    runs: int
    is_base_measured: bool


def _number_type() -> str:
    """What this processor is fast at: bfloat16 without its instructions takes 7 times as long."""
    try:
        cpu_info = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return "float32"
    return "bfloat16" if re.search(r"\b(?:avx512_bf16|amx_bf16|bf16)\b", cpu_info) else "float32"


_TYPE = _number_type()
_MODEL = ("form=short", "rank=16", "upper_layers=0.53", "answer_tokens=32", f"dtype={_TYPE}")
_SFT = (*_MODEL, "learning_rate=1e-3", "batch=4", "patience=0")
_LIVE = (*_MODEL, "learning_rate=5e-5", "kl=0.05", "max_actions=25", "jobs=2", "language=en")
SHORT = Size(
    recorded=16,
    recorded_held_out=8,
    sft=(*_SFT, "epochs=2", "every=1000", "examined=30"),
    live=(
        *_LIVE,
        "level=standard",
        "group=3",
        "questions=2",
        "rows=24",
        "max_steps=1",
        "every=1",
        "examined=10",
    ),
    measured=4,
    runs=3,
    is_base_measured=False,
)
FULL = Size(
    recorded=None,
    recorded_held_out=60,
    sft=(*_SFT, "max_steps=120", "every=60", "examined=60"),
    live=(*_LIVE, "group=8", "questions=2", "rows=64", "max_steps=3", "every=3", "examined=30"),
    measured=10,
    runs=3,
    is_base_measured=True,
)


class Miniature:
    """One miniature in its folder."""

    def __init__(self, out: Path, venv: Path, weights: Path, size: Size, phases: Phases) -> None:
        self._out, self._venv, self._weights, self._size = out, venv, weights, size
        self._phases = phases
        self._stage_seconds: dict[str, float] = {}

    @property
    def _data(self) -> Path:
        return self._out / "data"

    def run(self) -> Mapping[str, object]:
        """All stages; what was measured."""
        self._out.mkdir(parents=True, exist_ok=True)
        size = self._size
        self._record("train", size.recorded)
        self._record("held-out", size.recorded_held_out)
        dataset = self._collect()
        sft = self._train("sft", dataset, size.sft)
        live = self._train("live", dataset, (*size.live, f"begin_with={sft.adapter}"))
        measured = {}
        if size.is_base_measured:
            measured["base"] = self._measure("base", None)
        measured["sft"] = self._measure("sft", sft)
        measured["live"] = self._measure("live", live)
        promotion = self._promote(live, measured["sft"], measured["live"])
        result = {
            "stages": {name: _figures(result_) for name, result_ in measured.items()},
            "gains": dict(_gains(measured)),
            "single_steps": {run.file.kind: _single_steps(run) for run in (sft, live)},
            "promotion": promotion,
            "took_s": self._stage_seconds,
        }
        if self._phases.count:
            result["phases"] = self._grow(live, dataset)
        for run in (sft, live):
            picture = curves_svg(run.curves(), run.file.id)
            (self._out / f"{run.file.kind}.svg").write_text(picture, encoding="utf-8")
        text = json.dumps(result, indent=1, ensure_ascii=False)
        (self._out / "result.json").write_text(text + "\n", encoding="utf-8")
        return result

    def _record(self, split: str, tasks: int | None) -> None:
        config = self._config("record", data_dir=self._out / "record", keeps=True)
        command = ["bench", "run", "--policy", "literal", "--runs", "1", "--split", split]
        command += ["--tasks", str(tasks)] if tasks else []
        if not self._has_recorded(split):
            self._call(f"record {split}", config, *command, "--jobs", "2")

    def _has_recorded(self, split: str) -> bool:
        results = all_results(self._out / "record" / "benchmarks")
        return any(
            result.is_over and {trial.split for trial in result.trials} == {split}
            for result in results
        )

    def _collect(self) -> Path:
        dataset = self._out / "dataset"
        if not dataset.exists():
            # the benchmark keeps the store of its attempts in a folder of its own
            store = self._out / "record" / "bench" / "suites" / "data"
            config = self._config("collect", data_dir=store)
            names = dict.fromkeys(t.draft.name for t in _tasks() if t.split is Split.HELD_OUT)
            held_out = [word for name in names for word in ("--held-out", name)]
            command = ("train", "collect", "--form", "short", "--out", str(dataset), *held_out)
            self._call("collect", config, *command)
        return dataset

    def _train(self, kind: str, dataset: Path, options: Sequence[str]) -> TrainingRun:
        config = self._config("train", data_dir=self._data)
        earlier = self._first_run(kind)
        if earlier is None:
            set_options = [word for option in options for word in ("--set", option)]
            base = ("--base", str(self._weights), "--dataset", str(dataset))
            self._call(kind, config, "train", kind, *base, *set_options)
        elif earlier.status.state != "done":
            self._call(kind, config, "train", "resume", earlier.file.id)
        run = self._first_run(kind)
        assert run is not None  # noqa: S101 - for the type checker: it was just done
        return run

    def _first_run(self, kind: str) -> TrainingRun | None:
        # the oldest: phases begin others of the same kind
        runs = reversed(all_runs(self._data))
        return next((run for run in runs if run.file.kind == kind), None)

    def _measure(self, name: str, run: TrainingRun | None) -> BenchmarkResult:
        """Pass@1 on held-out tasks."""
        adapter = run.file.id if run else ""
        result = self._result_of(adapter)
        if result is None or not result.is_over:
            config = self._config(name, data_dir=self._data, run=run)
            command = ["bench", "run", "--policy", "model", "--split", "held-out", "--jobs", "2"]
            command += ["--runs", str(self._size.runs)]
            command += ["--tasks", str(self._size.measured)] if self._size.measured else []
            self._call(f"measure {name}", config, *command)
            result = self._result_of(adapter)
        assert result is not None  # noqa: S101 - for the type checker: it was just done
        return result

    def _result_of(self, adapter: str) -> BenchmarkResult | None:
        results = all_results(self._data / "benchmarks")
        suite_version = load_suite("practice", ()).version  # phases measure tasks of their own
        return next(
            (
                result
                for result in results
                if result.setup.model == adapter and result.setup.suite_version == suite_version
            ),
            None,
        )

    def _promote(
        self, run: TrainingRun, before: BenchmarkResult, after: BenchmarkResult
    ) -> Mapping[str, object]:
        """As people would: promoted where it is better; then one document, and rolled back."""
        config = self._config("promote", data_dir=self._data)
        by = ("--before", before.id, "--after", after.id)
        code = self._call("promote", config, "train", "promote", run.file.id, *by, may_fail=True)
        outcome: dict[str, object] = {"is_promoted": code == 0}
        if code == 0:
            document = Path("appliance/practice/documentation") / _HELD_OUT
            command = (
                "verify",
                str(document),
                "--policy",
                "model",
                "--out",
                str(self._out / "report"),
            )
            outcome["verify_code"] = self._call("verify", config, *command, may_fail=True)
            outcome["rollback_code"] = self._call("roll back", config, "train", "rollback")
        return outcome

    def _grow(self, live: TrainingRun, dataset: Path) -> Mapping[str, object]:
        """Phases after the first reinforcement; each way to go through them has its own folder."""
        name, data = self._phases.folder.replace("data", "phases"), self._out / self._phases.folder
        settings = phase_settings(self._phases, self._size.live, short=self._size is SHORT)
        config = self._config(name, data_dir=data, phases=settings)
        earlier = next(iter(all_series(data)), None)
        if earlier is None:
            arguments = ("--dataset", str(dataset), "--begin-with", str(live.adapter))
            count = ("--count", str(self._phases.count))
            self._call(name, config, "train", "phases", "run", *arguments, *count)
        elif not earlier.is_over:
            self._call(name, config, "train", "phases", "resume", earlier.file.id)
        (series, *_) = all_series(data)
        return as_table(series, data) | {
            "ablation": self._phases.ablation,
            "estimates_and_truth": truth_of_estimates(series),
            "against": compare_with_others(data, [*self._out.glob("data*")]),
        }

    def _config(
        self,
        name: str,
        *,
        data_dir: Path,
        keeps: bool = False,
        run: TrainingRun | None = None,
        phases: Mapping[str, object] = MappingProxyType({}),
    ) -> Path:
        model = {
            "weights": str(self._weights),
            "takes_images": "no",
            "adapters": {run.file.id: str(run.adapter)} if run else {},
            "server": {
                "command": str(self._venv / "bin" / "vllm"),
                "context_tokens": 2048,
                "max_parallel": 8,
                "adapter_rank": 16,
                "is_eager": True,
                "dtype": _TYPE,
                "environment": {
                    "VLLM_CPU_KVCACHE_SPACE": "1",
                    "VLLM_CPU_OMP_THREADS_BIND": "nobind",
                    "OMP_NUM_THREADS": str(os.cpu_count() or 1),
                    "OMP_WAIT_POLICY": "PASSIVE",
                },
            },
        }
        settings = {
            "data_dir": str(data_dir),
            "console": "practice",
            "consoles": {"practice": {"kind": "practice"}},
            "model": model,
            "agent": {
                "form": "short",
                "answer_tokens": 32,
                "screenshots": False,
                "adapter": run.file.id if run else "",
            },
            # a model of this size judges nothing, and takes minutes for it
            "judges": {"count": 0},
            "claims": {"questions": 0},
            "verification": {"max_actions": 6 if phases and self._size is SHORT else 25},
            "training": {
                "python": str(self._venv / "bin" / "python"),
                "keep_attempts": keeps,
                "phases": dict(phases),
            },
        }
        file = self._out / f"config-{name}.yaml"
        file.write_text(yaml.safe_dump(settings, sort_keys=False), encoding="utf-8")
        return file

    def _call(self, stage: str, config: Path, *words: str, may_fail: bool = False) -> int:
        click.echo(f"==> {stage}", err=True)
        began = time.monotonic()
        command = (sys.executable, "-m", "appliance.cli", "--config", str(config), *words)
        code = subprocess.run(command, stdout=sys.stderr, check=False).returncode
        self._stage_seconds[stage] = round(time.monotonic() - began, 1)
        if code and not may_fail:
            raise SystemExit(f"{stage} ended with exit code {code}; begun again, it goes on there")
        return code


def _tasks() -> tuple[Task, ...]:
    return tuple(task for task in load_suite("practice", ()).tasks if isinstance(task, Task))


def _figures(result: BenchmarkResult) -> Mapping[str, float]:
    return dict(summarise(result).figures)


def _gains(measured: Mapping[str, BenchmarkResult]) -> Iterator[tuple[str, object]]:
    """Each stage against the one before it, task by task."""
    names = list(measured)
    for first, second in pairwise(names):
        comparison = compare(measured[first], measured[second])
        yield (
            f"{first} → {second}",
            json_object(asdict(comparison)) | {"sentence": comparison.sentence},
        )


def _single_steps(run: TrainingRun) -> Mapping[str, object]:
    """Of held-out steps: exactly right actions on the way and by kind, and untruths noted."""
    curve = [line for line in run.curves() if "eval_exact_action" in line]
    answers = [json.loads(line) for line in (run.folder / "answers.jsonl").open(encoding="utf-8")]
    last_answers = [
        answer for answer in answers if answer["step"] == max(other["step"] for other in answers)
    ]
    return {
        "exact": [line["eval_exact_action"] for line in curve],
        "asked": curve[-1]["eval_asked"],
        "by_kind": {
            name.removeprefix("eval_exact_"): share
            for name, share in curve[-1].items()
            if name.startswith("eval_exact_")
        },
        "untrue_noted": _share(last_answers, is_untrue=True),
        "true_called_untrue": _share(last_answers, is_untrue=False),
    }


def _share(answers: Sequence[Mapping[str, object]], *, is_untrue: bool) -> str:
    noted = [bool(answer["is_noted"]) for answer in answers if answer["is_untrue"] is is_untrue]
    return f"{sum(noted)} of {len(noted)}"


def main() -> None:
    """Parse the command line and run the miniature."""
    parser = argparse.ArgumentParser(prog="scripts/miniature")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--phases", type=int, default=0)
    parser.add_argument("--update", choices=UPDATES, default="live")
    parser.add_argument("--ablation", choices=[*ABLATIONS], default="none")
    parser.add_argument("--out", type=Path, default=Path("build/miniature").resolve())
    parser.add_argument("--venv", type=Path, required=True)
    parser.add_argument("--weights", type=Path, required=True)
    arguments = parser.parse_args()
    size = SHORT if arguments.short else FULL
    phases = Phases(count=arguments.phases, update=arguments.update, ablation=arguments.ablation)
    if phases.problem:
        parser.error(phases.problem)
    result = Miniature(arguments.out, arguments.venv, arguments.weights, size, phases).run()
    click.echo(json.dumps(result, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
