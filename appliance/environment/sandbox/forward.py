"""Inside a sandbox: listens where the provider's API would be, and passes on to the proxy outside.

Started as a program (`python -I -S forward.py SOCKET ADDRESS=TARGET…`); says `ready`. A target
`host:port` is asked of the proxy first; without one the client speaks to the proxy itself.
"""

import asyncio
import contextlib
import ctypes
import sys
from functools import partial

PR_SET_DUMPABLE = 4
CHUNK = 1 << 16


async def _pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await source.read(CHUNK):
            target.write(data)
            await target.drain()
    with contextlib.suppress(OSError):
        if target.can_write_eof():
            target.write_eof()


async def _serve(
    channel: str, target: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    try:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            outer_reader, outer_writer = await asyncio.open_unix_connection(channel)
            try:
                if target:
                    outer_writer.write(f"CONNECT {target} HTTP/1.1\r\n\r\n".encode())
                    answer = await outer_reader.readuntil(b"\r\n\r\n")
                    if b" 200 " not in answer.split(b"\r\n", 1)[0]:
                        return
                await asyncio.gather(_pump(reader, outer_writer), _pump(outer_reader, writer))
            finally:
                outer_writer.close()
    finally:
        writer.close()


async def _main(channel: str, listen: list[str]) -> None:
    for each in listen:
        address, _, target = each.partition("=")
        host, _, port = address.rpartition(":")
        await asyncio.start_server(partial(_serve, channel, target), host, int(port))
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


if __name__ == "__main__":
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    asyncio.run(_main(sys.argv[1], sys.argv[2:]))
