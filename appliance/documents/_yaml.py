"""YAML in documents and beside them: what is wrong with it is wrong with a document."""

from appliance.core.errors import DocumentError, LimitError
from appliance.system.yaml import LocatedText, YamlError, read_located


def read_yaml(text: str, file: str, lines_before: int = 0) -> LocatedText:
    """Read one YAML document that starts behind `lines_before` lines of a file.

    Raises:
        DocumentError: It is no YAML, or has a key twice.
        LimitError: It refers to its own parts, or is too large.
    """
    try:
        return read_located(text, file, lines_before)
    except YamlError as error:
        kind = LimitError if error.is_limit else DocumentError
        raise kind(f"{file}:{error.line}:{error.column}: {error.says}") from error
