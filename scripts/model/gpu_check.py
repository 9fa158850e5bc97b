"""`scripts/gpu-check`: measures on a GPU, part by part, and prints one JSON.

Needs torch, transformers and peft; TRL and bitsandbytes for the parts that are about them.
"""

import argparse
import importlib
import json
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
MOST_S = 540.0
"""All together."""
SMALL = {
    "vocab_size": 49152,
    "hidden_size": 576,
    "intermediate_size": 1536,
    "num_hidden_layers": 30,
}
SMALL |= {"num_attention_heads": 9, "num_key_value_heads": 3, "tie_word_embeddings": True}
"""SmolLM2-135M."""
TINY = SMALL | {"hidden_size": 72, "intermediate_size": 96, "num_hidden_layers": 2}
"""For a processor: shows that this program works, and nothing else."""
LARGE = {"vocab_size": 151936, "hidden_size": 5120, "intermediate_size": 25600}
LARGE |= {"num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 128}
"""Qwen3-VL-32B's language model, of which a few layers stand for all: they are alike."""
LAYERS = (2, 4)


class Skipped(Exception):
    """Why a part was not run."""


@dataclass(frozen=True)
class Said:
    """What was said on the command line."""

    weights: Path | None
    dataset: Path | None
    device: str


def have(*names: str) -> list[Any]:
    """Modules; `Skipped` where one is not here."""
    found = []
    for name in names:
        try:
            found.append(importlib.import_module(name))
        except Exception as exc:  # whatever keeps it from being used is the reason
            raise Skipped(f"{name} cannot be used here: {type(exc).__name__} {exc}") from exc
    return found


def model_of(said: Said) -> Any:
    """The miniature's model with an adapter, in bfloat16."""
    torch, transformers, peft = have("torch", "transformers", "peft")
    if said.weights:
        model = transformers.AutoModelForCausalLM.from_pretrained(
            said.weights, dtype=torch.bfloat16
        )
    else:
        config = transformers.LlamaConfig(**(SMALL if said.device == "cuda" else TINY))
        model = transformers.LlamaForCausalLM(config).to(torch.bfloat16)
    matrices = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
    lora = peft.LoraConfig(r=16, lora_alpha=32, target_modules=matrices, task_type="CAUSAL_LM")
    return peft.get_peft_model(model.to(said.device), lora)


def measured(device: str, work: Callable[[], object], times: int) -> dict[str, float]:
    """Seconds of one time, after one that is not counted, and the most memory."""
    (torch,) = have("torch")
    work()
    if device == "cuda":
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
    began = time.monotonic()
    for _ in range(times):
        work()
    if device == "cuda":
        torch.cuda.synchronize()
    figures = {"s": (time.monotonic() - began) / times}
    if device == "cuda":
        figures["peak_bytes"] = float(torch.cuda.max_memory_allocated())
    return figures


def steps(said: Said) -> Mapping[str, object]:
    """Training steps on tokens of no meaning: how fast, and whether the loss falls."""
    (torch,) = have("torch")
    model = model_of(said)
    rows, length = (16, 512) if said.device == "cuda" else (1, 32)
    torch.manual_seed(0)
    ids = torch.randint(0, 1000, (rows, length), device=said.device)
    optimiser = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-3)
    losses: list[float] = []

    def step() -> None:
        loss = model(input_ids=ids, labels=ids).loss
        loss.backward()
        optimiser.step()
        optimiser.zero_grad()
        losses.append(float(loss.detach()))

    took = measured(said.device, step, 20 if said.device == "cuda" else 2)
    return took | {"tokens_per_s": rows * length / took["s"], "losses": [losses[0], losses[-1]]}


def answers(said: Said) -> Mapping[str, object]:
    """Tokens that are answered in a second, by transformers alone."""
    (torch,) = have("torch")
    model = model_of(said).eval()
    rows, length, new = (32, 300, 24) if said.device == "cuda" else (1, 16, 4)
    ids = torch.randint(0, 1000, (rows, length), device=said.device)
    more = {"max_new_tokens": new, "min_new_tokens": new, "do_sample": True, "pad_token_id": 2}
    with torch.no_grad():
        took = measured(said.device, lambda: model.generate(ids, **more), 2)
    return took | {"tokens_per_s": rows * new / took["s"]}


def reinforced(said: Said) -> Mapping[str, object]:
    """One step on two answers to a question: the rewarded one becomes likelier, the other less."""
    (torch,) = have("torch")
    sys.path.append(str(ROOT))
    from appliance.training.rewards import advantages

    model = model_of(said)
    question, said_ids = list(range(10, 40)), [[50, 51, 52], [60, 61, 62]]
    (worth,) = advantages([[1.0, 0.0]])
    ids = torch.tensor([[*question, *answer] for answer in said_ids], device=said.device)
    optimiser = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-3)

    def likelihoods() -> Any:
        told = model(ids).logits[:, len(question) - 1 : -1].float().log_softmax(-1)
        return told.gather(-1, ids[:, len(question) :, None]).sum((1, 2))

    before = likelihoods()
    for _ in range(3):
        loss = -(torch.tensor(worth, device=said.device) * likelihoods()).mean()
        loss.backward()
        optimiser.step()
        optimiser.zero_grad()
    gained = (likelihoods() - before).tolist()
    return {"rewarded": gained[0], "other": gained[1], "is_right": gained[0] > 0 > gained[1]}


