"""To another image, and back when that one does not get ready."""

from collections.abc import Callable
from dataclasses import replace

from python_on_whales import DockerClient

from hosting.container import find, require_container, run_once, start, stop, wait_ready
from hosting.copies import make_backup
from hosting.options import Options
from hosting.problems import Problem


def upgrade(
    engine: DockerClient, name: str, image: str, seconds: float, say: Callable[[str], None]
) -> None:
    """Back the store up, start the new image on the same data, wait until it is ready.

    The old container is kept, stopped, until then. Where the new one does not get ready, the store
    is put back as it was and the old container goes on.

    Raises:
        Problem: There is nothing to upgrade, or the new one did not get ready (the old one runs).
    """
    old_container = require_container(engine, name)
    old_options = Options.of_label(old_container.config.labels)
    if not engine.image.exists(image):
        raise Problem(f"There is no image {image} here: load it first (`scripts/appliance load`).")
    backup = make_backup(old_container)
    say(f"Backup {backup} of the store is made")
    kept_name = f"{name}-before"
    if (leftover := find(engine, kept_name)) is not None:
        leftover.remove(force=True)
    old_container.stop(time=30)
    old_container.rename(kept_name)
    try:
        new_container = start(engine, replace(old_options, image=image))
        took = wait_ready(new_container, seconds).took_s
    except (Problem, KeyboardInterrupt) as exc:
        say("The new one does not get ready; going back")
        _go_back(engine, name, kept_name, old_options, backup)
        raise Problem(f"{image} was not taken; {old_options.image} runs again.\n{exc}") from exc
    old_container.remove(force=True)
    say(f"Ready after {took:.1f} s with {image}")


def _go_back(
    engine: DockerClient, name: str, kept_name: str, old_options: Options, backup: str
) -> None:
    new_container = find(engine, name)
    if new_container is not None:
        stop(new_container)
    # The new one may have changed the schema: the old one could not read that any more.
    run_once(engine, old_options, ["store", "restore", backup])
    old_container = require_container(engine, kept_name)
    old_container.rename(name)
    old_container.start()
    wait_ready(old_container)
