"""The variables that a child process is given: few of ours, named here, none of them a secret.

Whoever starts a program takes them from here. Our own variables hold passwords of accounts, keys
and whatever else the machine's owner put there; a browser, a provider or a model has no use for
them, and what it never had it cannot leak.
"""

import os
import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class Child(StrEnum):
    """The kinds of programs that we start."""

    BROWSER = "browser"
    CONTAINER_ENGINE = "container engine"
    DRIVER = "driver"  # Playwright's: a Node
    MODEL = "model"
    PYTHON = "python"  # our own programs: the practice cloud, benchmarks, a copy of the store
    TOOL = "tool"  # what is only asked something: fc-list, nvidia-smi, `terraform version`


_ALL = (
    *("HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"),
    "LD_LIBRARY_PATH",
)
_ALL_PREFIXES = ("LC_",)
_NAMES: Final[Mapping[Child, tuple[str, ...]]] = {
    Child.BROWSER: ("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR"),
    # What docker and podman find their engine and the registry's log-in by.
    Child.CONTAINER_ENGINE: (
        *("XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "REGISTRY_AUTH_FILE"),
        *("DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "DOCKER_API_VERSION"),
        *("DOCKER_CERT_PATH", "DOCKER_TLS", "DOCKER_TLS_VERIFY", "DOCKER_DEFAULT_PLATFORM"),
        *("CONTAINER_HOST", "CONTAINER_CONNECTION", "CONTAINER_SSHKEY"),
        *("CONTAINERS_CONF", "CONTAINERS_REGISTRIES_CONF", "CONTAINERS_STORAGE_CONF"),
    ),
    Child.DRIVER: ("PLAYWRIGHT_BROWSERS_PATH",),  # with DEBUG it would write down what is typed
}
_PREFIXES: Final[Mapping[Child, tuple[str, ...]]] = {
    Child.BROWSER: ("FONTCONFIG_",),
    Child.MODEL: (
        *("CUDA", "GLOO_", "MKL_", "NCCL_", "NUMBA_", "NV", "OMP_"),
        *("PYTORCH_", "TORCH", "TRITON_", "VLLM_", "XDG_"),
    ),
    Child.PYTHON: ("PYTHON",),
}
_SECRET = re.compile(r"PASS(WORD|PHRASE|WD)?|SECRET|TOKEN|KEY|CREDENTIAL|AUTH|COOKIE")
"""A prefix lets in names that nobody has thought of: none of these, whatever its value."""


def child_environment(child: Child, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """All variables of a child process."""
    allowed = {*_ALL, *_NAMES.get(child, ())}
    prefixes = (*_ALL_PREFIXES, *_PREFIXES.get(child, ()))
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name in allowed or (name.startswith(prefixes) and not _SECRET.search(name))
    }
    return {**inherited, **(extra or {})}
