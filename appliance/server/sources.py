"""The documentation as it stands now: what is configured, and what was uploaded."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from appliance.core.errors import DocumentError
from appliance.core.procedure import Document, Procedure
from appliance.core.result import procedure_of
from appliance.documents import DocumentOutline
from appliance.engine.uploads import given_name
from appliance.reports import read_source, repository_path
from appliance.server.parts import Service

UPLOADS = "uploads"
"""Folder in the data folder with what came with a question."""


class Sources:
    """The documents of one request. Making one reads files: `asyncio.to_thread`."""

    def __init__(self, service: Service) -> None:
        self.problem = ""
        """Why there are none; empty: they could be read."""
        self._data_dir = service.settings.data_dir
        self._engine = service.engine
        self._folders = service.settings.documentation.paths
        try:
            documents = service.engine.documents()
        except DocumentError as error:
            documents, self.problem = (), str(error)
        self.documents: Mapping[str, DocumentOutline] = {
            document.path: document for document in documents
        }

    def read(self, path: str) -> str | None:
        """The source; None where it cannot be read or is none of the documents."""
        if path in self.documents or self._is_upload(path):
            return read_source(path)
        return None

    def document(self, path: str) -> Document | None:
        """A configured document, or one that came with a question."""
        if path not in self.documents and not self._is_upload(path):
            return None
        with suppress(DocumentError):
            return self._engine.read(Path(path))
        return None

    def document_of(self, result_id: str) -> str:
        """The configured document with the procedure that a result is about; empty: none has."""
        procedure_id = procedure_of(result_id)
        holders = (
            document.path
            for document in self.documents.values()
            for p in document.procedures
            if p.id == procedure_id
        )
        return next(holders, "")

    def procedure(self, result_id: str, path: str = "") -> tuple[Document, Procedure] | None:
        """The procedure that a result is about, as it stands now.

        Args:
            result_id: Of the result: the procedure's, perhaps with language and role.
            path: Of its document, where that may be one that came with a question.
        """
        procedure_id = procedure_of(result_id)
        paths = (path if path not in self.documents else "", self.document_of(result_id))
        for document in filter(None, map(self.document, filter(None, paths))):
            for procedure in document.procedures:
                if procedure.id == procedure_id:
                    return document, procedure
        return None

    def name_in_patch(self, path: str) -> str:
        """A document's path from the top of its repository, else of its configured folder."""
        if self._is_upload(path):
            return given_name(path, self._data_dir)
        path_in_repository = repository_path(path)
        if not path_in_repository.startswith("/"):
            return path_in_repository
        for folder in map(Path, self._folders):
            if folder.is_dir() and Path(path).is_relative_to(folder):
                return Path(path).relative_to(folder).as_posix()
        return path_in_repository

    def short(self, path: str) -> str:
        """A path as people call it: without what all the documentation has in common."""
        return short_path(path, self._folders)

    def _is_upload(self, path: str) -> bool:
        return given_name(path, self._data_dir) != path


def short_path(path: str, folders: tuple[Path, ...]) -> str:
    """The path below its configured folder; with the folder's own name where there are several."""
    for folder in folders:
        # by their characters: a page asks for thousands
        top = "" if str(folder) == "." else f"{folder}/"
        if path.startswith(top) and (top or not path.startswith("/")):
            inside = path[len(top) :]
            return inside if len(folders) == 1 or not top else f"{folder.name}/{inside}"
    parts = Path(path).parts
    if UPLOADS in parts:
        return "/".join(parts[parts.index(UPLOADS) + 3 :] or parts[-1:])  # after run and `inline`
    return path


def full_path(text: str, folders: tuple[Path, ...]) -> str:
    """The document's path that a person calls so; the text itself where there is no such file."""
    relative_path = Path(text)
    if not text or relative_path.is_absolute() or ".." in relative_path.parts:
        return text
    tops = (folder if len(folders) == 1 else folder.parent for folder in folders)
    return next((str(top / relative_path) for top in tops if (top / relative_path).is_file()), text)
