"""What vLLM serves beside OpenAI's protocol: health, adapters, sleep, tokens, metrics."""

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from appliance.inference.messages import text_of
from appliance.inference.scripted._protocol import count, refusal
from appliance.inference.scripted.script import Offer


class HttpReply(NamedTuple):
    """An answer over HTTP."""

    status: int
    body: str


@dataclass(slots=True)
class ServerExtras:
    """The server's state that requests change."""

    offer: Offer
    adapters: dict[str, Path] = field(default_factory=dict)
    sleep_level: int = 0
    """0: awake."""
    running: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    """Invariant: the counts are those of the questions so far."""

    def knows(self, model: str) -> bool:
        """Whether it serves a model or adapter of that name."""
        return model in self.offer.models or model in self.adapters


def answer_get(state: ServerExtras, path: str) -> HttpReply | None:
    """The answer to GET; None: there is no such path."""
    match path:
        case "/health" | "/ping":
            return HttpReply(200, "")
        case "/version":
            return HttpReply(200, json.dumps({"version": "scripted"}))
        case "/v1/models":
            return HttpReply(200, json.dumps({"object": "list", "data": _models(state)}))
        case "/metrics":
            return HttpReply(200, _metrics(state))
        case "/is_sleeping" if state.offer.can_sleep:
            return HttpReply(200, json.dumps({"is_sleeping": state.sleep_level > 0}))
    return None


def answer_post(
    state: ServerExtras, path: str, query: str, sent: Mapping[str, Any]
) -> HttpReply | None:
    """The answer to POST (Any: JSON of whoever asks); None: there is no such path."""
    match path:
        case "/tokenize" if state.offer.has_tokenizer:
            text = sent["prompt"] if "prompt" in sent else text_of(sent["messages"])
            number = count(text)
            token_count = {"count": number, "max_model_len": state.offer.context_tokens}
            return HttpReply(200, json.dumps({**token_count, "tokens": list(range(number))}))
        case "/v1/load_lora_adapter" if state.offer.can_load_adapters:
            return _load(state, sent)
        case "/v1/unload_lora_adapter" if state.offer.can_load_adapters:
            return _unload(state, sent)
        case "/sleep" if state.offer.can_sleep:
            state.sleep_level = int(parse_qs(query).get("level", ["1"])[0])
            return HttpReply(200, "")
        case "/wake_up" if state.offer.can_sleep:
            state.sleep_level = 0
            return HttpReply(200, "")
    return None


def _load(state: ServerExtras, sent: Mapping[str, Any]) -> HttpReply:
    name, path = str(sent.get("lora_name", "")), str(sent.get("lora_path", ""))
    if not name or not path:
        message = "Both 'lora_name' and 'lora_path' must be provided."
        return HttpReply(400, refusal(message, "InvalidUserInput"))
    if name in state.adapters and not sent.get("load_inplace"):
        message = f"The lora adapter '{name}' has already been loaded."
        return HttpReply(400, refusal(message, "InvalidUserInput"))
    if not (Path(path) / "adapter_config.json").is_file():
        message = f"Loading lora {name} failed: No adapter found for {path}"
        return HttpReply(404, refusal(message, "NotFoundError", 404))
    state.adapters[name] = Path(path)
    return HttpReply(200, f"Success: LoRA adapter '{name}' added successfully.")


def _unload(state: ServerExtras, sent: Mapping[str, Any]) -> HttpReply:
    name = str(sent.get("lora_name", ""))
    if name not in state.adapters:
        message = f"The lora adapter '{name}' cannot be found."
        return HttpReply(404, refusal(message, "NotFoundError", 404))
    del state.adapters[name]
    return HttpReply(200, f"Success: LoRA adapter '{name}' removed successfully.")


def _models(state: ServerExtras) -> list[Mapping[str, Any]]:  # Any: OpenAI's own shape
    plain = {"object": "model", "created": 0, "owned_by": "vllm"}
    length, names = state.offer.context_tokens, state.offer.models
    models: list[Mapping[str, Any]] = [  # Any: the same
        {"id": name, **plain, "max_model_len": length, "parent": None} for name in names
    ]
    for name, path in state.adapters.items():
        own = {"id": name, "root": str(path), "max_model_len": None, "parent": names[0]}
        models.append({**plain, **own})
    return models


def _metrics(state: ServerExtras) -> str:
    label = f'{{model_name="{state.offer.models[0] if state.offer.models else ""}"}}'
    values = {
        "vllm:num_requests_running": state.running,
        "vllm:num_requests_waiting": 0,
        "vllm:prompt_tokens_total": state.tokens_in,
        "vllm:generation_tokens_total": state.tokens_out,
    }
    return "".join(f"{name}{label} {float(value)}\n" for name, value in values.items())
