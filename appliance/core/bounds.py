"""Numbers and texts with bounds that the JSON schema tells.

They are told, not enforced: what is in the store is loaded and goes out as it is.
"""

from typing import Annotated, TypeAlias

from pydantic import WithJsonSchema

Count: TypeAlias = Annotated[int, WithJsonSchema({"type": "integer", "minimum": 0})]
Amount: TypeAlias = Annotated[float, WithJsonSchema({"type": "number", "minimum": 0})]
Share: TypeAlias = Annotated[float, WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1})]
Place: TypeAlias = Annotated[int, WithJsonSchema({"type": "integer", "minimum": 1})]
"""A line or column, from 1."""
Digest: TypeAlias = Annotated[str, WithJsonSchema({"type": "string", "pattern": "^[0-9a-f]{64}$"})]
"""SHA-256, in hexadecimal."""
