"""The documentation as it stands now: what is configured, and what was uploaded."""

from collections.abc import Mapping
from pathlib import Path

from appliance.core.errors import DocumentError
from appliance.core.procedure import Document, Procedure
from appliance.core.result import procedure_of
from appliance.reports import read_source, repository_path
from appliance.server.parts import Service

UPLOADS = "uploads"
"""Folder in the data folder with what came with a question."""


class Sources:
    """The documents of one request. Making one reads files: `asyncio.to_thread`."""

    def __init__(self, service: Service) -> None:
        self.problem = ""
        """Why there are none; empty: they could be read."""
        self._uploads = (service.settings.data_dir / UPLOADS).resolve()
        self._folders = service.settings.documentation.paths
        try:
            found = service.engine.documents()
        except DocumentError as error:
            found, self.problem = (), str(error)
        self.documents: Mapping[str, Document] = {one.path: one for one in found}

    def read(self, path: str) -> str | None:
        """The source; None where it cannot be read or is none of the documents."""
        if path in self.documents or self._is_upload(path):
            return read_source(path)
        return None

    def procedure(self, result_id: str) -> tuple[Document, Procedure] | None:
        """The procedure that a result is about, as it stands now."""
        wanted = procedure_of(result_id)
        for document in self.documents.values():
            for procedure in document.procedures:
                if procedure.id == wanted:
                    return document, procedure
        return None

    def name_in_patch(self, path: str) -> str:
        """A document's path from the top of its repository, else of its configured folder."""
        if self._is_upload(path):
            return Path(path).name
        named = repository_path(path)
        if not named.startswith("/"):
            return named
        for folder in map(Path, self._folders):
            if folder.is_dir() and Path(path).is_relative_to(folder):
                return Path(path).relative_to(folder).as_posix()
        return named

    def short(self, path: str) -> str:
        """A path as people call it: without what all the documentation has in common."""
        return short_path(path, self._folders)

    def _is_upload(self, path: str) -> bool:
        return Path(path).resolve().is_relative_to(self._uploads)


def short_path(path: str, folders: tuple[Path, ...]) -> str:
    """The path below its configured folder, the folder's own name kept."""
    for folder in map(Path, folders):
        if Path(path).is_relative_to(folder) and Path(path) != folder:
            return Path(path).relative_to(folder.parent).as_posix()
    parts = Path(path).parts
    if UPLOADS in parts:
        return parts[-1]
    return path