def in_4_bits(said: Said) -> Mapping[str, object]:
    """What layers of the 32B's shape take in 4 bits, against what `train plan` says of them."""
    torch, transformers, _ = have("torch", "transformers", "bitsandbytes")
    if said.device != "cuda":
        raise Skipped("bitsandbytes allocates on a GPU what is to be measured, and there is none")
    taken = []
    for layers in LAYERS:
        with tempfile.TemporaryDirectory() as folder:
            config = transformers.Qwen3Config(num_hidden_layers=layers, **LARGE)
            transformers.Qwen3ForCausalLM(config).to(torch.bfloat16).save_pretrained(folder)
            torch.cuda.empty_cache()
            before = torch.cuda.memory_allocated()
            packed = transformers.BitsAndBytesConfig(
                load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_use_double_quant=True
            )
            model = transformers.AutoModelForCausalLM.from_pretrained(
                folder, quantization_config=packed, dtype=torch.bfloat16, device_map={"": 0}
            )
            taken.append(torch.cuda.memory_allocated() - before)
            del model
    numbers = 5120 * 128 * (64 + 8 + 8 + 64) + 3 * 5120 * 25600
    planned = numbers * (4 + 8 / 64 + 32 / (64 * 256)) / 8
    a_layer = (taken[1] - taken[0]) / (LAYERS[1] - LAYERS[0])
    return {"a_layer_bytes": a_layer, "planned_bytes": planned, "ratio": a_layer / planned}


def trained(said: Said) -> Mapping[str, object]:
    """The appliance's own fine-tuning by TRL, on recorded steps of the practice cloud."""
    if said.weights is None or said.dataset is None:
        raise Skipped("--weights and --dataset name nothing: there is nothing to fine-tune on")
    have("trl", "datasets", "pydantic", "duckdb")
    sys.path.append(str(ROOT))
    from appliance.training.child import sft
    from appliance.training.options import SftOptions

    options = SftOptions(
        form="short",
        learning_rate=1e-3,
        batch=16,
        max_steps=60,
        every=30,
        examined=60,
        answer_tokens=32,
    )
    with tempfile.TemporaryDirectory() as name:
        run = {"base": str(said.weights), "dataset": str(said.dataset)}
        settings = options.model_dump(mode="json") | {"threads": 0}
        Path(name, "run.json").write_text(json.dumps(run | {"settings": settings}))
        began = time.monotonic()
        with redirect_stdout(sys.stderr):
            sft.main(name)
        lines = [json.loads(line) for line in Path(name, "curves.jsonl").read_text().splitlines()]
    exact = [line["eval_exact_action"] for line in lines if "eval_exact_action" in line]
    losses = [line["loss"] for line in lines if "loss" in line]
    return {"s": time.monotonic() - began, "exact_action": exact, "losses": [losses[0], losses[-1]]}


PARTS = {
    "training_steps": steps,
    "answers": answers,
    "reinforced": reinforced,
    "in_4_bits": in_4_bits,
    "fine_tuned": trained,
}


def main() -> None:
    """Run all parts that can be run."""
    parser = argparse.ArgumentParser(prog="scripts/gpu-check")
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--dataset", type=Path)
    parser.add_argument("--cpu", action="store_true")
    given = parser.parse_args()
    told = check(given.weights, given.dataset, on_cpu=given.cpu)
    sys.stdout.write(json.dumps(told, indent=1) + "\n")


def check(weights: Path | None, dataset: Path | None, *, on_cpu: bool) -> Mapping[str, object]:
    """All figures, or for each part why there are none."""
    began, told = time.monotonic(), dict[str, object]()
    try:
        (torch,) = have("torch")
        if not (on_cpu or torch.cuda.is_available()):
            raise Skipped("there is no GPU here that PyTorch can use")
    except Skipped as exc:
        return {"device": None, "skipped": str(exc)}
    device = "cpu" if on_cpu else "cuda"
    said = Said(weights, dataset, device)
    told["device"] = "cpu" if on_cpu else torch.cuda.get_device_name()
    told["versions"] = {"torch": torch.__version__}
    for name, part in PARTS.items():
        if time.monotonic() - began > MOST_S * 0.7:
            told[name] = {"skipped": "there is no time left for it"}
            continue
        try:
            told[name] = part(said)
        except Skipped as exc:
            told[name] = {"skipped": str(exc)}
        except Exception as exc:  # noqa: BLE001 - one part that fails says so, and the others go on
            told[name] = {"failed": f"{type(exc).__name__}: {exc}"}
        if device == "cuda":
            torch.cuda.empty_cache()
    told["took_s"] = time.monotonic() - began
    return told


if __name__ == "__main__":
    main()
