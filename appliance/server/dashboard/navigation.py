"""The entries of the navigation."""

from typing import NamedTuple


class Entry(NamedTuple):
    """A page that can be reached from everywhere."""

    key: str
    """Its word is `nav.KEY`."""
    path: str


NAVIGATION: tuple[tuple[str, tuple[Entry, ...]], ...] = (
    (
        "work",
        (
            Entry("overview", "/"),
            Entry("findings", "/findings"),
            Entry("documents", "/documents"),
            Entry("runs", "/runs"),
            Entry("verify", "/verify"),
        ),
    ),
    (
        "operation",
        (
            Entry("questions", "/questions"),
            Entry("schedules", "/schedules"),
            Entry("accounts", "/accounts"),
            Entry("resources", "/resources"),
            Entry("webhooks", "/webhooks"),
        ),
    ),
    (
        "learning",
        (
            Entry("models", "/models"),
            Entry("benchmarks", "/benchmarks"),
            Entry("training", "/training"),
        ),
    ),
    ("access", (Entry("keys", "/keys"),)),
)
"""By group; a group's word is `nav.group.KEY`."""
