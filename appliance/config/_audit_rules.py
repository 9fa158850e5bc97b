"""What the settings of an audit log must be true of."""

from collections.abc import Iterator

from appliance.config._schema import Path
from appliance.config.settings import AuditSettings, ConsoleSettings

_IN_FILES = frozenset({"cadf", "kubernetes", "jsonlines"})
_OF_CONSOLES = {"practice": ("",), "openstack": ("", "cadf")}
"""The kinds that a console's adapter knows; a generic one takes any."""
_ONLY_FOR = {
    "path": (*_IN_FILES, "cloudtrail"),
    "bucket": ("cloudtrail",),
    "endpoint": ("cloudtrail", "actiontrail"),
    "region": ("cloudtrail", "actiontrail"),
    "key_id_env": ("cloudtrail", "actiontrail"),
    "key_secret_env": ("cloudtrail", "actiontrail", "webhook"),
    "fields": ("jsonlines", "webhook"),
}
"""Keys that mean something for some kinds only."""


def contradictions_of_audit(path: Path, console: ConsoleSettings) -> Iterator[tuple[Path, str]]:
    """Everything that does not fit together, with the path of the value to change."""
    audit, place = console.audit, ".".join(path)
    fits = _OF_CONSOLES.get(console.kind)
    if fits is not None and audit.kind not in fits:
        known = " or ".join(filter(None, fits)) or "none: it has its own"
        yield (
            (*path, "kind"),
            f"`{place}.kind`: a console of kind {console.kind} takes {known}.",
        )
    for key, kinds in _ONLY_FOR.items():
        if getattr(audit, key) and audit.kind not in kinds:
            yield (
                (*path, key),
                f"`{key}` is for audit logs of kind {', '.join(sorted(kinds))};"
                f" this one is {audit.kind or 'none'}.",
            )
    if audit.endpoint and not audit.endpoint.startswith(("http://", "https://")):
        yield (
            (*path, "endpoint"),
            "`endpoint`: expected an address that starts with http:// or https://.",
        )
    for key in _missing(audit, any(account.region for account in console.accounts.values())):
        yield path, f"`{place}.{key}` is required for audit logs of kind {audit.kind}."
    if audit.path and audit.bucket:
        yield path, f"`{place}` has `path` and `bucket`; keep one."


def _missing(audit: AuditSettings, has_region: bool) -> Iterator[str]:
    if audit.kind in _IN_FILES and not audit.path:
        yield "path"
    if audit.kind == "actiontrail" and not audit.key_id_env:
        yield "key_id_env"
    if audit.kind == "actiontrail" and not (audit.endpoint or audit.region or has_region):
        yield "region"
    needs_secret = audit.kind in ("actiontrail", "webhook") or bool(audit.key_id_env)
    if needs_secret and not audit.key_secret_env:
        yield "key_secret_env"
