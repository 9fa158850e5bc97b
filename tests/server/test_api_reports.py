"""A run's report by REST: the bytes that the command line writes."""

from appliance.core.result import with_documents_named
from appliance.reports import FILE_NAMES, write_reports
from tests.cli.conftest import finding, procedure, run_result

TEXT = "# Disks\n\n## Create a disk\n\n1. Open **Disks**.\n\n2. Click **Create disk**.\n"
A_RUN = run_result(procedure(findings=(finding(column=12, end_column=23),)))
REPORT = f"/api/v1/runs/{A_RUN.id}/report"


async def test_it_is_what_the_command_line_writes(local, store, settings, tmp_path, monkeypatch):
    kept = settings.data_dir / "uploads" / A_RUN.id / "inline" / "docs" / "a.md"
    kept.parent.mkdir(parents=True)
    kept.write_text(TEXT)
    store.save_run(with_documents_named(A_RUN, lambda _: str(kept)))
    here = tmp_path / "here"
    (here / "docs").mkdir(parents=True)
    (here / "docs" / "a.md").write_text(TEXT)
    monkeypatch.chdir(here)
    files = write_reports(A_RUN, FILE_NAMES, here / "out", store.artifacts.get)
    written = {file.name: file.read_bytes() for file in files}
    assert b"New disk" in written["suggestions.patch"]
    for format_, name in FILE_NAMES.items():
        answer = await local.get(REPORT, params={"format": format_})
        assert answer.status_code == 200, answer.text
        assert answer.content == written[name], format_
        assert name in answer.headers["content-disposition"]
        assert str(settings.data_dir) not in answer.text
    assert b"docs/a.md" in written["results.sarif"]
    chinese = await local.get(REPORT, params={"format": "html", "language": "zh"})
    assert '<html lang="zh-Hans"' in chinese.text


async def test_what_there_is_no_report_of(local, stranger, store):
    store.save_run(A_RUN)
    assert (await local.get(REPORT, params={"format": "pdf"})).status_code == 400
    assert (await local.get(REPORT)).status_code == 400
    none = await local.get("/api/v1/runs/none/report", params={"format": "junit"})
    assert none.status_code == 404
    assert (await stranger.get(REPORT, params={"format": "junit"})).status_code == 401
