"""Finds out whether a model takes pictures."""

import base64

from appliance.inference.answers import Message, image_part

_WHITE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAATUlEQVR42u3PQQ0AAAgEILV/5zOFDzdoQCepz6aeExAQEB"
    "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQELi3cqoDfaKuZM4AAAAASUVORK5CYII="
)
"""64 by 64 white pixels, PNG: more than one patch of any model that we know."""
_NOT_ABOUT_IT = (401, 403, 408, 409, 429, 502, 503, 504)
"""Refusals of any question; all others of a picture mean that it is not taken, also the 500 of
servers that have no code for pictures."""


def image_probe() -> tuple[Message, ...]:
    """A question with a picture that costs next to nothing."""
    content = [{"type": "text", "text": "Say one word."}, image_part(_WHITE)]
    return ({"role": "user", "content": content},)


def is_refused(status: int) -> bool:
    """Whether a refusal is about what was asked, not about whether anything is answered now."""
    return status not in _NOT_ABOUT_IT
