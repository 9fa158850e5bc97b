"""The resource modules that there are, by console."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from types import MappingProxyType

from appliance.config import Settings, did_you_mean
from appliance.core.errors import SetupError
from appliance.environment.modules.hcl import parse, wrong_interface
from appliance.environment.modules.reading import (
    MODULE_FILE,
    Problem,
    WrongModule,
    read_module,
)
from appliance.environment.modules.schemas import wrong_resources
from appliance.environment.modules.types import Module

OURS = Path(__file__).resolve().parents[3] / "terraform"
"""Where ours are in the repository."""

_NONE: Mapping[str, Module] = MappingProxyType({})


class Catalogue:
    """All modules. `load` makes one."""

    def __init__(self, modules: Iterable[Module], *, ours: Path = OURS) -> None:
        self._ours = ours
        self._modules: dict[str, dict[str, Module]] = {}
        for module in modules:
            self._modules.setdefault(module.console, {})[module.name] = module

    @classmethod
    def load(cls, folders: Sequence[Path] = (), *, ours: Path = OURS) -> "Catalogue":
        """Read every `CONSOLE/NAME/module.yaml`; what stands in a later folder wins.

        The Terraform files beside them are not looked at: `check` does that.

        Args:
            folders: `environment.terraform.modules` of the settings.
            ours: The modules that come with the appliance.

        Raises:
            SetupError: A folder is not there, or a module is not valid: all of them are named.
        """
        modules: dict[tuple[str, str], Module] = {}
        problems: list[Problem] = []
        for folder in (ours, *folders):
            for file in _files(folder):
                try:
                    module = read_module(file)
                except WrongModule as exc:
                    problems += exc.problems
                else:
                    modules[module.console, module.name] = module
        catalogue = cls(modules.values(), ours=ours)
        problems += catalogue._strangers({file.parent.parent.name for file in _files(ours)})
        # With a module missing, whatever refers to it would be blamed as well.
        if problems := problems or [*catalogue._loose_ends()]:
            raise WrongModule(tuple(problems))
        return catalogue

    def of(self, console: str) -> Mapping[str, Module]:
        """The modules for a kind of console, by name."""
        modules = self._modules.get(console)
        return MappingProxyType(modules) if modules else _NONE

    def module(self, console: str, name: str) -> Module:
        """The module of that name; `SetupError` names the nearest where there is none."""
        modules = self.of(console)
        if name not in modules:
            raise SetupError(
                f"there is no resource module {console}/{name}{did_you_mean(name, modules)}"
            )
        return modules[name]

    @property
    def consoles(self) -> tuple[str, ...]:
        """Kinds of console that there are modules for."""
        return tuple(sorted(self._modules))

    def check(self, console: str = "") -> tuple[Problem, ...]:
        """What is wrong with the modules' Terraform files; takes a while."""
        chosen = [console] if console else self.consoles
        return tuple(
            problem
            for kind in chosen
            for module in self.of(kind).values()
            for problem in self._wrong(module)
        )

    def _wrong(self, module: Module) -> Iterator[Problem]:
        parsed, broken = parse(module)
        yield from broken
        if not broken:
            yield from wrong_interface(module, parsed)
            yield from wrong_resources(module, parsed, self._ours)

    def _strangers(self, kinds: Collection[str]) -> Iterator[Problem]:
        """Modules for a kind of console that does not exist: nobody would ever use them."""
        for console in self._modules.keys() - kinds:
            for module in self.of(console).values():
                says = f"there is no kind of console {console!r}{did_you_mean(console, kinds)}"
                yield Problem(str(module.folder / MODULE_FILE), 1, says)

    def _loose_ends(self) -> Iterator[Problem]:
        """References to modules that are not there, and required ones that go in a circle."""
        for console in self.consoles:
            modules = self.of(console)
            missing = [
                (module, variable)
                for module in modules.values()
                for variable in module.variables.values()
                if variable.module and variable.module not in modules
            ]
            for module, variable in missing:
                yield _at(
                    module,
                    f"module: {variable.module}",
                    f"`{variable.name}` refers to the module {console}/{variable.module}, which is"
                    f" not there{did_you_mean(variable.module, modules)}",
                )
            if not missing:
                yield from _circle(modules)


def _circle(modules: Mapping[str, Module]) -> Iterator[Problem]:
    try:
        TopologicalSorter({m.name: set(m.references.values()) for m in modules.values()}).prepare()
    except CycleError as exc:
        path: list[str] = exc.args[1][::-1]  # each needs the one behind it
        module = modules[path[0]]
        yield _at(
            module,
            f"module: {path[1]}",
            f"modules need one another in a circle: {' → '.join(path)}. "
            "One of these references must not be required.",
        )


def _at(module: Module, text: str, says: str) -> Problem:
    """A problem at the first line of the module's file that has a text."""
    file = module.folder / MODULE_FILE
    lines = file.read_text(encoding="utf-8").splitlines()
    line = next((n for n, each in enumerate(lines, 1) if text in each), 1)
    return Problem(str(file), line, says)


def _files(folder: Path) -> Sequence[Path]:
    if not folder.is_dir():
        raise SetupError(
            f"the folder of resource modules {folder} is not there; "
            "correct environment.terraform.modules"
        )
    return sorted(folder.glob(f"*/*/{MODULE_FILE}"))


ACCEPTED = "modules"
"""Of the data folder: what a model wrote and a person accepted."""


def module_folders(settings: Settings) -> tuple[Path, ...]:
    """The folders of resource modules beside our own: what was accepted, and those configured."""
    accepted = settings.data_dir / ACCEPTED
    return (*([accepted] if accepted.is_dir() else []), *settings.environment.terraform.modules)
