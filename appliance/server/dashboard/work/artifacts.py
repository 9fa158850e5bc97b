"""Screenshots and other evidence, each under the hash of its bytes."""

import asyncio

from litestar import Response, get
from litestar.params import FromPath

from appliance.core.errors import StoreError
from appliance.core.result import ArtifactRef
from appliance.server.parts import TheService
from appliance.server.problems import Problem

_PICTURES = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
}
_HEADERS = {
    # The name is the hash of the content, which is checked at each read: it never changes.
    "Cache-Control": "private, max-age=31536000, immutable",
    # What a console showed is not ours: it is looked at, and nothing in it runs.
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Content-Disposition": "inline",
}


@get("/artifacts/{sha256:str}")
async def artifact(service: TheService, sha256: FromPath[str]) -> Response[bytes]:
    """A picture as a picture, anything else as plain text; 404 when it is gone."""
    try:
        ref = ArtifactRef(sha256, "", 0)
        data = await asyncio.to_thread(service.store.artifacts.get, ref)
    except StoreError as error:
        raise Problem(404, "This is not kept (any more).", title="Not kept") from error
    headers = _HEADERS | {"ETag": f'"{sha256}"'}
    return Response(data, media_type=media_type(data), headers=headers)


def media_type(data: bytes) -> str:
    """Told from the bytes: what calls itself a picture need not be one."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    known = (kind for start, kind in _PICTURES.items() if data.startswith(start))
    return next(known, "text/plain")


HANDLERS = (artifact,)
