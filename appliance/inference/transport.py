"""The transport under the questions: no answer is read beyond a limit."""

from collections.abc import AsyncIterator

import httpx2  # the one that the package openai brings with it

_LARGEST = 4_000_000
"""Bytes of one answer; 32,768 tokens of text take about 0.2 MB."""


class BoundedTransport(httpx2.AsyncHTTPTransport):
    """As the usual one, and an answer ends with an error where it is too long."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send the request; the body of the response is limited in size."""
        response = await super().handle_async_request(request)
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _Bounded(response.stream)
        return response


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        remaining = _LARGEST
        async for piece in self._stream:
            remaining -= len(piece)
            if remaining < 0:
                raise TooLongError(f"it sends more than {_LARGEST:,} bytes")
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()


class TooLongError(Exception):
    """An answer is longer than any can be."""
