"""What is to be verified, whoever asks: the one thing that every caller gives to the engine."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Self

from appliance.core.jsonable import Json
from appliance.core.verdict import PolicyChoice
from appliance.store.sweeps import SweepRow


class RunKind(StrEnum):
    """What a run is."""

    SWEEP = "sweep"  # over what is due, in its time
    VERIFICATION = "verification"  # some procedures now, whether they are due or not
    BENCHMARK = "benchmark"  # the same, by one attempt each; it survives its process


@dataclass(frozen=True, slots=True)
class InlineDocument:
    """A document that comes with the request."""

    name: str
    """File name; its ending says the format (`disks.md`)."""
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """A run that somebody wants."""

    kind: RunKind
    console: str = ""
    """Empty: the default one."""
    documents: tuple[Path, ...] = ()
    """Files and folders; for a sweep, none is the whole configured documentation."""
    inline: tuple[InlineDocument, ...] = ()
    """Or documents that come with the request; not for sweeps."""
    checks: tuple[Path, ...] = ()
    """Folders with NAME.checks.yaml files, where they do not stand beside the documents."""
    patterns: tuple[str, ...] = ()
    """Only procedures whose id or title matches one of these, due or not; empty: all."""
    values: Mapping[str, str] = field(default_factory=dict)
    """For what the texts leave open."""
    policy: PolicyChoice = PolicyChoice.AUTO
    tries_patches: bool | None = None
    """Whether suggested texts are tried; None: as the settings say for such a run."""
    confirms: bool = False
    """Of a benchmark: whether what is found is looked for a second time, as in other runs."""
    requested_by: str = ""
    """Empty: the command line."""
    closes: datetime | None = None
    """When a sweep has to stop, whatever the settings' window says; it then begins now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRequest:
    """A request as the store keeps it. Sweeps of equal ones are one sweep until it is over."""

    folder: str
    """Where relative paths start."""
    documents: tuple[str, ...]
    checks: tuple[str, ...]
    patterns: tuple[str, ...]
    values: Mapping[str, str]
    policy: PolicyChoice
    console: str
    tries_patches: bool | None = None
    confirms: bool = False

    @classmethod
    def of(cls, row: SweepRow) -> Self:
        """The request that a run was planned from."""
        stored = row.request
        values = stored["values"]
        return cls(
            folder=str(stored["folder"]),
            documents=_texts(stored["documents"]),
            checks=_texts(stored["checks"]),
            patterns=_texts(stored["patterns"]),
            values={k: str(v) for k, v in values.items()} if isinstance(values, dict) else {},
            policy=PolicyChoice(str(stored["policy"])),
            console=str(stored["console"]),
            tries_patches=tries if isinstance(tries := stored.get("tries_patches"), bool) else None,
            confirms=stored.get("confirms") is True,
        )


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()
