"""Files of entity declarations that an XML document names: `<!ENTITY % common SYSTEM "a.ent">`.

Only files below the document root are opened, symbolic links followed first; never an address, and
no file of text: chapters are documents of their own.
"""

from dataclasses import dataclass, field
from pathlib import Path

from appliance.documents._source import Source

MAX_FILES = 50
"""Most files opened for one document."""
MAX_FILE_BYTES = 1024 * 1024
MAX_NESTED = 8
"""Deepest nesting of files that name other files."""


@dataclass(slots=True)
class EntityFiles:
    """The entity files of one document."""

    source: Source
    """The document; nothing outside its root is opened."""
    _opened: int = field(default=0, init=False)

    def read(self, name: str, folder: str) -> tuple[bytes, str] | None:
        """A file's bytes and its folder, for relative names in it; None if it is not read.

        Args:
            name: Path as written, relative to `folder`.
            folder: Folder of the document or file that names it.
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
