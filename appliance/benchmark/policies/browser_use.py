"""An agent that is not ours, by the same tasks: browser-use, with the same model and the same text.

It runs in a Python of its own (`--agent-python`), where it opens a browser of its own that is
logged in already, and clicks until it says that it is done. One turn of ours is all of its turns.
"""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from pydantic import BaseModel

from appliance.browser import find_executable
from appliance.config import ConsoleSettings, ModelSettings, Settings
from appliance.consoles import password_of
from appliance.core.actions import Complete, Unachievable
from appliance.core.blocking import in_thread
from appliance.core.errors import PolicyError, SetupError
from appliance.core.jsonable import Json
from appliance.core.page import Observation, Performed
from appliance.core.verdict import PolicyName
from appliance.inference.endpoint import key_of
from appliance.policy.base import Decision, Spent, Task
from appliance.policy.model import task_text
from appliance.system.child_environment import Child, child_environment
from appliance.system.processes import GuardedProcess

_PROGRAM = Path(__file__).with_name("browser_use_child.py")
_CHECK_PACKAGE = "import importlib.util as u; raise SystemExit(u.find_spec('browser_use') is None)"
_KILL_S = 5.0
_MAX_OUTPUT_CHARS = 300
"""Characters of what it says last that are repeated where it fails."""
_NO_TELEMETRY = {
    "ANONYMIZED_TELEMETRY": "false",
    "BROWSER_USE_CLOUD_SYNC": "false",
    "BROWSER_USE_VERSION_CHECK": "false",
    "SKIP_LLM_API_KEY_VERIFICATION": "true",
}
"""It would tell its makers, and ask them."""


class _Answer(BaseModel):
    """As `browser_use_child.py` writes it."""

    calls: int
    model_s: float
    tokens_in: int
    tokens_out: int
    is_done: bool
    said: str


def check_agent(python: Path | None, model: ModelSettings) -> Path:
    """The Python that has browser-use.

    Raises:
        SetupError: It has not, or there is no model to ask.
    """
    if python is None:
        raise SetupError("policy browser-use needs --agent-python: one that has the package")
    if not (model.endpoint and model.name):
        raise SetupError("policy browser-use needs model.endpoint and model.name")
    command = [str(python.absolute()), "-I", "-c", _CHECK_PACKAGE]
    try:
        completed = subprocess.run(
            command, check=False, timeout=_KILL_S, env=child_environment(Child.TOOL)
        )
    except (OSError, subprocess.TimeoutExpired) as exc:
        raise SetupError(f"--agent-python: {python} does not run: {exc}") from exc
    if completed.returncode:
        raise SetupError(f"--agent-python: {python} has no browser-use; `pip install browser-use`")
    return python.absolute()


class BrowserUse:
    """Has browser-use carry out a task."""

    name = PolicyName.BASELINE

    def __init__(
        self, python: Path, settings: Settings, task: Task, console: ConsoleSettings
    ) -> None:
        self.spent = Spent()
        self._python, self._settings = python, settings
        self._task, self._console = task, console

    async def choose(self, view: Observation, last: Performed | None) -> Decision:
        """All of it at once."""
        answer = await _run(self._python, await self._request())
        self.spent = Spent(
            model_s=answer.model_s,
            calls=answer.calls,
            tokens_in=answer.tokens_in,
            tokens_out=answer.tokens_out,
        )
        action = Complete(answer.said) if answer.is_done else Unachievable(answer.said)
        return Decision(action=action, step=self._task.procedure.steps[-1].index, spent=self.spent)

    async def _request(self) -> dict[str, Json]:
        model, agent = self._settings.model, self._settings.agent
        executable = find_executable(self._settings.browser, Path())
        return {
            "task": task_text(self._task),
            "url": f"{self._console.url.rstrip('/')}/console",
            "cookies": await self._session_cookies(),
            "language": self._task.procedure.language,
            "endpoint": model.endpoint,
            "model": model.name,
            "api_key": key_of(model),
            "pictures": agent.screenshots,
            "executable": str(executable) if executable else None,
            "steps": self._settings.verification.max_actions,
            "seconds": agent.max_seconds,
        }

    async def _session_cookies(self) -> Json:
        """Cookies of a session: logging in is no part of a task."""
        name, account = next(
            (name, account_)
            for name, account_ in self._console.accounts.items()
            if account_.username == self._task.username
        )
        form = {"username": account.username, "password": password_of(name, account)}
        url = self._console.url
        async with httpx.AsyncClient(base_url=url, trust_env=False) as client:
            await client.post("/login", data=form)
            cookies: dict[str, str] = dict(client.cookies)
        host = urlsplit(url).hostname or ""
        return [{"name": n, "value": v, "domain": host, "path": "/"} for n, v in cookies.items()]


@dataclass
class _AgentProcess(GuardedProcess):
    """What it says, kept until it fails."""

    def __post_init__(self) -> None:
        super().__init__()
        self.said = b""

    def receive(self, fd: int, data: bytes) -> None:
        self.said = (self.said + data)[-4 * _MAX_OUTPUT_CHARS :]


async def _run(python: Path, request: Mapping[str, Json]) -> _Answer:
    folder = await in_thread(_write_request, request)
    try:
        process = _AgentProcess()
        command = [str(python), "-I", str(_PROGRAM), str(folder)]
        environment = _NO_TELEMETRY | {
            "HOME": str(folder),
            "TMPDIR": str(folder),
            "BROWSER_USE_CONFIG_DIR": str(folder / "config"),
        }
        await process.begin(
            command, child_environment(Child.TOOL, environment), folder=folder, mixes_errors=True
        )
        try:
            await process.exited.wait()
        finally:
            await process.kill(_KILL_S)
        answer = folder / "answer.json"
        if not answer.is_file():
            last_output = process.said.decode(errors="replace").strip()[-_MAX_OUTPUT_CHARS:]
            raise PolicyError(f"browser-use ended with {process.returncode}: {last_output}")
        return _Answer.model_validate_json(answer.read_bytes())
    finally:
        await in_thread(shutil.rmtree, folder, ignore_errors=True)


def _write_request(request: Mapping[str, Json]) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="appliance-browser-use-"))
    (folder / "request.json").write_text(json.dumps(request), encoding="utf-8")
    return folder
