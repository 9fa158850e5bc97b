"""Find the module that a word of a document or of a checks file means."""

import re
import unicodedata
from collections.abc import Iterator, Mapping

from rapidfuzz import fuzz

from appliance.environment.modules import Module

_SIMILAR = 90.0
"""From here on a word is another one misspelt: `secgroup` is not, nor is `user group` for
`user`."""
_DISTINCT = 6.0
"""How much nearer the nearest has to be than the next, lest we guess."""
_MINE = re.compile(r"^(?:an?|the|my|your|own|existing|one|another|some)\s+|的$")


def find_module(phrase: str, modules: Mapping[str, Module]) -> Module | None:
    """The module for a thing by its name or by what documentation calls it.

    None where nothing fits `disk`, `the virtual networks` or `云盘`, or more than one does.

    Returns:
        None where nothing fits or more than one does.
    """
    if phrase in modules:
        return modules[phrase]
    folded_phrase = fold(phrase)
    if not folded_phrase:
        return None
    named_modules = [(word, module) for module in modules.values() for word in names_of(module)]
    exact = {module.name: module for word, module in named_modules if word == folded_phrase}
    if exact:
        return next(iter(exact.values())) if len(exact) == 1 else None
    return _nearest(folded_phrase, named_modules)


def names_of(module: Module) -> Iterator[str]:
    """The folded names of what a module creates, the module's own name first."""
    yield fold(module.name)
    for words in module.words.values():
        yield from (fold(word) for word in words)


def fold(phrase: str) -> str:
    """Normalise a phrase: without case, width, punctuation, articles and plural."""
    text = unicodedata.normalize("NFKC", phrase).casefold()
    text = re.sub(r"[\s_-]+", " ", text).strip(" .,:;'\"“”「」")
    while (shorter := _MINE.sub("", text)) != text:
        text = shorter
    return singular(text)


def singular(phrase: str) -> str:
    """An English phrase with its last word in the singular."""
    head, space, last = phrase.rpartition(" ")
    if len(last) > 3 and last.endswith("ies"):
        last = last[:-3] + "y"
    elif re.search(r"(?:ss|x|ch|sh)es$", last):
        last = last[:-2]
    elif len(last) > 3 and re.search(r"[^sui]s$", last):
        last = last[:-1]
    return head + space + last


def _nearest(text: str, named_modules: list[tuple[str, Module]]) -> Module | None:
    best: dict[str, tuple[float, Module]] = {}
    for word, module in named_modules:
        likeness = fuzz.ratio(text, word)
        if likeness > best.get(module.name, (0.0, module))[0]:
            best[module.name] = (likeness, module)
    ranked = sorted(best.values(), key=lambda pair: -pair[0])
    if not ranked or ranked[0][0] < _SIMILAR:
        return None
    if len(ranked) > 1 and ranked[0][0] - ranked[1][0] < _DISTINCT:
        return None
    return ranked[0][1]
