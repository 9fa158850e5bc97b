import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from appliance.core.errors import SetupError
from appliance.core.result import RunResult
from appliance.reports import FILE_NAMES, load_result, read_source, write_reports
from appliance.reports.writer import repository_path

MakeRun = Callable[..., RunResult]


def test_all_formats_have_stable_names(
    night: RunResult, documents: dict[str, str], folder: Any, tmp_path: Path
) -> None:
    out = tmp_path / "a" / "out"
    written = write_reports(night, FILE_NAMES, out, folder.get, documents.get)
    assert [path.name for path in written] == [
        "report.html",
        "result.json",
        "junit.xml",
        "results.sarif",
        "github.txt",
        "summary.md",
        "suggestions.patch",
    ]
    assert sorted(path.name for path in out.iterdir()) == sorted(path.name for path in written)
    assert load_result(json.loads((out / "result.json").read_text("utf-8"))) == night


def test_only_what_was_asked_for_is_written_and_each_once(
    night: RunResult, documents: dict[str, str], folder: Any, tmp_path: Path
) -> None:
    run = replace(night, procedures=night.procedures[-2:])  # nothing to change
    written = write_reports(run, ["junit", "junit"], tmp_path, folder.get, documents.get)
    assert written == (tmp_path / "junit.xml",)
    assert [path.name for path in tmp_path.iterdir()] == ["junit.xml"]


def test_a_patch_of_an_earlier_run_is_taken_away(
    night: RunResult, documents: dict[str, str], folder: Any, tmp_path: Path
) -> None:
    write_reports(night, ["json"], tmp_path, folder.get, documents.get)
    assert (tmp_path / "suggestions.patch").exists()
    write_reports(replace(night, procedures=()), ["json"], tmp_path, folder.get, documents.get)
    assert not (tmp_path / "suggestions.patch").exists()


def test_an_unknown_format_writes_nothing_and_names_the_known_ones(
    night: RunResult, folder: Any, tmp_path: Path
) -> None:
    with pytest.raises(SetupError, match="no report format 'pdf': take html, json, junit"):
        write_reports(night, ["json", "pdf"], tmp_path / "out", folder.get)
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_made_is_told(
    night: RunResult, folder: Any, tmp_path: Path
) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(SetupError, match=r"cannot be written to .*--out"):
        write_reports(night, ["json"], tmp_path / "out", folder.get)


def test_a_file_that_cannot_be_replaced_leaves_nothing_half_written(
    night: RunResult, folder: Any, tmp_path: Path
) -> None:
    (tmp_path / "result.json" / "inside").mkdir(parents=True)
    with pytest.raises(SetupError, match="cannot be written to"):
        write_reports(night, ["json"], tmp_path, folder.get)
    assert [path.name for path in tmp_path.iterdir()] == ["result.json"]


def test_the_written_patch_applies_where_the_documents_are(
    one_finding: MakeRun, folder: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Verified in a folder of a repository, by a path with dots; applied at its top."""
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    document = tmp_path / "docs" / "d.md"
    document.parent.mkdir()
    document.write_bytes(b"Click Create Bucket\r\n")
    (tmp_path / "site").mkdir()
    monkeypatch.chdir(tmp_path / "site")
    run = one_finding(document="../docs/d.md", line=1, column=7, end_line=1, end_column=20)
    write_reports(run, ["sarif", "github"], tmp_path / "out", folder.get)
    subprocess.run(["git", "apply", "out/suggestions.patch"], cwd=tmp_path, check=True)
    assert document.read_bytes() == b"Click New bucket\r\n"
    assert "file=docs/d.md," in (tmp_path / "out" / "github.txt").read_text("utf-8")
    assert '"uri": "docs/d.md"' in (tmp_path / "out" / "results.sarif").read_text("utf-8")


def test_paths_outside_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert repository_path("docs/./d.md") == "docs/d.md"
    assert repository_path("https://docs.example.com/d") == "https://docs.example.com/d"
    assert repository_path("/elsewhere/x/../d.md") == "/elsewhere/d.md"
    assert repository_path("/../../d.md") == "/d.md"


def test_sources_are_read_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"a\r\nb\n")
    (tmp_path / "b.md").write_bytes(b"\xff\xfe")
    assert read_source(str(tmp_path / "a.md")) == "a\r\nb\n"
    assert read_source(str(tmp_path / "b.md")) is None
    assert read_source(str(tmp_path / "none.md")) is None
    assert read_source("https://docs.example.com/\0") is None
