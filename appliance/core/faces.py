"""The face of a package, whose names are imported when somebody asks for them.

Whoever wants one name of a package pays for the module in which it stands, and not for all the
others: the help of a command needs an enumeration that an engine has, and never the engine.
"""

import ast
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path


def names_of(package: str, file: str) -> Callable[[str], object]:
    """The `__getattr__` of a package: each name that its file imports under `if TYPE_CHECKING:`.

    There they stand as plain imports, so that type checkers and import-linter know them.

    Args:
        package: Its name.
        file: Of its `__init__`.
    """

    @cache
    def origins() -> dict[str, tuple[str, str]]:
        return dict(_origins(Path(file).read_text(encoding="utf-8")))

    def name_of(name: str) -> object:
        if name.startswith("__") or name not in origins():
            raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name)
        module, name_there = origins()[name]
        value: object = getattr(import_module(module), name_there)
        setattr(sys.modules[package], name, value)  # asked for once
        return value

    return name_of


def _origins(source: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """Names of a face, each with its module and its name there."""
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING":
            for imported in statement.body:
                if isinstance(imported, ast.ImportFrom) and imported.module:
                    for alias in imported.names:
                        yield alias.asname or alias.name, (imported.module, alias.name)
