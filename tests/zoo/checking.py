"""Verifies the vendors' guides against the running consoles, one procedure at a time."""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from appliance.verification import Label as LabelledFinding
from tests.zoo.console import Console, Content, Place, ZooError
from tests.zoo.installing import fetch
from tests.zoo.keeping import down, up
from tests.zoo.labels import Label, labels_of
from tests.zoo.scoring import Json, Row, Totals, labels_in, row_of, seen_in

LOOK_S = 2.0
"""Between two looks of the witness while a procedure is carried out."""
ONE_S = 600
"""For one procedure; what takes longer counts as no verdict."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How consoles are measured."""

    only: str = ""
    """Titles with these words; empty: all."""
    settings: Path | None = None
    """Further settings of the appliance, such as a model."""
    keep: Path | None = None
    """Folder in which the results and reports stay."""
    longest_s: int = ONE_S


@dataclass(slots=True, kw_only=True)
class Checked:
    """What came of one console."""

    console: str
    half: str
    rows: list[Row] = field(default_factory=list)
    cannot: int = 0
    unlabelled: int = 0
    """Procedures that the appliance found and nobody labelled."""
    totals: Totals = field(default_factory=Totals)
    labels: list[LabelledFinding] = field(default_factory=list)


def check(console: Console, way: Way) -> Checked:
    """Each labelled procedure in the state in which the console was filled."""
    words = way.only.casefold()
    labels = [label for label in labels_of(console) if words in label.title.casefold()]
    guide = fetch(console.guide)
    _complain_of_lines(labels, guide)
    checked = Checked(console=console.name, half=console.half)
    with tempfile.TemporaryDirectory(prefix="zoo-") as name:
        appliance = Appliance(console=console, guide=guide, folder=Path(name), way=way)
        known = appliance.procedures()
        checked.unlabelled = sum(not any(_is_of(p, each) for each in labels) for p in known)
        place: Place | None = None
        try:
            for label in labels:
                if label.cannot:
                    checked.cannot += 1
                    continue
                place = place or up(console)
                row, worth, is_clean = _row(appliance, place, label, known)
                place = place if is_clean else None
                checked.rows.append(row)
                checked.labels += worth
                checked.totals.add(row, sum(u.must_be_found for u in label.untrue))
                _say(console, row)
        finally:
            down(console)
    checked.totals.cannot = checked.cannot
    return checked


def _row(
    appliance: "Appliance", place: Place, label: Label, known: Sequence[Json]
) -> tuple[Row, Sequence[LabelledFinding], bool]:
    """Its score, its findings with what they are worth, and whether the console is as it was."""
    began = time.monotonic()
    procedure = next((each for each in known if _is_of(each, label)), None)
    if procedure is None:
        return row_of(label, None, seen_in([{}, {}])), (), True
    with _watched(appliance.console, place) as samples:
        result = appliance.verify(place, procedure["id"], label)
    row = row_of(label, result, seen_in(samples), time.monotonic() - began)
    worth = tuple(labels_in(label, result)) if result else ()
    return row, worth, samples[0] == samples[-1]


@contextmanager
def _watched(console: Console, place: Place) -> Iterator[list[Content]]:
    """Looks of the witness: before, all the time, and after."""
    samples = [console.witness(place)]
    ended = threading.Event()

    def look() -> None:
        while not ended.wait(LOOK_S):
            sample = console.witness(place)
            if sample != samples[-1]:
                samples.append(sample)

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield samples
    finally:
        ended.set()
        watcher.join()
        samples.append(console.witness(place))


@dataclass(frozen=True, slots=True, kw_only=True)
class Appliance:
    """The whole command, with the settings that a user would write from README's words alone."""

    console: Console
    guide: Path
    folder: Path
    way: Way

    def procedures(self) -> list[Json]:
        """What it finds in the guide; with a model also the sections that only a model reads."""
        told = self._run(
            self._settings("http://127.0.0.1"), "procedures", *self._documents, "--json"
        )
        described = json.loads(told.stdout)
        found: list[Json] = described["procedures"]
        return [*found, *described["candidates"]] if "model" in self._further_settings else found

    def verify(self, place: Place, procedure: str, label: Label) -> Json | None:
        """What it says of one procedure; None where it says nothing."""
        settings = self._settings(place.url + self.console.path)
        given = [part for key, value in label.set.items() for part in ("--set", f"{key}={value}")]
        report, formats = self.folder / "report", "json"
        if self.way.keep:
            name = f"{self.console.name}-{Path(label.document).stem}-{label.line}"
            report, formats = self.way.keep / name, "json,html"
        out = ("--out", str(report), "--format", formats, "--json")
        told = self._run(
            settings, "verify", *self._documents, "--procedure", procedure, *given, *out
        )
        if self.way.keep and report.is_dir():
            (report / "log.txt").write_text(told.stderr, encoding="utf-8")
        if told.returncode not in (0, 1):
            print(told.stderr[-600:], file=sys.stderr)
            return None
        results: list[Json] = json.loads(told.stdout)["procedures"]
        return next((each for each in results if each["id"] == procedure), None)

    @property
    def _further_settings(self) -> dict[str, Any]:  # Any: a settings file
        path = self.way.settings
        return yaml.safe_load(path.read_text(encoding="utf-8")) if path else {}

    @property
    def _documents(self) -> list[str]:
        return [str(self.guide / each) for each in self.console.guide.documents]

    def _settings(self, url: str) -> Path:
        account = {"username": self.console.username, "password_env": "ZOO_PASSWORD"}
        console = {"kind": "generic", "url": url, "accounts": {"zoo": account}}
        settings: dict[str, Any] = {  # Any: a settings file
            # A new one for each: a log-in that was kept would be of a console that is gone.
            "data_dir": tempfile.mkdtemp(dir=self.folder),
            "console": "zoo",
            "consoles": {"zoo": console},
        } | self._further_settings
        path = self.folder / "config.yaml"
        path.write_text(yaml.safe_dump(settings))
        return path

    def _run(self, settings: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "appliance.cli", "--config", str(settings), *arguments]
        env = {**os.environ, "ZOO_PASSWORD": self.console.password}
        longest_s = self.way.longest_s
        try:
            return subprocess.run(
                command, env=env, capture_output=True, text=True, timeout=longest_s, check=False
            )
        except subprocess.TimeoutExpired:
            said = f"not ended after {longest_s} s"
            return subprocess.CompletedProcess(command, returncode=2, stdout="", stderr=said)


def _is_of(procedure: Json, label: Label) -> bool:
    same = procedure["document"].endswith("/" + label.document)
    return same and bool(procedure["line"] == label.line)


def _complain_of_lines(labels: Sequence[Label], guide: Path) -> None:
    """A label must be about what stands there; the guide is at hand only now."""
    for label in labels:
        lines = (guide / label.document).read_text(encoding="utf-8").splitlines()
        places = [(label.line, label.title), *((each.line, each.quote) for each in label.untrue)]
        for line, quote in places:
            if line > len(lines) or quote not in lines[line - 1]:
                raise ZooError(f"{label.document}:{line} does not hold {quote!r}.")


def _say(console: Console, row: Row) -> None:
    said = f"{console.name} {row.document}:{row.line} {row.title}: {row.verdict or 'not found'}"
    came = "right" if row.is_right else f"WRONG: {row.why}"
    print(f"zoo: {said} ({row.took_s:.0f} s), {came}"[:300], file=sys.stderr)
