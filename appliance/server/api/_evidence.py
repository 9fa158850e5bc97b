"""All that a run rests on, as one zip that is made while it is sent."""

import zipfile
from collections.abc import Iterable, Iterator
from mimetypes import guess_extension

from appliance.core.errors import StoreError
from appliance.core.result import ArtifactRef, RunResult
from appliance.reports import html_report, json_result, read_source
from appliance.store.artifacts import ArtifactStore

MEDIA_TYPE = "application/zip"
_PACKED = ("image/", "video/", "application/zip")
"""What does not get smaller."""
_ENDINGS = {"application/jsonl": ".jsonl", "image/webp": ".webp"}


def evidence_of(run: RunResult, artifacts: ArtifactStore) -> Iterator[bytes]:
    """The bytes of a zip with result, report and every artifact, in pieces.

    What retention has removed is named in `missing.txt`.
    """
    sink = _Sink()
    missing: list[str] = []
    with zipfile.ZipFile(sink, "w") as archive:
        _add(archive, run, "result.json", json_result(run).encode())
        yield sink.take()
        report = html_report(run, read_source, artifacts.get)
        _add(archive, run, "report.html", report.encode("utf-8", "replace"))
        yield sink.take()
        for ref in _artifacts(run):
            name = f"artifacts/{ref.sha256}{_ending(ref)}"
            try:
                data = artifacts.get(ref)
            except StoreError:
                missing.append(name)
                continue
            is_packed = ref.media_type.startswith(_PACKED)
            _add(archive, run, name, data, is_packed=is_packed)
            yield sink.take()
        if missing:
            _add(archive, run, "missing.txt", "".join(f"{name}\n" for name in missing).encode())
    yield sink.take()


def _artifacts(run: RunResult) -> Iterable[ArtifactRef]:
    """Each once, in the order of the report."""
    artifacts: dict[str, ArtifactRef] = {}
    for procedure in run.procedures:
        refs = [procedure.trajectory, procedure.audit]
        for step in procedure.steps:
            refs += [step.before, step.after]
        refs += [piece.artifact for finding in procedure.findings for piece in finding.evidence]
        artifacts.update({ref.sha256: ref for ref in refs if ref is not None})
    return artifacts.values()


def _ending(ref: ArtifactRef) -> str:
    media_type = ref.media_type.partition(";")[0]
    return _ENDINGS.get(media_type) or guess_extension(media_type) or ".bin"


def _add(
    archive: zipfile.ZipFile, run: RunResult, name: str, data: bytes, *, is_packed: bool = False
) -> None:
    entry = zipfile.ZipInfo(name, run.ended_at.timetuple()[:6])
    entry.compress_type = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, data)


class _Sink:
    """A file that cannot be wound back: what is written is taken from it."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes, /) -> int:
        """Take it."""
        self._parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        """What was written can still be taken."""

    def take(self) -> bytes:
        """What was written since the last time."""
        parts, self._parts = self._parts, []
        return b"".join(parts)
