"""What a model's answer says: the configuration in it, or why there is none."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from appliance.core.jsonable import Json
from appliance.inference import Answer

SCHEMA: Mapping[str, Json] = {
    "type": "object",
    "properties": {"main_tf": {"type": "string"}, "impossible": {"type": "string"}},
    "required": ["main_tf", "impossible"],
    "additionalProperties": False,
}
"""What an answer has to look like. A model that was not held to it may still be understood."""
_FENCED = re.compile(r"^[ \t]*```[ \t]*([\w-]*)[^\n]*\n(.*?)^[ \t]*```", re.DOTALL | re.MULTILINE)
_LANGUAGES = frozenset({"", "hcl", "terraform", "tf"})
_HEAD = re.compile(r"^\s*(resource|variable|locals|data|output)\b[^\n=]*\{", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What an answer comes to."""

    hcl: str = ""
    impossible: str = ""


def understood(answer: Answer) -> Said:
    """What it says: as the schema has it, else the fenced block, else the text itself."""
    if answer.parsed is not None:
        return Said(
            hcl=_unfenced(_text(answer.parsed.get("main_tf"))),
            impossible=_text(answer.parsed.get("impossible")),
        )
    return Said(hcl=_unfenced(answer.text))


def _text(value: Json) -> str:
    return value.strip() if isinstance(value, str) else ""


def _unfenced(text: str) -> str:
    blocks = [code for language, code in _FENCED.findall(text) if language.lower() in _LANGUAGES]
    found = "\n".join(blocks) if blocks else text
    return found.strip() if _HEAD.search(found) else ""
