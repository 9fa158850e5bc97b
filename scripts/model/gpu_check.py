"""`scripts/gpu-check`: measures on a GPU, part by part, and prints one JSON.

Needs torch, transformers and peft; TRL, datasets, bitsandbytes, pydantic and structlog for the
parts that are about them, or about the appliance's own arithmetic.
"""

import argparse
import gc
import importlib
import json
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import partial
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
LAYERS = (4, 12)
LARGE_LAYERS = 64
LONG = 6000
"""Tokens of a question as the agent asks it, with a full page in it."""


class Skipped(Exception):
    """Why a part was not run."""


@dataclass(frozen=True)
class Arguments:
    """The command-line arguments."""

    weights: Path | None
    dataset: Path | None
    device: str


def require_modules(*names: str) -> list[Any]:
    """Modules; `Skipped` where one is not here."""
    modules = []
    for name in names:
        try:
            modules.append(importlib.import_module(name))
        except Exception as exc:  # whatever keeps it from being used is the reason
            raise Skipped(f"{name} cannot be used here: {type(exc).__name__} {exc}") from exc
    return modules


def build_model(arguments: Arguments) -> Any:
    """The miniature's model with an adapter, in bfloat16."""
    torch, transformers, peft = require_modules("torch", "transformers", "peft")
    if arguments.weights:
        model = transformers.AutoModelForCausalLM.from_pretrained(
            arguments.weights, dtype=torch.bfloat16
        )
    else:
        config = transformers.LlamaConfig(**(SMALL if arguments.device == "cuda" else TINY))
        model = transformers.LlamaForCausalLM(config).to(torch.bfloat16)
    matrices = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
    lora = peft.LoraConfig(r=16, lora_alpha=32, target_modules=matrices, task_type="CAUSAL_LM")
    return peft.get_peft_model(model.to(arguments.device), lora)


def measured(device: str, work: Callable[[], object], times: int) -> dict[str, float]:
    """Seconds of one time, after one that is not counted, and the most memory."""
    (torch,) = require_modules("torch")
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


def steps(arguments: Arguments) -> Mapping[str, object]:
    """Training steps on tokens of no meaning: how fast, and whether the loss falls."""
    (torch,) = require_modules("torch")
    model = build_model(arguments)
    rows, length = (16, 512) if arguments.device == "cuda" else (1, 32)
    torch.manual_seed(0)
    ids = torch.randint(0, 1000, (rows, length), device=arguments.device)
    optimiser = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-3)
    losses: list[float] = []

    def step() -> None:
        loss = model(input_ids=ids, labels=ids).loss
        loss.backward()
        optimiser.step()
        optimiser.zero_grad()
        losses.append(float(loss.detach()))

    took = measured(arguments.device, step, 20 if arguments.device == "cuda" else 2)
    return took | {"tokens_per_s": rows * length / took["s"], "losses": [losses[0], losses[-1]]}


def answers(arguments: Arguments) -> Mapping[str, object]:
    """Tokens that are answered in a second, by transformers alone."""
    (torch,) = require_modules("torch")
    model = build_model(arguments).eval()
    rows, length, new_tokens = (32, 300, 24) if arguments.device == "cuda" else (1, 16, 4)
    ids = torch.randint(0, 1000, (rows, length), device=arguments.device)
    generation_options = {
        "max_new_tokens": new_tokens,
        "min_new_tokens": new_tokens,
        "do_sample": True,
        "pad_token_id": 2,
    }
    with torch.no_grad():
        took = measured(arguments.device, lambda: model.generate(ids, **generation_options), 2)
    return took | {"tokens_per_s": rows * new_tokens / took["s"]}


