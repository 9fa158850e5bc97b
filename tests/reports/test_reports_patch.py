import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import appliance
from appliance.core.result import Finding, RunResult
from appliance.core.secrets import MASK, learn
from appliance.documents import Editable, SourceText, Stretch
from appliance.documents.editing.edits import place_words
from appliance.reports import edits_of, suggested_patch
from appliance.reports.sarif import sarif_report
from appliance.reports.writer import json_result
from appliance.verification.results import without_known_secrets

MakeRun = Callable[..., RunResult]

ANY = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
LINE_TEXT = st.text("ab 中*`\t\u2028\x0c", max_size=12)


def write(folder: Path, documents: dict[str, str]) -> None:
    for name, text in documents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())


def applied(folder: Path, patch: str, *tool: str) -> None:
    """Apply with a real program, which must find nothing to grumble about."""
    (folder / "suggestions.patch").write_bytes(patch.encode())
    result = subprocess.run(tool, cwd=folder, capture_output=True, text=True, check=False)
    assert result.returncode == 0, (result.stdout, result.stderr, patch)
    assert not list(folder.rglob("*.rej"))


GIT = ("git", "apply", "--whitespace=nowarn", "suggestions.patch")
PATCH = ("patch", "-p1", "--fuzz=0", "--binary", "-i", "suggestions.patch")


def finding_at(run: RunResult, text: str, quote: str, suggestion: str | None) -> Finding:
    """The run's finding, moved to the first place of the quote in a text."""
    source = SourceText.of(text)
    start = text.index(quote)
    place, end = source.place(start), source.place(start + len(quote))
    return replace(
        run.procedures[0].findings[0],
        document="d.md",
        quote=quote,
        suggestion=suggestion,
        line=place.line,
        column=place.column,
        end_line=end.line,
        end_column=end.column,
    )


def with_findings(run: RunResult, *findings: Finding) -> RunResult:
    return replace(run, procedures=(replace(run.procedures[0], findings=findings),))


def test_a_secret_in_a_document_is_not_told_on_and_not_patched(night: RunResult) -> None:
    """What would be put there is not what the console shows."""
    secret = learn("Zq7-known-to-us")
    text = f"1. Enter **{secret} here**.\n"
    told = finding_at(night, text, f"{secret} here", f"{secret} there")
    run = with_findings(night, told)
    run = replace(run, procedures=tuple(map(without_known_secrets, run.procedures)))
    finding = run.procedures[0].findings[0]
    assert (finding.quote, finding.suggestion) == (f"{MASK} here", f"{MASK} there")
    patch = suggested_patch(run, {"d.md": text}.get)
    assert MASK not in "".join(line for line in patch.splitlines() if line.startswith("+"))
    assert secret not in patch
    assert secret not in sarif_report(run, {"d.md": text}.get, str)
    assert secret not in json_result(run)


def test_the_patch(night: RunResult, documents: dict[str, str], snapshot: Any) -> None:
    assert suggested_patch(night, documents.get) == snapshot


@pytest.mark.parametrize("tool", [GIT, PATCH], ids=["git", "patch"])
def test_the_patch_applies_and_changes_only_the_untrue_words(
    night: RunResult, documents: dict[str, str], tmp_path: Path, tool: tuple[str, ...]
) -> None:
    write(tmp_path, documents)
    applied(tmp_path, suggested_patch(night, documents.get), *tool)
    md, rst, zh = documents
    expected = {
        md: documents[md]
        .replace("Create Bucket", "New bucket")
        .replace("Standard-IA", "Infrequent access")
        .replace("Delete\n   Bucket", "Remove\n   bucket"),
        rst: documents[rst].replace("Networks --> Create", "Networks"),
        zh: documents[zh].replace("立即购买", "确认创建"),
    }
    assert {name: (tmp_path / name).read_bytes().decode() for name in documents} == expected


