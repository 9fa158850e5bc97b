"""Growing, rotated, cut, packed, torn and shuffled files of JSON lines."""

import gzip
import json
import os
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.config import AuditSettings
from appliance.core.errors import OutcomeError
from appliance.outcome.sources import open_source
from appliance.outcome.sources.file_source import FileSource
from appliance.outcome.sources.ledger import Ledger
from appliance.outcome.sources.mapped import mapped_dialect

START = datetime(2026, 11, 22, 2, 0, tzinfo=UTC)
OWN = mapped_dialect({})


def line(number: float, second: float | None = None, **more: object) -> str:
    time = START + timedelta(seconds=number if second is None else second)
    told = {"id": f"e{number:g}", "time": time.isoformat(), "name": f"n{number:g}", **more}
    return json.dumps(told) + "\n"


def source(path: Path, skew_s: float = 0.0, late_s: float = 0.0) -> FileSource:
    return FileSource(path, OWN, skew_s=skew_s, late_s=late_s)


def names(found: FileSource, since: float = 0.0, until: float | None = None) -> list[str]:
    end = None if until is None else START + timedelta(seconds=until)
    return [event.name for event in found.read(START + timedelta(seconds=since), end)]


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_however_a_stream_comes_it_gives_the_same_events(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Shuffled within the disorder, with doubles, written in torn pieces, rotated, read between."""
    count = data.draw(st.integers(0, 25))
    dice = random.Random(data.draw(st.integers(0, 2**32)))
    lines = [line(n) for n in range(count)] + [line(n) for n in range(count) if dice.random() < 0.3]
    dice.shuffle(lines)
    path = tmp_path_factory.mktemp("log") / "audit.log"
    path.touch()
    found, whole = source(path), b"".join(text.encode() for text in lines)
    at = 0
    while at < len(whole):
        piece = whole[at : at + dice.randint(1, 200)]
        at += len(piece)
        with path.open("ab") as file:
            file.write(piece)
        if dice.random() < 0.3:
            assert len(names(found)) <= count
        if piece.endswith(b"\n") and dice.random() < 0.3:
            _rotate(path, dice.choice(["rename", "copy", "pack"]))
    expected = [f"n{n}" for n in range(count)]
    assert names(found) == expected == names(source(path)), "read on, or from the start"


def _rotate(path: Path, way: str) -> None:
    older = sorted(path.parent.glob("audit.log.*"))
    target = path.with_name(f"audit.log.{len(older) + 1}")
    if way == "copy":  # logrotate's copytruncate
        target.write_bytes(path.read_bytes())
        os.truncate(path, 0)
    elif way == "pack":
        with gzip.open(f"{target}.gz", "wb") as packed:
            packed.write(path.read_bytes())
        path.unlink()
        path.touch()
    else:
        path.rename(target)
        path.touch()


def test_a_half_written_line_is_left_for_the_next_read(tmp_path: Path) -> None:
    path = tmp_path / "audit.log"
    found = source(path)
    with pytest.raises(OutcomeError, match=r"audit\.log: No such file.*correct audit\.path"):
        names(found)
    path.write_text(line(1) + line(2)[:20])
    assert names(found) == ["n1"]
    path.write_text(line(1) + line(2) + line(3).rstrip())
    assert names(found) == ["n1", "n2", "n3"], "what is whole without its end is taken"
    path.write_text(line(1) + line(2) + line(3) + "nonsense\n[1]\n\n" + line(4))
    assert names(found) == ["n1", "n2", "n3", "n4"]


def test_a_large_file_is_read_from_where_it_ended(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "audit.log"
    path.write_text("".join(line(n, n / 100) for n in range(20_000)))
    found = source(path)
    assert names(found, since=199.99) == ["n19999"]
    read: list[int] = []
    take = FileSource._add_events
    monkeypatch.setattr(
        FileSource,
        "_add_events",
        lambda self, ledger, lines, *more: take(
            self, ledger, (read.append(one.size) or one for one in lines), *more
        ),
    )
    with path.open("a") as file:
        file.write(line(20_000, 200))
    assert names(found, since=199.99) == ["n19999", "n20000"]
    assert len(read) == 1


def test_what_is_older_than_what_is_kept_is_looked_up(tmp_path: Path) -> None:
    path = tmp_path / "audit.log"
    path.write_text("".join(line(n, n * 10) for n in range(100)))
    found = source(path)
    assert names(found, since=980) == ["n98", "n99"]
    assert names(found, since=100, until=125) == ["n10", "n11", "n12"]


def test_memory_is_bounded_and_what_is_not_complete_is_no_answer(
    tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr("appliance.outcome.sources.file_source.Ledger", lambda: Ledger(2000))
    path = tmp_path / "audit.log"
    path.write_text("".join(line(n) for n in range(100)))
    found = source(path)
    with pytest.raises(OutcomeError, match="too much since 2026-11-22 01:59:30 UTC"):
        names(found)
    assert names(found, since=125) == []
    with path.open("a") as file:
        file.write(line(100, 50, actor="Alice"))
    [hers] = found.read(START, actor="alice")
    assert hers.name == "n100", "whose events are wanted can be told apart in a log of many"
    assert len(found._ledger._entries) <= 30


def test_a_line_without_an_end_does_not_fill_the_memory(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("appliance.outcome.sources.line_files.LONGEST_LINE", 1000)
    path = tmp_path / "audit.log"
    path.write_text(line(1) + line(2, padding="x" * 5000) + line(3) + "x" * 5000)
    found = source(path)
    assert names(found) == ["n1", "n3"]
    with path.open("a") as file:
        file.write("\n" + line(4))
    assert names(found) == ["n1", "n3", "n4"]


def test_folders_and_patterns_name_several_files(tmp_path: Path) -> None:
    for name, number in {"a.jsonl": 1, "b.jsonl": 2, "c.txt": 3}.items():
        (tmp_path / name).write_text(line(number))
    assert names(source(tmp_path)) == ["n1", "n2", "n3"]
    assert names(source(tmp_path / "*.jsonl")) == ["n1", "n2"]
    assert names(source(tmp_path / "a.jsonl")) == ["n1"], "another log's files are not its own"


def test_a_packed_file_that_is_being_written_is_read_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "audit.log"
    path.write_text(line(9))
    packed = gzip.compress((line(1) + line(2)).encode())
    old = tmp_path / "audit.log.1.gz"
    old.write_bytes(packed[:-12])
    found = source(path)
    assert "n9" in names(found)
    old.write_bytes(packed)
    assert names(found) == ["n1", "n2", "n9"]


async def test_what_the_log_had_before_an_attempt_is_not_of_it(tmp_path: Path) -> None:
    """The log's clock is slow by four seconds, or fast by as much."""
    path, now = tmp_path / "audit.log", datetime.now(UTC)

    def at(second: float, number: int, **more: object) -> str:
        return line(number, (now - START).total_seconds() + second, **more)

    path.write_text(at(-30, 0) + at(-4.5, 1, request_id="r1") + at(60, 2))
    found = source(path, skew_s=5)
    await found.mark()
    since = datetime.now(UTC)
    with path.open("a") as file:
        file.write(at(-4, 3) + at(-4, 4, request_id="r1") + at(-20, 5) + at(3, 6))
    names = [event.name for event in await found.events(since)]
    assert names == ["n3", "n6"], "n1, n2 were there; r1 had begun; n5 is too old"
    unmarked = source(path, skew_s=5)
    strict = [event.name for event in await unmarked.events(since)]
    assert strict == ["n6", "n2"], "without a mark times decide alone"
    late = source(path, skew_s=5, late_s=60)
    await late.mark()
    since = datetime.now(UTC)
    with path.open("a") as file:
        file.write(at(-1, 7) + at(5, 8))
    names = [event.name for event in await late.events(since)]
    assert names == ["n8"], "what comes late and bears an earlier time may be of before"


async def test_a_log_of_another_kind_is_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "audit.log"
    path.write_text('{"what": "else"}\n' * 3)
    for kind in ("cadf", "kubernetes", "jsonlines"):
        opened = open_source("lab", AuditSettings(kind=kind, path=path))
        assert opened is not None
        with pytest.raises(OutcomeError, match=r"none of the last 3 lines of .*audit\.kind"):
            await opened.check()
        await opened.close()
    path.write_text("")
    await source(path).check()
