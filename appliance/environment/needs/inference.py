"""What a procedure needs, as its text says: its prerequisites, and what its steps act upon."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from appliance.core.checks import Checks, Need
from appliance.core.procedure import Procedure
from appliance.environment.modules.types import Module
from appliance.environment.needs._evidence import Evidence, Reading
from appliance.environment.needs._mentions import Lexicon
from appliance.environment.needs.types import Inferred

_NAME, _STATE = "name", "state"


def infer(procedure: Procedure, modules: Mapping[str, Module]) -> tuple[Inferred, ...]:
    """The needs that the text of a procedure speaks of, those that others lie in first.

    Their names hold `${unique}`, as those of a checks file may. What the procedure makes itself is
    not needed, nor is what is spoken of with a "not" or an "if", in a note, or elsewhere.

    Args:
        procedure: Its checks are not looked at.
        modules: What can be made: nothing else is inferred.
    """
    reading = Reading(procedure, Lexicon(modules, procedure))
    found = {name: reading.needed[name] for name in _in_order(reading.needed)}
    return tuple(_inferred(evidence, found, reading) for evidence in found.values())


def with_inferred(checks: Checks, inferred: Sequence[Inferred]) -> Checks:
    """Checks with what was inferred as needs, bound to the words that the text has for it."""
    bindings = {word: f"${{{one.need.kind}}}" for one in reversed(inferred) for word in one.words}
    return replace(
        checks,
        needs=(*checks.needs, *(one.need for one in inferred)),
        bindings={**bindings, **checks.bindings},
    )


def _in_order(needed: Mapping[str, Evidence]) -> list[str]:
    """Kinds as the text comes to them, but what something lies in before it."""
    done: list[str] = []

    def add(name: str) -> None:
        for other in needed[name].module.references.values():
            if other in needed and other not in done and other != name:
                add(other)
        if name not in done:
            done.append(name)

    for name in needed:
        add(name)
    return done


def _inferred(evidence: Evidence, found: Mapping[str, Evidence], reading: Reading) -> Inferred:
    module = evidence.module
    values = {_NAME: module.named} if module.named else {}
    for variable, other in module.references.items():
        if other in found and found[other].module.named:
            word = module.variables[variable].word or variable
            values[word] = found[other].module.named
    if state := reading.state(module):
        values[_STATE] = state
    return Inferred(
        need=Need(kind=module.name, values=values, span=evidence.span),
        quote=evidence.quote,
        line=evidence.span.line,
        words=tuple(evidence.words),
    )
