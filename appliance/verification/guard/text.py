"""What the procedure's text says: which controls it names, and how far it wants to go."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from appliance.core.harm import Harm
from appliance.core.procedure import Inline, InlineRole, Note, Procedure, Sentence, Step
from appliance.language.harm_words import WORDS
from appliance.language.names import plain
from appliance.verification.guard.words import harm_mentioned, scopes

_QUOTED = re.compile(r"[\"“”「『‘']([^\"“”」』’']{2,60})[\"“”」』’']")
_ARTICLES = re.compile(r"\b(?:the|a|an|your|this|that)\b\s*")
_WORD = re.compile(r"(?<![\w.@-])[^\W_][\w.@-]+[^\W_]", re.ASCII)
_NAME_LIKE = re.compile(r"[\d.@_-]")
"""In words that are names by their form: `web-1`, `alice@example.com`."""
_CLICKED = re.compile(
    r"\b(?:click|press|tap|choose|select|hit)(?: on)? ([^.;]+)|(?:单击|点击|选择)\s*([^。；]+)"
)
_END = (
    r"(?=\s*(?:$|[.,;:!?)\"'“”]|(?:to|in|on|for|from|and|then|button|icon|link|next|at|of|if|under"
    r"|above|below|beside|with|again|or)\b|[\w.@-]*[\d@_-]))"
)
"""What may follow a name of several words: the end, a new phrase, or a thing's own name."""
_DENIED = re.compile(
    r"\b(?:do not|don['’]t|never|must not|should not|avoid|without|instead of"
    r"|rather than|except(?: for)?"
    r"|but not|other than|keep)\b(?! forget| fail)[^.;,:!?]*"
    r"|(?:不要|请勿|切勿|勿|不得|避免|除了|保留|而不是)(?!忘)[^。；，,：！？]*",
    re.IGNORECASE,
)
"""Parts of a sentence that say what is not to be done."""
_ROW_OF = re.compile(r"\b(?:row|line|entry|card|next to|beside)\b(?: \w+){0,4}\W*$")
_APART = re.compile(
    r"[.,;:!?，。；：、！？并后在从击点选输开]|\b(?:in|from|on|at|with|using|by|to|into|under|of|and|then|or|if|when"
    r"|until|above|below|next|click|press|tap|choose|select|hit|use|open|type|typing|enter)\b"
)
"""What parts a verb from a name that is not its object."""
_NEAR = 5
"""Words between a verb and its object, at most, with the rest of the verb."""
_CLAUSES = re.compile(r"[.,;:，；。：]|\b(?:and|then|to)\b")
"""Where another verb may begin."""
_COUNT = re.compile(r"\s*[(（]\d+[)）]\s*$")


@dataclass(frozen=True, slots=True)
class ProcedureText:
    """A procedure's text, asked by the guard."""

    procedure: Procedure
    intro: str = ""
    """What stands above the first step."""

    def names_control(self, name: str, step: str, *, far: bool = False) -> bool:
        """Whether the step, the one above it or the one before names it exactly so.

        Case and ellipsis apart, and a count in brackets. `far`: any step until then does.
        """
        wanted = plain(_COUNT.sub("", name))
        steps = self._until(step) if far else self._near(step)
        return bool(wanted) and any(
            wanted == label or _is_phrase(wanted, sentence)
            for one in steps
            for label, sentence in _labels(one)
        )

    def says(self, value: str) -> bool:
        """Whether the text has these words anywhere."""
        texts = (plain(s.text) for s in self._sentences())
        return any(plain(value) in text for text in texts)

    def names_key(self, key: str, step: str) -> bool:
        """Whether the step speaks of a key."""
        texts = plain(" ".join(t for one in self._near(step) for t in _texts(one)))
        return re.search(rf"(?<!\w){re.escape(plain(key))}(?!\w)", texts) is not None

    def asks_for(self, harm: Harm, step: str, *, is_confirming: bool) -> bool:
        """Whether the step says it, or one above it or just before it.

        What confirms in a dialog may have been said in any step until then, and in the title.
        """
        texts = [t for one in self._near(step) for t in _texts(one)]
        if is_confirming:
            texts = [self.procedure.title, *(t for s in self._until(step) for t in _texts(s))]
        return any(WORDS[harm].in_texts.search(text) for text in texts)

    def harm_mentioned(self, step: str) -> Harm | None:
        """What the step says is to be done that could do harm, or one above it or just before."""
        texts = [t for one in self._near(step) for t in _texts(one)]
        texts += [name for one in self._near(step) for name, _ in _labels(one)]
        return next(
            filter(None, (harm_mentioned(c.strip()) for t in texts for c in _CLAUSES.split(t))),
            None,
        )

    def scopes(self, step: str) -> frozenset[str]:
        """Classes of scope words that the text has here."""
        near = self._near(step)
        texts = [self.procedure.title, self.intro, *(t for s in near for t in _texts(s))]
        texts += [n.text for s in near for n in _noted(s)]
        return scopes(" ".join(texts))

    def whole(self, step: str) -> str:
        """Titles and everything until this step."""
        parts = [*self.procedure.title_path[-1:], self.intro]
        for one in self._until(step):
            parts += [*_texts(one), *(n.text for n in _noted(one))]
        return " ".join(parts)

    def about(self, step: str) -> str:
        """The title, and what the step, the one above it and the one before say."""
        return " ".join((self.procedure.title, *(t for s in self._near(step) for t in _texts(s))))

    def names_things(self, *, marked: bool) -> frozenset[str]:
        """What is a name by its form or put in quotes or code, anywhere in the text.

        Args:
            marked: Whether also all that is marked: that may be names of controls and pages.
        """
        named = (_things_in(sentence, marked=marked) for sentence in self._sentences())
        return frozenset({n for names in named for n in names} | _named(self.procedure.title))

    def objects(self, harm: Harm, step: str, listed: Collection[str]) -> frozenset[str]:
        """Names in the sentences that ask for it here, where they say what it is done to.

        That is told by the verb before the name, or by a list on the page that has it. Empty: they
        do not say; then what is named elsewhere is meant.
        """
        out = set[str]()
        for sentence in (s for one in self._near(step) for s in _sentences(one)):
            text = plain(_wanted(sentence.text))
            if not WORDS[harm].in_texts.search(text):
                continue
            sure, names = (_things_in(sentence, marked=marked) for marked in (False, True))
            if any(n in listed or (n in sure and _is_object(n, text, harm)) for n in names):
                out |= names
        return frozenset(out)

    def _sentences(self) -> Iterator[Sentence]:
        yield from self.procedure.prerequisites
        for step in self.procedure.walk():
            yield from _sentences(step)

    def _until(self, step: str) -> list[Step]:
        steps = list(self.procedure.walk())
        return steps[: self._at(step, steps) + 1]

    def _near(self, step: str) -> list[Step]:
        steps = list(self.procedure.walk())
        at = self._at(step, steps)
        above = [one for one in steps[:at] if step.startswith(f"{one.index}.")]
        return [*above, *steps[max(at - 1, 0) : at + 1]]

    @staticmethod
    def _at(step: str, steps: list[Step]) -> int:
        return next((n for n, one in enumerate(steps) if one.index == step), len(steps) - 1)


