"""Terraform configurations for every resource type, made from the provider's schema.

Each type comes in three variants: `full` gives every field that it can, `small` only what is
required, and `other` takes the other branch of every condition. References lead to `full` items.
"""

import json
import re
from graphlib import CycleError, TopologicalSorter

from practice_provider.spec import Field, Kind, kinds

KINDS = kinds()
VARIANTS = ("full", "small", "other")
HEAD = """\
terraform {
  required_providers {
    practice = {
      source = "practice.appliance.local/appliance/practice"
    }
  }
}
"""
_TEXTS = ("example", "example-text", "443", "/example", "ops@example.com", "+47 22 00 00 00")
_SIMPLE = {
    "date": ("2027-01-15", "2027-02-01"),
    "time": ("04:30", "05:45"),
    "tags": ({"env": "test"}, {"env": "changed", "new": "1"}),
}
"""Values at first, and changed."""


class Raw(str):
    """An expression, as opposed to a text."""


def type_of(kind):
    return "practice_" + kind.name.replace("-", "_")


def address(kind, variant):
    return f"{type_of(kind)}.{variant}"


def _ranks():
    """Kinds in the order in which they can be made; references that close a circle are left."""
    needs = {name: set() for name in KINDS}
    fields = [(kind.name, field) for kind in KINDS.values() for field in kind.fields]
    for name, field in sorted(fields, key=lambda each: not _is_needed(each[1])):
        if field.refers_to and not field.shown_if:
            needs[name].add(field.refers_to)
            if not _is_needed(field) and not _has_order(needs):
                needs[name].remove(field.refers_to)
    return {name: rank for rank, name in enumerate(TopologicalSorter(needs).static_order())}


def _is_needed(field):
    return bool(field.refers_to) and field.required and not field.shown_if


def _has_order(needs):
    try:
        TopologicalSorter(needs).prepare()
    except CycleError:
        return False
    return True


RANKS = _ranks()


def conditions(kind, name):
    """The values of a field that other fields depend on, each field's first first."""
    found = [f.shown_if.values for f in kind.fields if f.shown_if and f.shown_if.field == name]
    return [value for values in found for value in values]


def values(kind, variant, *, edited=False, replaced=False):
    """What a block says, by field.

    Args:
        kind: The type.
        variant: Which one.
        edited: Whether the fields that can be edited have other values than at first.
        replaced: Whether the fields that cannot be edited have.
    """
    said = {}
    for field in kind.fields:
        is_changed = edited if kind.is_editable(field.name) else replaced
        if (
            field.generated
            or not _is_asked(kind, field, said)
            or not _is_given(field, kind, variant)
        ):
            continue
        value = _branch(kind, field, variant)
        if value is None:
            value = sample(kind, field, variant, is_changed)
        said[field.name] = value
    return said


def is_changeable(kind, field, variant):
    """Whether `values` can change a field."""
    first = values(kind, variant).get(field.name)
    return (
        first is not None and first != values(kind, variant, edited=True, replaced=True)[field.name]
    )


def _is_asked(kind, field, said):
    if field.shown_if is None:
        return True
    other = kind.field(field.shown_if.field)
    return said.get(other.name, other.default) in field.shown_if.values


def _is_given(field, kind, variant):
    if field.required and field.default is None:
        return True
    is_backwards = bool(field.refers_to) and RANKS[field.refers_to] >= RANKS[kind.name]
    match variant:
        case "full":
            return not is_backwards
        case "other":
            return is_backwards or bool(conditions(kind, field.name)) or field.shown_if is not None
        case _:
            return False


def _branch(kind, field, variant):
    """A value that other fields depend on; None: none do."""
    branches = conditions(kind, field.name)
    if not branches:
        return None
    if field.kind == "boolean" or variant != "other":
        return branches[0] if variant == "full" else field.default
    others = [v for v in (*branches, *field.options) if v != branches[0]]
    return others[0] if others else branches[0]


