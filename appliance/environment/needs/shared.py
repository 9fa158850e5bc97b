"""What attempts share with others, told from the kinds of their needs alone."""

from collections.abc import Iterable, Mapping

from appliance.environment.modules import Module
from appliance.environment.needs.matching import find_module


def shared_by(kinds: Iterable[str], modules: Mapping[str, Module]) -> frozenset[str]:
    """Names of the modules that serve several attempts and are used by one with such needs.

    They are what modules require and nobody asked for. A need whose values name such a thing of its
    own shares less than is said here.

    Args:
        kinds: As checks files call them.
        modules: Those for the console, by name; none of them requires itself.
    """

    def is_shared(name: str) -> bool:
        return modules[name].is_shared and all(map(is_shared, modules[name].references.values()))

    needed = [module for kind in kinds if (module := find_module(kind, modules))]
    required = {name for module in needed for name in module.references.values()}
    shared_needs = set[str]()
    while required:
        shared_needs |= required
        required = {
            r for name in required for r in modules[name].references.values()
        } - shared_needs
    return frozenset(filter(is_shared, shared_needs))
