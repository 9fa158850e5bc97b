"""A benchmark as an eval log of inspect_ai, so that its viewer and its analyses read it.

https://inspect.aisi.org.uk/eval-logs.html, version 2 of its JSON; a test has inspect_ai read it.
"""

import json
from collections.abc import Callable
from typing import Any

from appliance.benchmark.summary import Summary
from appliance.benchmark.trials import BenchmarkResult, Trial
from appliance.core.result import ArtifactRef

_SCORER = "audit"
Json = dict[str, Any]  # Any: JSON


def inspect_log(
    result: BenchmarkResult, summary: Summary, read: Callable[[ArtifactRef], bytes]
) -> Json:
    """The log: a sample for each trial, its turns as messages.

    Args:
        result: The benchmark.
        summary: Its figures.
        read: Gives the bytes of a trajectory.
    """
    setup = result.setup
    ended = (result.ended_at or result.started_at).isoformat()
    tasks = list(dict.fromkeys(trial.task for trial in result.trials))
    return {
        "version": 2,
        "status": "success" if result.is_over else "cancelled",
        "eval": {
            "eval_id": result.id,
            "run_id": result.id,
            "task_id": setup.suite,
            "task": setup.suite,
            "task_version": setup.suite_version,
            "created": result.started_at.isoformat(),
            "model": setup.model or f"none/{setup.policy}",
            "dataset": {"name": setup.suite, "samples": len(tasks), "sample_ids": tasks},
            "config": {"epochs": setup.runs},
            "revision": {"type": "git", "origin": "", "commit": result.commit},
            "packages": {"console-docs-appliance": result.appliance_version},
            "metadata": {"policy": setup.policy.value, "seed": setup.seed},
        },
        "results": {
            "total_samples": len(setup.tasks) * setup.runs,
            "completed_samples": len(result.trials),
            "scores": [
                {
                    "name": _SCORER,
                    "scorer": _SCORER,
                    "metrics": {
                        "accuracy": {"name": "accuracy", "value": summary.pass_at_1},
                        "std": {"name": "std", "value": summary.deviation},
                    },
                }
            ],
        },
        "stats": {"started_at": result.started_at.isoformat(), "completed_at": ended},
        "samples": [_sample(trial, read) for trial in result.trials],
    }


def _sample(trial: Trial, read: Callable[[ArtifactRef], bytes]) -> Json:
    lines = read(trial.trajectory).decode().splitlines() if trial.trajectory else []
    messages = [{"role": "user", "content": trial.task}]
    for line in lines:
        turn = json.loads(line)
        messages.append({"role": "assistant", "content": _turn_text(turn)})
        if turn["error"] or turn["notices"]:
            problems = " ".join(filter(None, (turn["error"], *map(str, turn["notices"]))))
            messages.append({"role": "user", "content": problems})
    metadata_keys = (
        "release",
        "product",
        "language",
        "level",
        "split",
        "blame",
        "shape",
        "way",
        "said",
    )
    return {
        "id": trial.task,
        "epoch": trial.run,
        "input": trial.task,
        "target": "C",
        "messages": messages,
        "scores": {_SCORER: {"value": "C" if trial.success else "I", "explanation": trial.reason}},
        "metadata": trial.model_dump(mode="json", include=set(metadata_keys)),
        "total_time": trial.cost.wall_s,
    }


def _turn_text(turn: Json) -> str:
    """Thought and action of a turn, and on which page."""
    action = " ".join(str(turn[key]) for key in ("action", "on", "text") if turn[key])
    return f"{turn['thought']}\n{action}\n({turn['title']})".strip()
