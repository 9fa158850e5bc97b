"""Checks a configuration that a model wrote, before it runs; only harmless ones pass."""

import difflib
import re
from collections.abc import Callable, Generator, Iterator, Mapping
from itertools import islice

from appliance.core.jsonable import Json
from appliance.core.near import meant
from appliance.environment.coder.allowed import NAME_IT, Allowed
from appliance.environment.coder.draft import LABELS, Block, Body, Draft, Refused, problem
from appliance.environment.coder.schema import ResourceType
from appliance.environment.coder.scope import Scope, texts
from appliance.environment.coder.templates import Unreadable, template
from appliance.environment.terraform import Diagnostic

NAME = "name"
"""The only variable passed to a configuration; it carries the attempt's marker."""
OUTPUTS = ("id", "name")
"""Outputs that every configuration must have, as every module does."""
_ATTRIBUTES = {
    "variable": frozenset({"type", "default", "description", "nullable"}),
    "output": frozenset({"value", "description", "depends_on"}),
}
_TYPES = ("string", "number", "bool", "list(string)", "map(string)")
"""Types of variables, the same as in `module.yaml`."""
_META_ARGUMENTS = frozenset({"count", "for_each", "depends_on"})
"""Meta-arguments of Terraform that a resource may use."""
_RESERVED = _META_ARGUMENTS | {
    "provider",
    "lifecycle",
    "provisioner",
    "connection",
    "_",
    "providers",
}
"""All words of a resource that Terraform itself interprets."""
_MAX_DEPTH = 40
"""Nesting depth of lists and objects."""
_MAX_PROBLEMS = 20
"""Problems to report: a model can write thousands, and each is compared with all names."""
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_CONTROL_CHARACTER = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff]"
)
"""Characters that no text needs, such as those that hide others or reverse the line."""


def check_configuration(configuration: Body, allowed: Allowed) -> Draft:
    """Check that all of a configuration is allowed and return it as a draft.

    Raises:
        Refused: It is not; names the first problems.
    """
    draft = Draft(configuration)
    try:
        problems = tuple(islice(_problems(draft, allowed), _MAX_PROBLEMS))
        _ = draft.text  # that it can be written as well
    except ValueError as exc:
        raise Refused(problem("", f"cannot be written: {exc}")) from exc
    except RecursionError as exc:
        raise Refused(problem("", "is nested too deeply", "Write less.")) from exc
    if problems:
        raise Refused(*problems)
    return draft


def _problems(draft: Draft, allowed: Allowed) -> Iterator[Diagnostic]:
    shape_problems = [*_text_problems(draft), *_shape_problems(draft)]
    yield from shape_problems
    if shape_problems:
        return  # the rest presumes them
    scope = Scope(addresses=frozenset(_addresses(draft)), values=dict(_values(draft)))
    yield from _interface_problems(draft)
    for block in draft.of("variable", "output", "locals"):
        yield from _simple_block_problems(block, scope)
    counts = {"resource": 0, "data": 0}
    for block in draft.of("resource", "data"):
        types = allowed.schema.resources if block.kind == "resource" else allowed.schema.data
        if block.labels[0] not in types:
            yield _unknown_type(block, types, allowed.unpriced)
            continue
        checker = _BlockChecker(block, scope, allowed.max_resources)
        yield from checker.problems(types[block.labels[0]])
        counts[block.kind] += checker.instances
    for kind, count in counts.items():
        if count > allowed.max_resources:
            yield problem(
                "",
                f"makes {count} {'resources' if kind == 'resource' else 'look-ups'}",
                f"At most {allowed.max_resources} are allowed (max_resources).",
            )
    if not draft.of("resource"):
        yield problem("", "makes nothing", "Write at least one resource.")


def _text_problems(draft: Draft) -> Iterator[Diagnostic]:
    if _depth(dict(draft.configuration)) > _MAX_DEPTH:
        yield problem("", f"has more than {_MAX_DEPTH} brackets within brackets", "Write less.")
    for text in texts(dict(draft.configuration)):
        if control := _CONTROL_CHARACTER.search(text):
            yield problem("", f"has the control character U+{ord(control[0]):04X}")
            return


