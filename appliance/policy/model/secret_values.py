"""The values to use, as the model may see them: it types a secret without ever being shown it."""

import re
from collections.abc import Mapping

from appliance.core.secrets import learn, without_secrets

_SECRET = re.compile(
    r"pass(?:word|phrase|code)|secret|token|private key|api key|credential"
    r"|密码|口令|密钥|凭证|令牌",
    re.IGNORECASE,
)
_LONG = 6
"""Characters from which on a value is masked wherever it stands; shorter ones mean other things,
too."""


class Values:
    """Bindings with their secrets behind names."""

    def __init__(self, bindings: Mapping[str, str]) -> None:
        self._behind = {
            f"<secret:{label}>": value for label, value in bindings.items() if _hides(label, value)
        }
        for value in self._behind.values():
            if len(value) >= _LONG:
                learn(value)  # a page may show what was typed
        self.shown = tuple(
            (label, f"<secret:{label}>" if _hides(label, value) else value)
            for label, value in bindings.items()
        )
        """Labels and values as the prompt tells them."""

    def real(self, text: str) -> str:
        """What is typed for a text of the model's."""
        for name, value in self._behind.items():
            text = text.replace(name, value)
        return text


def _hides(label: str, value: str) -> bool:
    return bool(_SECRET.search(label)) or without_secrets(value) != value
