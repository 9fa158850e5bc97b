"""What a phase takes on large machines; power analysis; and when a phase is better."""

import json
import struct
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from appliance.benchmark.comparison import Comparison
from appliance.benchmark.statistics import Interval
from appliance.config import ModelSettings, PhaseSettings
from appliance.core.errors import SetupError
from appliance.inference.server import Gpu, read_weights
from appliance.training.phases.decision import judge_phase
from appliance.training.phases.scale import Workload, phase_plan
from appliance.training.promotion import Decision
from appliance.training.update_options import DpoOptions, KlOptions
from scripts.showing.phases import power_of
from tests.training.phase_operations import SMALL, ScriptedOperations, run, series_in

LAUNCH = Path(__file__).parents[2] / "appliance" / "training" / "launch"
GIB = 1 << 30
H100 = tuple(
    Gpu(index=n, uuid="", name="H100", total_bytes=80 * GIB, free_bytes=80 * GIB) for n in range(8)
)


@pytest.fixture
def weights_32b(tmp_path):
    """What a 32B says of itself; of its numbers there are none."""
    config = {
        "num_hidden_layers": 64, "hidden_size": 5120, "intermediate_size": 25600,
        "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 128,
        "vocab_size": 151936, "max_position_embeddings": 40960,
    }  # fmt: skip
    (tmp_path / "config.json").write_text(json.dumps(config))
    size = 2 * 32_000_000_000
    of = {
        "model.layers.0.mlp.w": {
            "dtype": "BF16",
            "shape": [size // 4, 2],
            "data_offsets": [0, size],
        }
    }
    header = json.dumps(of).encode()
    file = tmp_path / "model.safetensors"
    with file.open("wb") as out:
        out.write(struct.pack("<Q", len(header)) + header)
        out.truncate(8 + len(header) + size)  # a hole: it takes no room
    return read_weights(tmp_path)


def test_a_32b_fits_eight_gpus_and_a_cluster_is_quicker(weights_32b):
    settings, model = PhaseSettings(jobs=64), ModelSettings()
    host = phase_plan(weights_32b, H100, settings, Workload(), model)
    assert host.fits
    assert [one.where for one in host.places] == ["all 8 GPUs", "4 GPUs", "4 GPUs"]
    assert host.attempts == 600 * 4 + 6 * 88 + 20 * 160
    cluster = phase_plan(weights_32b, H100, settings, Workload(), model, trainer_node=True)
    assert [one.where for one in cluster.places][-1] == "8 GPUs of the training node"
    assert 0 < cluster.hours < host.hours
    fewer = phase_plan(weights_32b, H100, PhaseSettings(jobs=8), Workload(), model)
    assert fewer.hours > host.hours
    small = tuple(replace(one, total_bytes=16 * GIB, free_bytes=16 * GIB) for one in H100)
    assert not phase_plan(weights_32b, small, settings, Workload(), model).fits
    assert any("does NOT fit" in line for line in
               phase_plan(weights_32b, small, settings, Workload(), model).lines())  # fmt: skip
    with pytest.raises(SetupError, match="needs two GPUs"):
        phase_plan(weights_32b, H100[:1], settings, Workload(), model)


def test_an_update_on_attempts_makes_none_of_its_own_and_trains_on_one_gpu(weights_32b):
    settings, model = PhaseSettings(jobs=64), ModelSettings()
    of = {"begin_with": "adapter", "rollouts": "live", "method": "qlora", "batch": 1}

    def plan(update, settings=settings, **more):
        return phase_plan(weights_32b, H100, settings, Workload(), model, update=update, **more)

    live, kl, dpo = plan(None), plan(KlOptions(**of)), plan(DpoOptions(**of))
    for one in (kl, dpo):
        assert [place.where for place in one.places] == ["all 8 GPUs", "1 GPU"]
        assert one.attempts == 600 * 4 + 6 * 88
        assert one.attempts < live.attempts
        assert one.places[0].hours == live.places[0].hours
        assert "trainer, qlora" in one.places[-1].what
    assert plan(DpoOptions(**of), trainer_node=True).places[-1].where == (
        "1 GPU of the training node"
    )
    # as long as there are turns to learn from, or steps to make
    assert plan(DpoOptions(**of, epochs=2)).places[-1].hours == pytest.approx(
        2 * dpo.places[-1].hours
    )
    assert plan(DpoOptions(**of, max_steps=1)).places[-1].hours < 0.01
    without = plan(KlOptions(**of), PhaseSettings(jobs=64, replay=False))
    assert without.places[-1].hours == pytest.approx(kl.places[-1].hours / 3)
    # one GPU holds a 32B in 16 bits, with no room for a pair beside it
    assert not plan(DpoOptions(**of | {"method": "lora", "batch": 4})).fits
    alone = phase_plan(weights_32b, H100[:1], settings, Workload(), model, update=DpoOptions(**of))
    assert alone.places[0].where == "the GPU that serves"
    with pytest.raises(SetupError, match="needs a GPU"):
        phase_plan(weights_32b, (), settings, Workload(), model, update=DpoOptions(**of))


def test_the_files_for_several_gpus_and_for_a_cluster_agree_with_the_plan():
    cluster = yaml.safe_load((LAUNCH / "ray-cluster.yaml").read_text())
    kinds = cluster["available_node_types"]
    assert cluster["head_node_type"] in kinds
    assert [kinds[name]["resources"].get("GPU", 0) for name in kinds] == [8, 8, 0]
    assert sum(one["max_workers"] for one in kinds.values()) <= cluster["max_workers"]
    browsers = kinds["browsers"]
    assert browsers["resources"]["browsers"] * browsers["max_workers"] >= 64
    assert browsers["resources"]["CPU"] >= browsers["resources"]["browsers"]  # a core for each
    shared = yaml.safe_load((LAUNCH / "fsdp.yaml").read_text())
    assert (shared["distributed_type"], shared["mixed_precision"]) == ("FSDP", "bf16")


def test_how_many_runs_would_show_what_noise_hides():
    before = {f"t{n}": [n % 2 == 0] * 3 for n in range(40)}
    after = {f"t{n}": [n % 2 == 0, n % 3 == 0, True] for n in range(40)}
    loud = power_of(before, after, 0.05)
    assert loud.smallest > 0.05
    assert loud.tasks_needed > 40
    assert "would need" in loud.sentence
    assert power_of(before, after, 0.9).sentence.endswith("enough for 90 points.")
    # where tasks gain alike, more runs of them are enough; where they differ, only more tasks are
    alike = {name: [True, False, True] for name in before}
    coins = power_of(alike, {name: [False, True, True] for name in before}, 0.1)
    assert coins.runs_needed is not None
    assert coins.runs_needed > 3
    far = {f"t{n}": [n % 2 == 1] * 3 for n in range(40)}
    assert power_of(before, far, 0.05).runs_needed is None


def test_a_phase_is_only_better_when_it_finds_more_untruths_at_no_more_false_alarms(tmp_path):
    settings = SMALL.model_copy(update={"count": 1, "tasks": 2, "made": 2})
    operations = ScriptedOperations(tmp_path)
    run(series_in(tmp_path, settings), operations)
    kept = sorted(tmp_path.glob("trials-*"))
    results = [json.loads(file.read_text()) for file in kept]
    held_out = [one for one in results if one["trials"][0]["split"] == "held-out"]
    assert len(held_out) == 2

    def result(found: int, alarms: int):
        from appliance.benchmark.trials import BenchmarkResult

        one = BenchmarkResult.model_validate(held_out[0])
        counts = {"untruths": 5, "found": found, "false findings": alarms}
        return one.model_copy(
            update={"trials": (one.trials[0].model_copy(update={"counts": counts}),)}
        )

    gain = Decision(
        comparison=Comparison(
            first="a", second="b", tasks=9, pass_first=0.1, pass_second=0.5, difference=0.4,
            interval=Interval(0.2, 0.6), only_first=0, only_second=4, p_value=0.1,
        ),
        worse={}, alarms_before=0, alarms_after=0, against=(),
    )  # fmt: skip

    def against(before, after, **changes):
        of = judge_phase(gain, before, after, settings.model_copy(update=changes))
        return of.against, of.is_promoted

    assert against(result(2, 1), result(3, 1)) == ((), True)
    assert against(result(2, 1), result(2, 1)) == (
        ("it finds no more untruths: 2 of 5, as 2",),
        False,
    )
    assert against(result(2, 1), result(3, 2)) == (("false findings rise from 1 to 2",), False)
    assert against(result(2, 1), result(2, 2), drift_aware=False) == ((), True)
    assert against(result(2, 1), result(3, 1), promotes=False) == ((), False)
