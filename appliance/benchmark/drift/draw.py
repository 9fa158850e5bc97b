"""Draws random drift from a seed, with the sentences that it makes untrue."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import yaml

from appliance.benchmark.drift.candidates import Change, DrawContext, candidates
from appliance.benchmark.drift.claim import Facet
from appliance.benchmark.drift.judge import ClaimCatalogue
from appliance.benchmark.drift.truth import ReadProcedure, read_all, untruths_of
from appliance.benchmark.drift.words import NewWords
from appliance.benchmark.truth import Truth, Untruth
from appliance.core.errors import SetupError
from appliance.core.procedure import Document
from appliance.practice.catalogue import Text
from appliance.practice.changes import OverlayFile
from appliance.practice.loading import SourceFile, Tree
from appliance.practice.overlay import KINDS, apply_overlay, catalogue_of
from appliance.practice.releases import DOCUMENTATION, catalogue, release_tree, releases
from appliance.system.yaml import Dumper

_SHARE_UNTRUE = 0.65
"""Share of changes that are drawn so that they make a sentence untrue; the others touch nothing
that is documented, and nothing may be reported about them."""
_MAX_UNTRUE_PER_CHANGE = 8
"""Sentences that one change may make untrue: a product that gets another name would make up most
of a file's figures."""
_MAX_TRIES = 25
_HIDING_KINDS = ("dead_link", "require_permission", "remove_control")
"""Kinds after which a reader does not get to see what else has changed in a procedure."""
_FORM_KINDS = ("add_field", "move_field", "require_field", "reorder_steps", "remove_field")
"""Kinds of which one resource bears only one: together they blur who is to blame."""


@dataclass(frozen=True)
class DriftDraw:
    """A drift file and its truth."""

    release: str
    seed: int
    changes: tuple[Change, ...]
    untruths: tuple[Untruth, ...]


@dataclass
class _DrawState:
    """What was drawn so far."""

    tree: Tree
    stages: list[ClaimCatalogue]
    changes: list[Change] = field(default_factory=list)
    untruths: list[Untruth] = field(default_factory=list)
    used: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class _TrialChange:
    """A change, and how everything is with it."""

    change: Change
    tree: Tree
    catalogue: ClaimCatalogue
    untruths: list[Untruth]


class Drawer:
    """Draws drift for the documents that it is given."""

    def __init__(self, documents: Sequence[Document], release: str = "") -> None:
        self.release = release or releases()[0]
        self._base_catalogue = catalogue(releases()[0])
        self._tree = release_tree(self.release)
        self.reads: tuple[ReadProcedure, ...] = read_all(
            documents, self._base_catalogue, DOCUMENTATION
        )

    def draw(self, seed: int, size: int) -> DriftDraw:
        """The drift of a seed: the same every time.

        Args:
            seed: Any number.
            size: How many changes.

        Raises:
            SetupError: The product data does not offer that many.
        """
        random = Random(f"{self.release}/{seed}/{size}")  # noqa: S311 - repeatable, no secret
        state = _DrawState(self._tree, self._first_stages())
        ground = self._ground(random)
        for kind in self._kinds(random, size):
            self._add_one(state, kind, ground)
            if len(state.changes) == size:
                return DriftDraw(self.release, seed, tuple(state.changes), tuple(state.untruths))
        raise SetupError(f"there are no {size} changes to be drawn; ask for fewer")

    def _first_stages(self) -> list[ClaimCatalogue]:
        newer = self.release != releases()[0]
        stages = [self._base_catalogue, *([catalogue_of(self._tree)] if newer else [])]
        return [ClaimCatalogue(catalogue) for catalogue in stages]

    def _kinds(self, random: Random, size: int) -> Iterator[str]:
        """Every kind comes up before one comes up again."""
        for _ in range(size + 3):
            yield from random.sample(sorted(KINDS), len(KINDS))

    def _ground(self, random: Random) -> DrawContext:
        current = catalogue_of(self._tree)
        return DrawContext(
            current,
            NewWords(current, random),
            random,
            self._needed,
            self._needed_values,
            frozenset(self._expected),
        )

    @cached_property
    def _needed(self) -> frozenset[str]:
        return frozenset(n.kind for read in self.reads for n in read.procedure.checks.needs)

    @cached_property
    def _needed_values(self) -> frozenset[tuple[str, str, str]]:
        return frozenset(
            (need.kind, name, str(value))
            for read in self.reads
            for need in read.procedure.checks.needs
            for name, value in need.values.items()
        )

    @cached_property
    def _expected(self) -> set[tuple[str, str]]:
        """Fields whose value the checks know though the text does not name the field."""
        fields = set()
        for read in self.reads:
            claimed = {claim.path for claim in read.claims if claim.facet is Facet.SHOWN}
            rules = [rule for rule in read.procedure.checks.expected() if rule.where]
            for owner in self._base_catalogue.resources():
                events = {action.event for action in owner.resource.actions.values()}
                for rule in rules:
                    for condition in rule.where:
                        name = condition.path.removeprefix("parameters.")
                        path = f"{owner.service}.resources.{owner.kind}.fields.{name}"
                        if rule.event in events and path not in claimed:
                            fields.add((owner.kind, name))
        return fields

    def _add_one(self, state: _DrawState, kind: str, ground: DrawContext) -> None:
        """Add a change of a kind where one fits; first of the sort that chance asks for."""
        wants_untruth = ground.random.random() < _SHARE_UNTRUE
        changes = candidates(kind, ground)
        ground.random.shuffle(changes)
        changes.sort(key=lambda c: self._is_documented(c) != wants_untruth)  # keeps their order
        fallback: _TrialChange | None = None
        for change in self._free(state, kind, changes)[:_MAX_TRIES]:
            worded = _with_words(kind, change, ground.words)
            if worded is None or (tried := self._try_change(state, worded)) is None:
                continue
            if bool(len(tried.untruths) - len(state.untruths)) == wants_untruth:
                _accept(state, tried)
                return
            fallback = fallback or tried
        if fallback is not None:
            _accept(state, fallback)

    def _is_documented(self, change: Change) -> bool:
        return change["target"] in self._documented

    @cached_property
    def _documented(self) -> frozenset[str]:
        """What claims are about, and what that is a part of."""
        paths = [path.split(".") for read in self.reads for path in read.paths]
        return frozenset(".".join(parts[:n]) for parts in paths for n in range(1, len(parts) + 1))

    def _free(self, state: _DrawState, kind: str, changes: list[Change]) -> list[Change]:
        return [change for change in changes if not _keys(kind, change) & state.used]

    def _try_change(self, state: _DrawState, change: Change) -> _TrialChange | None:
        """The product data with a change, and what is untrue then; None where it must not be."""
        overlay = OverlayFile.model_validate({"changes": [change]})
        try:
            tree = apply_overlay(state.tree, overlay, SourceFile(Path("drift"), {}, {}))
        except SetupError:
            return None
        stages = [*state.stages, ClaimCatalogue(catalogue_of(tree))]
        offset = len(state.stages) - len(state.changes) - 1
        untruths = [
            untruth.model_copy(update={"change": max(0, untruth.change - offset)})
            for untruth in untruths_of(self.reads, stages)
        ]
        own_untruths = [untruth for untruth in untruths if untruth.change == len(state.changes) + 1]
        kinds = [earlier["kind"] for earlier in (*state.changes, change)]
        if (
            len(own_untruths) > _MAX_UNTRUE_PER_CHANGE
            or _hides(untruths, kinds)
            or len(untruths) < len(state.untruths)
        ):
            return None
        return _TrialChange(change, tree, stages[-1], untruths)


