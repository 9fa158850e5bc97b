"""Inserts bound values into texts: `${name}` stands for the value of that name."""

from collections.abc import Mapping
from dataclasses import replace

from appliance.core.checks import Checks, Need
from appliance.core.errors import OutcomeError, ProvisioningError
from appliance.core.near import meant
from appliance.core.placeholders import fill_in


def bind_needs(checks: Checks, values: Mapping[str, str]) -> tuple[Need, ...]:
    """The needs with their values inserted; `ProvisioningError` names an unbound one."""
    values_by_name = bind_checks(checks, values, strict=False)
    try:
        return tuple(
            replace(n, values={k: expand(v, values_by_name) for k, v in n.values.items()})
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
    values_by_name = dict(values)
    pending = {k: v for k, v in checks.bindings.items() if k not in values_by_name}
    while pending:
        problem: OutcomeError | None = None
        resolved = []
        for name, text in pending.items():
            try:
                values_by_name[name] = expand(text, values_by_name)
                resolved.append(name)
            except OutcomeError as exc:
                problem = exc
        if not resolved:
            if strict and problem:
                raise ProvisioningError(f"{checks.source or 'checks'}: {problem}") from problem
            break
        for name in resolved:
            del pending[name]
    return values_by_name


def expand(text: str, bindings: Mapping[str, str], where: str = "") -> str:
    """Put the bound values into `text`.

    Names are looked up as they stand, then without regard to case and spacing. `$${x}` is a
    plain `${x}`.

    Raises:
        OutcomeError: A name has no value.
    """
    folded = {_fold(name): value for name, value in bindings.items()} if "${" in text else {}

    def value(name: str) -> str:
        if name in bindings:
            return bindings[name]
        if _fold(name) in folded:
            return folded[_fold(name)]
        raise OutcomeError(_undefined_message(name, bindings, where))

    return fill_in(text, value)


def _fold(name: str) -> str:
    return " ".join(name.split()).casefold()


def _undefined_message(name: str, bindings: Mapping[str, str], where: str) -> str:
    similar_name = meant(name, bindings)
    hint = (
        f"did you mean ${{{similar_name}}}?" if similar_name else f"known: {_list_names(bindings)}"
    )
    place = f"{where}: " if where else ""
    return f"{place}no value is bound to ${{{name}}}; {hint}"


def _list_names(bindings: Mapping[str, str]) -> str:
    return ", ".join(sorted(bindings)) or "none"
