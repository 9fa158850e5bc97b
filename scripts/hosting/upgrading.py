"""To another image, and back when that one does not get ready."""

from collections.abc import Callable
from dataclasses import replace

from python_on_whales import DockerClient

from hosting.container import find, found, once, start, stop, wait_ready
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
    before = found(engine, name)
    was = Options.of_label(before.config.labels)
    if not engine.image.exists(image):
        raise Problem(f"There is no image {image} here: load it first (`scripts/appliance load`).")
    backup = make_backup(before)
    say(f"Backup {backup} of the store is made")
    aside = f"{name}-before"
    if (forgotten := find(engine, aside)) is not None:
        forgotten.remove(force=True)
    before.stop(time=30)
    before.rename(aside)
    try:
        new = start(engine, replace(was, image=image))
        took = wait_ready(new, seconds).took_s
    except (Problem, KeyboardInterrupt) as exc:
        say("The new one does not get ready; going back")
        _go_back(engine, name, aside, was, backup)
        raise Problem(f"{image} was not taken; {was.image} runs again.\n{exc}") from exc
    before.remove(force=True)
    say(f"Ready after {took:.1f} s with {image}")


def _go_back(engine: DockerClient, name: str, aside: str, was: Options, backup: str) -> None:
    failed = find(engine, name)
    if failed is not None:
        stop(failed)
    # The new one may have changed the schema: the old one could not read that any more.
    once(engine, was, ["store", "restore", backup])
    old = found(engine, aside)
    old.rename(name)
    old.start()
    wait_ready(old)