def _accept(state: _DrawState, tried: _TrialChange) -> None:
    state.tree = tried.tree
    state.stages.append(tried.catalogue)
    state.untruths = tried.untruths
    state.used |= _keys(tried.change["kind"], tried.change)
    state.changes.append(tried.change)


def _keys(kind: str, change: Change) -> set[str]:
    """What no second change may touch."""
    target: str = change["target"]
    parts = target.split(".")
    keys = {".".join(parts[:5]) if ".actions." in target or ".fields." in target else target}
    if kind in _FORM_KINDS:
        keys.add(f"{'.'.join(parts[:3])} form")
    return keys


def _hides(untruths: Sequence[Untruth], kinds: Sequence[str]) -> bool:
    """Whether a procedure would have one change behind another, where no reader comes to."""
    by_procedure: dict[str, set[int]] = {}
    for untruth in untruths:
        by_procedure.setdefault(untruth.procedure, set()).add(untruth.change)
    return any(
        len(changes) > 1
        and any(number and kinds[number - 1] in _HIDING_KINDS for number in changes)
        for changes in by_procedure.values()
    )


def _with_words(kind: str, change: Change, words: NewWords) -> Change | None:
    """A change with its new texts; None where there are no other words."""
    worded: dict[str, Any] = {"kind": kind}  # Any: as in a drift file
    for key, value in change.items():
        if isinstance(value, Text):
            text: object = words.renamed(value, words.languages())
        elif key == "acknowledge":
            text = words.one_of(value, ("en", "zh"))
        elif key in ("text", "notice") and (value is None or isinstance(value, str)):
            text = words.one_of(value or "remarks", words.languages())
        else:
            text = value
            worded[key] = value
            continue
        if text is None:
            return None
        worded[key] = text
    return worded


class DriftFiles(NamedTuple):
    """The two files."""

    drift: Path
    truth: Path


def write_drawn(drawn: DriftDraw, folder: Path) -> DriftFiles:
    """Write `drift-SEED.yaml` and `drift-SEED.truth.yaml`; the same bytes for the same draw."""
    folder.mkdir(parents=True, exist_ok=True)
    drift = folder / f"drift-{drawn.seed}.yaml"
    note = f"Drawn from seed {drawn.seed} over release {drawn.release}."
    changes = [dict(change) for change in drawn.changes]
    drift.write_text(_yaml({"note": note, "changes": changes}), encoding="utf-8")
    truth = folder / f"drift-{drawn.seed}.truth.yaml"
    truth.write_text(_yaml(_truth(drawn)), encoding="utf-8")
    return DriftFiles(drift, truth)


def _truth(drawn: DriftDraw) -> dict[str, Any]:  # Any: JSON
    data = Truth(
        schema_version=1, release=drawn.release, seed=drawn.seed, untruths=drawn.untruths
    ).model_dump(mode="json")
    for untruth in data["untruths"]:
        untruth["acceptable_kinds"] = sorted(untruth["acceptable_kinds"])
    return data


def _yaml(data: dict[str, Any]) -> str:  # Any: JSON
    # a copy without shared parts, which would be written as anchors
    return yaml.dump(
        _without_sharing(data), Dumper=Dumper, allow_unicode=True, sort_keys=False, width=100
    )


def _without_sharing(value: Any) -> Any:  # Any: JSON
    if isinstance(value, dict):
        return {key: _without_sharing(inner) for key, inner in value.items()}
    return (
        [_without_sharing(inner) for inner in value] if isinstance(value, (list, tuple)) else value
    )
