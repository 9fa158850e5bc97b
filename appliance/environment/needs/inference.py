"""Infer the needs of a procedure from its prerequisites and the objects of its steps."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from appliance.core.checks import Checks, Need
from appliance.core.procedure import Procedure
from appliance.environment.modules import Module
from appliance.environment.needs._evidence import NeedReader
from appliance.environment.needs._mentions import Lexicon
from appliance.environment.needs.types import Inferred

_NAME, _STATE = "name", "state"


def infer(procedure: Procedure, modules: Mapping[str, Module]) -> tuple[Inferred, ...]:
    """The needs that the text of a procedure speaks of, those that others lie in first.

    Their names hold `${unique}`, as those of a checks file may. What the procedure makes itself is
    not needed, nor is what is spoken of with a "not" or an "if", in a note, or elsewhere.
    """
    reading = NeedReader(procedure, Lexicon(modules, procedure))
    return tuple(_inferred(name, reading) for name in _in_order(reading))


def with_inferred(checks: Checks, inferred: Sequence[Inferred]) -> Checks:
    """Checks with what was inferred as needs, bound to the words that the text has for it."""
    bindings = {
        word: f"${{{inferred_need.need.kind}}}"
        for inferred_need in reversed(inferred)
        for word in inferred_need.words
    }
    return replace(
        checks,
        needs=(*checks.needs, *(inferred_need.need for inferred_need in inferred)),
        bindings={**bindings, **checks.bindings},
    )


def _in_order(reading: NeedReader) -> list[str]:
    """Kinds in text order, except that containers come before their contents."""
    placed: list[str] = []

    def add(name: str) -> None:
        for other in _linked_variables(name, reading).values():
            if other not in placed and other != name:
                add(other)
        if name not in placed:
            placed.append(name)

    for name in reading.needed:
        add(name)
    return placed


def _linked_variables(name: str, reading: NeedReader) -> dict[str, str]:
    """The needed kinds that contain a kind or that it is attached to, by variable."""
    module = reading.needed[name].module
    state = reading.state(module)
    return {
        variable.name: variable.module
        for variable in module.variables.values()
        if (other := reading.needed.get(variable.module))
        and other.module.named
        and (
            variable.is_required
            or other.is_taken_out
            # "Move it to another instance": not the one that it is attached to
            or (state and state in variable.needed_for and not other.is_another)
        )
    }


def _inferred(name: str, reading: NeedReader) -> Inferred:
    evidence = reading.needed[name]
    module = evidence.module
    values = {_NAME: module.named} if module.named else {}
    for variable, other in _linked_variables(name, reading).items():
        word = module.variables[variable].word or variable
        values[word] = reading.needed[other].module.named
    if (state := reading.state(module)) not in ("", module.check.state):
        values[_STATE] = state
    return Inferred(
        need=Need(kind=module.name, values=values, span=evidence.span),
        quote=evidence.quote,
        line=evidence.span.line,
        words=tuple(evidence.words),
    )
