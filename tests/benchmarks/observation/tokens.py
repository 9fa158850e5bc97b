"""How many tokens a text is: by the tokenizer where there is one, else by our estimate."""

import os
from collections.abc import Callable
from functools import cache
from importlib import import_module

from appliance.core.tokens import estimate_tokens

VOCABULARY = "cl100k_base"


def count(text: str) -> int:
    """Tokens of a text."""
    return _counter()[1](text)


def how() -> str:
    """What counts them."""
    return _counter()[0]


@cache
def _counter() -> tuple[str, Callable[[str], int]]:
    # The vocabulary is a file that is fetched when it is missing: used only where it lies ready.
    if not os.environ.get("TIKTOKEN_CACHE_DIR"):
        return "estimate", estimate_tokens
    try:
        tiktoken = import_module("tiktoken")
    except ImportError:
        return "estimate", estimate_tokens
    encoding = tiktoken.get_encoding(VOCABULARY)
    return VOCABULARY, lambda text: len(encoding.encode(text, disallowed_special=()))
