"""The base, its tokenizer, and what of it is trained."""

from collections.abc import Mapping
from typing import Any

import torch
from peft import LoraConfig
from transformers import AutoModelForCausalLM, AutoTokenizer

_MATRICES = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]


def load(
    base: str, settings: Mapping[str, Any], kind: Any = AutoModelForCausalLM, **more: Any
) -> tuple[Any, Any]:
    """The base as it is trained, and its tokenizer."""
    tokenizer = AutoTokenizer.from_pretrained(base, local_files_only=True)
    if settings["method"] == "qlora":
        from transformers import BitsAndBytesConfig

        more["quantization_config"] = BitsAndBytesConfig(
            load_in_4bit=True,
            bnb_4bit_quant_type="nf4",
            bnb_4bit_use_double_quant=True,
            bnb_4bit_compute_dtype=torch.bfloat16,
        )
    model = kind.from_pretrained(
        base, dtype=getattr(torch, settings["dtype"]), local_files_only=True, **more
    )
    return model, tokenizer


def lora(model: Any, settings: Mapping[str, Any], task: str = "CAUSAL_LM") -> LoraConfig | None:
    """Which matrices get an adapter; None: all of the model is trained."""
    if settings["method"] == "full":
        return None
    layers = model.config.get_text_config().num_hidden_layers
    first = layers - max(1, round(layers * settings["upper_layers"]))
    return LoraConfig(
        r=settings["rank"],
        lora_alpha=2 * settings["rank"],
        lora_dropout=0.0,
        target_modules=_MATRICES,
        layers_to_transform=list(range(first, layers)),
        task_type=task,
    )
