"""Taking a tab's picture, with everything secret painted over."""

import asyncio
from dataclasses import replace

from appliance.browser._secret_watch import EVERYTHING, SecretWatch
from appliance.browser.observation.picture import PictureEdits, edit_picture

TAKES = 3
"""Of a page on which a secret comes or moves; then all of the picture is painted over."""


async def shoot(eyes: SecretWatch, how: PictureEdits) -> bytes:
    """The viewport, finished. Secrets are looked for before and after: they come and move."""
    for _ in range(TAKES):
        before = await eyes.look()
        # What is only handed on is packed by the browser; what is drawn on is not packed twice.
        as_it_is = how.format == "jpeg" and not how.changes_pixels and not before.secrets
        options = {"format": "jpeg", "quality": how.quality} if as_it_is else {}
        if before.secrets:  # a busy browser hands out a frame from before the last scroll
            await eyes.tab.picture()
        picture = await eyes.tab.picture(**options)
        after = await eyes.look()
        if is_safe := before.secrets == after.secrets:
            break
    secrets = before.secrets if is_safe else (EVERYTHING,)
    how = replace(how, secrets=secrets, view_width=before.width)
    return await asyncio.to_thread(edit_picture, picture, how)
