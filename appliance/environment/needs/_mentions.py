"""Finds where a sentence mentions things that modules create.

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
_NOTATION_SIGNS = str.maketrans(dict.fromkeys("‹›⟦⟧", " "))
"""Removes the notation's own signs from a text."""
_HAN = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Mention:
    """A thing that a sentence mentions."""

    module: Module
    words: str
    """As the sentence has it."""


@dataclass(frozen=True, slots=True)
class Notation:
    """A sentence with its mentions and labels replaced by numbers."""

    text: str
    mentions: tuple[Mention, ...]
    marks: tuple[Inline, ...]
    sentence: Sentence


class Lexicon:
    """Resolves names of things in one procedure; short names by what the text is about."""

    def __init__(self, modules: Mapping[str, Module], procedure: Procedure) -> None:
        self.modules = modules
        self._words: dict[str, list[Module]] = {}
        for module in modules.values():
            for word in _words_of(module):
                self._words.setdefault(word, []).append(module)
        self._title = fold(procedure.title)
        self._topics_text = " | ".join(_topics(procedure))
        short_forms = {_short_form(word) for word in self._words} - {""}
        phrases = sorted({*self._words, *short_forms}, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(_as_pattern, phrases)) or r"(?!)")
        self._known: dict[str, Module | None] = {}

    def read(self, sentence: Sentence) -> Notation:
        """A sentence with its mentions and labels replaced by numbers."""
        marks = tuple(i for i in sentence.inlines if i.role in _MASKED)
        text = _mask(sentence.text.translate(_NOTATION_SIGNS), marks)
        mentions: list[Mention] = []

        def note_mention(match: re.Match[str]) -> str:
            module = self.module(match[0])
            if module is None:
                return match[0]
            mentions.append(Mention(module, match[0]))
            return f"‹{len(mentions) - 1}›"

        notation = re.sub(r"\s+", " ", self._pattern.sub(note_mention, text.casefold()))
        if _HAN.search(text):
            notation = re.sub(r" ?([‹⟦]\d+[›⟧]) ?", r"\1", notation)
        return Notation(notation, tuple(mentions), marks, sentence)

    def module(self, words: str) -> Module | None:
        """The module that a name means here; None if it means none or is ambiguous."""
        word = fold(words)
        if word not in self._known:
            self._known[word] = self._resolve(word)
        return self._known[word]

    def named_at_end(self, label: str) -> Module | None:
        """What the label of a field asks for: `Target bucket`, 所属存储桶."""
        text = fold(label)
        starts = (match.start() for match in re.finditer(r"\b\w|[\u4e00-\u9fff]", text))
        return next(
            (module for offset in starts if (module := self.module(text[offset:])) is not None),
            None,
        )

    def _resolve(self, word: str) -> Module | None:
        """Resolve a name by the title, then by the pages' topics, then by the word itself."""
        longer_names = [
            (name, m)
            for name, modules in self._words.items()
            if _is_head_of(word, name)
            for m in modules
        ]
        for text in (self._title, self._topics_text):
            if (
                module := _unique_module([m for name, m in longer_names if name in text])
            ) is not None:
                return module
        exact = self._words.get(word, [])
        if (module := _unique_module(exact)) is not None:
            # 实例 on the pages of 云数据库 is a 数据库实例
            page_module = _unique_module(
                [m for _, m in longer_names if m not in exact and self._is_about(m)]
            )
            return page_module if page_module and not self._is_about(module) else module
        return _unique_module(
            [m for m in exact or [m for _, m in longer_names] if self._belongs(m)]
        )

    def _is_about(self, module: Module) -> bool:
        return any(word in self._topics_text for word in _words_of(module))

    def _belongs(self, module: Module) -> bool:
        """Whether the pages are about a thing that contains it or that it contains."""
        return any(
            (name in module.references.values() or module.name in other_module.references.values())
            and self._is_about(other_module)
            for name, other_module in self.modules.items()
        )


def sentences_of(step: Step) -> Iterator[Sentence]:
    """A step's own sentences."""
    yield from (part for part in step.body if isinstance(part, Sentence))


def _words_of(module: Module) -> set[str]:
    module_words = module.name.replace("_", " ")
    return {
        fold(word)
        for word in (module_words, *(w for words in module.words.values() for w in words))
    }


def _topics(procedure: Procedure) -> Iterator[str]:
    """Titles, and the entries of menus and buttons: what the pages are about."""
    yield from (fold(title) for title in procedure.title_path)
    for step in procedure.walk():
        for sentence in sentences_of(step):
            for mark in sentence.labels():
                yield from (fold(part) for part in mark.parts or (mark.text,))


def _short_form(word: str) -> str:
    """What a longer name is shortened to: `key pair` has none, `snapshot policy` has `policy`."""
    if " " in word:
        return word.rpartition(" ")[2]
    return word[-2:] if _HAN.match(word) and len(word) > 3 else ""


def _is_head_of(word: str, longer: str) -> bool:
    if _HAN.match(word):
        return len(word) > 1 and word != longer and longer.endswith(word)
    return longer.endswith(f" {word}")


def _as_pattern(word: str) -> str:
    if _HAN.search(word):
        return re.escape(word).replace(r"\ ", r"\s*")
    stem = r"[\s-]+".join(re.escape(part) for part in word.split())
    plural = f"{stem[:-1]}(?:y|ies)" if re.search(r"[^aeiou]y$", word) else f"{stem}(?:e?s)?"
    return rf"(?<![a-z0-9-]){plural}(?![a-z0-9]|-[a-z])"


def _mask(text: str, marks: Sequence[Inline]) -> str:
    pieces, offset = [], 0
    for number, mark in enumerate(marks):
        if mark.start >= offset:
            pieces += [text[offset : mark.start], f"⟦{number}⟧"]
            offset = mark.end
    return "".join((*pieces, text[offset:]))


def _unique_module(modules: Sequence[Module]) -> Module | None:
    names = {m.name: m for m in modules}
    return next(iter(names.values())) if len(names) == 1 else None
