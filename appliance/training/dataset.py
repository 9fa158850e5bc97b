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
_MOST_TIMES = 4
"""So often is a sample of a rare kind of action shown in place of once."""
_LEAST_SHARE = 0.25
"""Of the commonest kind: so many samples each kind should have."""


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
            held = [n for n in names if any(fnmatchcase(PurePath(n).name, p) for p in patterns)]
        else:
            subjects = sorted({subject_of(name) for name in names}, key=_drawn)
            count = max(1, round(_HELD_OUT_SHARE * len(subjects)))
            drawn = set(subjects[:count])
            held = [name for name in names if subject_of(name) in drawn]
        rest = [name for name in names if name not in held]
        if not held or not rest:
            raise SetupError(
                f"of {len(names)} documents {len(held)} would be held out: nothing could be"
                f" {'measured' if rest else 'learnt'}. Keep attempts of more documents, or name"
                " others with --held-out"
            )
        return cls(train=tuple(rest), held_out=tuple(held))


def subject_of(document: str) -> str:
    """The file's name up to its first dot: the same for all its languages."""
    return PurePath(document).name.partition(".")[0]


def _drawn(subject: str) -> str:
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
        every = list(samples)
        if not every:
            raise SetupError(
                "no attempt is fit to learn from. Attempts are kept where training.keep_attempts is"
                " set; `appliance train collect` says why those that were are left out"
            )
        once = {sample.id: sample for sample in reversed(every)}
        kept = [sample for sample in every if once[sample.id] is sample]
        split = Split.of((sample.document for sample in kept), held_out)
        held = frozenset(split.held_out)
        known = {sample.id for sample in kept if sample.document in held}
        return cls(
            train=tuple(s for s in kept if s.document not in held and s.id not in known),
            held_out=_asked_about([s for s in kept if s.document in held]),
            split=split,
            repeated=len(every) - len(kept),
        )


def _asked_about(samples: Sequence[Sample]) -> tuple[Sample, ...]:
    """Turns of attempts say how good a model is; what was built by rule, only without any."""
    for stage in (Stage.TASK, Stage.OPERATION, Stage.RECOGNITION):
        if found := tuple(sample for sample in samples if sample.stage is stage):
            return found
    return ()


def times_of(samples: Sequence[Sample]) -> dict[str, int]:
    """How often each sample is shown, by its id, so that rare kinds of actions are learnt, too."""
    times: dict[str, int] = {}
    for _, group in groupby(sorted(samples, key=_form), key=_form):
        ours = list(group)
        counts = Counter(sample.kind for sample in ours)
        wanted = _LEAST_SHARE * max(counts.values())
        for one in ours:
            times[one.id] = min(_MOST_TIMES, max(1, round(wanted / counts[one.kind])))
    return times


def _form(sample: Sample) -> tuple[str, str]:
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
        (TRAIN, dataset.train, times_of(dataset.train)),
        (HELD_OUT, dataset.held_out, {}),
    )
    for name, samples, times in parts:
        _write_parquet(samples, times, folder / name)
    told: dict[str, object] = {
        "schema_version": SCHEMA_VERSION,
        "files": {name: _sha256(folder / name) for name, _, _ in parts},
        "documents": asdict(dataset.split),
        "samples": {name: counts_of(samples) for name, samples, _ in parts},
        "repeated": dataset.repeated,
        **facts,
    }
    write_whole(folder / FACTS, json.dumps(told, ensure_ascii=False, indent=1))
    write_whole(folder / CARD, card(told))
    return told


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
        rows = [[*(_plain(getattr(s, n)) for n in names), times.get(s.id, 1)] for s in samples]
        if rows:
            marks = ", ".join("?" * (len(names) + 1))
            connection.executemany(f"INSERT INTO samples VALUES ({marks})", rows)  # noqa: S608 - marks
        connection.table("samples").write_parquet(str(file), compression="zstd")


def _plain(value: object) -> object:
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
