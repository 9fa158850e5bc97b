"""Attributes that a documentation component of Antora sets for all its pages, in `antora.yml`.

https://docs.antora.org/antora/latest/component-attributes/
"""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from appliance.documents._source import Source
from appliance.system.yaml import YamlError, load

_NAME = "antora.yml"
_MOST_BYTES = 256 * 1024
_MOST_LEVELS = 8
"""Folders above a page in which it is looked for: `component/modules/NAME/pages/TOPIC/…`."""


def component_attributes(source: Source) -> dict[str, str]:
    """The attributes; empty for text without a file or outside any component."""
    data = next(_descriptors(source), None)
    return {} if data is None else dict(_attributes(data))


@lru_cache(maxsize=4)
def _attributes(data: bytes) -> dict[str, str]:
    """Parse a descriptor; cached, since many pages share one."""
    try:
        descriptor = load(data.decode("utf-8"))
    except (YamlError, UnicodeDecodeError):
        return {}  # the page is read without them, and reports the attributes it lacks
    asciidoc = descriptor.get("asciidoc") if isinstance(descriptor, dict) else None
    attributes = asciidoc.get("attributes") if isinstance(asciidoc, dict) else None
    if not isinstance(attributes, dict):
        return {}
    return {
        str(name).lower(): _text(value)
        for name, value in attributes.items()
        if value is not None and value is not False
    }


def _descriptors(source: Source) -> Iterator[bytes]:
    """Contents of the descriptors from the page's folder upwards."""
    if source.root is None:
        return
    for folder in Path(source.path).absolute().parents[:_MOST_LEVELS]:
        file = folder / _NAME
        source.read_also[file] = b""
        try:
            with file.open("rb") as stream:
                data = stream.read(_MOST_BYTES + 1)
        except OSError:
            continue
        if len(data) <= _MOST_BYTES:
            source.read_also[file] = data
            yield data


def _text(value: object) -> str:
    """The value as AsciiDoc writes it; a trailing `@` only allows pages to override it."""
    return "" if value is True else str(value).removesuffix("@")
