"""Values of a procedure's checks, with their `${…}` put in."""

from collections.abc import Mapping
from dataclasses import replace

from appliance.core.checks import Checks, Need
from appliance.core.errors import OutcomeError, ProvisioningError
from appliance.outcome.bindings import expand


def bind_needs(checks: Checks, values: Mapping[str, str]) -> tuple[Need, ...]:
    """What the procedure needs, with values put in; `ProvisioningError` names an unbound one."""
    known = bind_checks(checks, values, strict=False)
    try:
        return tuple(
            replace(n, values={k: expand(v, known) for k, v in n.values.items()})
            for n in checks.needs
        )
    except OutcomeError as exc:
        raise ProvisioningError(str(exc)) from exc


def bind_checks(
    checks: Checks, values: Mapping[str, str], *, strict: bool = True
) -> dict[str, str]:
    """All bindings; one may name another, in any order.

    Values known already win (`--set`); unless `strict`, an unbound name is left out.

    Raises:
        ProvisioningError: A binding names something unbound, or itself.
    """
    known = dict(values)
    left = {k: v for k, v in checks.bindings.items() if k not in known}
    while left:
        problem: OutcomeError | None = None
        done = []
        for name, text in left.items():
            try:
                known[name] = expand(text, known)
                done.append(name)
            except OutcomeError as exc:
                problem = exc
        if not done:
            if strict and problem:
                raise ProvisioningError(f"{checks.source or 'checks'}: {problem}") from problem
            break
        for name in done:
            del left[name]
    return known
