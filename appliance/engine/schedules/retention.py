"""What is kept, and for how long: removes the rest, and writes down what it has removed."""

import json
import shutil
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from appliance.config import RetentionSettings
from appliance.core.errors import StoreError
from appliance.core.jsonable import json_object
from appliance.store.backup import Backups
from appliance.store.expiry import Expiry, files_in, remove_file
from appliance.store.store import Store
from appliance.system.files import write_whole

RECEIPTS = "retention.jsonl"
"""In the data folder: one line for each time that something was removed."""
_RECEIPTS_KEPT = 1000
_FRESH = timedelta(days=1)
"""What is younger may belong to something that is under way, whose verdict is not kept yet."""
_INITS_KEPT = timedelta(days=30)
"""What `terraform init` made takes minutes to make again, and disk only."""
_GIB = 1 << 30


@dataclass(frozen=True, slots=True)
class FileTotals:
    """How many, and how large they are together."""

    count: int = 0
    """How many."""
    bytes: int = 0
    """How large."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retained:
    """What was removed, or would be."""

    at: datetime
    """When."""
    is_dry_run: bool
    """Whether it was only said."""
    runs: tuple[str, ...] = ()
    """Ids."""
    artifacts: FileTotals = field(default_factory=FileTotals)
    """Pictures, pages, trajectories."""
    uploads: tuple[str, ...] = ()
    """Documents that came with runs that are gone."""
    reports: tuple[str, ...] = ()
    """Folders."""
    inits: tuple[str, ...] = ()
    """Folders of Terraform."""
    backups: tuple[str, ...] = ()
    """Folders."""
    too_large: int = 0
    """Bytes of artifacts above the limit, all of which are new or shown by open findings."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was past its time."""
        parts = (self.runs, self.uploads, self.reports, self.inits, self.backups)
        return not any(parts) and not self.artifacts.count

    def __str__(self) -> str:
        """In a sentence."""
        parts = {
            "run": len(self.runs),
            "artifact": self.artifacts.count,
            "upload": len(self.uploads),
            "report": len(self.reports),
            "Terraform init": len(self.inits),
            "backup": len(self.backups),
        }
        counts = [f"{n} {what}{'s' if n != 1 else ''}" for what, n in parts.items() if n]
        size = f" ({self.artifacts.bytes / _GIB:.2f} GiB)" if self.artifacts.count else ""
        verb = "would remove" if self.is_dry_run else "removed"
        text = f"{verb} {', '.join(counts)}{size}" if counts else "nothing is past its time"
        if self.too_large:
            text += f"; artifacts stay {self.too_large / _GIB:.2f} GiB above the limit"
        return text


def retain(
    store: Store,
    settings: RetentionSettings,
    now: datetime,
    *,
    busy: Collection[str] = (),
    dry_run: bool = False,
) -> Retained:
    """Remove what is past its time. Blocks.

    The last verdict on a procedure stays, and so does what an open finding points to.

    Args:
        store: The store, with its data folder around it.
        settings: What is kept.
        now: The time.
        busy: Runs that are under way.
        dry_run: Only say what would be removed.

    Raises:
        StoreError: Something cannot be removed.
    """
    data_dir, expiry = store.path.parent, Expiry(store.session)
    before = now - timedelta(days=settings.runs_days)
    expired = expiry.due(before, busy) if dry_run else expiry.forget(before, busy)
    try:
        runs = tuple(expired)
        artifacts, too_large = _clear_artifacts(
            data_dir / "artifacts", expiry, settings, now, dry_run
        )
        retained = Retained(
            at=now,
            is_dry_run=dry_run,
            runs=runs,
            artifacts=artifacts,
            uploads=_clear(_uploads(data_dir, expiry.known_runs() - set(runs), now), dry_run),
            reports=_clear(_reports(data_dir, _oldest(settings, now)), dry_run),
            inits=_clear(() if busy else _inits(data_dir, now), dry_run),
            backups=_prune(Backups(store.session), settings.backups, dry_run),
            too_large=too_large,
        )
        if not dry_run and not retained.is_empty:
            _write_receipt(data_dir / RECEIPTS, retained)
    except OSError as error:
        raise StoreError(
            f"Old files in {data_dir} cannot be removed: {error}. "
            "Correct the rights of the data folder."
        ) from error
    return retained


def _oldest(settings: RetentionSettings, now: datetime) -> datetime:
    """Pictures do not outlive the runs that show them."""
    return now - timedelta(days=min(settings.artifacts_days, settings.runs_days))


def _clear_artifacts(
    folder: Path, expiry: Expiry, settings: RetentionSettings, now: datetime, dry_run: bool
) -> tuple[FileTotals, int]:
    """Those of old runs, then the oldest of the rest until it is small enough.

    The same bytes are one file, however many runs show them: it is as old as the last of these.
    """
    protected = expiry.open_evidence()
    fresh, oldest = (now - _FRESH).timestamp(), _oldest(settings, now).timestamp()
    files = sorted(files_in(folder), key=lambda file: file.put_at)
    excess = sum(file.size for file in files) - int(settings.artifacts_gib * _GIB)
    count = size = 0
    for file in files:
        if file.put_at >= fresh or (file.put_at >= oldest and excess <= 0):
            break
        if file.path.name in protected:
            continue
        if dry_run or remove_file(file):
            count, size, excess = count + 1, size + file.size, excess - file.size
    return FileTotals(count, size), max(excess, 0)


def _uploads(data_dir: Path, known: Collection[str], now: datetime) -> Iterator[Path]:
    for folder in _folders(data_dir / "uploads"):
        if folder.name not in known and _age_of(folder) < (now - _FRESH).timestamp():
            yield folder


def _reports(data_dir: Path, oldest: datetime) -> Iterator[Path]:
    for folder in _folders(data_dir / "reports"):
        if _age_of(folder) < oldest.timestamp():
            yield folder


def _inits(data_dir: Path, now: datetime) -> Iterator[Path]:
    """Those that no workspace has a link into."""
    root = data_dir / "terraform"
    links = (root / "workspaces").glob("*/.terraform/*")
    used = {link.resolve().parents[1] for link in links if link.is_symlink()}
    for folder in _folders(root / "inits"):
        if folder.resolve() not in used and _age_of(folder) < (now - _INITS_KEPT).timestamp():
            yield folder


def _folders(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []


def _age_of(folder: Path) -> float:
    """When something in it was last written, as far as its own folder knows."""
    return max(path.stat().st_mtime for path in (folder, *folder.iterdir()))


def _clear(folders: Iterator[Path] | tuple[()], dry_run: bool) -> tuple[str, ...]:
    chosen = tuple(folders)
    for folder in () if dry_run else chosen:
        shutil.rmtree(folder)
    return tuple(folder.name for folder in chosen)


def _prune(backups: Backups, keep: int, dry_run: bool) -> tuple[str, ...]:
    removed = backups.list()[keep:] if dry_run else backups.prune(keep)
    return tuple(backup.id for backup in removed)


def _write_receipt(file: Path, retained: Retained) -> None:
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    lines = [*lines, json.dumps(json_object(retained))][-_RECEIPTS_KEPT:]
    write_whole(file, "\n".join(lines) + "\n")
