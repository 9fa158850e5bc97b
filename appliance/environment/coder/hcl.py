"""A look at what a model wrote, before anything runs: only what is known to be harmless passes."""

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from appliance.environment.coder._counting import Counter
from appliance.environment.coder._reading import Unreadable, problem, read
from appliance.environment.coder._resources import Look
from appliance.environment.coder._scope import Scope
from appliance.environment.coder._syntax import Block, Expression, Text
from appliance.environment.coder._writing import as_hcl, written
from appliance.environment.coder.allowed import NAME_IT, Allowed
from appliance.environment.coder.schema import ResourceType
from appliance.environment.terraform.types import Diagnostic

NAME = "name"
"""The one variable that is given to a configuration: it carries the attempt's marker."""
OUTPUTS = ("id", "name")
"""What every configuration has to put out, as every module does."""
_LABELS = {"resource": 2, "data": 2, "variable": 1, "output": 1, "locals": 0}
"""The blocks that there may be, and how many labels they have."""
_ATTRIBUTES = {
    "variable": frozenset({"type", "default", "description", "nullable"}),
    "output": frozenset({"value", "description", "depends_on"}),
}
_TYPES = ("string", "number", "bool", "list(string)", "map(string)")
"""Types of variables: those of `module.yaml`."""
_HEAD = """\
terraform {{
  required_providers {{
    {provider} = {{
      source = "{source}"
    }}
  }}
}}
"""


class Refused(Exception):
    """A configuration that must not run, with all that is wrong with it."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__("; ".join(map(str, diagnostics)))
        self.diagnostics = diagnostics


@dataclass(frozen=True, slots=True)
class Draft:
    """A configuration that may run."""

    blocks: tuple[Block, ...]

    def of(self, *kinds: str) -> tuple[Block, ...]:
        """Its blocks of these kinds."""
        return tuple(block for block in self.blocks if block.kind in kinds)

    def files(self, provider: str, source: str) -> Mapping[str, str]:
        """Its text by file, as a module has it, written anew.

        Args:
            provider: The local name of the one provider that it needs.
            source: Where that comes from.
        """
        head = _HEAD.format(provider=provider, source=source)
        return {
            "main.tf": f"{head}\n{written(self.of('locals', 'data', 'resource'))}",
            "variables.tf": written(self.of("variable")),
            "outputs.tf": written(self.of("output")),
        }

    def write(self, folder: Path, provider: str, source: str) -> None:
        """Put these files into a folder, which is made."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in self.files(provider, source).items():
            (folder / name).write_text(text, encoding="utf-8")

    @property
    def text(self) -> str:
        """All of it in one text."""
        return written(self.of("variable", "locals", "data", "resource", "output"))


def look(text: str, allowed: Allowed) -> Draft:
    """The configuration that a text in HCL says, where all of it is allowed.

    Raises:
        Refused: It is not; every problem is named.
    """
    try:
        draft = Draft(read(text))
        problems = tuple(_problems(draft, allowed))
        _ = draft.text  # that it can be written as well
    except Unreadable as exc:
        raise Refused((exc.diagnostic,)) from exc
    except RecursionError as exc:  # sums of thousands of numbers, and the like
        raise Refused((problem(None, "is nested too deeply", "Write less."),)) from exc
    if problems:
        raise Refused(problems)
    return draft


def _problems(draft: Draft, allowed: Allowed) -> Iterator[Diagnostic]:
    shapes = [*_wrong_shapes(draft)]
    yield from shapes
    if shapes:
        return  # the rest presumes them
    scope = Scope(addresses=frozenset(_addresses(draft)))
    counter = Counter(dict(_values(draft)))
    yield from _wrong_interface(draft)
    for block in draft.of("variable", "output", "locals"):
        yield from _wrong_simple(block, scope)
    counts = {"resource": 0, "data": 0}
    for block in draft.of("resource", "data"):
        known = allowed.schema.resources if block.kind == "resource" else allowed.schema.data
        if block.labels[0] not in known:
            yield _wrong_type(block, known, allowed.unpriced)
            continue
        found = Look(block, scope, counter, allowed.max_resources)
        yield from found.problems(known[block.labels[0]])
        counts[block.kind] += found.instances
    for kind, count in counts.items():
        if count > allowed.max_resources:
            yield problem(
                None,
                f"makes {count} {'resources' if kind == 'resource' else 'look-ups'}",
                f"At most {allowed.max_resources} are allowed (max_resources).",
            )
    if not counts["resource"] and not draft.of("resource"):
        yield problem(None, "makes nothing", "Write at least one resource.")


