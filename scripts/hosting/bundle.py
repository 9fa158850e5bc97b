"""Everything that a machine without internet needs, in one archive with checksums."""

import hashlib
import json
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import requires
from pathlib import Path
from typing import Any

from python_on_whales import DockerClient
from python_on_whales.exceptions import DockerException

from hosting.problems import Problem
from hosting.unpacking import unpack

MANIFEST = "manifest.json"
_IMAGE = "image.tar"
_BILL = "image.cdx.json"
_HERE = Path(__file__).resolve().parent.parent
_TOOLS = ("appliance", "hosting", "seccomp-chromium.json")


def bundle(
    engine: DockerClient,
    image: str,
    target: Path,
    *,
    models: Sequence[Path],
    providers: Path | None,
    python: str,
    say: Callable[[str], None],
) -> None:
    """Write image, models, provider mirror, this program and a manifest into one archive.

    Args:
        engine: Where the image is.
        image: Its name.
        target: The archive to write; not compressed, since weights and layers hardly get smaller.
        models: Folders of weights.
        providers: A mirror as `terraform providers mirror` writes it.
        python: Version of Python on that machine (`3.12`): python-on-whales is packed for it.
        say: Told what is being done.

    Raises:
        Problem: The image or a folder is not there, or the disk is full.
    """
    for folder_given in (*models, *([providers] if providers else [])):
        if not folder_given.is_dir():
            raise Problem(f"{folder_given} is no folder")
    if not engine.image.exists(image):
        raise Problem(f"There is no image {image} here: build it with `scripts/image build`.")
    draft = target.with_name(target.name + ".draft")
    try:
        with tempfile.TemporaryDirectory(dir=target.absolute().parent) as folder:
            say(f"Saving {image}")
            engine.image.save(image, output=f"{folder}/{_IMAGE}")
            site = Path(folder) / "site"
            _fetch_docker_client(site, python, say)
            parts = list(_parts(image, Path(folder) / _IMAGE, models, providers, site))
            with tarfile.open(draft, "w") as archive:
                files = {}
                for name, path in parts:
                    files[name] = _entry(path)
                manifest = Path(folder) / MANIFEST
                manifest.write_text(_manifest(image, models, files), encoding="utf-8")
                archive.add(manifest, arcname=MANIFEST)  # first: it can be read without the rest
                for name, path in parts:
                    say(f"Packing {name}")
                    archive.add(path, arcname=name)
        draft.rename(target)
    except (OSError, DockerException) as exc:
        draft.unlink(missing_ok=True)
        raise Problem(f"{target} cannot be written: {exc}") from exc


def load(engine: DockerClient, source: Path, into: Path, say: Callable[[str], None]) -> str:
    """Check an archive, load its image, and put the rest into a folder; the image's name.

    Raises:
        Problem: A file of it is missing or not what the manifest says; the image is not loaded.
    """
    try:
        with tarfile.open(source) as archive:
            unpack(archive, into)
        manifest = json.loads((into / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, tarfile.TarError, ValueError) as exc:
        raise Problem(f"{source} is no bundle of the appliance: {exc}") from exc
    for name, entry in manifest["files"].items():
        say(f"Checking {name}")
        path = into / name
        if not path.is_file() or _entry(path) != entry:
            raise Problem(f"{name} of {source} is damaged; get the bundle again")
    say(f"Loading {manifest['image']}")
    try:
        engine.image.load(into / _IMAGE, quiet=True)
    except DockerException as exc:
        raise Problem(f"The engine does not take the image: {exc}") from exc
    (into / _IMAGE).unlink()
    return str(manifest["image"])


def _fetch_docker_client(site: Path, python: str, say: Callable[[str], None]) -> None:
    """What this program needs itself; without it the other machine has to have it."""
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--require-hashes"]
    flags = ["--only-binary=:all:", "--python-version", python, "--target", str(site)]
    requirements = site.with_name("locked.txt")
    requirements.write_text(
        _locked_requirements("python-on-whales", _HERE.parent / "constraints.txt"), "utf-8"
    )
    completed = subprocess.run(
        [*pip, *flags, "-r", requirements],
        capture_output=True,
        text=True,
        check=False,
    )
    if completed.returncode:
        say("python-on-whales could not be fetched: the other machine needs it from elsewhere")


def _locked_requirements(package: str, constraints: Path) -> str:
    """What is locked of a package and all that it needs, every file with its hash."""
    entries = re.split(r"^(?=\w)", constraints.read_text("utf-8"), flags=re.MULTILINE)
    by_name = {entry.partition("==")[0]: entry for entry in entries}
    entries_found, pending = dict[str, str](), [package]
    while pending:
        name = re.sub(r"[-_.]+", "-", pending.pop()).lower()
        if name in by_name and name not in entries_found:
            entries_found[name] = by_name[name]
            requirements = [
                requirement for requirement in requires(name) or () if "extra ==" not in requirement
            ]
            pending += [
                match[1] for match in map(re.compile(r"([\w.-]+)").match, requirements) if match
            ]
    return "".join(entries_found.values())


def _parts(
    image: str, saved: Path, models: Sequence[Path], providers: Path | None, site: Path
) -> Iterator[tuple[str, Path]]:
    """Names in the archive, and files; the bill of materials where the image was built here."""
    yield _IMAGE, saved
    yield from _files_below(_BILL, _HERE.parent / "build" / f"{image.replace(':', '-')}.cdx.json")
    for tool in _TOOLS:
        yield from _files_below(f"scripts/{tool}", _HERE / tool)
    for model in models:
        yield from _files_below(f"models/{model.name}", model)
    if providers:
        yield from _files_below("providers", providers)
    yield from _files_below("scripts/site", site)


def _files_below(name: str, path: Path) -> Iterator[tuple[str, Path]]:
    if path.is_file():
        yield name, path
        return
    for file in sorted(path.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            yield f"{name}/{file.relative_to(path).as_posix()}", file


def _entry(path: Path) -> dict[str, Any]:  # Any: JSON
    with path.open("rb") as file:
        return {
            "sha256": hashlib.file_digest(file, "sha256").hexdigest(),
            "size": path.stat().st_size,
        }


def _manifest(image: str, models: Sequence[Path], files: dict[str, Any]) -> str:  # Any: JSON
    facts = {
        "schema_version": 1,
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "image": image,
        "models": [model.name for model in models],
        "files": files,
    }
    return json.dumps(facts, indent=1)
