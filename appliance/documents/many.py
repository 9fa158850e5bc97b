"""Thousands of documents, read by as many processes as it is worth, and held by none of them."""

import os
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from appliance.core.errors import DocumentError
from appliance.documents.apart import Children
from appliance.documents.cache import Cache

_FOR_ONE = 50
"""Documents that are worth a child process: one starts in half a second, and reads so many
meanwhile."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Making(Generic[T]):
    """Makes the same of each of many documents."""

    children: Children[T]
    """They read them."""
    cache: Cache[T]
    """What it has is not read again."""
    checks_dirs: Sequence[Path] = ()
    """See `load_documents`."""

    def each(self, files: Mapping[Path, Path | None]) -> Generator[tuple[Path, T | DocumentError]]:
        """What is made of each, in their order; an error in the place of what cannot be read.

        Close it where it is not read to its end: the rest is not read then.

        Args:
            files: The documents, each with the folder of the documentation that it is in.
        """
        workers = max(1, min(os.cpu_count() or 1, -(-len(files) // _FOR_ONE)))
        pool = ThreadPoolExecutor(workers, "documents")
        try:
            yield from zip(files, pool.map(self._make, files, files.values()), strict=True)
        finally:
            pool.shutdown(cancel_futures=True)

    def _make(self, path: Path, root: Path | None) -> T | DocumentError:
        key = self.cache.key(path, self.checks_dirs, root)
        made = self.cache.get(key) if key else None
        if made is None:
            try:
                made, read_also = self.children.read_with(path, self.checks_dirs, root)
            except DocumentError as error:
                return error
            if self.cache.key(path, self.checks_dirs, root) == key:  # not written to meanwhile
                self.cache.put(key, made, read_also)
        return made
