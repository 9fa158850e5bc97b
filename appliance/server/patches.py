"""The suggested texts of findings as a patch, for pages and REST."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from appliance.core.result import Finding
from appliance.reports import edits_of, patch_of
from appliance.server.sources import Sources
from appliance.store.incident import Incident, IncidentState
from appliance.verification import DocumentEdits

MOST = 100_000
"""Findings in one patch: more than anybody has, and less than what memory has no room for."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A patch, and what it is made of."""

    text: str
    """For `git apply`; empty: there is nothing to change."""
    plan: tuple[DocumentEdits, ...]

    @property
    def edits(self) -> int:
        """How many suggestions are in it."""
        return sum(len(one.edits) for one in self.plan)


def make_patch(pairs: Iterable[tuple[Incident, Finding]], sources: Sources, about: str) -> Patch:
    """The patch of some findings. Reads the documents: `asyncio.to_thread`.

    What a person has confirmed is sure: the appliance's own confidence counts no more.

    Args:
        pairs: As `IncidentTables.findings` gives them.
        sources: The documents as they are now.
        about: Where the suggestions come from (`from findings on practice`): stands in the patch.
    """
    findings = [
        replace(finding, confidence=1.0, is_sure=True)
        if incident.state is IncidentState.CONFIRMED
        else finding
        for incident, finding in pairs
    ]
    plan = edits_of(findings, sources.read)
    return Patch(patch_of(plan, about, sources.name_in_patch), plan)
