import io
import tarfile
from pathlib import Path
from typing import Any

import horizon_check
import pytest
import yaml
from horizon_guides import GUIDES, GuidesError, guide_files, unpack_guides
from horizon_score import score

HERE = Path(__file__).parent
LABELS = yaml.safe_load(horizon_check.LABELS.read_text())
CHECKS = sorted((HERE / "checks").rglob("*.checks.yaml"))
KINDS = {
    *("renamed_label", "moved_control", "missing_control", "missing_step", "changed_option"),
    *("wrong_result", "error_shown", "permission", "ambiguous_text"),
}


def procedure(name: str, verdict: str = "drifted", **more: Any) -> dict[str, Any]:
    steps = [{"status": "as_written"}, {"status": "diverged"}]
    goal = {"channels": [{"channel": "audit", "reached": True}]}
    return {
        "id": name,
        "verdict": verdict,
        "steps": steps,
        "goal": goal,
        "findings": [],
        "blocked_by": None,
    } | more


def finding(line: int, quote: str, kind: str = "renamed_label") -> dict[str, Any]:
    return {"line": line, "quote": quote, "kind": kind, "shown": "x"}


def labelled(*untruths: dict[str, Any]) -> dict[str, Any]:
    label = {"acceptable_verdicts": ["drifted"], "untruths": list(untruths)}
    return {"procedures": {"user/a/b": label}}


def untruth(line: int, quote: str, **more: Any) -> dict[str, Any]:
    return {"line": line, "quote": quote} | more


def one(findings: list[dict[str, Any]], *untruths: dict[str, Any]) -> tuple[Any, Any]:
    result = {"procedures": [procedure("source/user/a/b", findings=findings)]}
    scored = score(result, labelled(*untruths))
    return scored["procedures"][0], scored["totals"]


def test_a_finding_counts_for_the_untruth_on_its_line_with_its_words() -> None:
    row, totals = one([finding(9, ":guilabel:`Router ID`")], untruth(9, "Router ID"))
    assert (row["found"], row["missed"], row["unlabelled"]) == (["9 Router ID"], [], [])
    assert (totals["examples_right"], totals["example_untruths_found"]) == (1, 1)


def test_the_next_line_is_not_good_enough() -> None:
    row, _ = one([finding(8, "Router ID")], untruth(9, "Router ID"))
    assert row["missed"] == ["9 Router ID"]
    assert row["unlabelled"] == ["8 renamed_label: Router ID -> x"]


def test_two_untruths_on_a_line_are_told_apart_by_their_words() -> None:
    row, _ = one([finding(9, "Router ID")], untruth(9, "Router Name"), untruth(9, "Router ID"))
    assert (row["found"], row["missed"]) == (["9 Router ID"], ["9 Router Name"])


def test_one_untruth_is_not_found_twice() -> None:
    row, totals = one([finding(9, "Name"), finding(9, "Name")], untruth(9, "Name"))
    assert (len(row["found"]), len(row["unlabelled"])) == (1, 1)
    assert totals["findings"] == 2


def test_disputable_untruths_are_counted_apart() -> None:
    sure, disputable = untruth(1, "A"), untruth(2, "B", disputable=True)
    _, totals = one([finding(2, "B")], sure, disputable)
    assert (totals["example_untruths"], totals["example_untruths_found"]) == (2, 1)
    assert (totals["example_untruths_sure"], totals["example_untruths_sure_found"]) == (1, 0)


@pytest.mark.parametrize(
    ("verdict", "statuses", "through"),
    [
        ("drifted", ["as_written", "stuck"], True),
        ("verified", ["as_written", "skipped"], True),
        ("broken", ["stuck", "unreached"], False),
        ("blocked", ["as_written"], False),
        ("undecided", ["skipped", "skipped"], False),
        ("blocked", [], False),
    ],
)
def test_a_procedure_ran_through_when_each_step_was_attempted(
    verdict: str, statuses: list[str], through: bool
) -> None:
    steps = [{"status": status} for status in statuses]
    result = {"procedures": [procedure("user/x/y", verdict, steps=steps)]}
    assert score(result, LABELS)["procedures"][0]["ran_through"] is through


def test_only_the_audit_log_makes_a_witness() -> None:
    silent = {"channels": [{"channel": "ui", "reached": True}]}
    result = {
        "procedures": [
            procedure("user/x/y", "verified"),
            procedure("user/x/z", "verified", goal=silent),
        ]
    }
    totals = score(result, LABELS)["totals"]
    assert (totals["verdicts"], totals["verified_with_audit"]) == ({"verified": 2}, 1)


def test_the_labels_are_well_formed() -> None:
    assert sum(bool(p.get("acceptable_verdicts")) for p in LABELS["procedures"].values()) == 6
    for name, label in LABELS["procedures"].items():
        assert name.rsplit("/", 2)[0] in {g.split("/")[0] for g in GUIDES} or any(
            name.startswith(guide) for guide in GUIDES
        ), name
        for entry in label["untruths"]:
            assert set(entry) <= {"line", "quote", "kind", "shown", "severity", "disputable"}
            assert entry["kind"] in KINDS
            assert entry["severity"] in {"breaks", "misleads", "cosmetic"}


@pytest.mark.parametrize("path", CHECKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_procedure_names_its_account_or_why_it_is_skipped(path: Path) -> None:
    for name, checks in yaml.safe_load(path.read_text())["procedures"].items():
        assert ("account" in checks) != ("skip" in checks), name


def test_there_are_checks_for_every_guide() -> None:
    named = {f"{path.parent.name}/{path.name.removesuffix('.checks.yaml')}" for path in CHECKS}
    assert set(GUIDES) <= named


def archive(path: Path, *names: str) -> Path:
    with tarfile.open(path, "w:gz") as tar:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size = 2
            tar.addfile(member, io.BytesIO(b"hi"))
    return path


def test_only_the_guides_are_taken_out_of_the_archive(tmp_path: Path) -> None:
    source = archive(
        tmp_path / "h.tar.gz",
        "horizon-1/doc/source/user/a.rst",
        "horizon-1/doc/source/admin/b.rst",
        "horizon-1/doc/source/admin/figures/c.rst",
        "horizon-1/doc/source/user/d.png",
        "horizon-1/doc/source/../../user/e.rst",
        "horizon-1/setup.py",
    )
    unpack_guides(source, tmp_path / "out")
    found = sorted(p.relative_to(tmp_path / "out") for p in (tmp_path / "out").rglob("*.*"))
    assert found == [Path("admin/b.rst"), Path("user/a.rst")]
    assert guide_files(tmp_path / "out", every=True) == [
        tmp_path / "out/admin/b.rst",
        tmp_path / "out/user/a.rst",
    ]


def test_an_archive_without_guides_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GuidesError, match="holds no doc/source"):
        unpack_guides(archive(tmp_path / "h.tar.gz", "horizon-1/setup.py"), tmp_path / "out")


def test_without_an_audit_file_the_check_says_so_and_gives_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "gone.jsonl"
    code = horizon_check.main(["--audit-file", str(missing), "--out", str(tmp_path / "out")])
    assert code == 2
    assert f"no audit file {missing}" in capsys.readouterr().err
