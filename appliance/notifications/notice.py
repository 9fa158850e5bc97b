"""Events as one message for people, from the JSON that the outbox keeps of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import cache, partial
from typing import Any, TypeAlias

from appliance.core.clock import local_time
from appliance.core.verdict import Severity, Verdict
from appliance.reports import Language, Words, load_catalogue, spoken, without_markup

Data: TypeAlias = "Mapping[str, Any]"  # Any: what `engine.webhooks.messages` puts there
_MAX_ITEMS = 10
"""Of each kind; more are counted. A chat takes some thousand characters."""
_LONGEST = 300
"""Characters of what the console shows."""

DIGEST, TEST = "digest", "notification.test"


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that happened."""

    id: str
    head: str
    lines: tuple[str, ...]
    url: str


@dataclass(frozen=True, slots=True)
class Part:
    """The items of one kind."""

    heading: str
    items: tuple[Item, ...]
    more: str
    """Sentence on how many items are left out; empty: none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A message to people, before it is rendered for a channel."""

    title: str
    lead: tuple[str, ...]
    parts: tuple[Part, ...]
    foot: tuple[str, ...]
    worst: str
    """Id of the finding that matters most; empty: it is about none."""
    is_alarm: bool
    """Whether somebody should look."""


@dataclass(frozen=True, slots=True)
class _Reader:
    """The language and time zone of the readers."""

    words: Words
    zone: tzinfo

    def time(self, text: str) -> str:
        return local_time(datetime.fromisoformat(text), self.zone)

    def shorten(self, text: object) -> str:
        """Translate a sentence of the engine, and cut it to `_LONGEST` characters."""
        sentence = spoken(str(text or ""), self.words.language)
        return sentence if len(sentence) <= _LONGEST else sentence[: _LONGEST - 1] + "…"


@cache
def words_in(language: Language) -> Words:
    """The texts of messages in one language."""
    catalogue = load_catalogue("appliance.reports", "appliance.notifications")
    return Words(language, catalogue[language])


def notice_of(bodies: Sequence[Data], language: Language, zone: tzinfo) -> Notice:
    """One message about all these events, oldest first.

    A finding stands in it once, with what became of it last.
    """
    reader = _Reader(words_in(language), zone)
    words = reader.words
    by_kind = _by_kind(bodies)
    parts = tuple(
        _part(kind, list(events.values()), reader) for kind, events in by_kind.items() if events
    )
    digest = next((body["data"] for body in reversed(bodies) if body["type"] == DIGEST), None)
    test = next((body["data"] for body in bodies if body["type"] == TEST), None)
    lead: tuple[str, ...] = ()
    if digest is not None:
        title, lead = _digest_title(digest, by_kind, words), tuple(_digest_lead(digest, reader))
    elif test is not None:
        title = words("notice.test", name=test["notification"])
        lead = (words("notice.test.text"),)
    else:
        title = _title(by_kind, parts, words)
    has_times = digest is not None or bool(by_kind["asked"])
    return Notice(
        title=title,
        lead=lead,
        parts=parts,
        foot=(
            *((words("notice.all", url=digest["url"]),) if digest is not None else ()),
            *((words("notice.zone", zone=zone),) if has_times else ()),
        ),
        worst=min(by_kind["opened"], key=lambda id: _rank(by_kind["opened"][id]), default=""),
        is_alarm=any(by_kind[kind] for kind in by_kind if kind not in ("closed", "finished")),
    )


_KINDS = {
    "finding.opened": "opened",
    "finding.closed": "closed",
    "sweep.paused": "paused",
    "account.quarantined": "quarantined",
    "person.asked": "asked",
    "sweep.finished": "finished",
}


def _by_kind(bodies: Iterable[Data]) -> dict[str, dict[str, Data]]:
    by_kind: dict[str, dict[str, Data]] = {kind: {} for kind in _KINDS.values()}
    for body in bodies:
        for kind, data in _events_of(body):
            id = str(data.get("id") or f"{data['console']}/{data['account']}")
            if kind in ("opened", "closed"):
                by_kind["opened"].pop(id, None)
                by_kind["closed"].pop(id, None)
            by_kind[kind][id] = data
    return by_kind


def _events_of(body: Data) -> Iterator[tuple[str, Data]]:
    data = body["data"]
    if body["type"] == DIGEST:
        yield from (("opened", finding) for finding in data["opened"])
        yield from (("closed", finding) for finding in data["closed"])
    elif kind := _KINDS.get(body["type"]):
        yield kind, data


