"""Documents read in child processes, so that a posted document can neither hang nor fill this one.

A thread would not do: a regular expression holds Python's lock while it matches, and no thread can
be stopped. The child is kept for the next document, and exits by itself when idle.
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
"""Seconds to wait for a child's start, and the factor for its work: the child limits processor time
itself, which takes longer on a busy machine."""
_AT_A_TIME = 4
"""Most children at once, so that one that hangs does not block the others."""


class Answer(NamedTuple, Generic[T]):
    """What `make_answer` returned for a document."""

    value: T
    read_also: ReadAlso
    """See `Document`."""


class Children(Generic[T]):
    """Reads documents in child processes, each within a time limit. Thread-safe; calls block.

    Args:
        timeout_s: Processor time for one document.
        make_answer: Module-level function that the child calls with the document; its result is
            the answer.
        shared: Another `Children` whose processes are used too, since starting one takes longer
            than reading a document. Closing either closes both.
    """

    def __init__(
        self,
        timeout_s: float,
        make_answer: Callable[[Document], T],
        shared: "Children[Any] | None" = None,  # Any: whatever the other makes
    ) -> None:
        self._timeout_s, self._function_path = (
            timeout_s,
            f"{make_answer.__module__}:{make_answer.__name__}",
        )
        self._processes: _Processes = _Processes() if shared is None else shared._processes

    def read(self, path: Path, checks_dirs: Sequence[Path] = (), root: Path | None = None) -> T:
        """The answer for one document; see `read_with`."""
        return self.read_with(path, checks_dirs, root).value

    def read_with(
        self, path: Path, checks_dirs: Sequence[Path] = (), root: Path | None = None
    ) -> "Answer[T]":
        """The answer for one document, with the other files that it depends on.

        Args:
            path: The document.
            checks_dirs: Folders with checks files.
            root: The folder of the documentation.

        Raises:
            DocumentError: It cannot be read.
            LimitError: It is beyond a limit, or takes too long.
        """
        request = (self._function_path, Path.cwd(), path, tuple(checks_dirs), root, self._timeout_s)
        with self._processes.child_for_request() as child:
            try:
                answer = child.request(request, self._timeout_s)
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
        return Answer(*answer)

    def close(self) -> None:
        """End the children."""
        self._processes.close()


def _itself(document: Document) -> Document:
    return document


class Reader(Children[Document]):
    """Reads documents."""

    def __init__(self, timeout_s: float) -> None:
        super().__init__(timeout_s, _itself)

    def load(
        self,
        paths: Sequence[Path],
        checks_dirs: Sequence[Path] = (),
        left_out: Callable[[str], None] = lambda why: None,
    ) -> tuple[Document, ...]:
        """As `load_documents`; a document that takes too long counts as beyond a limit."""
        return load_documents(paths, checks_dirs, read=self.read, left_out=left_out)


class _Processes:
    """A pool of child processes, up to `_AT_A_TIME` at once."""

    def __init__(self) -> None:
        # Invariant: a child is idle in this list, or used by exactly one thread.
        self._idle: list[_Child] = []
        self._lock = threading.Lock()
        self._slots = threading.BoundedSemaphore(_AT_A_TIME)
        self._end = weakref.finalize(self, _end, self._idle)

    @contextmanager
    def child_for_request(self) -> "Iterator[_Child]":
        """Lend a child; it returns to the pool unless the body raises."""
        with self._slots:
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
    """One child process. Any failure ends it."""

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

    def request(self, message: object, timeout_s: float) -> Any:  # Any: what is made, or an error
        """Send a message and wait for the answer; `TimeoutError` or `EOFError` if none comes."""
        try:
            self._connection.send(message)
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
        """Whether the process runs; otherwise its resources are freed."""
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
