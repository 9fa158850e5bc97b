"""The scripted model as a program.

With a scenario: `SCENARIO.yaml [--host HOST] [--port PORT]`. Or with vLLM's command line, for who
starts vLLM: `serve FOLDER [--host HOST] [--port PORT] [--served-model-name NAME…] …`; the scenario
is then `scripted.yaml` in the folder of weights, where there is one, and flags that it does not
know are not looked at.
"""

import argparse
import os
import signal
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from appliance.core.errors import ConfigError
from appliance.inference.scripted.scenario import Scenario, ScenarioFile
from appliance.inference.scripted.script import Offer
from appliance.inference.scripted.server import run

PROGRAM = Path(__file__).resolve()
IN_WEIGHTS = "scripted.yaml"
"""The scenario in a folder of weights."""


def main(arguments: Sequence[str]) -> int:
    """Serve until a signal ends it; the exit code."""
    over = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: over.set())
    is_vllm = arguments[:1] == ["serve"]
    known, _ = _parser().parse_known_args(arguments[1:] if is_vllm else arguments)
    try:
        scenario = _scenario(known.path, is_vllm)
    except ConfigError as exc:
        _say(str(exc))
        return 2
    offer = _like_vllm(scenario.offer, known) if is_vllm else scenario.offer
    return run(scenario, offer, host=known.host, port=known.port, over=over, say=_say)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="scripted", allow_abbrev=False)
    parser.add_argument("path", type=Path)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--served-model-name", nargs="+")
    parser.add_argument("--max-model-len", type=int)
    parser.add_argument("--api-key", default="")
    parser.add_argument("--lora-modules", nargs="+", default=())
    parser.add_argument("--enable-lora", action="store_true")
    parser.add_argument("--enable-sleep-mode", action="store_true")
    return parser


def _scenario(path: Path, is_vllm: bool) -> Scenario:
    if not is_vllm:
        return Scenario.load(path)
    inside = path / IN_WEIGHTS
    if not path.is_dir():
        raise ConfigError(f"there is no folder of weights {path}")
    return Scenario.load(inside) if inside.exists() else Scenario(ScenarioFile())


def _like_vllm(offer: Offer, known: argparse.Namespace) -> Offer:
    """What vLLM would serve with these flags and variables."""
    can_load = os.environ.get("VLLM_ALLOW_RUNTIME_LORA_UPDATING", "").lower() in ("1", "true")
    return replace(
        offer,
        models=tuple(known.served_model_name or (str(known.path),)),
        context_tokens=known.max_model_len or offer.context_tokens,
        adapters={name: Path(path) for name, _, path in _modules(known.lora_modules)},
        key=known.api_key or offer.key,
        can_load_adapters=known.enable_lora and can_load,
        can_sleep=known.enable_sleep_mode and os.environ.get("VLLM_SERVER_DEV_MODE") == "1",
    )


def _modules(given: Sequence[str]) -> list[tuple[str, str, str]]:
    return [each.partition("=") for each in given]


def _say(text: str) -> None:
    sys.stderr.write(f"scripted model: {text}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
