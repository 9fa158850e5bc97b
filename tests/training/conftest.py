"""A training that trains nothing, with what it is begun with; what a tiny model needs for one."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from pydantic import BaseModel

from appliance.config.settings import AgentSettings
from appliance.training.collect import collect, write_collection
from appliance.training.kinds import PromptForm
from appliance.training.runs import Kind, TrainingRun, new_run
from appliance.training.samples import Sampler
from tests.training.training_attempts import NOW, attempt, judged, turns

SHORT = Sampler(forms=(PromptForm.SHORT,), agent=AgentSettings(), context_tokens=8192)


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


@pytest.fixture(scope="session")
def model_python() -> Path:
    program = os.environ.get("POLICY_VLLM")
    if not program:
        pytest.skip("no model's environment: scripts/test-model brings one")
    return Path(program).parent / "python"


@pytest.fixture(scope="session")
def tiny_dataset(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("training") / "dataset"
    made = {"docs/a.md": attempt(), "docs/b.md": attempt(turns()[2:])}
    rows = [judged(document=name, artifact=name) for name in made]
    found = collect(rows, lambda name: made[name].to_json().encode(), SHORT)
    write_collection(found, folder, console="practice", held_out=("b.*",), now=NOW)
    return folder


@pytest.fixture(scope="session")
def tiny_base(tmp_path_factory, model_python, tiny_dataset) -> Path:
    folder = tmp_path_factory.mktemp("training") / "base"
    maker = Path(__file__).with_name("make_tiny_text.py")
    subprocess.run([model_python, maker, folder, tiny_dataset], check=True)
    return folder


@pytest.fixture
def begin_tiny(tmp_path, tiny_base, tiny_dataset):
    def begin(kind: Kind, options: BaseModel, name: str = "") -> TrainingRun:
        return new_run(
            tmp_path / (name or kind),
            kind=kind,
            base=tiny_base,
            dataset=tiny_dataset,
            settings=options,
            threads=1,
            now=NOW,
        )

    return begin
