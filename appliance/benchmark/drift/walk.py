"""Walks through a procedure over the product data, mark by mark, and says what each mark names.

No reader of ours takes part: a mark is looked up by its exact text, first in the page, form or
dialog that the text has come to, then in what is near it. What stays open is answered by hand, in
`NAME.anchors.yaml` beside the document.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from appliance.benchmark.drift import cues
from appliance.benchmark.drift.mark_meanings import MarkMeanings
from appliance.benchmark.drift.marks import TextMark, marks_of
from appliance.benchmark.drift.spots import Spot, SpotRole, Spots, kind_of
from appliance.core.procedure import InlineRole, Procedure

_NUMBER = re.compile(r"[\d.,:/-]+%?")


@dataclass(frozen=True, slots=True)
class ResolvedMark:
    """A mark and what it names."""

    mark: TextMark
    spot: Spot
    is_default: bool = False
    """Whether the sentence says that the value is the default."""


@dataclass(frozen=True, slots=True)
class UnresolvedMark:
    """A mark that could not be resolved."""

    mark: TextMark
    candidates: tuple[Spot, ...]

    def __str__(self) -> str:
        candidates = (
            ", ".join(sorted({f"{s.path} ({s.role})" for s in self.candidates})) or "nothing"
        )
        return f"line {self.mark.line}: “{self.mark.text}” may be {candidates}"


@dataclass(slots=True)
class ReaderPosition:
    """Where a reader is, and what was named so far."""

    spots: Spots
    procedure: Procedure
    by_hand: MarkMeanings
    context: str = "shell"
    behind: str = ""
    """The page from which the form or dialog was opened."""
    named: list[ResolvedMark] = field(default_factory=list)
    ends: list[tuple[TextMark, int]] = field(default_factory=list)
    """Ends of sentences, with how many marks were named before."""
    literals: list[tuple[TextMark, int]] = field(default_factory=list)
    """Marked values that are no text of the console, likewise."""
    open: list[UnresolvedMark] = field(default_factory=list)
    is_ticked: bool = False

    def go(self) -> "ReaderPosition":
        """Walk to the end."""
        for mark in marks_of(self.procedure):
            self._move_by_words(mark)
            if mark.text:
                self._look_up(mark)
            else:
                self.ends.append((mark, len(self.named)))
        return self

    @property
    def last(self) -> Spot | None:
        """What was named last."""
        return self.named[-1].spot if self.named else None

    def _move_by_words(self, mark: TextMark) -> None:
        if mark.is_field or mark.is_remark:
            return
        if cues.opens_item(mark.before) and self.context.startswith(("list:", "done:")):
            self.context = f"detail:{kind_of(self.context)}"
        if cues.says_batch(mark.before):
            self.is_ticked = True

    def _look_up(self, mark: TextMark) -> None:
        document = Path(self.procedure.span.file).name
        answer = self.by_hand.answer(document, mark)
        if answer is not None and answer.is_free:
            return
        spots = (
            self._spots_of_answer(answer.path, answer.place) if answer else self._candidates(mark)
        )
        if len(spots) == 1:
            by_hand = answer.is_default if answer else None
            self._take(mark, spots[0], cues.is_default(mark) if by_hand is None else by_hand)
        elif mark.role is InlineRole.LITERAL or _NUMBER.fullmatch(mark.text):
            self.literals.append((mark, len(self.named)))
        else:
            self.open.append(UnresolvedMark(mark, tuple(spots)))

    def _spots_of_answer(self, path: str, place: str) -> list[Spot]:
        all_spots = [spot for spots in self.spots.by_context.values() for spot in spots]
        matching = [s for s in all_spots if s.path == path and place in ("", s.place)]
        in_context = [s for s in matching if s.context == self.context] or matching
        return list({(s.path, s.place): s for s in in_context}.values())[:1]

    def _candidates(self, mark: TextMark) -> list[Spot]:
        for contexts in self._tiers(mark):
            matching = self.spots.saying(contexts, mark.text, self.procedure.language)
            matching = [spot for spot in matching if self._may_be(spot, mark)]
            if matching:
                return self._decide(matching, mark)
        return []

    def _may_be(self, spot: Spot, mark: TextMark) -> bool:
        if mark.role is not InlineRole.LITERAL:
            return True
        return spot.role in (SpotRole.OPTION, SpotRole.STATE)

    def _tiers(self, mark: TextMark) -> Iterator[list[str]]:
        last = self.last
        is_menu = last and (last.path == "console.texts.products" or last.role is SpotRole.CATEGORY)
        if is_menu and self._follows(mark):
            yield ["menu"]
        current = [self.context]
        service = self.spots.service_of.get(kind_of(self.context), self.context[4:])
        is_below_product = last is not None and last.role is SpotRole.MENU and not mark.is_first
        if is_below_product or cues.says_navigation(mark):
            yield [f"nav:{service}"]
        sort, kind = self.context.partition(":")[0], kind_of(self.context)
        yield current + (["shell"] if sort in ("form", "confirm") else [])
        near = [f"list:{kind}", f"detail:{kind}", f"nav:{service}", "shell", self.behind]
        yield [*current, *near]
        yield [*current, *near, *self.spots.of_kind(kind)]
        kinds = [need.kind for need in self.procedure.checks.needs]
        yield [context for other in (kind, *kinds) for context in self.spots.of_kind(other)]
        yield self.spots.of_service(service)
        yield list(self.spots.by_context)

    def _follows(self, mark: TextMark) -> bool:
        """Whether a mark comes directly after the last one."""
        return not mark.is_first or self.named[-1].mark.step == mark.step

    def _decide(self, matching: list[Spot], mark: TextMark) -> list[Spot]:
        if matching[0].context == "menu":
            return self._in_menu(matching, mark)
        remaining = _distinct(cues.narrow_spots(matching, mark))
        if len(remaining) > 1:
            remaining = self._by_place(remaining, mark)
        if len(remaining) > 1:
            remaining = self._by_last(remaining)
        kind = f".resources.{kind_of(self.context)}."
        return (
            remaining
            if len(remaining) == 1
            else [s for s in remaining if kind in s.path] or remaining
        )

    def _in_menu(self, matching: list[Spot], mark: TextMark) -> list[Spot]:
        """A heading of the product menu only where an entry below it is named next."""
        products = self.spots.catalogue.products.values()
        language = self.procedure.language
        categories = [s for s in matching if s.role is SpotRole.CATEGORY]
        for spot in categories:
            below = [p for p in products if spot.path.endswith(f".{p.category}")]
            if mark.rest and mark.rest[0] in [p.menu.in_language(language) for p in below]:
                return [spot]
        entries = [s for s in matching if s.path.endswith(".menu")]
        return entries or [s for s in matching if s not in categories] or categories

    def _by_place(self, spots: list[Spot], mark: TextMark) -> list[Spot]:
        last = self.last
        is_in_menu = last is not None and last.path == "console.texts.more"
        sentence = mark.sentence.text
        fitting = [s for s in spots if s.place.endswith("more") == is_in_menu] or spots
        if not is_in_menu and not mark.is_remark:
            is_batch = not cues.says_row(sentence) and (self.is_ticked or cues.says_batch(sentence))
            ends = ("batch",) if is_batch else ("row",) if cues.says_row(sentence) else ()
            fitting = [s for s in fitting if s.place.endswith(ends)] or fitting if ends else fitting
        return fitting

    def _by_last(self, spots: list[Spot]) -> list[Spot]:
        """An option belongs to the field that was named last; what is here comes before others."""
        fields = [n.spot.field for n in reversed(self.named) if n.spot.role is SpotRole.FIELD]
        for path in fields:
            options = [s for s in spots if s.role is SpotRole.OPTION and s.field == path]
            if options:
                return options
        in_context = [s for s in spots if s.context == self.context]
        return in_context or [s for s in spots if s.context == self.behind] or spots

    def _take(self, mark: TextMark, spot: Spot, is_default: bool) -> None:
        self.named.append(ResolvedMark(mark, spot, is_default))
        if mark.is_remark or not (mark.step or spot.role in (SpotRole.TAB, SpotRole.ACTION)):
            return
        if spot.to:
            is_page = spot.to.startswith(("list:", "detail:"))
            self.behind = "" if is_page else self.behind or self.context
            self.context = spot.to
            self.is_ticked = False
        elif not spot.context.startswith(("shell", "menu", "nav:")) and spot.role in (
            SpotRole.ACTION, SpotRole.SUBMIT, SpotRole.TITLE, SpotRole.FIELD, SpotRole.TAB,
            SpotRole.STEP,
        ):  # fmt: skip
            self.context = spot.context


def _distinct(spots: Iterable[Spot]) -> list[Spot]:
    """Spots with the same text of the same thing count once."""
    return list({(spot.path, spot.place): spot for spot in spots}.values())
