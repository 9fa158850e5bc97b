"""`python -m appliance.environment DIR`: a provider mirror by hand."""

import shlex
import sys
from pathlib import Path

from appliance.core.errors import SetupError
from appliance.environment.terraform import lay_out


def main() -> int:
    """Lay out the mirror and print the variables to set, as a shell reads them."""
    if len(sys.argv) != 2:
        sys.stderr.write("Usage: python -m appliance.environment DIR\n")
        return 2
    try:
        mirror = lay_out(Path(sys.argv[1]))
    except SetupError as exc:
        sys.stderr.write(f"Error: {exc}\n")
        return 2
    for name, value in mirror.environment().items():
        sys.stdout.write(f"export {name}={shlex.quote(value)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
