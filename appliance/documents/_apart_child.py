"""Child process of `apart.py`: reads documents one after another and exits when idle."""

import gc
import importlib
import os
import resource
import signal
import sys
from collections.abc import Callable
from functools import cache
from multiprocessing.connection import Connection

from appliance.core.errors import DocumentError, LimitError
from appliance.core.procedure import Document
from appliance.documents.load import read_file

_IDLE_S = 120.0
_MAX_BYTES = 2 * 1024**3
"""Memory limit; the longest document that is read takes a third of it."""


def serve(connection: Connection) -> None:
    """Answer requests until idle. A document that takes too long ends the process, by SIGPROF."""
    while connection.poll(_IDLE_S):
        try:
            function_path, folder, path, checks_dirs, root, timeout_s = connection.recv()
        except (EOFError, ConnectionError):  # whoever asked is gone
            return
        make_answer = _import_function(function_path)
        signal.setitimer(signal.ITIMER_PROF, timeout_s)
        answer: object
        try:
            os.chdir(folder)
            document = read_file(path, checks_dirs, root)
            answer = make_answer(document), document.read_also
            del document
        except DocumentError as error:
            answer = error
        except MemoryError:
            answer = LimitError(f"{path}: takes too much memory to be read: divide it")
        connection.send(answer)
        signal.setitimer(signal.ITIMER_PROF, 0)
        del answer
        tidy()


@cache
def _import_function(name: str) -> Callable[[Document], object]:
    """Import the function named `MODULE:FUNCTION`."""
    module, _, function = name.partition(":")
    loaded: Callable[[Document], object] = getattr(importlib.import_module(module), function)
    gc.freeze()  # what was imported stays: see `limit`
    return loaded


def limit() -> None:
    """Limit the memory of this process, and turn garbage collection off.

    A document is kept until it is sent: collecting garbage meanwhile frees nothing and takes a
    third of the time.
    """
    resource.setrlimit(resource.RLIMIT_AS, (_MAX_BYTES, _MAX_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    gc.disable()
    gc.freeze()


def tidy() -> None:
    """Free a document's memory once it has been sent."""
    gc.collect()


if __name__ == "__main__":
    limit()
    serve(Connection(int(sys.argv[1])))