def _depth(value: Json) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, inner), default=0)


def _shape_problems(draft: Draft) -> Iterator[Diagnostic]:
    for kind, value in draft.configuration.items():
        if kind not in LABELS:
            says = f"Only {', '.join(LABELS)} are. The provider is set up already."
            yield problem("", f"`{kind}` blocks are not allowed", says)
        else:
            yield from _wrong_labels(kind, value, LABELS[kind])


def _wrong_labels(address: str, value: Json, deeper: int) -> Iterator[Diagnostic]:
    if not isinstance(value, dict):
        yield problem("", f"`{address}` is no JSON object")
        return
    for label, inner in value.items() if deeper else ():
        if _WORD.fullmatch(label):
            yield from _wrong_labels(f"{address}.{label}", inner, deeper - 1)
        else:
            yield problem("", f"`{label}` in `{address}` is no plain name")


def _addresses(draft: Draft) -> Iterator[str]:
    yield from (block.address for block in draft.of("resource", "data"))
    yield from (f"var.{block.labels[0]}" for block in draft.of("variable"))
    yield from (f"local.{name}" for block in draft.of("locals") for name in block.body)


def _values(draft: Draft) -> Iterator[tuple[str, Json]]:
    for block in draft.of("variable"):
        yield f"var.{block.labels[0]}", block.body.get("default")
    for block in draft.of("locals"):
        yield from ((f"local.{name}", value) for name, value in block.body.items())


def _interface_problems(draft: Draft) -> Iterator[Diagnostic]:
    """Problems of the variables and outputs that every module has."""
    variables = {block.labels[0]: block for block in draft.of("variable")}
    if NAME not in variables:
        hint = f'Write "variable": {{"{NAME}": {{"type": "string"}}}}, and use it in every name.'
        yield problem("", f"the variable `{NAME}` is missing", hint)
    for name, block in variables.items():
        type_name = block.body.get("type", "none")
        if type_name not in _TYPES:
            yield problem(
                block.address, f"has the type {type_name}", f"One of {', '.join(_TYPES)}."
            )
        if name == NAME and (type_name != "string" or "default" in block.body):
            yield problem(block.address, "must be a string without a default: it is given")
        if name != NAME and "default" not in block.body:
            yield problem(block.address, "has no default", f"Only `{NAME}` is given.")
    outputs = {block.labels[0] for block in draft.of("output")}
    for name in OUTPUTS:
        if name not in outputs:
            hint = "It says the id and the name of the thing that was asked for."
            yield problem("", f"the output `{name}` is missing", hint)


def _simple_block_problems(block: Block, scope: Scope) -> Iterator[Diagnostic]:
    """Problems of a variable, output or locals block."""
    allowed_names = _ATTRIBUTES.get(block.kind)
    for name, value in block.body.items():
        if allowed_names is not None and name not in allowed_names:
            message = f"Only {', '.join(sorted(allowed_names))}."
            yield problem(block.address, f"`{name}` is not allowed in it", message)
        elif not _WORD.fullmatch(name):
            yield problem(block.address, f"`{name}` is no plain name")
        elif block.kind == "variable" or name == "description":
            # Terraform takes these texts as they stand, so they must not look like anything else.
            if not all(map(_is_plain, texts(value))):
                yield problem(block.address, f"its {name} is no plain text")
        else:
            is_list = block.kind == "output" and name == "depends_on"
            check = scope.wrong_addresses if is_list else scope.problems
            yield from (_field_problem(block, name, message) for message in check(value))


def _is_plain(text: str) -> bool:
    try:
        return template(text).is_plain
    except Unreadable:
        return False


def _field_problem(block: Block, name: str, message: str) -> Diagnostic:
    return problem(block.address, f"`{name}`: {message}")


