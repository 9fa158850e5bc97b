"""What is asked of vLLM beside questions for the model: whether it is well, adapters, sleep."""

import httpx

from appliance.core.errors import ModelError

_SHORT_S = 10.0
"""For answers that need no GPU."""
_LONG_S = 600.0
"""For loading an adapter, and for tens of gigabytes to be moved to main memory and back."""
_QUOTED = 300


class Api:
    """Talks to one server over the loopback interface."""

    def __init__(self, url: str, model: str) -> None:
        self._model = model
        self._http = httpx.AsyncClient(base_url=url, trust_env=False, timeout=_SHORT_S)

    async def close(self) -> None:
        """Close its connections."""
        await self._http.aclose()

    async def is_up(self) -> bool:
        """Whether it says that it has started."""
        try:
            return (await self._http.get("/health")).status_code == httpx.codes.OK
        except httpx.HTTPError:
            return False

    async def complaint(self, timeout_s: float) -> str:
        """Have it complete one token; what is wrong with the answer, or empty."""
        question = {
            "model": self._model,
            "messages": [{"role": "user", "content": "1"}],
            "max_tokens": 1,
            "temperature": 0,
        }
        try:
            answer = await self._http.post("/v1/chat/completions", json=question, timeout=timeout_s)
            if answer.status_code != httpx.codes.OK:
                return _refusal(answer)
            choices = answer.json().get("choices")
        except httpx.TimeoutException:
            return f"no answer to a question of one token within {timeout_s:g} s"
        except httpx.HTTPError as exc:
            return f"{type(exc).__name__}: {exc}"
        except (ValueError, AttributeError):
            choices = None
        return "" if choices else "it answers a question of one token with what is none"

    async def load_adapter(self, name: str, path: str, *, in_place: bool) -> None:
        """Serve an adapter under this name; `ModelError`."""
        body = {"lora_name": name, "lora_path": path, "load_inplace": in_place}
        await self._post(f"load the adapter {name}", "/v1/load_lora_adapter", body)

    async def unload_adapter(self, name: str) -> None:
        """Serve it no longer; `ModelError`."""
        await self._post(
            f"unload the adapter {name}", "/v1/unload_lora_adapter", {"lora_name": name}
        )

    async def sleep(self) -> None:
        """Wait for what is being answered, then give the GPU's memory up; `ModelError`."""
        await self._post("go to sleep", "/sleep?level=1&mode=wait")

    async def wake(self) -> None:
        """Take the memory back; `ModelError`."""
        await self._post("wake up", "/wake_up")

    async def _post(self, doing: str, path: str, body: dict[str, object] | None = None) -> None:
        try:
            answer = await self._http.post(path, json=body, timeout=_LONG_S)
        except httpx.HTTPError as exc:
            raise ModelError(
                f"the policy server could not {doing}: {type(exc).__name__} {exc}"
            ) from exc
        if answer.status_code != httpx.codes.OK:
            raise ModelError(f"the policy server could not {doing}: {_refusal(answer)}")


def _refusal(answer: httpx.Response) -> str:
    try:
        body = answer.json()
        message = body["error"]["message"] if "error" in body else body["message"]
    except (ValueError, KeyError, TypeError):
        message = answer.text
    return f"HTTP {answer.status_code}: {' '.join(str(message).split())[:_QUOTED]}"
