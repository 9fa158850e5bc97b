"""Files: into a file field, through the chooser that a button opens, or dropped onto a zone."""

import asyncio
import base64
import mimetypes
from pathlib import Path

from appliance.browser._tab import Tab
from appliance.browser.acting.pointer import click
from appliance.browser.acting.target import NotDoneError, Target, VanishedError

CHOOSER_PATIENCE_S = 1.5
DROP_LIMIT = 20_000_000  # bytes that are handed to a page by script


async def upload(tab: Tab, target: Target, text: str) -> None:
    """Give files, one path a line, to whatever takes them."""
    paths = [line.strip() for line in text.splitlines() if line.strip()]
    missing = [path for path in paths if not Path(path).is_file()]
    if missing or not paths:
        raise NotDoneError(f"there is no file {missing[0] if missing else text!r} to upload")
    field = await tab.call(target.handle, "fileInput")
    if field.get("gone"):
        raise VanishedError(target)
    if field["input"] is not None:
        _check_number(target, paths, takes_many=field["many"])
        await tab.set_files(target.within(field["input"], "").handle, paths)
        return
    if not await _upload_by_chooser(tab, target, paths) and not await _upload_by_drop(
        tab, target, paths
    ):
        raise NotDoneError(f"{target} did not open a file chooser, and takes no dropped files")


def _check_number(target: Target, paths: list[str], *, takes_many: bool) -> None:
    if len(paths) > 1 and not takes_many:
        raise NotDoneError(f"{target} takes one file, not {len(paths)}")


async def _upload_by_chooser(tab: Tab, target: Target, paths: list[str]) -> bool:
    chooser_opened = tab.chooser()
    await click(tab, target)
    try:
        chooser = await asyncio.wait_for(chooser_opened, CHOOSER_PATIENCE_S)
    except TimeoutError:
        return False
    _check_number(target, paths, takes_many=chooser.takes_many)
    await tab.fill(chooser, paths)
    return True


async def _upload_by_drop(tab: Tab, target: Target, paths: list[str]) -> bool:
    if sum(Path(path).stat().st_size for path in paths) > DROP_LIMIT:
        raise NotDoneError(f"{target} only takes dropped files, and these are too large for that")
    files = [await asyncio.to_thread(_file_data, Path(path)) for path in paths]
    return bool((await tab.call(target.handle, "dropFiles", files)).get("taken"))


def _file_data(path: Path) -> dict[str, str]:
    return {
        "name": path.name,
        "type": mimetypes.guess_type(path)[0] or "application/octet-stream",
        "data": base64.b64encode(path.read_bytes()).decode(),
    }
