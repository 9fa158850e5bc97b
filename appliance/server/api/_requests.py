"""From what a request says to what the engine is asked."""

from collections.abc import Iterable
from pathlib import Path, PurePath

from pydantic import TypeAdapter, ValidationError

from appliance.core.errors import SetupError
from appliance.engine.fetching import Fetcher
from appliance.engine.request import InlineDocument, RunKind, RunRequest
from appliance.server.api.shapes.requests import (
    GivenAddress,
    GivenPath,
    GivenText,
    SweepAsked,
    Upload,
    Values,
    VerificationAsked,
)
from appliance.server.parts import Service


async def verification_of(service: Service, body: VerificationAsked, by: str) -> RunRequest:
    """What is to be verified; what is asked for by its address is fetched.

    Args:
        service: With the hosts that may be asked.
        body: What the request says.
        by: Who asks.

    Raises:
        DocumentError: An address may not be fetched, does not answer, or has no document.
    """
    settings = service.settings
    fetcher = Fetcher(
        hosts=settings.documentation.url_hosts,
        own_url=settings.server.public_url,
        network=settings.outward,
    )
    paths, inline = [], []
    for document in body.documents:
        match document:
            case GivenText():
                inline.append(InlineDocument(document.name, document.text.encode()))
            case GivenPath():
                paths.append(Path(document.path))
            case GivenAddress():
                fetched = await fetcher.fetch(document.url)
                inline.append(InlineDocument(fetched.name, fetched.content))
    return RunRequest(
        kind=RunKind.VERIFICATION,
        console=body.console,
        documents=tuple(paths),
        inline=_told_apart(inline),
        patterns=body.procedures,
        values=body.values,
        policy=body.policy,
        tries_patches=body.try_patches,
        requested_by=by,
    )


async def upload_of(upload: Upload, by: str) -> RunRequest:
    """What came as files.

    Raises:
        SetupError: The values are no JSON object of texts.
    """
    files = [InlineDocument(file.filename, await file.read()) for file in upload.files]
    return RunRequest(
        kind=RunKind.VERIFICATION,
        console=upload.console,
        inline=_told_apart(files),
        patterns=upload.procedures,
        values=_values(upload.values),
        policy=upload.policy,
        tries_patches=upload.try_patches,
        requested_by=by,
    )


def sweep_of(body: SweepAsked, by: str = "") -> RunRequest:
    """What a sweep is about."""
    return RunRequest(
        kind=RunKind.SWEEP,
        console=body.console,
        documents=tuple(map(Path, body.documents)),
        patterns=body.procedures,
        values=body.values,
        policy=body.policy,
        tries_patches=body.try_patches,
        requested_by=by,
    )


def _values(text: str) -> dict[str, str]:
    try:
        return TypeAdapter(Values).validate_json(text)
    except ValidationError as error:
        why = error.errors(include_url=False)[0]["msg"]
        raise SetupError(f"`values` is no JSON object of texts by name: {why}") from error


def _told_apart(documents: Iterable[InlineDocument]) -> tuple[InlineDocument, ...]:
    """With names that differ, also where capitals do not count: the second `a.md` is `a-2.md`."""
    used_names: set[str] = set()
    renamed = []
    for document in documents:
        path, number = PurePath(document.name), 1
        name = document.name
        while name.casefold() in used_names:
            number += 1
            name = path.with_stem(f"{path.stem}-{number}").as_posix()
        used_names.add(name.casefold())
        renamed.append(InlineDocument(name, document.content))
    return tuple(renamed)
