"""Documents read in a child process: what somebody posted neither stops this one nor fills it.

A thread would not do: a regular expression holds Python's lock while it looks, and no thread can be
stopped. The child is kept for the next document, and ends by itself when none comes for a while.
"""

import signal
import socket
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from appliance.core.errors import DocumentError, LimitError
from appliance.core.procedure import Document
from appliance.documents.cache import ReadAlso
from appliance.documents.load import load_documents
from appliance.system.child_environment import Child, child_environment
from appliance.system.processes import kill_group

_CHILD = "appliance.documents._apart_child"
T = TypeVar("T")

_STARTS_S, _BUSY = 30.0, 10
"""The child counts a document's time itself, in processor time: on a busy machine that takes
longer, as does its start."""
_AT_A_TIME = 4
"""Children at most: what hangs one does not keep the others waiting."""


class Made(NamedTuple, Generic[T]):
    """What was made of a document."""

    made: T
    read_also: ReadAlso
    """See `Document`."""


class Children(Generic[T]):
    """Have documents read, each within a time limit. From several threads; it blocks.

    Args:
        timeout_s: Processor time for one document.
        made: What the children make of a document: that is the answer. A function of a module.
        shared: With whom the children are shared: it takes one longer to start than to read a
            document. Whoever closes one of them closes both.
    """

    def __init__(
        self,
        timeout_s: float,
        made: Callable[[Document], T],
        shared: "Children[Any] | None" = None,  # Any: whatever the other makes
    ) -> None:
        self._timeout_s, self._made = timeout_s, f"{made.__module__}:{made.__name__}"
        self._processes: _Processes = _Processes() if shared is None else shared._processes

    def read(self, path: Path, checks_dirs: Sequence[Path] = (), root: Path | None = None) -> T:
        """What comes of one document; see `read_with`."""
        return self.read_with(path, checks_dirs, root).made

    def read_with(
        self, path: Path, checks_dirs: Sequence[Path] = (), root: Path | None = None
    ) -> "Made[T]":
        """What comes of one document, and what else that depends on.

        Args:
            path: The document.
            checks_dirs: Folders with checks files.
            root: The folder of the documentation.

        Raises:
            DocumentError: It cannot be read.
            LimitError: It is beyond a limit, or takes too long.
        """
        asked = (self._made, Path.cwd(), path, tuple(checks_dirs), root, self._timeout_s)
        with self._processes.one() as child:
            try:
                answer = child.request(asked, self._timeout_s)
            except TimeoutError as error:
                raise LimitError(
                    f"{path}: was not read within {self._timeout_s:g} s: divide it, or give it more"
                    " time in `documentation.read_timeout_s`"
                ) from error
            except (EOFError, OSError) as error:
                raise LimitError(
                    f"{path}: could not be read: reading it took too much memory, or ended the"
                    " process that read it"
                ) from error
        if isinstance(answer, DocumentError):
            raise answer
        return Made(*answer)

    def close(self) -> None:
        """End the children."""
        self._processes.close()


def _whole(document: Document) -> Document:
    return document


class Reader(Children[Document]):
    """Reads documents."""

    def __init__(self, timeout_s: float) -> None:
        super().__init__(timeout_s, _whole)

    def load(
        self,
        paths: Sequence[Path],
        checks_dirs: Sequence[Path] = (),
        left_out: Callable[[str], None] = lambda why: None,
    ) -> tuple[Document, ...]:
        """As `load_documents`; what takes too long is beyond a limit."""
        return load_documents(paths, checks_dirs, read=self.read, left_out=left_out)


class _Processes:
    """Child processes, so many as are wanted at the same time."""

    def __init__(self) -> None:
        # Invariant: a child is here, or in the hands of one thread.
        self._idle: list[_Child] = []
        self._lock = threading.Lock()
        self._room = threading.BoundedSemaphore(_AT_A_TIME)
        self._end = weakref.finalize(self, _end, self._idle)

    @contextmanager
    def one(self) -> "Iterator[_Child]":
        """One to ask. Where that fails, it is not asked again."""
        with self._room:
            child = self._take()
            yield child
            with self._lock:
                self._idle.append(child)

    def _take(self) -> "_Child":
        with self._lock:
            while self._idle:
                child = self._idle.pop()
                if child.is_alive():
                    return child
        return _Child()

    def close(self) -> None:
        """End them."""
        with self._lock:
            _end(self._idle)


class _Child:
    """One process. It is ended by whatever goes wrong with it."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", _CHILD, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=child_environment(Child.PYTHON),
                pass_fds=(theirs.fileno(),),
                start_new_session=True,  # Ctrl-C is for us
            )
        self._connection = Connection(ours.detach())

    def request(self, asked: object, timeout_s: float) -> Any:  # Any: what is made, or an error
        """What reading gives; `TimeoutError`, `EOFError` where it does not."""
        try:
            self._connection.send(asked)
            if not self._connection.poll(_STARTS_S + _BUSY * timeout_s):
                raise TimeoutError
            answer = self._connection.recv()
        except BaseException as error:
            self.end()
            if isinstance(error, EOFError) and self._process.returncode == -signal.SIGPROF:
                raise TimeoutError from error
            raise
        return answer

    def is_alive(self) -> bool:
        """Whether it can be asked; where not, nothing of it is left."""
        if self._process.poll() is None:
            return True
        self.end()
        return False

    def end(self) -> None:
        """Kill it, and wait for its end."""
        self._connection.close()
        kill_group(self._process.pid)
        self._process.wait()


def _end(children: list[_Child]) -> None:
    while children:
        children.pop().end()
