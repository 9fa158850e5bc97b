"""From what a request says to what the engine is asked."""

from collections.abc import Iterable
from pathlib import Path, PurePath

from appliance.documents.fetching import Fetcher
from appliance.server.api.shapes.asked import AskedDocument, SweepAsked, VerificationAsked
from appliance.server.api.shapes.uploads import Upload
from appliance.server.parts import Service
from appliance.serving import InlineDocument, SweepAsk, VerificationAsk


async def verification_of(service: Service, asked: VerificationAsked) -> VerificationAsk:
    """What is to be verified; what is asked for by its address is fetched.

    Raises:
        DocumentError: An address may not be fetched, does not answer, or has no document.
    """
    fetcher = Fetcher(hosts=service.settings.documentation.url_hosts)
    inline = [await _inline(document, fetcher) for document in asked.documents if not document.path]
    return VerificationAsk(
        console=asked.console,
        documents=tuple(Path(one.path) for one in asked.documents if one.path),
        inline=_told_apart(inline),
        patterns=asked.procedures,
        values=asked.values,
        policy=asked.policy,
    )


async def upload_of(upload: Upload) -> VerificationAsk:
    """What came as files."""
    files = [InlineDocument(one.filename, await one.read()) for one in upload.files]
    return VerificationAsk(
        console=upload.console,
        inline=_told_apart(files),
        patterns=upload.procedures,
        values=upload.values,
        policy=upload.policy,
    )


def sweep_of(asked: SweepAsked) -> SweepAsk:
    """What a sweep is about."""
    return SweepAsk(
        console=asked.console,
        paths=tuple(map(Path, asked.documents)),
        patterns=asked.procedures,
        values=asked.values,
        policy=asked.policy,
    )


async def _inline(document: AskedDocument, fetcher: Fetcher) -> InlineDocument:
    if document.url is not None:
        fetched = await fetcher.fetch(document.url)
        return InlineDocument(fetched.name, fetched.content)
    return InlineDocument(document.name or "", (document.text or "").encode())


def _told_apart(documents: Iterable[InlineDocument]) -> tuple[InlineDocument, ...]:
    """With names that differ, also where capitals do not count: the second `a.md` is `a-2.md`."""
    taken: set[str] = set()
    named = []
    for document in documents:
        path, number = PurePath(document.name), 1
        name = document.name
        while name.casefold() in taken:
            number += 1
            name = f"{path.stem}-{number}{path.suffix}"
        taken.add(name.casefold())
        named.append(InlineDocument(name, document.content))
    return tuple(named)
