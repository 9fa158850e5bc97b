"""Make blocks for needs and for their unstated requirements."""

import re
from collections.abc import Iterator, Mapping, Sequence

from appliance.core.checks import Need
from appliance.core.errors import ProvisioningError
from appliance.core.near import nearest
from appliance.environment.modules import Module, Variable
from appliance.environment.needs._values import looks_like_id, parse_list, parse_value
from appliance.environment.needs.types import Argument, Block, Reference

_NAME, _REGION, _STATE = "name", "region", "state"

_Likeness = tuple[str, str, frozenset[tuple[str, Argument]]]
"""Module, region, and arguments that refer to other blocks."""


class Making:
    """Makes blocks for the needs of one attempt, one after another."""

    def __init__(
        self, modules: Mapping[str, Module], unique: str, needs: Sequence[Need], *, may_share: bool
    ) -> None:
        self.blocks: list[Block] = []
        self.shared: list[Block] = []
        self._modules, self._unique, self._may_share = modules, unique, may_share
        self._to_come = {name for need in needs if (name := need.values.get(_NAME))}
        """Names given by any need, even if its block is not made yet."""
        self._by_name: dict[str, list[Block]] = {}
        self._by_label: dict[str, Block] = {}
        self._unasked: dict[_Likeness, Block] = {}

    def add_need(self, need: Need, module: Module) -> Block:
        """Add a block for a need, and blocks for what it requires."""
        values = dict(need.values)
        region = "" if module.variable(_REGION) else values.pop(_REGION, "")
        state = self._state(need, module, values.pop(_STATE, ""))
        arguments: dict[str, Argument] = {}
        for word, text in values.items():
            variable = module.variable(word)
            if variable is None:
                variable_words = {v.word or v.name for v in module.variables.values()} - {_STATE}
                raise _error(need, f"has no {word!r}; {nearest(word, variable_words)}")
            arguments[variable.name] = self._value(need, variable, text)
        self._complete(module, arguments, region, state, need)
        block = self._add(module, arguments, region, need)
        named = block.arguments.get(_NAME)
        if isinstance(named, str):
            self._by_name.setdefault(named, []).append(block)
        return block

    def _state(self, need: Need, module: Module, state: str) -> str:
        """The state to request from the module; empty for its initial state."""
        if state in ("", module.check.state):
            return ""
        if state not in module.states:
            states = {*module.states, module.check.state} - {""}
            raise _error(
                need, f"cannot be brought into the state {state!r}; {nearest(state, states)}"
            )
        return state

    def _value(self, need: Need, variable: Variable, text: str) -> Argument:
        if not variable.module:
            try:
                return parse_value(text, variable.type)
            except ValueError as exc:
                raise _error(
                    need, f"has {variable.word or variable.name}: {text!r}; {exc}"
                ) from exc
        if variable.type == "list(string)":
            return tuple(
                self._referenced_resource(need, variable, part) for part in parse_list(text)
            )
        return self._referenced_resource(need, variable, text)

    def _referenced_resource(self, need: Need, variable: Variable, name: str) -> Reference | str:
        """The block that a value of a need refers to by name, or the value itself as an id."""
        called = self._by_name.get(name, ())
        for block in called:
            if block.module.name == variable.module:
                return Reference(block.label)
        is_name = name in self._to_come or self._unique in name
        if looks_like_id(name) and not is_name:
            return name
        description = f"{variable.word or variable.name}: {name!r}"
        if called:
            is_one = _a(called[0].module.name)
            raise _error(need, f"has {description}, which is {is_one}, not {_a(variable.module)}")
        if name in self._to_come:
            raise _error(
                need, f"has {description}, which is not made before it: list that need first"
            )
        theirs = [
            known_name
            for known_name, blocks in self._by_name.items()
            if any(block.module.name == variable.module for block in blocks)
        ]
        hint = nearest(name, theirs, f"no {variable.module} is needed before it")
        raise _error(need, f"has {description}, but no {variable.module} of that name; {hint}")

    def _complete(
        self,
        module: Module,
        arguments: dict[str, Argument],
        region: str,
        state: str,
        need: Need | None,
    ) -> None:
        """Add required arguments that are missing; those of our own, such as the name, last."""
        for variable in self._required_variables(module, state):
            if variable.name in arguments or variable.name == _NAME:
                continue
            if not variable.module:
                problem = f"module {module.name} requires a value for {variable.name!r}"
                raise ProvisioningError(f"{_place(need)}{problem}, which no need gives")
            reference = self._reference_to_container(variable, arguments)
            if reference is None:
                reference = self._like(variable.module, module, arguments, region)
            arguments[variable.name] = (
                (reference,) if variable.type == "list(string)" else reference
            )
        if state:
            arguments[_STATE] = state

    def _required_variables(self, module: Module, state: str) -> list[Variable]:
        """Variables that need a value; things before those that lie within them."""
        required = [v for v in module.variables.values() if _is_required(v, state)]
        return sorted(required, key=lambda v: self._depth(v.module, (module.name,)))

    def _depth(self, name: str, path: tuple[str, ...]) -> int:
        """How many modules have to come one after another for this one; `path` leads to it."""
        if not name:
            return 0
        if name not in self._modules:
            raise ProvisioningError(
                f"module {path[-1]} requires {_a(name)}, and there is no such module; "
                f"{nearest(name, self._modules)}"
            )
        if name in path:
            around = " → ".join((*path[path.index(name) :], name))
            raise ProvisioningError(f"modules require each other: {around}")
        below = (v for v in self._modules[name].variables.values() if _is_required(v))
        return 1 + max((self._depth(v.module, (*path, name)) for v in below), default=0)

    def _reference_to_container(
        self, variable: Variable, arguments: Mapping[str, Argument]
    ) -> Reference | None:
        """The thing that another argument already lies within: the network of the subnet."""
        for argument in arguments.values():
            for reference in _references(argument):
                other = self._by_label[reference.block]
                theirs = other.module.variables.get(variable.name)
                outer = other.arguments.get(variable.name)
                if theirs and theirs.module == variable.module and isinstance(outer, Reference):
                    return outer
        return None

    def _like(
        self, name: str, for_module: Module, arguments: Mapping[str, Argument], region: str
    ) -> Reference:
        """A block that nobody asked for, reused by all that need the same."""
        module = self._modules[name]
        own = {
            key: value
            for key, value in arguments.items()
            if key in module.variables
            and module.variables[key].module
            and module.variables[key].module == for_module.variables[key].module
        }
        like = (name, region, frozenset(own.items()))
        if like not in self._unasked:
            self._complete(module, own, region, "", None)
            shared = self._share(module, own, region)
            self._unasked[like] = shared or self._add(module, own, region, None)
        return Reference(self._unasked[like].label)

    def _share(
        self, module: Module, arguments: Mapping[str, Argument], region: str
    ) -> Block | None:
        """A block shared by several attempts; None if its kind or its references forbid that."""
        labels = {block.label for block in self.shared}
        around = [r.block for argument in arguments.values() for r in _references(argument)]
        if not (self._may_share and module.is_shared and labels.issuperset(around)):
            return None
        label = identifier("_".join(filter(None, ("shared", module.name, region))))
        block = Block(label=label, module=module, arguments=arguments, region=region)
        self.shared.append(block)
        self._by_label[label] = block
        return block

    def _add(
        self, module: Module, arguments: dict[str, Argument], region: str, need: Need | None
    ) -> Block:
        number = 1 + sum(1 for block in self.blocks if block.module.name == module.name)
        if module.named and _NAME in module.variables and _NAME not in arguments:
            arguments[_NAME] = self._new_name(module)
        label = identifier(f"{module.name}_{number}")
        block = Block(label=label, module=module, arguments=arguments, need=need, region=region)
        self.blocks.append(block)
        self._by_label[label] = block
        return block

    def _new_name(self, module: Module) -> str:
        """The usual name; a number, if needed, follows the marker, as names may have suffixes."""
        taken_names = {block.arguments.get(_NAME) for block in self.blocks} | self._to_come
        marks = (self._unique, *(f"{self._unique}n{n}" for n in range(2, len(taken_names) + 3)))
        names = (module.named.replace("${unique}", mark) for mark in marks)
        return next((name for name in names if name not in taken_names), module.named)


def _is_required(variable: Variable, state: str = "") -> bool:
    return (variable.is_required and variable.default is None) or (
        state != "" and state in variable.needed_for
    )


def _references(argument: Argument) -> Iterator[Reference]:
    for part in argument if isinstance(argument, tuple) else (argument,):
        if isinstance(part, Reference):
            yield part


def identifier(text: str) -> str:
    """Convert a name into a Terraform identifier."""
    plain = re.sub(r"\W", "_", text, flags=re.ASCII)
    return plain if plain[:1].isalpha() else f"_{plain}"


def _error(need: Need, problem: str) -> ProvisioningError:
    return ProvisioningError(f"{_place(need)}{_a(need.kind)} {problem}")


def _a(kind: str) -> str:
    return f"{'an' if kind[:1] in tuple('aeiou') else 'a'} {kind}"


def _place(need: Need | None) -> str:
    return f"{need.span}: " if need and need.span else ""
