"""The suggested texts as a patch: of one incident, one document, or all that stand."""

import asyncio
from dataclasses import dataclass
from enum import StrEnum

from litestar import Response, get
from litestar.response import Template

from appliance.server.dashboard.frame import PageRequest, console_of, member_named, page
from appliance.server.parts import Service, TheService
from appliance.server.patches import MOST, Patch, make_patch
from appliance.server.problems import Problem
from appliance.server.sources import Sources
from appliance.store.incident import IncidentState


class PatchScope(StrEnum):
    """Which incidents a patch is made of."""

    STANDING = "standing"  # open and confirmed ones
    CONFIRMED = "confirmed"


_STATES = {
    PatchScope.STANDING: (IncidentState.OPEN, IncidentState.CONFIRMED),
    PatchScope.CONFIRMED: (IncidentState.CONFIRMED,),
}


@dataclass(frozen=True, slots=True)
class PatchSelection:
    """Which suggestions a patch is made of."""

    console: str
    scope: PatchScope
    document: str = ""
    """Empty: of all documents."""
    incident: str = ""
    """Empty: of all incidents of the scope."""

    @property
    def query(self) -> dict[str, str]:
        """The selection as query parameters."""
        parameters = {"console": self.console, "scope": self.scope.value}
        parameters |= {"document": self.document, "incident": self.incident}
        return {name: value for name, value in parameters.items() if value}


@get("/findings/patch")
async def show(request: PageRequest, service: TheService) -> Template:
    """The patch, to be read before it is taken."""
    selection = _read_selection(request, service)
    patch = await asyncio.to_thread(_make_patch, service, selection)
    return page(request, service, "patch", at="findings", patch=patch, wanted=selection)


@get("/findings.patch")
async def download(request: PageRequest, service: TheService) -> Response[bytes]:
    """The patch as a file; 404 where there is nothing to change."""
    selection = _read_selection(request, service)
    patch = await asyncio.to_thread(_make_patch, service, selection)
    if not patch.text:
        raise Problem(404, "There is no suggestion to change anything.", title="No patch")
    name = f"finding-{selection.incident}" if selection.incident else "suggestions"
    return Response(
        patch.text.encode("utf-8", "surrogatepass"),
        media_type="text/x-diff",
        headers={
            "Content-Disposition": f'attachment; filename="{name}.patch"',
            "Cache-Control": "no-store",
        },
    )


def _make_patch(service: Service, selection: PatchSelection) -> Patch:
    about = f"from findings on {selection.console}"
    if selection.incident:
        findings = service.store.incidents.findings([selection.incident], limit=MOST)
        about = f"from finding {selection.incident} on {selection.console}"
    else:
        findings = service.store.incidents.findings(
            console=selection.console,
            states=_STATES[selection.scope],
            document=selection.document or None,
            limit=MOST,
        )
    return make_patch(findings, Sources(service), about)


def _read_selection(request: PageRequest, service: Service) -> PatchSelection:
    parameters = request.query_params
    return PatchSelection(
        console=console_of(request, service),
        scope=member_named(PatchScope, parameters.get("scope", "")) or PatchScope.STANDING,
        document=parameters.get("document", ""),
        incident=parameters.get("incident", ""),
    )


HANDLERS = (show, download)