def _wrong_shapes(draft: Draft) -> Iterator[Diagnostic]:
    seen: set[str] = set()
    for block in draft.blocks:
        labels = _LABELS.get(block.kind)
        if labels is None:
            yield problem(
                block,
                f"`{block.kind}` blocks are not allowed",
                f"Only {', '.join(_LABELS)} are. The provider is set up already.",
            )
        elif len(block.labels) != labels:
            yield problem(block, f"a `{block.kind}` block has {labels} labels")
        elif labels and block.address in seen:
            yield problem(block, "is there twice")
        seen.add(block.address)


def _addresses(draft: Draft) -> Iterator[str]:
    for block in draft.blocks:
        match block.kind:
            case "variable":
                yield f"var.{block.labels[0]}"
            case "locals":
                yield from (f"local.{attribute.name}" for attribute in block.attributes)
            case "resource" | "data":
                yield block.address


def _values(draft: Draft) -> Iterator[tuple[str, Expression]]:
    for block in draft.of("variable"):
        if (value := block.get("default")) is not None:
            yield f"var.{block.labels[0]}", value
    for block in draft.of("locals"):
        yield from ((f"local.{a.name}", a.value) for a in block.attributes)


def _wrong_interface(draft: Draft) -> Iterator[Diagnostic]:
    """What goes in and what comes out, as every module has it."""
    variables = {block.labels[0]: block for block in draft.of("variable")}
    if NAME not in variables:
        says = f'Write: variable "{NAME}" {{ type = string }}, and use it in every name.'
        yield problem(None, f"the variable `{NAME}` is missing", says)
    for name, block in variables.items():
        kind = block.get("type")
        written_type = "".join(as_hcl(kind).split()) if kind is not None else "none"
        if written_type not in _TYPES:
            says = f"One of {', '.join(_TYPES)}."
            yield problem(block, f"has the type {written_type}", says)
        if name == NAME and (written_type != "string" or block.get("default") is not None):
            yield problem(block, "must be a string without a default: it is given")
        if name != NAME and block.get("default") is None:
            yield problem(block, "has no default", f"Only `{NAME}` is given.")
    outputs = {block.labels[0] for block in draft.of("output")}
    for name in OUTPUTS:
        if name not in outputs:
            says = "It says the id and the name of the thing that was asked for."
            yield problem(None, f"the output `{name}` is missing", says)


def _wrong_simple(block: Block, scope: Scope) -> Iterator[Diagnostic]:
    """Variables, outputs and locals."""
    for inside in block.blocks:
        yield problem(block, f"`{inside.kind}` is not allowed in it", line=inside.line)
    known = _ATTRIBUTES.get(block.kind)
    here = scope
    if block.kind == "variable":
        here = Scope(addresses=frozenset())  # nothing can be referred to
    for attribute in block.attributes:
        if known is not None and attribute.name not in known:
            says = f"Only {', '.join(sorted(known))}."
            yield problem(block, f"`{attribute.name}` is not allowed in it", says, attribute.line)
        elif block.kind == "variable" and attribute.name == "type":
            continue  # looked at above
        elif attribute.name == "description" and not _is_plain(attribute.value):
            yield problem(block, "its description is no plain text", line=attribute.line)
        else:
            for says in here.problems(attribute.value):
                yield problem(block, says, line=attribute.line)


def _is_plain(value: Expression) -> bool:
    return isinstance(value, Text) and value.plain is not None


def _wrong_type(
    block: Block, known: Mapping[str, ResourceType], unpriced: frozenset[str]
) -> Diagnostic:
    wanted = block.labels[0]
    if block.kind == "resource" and wanted in unpriced:
        return problem(block, f"nobody knows what a {wanted} costs", NAME_IT)
    near = difflib.get_close_matches(wanted, known, n=3)
    says = f"Near it: {', '.join(near)}." if near else ""
    what = "resource type" if block.kind == "resource" else "data source"
    return problem(block, f"the {what} {wanted} is not allowed", says)