def test_the_patch_applies_at_the_top_of_a_repository(
    night: RunResult, documents: dict[str, str], tmp_path: Path
) -> None:
    write(tmp_path, documents)
    for command in (["git", "init", "-q"], ["git", "add", "."]):
        subprocess.run(command, cwd=tmp_path, check=True)
    applied(tmp_path, suggested_patch(night, documents.get), *GIT)
    changed = subprocess.run(
        ["git", "diff", "--numstat"], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout
    assert len(changed.splitlines()) == 3


@pytest.mark.parametrize("name", ["d.md", "a b/my file.md", "文档/实例.md"])
@pytest.mark.parametrize("tool", [GIT, PATCH], ids=["git", "patch"])
def test_odd_names_line_ends_and_a_missing_last_one(
    one_finding: MakeRun, tmp_path: Path, name: str, tool: tuple[str, ...]
) -> None:
    text = "one\r\nClick Create Bucket\r\nthree\u2028still three"
    run = one_finding(document=name, line=2, column=7, end_line=2, end_column=20)
    write(tmp_path, {name: text})
    applied(tmp_path, suggested_patch(run, {name: text}.get), *tool)
    changed = (tmp_path / name).read_bytes().decode()
    assert changed == text.replace("Create Bucket", "New bucket")


def test_documents_outside_any_repository_are_named_from_the_root(
    one_finding: MakeRun, tmp_path: Path
) -> None:
    write(tmp_path, {"d.md": "Click Create Bucket\n"})
    document = str(tmp_path / "d.md")
    run = one_finding(document=document, line=1, column=7, end_line=1, end_column=20)
    patch = suggested_patch(run, lambda name: Path(name).read_text("utf-8"))
    assert "# Apply with paths from the root: patch -p1 -d / < suggestions.patch" in patch
    applied(tmp_path, patch, "patch", "-p1", "-d", "/", "-i", str(tmp_path / "suggestions.patch"))
    assert (tmp_path / "d.md").read_text("utf-8") == "Click New bucket\n"


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"column": 11}, "the source does not say this there (any more)"),
        ({"line": 400}, "the source does not say this there (any more)"),
        ({"confidence": 0.49, "is_sure": False}, "it is not sure enough: 0.49"),
        ({"document": "gone.md"}, "the document cannot be read"),
    ],
)
def test_what_does_not_fit_is_left_out_and_said(
    night: RunResult, documents: dict[str, str], changes: dict[str, Any], why: str
) -> None:
    procedure = night.procedures[0]
    moved = replace(procedure.findings[0], **changes)
    run = with_findings(night, moved, procedure.findings[1])
    patch = suggested_patch(run, documents.get)
    assert patch.startswith("# 1 suggestion in 1 document, from run ")
    (line,) = [line for line in patch.splitlines() if line.startswith("# Left out:")]
    assert line == (
        f"# Left out: {moved.document}:{moved.line}:{moved.column} “Create Bucket”: {why}."
    )
    assert "+4. From **Storage class**, choose `Infrequent access`." in patch.splitlines()


def test_nothing_to_change_is_no_patch(one_finding: MakeRun, documents: dict[str, str]) -> None:
    assert suggested_patch(one_finding(suggestion=None), documents.get) == ""
    assert suggested_patch(one_finding(suggestion="Create Bucket"), documents.get) == ""
    assert suggested_patch(one_finding(is_sure=False), documents.get) == ""


def test_the_same_suggestion_from_two_procedures_is_made_once(
    one_finding: MakeRun, documents: dict[str, str]
) -> None:
    run = one_finding()
    twice = replace(run, procedures=run.procedures * 2)
    assert suggested_patch(twice, documents.get) == suggested_patch(run, documents.get)


def test_of_two_that_touch_the_surer_wins(one_finding: MakeRun) -> None:
    text = "Click Create Bucket now.\n"
    run = one_finding()
    unsure = replace(finding_at(run, text, "Click Create", "Press New"), confidence=0.6)
    sure = replace(finding_at(run, text, "Create Bucket", "New bucket"), confidence=0.9)
    patch = suggested_patch(with_findings(run, unsure, sure), lambda _: text)
    assert "+Click New bucket now.\n" in patch
    assert "touches the suggestion at line 1, which is surer" in patch


def test_an_injected_diff_in_a_quote_stays_a_comment(
    night: RunResult, documents: dict[str, str], tmp_path: Path
) -> None:
    evil = "x\n--- a/docs/zh/instances.md\n+++ b/evil\n@@ -1 +1 @@\n-a\n+b\n"
    procedure = night.procedures[0]
    run = with_findings(night, replace(procedure.findings[0], quote=evil), procedure.findings[1])
    write(tmp_path, documents)
    applied(tmp_path, suggested_patch(run, documents.get), *GIT)
    assert not (tmp_path / "evil").exists()


