"""A training that trains nothing, with what it is begun with."""

import json

import pytest
from pydantic import BaseModel

from appliance.training.runs import TrainingRun, new_run
from tests.training.training_attempts import NOW


class Rehearsed(BaseModel):
    max_steps: int = 3
    step_s: float = 0.0
    fails_at: int = 0
    gpus: int = 1
    shared_by: str = "ddp"


@pytest.fixture
def dataset(tmp_path):
    folder = tmp_path / "dataset"
    folder.mkdir()
    counts = {"form": {"short": 3}, "role": {"agent": 3}}
    facts = {"files": {"train.parquet": "ab"}, "samples": {"train.parquet": counts}}
    (folder / "dataset.json").write_text(json.dumps(facts))
    return folder


@pytest.fixture
def base(tmp_path):
    folder = tmp_path / "base"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    return folder


@pytest.fixture
def begin(tmp_path, base, dataset):
    def begin(**settings: object) -> TrainingRun:
        return new_run(
            tmp_path,
            kind="rehearsal",
            base=base,
            dataset=dataset,
            settings=Rehearsed(**settings),
            threads=1,
            now=NOW,
        )

    return begin
