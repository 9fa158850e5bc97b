"""What goes wrong, as a sentence."""


class Problem(Exception):
    """Says what, where and what to do; shown without a traceback."""
