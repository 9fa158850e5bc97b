"""Files of entity declarations that an XML document names: `<!ENTITY % common SYSTEM "a.ent">`.

Only files below the document root are opened, symbolic links followed first; never an address, and
no file of text: chapters are documents of their own.
"""

from dataclasses import dataclass, field
from pathlib import Path

from appliance.documents._source import Source

MAX_FILES = 50
"""Opened for one document."""
MAX_FILE_BYTES = 1024 * 1024
MAX_NESTED = 8
"""Files that name others, in each other."""


@dataclass(slots=True)
class EntityFiles:
    """Of one document."""

    source: Source
    """The document; only below its root is anything opened."""
    _opened: int = field(default=0, init=False)

    def read(self, name: str, folder: str) -> tuple[bytes, str] | None:
        """A file's bytes, and the folder that names in it start from; None: it is not read.

        Args:
            name: As the document has it, relative to where it stands.
            folder: Of the document, or of the file, that names it.
        """
        if self.source.root is None or self._opened >= MAX_FILES or "\0" in name:
            return None
        root = self.source.root.resolve()
        try:
            file = (Path(folder) / name).resolve()
            if not file.is_relative_to(root):
                return None
            self.source.read_also.setdefault(file, b"")
            if not file.is_file():
                return None
            with file.open("rb") as stream:
                data = stream.read(MAX_FILE_BYTES + 1)
        except OSError:
            return None
        self._opened += 1
        if len(data) > MAX_FILE_BYTES:
            return None
        self.source.read_also[file] = data
        return data, str(file.parent)