def sample(kind, field: Field, variant, is_changed):
    """A value that the cloud takes."""
    pick = 1 if is_changed else 0
    if field.kind in _SIMPLE:
        return _SIMPLE[field.kind][pick]
    match field.kind:
        case "number":
            start = field.min if field.default is None else field.default
            return min(start + 1 + pick, field.max - 1 + pick)
        case "boolean":
            return field.required or (field.default is True) == is_changed
        case "choice":
            others = [option for option in field.options if option != field.default]
            return (*field.options[:1], *others)[-1 - pick]
        case "choices":
            return list(field.options[: 1 + pick])
        case "reference" | "references":
            return _reference(kind, field, variant, is_changed)
        case "cidr":
            return _range(field, variant, pick)
        case "file":
            content = Raw(f'base64encode("content {variant} {pick}")')
            return {"content": content, "name": field.example}
        case "code" if field.language == "json":
            return (field.example or field.default or "{}") + " " * pick
        case _:
            return _text(field, variant, is_changed)


def _range(field, variant, pick):
    """An address range; those within another must not overlap."""
    if field.within:
        return f"10.0.{VARIANTS.index(variant) + 1 + 10 * pick}.0/24"
    return "10.0.0.0/8" if pick else field.example or field.default


def _reference(kind, field, variant, is_changed):
    target = KINDS[field.refers_to]
    full = Raw(address(target, "full") + ".id")
    small = Raw(address(target, "small") + ".id")
    is_free = not field.within and not any(other.within == field.name for other in kind.fields)
    chosen = small if is_changed and is_free else full
    return chosen if field.kind == "reference" else [chosen]


def _text(field, variant, is_changed):
    """Texts that differ between variants, and are accepted."""
    ending = variant[0] + ("2" if is_changed else "")
    bases = [text for text in (field.example, field.default) if text] or list(_TEXTS)
    for base in bases:
        for text in (
            f"{base}-{ending}",
            f"{ending}.{base}",
            f"{base}{ending}",
            f"{base}{ending[1:]}",
        ):
            if _is_fine(field, text):
                return text
    fine = [text for text in bases if _is_fine(field, text)]
    if not fine:
        raise AssertionError(f"{field.name} ({field.label}) needs an example that is accepted")
    return fine[0]


def _is_fine(field, text):
    is_long_enough = field.min_length <= len(text) <= field.max_length
    return is_long_enough and (not field.pattern or re.fullmatch(field.pattern, text) is not None)


def block(kind: Kind, variant, said):
    """A resource block; every attribute stands on a line of its own."""
    lines = []
    for name, value in said.items():
        attribute = kind.field(name).attribute
        if kind.field(name).kind == "file":
            lines.append(f"  {attribute} = {expression(value['content'])}")
            lines.append(f"  {attribute}_name = {expression(value['name'])}")
        else:
            lines.append(f"  {attribute} = {expression(value)}")
    return "\n".join([f'resource "{type_of(kind)}" "{variant}" {{', *lines, "}", ""])


def everything(*, edited=False, replaced=False):
    """All variants of all types; only `full` is ever changed."""
    blocks = []
    for kind in KINDS.values():
        for variant in VARIANTS:
            is_full = variant == "full"
            said = values(kind, variant, edited=edited and is_full, replaced=replaced and is_full)
            blocks.append(block(kind, variant, said))
    return HEAD + "\n".join(blocks)


def expression(value):
    """A value as HCL."""
    match value:
        case Raw():
            return str(value)
        case list():
            return "[" + ", ".join(map(expression, value)) + "]"
        case dict():
            return (
                "{"
                + ", ".join(f"{expression(k)} = {expression(v)}" for k, v in value.items())
                + "}"
            )
        case str():
            return json.dumps(value, ensure_ascii=False).replace("${", "$${").replace("%{", "%%{")
        case _:
            return json.dumps(value)
