"""Process thousands of documents in parallel without keeping them in memory."""

import os
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice, takewhile
from pathlib import Path
from threading import Event
from typing import Generic, TypeVar

from appliance.core.errors import DocumentError
from appliance.documents.apart import Children
from appliance.documents.cache import Cache

_FOR_ONE = 50
"""Documents per child process: starting one takes about as long as reading so many."""
_AT_ONCE = 20
"""Documents that a thread is given: handing one over takes as long as finding it in the cache."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Making(Generic[T]):
    """Makes one result per document, from the cache or by a child process."""

    children: Children[T]
    """Processes that read documents."""
    cache: Cache[T]
    """Results made before."""
    checks_dirs: Sequence[Path] = ()
    """See `load_documents`."""

    def each(self, files: Mapping[Path, Path | None]) -> Generator[tuple[Path, T | DocumentError]]:
        """The result of each document in order, or the error if it cannot be read.

        Close the generator if it is not exhausted, so that the rest is not read.

        Args:
            files: The documents, each with the folder of its documentation.
        """
        workers = max(1, min(os.cpu_count() or 1, -(-len(files) // _FOR_ONE)))
        rest = iter(files.items())
        batches = list(iter(lambda: tuple(islice(rest, _AT_ONCE)), ()))
        pool, is_closed = ThreadPoolExecutor(workers, "documents"), Event()

        def make(batch: Sequence[tuple[Path, Path | None]]) -> list[tuple[Path, T | DocumentError]]:
            files = takewhile(lambda _: not is_closed.is_set(), batch)
            return [(path, self._make(path, root)) for path, root in files]

        try:
            for made in pool.map(make, batches):
                yield from made
        finally:
            is_closed.set()
            pool.shutdown(cancel_futures=True)

    def _make(self, path: Path, root: Path | None) -> T | DocumentError:
        key = self.cache.key(path, self.checks_dirs, root)
        value = self.cache.get(key) if key else None
        if value is None:
            try:
                value, read_also = self.children.read_with(path, self.checks_dirs, root)
            except DocumentError as error:
                return error
            if self.cache.key(path, self.checks_dirs, root) == key:  # not written to meanwhile
                self.cache.put(key, value, read_also)
        return value
