"""Turns the GGUF file of SmolLM2-135M-Instruct into a folder of weights, as all else reads it.

    python unpack_small.py FILE.gguf FOLDER

Needs torch, transformers and gguf. The folder is there whole or not at all.
"""

import os
import shutil
import sys
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"

import torch
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoTokenizer,
    GenerationConfig,
    LlamaConfig,
    LlamaForCausalLM,
)
from transformers.utils import logging

FILE_KEYS = ("quantization_config", "_name_or_path", "_model_name_or_path", "architectures")
"""What a configuration says of the packed file, and not of the model."""


def unpack(file: Path, folder: Path) -> None:
    """Write the folder."""
    logging.disable_progress_bar()
    source = {"pretrained_model_name_or_path": str(file.parent), "gguf_file": file.name}
    tokenizer = AutoTokenizer.from_pretrained(**source)
    packed = AutoModelForCausalLM.from_pretrained(**source, dtype=torch.float32)
    config = AutoConfig.from_pretrained(**source).to_dict()
    model_config = LlamaConfig(**{key: config[key] for key in config if key not in FILE_KEYS})
    model = LlamaForCausalLM(model_config).to(torch.float32)
    mismatch = model.load_state_dict(packed.state_dict(), strict=False)
    if mismatch.unexpected_keys or set(mismatch.missing_keys) - {"lm_head.weight"}:
        raise SystemExit(f"{file} holds another model: {mismatch}")
    model = model.to(torch.bfloat16)
    special_tokens = {"bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 2}
    model.generation_config = GenerationConfig(**special_tokens)
    draft = folder.with_name(f".{folder.name}.draft")
    shutil.rmtree(draft, ignore_errors=True)
    model.save_pretrained(draft)
    tokenizer.save_pretrained(draft)
    shutil.rmtree(folder, ignore_errors=True)
    draft.rename(folder)


if __name__ == "__main__":
    unpack(Path(sys.argv[1]), Path(sys.argv[2]))