def reinforce_step(arguments: Arguments) -> Mapping[str, object]:
    """One step on two answers to a question: the rewarded one becomes likelier, the other less."""
    (torch,) = require_modules("torch")
    from appliance.training.rewards import advantages

    model = build_model(arguments)
    question, answer_ids = list(range(10, 40)), [[50, 51, 52], [60, 61, 62]]
    (worth,) = advantages([[1.0, 0.0]])
    ids = torch.tensor([[*question, *answer] for answer in answer_ids], device=arguments.device)
    optimiser = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-3)

    def likelihoods() -> Any:
        logprobs = model(ids).logits[:, len(question) - 1 : -1].float().log_softmax(-1)
        return logprobs.gather(-1, ids[:, len(question) :, None]).sum((1, 2))

    before = likelihoods()
    for _ in range(3):
        loss = -(torch.tensor(worth, device=arguments.device) * likelihoods()).mean()
        loss.backward()
        optimiser.step()
        optimiser.zero_grad()
    gained = (likelihoods() - before).tolist()
    return {"rewarded": gained[0], "other": gained[1], "is_right": gained[0] > 0 > gained[1]}


def large_training(arguments: Arguments, method: str) -> Mapping[str, object]:
    """Our fine-tuning with the 32B's shape, against what `train plan` says of it.

    A few layers are trained twice, so many and more; what all of them take is told from these.
    """
    if arguments.device != "cuda":
        raise Skipped("there is no GPU whose memory could be measured")
    torch, transformers, *_ = require_modules(
        "torch", "transformers", "trl", "datasets", "structlog"
    )
    if method == "qlora":
        require_modules("bitsandbytes")
    if arguments.weights is None:
        raise Skipped("--weights names nothing: there is no tokenizer")
    from appliance.inference.server import Gpu, read_weights
    from appliance.training.options import SftOptions
    from appliance.training.plan import training_plan

    options = SftOptions(
        method=method,
        batch=1,
        max_steps=4,
        every=1000,
        examined=1,
        examines_base=False,
        answer_tokens=4,
        patience=0,
    )
    gpu = Gpu(index=0, uuid="", name="", total_bytes=0, free_bytes=0)
    measurements: list[tuple[float, float]] = []
    planned: list[float] = []
    for layers in LAYERS:
        with tempfile.TemporaryDirectory(dir=_memory_folder()) as name:
            base, dataset = Path(name, "base"), Path(name, "dataset")
            config = transformers.Qwen3Config(num_hidden_layers=layers, **LARGE)
            with torch.device(arguments.device):
                model = transformers.Qwen3ForCausalLM(config).to(torch.bfloat16)
            model.save_pretrained(base)
            del model
            transformers.AutoTokenizer.from_pretrained(arguments.weights).save_pretrained(base)
            tokens, answer = _write_dataset(dataset, base)
            _release_memory()
            torch.cuda.reset_peak_memory_stats()
            lines = _run_sft(Path(name), base, dataset, options)
            steps = [line["wall_s"] for line in lines if "loss" in line]
            peak = float(torch.cuda.max_memory_allocated())
            measurements.append((peak, (steps[-1] - steps[0]) / (len(steps) - 1)))
            plan = training_plan(read_weights(base), (gpu,), options, tokens, answer)
            planned.append(float(plan.needed_bytes - plan.library_bytes))
    fewer_layers, more_layers = LAYERS
    extrapolated = [
        low + (high - low) / (more_layers - fewer_layers) * (LARGE_LAYERS - fewer_layers)
        for low, high in (*zip(*measurements, strict=True), planned)
    ]
    return {
        "tokens": LONG,
        "layers": LAYERS,
        "measured_bytes": [measurement[0] for measurement in measurements],
        "planned_bytes": planned,
        "all_layers": {
            "bytes": extrapolated[0],
            "planned_bytes": extrapolated[2],
            "step_s": extrapolated[1],
        },
        "ratio": extrapolated[0] / extrapolated[2],
    }


def _release_memory() -> None:
    (torch,) = require_modules("torch")
    gc.collect()
    torch.cuda.empty_cache()


