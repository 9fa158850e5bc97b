"""Programs to lock up, and what is left of them."""

import asyncio
import textwrap

import psutil

from appliance.environment.sandbox.layout import own_python


def python(text, *arguments):
    """A command that runs a piece of Python with nothing but the standard library."""
    return [own_python(), "-I", "-S", "-c", textwrap.dedent(text), *map(str, arguments)]


async def gone(mark, within_s=5.0):
    """Wait until no process has a mark among its arguments; those that still have."""
    for _ in range(int(within_s / 0.05)):
        left = marked(mark)
        if not left:
            return []
        await asyncio.sleep(0.05)
    return left


def marked(mark):
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        words = process.info["cmdline"] or []
        if mark in words and process.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(process.pid)
    return found
