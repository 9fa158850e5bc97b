"""`launched.py KIND FOLDER`: a training's process, or one of several that train together.

Our own packages come last: the model's environment has versions of its own of what both use.
"""

import sys
from importlib import import_module
from pathlib import Path


def main() -> None:
    """Train."""
    kind, folder = sys.argv[1:]
    here = Path(__file__).resolve()
    sys.path[:] = [one for one in sys.path if Path(one).resolve() != here.parent]
    sys.path.append(str(here.parents[3]))
    import_module(f"appliance.training.child.{kind}").main(folder)


if __name__ == "__main__":
    main()
