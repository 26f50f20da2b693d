"""Checks of a table's rows under the choices; each problem lists its rows."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.errors import Fix, FramescopeError, Problem, Severity, counted
from framescope.core.kernels.validation import Array, median
from framescope.core.recordings import row_mends
from framescope.core.recordings.columns.column_names import read_name
from framescope.core.recordings.outliers import GAP_STEPS, gaps, outliers
from framescope.core.recordings.pose_spline import MAX_SAMPLES, UNIT_NORM_TOLERANCE
from framescope.core.recordings.row_cleaning import MIN_SAMPLES
from framescope.core.recordings.row_mends import Flags
from framescope.core.recordings.smoothing import Stated, usual_bandwidths
from framescope.core.recordings.tables.limits import TableError
from framescope.core.recordings.tables.mixed import MixedTable, Rows
from framescope.core.scene.schema.motions import Mend
from framescope.core.scene.schema.quantities import UNITS
from framescope.features.table_import.core.choices import Choices, TableSource, Vector, columns_of, nth
from framescope.features.table_import.core.guess_conventions import rate_of
from framescope.features.table_import.core.number_groups import matrix_off, quaternion_off
from framescope.features.table_import.core.smoothing_preview import recording_of

MAX_ROWS_NAMED = 100
"""Largest number of rows that a problem lists."""

JUMP_STEPS = 25.0
"""Step of position or orientation that counts as a jump, as a multiple of the usual step."""

JUMP_DEG = 20.0
"""Rotation between rows up to which a step is never a jump, deg."""

MOST_OFF = 0.05
"""Largest deviation from a rotation that an import fixes without asking."""

SCALED = 0.01
"""Largest relative deviation of the lengths of scaled quaternions from their median."""

MOST_ROUNDS = 4
"""Largest number of check rounds, as fixed rows can reveal other problems."""

_TIMES = ("time", "stamp", "date")

MUCH_LEFT_OUT = 0.05
"""Fraction of rows from which leaving them out is a warning."""


@dataclass(frozen=True, eq=False)
class Checked:
    """Samples of one frame of a table, and the problems of its rows.

    Attributes
    ----------
    t : (n,)
        Time since the first sample, s; of rows with all their numbers.
    first
        Time of the first sample by the clock of the table, s.
    position : (n, 3) or (n, 0)
        Position, m.
    orientation : (n, k)
        Columns of the orientation, unchanged.
    residual : (n,)
        Deviation of the orientation from a rotation; zero for angles.
    rows : (n,)
        Indices of the rows in the table, from 0.
    problems
        Problems, whose kinds are ``"missing"``, ``"sentinel"``, ``"lost"``, ``"backwards"``, ``"wrapped"``,
        ``"doubled"``, ``"gap"``, ``"norm"``, ``"frozen"``, ``"outlier"``, ``"sign"``, ``"jump"``, ``"length"``,
        ``"bandwidth"``, ``"text"``, ``"gravity"`` or ``"columns"``. A red one prevents the import, an amber one is to
        be checked, a note is fixed or harmless. Their fixes have a name from `row_mends` and its effect as a phrase; an
        import may apply the safe ones by itself. Key paths name the field of `Choices` that they cast doubt on.
    mends
        Fixes of these problems that are applied.
    """

    t: Array
    position: Array
    orientation: Array
    residual: Array
    rows: Rows
    problems: tuple[Problem, ...]
    first: float = 0.0
    mends: tuple[Mend, ...] = ()

    @property
    def is_usable(self) -> bool:
        """Whether no problem prevents the import."""
        return not any(problem.severity == "red" for problem in self.problems)

    @property
    def open_mends(self) -> tuple[Mend, ...]:
        """Fixes that are not applied."""
        fixes: Iterator[Fix[Mend]] = (problem.fix for problem in self.problems if problem.fix is not None)
        return tuple(dict.fromkeys(fix.change for fix in fixes if fix.change not in self.mends))

    @property
    def gap_mends(self) -> tuple[Mend, ...]:
        """The fix that leaves long gaps empty instead of interpolating, if it is not applied."""
        safe = safe_fixes(self.problems)
        return tuple(mend for mend in self.open_mends if mend in safe and mend == "leave gaps empty")


@np.errstate(all="ignore")  # a file may hold numbers whose squares or differences overflow
def check(table: MixedTable, choices: Choices, source: TableSource) -> Checked:
    """Return the samples of one frame or vector of a table, and its problems.

    Parameters
    ----------
    table, choices
        The table and the choices for reading it.
    source
        Frame or vector.
    """
    if source.vector is not None:
        return _check_vector(table, choices, source.vector)
    empty = np.zeros((0, 0))
    try:
        if missing := source.group.missing():
            raise TableError(missing)
        rows = np.arange(table.n_rows)
        if choices.names is not None and source.value is not None:
            rows = table.rows_where(choices.names, source.value)
        used = columns_of(choices, source.group)
        orientation = [column for column in source.group.orientation if column]
        for column in (used.time, *(used.position or ()), *orientation):
            if column is not None and column not in table.numbers:
                table.table([column])
    except FramescopeError as error:
        problem = _problem("columns", "red", str(error), field="groups")
        return Checked(empty[:, :0].reshape(0), np.zeros((0, 3)), empty, np.zeros(0), np.arange(0), (problem,))

    def block(columns: list[str]) -> Array:
        return np.stack([table.numbers[column][rows] for column in columns], axis=-1) if columns else np.zeros((n, 0))

    n = len(rows)
    stamps = np.arange(n) / choices.rate_hz if used.time is None else table.numbers[used.time][rows]
    t = stamps * (1.0 if used.time is None else UNITS["recorded time"][choices.time_unit])
    given, q = block(list(used.position or ())), block(orientation)
    p = given * UNITS["length"][choices.position_unit]
    p = np.pad(p, ((0, 0), (0, 3 - p.shape[1] if used.position else 0)))
    is_whole, problems = _of_cells((*q.T, *given.T, *(() if used.time is None else (stamps,))), rows, choices.mends)
    has_no_pose = row_mends.has_no_length(q) & is_whole
    is_lost = has_no_pose
    if len(given.T) and (given == 0.0).all(axis=1).any():
        is_lost = np.zeros(n, dtype=bool)
        is_lost[is_whole] = row_mends.lost(given[is_whole], q[is_whole])
    if is_lost.any():
        what = "hold no pose but zeros, as where tracking was lost"
        severity: Severity = "red" if has_no_pose.any() else "amber"
        fix = _drop("drop lost", is_lost, is_safe=not (is_lost & ~has_no_pose).any())
        problems.append(_drop_problem("lost", what, is_lost, rows, fix, severity, choices.mends))
    used_rows = np.flatnonzero(is_whole & ~(is_lost if "drop lost" in choices.mends else has_no_pose))[:: choices.every]
    rows, t, p, q = rows[used_rows], t[used_rows], p[used_rows], q[used_rows]
    first = float(t[0]) if len(t) else 0.0
    t = t - first
    order, at = row_mends.in_order(t, set(choices.mends) - {"spread time"})
    problems += _of_order(t, rows, choices.mends)
    rows, p, q = rows[order], p[order], q[order]
    first += float(t[order[0]] - at[0]) if len(at) and "sort by time" in choices.mends else 0.0
    residual = _residual(choices, q)
    problems += _of_length(choices, source, at, residual, q, rows)
    problems += _of_time(at, rows, np.hstack([p, q]), choices.mends, _bridged_s(choices, at, p, q))
    first += row_mends.late_by(at) if "spread time" in choices.mends else 0.0
    _, at = row_mends.in_order(at, set(choices.mends) & {"spread time"})
    odd, remaining = _of_motion(choices, at, p, q, rows)
    remaining = remaining[_firsts(at[remaining], choices.mends)]
    problems += odd
    mends = applied_fixes(problems, choices.mends)
    return Checked(
        at[remaining], p[remaining], q[remaining], residual[remaining], rows[remaining], tuple(problems), first, mends
    )


@np.errstate(all="ignore")  # a file may hold numbers whose squares or differences overflow
def check_with_mends(table: MixedTable, choices: Choices, source: TableSource, *, is_safe_only: bool) -> Checked:
    """Return the result of `check` with all fixes applied, or with the safe ones only.

    Fixes are applied in rounds, as one problem can hide another.
    """
    checked = check(table, choices, source)
    for _ in range(MOST_ROUNDS):
        safe = safe_fixes(checked.problems)
        mends = tuple(mend for mend in checked.open_mends if mend in safe or not is_safe_only)
        if not mends:
            break
        choices = replace(choices, mends=(*choices.mends, *mends))
        checked = check(table, choices, source)
    return checked


def _of_cells(columns: Sequence[Array], rows: Rows, mends: Collection[str]) -> tuple[Flags, list[Problem]]:
    """Return flags (n,) of rows with all their numbers in some columns, and the problems of the others."""
    is_finite, has_one, sizes = np.ones(len(rows), dtype=bool), np.zeros(len(rows), dtype=bool), set[float]()
    for column in columns:
        is_placeholder = row_mends.sentinels(column)
        is_finite &= np.isfinite(column)
        has_one |= is_placeholder
        sizes |= set(np.unique(column[is_placeholder])[:4].tolist())
    problems: list[Problem] = []
    if not is_finite.all():
        where = _places(rows[~is_finite])
        text, part = f"{_count(~is_finite)} without a number: {where[0]}.", float((~is_finite).mean())
        fix = _drop("drop missing", ~is_finite, is_safe=True)
        problems.append(_fixable("missing", "red", text, where[1], fix, mends, left_out=part))
    if has_one.any():
        numbers = ", ".join(f"{number:g}" for number in sorted(sizes)[:4])
        what = f"{'hold' if has_one.sum() > 1 else 'holds'} {numbers}, a placeholder for a missing number"
        fix = _drop("drop sentinels", has_one, is_safe=True)
        problems.append(_drop_problem("sentinel", what, has_one, rows, fix, "red", mends))
    return is_finite & ~has_one, problems


def _drop_problem(
    kind: str, what: str, flags: Flags, rows: Rows, fix: Fix[Mend], severity: Severity, applied: Collection[str]
) -> Problem:
    """Return a problem whose fix leaves out its rows."""
    message, where = _places(rows[flags])
    text = f"{_count(flags)} {what}: {message}."
    return _fixable(kind, severity, text, where, fix, applied, left_out=float(flags.mean()))


def _drop(mend: Mend, flags: Flags, *, is_safe: bool = False) -> Fix[Mend]:
    """Return the fix that leaves out flagged rows."""
    return _fix(mend, _leaves_out(flags), is_safe=is_safe)


def safe_fixes(problems: Iterable[Problem]) -> set[Mend]:
    """Return the fixes that an import may apply by itself."""
    return {problem.fix.change for problem in problems if problem.fix is not None and problem.fix.is_safe}


def _leaves_out(flags: Flags) -> str:
    return f"leaves out {np.count_nonzero(flags):,} of {counted(len(flags), 'row')}"


def _fixable(
    kind: str,
    severity: Severity,
    text: str,
    rows: tuple[int, ...],
    fix: Fix[Mend],
    applied: Collection[str],
    *,
    field: str = "",
    left_out: float = 0.0,
) -> Problem:
    """Return a problem with a fix, as a note if it is applied, or as a warning if that leaves out many rows.

    `left_out` is the fraction of rows that the fix leaves out.
    """
    if fix.change in applied:
        severity = "amber" if left_out >= MUCH_LEFT_OUT else "note"
    return _problem(kind, severity, text, rows, field=field, fix=fix)


def _fix(mend: Mend, effect: str, *, is_safe: bool = False) -> Fix[Mend]:
    return Fix(row_mends.BUTTONS[mend], mend, effect, is_safe)


def _problem(
    kind: str,
    severity: Severity,
    text: str,
    rows: tuple[int, ...] = (),
    *,
    field: str = "",
    hint: str = "",
    fix: Fix[Mend] | None = None,
) -> Problem:
    """Return a problem; `field` is the field of `Choices` that it casts doubt on, if it does."""
    return Problem((field,) if field else (), text, hint, severity, kind=kind, rows=rows, fix=fix)


def applied_fixes(problems: Iterable[Problem], mends: Collection[str]) -> tuple[Mend, ...]:
    """Return the fixes of problems that are among the chosen ones."""
    fixes: Iterator[Fix[Mend]] = (problem.fix for problem in problems if problem.fix is not None)
    return tuple(dict.fromkeys(fix.change for fix in fixes if fix.change in mends))


def _check_vector(table: MixedTable, choices: Choices, vector: Vector) -> Checked:
    """Return the samples of a measured vector, as `position`, and its problems."""
    rows = np.arange(table.n_rows)
    problems: list[Problem] = []
    if choices.time is None:
        problems.append(
            _problem("columns", "red", "A measured vector needs a column of time: choose one.", field="time")
        )
        t = rows / choices.rate_hz
    else:
        t = table.numbers[choices.time] * UNITS["recorded time"][choices.time_unit]
    values = np.stack([table.numbers[column] for column in vector.columns], axis=-1)
    is_whole, odd = _of_cells((*values.T, t), rows, choices.mends)
    problems += odd
    rows, t, values = rows[is_whole], t[is_whole], values[is_whole]
    first = float(t[0]) if len(t) else 0.0
    order, at = row_mends.in_order(t - first, set(choices.mends) - {"spread time"})
    problems += _of_order(t - first, rows, choices.mends)
    first += float(t[order[0]] - first - at[0]) if len(at) and "sort by time" in choices.mends else 0.0
    rows, values = rows[order], values[order]
    problems += _of_time(at, rows, values, choices.mends)
    first += row_mends.late_by(at) if "spread time" in choices.mends else 0.0
    _, t = row_mends.in_order(at, set(choices.mends) & {"spread time"})
    is_first = _firsts(t, choices.mends)
    rows, t, values = rows[is_first], t[is_first], values[is_first]
    mends = applied_fixes(problems, choices.mends)
    return Checked(t, values, np.zeros((len(t), 0)), np.zeros(len(t)), rows, tuple(problems), first, mends)


def stamps_of(table: MixedTable, choices: Choices) -> tuple[float, float] | None:
    """Return the first and the last time of a table, s; None for a table without times."""
    if choices.time is None or choices.time not in table.numbers:
        return None
    t = table.numbers[choices.time]
    t = t[np.isfinite(t) & ~row_mends.sentinels(t)] * UNITS["recorded time"][choices.time_unit]
    if not len(t):
        return None
    if not set(row_mends.MENDS_OF_TIME) & set(choices.mends):
        return float(t.min()), float(t.max())
    order, at = row_mends.in_order(t - t[0], choices.mends)
    return float(t[order[0]]), float(t[order[0]] + at[-1] - at[0])


def unread_times(table: MixedTable, choices: Choices) -> tuple[Problem, ...]:
    """Return the problem of a time column that is not used, as the user must give a rate then."""
    if choices.time is not None or choices.format == "kitti" or choices.is_rate_chosen:
        return ()
    column = next((column for column in table.order if _is_called_time(table, column)), None)
    if column is None:
        return ()
    what = "has text that is not a date with a time of day" if column not in table.numbers else "is not used"
    message = f'The column of time "{column}" {what}: choose a column of time, or give the rate.'
    return (_problem("text", "red", message, field="time"),)


def _is_called_time(table: MixedTable, column: str) -> bool:
    is_text = column not in table.numbers
    return read_name(column).kind == "time" or (is_text and any(word in column.lower() for word in _TIMES))


def _of_length(
    choices: Choices, source: TableSource, t: Array, residual: Array, q: Array, rows: Rows
) -> Iterator[Problem]:
    if len(t) < MIN_SAMPLES:
        yield _problem("length", "red", f"{counted(len(t), 'row')} with numbers, at least {MIN_SAMPLES} are needed.")
    if len(t) > MAX_SAMPLES:
        every = math.ceil(choices.every * len(t) / MAX_SAMPLES)
        text = f"{len(t)} rows, at most {MAX_SAMPLES} are fitted: take every {nth(every)} row."
        yield _problem("length", "red", text, field="every")
    is_off = residual > UNIT_NORM_TOLERANCE
    if is_off.any():
        message, where = _places(rows[is_off])
        worst, scale = float(residual.max()), _scale(choices, q)
        what = "quaternions are not of unit length" if choices.form == "quaternion" else "matrices are not rotations"
        text = f"{what} in {_count(is_off)}, by up to {worst:.3g}: {message}."
        text += " Check columns and order." if worst > MOST_OFF else ""
        change = f"takes the nearest rotation in {_count(is_off)}, which changes numbers by up to {worst:.2g}"
        if scale is not None:
            text = f"quaternions are scaled: all have a length of {scale:.6g}."
            change = f"divides all by their length of {scale:.6g}"
        is_safe = worst <= MOST_OFF or scale is not None
        fix = _fix("normalise", change, is_safe=is_safe)
        yield _fixable("norm", "red", text, where, fix, choices.mends, field="form")
    rate = rate_of(replace(choices, time="t", time_unit="s"), t)
    for field in ("bandwidth_hz", "orientation_bandwidth_hz") if source.group.orientation else ("bandwidth_hz",):
        bandwidth = getattr(choices, field)
        if rate is not None and bandwidth is not None and not 0.0 < bandwidth < 0.5 * rate:
            text = f"A bandwidth of {bandwidth:g} Hz needs more than {rate:.4g} samples a second."
            yield _problem("bandwidth", "red", text + f" Use less than {0.5 * rate:.4g} Hz.", field=field)
    if source.group.is_planar:
        yield _problem("columns", "note", "The position is x and y alone: z is zero.")
    if not source.group.orientation:
        yield _problem("columns", "note", "There is no orientation: the frame moves without rotation.")
    elif not source.group.has_position:
        yield _problem("columns", "note", "There is no position: the frame rotates at the origin of its parent.")


def _scale(choices: Choices, q: Array) -> float | None:
    """Return the common length of scaled quaternions, such as integers; None if lengths differ or are near one."""
    if choices.form != "quaternion" or q.shape[1] != 4 or not len(q):
        return None
    length = np.sqrt((q * q).sum(axis=1))
    usual = median(length)
    is_scaled = usual > 10.0 and bool((np.abs(length / usual - 1.0) < SCALED).all())
    return usual if is_scaled else None


def _of_order(t: Array, rows: Rows, mends: Collection[str]) -> Iterator[Problem]:
    """Yield a problem with its fix for times that run back, and another one while a fix leaves some."""
    applied: list[Mend] = []
    for _ in row_mends.MENDS_OF_TIME:
        order, at = row_mends.in_order(t, applied)
        back = np.diff(at) < 0.0
        if not back.any():
            return
        message, where = _places(rows[order][1:][back])
        mend: Mend = row_mends.mend_of_backward(at)
        chosen: list[Mend] = [other for other in row_mends.MENDS_OF_TIME[1:] if other in mends]
        mend = mend if mend in mends or not chosen else chosen[0]
        by, part = float(-np.diff(at)[back].min()), 0.0
        text = f"time runs back in {_count(back)}: {message}. Sort them, or choose the column of frame names."
        change = f"sorts {_count(back)} and the rows after them by time"
        if mend == "unwrap time":
            text = f"the clock restarts every {row_mends.wrap_of(at):.9g} s, at {message}."
            change = f"continues the time at {message}"
        elif mend == "drop backward":
            n = len(at) - len(row_mends.in_order(at, (mend,))[0])
            part = n / len(at)
            text = f"time restarts {by:.6g} s earlier: {message}. Another recording follows, or the clock was set."
            change = f"leaves out {n:,} of {counted(len(at), 'row')}, until the time is later than before"
        kind = "wrapped" if mend == "unwrap time" else "backwards"
        yield _fixable(kind, "red", text, where, _fix(mend, change), mends, field="time", left_out=part)
        if mend not in mends:
            return
        applied.append(mend)


def _bridged_s(choices: Choices, t: Array, p: Array, q: Array) -> float:
    """Return the longest gap that interpolation bridges, s: one period of the larger bandwidth."""
    if not len(gaps(np.unique(t))):
        return math.inf
    stated, recording = Stated(choices.bandwidth_hz, choices.orientation_bandwidth_hz), recording_of(t, p, q, choices)
    if not stated.is_whole and recording is not None and len(recording.t) <= MAX_SAMPLES:
        return 1.0 / stated.complete(usual_bandwidths(recording)).largest_hz
    hz = max(stated.position_hz or 0.0, stated.orientation_hz or 0.0)
    return 1.0 / hz if hz else math.inf


def _firsts(t: Array, mends: Collection[str]) -> Flags:
    """Return flags (n,) of the first row of each time if duplicates are dropped; else all true."""
    if "drop duplicates" not in mends or not len(t):
        return np.ones(len(t), dtype=bool)
    return np.append(True, np.diff(t) != 0.0)


def _doubled_problem(t: Array, rows: Rows, samples: Array, mends: Collection[str], doubled: Flags) -> Problem:
    """Return the problem of rows with the time of the row before: rounded time stamps, or repeated rows."""
    message, where = _places(rows[1:][doubled])
    is_other = doubled & (samples[1:] != samples[:-1]).any(axis=1)
    part = float(doubled.sum()) / len(t)
    grid = row_mends.grid_of(t) if 2 * is_other.sum() > doubled.sum() else None
    if grid is not None and "drop duplicates" not in mends:
        text = f"{_count(doubled)} with the time of the row before, but other numbers: {message}. The stamps are"
        text += f" rounded to {grid:.6g} s."
        change = "spreads the rows of each time evenly up to the next time"
        fix = _fix("spread time", change, is_safe=True)
        return _fixable("doubled", "amber", text, where, fix, mends, field="time")
    severity: Severity = "amber" if part >= MUCH_LEFT_OUT else "note"
    text = f"{_count(doubled)} with the time of the row before: {message}."
    change = f"keeps the first row of each time, {_leaves_out(np.append(doubled, False))}"
    if grid is not None:
        change += '; "spread time" spreads them instead, as the stamps are rounded'
    fix = _fix("drop duplicates", change, is_safe=True)
    return _fixable("doubled", severity, text, where, fix, mends, field="time", left_out=part)


def _of_time(
    t: Array, rows: Rows, samples: Array, mends: Collection[str], bridged_s: float | None = None
) -> Iterator[Problem]:
    """Yield problems of ordered times (n,); gaps of poses longer than `bridged_s`, s, should be left empty."""
    steps = np.diff(t)
    if not len(steps):
        return
    doubled, forward = steps == 0.0, steps[steps > 0.0]
    if doubled.any():
        yield _doubled_problem(t, rows, samples, mends, doubled)
    usual = median(forward) if len(forward) else 0.0
    is_gap = steps > GAP_STEPS * usual
    if usual > 0.0 and is_gap.any():
        message, where = _places(rows[:-1][is_gap])
        longest = float(steps.max())
        text = f"{_count(is_gap, 'gap')} of up to {longest:.3g} s after {message}; "
        is_unknown = bridged_s is not None and longest > bridged_s
        text += "the motion inside is unknown." if is_unknown else "the motion inside is interpolated."
        change = f"draws no pose inside {_count(is_gap, 'gap')}, {float(steps[is_gap].sum()):.3g} s in all"
        severity: Severity = "amber" if is_unknown or longest > 50.0 * usual else "note"
        if bridged_s is None:
            yield _problem("gap", severity, text, where, hint=change)
        else:
            yield _fixable("gap", severity, text, where, _fix("leave gaps empty", change, is_safe=is_unknown), mends)


def _of_motion(choices: Choices, t: Array, p: Array, q: Array, rows: Rows) -> tuple[list[Problem], Rows]:
    """Return the problems of the poses at ordered times (n,), and the indices of rows that the fixes leave."""
    is_first = np.concatenate([[True], np.diff(t) > 0.0])[: len(t)]
    remaining, is_remaining, problems = np.flatnonzero(is_first), np.ones(len(t), dtype=bool), list[Problem]()
    if len(remaining) < MIN_SAMPLES:
        return problems, np.arange(len(t))
    still = row_mends.frozen(p[remaining], q[remaining])
    if len(still.rows):
        out = remaining[still.rows]
        text, where = f"{row_mends.frozen_words(still)[:-1]}: {_places(rows[out])[0]}.", _places(rows[out])[1]
        change = f"leaves out {len(out):,} of {counted(len(remaining), 'row')}"
        part = len(out) / len(remaining)
        fix = _fix("drop frozen", change)
        problems.append(_fixable("frozen", "amber", text, where, fix, choices.mends, left_out=part))
        is_remaining[out] = "drop frozen" not in choices.mends
        remaining = np.delete(remaining, still.rows)
    runs_on = bool((np.diff(t) >= 0.0).all())  # otherwise neighbours are unknown
    recording = recording_of(t[remaining], p[remaining], q[remaining], choices) if runs_on else None
    if recording is not None and len(places := outliers(recording.t, recording.p_PF, recording.Q_PF)):
        flags = np.zeros(len(t), dtype=bool)
        flags[remaining[places]] = True
        what = f"{'lie' if len(places) > 1 else 'lies'} far from both neighbours, which are close together"
        fix = _drop("drop outliers", flags)
        problems.append(_drop_problem("outlier", what, flags, rows, fix, "amber", choices.mends))
        is_remaining[flags] = "drop outliers" not in choices.mends
        remaining = np.delete(remaining, places)
    problems += _of_jumps(choices, t[remaining], p[remaining], q[remaining], rows[remaining])
    return problems, np.flatnonzero(is_remaining)


def _of_jumps(choices: Choices, t: Array, p: Array, q: Array, rows: Rows) -> Iterator[Problem]:
    if len(rows) < MIN_SAMPLES:
        return
    dt = np.abs(np.diff(t))
    times = np.maximum(dt / max(median(dt), 1e-300), 1.0)  # the motion continues over a gap
    if choices.form == "quaternion" and q.shape[1] == 4:
        along = (q[1:] * q[:-1]).sum(axis=1)
        flips = along < 0.0
        if flips.any():
            message, where = _places(rows[1:][flips])
            text = f"the quaternion changes its sign in {_count(flips)}: {message}. The orientation is the same."
            change = "changes no pose; it only marks the sign changes as known"
            yield _fixable("sign", "note", text, where, _fix("keep sign", change), choices.mends)
        lengths = np.sqrt((q[1:] ** 2).sum(axis=1) * (q[:-1] ** 2).sum(axis=1))
        turned = 2.0 * np.degrees(np.arccos(np.clip(np.abs(along) / np.maximum(lengths, 1e-300), 0.0, 1.0)))
        yield from _jump("orientation", turned, times, JUMP_DEG, "{:.3g}°", rows)
    if p.shape[1] == 3:
        moved = np.sqrt((np.diff(p, axis=0) ** 2).sum(axis=1))
        yield from _jump("position", moved, times, 1e-3, "{:.3g} m", rows)


def _jump(what: str, steps: Array, times: Array, least: float, written: str, rows: Rows) -> Iterator[Problem]:
    usual = float(np.quantile(steps / times, 0.9))
    jumps = steps > times * max(JUMP_STEPS * usual, least)
    if jumps.any():
        message, where = _places(rows[1:][jumps])
        text = f"the {what} jumps in {_count(jumps)}, by up to {written.format(float(steps[jumps].max()))}: {message}."
        yield _problem("jump", "amber", text, where)


def _residual(choices: Choices, q: Array) -> Array:
    if q.shape[1] == 4 and choices.form == "quaternion":
        return quaternion_off(q)
    if q.shape[1] == 9 and choices.form == "matrix":
        return matrix_off(q)
    return np.zeros(len(q))


def _count(flags: Flags, what: str = "row") -> str:
    n = int(np.count_nonzero(flags))
    return f"1 {what}" if n == 1 else f"{n} {what}s"


def _places(rows: Rows) -> tuple[str, tuple[int, ...]]:
    """Return a phrase that lists rows, and the first of them from 1.

    >>> _places(np.array([1, 4, 5, 9]))
    ('rows 2, 5, 6 and 1 more', (2, 5, 6, 10))
    """
    text = (rows[:MAX_ROWS_NAMED] + 1).tolist()
    more = f" and {len(rows) - 3} more" if len(rows) > 3 else ""
    return f"row{'s' if len(rows) > 1 else ''} {', '.join(map(str, text[:3]))}{more}", tuple(text)