def _memory_folder() -> str | None:
    """Where files need no disk."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - a fresh folder in it


def _write_dataset(folder: Path, base: Path) -> tuple[int, int]:
    """A dataset of long questions of no meaning; tokens of one with its answer, and of that."""
    arrow, parquet, transformers = require_modules("pyarrow", "pyarrow.parquet", "transformers")
    tokenizer = transformers.AutoTokenizer.from_pretrained(base)
    answer = "click one element " * 60
    question = [{"role": "user", "content": "page " * LONG}]
    row = {"id": "one", "form": "full", "role": "agent", "kind": "click", "is_untrue": False}
    row |= {"messages": json.dumps(question), "answer": answer, "stage": "task", "times": 1}
    folder.mkdir()
    for name, count in (("train", 8), ("held_out", 1)):
        parquet.write_table(arrow.Table.from_pylist([row] * count), folder / f"{name}.parquet")
    conversation = [*question, {"role": "assistant", "content": answer}]
    text = tokenizer.apply_chat_template(conversation, tokenize=False)
    return len(tokenizer(text)["input_ids"]), len(tokenizer(answer)["input_ids"])


def _run_sft(folder: Path, base: Path, dataset: Path, options: Any) -> list[dict[str, float]]:
    """Fine-tune as `appliance train sft` does; the curves."""
    from appliance.training.child import sft

    settings = options.model_dump(mode="json") | {"threads": 0}
    run = {"base": str(base), "dataset": str(dataset), "settings": settings}
    (folder / "run.json").write_text(json.dumps(run))
    with redirect_stdout(sys.stderr):
        sft.main(str(folder))
    return [json.loads(line) for line in (folder / "curves.jsonl").read_text().splitlines()]


def fine_tune(arguments: Arguments) -> Mapping[str, object]:
    """The appliance's own fine-tuning by TRL, on recorded steps of the practice cloud."""
    if arguments.weights is None or arguments.dataset is None:
        raise Skipped("--weights and --dataset name nothing: there is nothing to fine-tune on")
    require_modules("trl", "datasets", "pydantic")
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
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        lines = _run_sft(Path(name), arguments.weights, arguments.dataset, options)
    exact = [line["eval_exact_action"] for line in lines if "eval_exact_action" in line]
    losses = [line["loss"] for line in lines if "loss" in line]
    return {"s": time.monotonic() - began, "exact_action": exact, "losses": [losses[0], losses[-1]]}


PARTS = {
    "training_steps": steps,
    "answers": answers,
    "reinforced": reinforce_step,
    "fine_tuned": fine_tune,
    "large_lora": partial(large_training, method="lora"),
    "large_qlora": partial(large_training, method="qlora"),
}


def main() -> None:
    """Run all parts that can be run."""
    parser = argparse.ArgumentParser(prog="scripts/gpu-check")
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--dataset", type=Path)
    parser.add_argument("--cpu", action="store_true")
    arguments = parser.parse_args()
    figures = check(arguments.weights, arguments.dataset, on_cpu=arguments.cpu)
    sys.stdout.write(json.dumps(figures, indent=1) + "\n")


def check(weights: Path | None, dataset: Path | None, *, on_cpu: bool) -> Mapping[str, object]:
    """All figures, or for each part why there are none."""
    began, figures = time.monotonic(), dict[str, object]()
    try:
        (torch,) = require_modules("torch")
        if not (on_cpu or torch.cuda.is_available()):
            raise Skipped("there is no GPU here that PyTorch can use")
    except Skipped as exc:
        return {"device": None, "skipped": str(exc)}
    sys.path.append(str(ROOT))  # the appliance, behind what is installed here
    device = "cpu" if on_cpu else "cuda"
    arguments = Arguments(weights, dataset, device)
    figures["device"] = "cpu" if on_cpu else torch.cuda.get_device_name()
    figures["versions"] = {"torch": torch.__version__}
    for name, part in PARTS.items():
        if time.monotonic() - began > MOST_S * 0.7:
            figures[name] = {"skipped": "there is no time left for it"}
            continue
        try:
            figures[name] = part(arguments)
        except Skipped as exc:
            figures[name] = {"skipped": str(exc)}
        except Exception as exc:  # noqa: BLE001 - one part that fails says so, and the others go on
            figures[name] = {"failed": f"{type(exc).__name__}: {exc}"}
        if device == "cuda":
            _release_memory()
    figures["took_s"] = time.monotonic() - began
    return figures


if __name__ == "__main__":
    main()
