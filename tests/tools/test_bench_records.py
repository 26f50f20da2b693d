"""Records of the benchmarks: what is worse is listed, what is new is told, and none changes without a reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.bench import bench_run, bench_view, records
from tests.bench.bench_run import Row

ROWS = [
    Row(bench="view", case="lines", ours=3.0, unit="ms", peer=None),
    Row(bench="view", case="fps", ours=60.0, unit="fps", peer=None),
    Row(bench="core", case="product", ours=1.0, unit="ms", peer="numpy", peer_value=2.0, ratio=2.0),
    Row(bench="core", case="rows", ours=1000.0, unit="", peer=None),
]


@pytest.fixture
def kept() -> dict:
    """Give the records of these rows."""
    return records.changed(ROWS, {}, "abc1234", "first measured")


def with_(row: Row, **changes) -> Row:
    return Row(**{**row, **changes})


def test_that_only_what_is_a_tenth_worse_is_listed_the_worst_first(kept) -> None:
    assert records.compared(ROWS, kept) == []
    within = [with_(ROWS[0], ours=3.2), with_(ROWS[1], ours=55.0), with_(ROWS[2], ratio=1.85)]
    assert records.compared(within, kept) == []
    better = [with_(ROWS[0], ours=1.0), with_(ROWS[1], ours=90.0), with_(ROWS[2], ratio=4.0)]
    assert records.compared(better, kept) == []
    worse = [with_(ROWS[0], ours=4.5), with_(ROWS[1], ours=40.0), with_(ROWS[2], ratio=1.7), ROWS[3]]
    said = records.compared(worse, kept)
    assert [line.partition(":")[0] for line in said] == ["view lines", "view fps", "core product against numpy"]
    assert said[0] == "view lines: 4.5 ms, 50 % worse than 3 ms at abc1234"


def test_that_what_is_counted_is_told_whatever_it_differs_by() -> None:
    counted = [
        Row(bench="setups", case="held back", ours=53.0, unit="found", peer=None),
        Row(bench="setups", case="invented", ours=0.0, unit="wrong", peer=None),
    ]
    kept = records.changed(counted, {}, "abc1234", "first counted")
    assert len(kept) == 2
    assert records.compared(counted, kept) == []
    assert records.compared([with_(counted[0], ours=54.0), counted[1]], kept) == []
    said = records.compared([with_(counted[0], ours=52.0), with_(counted[1], ours=1.0)], kept)
    assert [line.partition(":")[0] for line in said] == ["setups invented", "setups held back"]
    later = records.changed([with_(counted[0], ours=54.0)], kept, "def5678", "one more cause")
    assert later["setups", "held back", ""].value == 54.0


def test_that_a_row_without_a_record_is_told(kept) -> None:
    said = records.compared([*ROWS, with_(ROWS[0], case="points")], kept)
    assert said == ["view points: no record yet, 3 ms"]


def test_that_a_record_that_was_not_measured_is_told_where_its_benchmark_ran(kept) -> None:
    said = records.compared([with_(ROWS[0], unit="", ours=0.0), ROWS[1]], kept)
    assert said == ["view lines: not measured, 3 ms at abc1234"]


def test_that_records_are_kept_with_their_commit_and_reason_and_none_changes_without(kept, tmp_path) -> None:
    path = tmp_path / "records.jsonl"
    records.write(kept, path)
    assert records.read(path) == kept
    rows = [with_(ROWS[0], ours=2.0), with_(ROWS[1], ours=59.0)]  # the second by no more than noise
    later = records.changed(rows, kept, "def5678", "normals are no longer computed")
    assert later["view", "lines", ""].reason == "normals are no longer computed"
    assert later["view", "lines", ""].commit == "def5678"
    assert later["view", "fps", ""] == kept["view", "fps", ""]
    with pytest.raises(ValueError, match="for a reason"):
        records.changed(ROWS, kept, "def5678", " ")


def test_that_the_records_of_the_repository_can_be_read_and_say_all_that_they_must() -> None:
    kept = records.read()
    assert all(record.commit and record.reason for record in kept.values())
    assert all(record.value > 0.0 or (record.value == 0.0 and record.unit == "wrong") for record in kept.values())
    assert {record.bench for record in kept.values()} <= set(bench_run.names())
    assert len(kept) == len(records.FILE.read_text(encoding="utf-8").splitlines())


def test_that_the_dispatcher_compares_and_records(monkeypatch, tmp_path, capsys) -> None:
    monkeypatch.setattr(records, "FILE", tmp_path / "records.jsonl")
    for name in ("read", "write"):
        usual = getattr(records, name)
        monkeypatch.setattr(records, name, lambda *args, usual=usual: usual(*args, Path(records.FILE)))
    monkeypatch.setattr(bench_run, "calibrate", lambda: bench_run.IDLE_S)
    monkeypatch.setattr(bench_run, "measured_commit", lambda: "abc1234")
    monkeypatch.setattr(bench_view, "run", lambda: [Row(case="lines", ours=3.0, unit="ms", peer=None)])
    assert bench_run.main(["view", "--record", "first measured"]) == 0
    assert json.loads(records.FILE.read_text())["value"] == 3.0
    assert bench_run.main(["view", "--compare"]) == 0
    assert "Nothing is a tenth worse" in capsys.readouterr().out
    monkeypatch.setattr(bench_view, "run", lambda: [Row(case="lines", ours=4.0, unit="ms", peer=None)])
    bench_run.main(["view", "--compare"])
    assert "view lines: 4 ms, 33 % worse" in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["lines", "points", "arrows"])
def test_that_frames_are_drawn_as_what_is_measured(kind) -> None:
    bench_view.ours(20, kind)
    with pytest.raises(AssertionError, match="to be drawn as"):
        bench_view.check_drawn(kind, None)
