"""Checks of the rows of recordings: times, missing numbers, and actual or apparent jumps of poses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from framescope.core.analysis.diagnostics.angle_units import recorded_degrees
from framescope.core.analysis.diagnostics.diagnosis import make_problem
from framescope.core.errors import MAX_TIMES, FramescopeError, ItemError, KeyPath, Problem, Severity
from framescope.core.evaluation.compile import recorded
from framescope.core.evaluation.compile.recorded import file_problems
from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.nearest_rotation import nearest_rotation
from framescope.core.kernels.validation import Array
from framescope.core.recordings import pose_columns, row_mends
from framescope.core.recordings.outliers import LEAST_TURN, Rows, gaps, jumps, outliers, shifts, turns
from framescope.core.recordings.pose_spline import UNIT_NORM_TOLERANCE
from framescope.core.recordings.row_mends import BUTTONS, frozen_words
from framescope.core.recordings.tables.limits import quoted
from framescope.core.recordings.tables.mixed import Missing, missing_in, read_once
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.fields import value_at, with_value
from framescope.core.scene.files.referenced_files import TABLE_FILES
from framescope.core.scene.schema.measured import MeasuredPose, MeasuredVector
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.motions import AngleColumns, MatrixColumns, Mend, QuaternionColumns, Recorded
from framescope.core.scene.schema.quantities import unit_factor
from framescope.core.system.file_access import resolve_named

HALF_TURN = 0.75 * np.pi
"""Change of an angle between rows above which the angle has wrapped around, rad."""

STILL = np.radians(45.0)
"""Rotation between rows, up to which a wrapped angle is no actual jump, rad."""

SAFE_MISS = 0.05
"""Deviation from a rotation above which the selected columns may be wrong."""


@dataclass(frozen=True, eq=False)
class Rowwise:
    """Rows of a recording as in the file.

    `numbers` (n, k) are the orientation columns, with angles in rad, and `miss` (n,) their deviation from a rotation.
    `p` and `Q` are None if a row is no pose. `stand_ins` are rows with a sentinel, the first of them in the column
    `stand_in`, and `lost` rows of lost tracking.
    """

    t: Array
    rows: Rows
    p: Array | None
    Q: Array | None
    numbers: Array
    form: str
    miss: Array
    stand_ins: Rows
    stand_in: str
    lost: Rows


def recordings_of(scene: Scene) -> Iterator[tuple[KeyPath, Recorded]]:
    """Yield the recordings of a scene with their key paths."""
    for name, frame in scene.frames.items():
        if isinstance(frame.motion, Recorded):
            yield ("frames", name, "motion"), frame.motion
    for name, measurement in scene.measured.items():
        if isinstance(measurement, MeasuredPose) and measurement.motion is not None:
            yield ("measured", name, "motion"), measurement.motion


def recorded_problems(plan: Plan) -> Iterator[Problem]:
    """Yield irregularities in the rows of all recordings; unreadable files are already reported as problems."""
    for key, form in recordings_of(plan.scene):
        try:
            start = form.start.si("time", (*key, "start"))
            source = recorded.source_of(form, plan.context, key)
            missing = recorded.rows_without_number(source)
            if missing is not None and "drop missing" not in form.mends:
                yield without_numbers(key, missing)
                continue
            bandwidth = recorded.bandwidth_of(form, source, key)
            rows = _rows_of(source)
            without_pose = _problems_without_pose(key, rows)
            degrees = None if without_pose else _in_degrees(key, form, rows)
        except (ItemError, FramescopeError, OSError):
            continue
        if without_pose or degrees is not None:  # further irregularities would be consequences
            yield from without_pose
            yield from () if degrees is None else (degrees,)
        else:
            yield from _Recording(key, form.mends, start, bandwidth).problems(rows)


def _problems_without_pose(key: KeyPath, it: Rowwise) -> tuple[Problem, ...]:
    """Return the problems of rows without a pose: sentinels, and lost tracking."""
    place, texts = (*key, "file"), list[Problem]()
    if it.stand_ins.size:
        texts.append(_sentinel_problem(key, it.rows[it.stand_ins].tolist(), it.stand_in))
    if it.lost.size:
        message = f"{count(len(it.lost), 'row')} that {'hold' if it.lost.size > 1 else 'holds'} no pose but zeros,"
        message += " as where tracking was lost."
        rows = it.rows[it.lost[:MAX_TIMES]].tolist()
        problem = make_problem(place, "tracking-lost", "tracking lost", message, severity="red", rows=rows)
        texts.append(problem.with_fix("Leave out", mended_rows(key, "drop lost")))
    return tuple(texts)


def _sentinel_problem(key: KeyPath, rows: Sequence[int], column: str) -> Problem:
    """Return the problem of rows, from 1, with a sentinel."""
    message = f"row {rows[0]} has a number that stands for none in the column"
    message += f" {quoted(column)}{more(len(rows), 'such row')}."
    kind, title = "sentinel", "number that stands for none"
    problem = make_problem((*key, "file"), kind, title, message, severity="red", rows=list(rows[:MAX_TIMES]))
    return problem.with_fix("Leave out", mended_rows(key, "drop sentinels"))


def _in_degrees(key: KeyPath, form: Recorded, rows: Rowwise) -> Problem | None:
    """Return a problem if the angles of a recording have the unit rad but are in degrees; else None."""
    orientation = None if form.columns is None else form.columns.orientation
    if not isinstance(orientation, AngleColumns) or orientation.unit != "rad":
        return None
    return recorded_degrees(key, rows.numbers, orientation.sequence)


@lru_cache(maxsize=8)
def _rows_of(source: recorded.RecordedSource) -> Rowwise:
    table, columns, t = recorded.table_of(source)
    form, numbers = "", np.zeros((table.n_rows, 0))
    match columns.orientation:
        case QuaternionColumns(columns=names):
            form, numbers = "quaternion", np.stack([table.column(name) for name in names], axis=-1)
            miss = np.abs(np.sqrt(linear_algebra.squared_norm(numbers)) - 1.0)
        case MatrixColumns(columns=names):
            form, numbers = "matrix", np.stack([table.column(name) for name in names], axis=-1)
            bounded = np.clip(numbers, -2.0, 2.0).reshape(-1, 3, 3)
            miss = nearest_rotation(bounded)[1]
        case AngleColumns(columns=names, unit=unit):
            form, numbers = "axes", np.stack([table.column(name) for name in names], axis=-1)
            numbers = numbers * pose_columns.ANGLE_UNITS[unit or ""]
            miss = np.zeros(table.n_rows)
        case _:
            miss = np.zeros(table.n_rows)
    try:
        p, Q = pose_columns.rows_of(table, columns, ("normalise",))
    except FramescopeError:
        p, Q = None, None
    stand_ins, stand_in = row_mends.sentinel_rows(table, columns.names)
    block = [table.column(name) for name in columns.position or ()]
    position = np.stack(block, axis=-1) if block else np.zeros((table.n_rows, 0))
    lost = np.flatnonzero(row_mends.lost(position, numbers))
    at = np.array(stand_ins, dtype=np.intp)
    return Rowwise(t, recorded.row_numbers(source), p, Q, numbers, form, miss, at, stand_in, lost)


@dataclass(frozen=True)
class _Recording:
    """Recording of a scene: its key path, the active fixes, the time of its first sample, s, and its bandwidth."""

    key: KeyPath
    mends: tuple[Mend, ...]
    start: float
    bandwidth_hz: float

    def problems(self, it: Rowwise) -> Iterator[Problem]:
        """Yield the irregularities of its rows."""
        yield from self._lengths(it)
        order, t = row_mends.in_order(it.t, self.mends)
        back = np.flatnonzero(np.diff(t) < 0.0)
        if back.size:
            by = float(-np.diff(t)[back].min())
            message = f"after row {it.rows[back[0]]} the time is {by:.3g} s earlier{more(len(back), 'such place')}."
            mend = row_mends.mend_of_backward(t)
            title = "clock that begins anew" if mend == "unwrap time" else "time running back"
            yield self._message("time-backward", title, message, it, back + 1, "red", BUTTONS[mend], mend)
            return  # neighbours in time are unknown
        yield from self._times(it, order, t)
        if it.Q is not None and it.p is not None:
            yield from self._poses(it, order, t, it.p, it.Q)

    def _lengths(self, it: Rowwise) -> Iterator[Problem]:
        off = np.flatnonzero(it.miss > UNIT_NORM_TOLERANCE)
        if not off.size or "normalise" in self.mends:
            return
        worst = float(it.miss[off].max())
        what = "the quaternion is not of unit length" if it.form == "quaternion" else "the matrix is no rotation"
        message = f"{what} in {count(len(off), 'row')}, by up to {worst:.3g}; 1e-3 is taken as rounding."
        text = self._message("not-normalised", "not a rotation", message, it, off, "red")
        mend = mended_rows(self.key, "normalise")
        yield text if it.Q is None else text.with_fix("Normalise", mend, is_safe=worst < SAFE_MISS)

    def _times(self, it: Rowwise, order: Rows, t: Array) -> Iterator[Problem]:
        step = np.diff(t)
        same = np.flatnonzero(step == 0.0)
        if same.size and "drop duplicates" not in self.mends:
            is_equal = self._is_same_pose(it, order[same], order[same + 1])
            poses = "the same pose" if is_equal.all() else "another pose"
            message = f"{count(len(same), 'row')} with the time of the one before and {poses}: left out."
            severity: Severity = "note" if is_equal.all() else "amber"
            mend: Mend = "drop duplicates"
            grid = None if 2 * is_equal.sum() > len(same) else row_mends.grid_of(t)
            if grid is not None:
                message += f" The stamps are rounded to {grid:.6g} s."
                mend = "spread time"
            text = self._message("duplicate-sample", "two samples of one time", message, it, order[same + 1], severity)
            yield text.with_fix(BUTTONS[mend], mended_rows(self.key, mend), is_safe=bool(is_equal.all()))
        is_rising = np.concatenate([[True], step > 0.0])
        t, order = t[is_rising], order[is_rising]
        after = gaps(t)
        if after.size and "leave gaps empty" not in self.mends:
            lengths = np.diff(t)[after]
            longest = float(lengths.max())
            times = longest / float(np.median(np.diff(t)))
            message = f"{longest:.3g} s without a sample, {times:.0f} times the usual step{more(len(after), 'gap')}."
            is_made_up = longest > 1.0 / self.bandwidth_hz
            worst_first = after[np.argsort(-lengths, kind="stable")]
            yield self._message(
                "time-gap", "time gap", message, it, order[worst_first], "amber" if is_made_up else "note",
                "Mark gap", "leave gaps empty",
            )  # fmt: skip

    def _is_same_pose(self, it: Rowwise, a: Rows, b: Rows) -> Any:
        is_same = (it.numbers[a] == it.numbers[b]).all(axis=1)
        return is_same if it.p is None else is_same & (it.p[a] == it.p[b]).all(axis=1)

    def _poses(self, it: Rowwise, order: Rows, t: Array, p: Array, Q: Array) -> Iterator[Problem]:
        is_first = np.concatenate([[True], np.diff(t) > 0.0])
        order, t = order[is_first], t[is_first]
        p, Q, numbers = p[order], Q[order], it.numbers[order]
        if len(t) < 3:
            return
        still = row_mends.frozen(p, Q)
        if still.rows.size and "drop frozen" not in self.mends:
            yield self._message(
                "frozen", "poses held" if still.is_held else "frozen pose", frozen_words(still), it, order[still.rows],
                "amber", "Leave out", "drop frozen",
            )  # fmt: skip
        if still.rows.size:
            order = np.delete(order, still.rows)
            t, p, Q, numbers = (np.delete(x, still.rows, axis=0) for x in (t, p, Q, numbers))
        if len(t) < 3:
            return
        out = outliers(t, p, Q)
        if out.size and "drop outliers" not in self.mends:
            message = f"{count(len(out), 'sample')} far from both neighbours, which are near each other."
            yield self._message("outlier", "outlier", message, it, order[out], "amber", "Leave out", "drop outliers")
        if out.size:
            order = np.delete(order, out)
            t, p, Q, numbers = (np.delete(x, out, axis=0) for x in (t, p, Q, numbers))
        angles = turns(Q)
        distances, least = shifts(p)
        jump_rows = jumps(t, angles, LEAST_TURN)
        shift_rows = np.setdiff1d(jumps(t, distances, least), jump_rows)
        for kind, what, places, by, shown, text in (
            ("jump", "orientation jumps", jump_rows, angles, np.degrees(angles), "turns by {:.3g}°"),
            ("position-jump", "position jumps", shift_rows, distances, distances, "moves by {:.3g} m"),
        ):
            if places.size:
                worst = places[np.argsort(-by[places], kind="stable")]
                message = f"it {text.format(shown[worst[0]])} from one sample to the next, its neighbours do not"
                message += f"{more(len(worst), 'jump')}."
                yield self._message(kind, what, message, it, order[worst + 1], "amber")
        yield from self._apparent_jumps(it, order, numbers, angles)

    def _apparent_jumps(self, it: Rowwise, order: Rows, numbers: Array, angles: Array) -> Iterator[Problem]:
        """Yield jumps of the numbers without a jump of the orientation."""
        if it.form == "quaternion" and "keep sign" not in self.mends:
            flips = np.flatnonzero((numbers[1:] * numbers[:-1]).sum(axis=1) < 0.0)
            if flips.size:
                flipped = more(len(flips), "flip")
                message = f"Q turns into -Q from one sample to the next{flipped}; the orientation is the same."
                text = self._message("sign-flip", "sign flip", message, it, order[flips + 1], "note")
                yield text.with_fix("Keep sign", mended_rows(self.key, "keep sign"), is_safe=True)
        if it.form == "axes" and "unwrap angles" not in self.mends:
            wraps = np.flatnonzero((np.abs(np.diff(numbers, axis=0)) > HALF_TURN).any(axis=1) & (angles < STILL))
            if wraps.size:
                message = f"an angle goes round at ±180°{more(len(wraps), 'such place')}; the orientation is the same."
                text = self._message("angle-wrap", "angle goes round", message, it, order[wraps + 1], "note")
                yield text.with_fix("Unwrap", mended_rows(self.key, "unwrap angles"), is_safe=True)

    def _message(
        self, kind: str, title: str, message: str, it: Rowwise, rows: Rows, severity: Severity, button: str = "",
        mend: Mend | None = None,
    ) -> Problem:  # fmt: skip
        taken, t = row_mends.in_order(it.t, self.mends)
        at = np.full(len(it.t), np.nan)
        at[taken] = t
        times = (np.where(np.isnan(at), it.t, at)[rows[:1000]] + self.start).tolist()
        if len(rows) == 1:
            title = f"{title} at {times[0]:.2f} s"
        place, numbers = (*self.key, "file"), it.rows[rows[:1000]].tolist()
        problem = make_problem(place, kind, title, message, severity=severity, times=times, rows=numbers)
        return problem if mend is None else problem.with_fix(button, mended_rows(self.key, mend))


def series_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the reasons for which rows of a measured vector cannot be used; compiling reports all other faults."""
    for name, measurement in plan.scene.measured.items():
        used = plan.instruments.measurements.get(name)
        if used is not None and used.series is not None and used.series.stand_ins:
            yield _sentinel_problem(("measured", name), used.series.stand_ins, used.series.stand_in)
        if not isinstance(measurement, MeasuredVector) or used is not None:
            continue
        try:
            unit = unit_factor(measurement.time_unit, "recorded time", ("time_unit",))
            start = measurement.start.si("time", ("start",))
            path = resolve_named(measurement.file, plan.context.access, ("file",), TABLE_FILES)
            with file_problems(("file",), measurement.file):
                table = read_once(path)
                rows = table.whole_rows((measurement.time, *measurement.values))
                t = table.table([measurement.time], rows).since_first(measurement.time) if len(rows) else np.zeros(0)
        except ItemError:
            continue
        key = ("measured", name)
        missing = missing_in(table, (measurement.time, *measurement.values))
        if missing is not None and "drop missing" not in measurement.mends:
            yield without_numbers(key, missing)
            continue
        if not len(t):
            continue
        order, t = row_mends.in_order(unit * t, measurement.mends)
        at, step, rows = start + t, np.diff(t), rows[order]
        back, same = np.flatnonzero(step < 0.0) + 1, np.flatnonzero(np.diff(np.sort(t)) == 0.0) + 1
        if back.size:
            by, mend = float(-step.min()), row_mends.mend_of_backward(t)
            row, others = rows[back[0] - 1] + 1, more(len(back), "such place")
            message = f"after row {row} the time is {by:.3g} s earlier{others}."
            problem = make_problem(
                (*key, "file"), "time-backward", "time running back", message, severity="red",
                times=at[back[:MAX_TIMES]].tolist(), rows=(rows[back] + 1).tolist(),
            )  # fmt: skip
            yield problem.with_fix(BUTTONS[mend], mended_rows(key, mend))
        elif same.size and "drop duplicates" not in measurement.mends:
            order = np.argsort(t, kind="stable")[same]
            message = f"{count(len(same), 'row')} with the time of the one before."
            problem = make_problem(
                (*key, "file"), "duplicate-sample", "two samples of one time", message, severity="red",
                times=at[order[:MAX_TIMES]].tolist(), rows=(rows[order] + 1).tolist(),
            )  # fmt: skip
            yield problem.with_fix("Leave out", mended_rows(key, "drop duplicates"))


