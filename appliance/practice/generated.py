"""Values that the cloud makes itself; each follows from the item's id, so that a run repeats."""

import hashlib
import string
from typing import assert_never

from appliance.practice.catalogue import FieldSpec
from appliance.practice.state import Item

_KEY_LETTERS = string.ascii_uppercase + string.digits
_SECRET_LETTERS = string.ascii_letters + string.digits


def generated(item: Item, name: str, field: FieldSpec) -> str:
    """The value of a field that is not entered."""
    seed = hashlib.shake_256(f"{item.id}/{name}".encode()).digest(40)
    match field.generated:
        case "address":  # 198.18.0.0/15 is set aside for tests of networks: nobody answers there
            return f"198.{18 + seed[0] % 2}.{seed[1]}.{seed[2] % 254 + 1}"
        case "key":
            return "PK" + _spelled(seed[:18], _KEY_LETTERS)
        case "secret":
            return _spelled(seed, _SECRET_LETTERS)
        case "host":
            return f"{item.id}.{item.region or 'global'}.practice.example"
        case "":
            return ""
        case _:
            assert_never(field.generated)


def _spelled(seed: bytes, letters: str) -> str:
    return "".join(letters[byte % len(letters)] for byte in seed)
