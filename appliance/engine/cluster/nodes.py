"""All calls of Ray itself. They block, and Ray offers no useful types."""

import logging
import socket
from dataclasses import dataclass
from typing import Any

from appliance.config import ExecutionSettings
from appliance.core.errors import ApplianceError, SetupError, WorkerError
from appliance.engine.cluster.ticket import key_of
from appliance.engine.cluster.worker import Worker
from appliance.system.secret_references import SecretReference

_ANSWERS_S = 5.0


@dataclass(frozen=True, slots=True)
class Node:
    """A machine of the cluster."""

    id: str
    host: str

    def __str__(self) -> str:
        return f"{self.host} ({self.id[:8]})"


def check(settings: ExecutionSettings) -> None:
    """Check that a cluster can be joined, without joining it.

    Raises:
        SetupError: Ray is not installed, the key cannot be read, or nobody answers at the address.
    """
    try:
        import ray  # noqa: F401 - only whether it is there
    except ImportError:
        raise SetupError(
            "execution.engine is ray, and Ray is not installed here:"
            " `pip install 'console-docs-appliance[ray]'`"
        ) from None
    key_of(SecretReference(settings.key_env, settings.key_file))
    host, _, port = settings.address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), _ANSWERS_S).close()
    except OSError as exc:
        raise SetupError(
            f"no Ray cluster answers at {settings.address} (execution.address):"
            f" {exc.strerror or exc}; start its head node with"
            f" `ray start --head --port {port} --disable-usage-stats`"
        ) from None


def connect(settings: ExecutionSettings) -> str:
    """Join the cluster as a driver and return this machine's address in it.

    Raises:
        SetupError: As of `check`; or it runs other versions.
    """
    check(settings)
    import ray

    logging.getLogger("ray").setLevel(logging.ERROR)  # that signals are not its own is meant
    try:
        ray.init(
            address=settings.address,
            log_to_driver=False,
            configure_logging=False,
            include_dashboard=False,
        )
    except Exception as exc:
        raise SetupError(
            f"the Ray cluster at {settings.address} does not take this machine: {reason(exc)}"
        ) from exc
    address: str = ray.util.get_node_ip_address()
    return address


def disconnect() -> None:
    """Leave the cluster; what was started in it ends."""
    import ray

    ray.shutdown()


def alive() -> list[Node]:
    """The nodes that take workers: all that have processors."""
    import ray

    return [
        Node(one["NodeID"], one["NodeManagerAddress"])
        for one in ray.nodes()
        if one["Alive"] and one["Resources"].get("CPU")
    ]


def employ(node: Node) -> Any:  # Any: Ray's handle
    """Start a worker on a node; it may not be running yet on return."""
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    there = NodeAffinitySchedulingStrategy(node_id=node.id, soft=False)
    actor = ray.remote(Worker).options(
        num_cpus=0, max_concurrency=3, scheduling_strategy=there, enable_task_events=False
    )
    return actor.remote()


def kill(actor: Any) -> None:  # Any: Ray's handle
    """Kill a worker together with its browser."""
    import ray

    if actor is not None and ray.is_initialized():
        ray.kill(actor)


def ray_error() -> type[Exception]:
    """Ray's base exception class."""
    from ray.exceptions import RayError

    of_ray: type[Exception] = RayError
    return of_ray


def is_gone(exc: BaseException) -> bool:
    """Whether an exception says that the worker itself is gone, not only its call."""
    from ray.exceptions import ActorUnavailableError, RayActorError

    return isinstance(exc, RayActorError) and not isinstance(exc, ActorUnavailableError)


def meant(exc: BaseException) -> ApplianceError:
    """Translate an exception of Ray into one of ours."""
    cause = getattr(exc, "cause", None)
    return cause if isinstance(cause, ApplianceError) else WorkerError(reason(exc))


def reason(exc: BaseException) -> str:
    """The message of an exception, on one line."""
    lines = [line.strip() for line in str(exc).splitlines() if line.strip()]
    return " ".join(lines)[:300]
