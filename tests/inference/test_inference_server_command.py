"""Every flag and value that can come out is one that vLLM's own parser takes."""

import itertools
import json
from collections.abc import Iterator

import pytest

from appliance.config import ModelSettings, PolicyServerSettings
from appliance.core.errors import SetupError
from appliance.inference.server import command_of, served_name, unknown_flags
from appliance.inference.server.command import environment_of, known_flags, rank_of


def settings(program, weights, **changes):
    server = PolicyServerSettings.model_validate({"command": program, **changes})
    return ModelSettings(weights=weights(), server=server)


def as_said(arguments) -> Iterator[tuple[str, list[str]]]:
    """Flags with the values that follow them."""
    flag, values = arguments[0], []
    for word in arguments[1:]:
        if word.startswith("--"):
            yield flag, values
            flag, values = word, []
        else:
            values.append(word)
    yield flag, values


def test_every_flag_is_known_to_the_pinned_parser_and_has_values_that_it_takes(
    program, weights, adapter
):
    choices = {
        "quantization": ["", "fp8", "awq", "bitsandbytes"],
        "dtype": ["auto", "bfloat16"],
        "max_adapters": [0, 2],
        "adapter_rank": [1, 20, 64, 512],
        "is_eager": [True, False],
        "can_sleep": [True, False],
        "pipeline_parallel": [1, 2],
    }
    seen = set()
    folder = adapter("one")
    for values in itertools.product(*choices.values()):
        chosen = settings(program, weights, **dict(zip(choices, values, strict=True)))
        for gpus, images in itertools.product((0, 4), (True, False)):
            adapters = {"one": folder, "two": folder} if chosen.server.max_adapters else {}
            command = command_of(
                chosen, port=8000, adapters=adapters, gpu_count=gpus, takes_images=images
            )
            assert command[:3] == (str(program), "serve", str(chosen.weights))
            for flag, given in as_said(command[3:]):
                seen.add(flag)
                known = known_flags()["flags"][flag]
                assert_takes(flag, known, given)
    assert {"--quantization", "--enable-sleep-mode", "--lora-modules", "--enforce-eager"} <= seen
    assert {"--pipeline-parallel-size", "--distributed-executor-backend"} <= seen
    assert {"--tensor-parallel-size", "--limit-mm-per-prompt", "--enable-prefix-caching"} <= seen


def assert_takes(flag, known, given):
    match known["values"]:
        case 0:
            assert given == [], flag
        case 1:
            assert len(given) == 1, flag
        case more:
            assert more == "+", flag
            assert given, flag
    if known["choices"]:
        assert set(given) <= set(known["choices"]), flag
    for value in given if known["number"] else ():
        float(value)


def test_the_ranks_are_those_of_the_parser():
    named = {int(rank) for rank in known_flags()["flags"]["--max-lora-rank"]["choices"]}
    assert {rank_of(wanted) for wanted in range(1, 600)} == named


def test_nothing_is_fetched_and_nobody_is_told(program, weights):
    environment = environment_of(settings(program, weights))
    assert environment["HF_HUB_OFFLINE"] == "1"
    assert environment["VLLM_NO_USAGE_STATS"] == "1"
    assert environment["DO_NOT_TRACK"] == "1"


def test_it_is_given_no_secret_of_ours(program, weights, monkeypatch):
    monkeypatch.setenv("CLOUD_PASSWORD", "hunter22")
    monkeypatch.setenv("NCCL_DEBUG", "INFO")
    chosen = settings(program, weights, environment={"CUDA_VISIBLE_DEVICES": "1"})
    environment = environment_of(chosen)
    assert "hunter22" not in json.dumps(environment)
    assert environment["NCCL_DEBUG"] == "INFO"
    assert environment["CUDA_VISIBLE_DEVICES"] == "1"


def test_it_listens_on_the_loopback_interface_and_keeps_questions_to_itself(program, weights):
    command = command_of(
        settings(program, weights), port=81, adapters={}, gpu_count=0, takes_images=True
    )
    assert command[command.index("--host") + 1] == "127.0.0.1"
    assert "--no-enable-log-requests" in command
    assert "--no-trust-remote-code" in command


def test_further_flags_come_last_and_unknown_ones_are_named(program, weights):
    flags = ("--max-num-batched-tokens", "4096", "--compilation-config.level=3", "--no-such=1")
    chosen = settings(program, weights, extra_flags=flags)
    command = command_of(chosen, port=81, adapters={}, gpu_count=0, takes_images=True)
    assert command[-len(flags) :] == flags
    assert unknown_flags(flags) == ("--no-such",)


def test_the_model_is_called_like_its_folder(weights):
    assert served_name(ModelSettings(weights=weights())) == "Qwen3-VL-32B"
    assert served_name(ModelSettings(weights=weights(), name="policy")) == "policy"


@pytest.mark.parametrize("command", ["/nowhere/vllm", "."])
def test_a_program_that_is_none_is_said(weights, command):
    chosen = settings(command, weights)
    with pytest.raises(SetupError, match=r"model\.server\.command .* is no program"):
        command_of(chosen, port=81, adapters={}, gpu_count=0, takes_images=True)


def test_without_a_program_it_says_where_it_looked(weights, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    with pytest.raises(SetupError, match="there is no program vllm: install it"):
        command_of(
            ModelSettings(weights=weights()), port=1, adapters={}, gpu_count=0, takes_images=True
        )