def _unknown_type(
    block: Block, known: Mapping[str, ResourceType], unpriced: frozenset[str]
) -> Diagnostic:
    type_name = block.labels[0]
    if block.kind == "resource" and type_name in unpriced:
        return problem(block.address, f"nobody knows what a {type_name} costs", NAME_IT)
    close_matches = difflib.get_close_matches(type_name, known, n=3)
    hint = f"Near it: {', '.join(close_matches)}." if close_matches else ""
    noun = "resource type" if block.kind == "resource" else "data source"
    return problem(block.address, f"the {noun} {type_name} is not allowed", hint)


class _BlockChecker:
    """Checks one resource or data source."""

    def __init__(self, block: Block, scope: Scope, max_instances: int) -> None:
        self.instances = 1
        self._block = block
        self._scope = scope
        self._max_instances = max_instances

    def problems(self, kind: ResourceType) -> Iterator[Diagnostic]:
        """All problems of the block."""
        body, scope = self._block.body, self._scope
        if "count" in body and "for_each" in body:
            yield problem(self._block.address, "has both count and for_each")
        if "count" in body:
            self.instances = yield from self._count(body["count"], "count", scope.number)
            scope = scope.with_word("count")
        elif "for_each" in body:
            self.instances = yield from self._count(body["for_each"], "for_each", scope.items)
            scope = scope.with_word("each")
        yield from self._body(body, kind, scope, permitted=_META_ARGUMENTS)

    def _count(
        self, value: Json, word: str, count: Callable[[Json], int | None]
    ) -> Generator[Diagnostic, None, int]:
        """Return the number of instances, at least one; yield problems with it."""
        number = count(value)
        if number is None:
            hint = "Write a number, a list or a map, or a variable or local that is one."
            yield problem(self._block.address, f"how many its {word} makes cannot be told", hint)
        elif number > self._max_instances:
            hint = f"At most {self._max_instances} are allowed."
            yield problem(self._block.address, f"its {word} makes {number}", hint)
        else:
            return number
        return 1

    def _body(
        self, body: Body, kind: ResourceType, scope: Scope, permitted: frozenset[str] = frozenset()
    ) -> Iterator[Diagnostic]:
        for name, value in body.items():
            if name in _RESERVED - permitted:
                yield self._not_allowed(name)
            elif name == "depends_on":
                yield from (
                    _field_problem(self._block, name, s) for s in scope.wrong_addresses(value)
                )
            elif name == "dynamic":
                yield from self._dynamic(value, kind, scope)
            elif name in kind.blocks:
                for nested in value if isinstance(value, list) else [value]:
                    if isinstance(nested, dict):
                        yield from self._body(nested, kind.blocks[name], scope)
                    else:
                        yield problem(self._block.address, f"`{name}` is no JSON object")
            elif name in kind.fields or name in permitted:
                yield from (
                    _field_problem(self._block, name, message) for message in scope.problems(value)
                )
            else:
                close_match = meant(name, kind.fields)
                message = f"Is {close_match} meant?" if close_match else ""
                summary = f"{kind.name} has no attribute `{name}`"
                yield problem(self._block.address, summary, message)

    def _dynamic(self, value: Json, kind: ResourceType, scope: Scope) -> Iterator[Diagnostic]:
        """`{"NAME": {"for_each": …, "content": {…}}}`."""
        if not isinstance(value, dict):
            yield self._not_allowed("dynamic")
            return
        for label, body in value.items():
            block_type = None if label in _RESERVED else kind.blocks.get(label)
            match body:
                case {"for_each": items, "content": dict(content), **rest} if (
                    block_type and not rest
                ):
                    yield from self._count(items, "dynamic for_each", scope.items)
                    yield from (
                        _field_problem(self._block, "dynamic", s) for s in scope.problems(items)
                    )
                    yield from self._body(content, block_type, scope.with_word(label))
                case _:
                    hint = "It has for_each and content, and is called like a nested block."
                    yield problem(self._block.address, "a `dynamic` block is not allowed", hint)

    def _not_allowed(self, word: str) -> Diagnostic:
        return problem(self._block.address, f"`{word}` is not allowed in it", "Leave it out.")
