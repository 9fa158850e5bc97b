"""Add checks to a checks file and leave everything else in it unchanged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from appliance.core.checks import Checks
from appliance.core.errors import DocumentError
from appliance.core.procedure import LeftOut, Procedure
from appliance.documents._checks_plain import Plain, as_yaml, plain_checks
from appliance.documents.checks import SUFFIX, procedures_named, read_checks
from appliance.system.yaml import Dumper, YamlError, compose

_RULES = "expect"
"""The key whose value is replaced."""


def sidecar_of(document: Path) -> Path:
    """The existing checks file next to a document, else the path for a new one."""
    with_full_name = document.with_name(document.name + SUFFIX)
    return with_full_name if with_full_name.is_file() else document.with_suffix(SUFFIX)


def checks_as_yaml(entries: Mapping[str, Checks]) -> str:
    """A whole checks file with these entries."""
    return as_yaml(
        {"procedures": {key: plain_checks(entry_checks) for key, entry_checks in entries.items()}}
    )


def key_of(procedure: Procedure, procedures: Sequence[Procedure]) -> str:
    """The shortest key that names a procedure of a document."""
    tail = procedure.id.rsplit("/", 1)[-1]
    is_only = sum(other.id.rsplit("/", 1)[-1] == tail for other in procedures) == 1
    return tail if is_only else procedure.id


def with_checks(
    text: str,
    procedure: Procedure,
    checks: Checks,
    procedures: Sequence[Procedure],
    *,
    file: str,
    left_out: Sequence[LeftOut] = (),
    replace: bool = False,
) -> str:
    """The text of a checks file with the checks of a procedure in it.

    Args:
        text: Text of the file; empty if there is none.
        procedure: The procedure that the checks are for.
        checks: All its checks; existing entries are left unchanged.
        procedures: All procedures of the document.
        file: The name of the file, for messages.
        left_out: Sections of the document that are not carried out.
        replace: Whether existing rules are replaced.

    Raises:
        DocumentError: There are rules already, or the file is written in a way that cannot be
            extended; the message says what to do.
    """
    old_checks = read_checks(text, file, procedures, file, left_out)
    editor = _Editor(text, file)
    keys = editor.keys()
    key = next((k for k in keys if procedure in procedures_named(k, procedures)), None)
    if key is not None and editor.has(key, _RULES) and not replace:
        raise DocumentError(f"{file}: {key} has rules under `{_RULES}`: --force replaces them")
    entry = plain_checks(checks)
    expected = {
        id: plain_checks(procedure_checks) for id, procedure_checks in old_checks.items()
    } | {procedure.id: entry}
    try:
        if key is None:
            new = editor.with_entry(key_of(procedure, procedures), entry)
        else:
            new = editor.with_keys(key, entry)
        parsed = read_checks(new, file, procedures, file, left_out)
        is_as_expected = {
            id: plain_checks(procedure_checks) for id, procedure_checks in parsed.items()
        } == expected
    except (YamlError, DocumentError):
        is_as_expected = False
    if not is_as_expected:
        raise DocumentError(
            f"{file} is written in a way that cannot be added to: leave out --write, and put in by"
            " hand what is printed"
        )
    return new


@dataclass(slots=True)
class _Editor:
    """Edits the text of a checks file by the positions of its YAML nodes."""

    text: str
    file: str

    def keys(self) -> list[str]:
        """The keys of its procedures, as written."""
        procedures = self._procedures()
        return [k.value for k, _ in procedures.value] if procedures else []

    def has(self, key: str, name: str) -> bool:
        """Whether the entry of a procedure has a key."""
        return self._pair(self._entry(key)[1], name) is not None

    def with_entry(self, key: str, entry: Mapping[str, Plain]) -> str:
        """The text with a new entry at the end."""
        procedures = self._procedures()
        if procedures is None:
            head = self.text.rstrip("\n")
            return (head + "\n" if head else "") + as_yaml({"procedures": {key: dict(entry)}})
        column = procedures.value[0][0].start_mark.column
        return self._insert_lines(_last_line(procedures), as_yaml({key: dict(entry)}), column)

    def with_keys(self, key: str, entry: Mapping[str, Plain]) -> str:
        """The text with new keys in the entry of a procedure, and its rules replaced."""
        self.text = self._remove_key(key, _RULES)
        for name, value in entry.items():
            key_node, node = self._entry(key)
            pair = self._pair(node, name)
            if pair is None:
                is_mapping = isinstance(node, yaml.MappingNode)
                column = (
                    node.value[0][0].start_mark.column
                    if is_mapping and node.value
                    else key_node.start_mark.column + 2
                )
                line = _last_line(node) if is_mapping else key_node.end_mark.line
                self.text = self._insert_lines(line, as_yaml({name: value}), column)
            elif name == "bindings" and isinstance(value, dict):
                self.text = self._with_bindings(pair[1], value)
        return self.text

    def _with_bindings(self, node: yaml.Node, values: Mapping[str, Plain]) -> str:
        if not isinstance(node, yaml.MappingNode):
            return self.text
        old_names = {k.value for k, _ in node.value}
        new = {name: value for name, value in values.items() if name not in old_names}
        if not new:
            return self.text
        if not node.flow_style:
            return self._insert_lines(_last_line(node), as_yaml(new), node.start_mark.column)
        flow_text: str = yaml.dump(
            new, Dumper=Dumper, default_flow_style=True, allow_unicode=True, width=10_000
        )
        end = node.end_mark.index - 1
        comma = ", " if old_names else ""
        return self.text[:end] + comma + flow_text.strip()[1:-1] + self.text[end:]

    def _remove_key(self, key: str, name: str) -> str:
        pair = self._pair(self._entry(key)[1], name)
        if pair is None:
            return self.text
        lines = self.text.splitlines(keepends=True)
        del lines[pair[0].start_mark.line : _last_line(pair[1]) + 1]
        return "".join(lines)

    def _insert_lines(self, after: int, block: str, column: int) -> str:
        lines = self.text.splitlines(keepends=True)
        if lines and not lines[after].endswith("\n"):
            lines[after] += "\n"
        lines[after + 1 : after + 1] = [
            " " * column + line for line in block.splitlines(keepends=True)
        ]
        return "".join(lines)

    def _procedures(self) -> yaml.MappingNode | None:
        root = compose(self.text)
        pair = self._pair(root, "procedures")
        node = pair[1] if pair else None
        return node if isinstance(node, yaml.MappingNode) and node.value else None

    def _entry(self, key: str) -> tuple[yaml.Node, yaml.Node]:
        pair = self._pair(self._procedures(), key)
        if pair is None:
            raise DocumentError(f"{self.file}: {key} cannot be found again: put it in by hand")
        return pair

    def _pair(self, node: yaml.Node | None, key: str) -> tuple[yaml.Node, yaml.Node] | None:
        if not isinstance(node, yaml.MappingNode):
            return None
        return next((pair for pair in node.value if pair[0].value == key), None)


def _last_line(node: yaml.Node) -> int:
    """The last line of a value; lines after it may be comments."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _last_line(last[1] if isinstance(last, tuple) else last)
    is_block_text = isinstance(node, yaml.ScalarNode) and node.style in ("|", ">")
    return node.end_mark.line - 1 if is_block_text else node.end_mark.line
