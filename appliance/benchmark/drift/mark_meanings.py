"""What people wrote about marks that the product data alone does not tell: `NAME.anchors.yaml`."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from appliance.benchmark.drift.marks import TextMark
from appliance.core.errors import SetupError
from appliance.practice.loading import read_source


class MarkMeaning(BaseModel):
    """What one mark names."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    line: int
    quote: str
    path: str = ""
    """Of the text in the product data; empty: the mark names nothing of the console."""
    place: str = ""
    """Where the action stands, when it stands in several places."""
    is_default: bool | None = None
    """Whether the sentence says that it is the default; empty: the words around it tell."""
    why: str = ""
    """Why the mark names nothing."""

    @property
    def is_free(self) -> bool:
        """Whether it names nothing of the console."""
        return not self.path


class MarkMeaningFile(BaseModel):
    """A file of them, beside the document."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    marks: tuple[MarkMeaning, ...] = ()


class MarkMeanings:
    """All answers of a folder."""

    def __init__(self, folder: Path) -> None:
        self._answers: dict[tuple[str, int, str], MarkMeaning] = {}
        for file in sorted(folder.rglob("*.anchors.yaml")):
            stem = file.name.removesuffix(".anchors.yaml")
            try:
                marks = MarkMeaningFile.model_validate(read_source(file).data).marks
            except ValidationError as exc:
                raise SetupError(f"{file}: {exc.errors()[0]['msg']}") from exc
            self._answers |= {(stem, one.line, one.quote): one for one in marks}

    def answer(self, document: str, mark: TextMark) -> MarkMeaning | None:
        """What is written about a mark."""
        return self._answers.get((Path(document).stem, mark.line, mark.text))

    def unused(self, seen: set[tuple[str, int, str]]) -> list[str]:
        """Answers about marks that do not exist."""
        return [f"{stem}:{line} {quote}" for stem, line, quote in self._answers.keys() - seen]
