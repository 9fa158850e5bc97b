"""The screenshot of a finding, as it was kept: secrets are painted over when it is taken."""

from dataclasses import dataclass

from appliance.core.errors import StoreError
from appliance.core.result import ArtifactRef, Finding
from appliance.core.verdict import EvidenceKind
from appliance.store.store import Store

_LARGEST = 4_000_000
"""Bytes: mail servers and chats take as much."""
_ENDINGS = {"image/jpeg": "jpg", "image/webp": "webp", "image/png": "png"}


@dataclass(frozen=True, slots=True)
class Picture:
    """What is sent along."""

    name: str
    media_type: str
    data: bytes
    where: str
    """The sentence that it is about."""


def picture_of(store: Store, incident_id: str) -> Picture | None:
    """The latest one of a finding; None: there is none, or none that can be sent. Blocks."""
    incident = store.incidents.get(incident_id)
    ref = _screenshot(store.changes.finding(incident)) if incident else None
    if incident is None or ref is None:
        return None
    return _picture(store, ref, f"{incident.document}:{incident.line}")


def _screenshot(finding: Finding) -> ArtifactRef | None:
    """What the reader would see at the sentence, else what came of it."""
    kept = {piece.kind: piece.artifact for piece in finding.evidence if piece.artifact}
    return kept.get(EvidenceKind.BEFORE) or kept.get(EvidenceKind.AFTER)


def _picture(store: Store, ref: ArtifactRef, where: str) -> Picture | None:
    ending = _ENDINGS.get(ref.media_type)
    if ending is None or ref.size > _LARGEST:
        return None
    try:
        return Picture(f"console.{ending}", ref.media_type, store.artifacts.get(ref), where)
    except StoreError:
        return None
