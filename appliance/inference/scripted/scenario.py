"""Scenarios: a script in a YAML file, whose lines say which question they answer."""

import json
import re
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, field_validator

from appliance.core.errors import ConfigError
from appliance.inference.scripted._protocol import refusal
from appliance.inference.scripted.script import (
    NAME,
    Fault,
    Offer,
    ReceivedRequest,
    ScriptedReply,
    ToolCall,
)
from appliance.system.yaml import YamlError, load

_HOLE = re.compile(r"\$\{(\w+)\}")
_QUOTED = 300
"""Characters of a question that no line answers."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class When(_Strict):
    """Which questions a line answers: all that is said here has to hold."""

    says: tuple[str, ...] = ()
    """Words somewhere in the question, whatever their case."""
    says_not: tuple[str, ...] = ()
    """Words that are nowhere in it."""
    last: tuple[str, ...] = ()
    """Words in the newest thing that the user said."""
    turn: int | None = None
    """1: the question quotes no answer yet."""
    model: str | None = None
    """The model's or adapter's name."""
    wants: str | None = None
    """A property of the JSON schema that the answer has to keep to."""
    images: bool | None = None
    """Whether there is a picture."""
    probe: bool = False
    """Whether it is a question for one token: after health, or after pictures."""

    @field_validator("says", "says_not", "last", mode="before")
    @classmethod
    def _one_or_more(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value

    def fits(self, request: ReceivedRequest) -> bool:
        """Whether a request fits these conditions."""
        text, last = request.text.casefold(), request.last.casefold()
        properties = (request.schema or {}).get("properties", {})
        return (
            self.probe == request.is_probe
            and all(words.casefold() in text for words in self.says)
            and not any(words.casefold() in text for words in self.says_not)
            and all(words.casefold() in last for words in self.last)
            and self.turn in (None, request.turn)
            and self.model in (None, request.model)
            and (self.wants is None or self.wants in properties)
            and self.images in (None, bool(request.images))
        )


class Line(_Strict):
    """One reply, and the requests that it is for."""

    when: When = When()
    find: Mapping[str, str] = Field(default_factory=dict)
    """Regular expressions, by name: the last place of the question that each fits, its first group
    where it has one, stands for `${name}` in the reply. The line answers only where all fit."""
    reply: JsonValue = ""
    """Text, or what becomes JSON."""
    tool_calls: tuple[Mapping[str, JsonValue], ...] = ()
    """`name` and `arguments` of each."""
    fault: Fault = Fault.NONE
    status: int = 200
    finish_reason: str = "stop"
    delay_s: float = Field(0.0, ge=0)
    chunk_s: float = Field(0.0, ge=0)
    retry_after_s: float | None = None
    times: int | None = Field(None, ge=1)
    """How often it answers; None: always."""

    @field_validator("find")
    @classmethod
    def _expressions(cls, value: Mapping[str, str]) -> Mapping[str, str]:
        for pattern in value.values():
            try:
                re.compile(pattern)
            except re.error as exc:
                raise ValueError(f"{pattern!r} is no regular expression: {exc}") from exc
        return value

    def find_values(self, text: str) -> Mapping[str, str] | None:
        """What its expressions find in a question; None: not all of them fit."""
        values = {}
        for name, pattern in self.find.items():
            matches = list(re.finditer(pattern, text))
            if not matches:
                return None
            values[name] = matches[-1].group(1 if matches[-1].re.groups else 0) or ""
        return values

    def filled_reply(self, values: Mapping[str, str]) -> ScriptedReply:
        """The reply with the values in place of its names."""
        return ScriptedReply(
            text=_text(self.reply, values),
            fault=self.fault,
            tool_calls=tuple(
                ToolCall(
                    name=str(call.get("name", "")),
                    arguments=_text(call.get("arguments", {}), values),
                )
                for call in self.tool_calls
            ),
            finish_reason=self.finish_reason,
            status=self.status,
            delay_s=self.delay_s,
            chunk_s=self.chunk_s,
            retry_after_s=self.retry_after_s,
        )


class StartBehaviour(_Strict):
    """How the server starts, where it is a program."""

    delay_s: float = Field(0.0, ge=0)
    """How long it takes until it listens."""
    fails: str = ""
    """What it says in place of listening; then it ends."""


class ScenarioFile(_Strict):
    """A scenario file."""

    models: tuple[str, ...] = (NAME,)
    context_tokens: int = Field(32768, ge=1)
    takes_images: bool = True
    key: str = ""
    start: StartBehaviour = StartBehaviour()
    lines: tuple[Line, ...] = ()
    """The first that fits answers."""
    otherwise: Line | None = None
    """Where none does; None: HTTP 500 that says so."""


class Scenario:
    """What a file says, and which of its lines were used up."""

    def __init__(self, file: ScenarioFile, name: str = "the scenario") -> None:
        self._file = file
        self._name = name
        self._used = [0] * len(file.lines)
        self._lock = threading.Lock()  # invariant: `_used` counts the answers of each line
        self.start_delay_s, self.start_fails = file.start.delay_s, file.start.fails
        self.offer = Offer(
            models=file.models,
            context_tokens=file.context_tokens,
            takes_images=file.takes_images,
            key=file.key,
        )

    @classmethod
    def load(cls, path: Path) -> "Scenario":
        """Read a file; `ConfigError`: it cannot be read, or is no scenario."""
        try:
            content = load(path.read_text(encoding="utf-8"))
            return cls(ScenarioFile.model_validate(content or {}), path.name)
        except (OSError, UnicodeDecodeError) as exc:
            raise ConfigError(f"cannot read the scenario {path}: {exc}") from exc
        except YamlError as exc:
            raise ConfigError(f"cannot read the scenario {path}:{exc.line}: {exc.says}") from exc
        except ValidationError as exc:
            first = exc.errors()[0]
            place = ".".join(map(str, first["loc"])) or "it"
            raise ConfigError(f"{path} is no scenario: {place}: {first['msg']}") from exc

    def __call__(self, request: ReceivedRequest) -> ScriptedReply:
        """The reply of the first line that fits a request."""
        text = request.text
        with self._lock:
            for number, line in enumerate(self._file.lines):
                if line.times is not None and self._used[number] >= line.times:
                    continue
                if line.when.fits(request) and (values := line.find_values(text)) is not None:
                    self._used[number] += 1
                    return line.filled_reply(values)
        if request.is_probe:
            return ScriptedReply(text="Well.")
        if self._file.otherwise is not None:
            return self._file.otherwise.filled_reply(self._file.otherwise.find_values(text) or {})
        problem = f"no line of {self._name} answers this question: {request.last[:_QUOTED]}"
        return ScriptedReply(status=500, body=refusal(problem, "InternalServerError", 500))


def _text(reply: JsonValue, values: Mapping[str, str]) -> str:
    if isinstance(reply, str):
        return _fill(reply, values)
    return json.dumps(_put_in(reply, values), ensure_ascii=False)


def _put_in(value: Any, values: Mapping[str, str]) -> Any:  # Any: JSON
    if isinstance(value, str):
        return _number_or_text(value, values)
    if isinstance(value, dict):
        return {key: _put_in(each, values) for key, each in value.items()}
    return [_put_in(each, values) for each in value] if isinstance(value, list) else value


def _number_or_text(value: str, values: Mapping[str, str]) -> int | str:
    """A number where a text is nothing but a hole with a number in it: `element: ${button}`."""
    filled = _fill(value, values)
    return int(filled) if _HOLE.fullmatch(value) and filled.isdecimal() else filled


def _fill(text: str, values: Mapping[str, str]) -> str:
    return _HOLE.sub(lambda hole: values.get(hole[1], hole[0]), text)
