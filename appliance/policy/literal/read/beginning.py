"""Where a procedure begins, as far as its text tells: the places that it names, and its subject."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from appliance.core.procedure import InlineRole, Procedure, Sentence, Step
from appliance.language import nouns
from appliance.language.names import imperatives, plain, singular_of, verb_of, words
from appliance.language.words import one_of
from appliance.policy.literal.read.unmarked import in_role_of_use
from appliance.policy.literal.read.way import outermost_first

_PLACE_NOUN = re.compile(
    rf"\W*(?:sub[- ]?)?(?:{one_of(nouns.WHERE.en)})\b|\W*(?:{one_of(nouns.WHERE.zh)})",
    re.IGNORECASE,
)
_PART_OF_CONSOLE = re.compile(
    r"\b(?:[Ii]n|[Ff]rom|[Oo]n|[Ww]ithin|[Tt]o|[Oo]f) (?:the|your) "
    r"(?P<name>[A-Z][\w&-]*(?: [A-Z&][\w&-]*)*?) "
    r"(?:[Dd]ashboard|[Pp]ortal|[Aa]rea|[Ss]ite|[Pp]anel|[Bb]ack-?end)\b"
)
"""A part of the console that a text names without marking it: "in the Billing Admin dashboard"."""
_CAPITALS = r"[A-Z][\w&-]*(?: [A-Z&][\w&-]*)*"
_WAY_IN = re.compile(rf"\bunder (?P<path>{_CAPITALS}(?: [-–] {_CAPITALS})+)")
"""A way that a text writes with dashes and does not mark: "under Billing - Invoice Types"."""
_BY_MEANS_OF = re.compile(r"\b(?:with|using|by) (?:the |either )*\W*$", re.IGNORECASE)
"""Precedes a path that is only one way to do something: "files can be added with **Update** > **Add**"."""
_NEGATION = re.compile(
    r"\b(?:not|never|no longer|cannot|can[’']t|won[’']t)\b|不|无法", re.IGNORECASE
)
_LABELS_CONSIDERED = 8
"""How many labels of the first step count as the subject of the procedure."""
_EMPTY_WORDS = frozenset(
    {"a", "an", "the", "of", "for", "to", "in", "on", "and", "or", "with", "from", "by", "how", "your",
     "you", "new", "using", "via", "all", "any", "other", "its", "this", "that", "docs", "index"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a text says about where its procedure begins."""

    places: tuple[str, ...]
    """Names of pages, tabs and menus that it says it is done in, the outermost first."""
    subject: frozenset[str]
    """Words of its titles: pages that are called so are likely meant."""
    address: str = ""
    """Path of the page, if the checks name one."""
    objects: frozenset[frozenset[str]] = frozenset()
    """What its title and the first labels do something to, in words: lists are called so."""
    sections: tuple[str, ...] = ()
    """Titles of the text and of the sections around it: consoles often name their pages the same."""

    @property
    def innermost(self) -> str:
        """The innermost place in which everything is done; empty if none is named."""
        return self.places[-1] if self.places else ""

    def likeness(self, name: str) -> float:
        """How promising a name on the page is, from 0 (nothing in common) to 1 (named by the text)."""
        stems = _stems(name)
        if any(plain(place) == plain(name) for place in self.places):
            return 1.0
        if any(_stems(place) == stems for place in self.places):
            return 0.9
        if name and any(plain(title) == plain(name) for title in self.sections):
            return 0.96
        if stems in self.objects:
            return 0.75
        return 0.6 * len(stems & self.subject) / len(stems) if stems else 0.0


def beginning_names(procedure: Procedure) -> tuple[str, ...]:
    """The labels of the first step, and the places in which the procedure is done."""
    return (*_first_labels(procedure), *beginning_of(procedure).places)


def beginning_of(procedure: Procedure) -> Beginning:
    """Find where a procedure begins: by its checks, or else by the text and the text above it."""
    first_labels = tuple(_first_labels(procedure))
    titles = frozenset[str]().union(*map(_stems, (*procedure.title_path, *first_labels)))
    acts = filter(verb_of, (*imperatives(procedure.title), *first_labels))
    objects = frozenset(filter(None, map(_stems, acts)))
    if start := procedure.checks.start.strip():
        if start.startswith("/"):
            return Beginning((), titles, start)
        return Beginning(tuple(name.strip() for name in start.split(">")), titles, objects=objects)
    sentences = (*procedure.above, *procedure.introduction)
    first_step = next(procedure.walk(), None)
    parts = _parts_of_console((*sentences, *_sentences_of(first_step)))
    places = dict[str, str]()
    for name in (*parts, *(name for sentence in sentences for name in places_in(sentence))):
        # The place named last, nearest to the steps, is the innermost.
        places.pop(plain(name), None)
        places[plain(name)] = name
    return Beginning(tuple(places.values()), titles, objects=objects, sections=procedure.title_path)


def _parts_of_console(sentences: Iterable[Sentence]) -> Iterator[str]:
    for text in (sentence.text for sentence in sentences):
        if not _NEGATION.search(text):
            yield from (m["name"] for m in _PART_OF_CONSOLE.finditer(text))
            for m in _WAY_IN.finditer(text):
                yield from re.split(r" [-–] ", m["path"])


def _sentences_of(step: Step | None) -> tuple[Sentence, ...]:
    return tuple(part for part in (step.body if step else ()) if isinstance(part, Sentence))


def places_in(sentence: Sentence) -> Iterator[str]:
    """The pages, tabs and menus that a sentence names, the outermost first."""
    if _NEGATION.search(sentence.text):
        return
    for label in outermost_first(sentence):
        if label.role is InlineRole.MENU_PATH:
            is_means = _BY_MEANS_OF.search(sentence.text[: label.start])
            yield from () if is_means else label.parts
        elif _PLACE_NOUN.match(sentence.text, label.end):
            yield label.text
    for stressed in (i for i in sentence.inlines if i.role is InlineRole.EMPHASIS):
        # "*Settings > Tokens*", "the *Settings* section"
        inline = in_role_of_use(stressed, sentence.text)
        is_place = stressed.text[:1].isupper() and _PLACE_NOUN.match(sentence.text, stressed.end)
        yield from inline.parts or ((stressed.text,) if is_place else ())


def _first_labels(procedure: Procedure) -> Iterable[str]:
    sentences = _sentences_of(next(procedure.walk(), None))
    labels = (label for sentence in sentences for label in sentence.labels())
    return (label.text for label, _ in zip(labels, range(_LABELS_CONSIDERED), strict=False))


def _stems(name: str) -> frozenset[str]:
    """The singular words of a name, without verbs and filler words."""
    return frozenset(
        singular_of(word)
        for word in words(name)
        if word not in _EMPTY_WORDS and verb_of(word) is None
    )
