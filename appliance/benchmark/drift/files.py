"""Drift files and their truth, as YAML."""

from pathlib import Path
from typing import Any, NamedTuple

import yaml

from appliance.benchmark.drift.draw import DriftDraw
from appliance.benchmark.truth import Truth
from appliance.system.yaml import Dumper


class DriftFiles(NamedTuple):
    """The two files."""

    drift: Path
    truth: Path


def write_drawn(drawn: DriftDraw, folder: Path) -> DriftFiles:
    """Write `drift-SEED.yaml` and `drift-SEED.truth.yaml`; the same bytes for the same draw."""
    folder.mkdir(parents=True, exist_ok=True)
    drift = folder / f"drift-{drawn.seed}.yaml"
    note = f"Drawn from seed {drawn.seed} over release {drawn.release}."
    changes = [dict(change) for change in drawn.changes]
    drift.write_text(_yaml({"note": note, "changes": changes}), encoding="utf-8")
    truth = folder / f"drift-{drawn.seed}.truth.yaml"
    truth.write_text(_yaml(_truth(drawn)), encoding="utf-8")
    return DriftFiles(drift, truth)


def _truth(drawn: DriftDraw) -> dict[str, Any]:  # Any: JSON
    known = Truth(
        schema_version=1, release=drawn.release, seed=drawn.seed, untruths=drawn.untruths
    ).model_dump(mode="json")
    for one in known["untruths"]:
        one["acceptable_kinds"] = sorted(one["acceptable_kinds"])
    return known


def _yaml(data: dict[str, Any]) -> str:  # Any: JSON
    # a copy without shared parts, which would be written as anchors
    return yaml.dump(_plain(data), Dumper=Dumper, allow_unicode=True, sort_keys=False, width=100)


def _plain(value: Any) -> Any:  # Any: JSON
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, (list, tuple)) else value
