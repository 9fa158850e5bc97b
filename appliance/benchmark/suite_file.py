"""Files of suites: read as what they must be, or refused with file, line and reason."""

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from appliance.core.errors import SetupError
from appliance.practice.loading import SourceFile, read_source


class SuiteModel(BaseModel):
    """What stands in a file."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


Contents = TypeVar("Contents", bound=SuiteModel)


def read_as(model: type[Contents], file: Path) -> tuple[SourceFile, Contents]:
    """Read a YAML file.

    Raises:
        SetupError: It is wrong.
    """
    source = read_source(file)
    try:
        return source, model.model_validate(source.data)
    except ValidationError as exc:
        first = exc.errors()[0]
        # names of union members are in pydantic's path, and not in the file
        path = tuple(part for part in first["loc"] if any(part in p for p in source.lines))
        missing = first["loc"][-1:] if first["type"] == "missing" else ()
        where = ".".join(map(str, (*path, *missing))) or "the file"
        raise SetupError(f"{source.place(path)}: {where}: {first['msg']}") from exc
