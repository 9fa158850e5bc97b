"""What vLLM's own parser takes, as JSON on standard output; run with the Python beside vLLM."""

import contextlib
import json
import sys

with contextlib.redirect_stdout(sys.stderr):  # it talks while it is imported
    import vllm
    from vllm.entrypoints.launchers.cli_args import make_arg_parser
    from vllm.utils.argparse_utils import FlexibleArgumentParser

    parser = make_arg_parser(FlexibleArgumentParser(prog="vllm serve"))


def describe(action):
    """How many values follow a flag, which ones are taken, and whether they are numbers."""
    kind = getattr(action.type, "__name__", "")
    return {
        "values": 1 if action.nargs is None else action.nargs,
        "choices": [str(one) for one in action.choices] if action.choices else [],
        "number": kind if kind in ("int", "float") else "",
    }


flags = {
    name: describe(action)
    for action in parser._actions
    for name in action.option_strings
    if name.startswith("--")
}
rows = ",\n".join(f"{json.dumps(name)}: {json.dumps(flags[name])}" for name in sorted(flags))
version = vllm.__version__.partition("+")[0]  # the CPU build of a version has its parser
sys.stdout.write(f'{{"vllm": "{version}", "flags": {{\n{rows}\n}}}}\n')
