"""PostgreSQL and Redis for the consoles that need them: from Debian's packages, unpacked."""

import os
from collections.abc import Mapping

from tests.zoo.console import Content, Place, Service

PACKAGES = ("postgresql-15", "postgresql-client-15", "libpq5")
USER = "zoo"


def postgres_env(place: Place) -> Mapping[str, str]:
    """What its programs need, and those that talk to it."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(place.data),
        "LD_LIBRARY_PATH": str(place.installed / "usr/lib/x86_64-linux-gnu"),
        "PGHOST": str(place.data / "pg"),
        "PGUSER": USER,
        "PGDATABASE": USER,
    }


def postgres(place: Place) -> Service:
    """The server, on a socket only, which is in `pg` as its data are."""
    base = str(place.data / "pg")
    options = ("-D", base, "-c", "listen_addresses=", "-c", f"unix_socket_directories={base}")
    command = _command(place, "postgres", *options, "-c", "fsync=off")
    return Service(command=command, env=postgres_env(place))


def make_database(place: Place, *extensions: str) -> None:
    """An empty one that belongs to `USER`; called once, while no server runs."""
    base = str(place.data / "pg")
    initdb = ("-D", base, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
    env = postgres_env(place)
    place.run(*_command(place, "initdb", *initdb), env=env)
    with place.serving([postgres(place)]):
        wait_for_postgres(place)
        place.run(*_command(place, "createdb", USER), env=env)
        for extension in extensions:
            _ask(place, f"create extension {extension}")


def wait_for_postgres(place: Place) -> None:
    """Until it answers."""
    place.run(*_command(place, "pg_isready", "-t", "30"), env=postgres_env(place), tries=60)


def redis(place: Place) -> Service:
    """The server, on the console's second port; it keeps nothing."""
    server = str(place.installed / "usr/bin/redis-server")
    options = ("--bind", "127.0.0.1", "--port", str(place.ports[1]), "--save", "")
    return Service(command=(server, *options), env=postgres_env(place))


def content_in(place: Place, queries: Mapping[str, str]) -> Content:
    """What is in it, for a witness: by kind of thing a query for its names and states."""
    query = " union all ".join(
        f"select '{kind}', name::text, translate(state::text, E'\\n\\t', '  ')"
        f" from ({query}) as q(name, state)"
        for kind, query in queries.items()
    )
    content: dict[str, dict[str, str]] = {kind: {} for kind in queries}
    for row in _ask(place, query).splitlines():
        kind, name, state = row.split("\t")
        content[kind][name] = state
    return content


def _ask(place: Place, query: str) -> str:
    asked = _command(place, "psql", "-qAt", "-F\t", "-c", query)
    return place.run(*asked, env=postgres_env(place))


def _command(place: Place, program: str, *arguments: str) -> tuple[str, ...]:
    """PostgreSQL refuses to be root: in a namespace of its own it is somebody else."""
    path = str(place.installed / "usr/lib/postgresql/15/bin" / program)
    as_somebody = ("unshare", "--user", "--map-user=1000", "--map-group=1000")
    return (*(as_somebody if os.geteuid() == 0 else ()), path, *arguments)
