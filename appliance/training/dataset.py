"""A dataset: samples without repeats, split by document, in Parquet files with a card."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from fnmatch import fnmatchcase
from itertools import groupby
from pathlib import Path, PurePath

import duckdb

from appliance.core.errors import SetupError
from appliance.system.files import write_whole
from appliance.training.kinds import Stage
from appliance.training.samples import Sample

SCHEMA_VERSION = 1
TRAIN, HELD_OUT = "train.parquet", "held_out.parquet"
CARD, FACTS = "README.md", "dataset.json"
_HELD_OUT_SHARE = 0.2
_MAX_REPETITIONS = 4
"""A sample of a rare kind of action is repeated at most this many times."""
_MIN_KIND_SHARE = 0.25
"""Rarer kinds are repeated until they reach this share of the commonest kind's count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Which documents are learnt from, and which are only asked about."""

    train: tuple[str, ...]
    held_out: tuple[str, ...]

    @classmethod
    def of(cls, documents: Iterable[str], patterns: Sequence[str]) -> "Split":
        """Split documents by their subjects: a text and its translation stay together.

        Args:
            documents: Their paths.
            patterns: Names of those that are held out, as shell patterns; none: a fifth of the
                subjects is drawn, always the same ones.

        Raises:
            SetupError: One side would be empty.
        """
        names = sorted(set(documents))
        if patterns:
            held_out = [n for n in names if any(fnmatchcase(PurePath(n).name, p) for p in patterns)]
        else:
            subjects = sorted({subject_of(name) for name in names}, key=_draw_order)
            count = max(1, round(_HELD_OUT_SHARE * len(subjects)))
            drawn = set(subjects[:count])
            held_out = [name for name in names if subject_of(name) in drawn]
        train = [name for name in names if name not in held_out]
        if not held_out or not train:
            raise SetupError(
                f"of {len(names)} documents {len(held_out)} would be held out: nothing could be"
                f" {'measured' if train else 'learnt'}. Keep attempts of more documents, or name"
                " others with --held-out"
            )
        return cls(train=tuple(train), held_out=tuple(held_out))


def subject_of(document: str) -> str:
    """The file's name up to its first dot, which a document shares with its translations."""
    return PurePath(document).name.partition(".")[0]


def _draw_order(subject: str) -> str:
    return hashlib.sha256(subject.encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """Samples, and what is known of how they came to be."""

    train: tuple[Sample, ...]
    held_out: tuple[Sample, ...]
    split: Split
    repeated: int
    """Left out: the same question and answer is there already."""

    @classmethod
    def of(cls, samples: Iterable[Sample], held_out: Sequence[str]) -> "Dataset":
        """Of samples, each once.

        Raises:
            SetupError: There are none, or all are of one document.
        """
        all_samples = list(samples)
        if not all_samples:
            raise SetupError(
                "no attempt is fit to learn from. Attempts are kept where training.keep_attempts is"
                " set; `appliance train collect` says why those that were are left out"
            )
        first_by_id = {sample.id: sample for sample in reversed(all_samples)}
        distinct = [sample for sample in all_samples if first_by_id[sample.id] is sample]
        split = Split.of((sample.document for sample in distinct), held_out)
        held_out_documents = frozenset(split.held_out)
        held_out_ids = {sample.id for sample in distinct if sample.document in held_out_documents}
        return cls(
            train=tuple(
                s
                for s in distinct
                if s.document not in held_out_documents and s.id not in held_out_ids
            ),
            held_out=_examined_samples([s for s in distinct if s.document in held_out_documents]),
            split=split,
            repeated=len(all_samples) - len(distinct),
        )


def _examined_samples(samples: Sequence[Sample]) -> tuple[Sample, ...]:
    """Prefer turns of attempts for measuring; fall back on rule-built samples."""
    for stage in (Stage.TASK, Stage.OPERATION, Stage.RECOGNITION):
        if stage_samples := tuple(sample for sample in samples if sample.stage is stage):
            return stage_samples
    return ()


def repetitions_of(samples: Sequence[Sample]) -> dict[str, int]:
    """Return by sample id how often it is repeated, to balance rare kinds of actions."""
    repetitions: dict[str, int] = {}
    for _, group in groupby(sorted(samples, key=_form_and_role), key=_form_and_role):
        members = list(group)
        counts = Counter(sample.kind for sample in members)
        wanted_count = _MIN_KIND_SHARE * max(counts.values())
        for sample in members:
            repetitions[sample.id] = min(
                _MAX_REPETITIONS, max(1, round(wanted_count / counts[sample.kind]))
            )
    return repetitions


def _form_and_role(sample: Sample) -> tuple[str, str]:
    return sample.form, sample.role


def write_dataset(
    dataset: Dataset, folder: Path, facts: Mapping[str, object], card: Callable[[object], str]
) -> dict[str, object]:
    """Write a folder with both files, the facts as JSON, and the card.

    Args:
        dataset: What is written.
        folder: A new one.
        facts: What else is known: filters, the base's licence, the build.
        card: Says all facts to people.
    """
    folder.mkdir(parents=True, exist_ok=False)
    parts: tuple[tuple[str, tuple[Sample, ...], dict[str, int]], ...] = (
        (TRAIN, dataset.train, repetitions_of(dataset.train)),
        (HELD_OUT, dataset.held_out, {}),
    )
    for name, samples, times in parts:
        _write_parquet(samples, times, folder / name)
    all_facts: dict[str, object] = {
        "schema_version": SCHEMA_VERSION,
        "files": {name: _sha256(folder / name) for name, _, _ in parts},
        "documents": asdict(dataset.split),
        "samples": {name: counts_of(samples) for name, samples, _ in parts},
        "repeated": dataset.repeated,
        **facts,
    }
    write_whole(folder / FACTS, json.dumps(all_facts, ensure_ascii=False, indent=1))
    write_whole(folder / CARD, card(all_facts))
    return all_facts


def counts_of(samples: Sequence[Sample]) -> dict[str, object]:
    """Counts and lengths."""
    lengths = sorted(sample.tokens_in + sample.tokens_out for sample in samples)
    return {
        "count": len(samples),
        **{
            name: dict(sorted(Counter(str(getattr(s, name)) for s in samples).items()))
            for name in (
                "stage",
                "form",
                "role",
                "version",
                "language",
                "policy",
                "release",
                "kind",
            )
        },
        "untrue": sum(sample.is_untrue for sample in samples),
        "tokens": {
            name: lengths[min(len(lengths) - 1, int(share * len(lengths)))] if lengths else 0
            for name, share in (("median", 0.5), ("p95", 0.95), ("longest", 1.0))
        },
    }


def _write_parquet(samples: Sequence[Sample], times: Mapping[str, int], file: Path) -> None:
    names = [field.name for field in fields(Sample)]
    kinds = {"attempt": "INTEGER", "turn": "INTEGER", "tokens_in": "INTEGER"}
    kinds |= {"tokens_out": "INTEGER", "is_untrue": "BOOLEAN"}
    columns = ", ".join(f"{name} {kinds.get(name, 'VARCHAR')}" for name in names)
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE samples ({columns}, times INTEGER)")
        rows = [
            [*(_encodable(getattr(sample, n)) for n in names), times.get(sample.id, 1)]
            for sample in samples
        ]
        if rows:
            placeholders = ", ".join("?" * (len(names) + 1))
            connection.executemany(f"INSERT INTO samples VALUES ({placeholders})", rows)  # noqa: S608 - marks
        connection.table("samples").write_parquet(str(file), compression="zstd")


def _encodable(value: object) -> object:
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
