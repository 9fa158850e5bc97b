"""Makes a tiny Qwen3-VL with random weights, and LoRA adapters for it: nothing is fetched.

usage: make_tiny.py FOLDER    (with the Python of the environment that has vLLM)

FOLDER/weights      the model: it answers nonsense, but reads text and pictures and keeps to schemas
FOLDER/one, two     adapters that change its answers, each in its own way
"""

import json
import os
import sys
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import Qwen2Tokenizer, Qwen3VLConfig, Qwen3VLForConditionalGeneration

SPECIAL = [
    *("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|object_ref_start|>", "<|object_ref_end|>"),
    *("<|vision_start|>", "<|vision_end|>", "<|vision_pad|>", "<|image_pad|>", "<|video_pad|>"),
]
TEMPLATE = """\
{%- for message in messages -%}
<|im_start|>{{ message.role }}
{% if message.content is string %}{{ message.content }}{% else %}{% for part in message.content -%}
{%- if part.type in ("image", "image_url") -%}
<|vision_start|><|image_pad|><|vision_end|>
{%- elif part.type == "text" -%}{{ part.text }}{%- endif -%}
{%- endfor %}{% endif %}<|im_end|>
{% endfor -%}
{%- if add_generation_prompt -%}
<|im_start|>assistant
{% endif -%}
"""
CORPUS = [
    '{"thought": "the page shows a list of disks", "kind": "click", "element": 12}',
    "Click the button Create disk, then type a name and choose a size.",
    "system user assistant complete unachievable request_resource",
    "点击“创建云盘”按钮，输入名称，选择可用区。",
] * 50
RANK = 8
TARGETS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
PICTURES = {"patch_size": 16, "temporal_patch_size": 2, "merge_size": 2}
GREY = {"image_mean": [0.5, 0.5, 0.5], "image_std": [0.5, 0.5, 0.5]}


def make_tokenizer(folder: Path) -> Qwen2Tokenizer:
    """Bytes, and some hundred of their pairs."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=600, initial_alphabet=alphabet, special_tokens=[], show_progress=False
    )
    tokenizer.train_from_iterator(CORPUS, trainer)
    trained_model = json.loads(tokenizer.to_str())["model"]
    pairs = (
        pair if isinstance(pair, list) else pair.split(" ") for pair in trained_model["merges"]
    )
    qwen_tokenizer = Qwen2Tokenizer(
        vocab=trained_model["vocab"],
        merges=[tuple(pair) for pair in pairs],
        unk_token=None,
        bos_token=None,
        eos_token="<|im_end|>",  # noqa: S106 - a token of text
        pad_token="<|endoftext|>",  # noqa: S106 - as above
    )
    qwen_tokenizer.add_special_tokens({"additional_special_tokens": SPECIAL})
    qwen_tokenizer.chat_template = TEMPLATE
    qwen_tokenizer.model_max_length = 32768
    qwen_tokenizer.save_pretrained(folder)
    return qwen_tokenizer


def make_weights(folder: Path) -> Qwen3VLForConditionalGeneration:
    """Half a million numbers, drawn at random."""
    tokenizer = make_tokenizer(folder)
    ids = {word: tokenizer.convert_tokens_to_ids(word) for word in SPECIAL}
    text = {
        "vocab_size": (len(tokenizer) + 63) // 64 * 64,
        "hidden_size": 128,
        "intermediate_size": 256,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "num_key_value_heads": 2,
        "head_dim": 64,
        "max_position_embeddings": 32768,
        "rms_norm_eps": 1e-6,
        "eos_token_id": ids["<|im_end|>"],
        "pad_token_id": ids["<|endoftext|>"],
        "rope_parameters": {
            "rope_type": "default",
            "mrope_section": [12, 10, 10],
            "mrope_interleaved": True,
            "rope_theta": 5e6,
        },
    }
    vision = {
        "depth": 3,
        "hidden_size": 64,
        "intermediate_size": 128,
        "num_heads": 2,
        "out_hidden_size": 128,
        "patch_size": 16,
        "spatial_merge_size": 2,
        "temporal_patch_size": 2,
        "num_position_embeddings": 256,
        "deepstack_visual_indexes": [0, 1],
    }
    config = Qwen3VLConfig(
        text_config=text,
        vision_config=vision,
        tie_word_embeddings=False,
        image_token_id=ids["<|image_pad|>"],
        video_token_id=ids["<|video_pad|>"],
        vision_start_token_id=ids["<|vision_start|>"],
        vision_end_token_id=ids["<|vision_end|>"],
    )
    model = Qwen3VLForConditionalGeneration(config)
    model.generation_config.eos_token_id = ids["<|im_end|>"]
    model.generation_config.pad_token_id = ids["<|endoftext|>"]
    model.save_pretrained(folder)
    image = {
        **PICTURES,
        **GREY,
        "size": {"shortest_edge": 128 * 128, "longest_edge": 512 * 512},
        "image_processor_type": "Qwen2VLImageProcessor",
        "processor_class": "Qwen3VLProcessor",
    }
    video = {
        **PICTURES,
        **GREY,
        "size": {"shortest_edge": 4096, "longest_edge": 25165824},
        "video_processor_type": "Qwen3VLVideoProcessor",
        "processor_class": "Qwen3VLProcessor",
    }
    (folder / "preprocessor_config.json").write_text(json.dumps(image, indent=1))
    (folder / "video_preprocessor_config.json").write_text(json.dumps(video, indent=1))
    return model


def make_adapter(model: Qwen3VLForConditionalGeneration, folder: Path) -> None:
    """Strong enough to be seen in the answers."""
    folder.mkdir(parents=True, exist_ok=True)
    config = {
        "peft_type": "LORA",
        "task_type": "CAUSAL_LM",
        "r": RANK,
        "lora_alpha": 2 * RANK,
        "lora_dropout": 0.0,
        "bias": "none",
        "target_modules": list(TARGETS),
        "base_model_name_or_path": "",
    }
    (folder / "adapter_config.json").write_text(json.dumps(config, indent=1))
    tensors = {}
    for name, module in model.named_modules():
        if "language_model" in name and name.rpartition(".")[2] in TARGETS:
            outputs, inputs = module.weight.shape
            key = f"base_model.model.{name}"
            tensors[f"{key}.lora_A.weight"] = torch.randn(RANK, inputs) / inputs**0.5
            tensors[f"{key}.lora_B.weight"] = torch.randn(outputs, RANK) * 0.5
    save_file(tensors, folder / "adapter_model.safetensors")


def main() -> None:
    """All of it, the same each time."""
    folder = Path(sys.argv[1])
    torch.manual_seed(7)
    model = make_weights(folder / "weights")
    make_adapter(model, folder / "one")
    make_adapter(model, folder / "two")
    size = sum(parameter.numel() for parameter in model.parameters())
    sys.stdout.write(f"{folder}: a Qwen3-VL of {size:,} random numbers, and two adapters\n")


if __name__ == "__main__":
    main()
