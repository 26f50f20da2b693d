"""Oddities of recorded rows: each is found, its mend gives the poses that were, and healthy rows are left alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from framescope.core.analysis.diagnostics.diagnose import diagnose
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.recordings.row_mends import frozen, lost, sentinels, wrap_of
from framescope.core.recordings.tables.mixed import read_mixed
from framescope.core.scene.schema.model import Scene
from framescope.features.table_import.core.choices import motion_of, sources
from framescope.features.table_import.core.guess_columns import guess
from framescope.features.table_import.core.row_checks import check, check_with_mends

N = 400
T = 0.02 * np.arange(N)
HEAD = "t,x,y,z,qx,qy,qz,qw"


def poses(noise: float = 1e-3):
    random = np.random.default_rng(3)
    p = np.stack([2.0 + np.cos(T), np.sin(T), 0.1 * T], axis=-1) + noise * random.standard_normal((N, 3))
    half = 0.5 * (0.4 * T + 0.1 * np.sin(2.0 * T))
    q = np.stack([0 * T, 0 * T, np.sin(half), np.cos(half)], axis=-1) + 1e-4 * random.standard_normal((N, 4))
    return np.column_stack([T, p, q / np.sqrt((q**2).sum(axis=1))[:, np.newaxis]])


def missing(rows):
    rows[50:53, 1] = np.nan


def stand_ins(rows):
    rows[[70, 90], 2] = -9999.0
    rows[91, 4] = 1e20


def zeros(rows):
    rows[120:125, 1:] = 0.0


def origin(rows):
    rows[120:125, 1:] = [0, 0, 0, 0, 0, 0, 1]


def still(rows):
    rows[200:215, 1:] = rows[200, 1:]


def wrap(rows):
    rows[:, 0] = (rows[:, 0] + 58.0) % 60.0


def shuffled(rows):
    rows[[30, 31, 32]] = rows[[32, 30, 31]]


def anew(rows):
    rows[380:, 0] -= rows[380, 0]


def rounded(rows):
    rows[:, 4:] = np.round(rows[:, 4:], 2)


def scaled(rows):
    rows[:, 4:] = np.round(rows[:, 4:] * 16384)


def far(rows):
    rows[300, 1:4] += 3.0


def flipped(rows):
    rows[250:, 4:] *= -1.0


def doubled(rows):
    rows[10:12, 0] = rows[9, 0]


def gap(rows):
    rows[330:, 0] += 2.0


ODDITIES = {
    missing: ("missing", "drop missing", "missing-number"),
    stand_ins: ("sentinel", "drop sentinels", "sentinel"),
    zeros: ("lost", "drop lost", "tracking-lost"),
    origin: ("lost", "drop lost", "tracking-lost"),
    still: ("frozen", "drop frozen", "frozen"),
    wrap: ("wrapped", "unwrap time", "time-backward"),
    shuffled: ("backwards", "sort by time", "time-backward"),
    anew: ("backwards", "drop backward", "time-backward"),
    rounded: ("norm", "normalise", "not-normalised"),
    scaled: ("norm", "normalise", "not-normalised"),
    far: ("outlier", "drop outliers", "outlier"),
    flipped: ("sign", "keep sign", "sign-flip"),
    doubled: ("doubled", "drop duplicates", "duplicate-sample"),
    gap: ("gap", "leave gaps empty", "time-gap"),
}


def written(folder, rows):
    lines = [HEAD, *(",".join(map(repr, row)) for row in rows.tolist())]
    (folder / "a.csv").write_text("\n".join(lines) + "\n", "utf-8")
    table = read_mixed(folder / "a.csv")
    choices = replace(guess(table, "a.csv").choices, format="table")
    return table, choices, sources(table, choices)[0]


def scene_of(choices, source, mends=()):
    motion = motion_of(choices, source, "a.csv", mends)
    return Scene.model_validate({"time": {"end": "7.98 s"}, "frames": {"a": {"parent": "world", "motion": motion}}})


@pytest.mark.parametrize("oddity", ODDITIES, ids=lambda oddity: oddity.__name__)
def test_that_an_oddity_is_found_in_a_table_and_in_a_scene_and_mended_in_both(oddity, tmp_path) -> None:
    kind, mend, of_scene = ODDITIES[oddity]
    rows = poses()
    oddity(rows)
    table, choices, source = written(tmp_path, rows)
    found = {problem.kind: problem for problem in check(table, choices, source).problems}
    assert found[kind].fix.change == mend
    assert found[kind].fix.effect
    after = check_with_mends(table, choices, source, is_safe_only=False)
    assert after.is_usable
    assert mend in after.mends
    assert after.open_mends == ()
    faulty = scene_of(choices, source)
    assert of_scene in {problem.kind for problem in diagnose(compile_plan(faulty, tmp_path))}
    whole = compile_plan(scene_of(choices, source, after.mends), tmp_path)
    assert not [problem for problem in diagnose(whole) if problem.fix is not None]
    t = T[260:290]
    truth = poses(0.0)[260:290]
    moved = 0.2 if oddity is rounded else 0.01
    np.testing.assert_allclose(evaluate(whole, t).p_WF[:, 1], truth[:, 1:4], atol=moved)


def test_that_healthy_rows_have_no_oddity(tmp_path) -> None:
    table, choices, source = written(tmp_path, poses())
    assert check(table, choices, source).problems == ()


def test_that_only_a_mend_that_an_import_may_do_is_done_without_being_asked(tmp_path) -> None:
    rows = poses()
    for oddity in (missing, stand_ins, zeros, still, rounded, far, gap):
        oddity(rows)
    table, choices, source = written(tmp_path, rows)
    assert set(check_with_mends(table, choices, source, is_safe_only=True).mends) == {
        "drop missing", "drop sentinels", "drop lost", "normalise", "leave gaps empty",
    }  # fmt: skip


@pytest.mark.parametrize(
    "values",
    [np.linspace(-1000.0, 1000.0, 2001), 1.6e18 + 1e7 * np.arange(50), np.full(20, 9999.0), np.array([65535.0, 65e3])],
)
def test_that_numbers_among_their_like_stand_for_themselves(values) -> None:
    assert not sentinels(values).any()


def test_that_what_begins_at_the_origin_is_not_lost() -> None:
    p = np.zeros((60, 3))
    p[20:, 0] = 1e-3 * np.arange(40) ** 2
    assert not lost(p, np.tile([0.0, 0.0, 0.0, 1.0], (60, 1))).any()
    assert not lost(np.zeros((60, 3)), np.tile([0.0, 0.0, 0.0, 1.0], (60, 1))).any()


def test_that_what_stands_still_is_not_frozen_and_what_is_held_is() -> None:
    s = np.clip(np.arange(100.0) - 40.0, 0.0, 30.0)
    assert not len(frozen(np.stack([s**2, s, 0 * s], axis=-1), np.zeros((100, 0))).rows)
    rows = np.repeat(poses()[:40, 1:], 10, axis=0)
    held = frozen(rows[:, :3], rows[:, 3:])
    assert held.is_held
    assert len(held.rows) == 360


@pytest.mark.parametrize("tick", [1.0, 1e-3, 1e-6])
@pytest.mark.parametrize("period", [60.0, 2**16 * 1e-3, 2**32 * 1e-6, 604800.0])
def test_that_a_clock_is_known_by_its_period(period, tick) -> None:
    t = period - 3.0 + 0.01 * np.arange(1000)
    t = np.round(t / (0.01 * tick)) * 0.01 * tick
    assert wrap_of(t % period) == pytest.approx(period)
    assert wrap_of(np.concatenate([t, t])) is None


def test_that_what_moves_on_over_a_gap_is_no_jump(tmp_path) -> None:
    t = np.delete(np.arange(1000) * 0.01, slice(300, 380))
    rows = np.column_stack([t, np.sin(t), np.cos(t), 0.0 * t])
    path = tmp_path / "walk.csv"
    np.savetxt(path, rows, delimiter=",", header="t,x,y,z", comments="")
    table = read_mixed(path)
    choices = guess(table, path.name).choices
    (source,) = sources(table, choices)
    assert "jump" not in {one.kind for one in check(table, choices, source).problems}
    rows[500:, 1] += 3.0
    np.savetxt(path, rows, delimiter=",", header="t,x,y,z", comments="")
    table = read_mixed(path)
    assert "jump" in {one.kind for one in check(table, choices, sources(table, choices)[0]).problems}
