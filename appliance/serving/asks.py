"""What somebody asks of the engine."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class InlineDocument:
    """A document that comes with the question."""

    name: str
    """File name; its ending says the format (`disks.md`)."""
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepAsk:
    """A sweep over what is due."""

    console: str = ""
    """Empty: the default one."""
    paths: tuple[Path, ...] = ()
    """Inside the configured documentation; empty: all of it."""
    patterns: tuple[str, ...] = ()
    """Only procedures whose id or title matches one of these, due or not."""
    values: Mapping[str, str] = field(default_factory=dict)
    """For what the texts leave open."""
    policy: str = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationAsk:
    """Some procedures, now, whether they are due or not."""

    console: str = ""
    """Empty: the default one."""
    documents: tuple[Path, ...] = ()
    """Inside the configured documentation."""
    inline: tuple[InlineDocument, ...] = ()
    """Or documents that come with the question."""
    patterns: tuple[str, ...] = ()
    """Only procedures whose id or title matches one of these; empty: all."""
    values: Mapping[str, str] = field(default_factory=dict)
    """For what the texts leave open."""
    policy: str = "auto"
