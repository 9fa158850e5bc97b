"""A module's Terraform files, held against its `module.yaml`."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from appliance.environment.modules.reading import MODULE_FILE, OUTPUTS, Problem
from appliance.environment.modules.types import Module, Variable

FILES = ("main.tf", "variables.tf", "outputs.tf")
JSON_FILE = "main.tf.json"
"""In place of these: all of a module that a model wrote."""
_LABELS = {"resource": 2, "data": 2, "variable": 1, "output": 1}
RESERVED = frozenset(
    {"source", "version", "providers", "count", "for_each", "lifecycle", "depends_on", "locals"}
)
"""Names that Terraform gives to no variable."""

Block = dict[str, Any]  # Any: what python-hcl2 makes of HCL


@dataclass(frozen=True, slots=True)
class Parsed:
    """What is in a module's files, with the text of each for the places."""

    blocks: dict[str, list[Block]] = field(default_factory=dict)
    """By kind: `variable`, `resource`, …"""
    texts: dict[str, str] = field(default_factory=dict)

    def named(self, kind: str) -> dict[str, Block]:
        """The blocks with exactly one label, by that label."""
        return {
            unquote(label): body
            for block in self.blocks.get(kind, ())
            for label, body in block.items()
        }

    def place(self, kind: str, *labels: str) -> tuple[str, int]:
        """File and line of a block; the first line of the file where it should be, else."""
        words = " ".join((kind, *(f'"{label}"' for label in labels)))
        pattern = re.compile(rf"\s*{re.escape(words)}(\s|$)")
        for file, text in self.texts.items():
            for number, line in enumerate(text.splitlines(), 1):
                if pattern.match(line):
                    return file, number
        return next((f for f in self.texts if Path(f).stem.startswith(kind)), min(self.texts)), 1


def parse(module: Module) -> tuple[Parsed, tuple[Problem, ...]]:
    """What is in a module's Terraform files, and those of them that are missing or no Terraform."""
    parsed = Parsed()
    missing = [
        _in_yaml(module, "", f"{name} is missing beside it")
        for name in FILES
        if not ((module.folder / name).is_file() or (module.folder / JSON_FILE).is_file())
    ]
    return parsed, (*missing, *_parsed_into(module.folder, parsed))


def wrong_interface(module: Module, parsed: Parsed) -> Iterator[Problem]:
    """Where the variables and outputs are not those of `module.yaml`."""
    yield from _wrong_variables(module, parsed)
    yield from _wrong_outputs(module, parsed)


def unquote(text: str) -> str:
    """A label or text without its quotation marks."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def _parsed_into(folder: Path, parsed: Parsed) -> Iterator[Problem]:
    # The grammar takes a moment to load, and who only plans never needs it.
    import hcl2
    from lark.exceptions import LarkError, UnexpectedInput

    for file in sorted([*folder.glob("*.tf"), *folder.glob(JSON_FILE)]):
        try:
            text = file.read_text(encoding="utf-8")
            blocks = _of_json(text) if file.name == JSON_FILE else hcl2.loads(text)
        except (OSError, UnicodeDecodeError) as exc:
            yield Problem(str(file), 1, f"cannot be read: {exc}")
        except UnexpectedInput as exc:
            line = exc.line if exc.line > 0 else text.count("\n") + 1
            shown = next(iter(text.splitlines()[line - 1 :]), "").strip()
            yield Problem(str(file), line, f"is no Terraform: syntax error at `{shown}`")
        except (LarkError, RecursionError, ValueError) as exc:
            yield Problem(str(file), 1, f"is no Terraform: {exc}")
        else:
            parsed.texts[str(file)] = text
            for kind, entries in blocks.items():
                if isinstance(entries, list):
                    parsed.blocks.setdefault(kind, []).extend(entries)


def _of_json(text: str) -> dict[str, list[Block]]:
    """The blocks of a JSON file in the shape in which python-hcl2 gives them."""
    document = json.loads(text)
    if not isinstance(document, dict):
        raise ValueError("a configuration is a JSON object")
    return {kind: [_labelled(body, _LABELS.get(kind, 0))] for kind, body in document.items()}


def _labelled(value: Any, labels: int) -> Any:  # Any: as above
    """A block's body, so many names within; only the body is changed."""
    if not isinstance(value, dict):
        raise ValueError("each block stands in a JSON object, by its names")
    if not labels:
        return _as_hcl(value)
    return {label: _labelled(inner, labels - 1) for label, inner in value.items()}


