"""What a policy server is doing."""

from enum import StrEnum


class ServerState(StrEnum):
    """What a policy server is doing."""

    STARTING = "starting"  # loads the weights
    READY = "ready"  # answers
    RESTARTING = "restarting"  # ended or did not answer; waits a moment before it starts again
    ASLEEP = "asleep"  # has given its memory up until it is woken
    GIVEN_UP = "given_up"  # failed too often, or cannot work as it is set; waits for a restart
    STOPPED = "stopped"  # over
