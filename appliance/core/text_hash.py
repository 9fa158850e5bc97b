"""When two readings of a procedure are the same text: for telling what has changed."""

import hashlib
import json

from appliance.core.jsonable import Json, to_jsonable
from appliance.core.procedure import Procedure

_PLACES = frozenset({"span", "source", "needs_model"})
"""Where it stands, which text elsewhere in the document moves, and who may read it."""


def text_hash(procedure: Procedure) -> str:
    """SHA-256 of all that a reader and a verifier take from it, its checks included."""
    plain = json.dumps(_without_places(to_jsonable(procedure)), sort_keys=True)
    return hashlib.sha256(plain.encode()).hexdigest()


def _without_places(value: Json) -> Json:
    match value:
        case dict():
            return {k: _without_places(v) for k, v in value.items() if k not in _PLACES}
        case list():
            return [_without_places(item) for item in value]
    return value
