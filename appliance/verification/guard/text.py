"""Answers what the procedure's text says: which controls it names and how far it goes."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
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
_CLICK_OBJECT = re.compile(
    r"\b(?:click|press|tap|choose|select|hit)(?: on)? ([^.;]+)|(?:单击|点击|选择)\s*([^。；]+)"
)
_PHRASE_END = (
    r"(?=\s*(?:$|[.,;:!?)\"'“”]|(?:to|in|on|for|from|and|then|button|icon|link|next|at|of|if|under"
    r"|above|below|beside|with|again|or)\b|[\w.@-]*[\d@_-]))"
)
"""What may follow a name of several words: the end, a new phrase, or the name of a thing."""
_NEGATED = re.compile(
    r"\b(?:do not|don['’]t|never|must not|should not|avoid|without|instead of"
    r"|rather than|except(?: for)?"
    r"|but not|other than|keep)\b(?! forget| fail)[^.;,:!?]*"
    r"|(?:不要|请勿|切勿|勿|不得|避免|除了|保留|而不是)(?!忘)[^。；，,：！？]*",
    re.IGNORECASE,
)
"""Parts of a sentence that say what must not be done."""
_BEFORE_ROW_NAME = re.compile(r"\b(?:row|line|entry|card|next to|beside)\b(?: \w+){0,4}\W*$")
_CLAUSE_BREAK = re.compile(
    r"[.,;:!?，。；：、！？并后在从击点选输开]|\b(?:in|from|on|at|with|using|by|to|into|under|of|and|then|or|if|when"
    r"|until|above|below|next|click|press|tap|choose|select|hit|use|open|type|typing|enter)\b"
)
"""What separates a verb from a name that is not its object."""
_MAX_OBJECT_DISTANCE = 5
"""Words between a verb and its object, at most, including particles of the verb."""
_CLAUSE_START = re.compile(r"[.,;:，；。：]|\b(?:and|then|to)\b")
"""Where another verb may begin."""
_LIST_SHOWN = re.compile(
    r"\b(?:list|table) (?:of|with) [^.;]{2,80}? (?:is|are|will be) (?:displayed|shown|listed)\b"
    r"|\b(?:opens?|shows?|displays?|brings? up) (?:a|the) (?:list|table) (?:of|with)\b"
    r"|(?:显示|打开|弹出)[^。；]{0,20}列表",
    re.IGNORECASE,
)
"""What a click leads to, to choose from."""
_EITHER = re.compile(r"\b([^\W\d_]+) (?:or|and) ([^\W\d_]+)\b")
_TRAILING_COUNT = re.compile(r"\s*[(（]\d+[)）]\s*$")


@dataclass(frozen=True, slots=True)
class ProcedureText:
    """A procedure's text, with the questions that the guard has about it."""

    procedure: Procedure
    intro: str = ""
    """What stands above the first step."""

    def names_control(self, name: str, step: str, *, any_earlier: bool = False) -> bool:
        """Whether the step, its parent or the one before it names the control exactly.

        Case, ellipses and a count in brackets are ignored. `any_earlier`: any step so far counts.
        """
        steps = self._until(step) if any_earlier else self._near(step)
        return _is_named(name, steps)

    def names_as_plural(self, name: str, step: str) -> bool:
        """Whether they name it but for one and several: "Reset counter", "Reset counters"."""
        return _is_named(name, self._near(step), _singular)

    def says(self, value: str) -> bool:
        """Whether the text contains these words anywhere."""
        texts = (plain(s.text) for s in self._sentences())
        return any(plain(value) in text for text in texts)

    def names_key(self, key: str, step: str) -> bool:
        """Whether the step speaks of a key."""
        texts = plain(" ".join(t for near_step in self._near(step) for t in _step_texts(near_step)))
        return re.search(rf"(?<!\w){re.escape(plain(key))}(?!\w)", texts) is not None

    def asks_for(self, harm: Harm, step: str, *, is_confirming: bool) -> bool:
        """Whether the step, its parent or the one before it asks for this harm.

        For a confirmation in a dialog, any step so far and the title count as well.
        """
        texts = [t for near_step in self._near(step) for t in _step_texts(near_step)]
        if is_confirming:
            texts = [self.procedure.title, *(t for s in self._until(step) for t in _step_texts(s))]
        return any(WORDS[harm].in_texts.search(text) for text in texts)

    def harm_mentioned(self, step: str) -> Harm | None:
        """The harm that the step, its parent or the one before it mentions."""
        texts = [t for near_step in self._near(step) for t in _step_texts(near_step)]
        texts += [name for near_step in self._near(step) for name, _ in _control_labels(near_step)]
        return next(
            filter(
                None,
                (
                    harm_mentioned(clause.strip())
                    for t in texts
                    for clause in _CLAUSE_START.split(t)
                ),
            ),
            None,
        )

    def announces_list(self, step: str) -> bool:
        """Whether the step, its parent or the one before it says that a list is shown."""
        texts = (t for near_step in self._near(step) for t in _step_texts(near_step))
        return any(map(_LIST_SHOWN.search, texts))

    def scopes(self, step: str) -> frozenset[str]:
        """Classes of scope words in the title, the intro and the steps around this one."""
        near_steps = self._near(step)
        texts = [self.procedure.title, self.intro, *(t for s in near_steps for t in _step_texts(s))]
        texts += [sentence.text for s in near_steps for sentence in _note_sentences(s)]
        return scopes(" ".join(texts))

    def text_until(self, step: str) -> str:
        """The title, the intro and everything up to this step, in one string."""
        parts = [*self.procedure.title_path[-1:], self.intro]
        for earlier in self._until(step):
            parts += [*_step_texts(earlier), *(n.text for n in _note_sentences(earlier))]
        return " ".join(parts)

    def text_near(self, step: str) -> str:
        """The title and the texts of the step, its parent and the one before it."""
        return " ".join(
            (self.procedure.title, *(t for s in self._near(step) for t in _step_texts(s)))
        )

    def thing_names(self, *, marked: bool) -> frozenset[str]:
        """Names anywhere in the text: words that look like one, quoted words, and code.

        Args:
            marked: Whether to include all marked words, which may be names of controls and pages.
        """
        names_by_sentence = (
            _names_in_sentence(sentence, marked=marked) for sentence in self._sentences()
        )
        return frozenset(
            {n for names in names_by_sentence for n in names}
            | _name_like_words(self.procedure.title)
        )

    def harm_objects(self, harm: Harm, step: str, listed: Collection[str]) -> frozenset[str]:
        """Names of what the harm is done to, in the sentences that ask for it here.

        A name counts if the verb precedes it or a list on the page has it. Empty: the sentences
        do not say, and what is named elsewhere in the text is meant.
        """
        objects = set[str]()
        for sentence in (s for near_step in self._near(step) for s in _sentences_of(near_step)):
            text = plain(_without_negated(sentence.text))
            if not WORDS[harm].in_texts.search(text):
                continue
            certain_names, names = (
                _names_in_sentence(sentence, marked=marked) for marked in (False, True)
            )
            if any(
                n in listed or (n in certain_names and _is_object(n, text, harm)) for n in names
            ):
                objects |= names
        return frozenset(objects)

    def _sentences(self) -> Iterator[Sentence]:
        yield from self.procedure.prerequisites
        for step in self.procedure.walk():
            yield from _sentences_of(step)

    def _until(self, step: str) -> list[Step]:
        steps = list(self.procedure.walk())
        return steps[: self._at(step, steps) + 1]

    def _near(self, step: str) -> list[Step]:
        steps = list(self.procedure.walk())
        position = self._at(step, steps)
        above = [earlier for earlier in steps[:position] if step.startswith(f"{earlier.index}.")]
        return [*above, *steps[max(position - 1, 0) : position + 1]]

    @staticmethod
    def _at(step: str, steps: list[Step]) -> int:
        return next(
            (position for position, candidate in enumerate(steps) if candidate.index == step),
            len(steps) - 1,
        )


