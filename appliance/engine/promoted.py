"""The adapter that was promoted last: which one it is, and that attempts are asked of it.

A run that begins asks the file: so a promotion or rollback reaches a server that runs already, and
a run that is under way goes on as it began. What was promoted before is kept, and stays loaded.
"""

import asyncio
import hashlib
from pathlib import Path
from typing import Any, Literal

import structlog
from pydantic import BaseModel, ConfigDict, ValidationError

from appliance.config import Settings
from appliance.core.errors import ModelError, SetupError
from appliance.engine.models import Model
from appliance.inference.server import check_adapter
from appliance.system.files import write_whole

FILE = Path("training", "promoted.json")
"""In the data folder."""
_log = structlog.get_logger()


class PromotedAdapter(BaseModel):
    """One adapter that proved to be better than what was served before it."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    name: str
    """Under which it is served."""
    folder: Path
    base_digest: str
    """Of the weights that it was trained on."""
    promoted_at: str
    promoted_by: str
    decision: dict[str, Any]  # Any: figures, for people
    """Why."""


class Promotions(BaseModel):
    """All of them, and which is served."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    schema_version: Literal[1] = 1
    history: tuple[PromotedAdapter, ...] = ()
    """Oldest first; those that were rolled back are left in it."""
    serving: tuple[str, ...] = ()
    """Names, of which the last is served, and those before it come back by rollbacks; empty: the
    model itself."""

    @property
    def current(self) -> PromotedAdapter | None:
        """The one that is served; None: the model itself, or what the settings say."""
        name = self.serving[-1] if self.serving else None
        return next(
            (promotion for promotion in reversed(self.history) if promotion.name == name), None
        )

    def write(self, data_dir: Path) -> None:
        """Keep it, so that it outlives a power cut."""
        file = data_dir / FILE
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, self.model_dump_json(indent=1), is_durable=True)


def read_promotions(data_dir: Path) -> Promotions:
    """What was promoted; `SetupError` where the file is damaged."""
    try:
        return Promotions.model_validate_json((data_dir / FILE).read_bytes())
    except FileNotFoundError:
        return Promotions()
    except (OSError, ValidationError) as exc:
        raise SetupError(f"{data_dir / FILE} cannot be read: {exc}") from exc


def base_digest(folder: Path) -> str:
    """Of a model's configuration and the sizes of its files; `SetupError` where it has none."""
    config = folder / "config.json"
    if not config.is_file():
        raise SetupError(f"{folder} is no folder of weights: it has no config.json")
    digest = hashlib.sha256(config.read_bytes())
    for file in sorted(folder.glob("*.safetensors")):
        digest.update(f"{file.name} {file.stat().st_size}".encode())
    return digest.hexdigest()


async def serve_promoted(model: Model, settings: Settings) -> Settings:
    """The settings of a run: the agent asks the promoted adapter, where that is served.

    What the settings name themselves wins. A server that is only just starting has what was
    promoted before its start.
    """
    server = model.server
    if settings.agent.adapter or server is None:
        return settings
    current = await asyncio.to_thread(_fitting, settings)
    if current is None:
        return settings
    if current.name not in server.adapters:
        try:
            await server.load_adapter(current.name, current.folder)
        except (SetupError, ModelError) as exc:
            _log.warning("promoted_adapter_not_served", adapter=current.name, reason=str(exc))
            return settings
    agent = settings.agent.model_copy(update={"adapter": current.name})
    return settings.model_copy(update={"agent": agent})


def with_promoted(settings: Settings) -> Settings:
    """The settings of a server that starts: it loads what is promoted now."""
    current = _fitting(settings)
    if current is None:
        return settings
    adapters = {**settings.model.adapters, current.name: current.folder}
    changed = settings.model.model_copy(update={"adapters": adapters})
    return settings.model_copy(update={"model": changed})


def _fitting(settings: Settings) -> PromotedAdapter | None:
    """What is promoted, where it can be served beside these weights."""
    weights = settings.model.weights
    try:
        current = read_promotions(settings.data_dir).current
        if current is None or weights is None:
            return None
        if base_digest(weights) != current.base_digest:
            raise SetupError(f"it was trained on other weights than {weights}")
        check_adapter(current.name, current.folder, settings.model.server.adapter_rank)
    except SetupError as exc:
        _log.warning("promoted_adapter_not_served", reason=str(exc))
        return None
    return current
