"""Files to upload: made when they are needed, with the name that the text or a binding gives."""

import re
from pathlib import Path

from appliance.policy.base import Task

_TEXTS = {".json": "{}\n", ".yaml": "{}\n", ".yml": "{}\n", ".csv": "name,value\na,1\n"}
_PLAIN = "A small file for uploads.\n"


def file_named(task: Task, name: str | None, content: str | None, *, is_bound: bool) -> str:
    """The path of a file of that name; the sample file where no name is given.

    Only a binding may name a file that exists already: what a document says is never a path on this
    machine.
    """
    if not name:
        return task.sample_file
    if is_bound and Path(name).is_absolute() and Path(name).is_file():
        return name
    folder = Path(task.sample_file).parent / f"uploads-{task.unique or 'one'}"
    folder.mkdir(exist_ok=True)
    path = folder / (re.sub(r'[\\/:*?"<>|\0]+', "-", Path(name).name).strip(". ") or "sample.txt")
    path.write_text(_sample(path) if content is None else content, encoding="utf-8")
    return str(path)


def _sample(path: Path) -> str:
    return _TEXTS.get(path.suffix.casefold(), _PLAIN)