def _things_in(sentence: Sentence, *, marked: bool) -> set[str]:
    """See `Wording.names_things`."""
    roles = set(InlineRole) - {InlineRole.COMMAND} if marked else {InlineRole.LITERAL}
    text = _wanted(sentence.text)
    inlines = {plain(i.text) for i in sentence.inlines if i.role in roles and i.text in text}
    return (inlines | _named(text)) - {""}


def _is_object(name: str, text: str, harm: Harm) -> bool:
    """Whether the words before a name say that the harm is done to it, or that it is a row."""
    before = text.partition(name)[0]
    if WORDS[harm].on_controls.search(name) and not _NAME_LIKE.search(name):
        return False  # a control's
    between = (before[verb.end() :] for verb in WORDS[harm].in_texts.finditer(before))
    return bool(_ROW_OF.search(before)) or any(
        not _APART.search(words) and len(words.split()) <= _NEAR for words in between
    )


def _named(text: str) -> set[str]:
    words = (w for w in _WORD.findall(text) if _NAME_LIKE.search(w))
    return {plain(m) for m in (*_QUOTED.findall(text), *words)}


def _sentences(step: Step) -> Iterator[Sentence]:
    for part in step.body:
        if isinstance(part, Sentence):
            yield part
    for entry in step.fields:
        yield from entry.description


def _noted(step: Step) -> Iterator[Sentence]:
    for part in step.body:
        if isinstance(part, Note):
            yield from part.sentences


def _wanted(text: str) -> str:
    """Without what is not to be done."""
    return _DENIED.sub(" ", text)


def _texts(step: Step) -> Iterator[str]:
    yield _wanted(step.text)
    for entry in step.fields:
        yield from (label.text for label in entry.labels)


def _labels(step: Step) -> Iterator[tuple[str, str]]:
    """Marked words, each beside an empty sentence; and sentences, each beside empty words."""
    for sentence in _sentences(step):
        wanted = _wanted(sentence.text)
        for inline in sentence.inlines:
            if inline.role is not InlineRole.LITERAL and inline.text in wanted:
                yield from ((name, "") for name in _names(inline))
        yield from ((plain(m), "") for m in _QUOTED.findall(wanted))
        text = plain(_ARTICLES.sub("", wanted))
        if not sentence.labels():
            yield "", text
        yield from (("", "".join(clicked)) for clicked in _CLICKED.findall(text))
    for entry in step.fields:
        yield from ((plain(label.text), "") for label in entry.labels)


def _names(inline: Inline) -> Iterator[str]:
    yield plain(inline.text)
    yield from (plain(part) for part in inline.parts)


def _is_phrase(name: str, sentence: str) -> bool:
    """Whether a sentence holds the name as whole words, and not as a part of a longer one."""
    if not sentence:
        return False
    if name[0] >= "\u4e00":
        return name in sentence
    after = _END if " " in name else ""
    bare = re.escape(_ARTICLES.sub("", name))
    return re.search(rf"(?<!\w){bare}(?!\w){after}", sentence) is not None
