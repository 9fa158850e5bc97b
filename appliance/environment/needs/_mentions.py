"""Where a sentence speaks of things that modules make.

A sentence is read as *notation*: in small letters, each thing replaced by `‹0›`, each marked
stretch (a UI label, a menu path, a link) by `⟦0⟧`: what the patterns of the two languages are
written in.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from appliance.core.procedure import Inline, InlineRole, Procedure, Sentence, Step
from appliance.environment.modules import Module
from appliance.environment.needs.matching import fold

_MASKED = frozenset(InlineRole) - {InlineRole.EMPHASIS}
_OURS = str.maketrans(dict.fromkeys("‹›⟦⟧", " "))
"""The signs of the notation are none where a text has them itself."""
_HAN = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Mention:
    """A thing that a sentence speaks of."""

    module: Module
    words: str
    """As the sentence has it."""


@dataclass(frozen=True, slots=True)
class Read:
    """A sentence with its mentions and labels replaced by numbers."""

    text: str
    mentions: tuple[Mention, ...]
    marks: tuple[Inline, ...]
    sentence: Sentence


class Lexicon:
    """What the things are called in one procedure: a short word by what the text is about."""

    def __init__(self, modules: Mapping[str, Module], procedure: Procedure) -> None:
        self.modules = modules
        self._words: dict[str, list[Module]] = {}
        for module in modules.values():
            for word in _words_of(module):
                self._words.setdefault(word, []).append(module)
        self._own = fold(procedure.title)
        self._around = " | ".join(_topics(procedure))
        heads = {_head(word) for word in self._words} - {""}
        known = sorted({*self._words, *heads}, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(_as_pattern, known)) or r"(?!)")
        self._known: dict[str, Module | None] = {}

    def read(self, sentence: Sentence) -> Read:
        """A sentence with its mentions and labels replaced by numbers."""
        marks = tuple(i for i in sentence.inlines if i.role in _MASKED)
        text = _mask(sentence.text.translate(_OURS), marks)
        mentions: list[Mention] = []

        def note_mention(match: re.Match[str]) -> str:
            module = self.module(match[0])
            if module is None:
                return match[0]
            mentions.append(Mention(module, match[0]))
            return f"‹{len(mentions) - 1}›"

        noted = re.sub(r"\s+", " ", self._pattern.sub(note_mention, text.casefold()))
        if _HAN.search(text):
            noted = re.sub(r" ?([‹⟦]\d+[›⟧]) ?", r"\1", noted)
        return Read(noted, tuple(mentions), marks, sentence)

    def module(self, words: str) -> Module | None:
        """The module for what a thing is called here; None: none, or it could be several."""
        word = fold(words)
        if word not in self._known:
            self._known[word] = self._resolve(word)
        return self._known[word]

    def named_at_end(self, label: str) -> Module | None:
        """What the label of a field asks for: `Target bucket`, 所属存储桶."""
        text = fold(label)
        starts = (match.start() for match in re.finditer(r"\b\w|[\u4e00-\u9fff]", text))
        return next((m for at in starts if (m := self.module(text[at:])) is not None), None)

    def _resolve(self, word: str) -> Module | None:
        """By the title, then by what the pages are about, then as the word itself says."""
        longer = [
            (long, m)
            for long, modules in self._words.items()
            if _is_head_of(word, long)
            for m in modules
        ]
        for text in (self._own, self._around):
            if (module := _only([m for long, m in longer if long in text])) is not None:
                return module
        exact = self._words.get(word, [])
        if (module := _only(exact)) is not None:
            # 实例 on the pages of 云数据库 is a 数据库实例
            of_page = _only([m for _, m in longer if m not in exact and self._is_about(m)])
            return of_page if of_page and not self._is_about(module) else module
        return _only([m for m in exact or [m for _, m in longer] if self._belongs(m)])

    def _is_about(self, module: Module) -> bool:
        return any(word in self._around for word in _words_of(module))

    def _belongs(self, module: Module) -> bool:
        """Whether the pages are about what its thing lies in, or about what lies in its thing."""
        return any(
            (name in module.references.values() or module.name in other.references.values())
            and self._is_about(other)
            for name, other in self.modules.items()
        )


def sentences_of(step: Step) -> Iterator[Sentence]:
    """A step's own sentences."""
    yield from (part for part in step.body if isinstance(part, Sentence))


def _words_of(module: Module) -> set[str]:
    own = module.name.replace("_", " ")
    return {fold(word) for word in (own, *(w for ws in module.words.values() for w in ws))}


def _topics(procedure: Procedure) -> Iterator[str]:
    """Titles, and the entries of menus and buttons: what the pages are about."""
    yield from (fold(title) for title in procedure.title_path)
    for step in procedure.walk():
        for sentence in sentences_of(step):
            for mark in sentence.labels():
                yield from (fold(part) for part in mark.parts or (mark.text,))


def _head(word: str) -> str:
    """What a longer name is shortened to: `key pair` has none, `snapshot policy` has `policy`."""
    if " " in word:
        return word.rpartition(" ")[2]
    return word[-2:] if _HAN.match(word) and len(word) > 3 else ""


def _is_head_of(word: str, long: str) -> bool:
    if _HAN.match(word):
        return len(word) > 1 and word != long and long.endswith(word)
    return long.endswith(f" {word}")


def _as_pattern(word: str) -> str:
    if _HAN.search(word):
        return re.escape(word).replace(r"\ ", r"\s*")
    stem = r"[\s-]+".join(re.escape(part) for part in word.split())
    plural = f"{stem[:-1]}(?:y|ies)" if re.search(r"[^aeiou]y$", word) else f"{stem}(?:e?s)?"
    return rf"(?<![a-z0-9-]){plural}(?![a-z0-9]|-[a-z])"


def _mask(text: str, marks: Sequence[Inline]) -> str:
    out, at = [], 0
    for number, mark in enumerate(marks):
        if mark.start >= at:
            out += [text[at : mark.start], f"⟦{number}⟧"]
            at = mark.end
    return "".join((*out, text[at:]))


def _only(modules: Sequence[Module]) -> Module | None:
    names = {m.name: m for m in modules}
    return next(iter(names.values())) if len(names) == 1 else None