def without_outliers(plan: Plan, names: Iterable[str]) -> Scene:
    """Return a scene in which samples far from both neighbours are left out, in the recordings of some frames."""
    scene = plan.scene
    for name in names:
        key, form = ("frames", name, "motion"), scene.frames[name].motion
        if not isinstance(form, Recorded) or "drop outliers" in form.mends:
            continue
        it = _rows_of(recorded.source_of(form, plan.context, key))
        order = np.argsort(it.t, kind="stable")
        order = order[np.concatenate([[True], np.diff(it.t[order]) > 0.0])]
        if it.Q is not None and it.p is not None and outliers(it.t[order], it.p[order], it.Q[order]).size:
            scene = mended_rows(key, "drop outliers").apply(scene)
    return scene


def mended_rows(key: KeyPath, mend: str) -> Edit:
    """Return an edit that adds a fix to the `mends` of an item that reads a file."""
    path = (*key, "mends")

    def apply(scene: Scene) -> Scene:
        mends = value_at(scene, path)
        return scene if mend in mends else with_value(scene, path, (*mends, mend))

    return Edit(f"{key[1]}: {mend}", apply)


def without_numbers(key: KeyPath, missing: Missing) -> Problem:
    """Return the problem of rows without a number; its fix leaves them out if other rows remain."""
    message = f"row {missing.rows[0] + 1} has no number in the column {quoted(missing.column)}"
    message += f"{more(len(missing.rows), 'such row')}."
    rows = (missing.rows + 1).tolist()
    problem = make_problem((*key, "file"), "missing-number", "no number", message, severity="red", rows=rows)
    return problem.with_fix("Leave out", mended_rows(key, "drop missing")) if missing.left else problem


def count(n: int, noun: str) -> str:
    """Format a number of things.

    >>> count(1, "row"), count(3, "row")
    ('1 row', '3 rows')
    """
    return f"{n} {noun}{'s' * (n > 1)}"


def more(n: int, noun: str) -> str:
    """Format the number of all things after the first one was described.

    >>> more(1, "gap"), more(3, "gap")
    ('', '; there are 3 gaps')
    """
    return f"; there are {n} {noun}s" if n > 1 else ""