@ANY
@given(
    before=st.lists(LINE_TEXT, max_size=3).map("\n".join),
    quote=st.text("ab 中*\n", min_size=1, max_size=12).filter(lambda q: q == q.strip()),
    after=st.lists(LINE_TEXT, max_size=3).map("\n".join),
    suggestion=st.text("xy 中", max_size=12),
)
def test_exactly_the_quote_at_its_place_is_replaced(
    one_finding: MakeRun, before: str, quote: str, after: str, suggestion: str
) -> None:
    text = before + quote + after
    run = one_finding()
    source = SourceText.of(text)
    start = len(before)
    place, end = source.place(start), source.place(start + len(quote))
    finding = replace(
        run.procedures[0].findings[0],
        quote=quote,
        suggestion=suggestion,
        line=place.line,
        column=place.column,
        end_line=end.line,
        end_column=end.column,
    )
    at = source.find(finding)
    assert at == Stretch(start, start + len(quote))
    put = place_words(source, at, suggestion)
    assert put is not None
    assert "".join(put.new.split()).startswith("".join(suggestion.split()))


@ANY
@given(
    lines=st.lists(LINE_TEXT, min_size=1, max_size=5), ending=st.sampled_from(["", "\n", "\r\n"])
)
def test_places_and_offsets_are_each_others_way_back(lines: list[str], ending: str) -> None:
    source = SourceText.of("\n".join(lines) + ending)
    assert "".join(source.lines) == source.text
    for offset in range(len(source.text) + 1):
        place = source.place(offset)
        assert source.offset(*place) == offset
        assert place.line == source.text.count("\n", 0, offset) + 1 or offset == len(source.text)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    lines=st.lists(LINE_TEXT, min_size=1, max_size=6),
    number=st.integers(0, 5),
    suggestion=st.text("xy 中", max_size=8),
    ending=st.sampled_from(["", "\n"]),
)
def test_any_patch_applies(
    one_finding: MakeRun,
    tmp_path_factory: pytest.TempPathFactory,
    lines: list[str],
    number: int,
    suggestion: str,
    ending: str,
) -> None:
    lines[number % len(lines)] += "QUOTE"
    text = "\n".join(lines) + ending
    run = one_finding()
    run = with_findings(run, finding_at(run, text, "QUOTE", suggestion))
    folder = tmp_path_factory.mktemp("any")
    write(folder, {"d.md": text})
    applied(folder, suggested_patch(run, lambda _: text), *GIT)
    assert (folder / "d.md").read_bytes().decode() == text.replace(
        "QUOTE", " ".join(suggestion.split())
    )


def test_many_findings_of_a_run_make_one_file_that_git_applies(
    night: RunResult, tmp_path: Path
) -> None:
    """Every seventh label of three bundled documents, as it might be called tomorrow."""
    folder = Path(appliance.__file__).parent / "practice" / "documentation"
    names = ("networks.rst", "buckets.zh.md", "instances.html")
    documents = {f"docs/{name}": (folder / name).read_text("utf-8") for name in names}
    findings = []
    for path, text in documents.items():
        editable = Editable.of(text, path)
        assert editable is not None
        for number, (label, at) in enumerate(editable.inlines[::7]):
            first = finding_at(night, text, text[at.start : at.end], f"{label.text} {number}")
            place, end = editable.source.place(at.start), editable.source.place(at.end)
            findings.append(
                replace(
                    first,
                    document=path,
                    line=place.line,
                    column=place.column,
                    end_line=end.line,
                    end_column=end.column,
                )
            )
    run = with_findings(night, *findings)
    write(tmp_path, documents)
    patch = suggested_patch(run, documents.get)
    applied(tmp_path, patch, "git", "apply", "--check", "suggestions.patch")
    applied(tmp_path, patch, *GIT)
    plan = {edits.document: edits for edits in edits_of(findings, documents.get)}
    for path in documents:
        assert len(plan[path].edits) >= 5
        assert (tmp_path / path).read_text("utf-8") == plan[path].new_text
    assert len(re.findall(r"^\+\+\+ ", patch, re.M)) == len(documents)
