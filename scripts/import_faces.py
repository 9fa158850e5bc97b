"""A contract for import-linter: whoever is outside a package uses its face, where it has one.

A package has a face when its `__init__` imports from its own modules. Then nothing beneath it is
imported from outside. A module with an underscore stands beneath a face, and nobody outside its
own package imports it.
"""

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, output

Broken = list[tuple[str, str]]


class FacesContract(Contract):
    """Holds for every package."""

    type_name = "faces"

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Every import in the graph, and every private module."""
        faces = {package for package in graph.modules if _has_face(graph, package)}
        broken: Broken = []
        for module in sorted(graph.modules):
            packages = _packages_above(module)
            face = next((package for package in packages if package in faces), None)
            is_private = module.rpartition(".")[2].startswith("_") and not module.endswith("__")
            if is_private and face is None:
                broken.append((module, "is private, though no package above it has a face"))
            room = packages[-1] if is_private else face
            for importer in sorted(graph.find_modules_that_directly_import(module)):
                if room and not f"{importer}.".startswith(f"{room}."):
                    broken.append((importer, f"imports {module}: go through {face}"))
        return ContractCheck(kept=not broken, metadata={"broken": broken})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """One line for each import or module."""
        for module, problem in check.metadata["broken"]:
            output.print_error(f"{module} {problem}", bold=False)


def _packages_above(module: str) -> list[str]:
    """The packages that a module stands in, outermost first, without the root."""
    parts = module.split(".")
    return [".".join(parts[:end]) for end in range(2, len(parts))]


def _has_face(graph: ImportGraph, package: str) -> bool:
    imported = graph.find_modules_directly_imported_by(package)
    return any(module.startswith(f"{package}.") for module in imported)
