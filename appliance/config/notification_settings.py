"""Settings of notifications: people who are told, by e-mail or in a chat."""

from pathlib import Path
from typing import Literal

from appliance.config.section import Section
from appliance.config.service_settings import WebhookEvent


class NotificationSettings(Section):
    """One mailbox or chat. Its address holds secrets, and so is named."""

    url_env: str | None = None
    """Environment variable that holds the address, as apprise writes it: `mailto://…`, `slack://…`,
    `workflows://…` (Teams); all are listed at https://appriseit.com/services/."""
    url_file: Path | None = None
    """File that holds it, alone on its first line."""
    events: tuple[WebhookEvent, ...] = (
        "finding.opened",
        "sweep.paused",
        "account.quarantined",
        "person.asked",
    )
    """What it is told of at once; an empty list: of nothing but the digest."""
    language: Literal["en", "zh"] = "en"
    """Of the messages."""
    quiet: str = ""
    """Time of day (`22:00-07:00`) in which nothing is sent; what happens then is one message at its
    end. The zone is that of `sweep.time_zone`."""
    digest: str = ""
    """Time of day (`07:30`) at which it is told every day what broke and what was mended; empty:
    never. It is a schedule, `digest-NAME`, and sent at its hour also where that is a quiet one."""
    digest_if_nothing: bool = True
    """Whether a digest with nothing new in it is sent: a line which says so."""
    picture: bool = True
    """Whether the screenshot of the worst finding is sent along, where it can be."""
