"""`appliance observe`: a page of a console as the appliance sees it."""

import asyncio
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import click

from appliance.cli._app import Invocation, pass_invocation
from appliance.cli._options import collect_options
from appliance.cli._output import as_the_user_wants, json_option, talk, write_json
from appliance.cli._summary import counted
from appliance.config import Settings
from appliance.core.errors import BrowserError
from appliance.core.jsonable import json_object
from appliance.core.page import Observation
from appliance.core.secrets import masked, without_secrets

if TYPE_CHECKING:  # imported where it is used: it takes long
    from appliance.browser import Page, PictureFormat

_EMPTY_S = 10.0
"""How long a page may stay empty: many draw themselves only after they have loaded."""
_LOOK_AGAIN_S = 0.5

PICTURES: "dict[str, PictureFormat]" = {
    ".jpg": "jpeg",
    ".jpeg": "jpeg",
    ".webp": "webp",
    ".png": "png",
}


def _picture(ctx: click.Context, param: click.Parameter, path: Path | None) -> Path | None:
    if path is not None and path.suffix.lower() not in PICTURES:
        raise click.BadParameter(f"ends in none of {', '.join(PICTURES)}: {path}.", ctx, param)
    return path


@dataclass(frozen=True, slots=True, kw_only=True)
class _ObserveOptions:
    address: str
    account: str | None
    locale: str
    marks: Path | None
    whole: bool
    budget: int | None


@click.command("observe")
@click.argument("address", default="", metavar="[ADDRESS]")
@click.option("--console", metavar="NAME", help="Console of the settings to look at.")
@click.option("--account", metavar="NAME", help="Account or role to log in as.")
@click.option("--locale", default="en", show_default=True, help="Language of the browser.")
@click.option("--whole", is_flag=True, help="Also what lies outside the view.")
@click.option("--budget", type=click.IntRange(min=50), metavar="TOKENS", help="At most so long.")
@click.option(
    "--marks",
    type=click.Path(path_type=Path, dir_okay=False),
    callback=_picture,
    metavar="FILE",
    help="Write a screenshot (.jpg, .webp, .png) with the elements' numbers drawn in.",
)
@json_option
@pass_invocation
@collect_options(_ObserveOptions)
def command(
    invocation: Invocation, options: _ObserveOptions, console: str | None, as_json: bool
) -> None:
    """Log in to a console, open ADDRESS, and print the page as policies see it.

    ADDRESS is a path on the console or a whole address; the start page when left out. Numbers in
    brackets are those by which actions name elements.
    """
    from appliance.browser import describe
    from appliance.cli._local import console_settings

    settings = invocation.settings({"console": console or None})
    with console_settings(settings, settings.console) as chosen:
        started = settings.with_console(settings.console, chosen)
        view = asyncio.run(_observe(started, options))
    if as_json:
        write_json(masked(json_object(view)))
    else:
        click.echo(
            without_secrets(describe(view, whole=options.whole, budget=options.budget)), nl=False
        )
    if options.marks is not None:
        talk(f"The page with its numbers: {options.marks}")
    talk(f"{counted(len(view.elements), 'element')} in {view.took_s * 1000:.0f} ms.")


async def _observe(settings: Settings, options: _ObserveOptions) -> Observation:
    from appliance.browser import BrowserPool
    from appliance.consoles import configured_console

    async with AsyncExitStack() as stack:
        console = await asyncio.to_thread(configured_console, settings, settings.console)
        stack.push_async_callback(console.close)
        await console.check()
        pool = await stack.enter_async_context(BrowserPool(settings.browser, settings.networks()))
        account = console.accounts(options.account)[0]
        locale = settings.consoles[settings.console].locale or options.locale
        opening = pool.page(console.hosts, locale, console.network, console.credentials(account))
        page = await stack.enter_async_context(opening)
        await console.log_in(page, account)
        if options.address:
            await page.goto(urljoin(page.url, options.address))
        view = await look(page)
        if options.marks is not None:
            how = PICTURES[options.marks.suffix.lower()]
            picture = await page.screenshot(marks=view, picture_format=how)
            with as_the_user_wants():
                options.marks.write_bytes(picture)
    return view


async def look(page: "Page") -> Observation:
    """The page, as soon as there is something on it.

    Raises:
        BrowserError: Nothing came.
    """
    until = time.monotonic() + _EMPTY_S
    while not ((view := await page.observe()).elements or view.texts):
        if time.monotonic() > until:
            raise BrowserError(
                f"{view.url} shows nothing, also after {_EMPTY_S:.0f} s; open it in a browser of"
                " your own, and see whether the address is right and its console is up"
            )
        await asyncio.sleep(_LOOK_AGAIN_S)
    return view