def _part(kind: str, events: Sequence[Data], reader: _Reader) -> Part:
    items = tuple(_ITEMS[kind](event, reader) for event in events[:_MAX_ITEMS])
    omitted = len(events) - len(items)
    return Part(
        reader.words(f"notice.{kind}", len(events)),
        items,
        reader.words("notice.more", omitted) if omitted else "",
    )


def _title(by_kind: Mapping[str, Mapping[str, Data]], parts: Sequence[Part], words: Words) -> str:
    if len(parts) != 1:
        return words("notice.several", sum(len(events) for events in by_kind.values()))
    (kind,) = (kind for kind, events in by_kind.items() if events)
    if len(by_kind[kind]) > 1:
        return parts[0].heading
    ((id, data),) = by_kind[kind].items()
    if kind in ("opened", "closed"):
        return words(f"notice.{kind}.one", where=_location(data))
    return words(f"notice.{kind}.one") if kind == "asked" else words(f"notice.{kind}.one", id=id)


def _rank(data: Data) -> tuple[int, float]:
    return list(Severity).index(Severity(data["severity"])), -data["confidence"]


def _location(data: Data) -> str:
    return f"{data['document']}:{data['line']}"


def _finding_item(data: Data, reader: _Reader) -> Item:
    words = reader.words
    quote, shown = without_markup(str(data["quote"])), reader.shorten(data["shown"])
    suggestion = data["suggestion"]
    if suggestion:
        line = words("notice.instead", quote=quote, suggestion=without_markup(suggestion))
        lines = (line, shown) if shown else (line,)
    else:
        key = "notice.shows" if suggestion is None else "notice.without"
        lines = (words(key, quote=quote, shown=shown),)
    head = f"{_location(data)} · {words('kind.' + str(data['kind']))} · {data['console']}"
    return Item(str(data["id"]), head, lines, str(data["url"]))


def _sweep_item(data: Data, reader: _Reader) -> Item:
    counted = _verdicts(data["summary"] or {}, reader.words)
    lines = tuple(filter(None, (reader.shorten(data["why"]), counted)))
    return Item(str(data["id"]), f"{data['id']} · {data['console']}", lines, str(data["url"]))


def _account_item(data: Data, reader: _Reader) -> Item:
    name = f"{data['console']}/{data['account']}"
    return Item(name, name, (reader.shorten(data["reason"]),), str(data["url"]))


def _question_item(data: Data, reader: _Reader) -> Item:
    until = reader.words("notice.until", time=reader.time(data["expires_at"]))
    head = f"{data['procedure_id']} · {data['console']}"
    return Item(str(data["id"]), head, (reader.shorten(data["text"]), until), str(data["url"]))


_ITEMS: Mapping[str, Callable[[Data, _Reader], Item]] = {
    "opened": _finding_item,
    "closed": _finding_item,
    "paused": _sweep_item,
    "finished": _sweep_item,
    "quarantined": _account_item,
    "asked": _question_item,
}


def _verdicts(counts: Data, words: Words) -> str:
    """`24 verified · 7 drifted`."""
    return " · ".join(
        words("digest.count", counts[verdict], verdict=words(f"verdict.{verdict}"))
        for verdict in map(str, Verdict)
        if counts.get(verdict)
    )


def _digest_title(digest: Data, by_kind: Mapping[str, Mapping[str, Data]], words: Words) -> str:
    say = partial(_counted, words)
    broke, mended = say("digest.broke", by_kind["opened"]), say("digest.mended", by_kind["closed"])
    if broke and mended:
        return words("digest.both", broke=broke, mended=mended)
    if broke:
        return broke
    if not any(digest["verdicts"].values()):
        return mended or words("digest.idle")
    nothing = words("digest.nothing")
    return words("digest.both", broke=nothing, mended=mended) if mended else nothing


def _counted(words: Words, key: str, events: Mapping[str, Data]) -> str:
    return words(key, len(events)) if events else ""


def _digest_lead(digest: Data, reader: _Reader) -> Iterator[str]:
    words, counts = reader.words, digest["verdicts"]
    since, total = reader.time(digest["since"]), sum(counts.values())
    if total:
        verdicts = words("digest.verdicts", total, told=_verdicts(counts, words))
        yield words("digest.since", since=since, verdicts=verdicts)
    else:
        yield words("digest.since.idle", since=since)
    if digest["waiting"]:
        yield words("digest.waiting", digest["waiting"])
