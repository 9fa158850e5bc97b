"""How a console calls things: from a file, the store, or the server that owns it."""

import json
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from appliance.cli._history import LocalRecords, RemoteRecords
from appliance.cli._remote import server_of
from appliance.config import Settings
from appliance.core.errors import SetupError
from appliance.store.labels import ConsoleLabel
from appliance.store.store import FILE_NAME, Store


def labels_of(
    settings: Settings, console: str, release: str | None = None
) -> tuple[ConsoleLabel, ...]:
    """Those that attempts saw; none where there is no store yet."""
    if server := server_of(settings):
        return RemoteRecords(server).labels(console, release)
    if not (settings.data_dir / FILE_NAME).exists():
        return ()
    with Store.open(settings.data_dir) as store:
        return LocalRecords(store).labels(console, release)


def labels_in(file: Path) -> tuple[ConsoleLabel, ...]:
    """Those that `appliance label list --json` printed.

    Raises:
        SetupError: It is no such file.
    """
    try:
        return TypeAdapter(tuple[ConsoleLabel, ...]).validate_python(json.loads(file.read_text()))
    except OSError as error:
        raise SetupError(f"{file}: cannot be read: {error.strerror}") from error
    except (ValueError, ValidationError) as error:
        raise SetupError(
            f"{file}: is not what `appliance label list --json` prints: make it anew"
        ) from error