def _names_in_sentence(sentence: Sentence, *, marked: bool) -> set[str]:
    """See `ProcedureText.thing_names`."""
    roles = set(InlineRole) - {InlineRole.COMMAND} if marked else {InlineRole.LITERAL}
    text = _without_negated(sentence.text)
    inlines = {plain(i.text) for i in sentence.inlines if i.role in roles and i.text in text}
    return (inlines | _name_like_words(text)) - {""}


def _is_object(name: str, text: str, harm: Harm) -> bool:
    """Whether the words before a name say that the harm is done to it, or that it is a row."""
    text_before = text.partition(name)[0]
    if WORDS[harm].on_controls.search(name) and not _NAME_LIKE.search(name):
        return False  # a control's
    texts_between = (
        text_before[verb.end() :] for verb in WORDS[harm].in_texts.finditer(text_before)
    )
    return bool(_BEFORE_ROW_NAME.search(text_before)) or any(
        not _CLAUSE_BREAK.search(words) and len(words.split()) <= _MAX_OBJECT_DISTANCE
        for words in texts_between
    )


def _name_like_words(text: str) -> set[str]:
    words = (w for w in _WORD.findall(text) if _NAME_LIKE.search(w))
    return {plain(m) for m in (*_QUOTED.findall(text), *words)}