def _as_hcl(value: Any) -> Any:  # Any: as above
    """Texts in quotation marks, but for expressions; any object may be a block."""
    match value:
        case str() if "${" not in value:
            return json.dumps(value, ensure_ascii=False)
        case list():
            return [_as_hcl(inner) for inner in value]
        case dict():
            return {key: _as_hcl(inner) for key, inner in value.items()} | {"__is_block__": True}
    return value


def _wrong_variables(module: Module, parsed: Parsed) -> Iterator[Problem]:
    declared = parsed.named("variable")
    for name in declared.keys() - module.variables.keys():
        yield Problem(*parsed.place("variable", name), f"variable `{name}` is not in {MODULE_FILE}")
    for name, variable in module.variables.items():
        if name in RESERVED:
            yield _in_yaml(
                module, name, f"Terraform keeps the name `{name}` for itself: use `word`"
            )
        elif name not in declared:
            yield _in_yaml(module, name, f"variable `{name}` is not in variables.tf")
        elif says := _wrong_variable(variable, declared[name]):
            yield Problem(*parsed.place("variable", name), f"variable `{name}` {says}")


def _wrong_variable(variable: Variable, block: Block) -> str:
    kind = "".join(
        unquote(str(block.get("type", "any"))).removeprefix("${").removesuffix("}").split()
    )
    if kind != variable.type:
        return f"is a {kind} here and a {variable.type} in {MODULE_FILE}"
    if variable.is_required and "default" in block:
        return f"has a default here and is required in {MODULE_FILE}"
    if not variable.is_required and "default" not in block:
        return f"has no default here and is not required in {MODULE_FILE}"
    default = _literal(block.get("default"))
    if default != variable.default and not variable.is_required:
        in_code, ours = (json.dumps(v, ensure_ascii=False) for v in (default, variable.default))
        return f"has the default {in_code} here and {ours} in {MODULE_FILE}"
    return ""


def _literal(value: Any) -> Any:  # Any: as above
    """A default as a value; Terraform allows no expression there."""
    match value:
        case str() if value.startswith('"'):
            return _text(value)
        case list():
            return [_literal(inner) for inner in value]
        case dict():
            attributes = {key: inner for key, inner in value.items() if not key.startswith("__")}
            return {unquote(key): _literal(inner) for key, inner in attributes.items()}
    return value


def _text(quoted: str) -> str:
    """A text in quotation marks, as what it means; one that is written oddly stays as it is."""
    try:
        return str(json.loads(quoted.replace("$${", "${").replace("%%{", "%{"), strict=False))
    except ValueError:
        return quoted


def _wrong_outputs(module: Module, parsed: Parsed) -> Iterator[Problem]:
    declared = parsed.named("output")
    for name in OUTPUTS:
        if name not in declared:
            yield Problem(*parsed.place("output"), f"output `{name}` is missing")
    for name in module.outputs.keys() - declared.keys() - set(OUTPUTS):
        yield _in_yaml(module, name, f"output `{name}` is not in outputs.tf")
    for name in declared.keys() - module.outputs.keys():
        yield Problem(*parsed.place("output", name), f"output `{name}` is not in {MODULE_FILE}")


def _in_yaml(module: Module, key: str, says: str) -> Problem:
    """A problem at the line of `module.yaml` that begins with a key."""
    file = module.folder / MODULE_FILE
    lines = file.read_text(encoding="utf-8").splitlines()
    line = next((n for n, t in enumerate(lines, 1) if key and t.strip().startswith(key + ":")), 1)
    return Problem(str(file), line, says)