def _sentences_of(step: Step) -> Iterator[Sentence]:
    for part in step.body:
        if isinstance(part, Sentence):
            yield part
    for entry in step.fields:
        yield from entry.description


def _note_sentences(step: Step) -> Iterator[Sentence]:
    for part in step.body:
        if isinstance(part, Note):
            yield from part.sentences


def _without_negated(text: str) -> str:
    """The text without the parts that say what must not be done."""
    return _NEGATED.sub(" ", text)


def _step_texts(step: Step) -> Iterator[str]:
    yield _without_negated(step.text)
    for entry in step.fields:
        yield from (label.text for label in entry.labels)


def _is_named(name: str, steps: Iterable[Step], form: Callable[[str], str] = str) -> bool:
    """Whether steps name a control, as a label or in plain words, by that form of the words."""
    control_name = form(plain(_TRAILING_COUNT.sub("", name)))
    return bool(control_name) and any(
        form(label) == control_name or _is_phrase(control_name, form(sentence))
        for candidate in steps
        for label, sentence in _control_labels(candidate)
    )


def _singular(text: str) -> str:
    return " ".join(word.removesuffix("s") for word in text.split())


def _control_labels(step: Step) -> Iterator[tuple[str, str]]:
    """Pairs of label and sentence: marked words with an empty sentence, or the other way round."""
    for sentence in _sentences_of(step):
        positive_text = _without_negated(sentence.text)
        for inline in sentence.inlines:
            if inline.role is not InlineRole.LITERAL and inline.text in positive_text:
                yield from ((name, "") for name in _inline_names(inline))
        yield from ((plain(m), "") for m in _QUOTED.findall(positive_text))
        text = plain(_ARTICLES.sub("", positive_text))
        if not sentence.labels():
            yield "", text
            # "remove or delete tokens" says to remove tokens, and to delete them
            yield from (("", way) for n in (1, 2) if (way := _EITHER.sub(rf"\{n}", text)) != text)
        yield from (("", "".join(clicked)) for clicked in _CLICK_OBJECT.findall(text))
    for entry in step.fields:
        yield from ((plain(label.text), "") for label in entry.labels)


def _inline_names(inline: Inline) -> Iterator[str]:
    yield plain(inline.text)
    yield from (plain(part) for part in inline.parts)


def _is_phrase(name: str, sentence: str) -> bool:
    """Whether a sentence has the name as whole words and not as part of a longer name."""
    if not sentence:
        return False
    if name[0] >= "\u4e00":
        return name in sentence
    ending = _PHRASE_END if " " in name else ""
    pattern = re.escape(_ARTICLES.sub("", name))
    return re.search(rf"(?<!\w){pattern}(?!\w){ending}", sentence) is not None
