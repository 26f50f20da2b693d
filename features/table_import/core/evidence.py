"""Evidence in other columns of a table: rates against derivatives, and headings against the direction of travel."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from framescope.core.errors import FramescopeError
from framescope.core.kernels.validation import Array
from framescope.core.recordings.columns.reasons import Reason
from framescope.core.recordings.pose_columns import rows_of
from framescope.core.recordings.tables.mixed import MixedTable, Rows
from framescope.core.scene.schema.quantities import UNITS
from framescope.features.table_import.core.answers import CHOICES, with_answer
from framescope.features.table_import.core.choices import Choices, Group, Vector, columns_of
from framescope.features.table_import.core.vectors import vectors_of

LOOKED_AT = 2000
"""Largest number of rows to compare."""

MOST_LEFT = 0.25
"""Residual below which a reading fits, as a fraction of the measured signal."""

PROVEN = 0.12
"""Residual below which rates prove another reading than the names of columns state, as a fraction of the signal."""

LEAST_RATIO = 2.0
"""Factor by which the residuals of all other readings must exceed the best one."""

LEAST_RATE = 0.02
"""Angular velocity below which a motion is too slow to decide, rad/s."""

MOST_ASIDE = 0.15
"""Deviation from the direction of travel below which an angle counts as the heading, rad."""

_WORDS: Mapping[str, tuple[str, ...]] = {
    "order": CHOICES["quaternion"][1],
    "sequence": CHOICES["sequence"][1],
    "angle_unit": ("rad", "deg"),
    "maps": CHOICES["rotation"][1],
}
_OF_FORM: Mapping[str, tuple[str, ...]] = {
    "quaternion": ("order", "maps"),
    "matrix": ("maps",),
    "axes": ("sequence", "angle_unit"),
    "rotation vector": ("angle_unit", "maps"),
}


def settle_by_numbers(table: MixedTable, choices: Choices, reasons: dict[str, Reason]) -> Choices:
    """Return the choices, corrected by evidence in other columns of the table, and replace their reasons."""
    if choices.format != "table" or choices.names is not None or len(choices.groups) != 1:
        return choices
    group = choices.groups[0]
    columns = [column for column in (choices.time, *group.position, *group.orientation) if column]
    rows = table.whole_rows(columns)[:LOOKED_AT]
    if len(rows) < 10 or any(column not in table.numbers for column in columns):
        return choices
    if choices.form == "heading" and group.has_position:
        return _by_travel(table, choices, group, rows, reasons)
    if choices.form == "axes" and choices.sequence == "ZYX" and "counts" in reasons and group.has_position:
        choices = _by_travel(table, choices, group, rows, reasons)
    if choices.time is None:
        return choices
    t = table.numbers[choices.time][rows] * UNITS["recorded time"][choices.time_unit]
    if not (np.diff(t) > 0.0).all():
        return choices
    vectors = {vector.form: vector for vector in vectors_of(table)}
    if "velocity" in vectors and group.has_position:
        choices = _by_velocity(table, choices, group, vectors["velocity"], rows, t, reasons)
    if "angular velocity" in vectors and group.orientation:
        choices = _by_rates(table, choices, vectors["angular velocity"], rows, t, reasons)
    return choices


def _is_doubtful(reasons: Mapping[str, Reason], key: str) -> bool:
    return key in reasons and reasons[key].certainty in ("assumed", "open")


# --- Angular rates


@dataclass(frozen=True)
class _Fit:
    """One reading of the orientation, and its residual against measured rates as a fraction of these."""

    residual: float
    words: Mapping[str, str]
    choices: Choices
    Q: Array

    def is_same(self, other: _Fit) -> bool:
        """Return whether both fits have the same orientations, such as ZYX moving and xyz fixed."""
        return bool((np.abs((self.Q * other.Q).sum(axis=1)) > 1.0 - 1e-9).all())


def _by_rates(
    table: MixedTable, choices: Choices, vector: Vector, rows: Rows, t: Array, reasons: dict[str, Reason]
) -> Choices:
    """Return the choices under which the orientation fits an angular velocity in the table."""
    of_form = _OF_FORM.get(choices.form, ())
    keys = [key for key in of_form if _is_doubtful(reasons, key)]
    named = [key for key in of_form if key in reasons and reasons[key].certainty == "format"]
    measured = np.stack([table.numbers[column][rows] for column in vector.columns], axis=-1)
    if not (keys or named) or not np.isfinite(measured).all():
        return choices
    units = (vector.unit,) if vector.why.certainty == "format" else ("rad/s", "deg/s")
    wanted = [0.5 * (measured[1:] + measured[:-1]) * UNITS["angular velocity"][unit] for unit in units]
    if max(float(np.sqrt((w * w).sum(axis=1).mean())) for w in wanted) < LEAST_RATE:
        return choices
    stated = {key: str(getattr(choices, key)) for key in named}
    fits = sorted(_fits(table, choices, keys, wanted, rows, t), key=lambda fit: fit.residual)
    worst = MOST_LEFT
    if named and (not fits or fits[0].residual > MOST_LEFT):
        # As stated by names, no reading turns so. Numbers prove more than names.
        keys, worst = [*keys, *named], PROVEN
        fits = sorted(_fits(table, choices, keys, wanted, rows, t), key=lambda fit: fit.residual)
    if not fits or fits[0].residual > worst:
        return choices
    best = fits[0]
    for key in keys:
        others = [fit.residual for fit in fits if fit.words[key] != best.words[key] and not fit.is_same(best)]
        is_clear = bool(others) and min(others) >= max(LEAST_RATIO * best.residual, MOST_LEFT)
        if not is_clear or stated.get(key, "") == best.words[key]:
            continue
        text = f"so it turns as {', '.join(vector.columns)} say; else {100 * min(others):.0f} % of them are left"
        if key in stated:
            text = f"although the names of the columns say {stated[key]}: {text}"
        confidence = 0.95 if key != "maps" or best.words[key] == CHOICES["rotation"][1][0] else 0.45
        choices = _use_fit(choices, key, best)
        reasons[key] = Reason(text, confidence)
        if key == "maps" and confidence > 0.9 and "major" in reasons:
            reasons["major"] = Reason(text, confidence)
    return choices


def _use_fit(choices: Choices, key: str, best: _Fit) -> Choices:
    changes: dict[str, Any] = {key: best.words[key]}
    groups = best.choices.groups if key == "sequence" else choices.groups
    return replace(choices, groups=groups, **changes)


def _fits(
    table: MixedTable, choices: Choices, keys: Sequence[str], wanted: Sequence[Array], rows: Rows, t: Array
) -> Iterator[_Fit]:
    names = {field: name for name, (field, _) in CHOICES.items()}
    for words in itertools.product(*(_WORDS[key] for key in keys)):
        tried = choices
        for key, word in zip(keys, words, strict=True):
            tried = with_answer(tried, names.get(key, key), word)
        columns = columns_of(tried, tried.groups[0])
        try:
            _, Q = rows_of(table.table(columns.names, rows), columns, ("normalise",))
        except FramescopeError:
            continue
        residual = min(_residual(rates, w) for rates in _rates(Q, t) for w in wanted)
        yield _Fit(residual, dict(zip(keys, words, strict=True)), tried, Q[:: max(len(Q) // 20, 1)])


def _rates(Q: Array, t: Array) -> tuple[Array, Array]:
    """Return angular velocities (n - 1, 3) between quaternions, in the frame and in the parent, rad/s."""
    back = Q * [-1.0, -1.0, -1.0, 1.0]
    steps = (_product(back[:-1], Q[1:]), _product(Q[1:], back[:-1]))
    dt = np.diff(t)[:, np.newaxis]
    return tuple(_vector(q) / dt for q in steps)  # pyright: ignore[reportReturnType]


def _product(a: Array, b: Array) -> Array:
    """Return Hamilton's product of quaternions (n, 4), scalar last."""
    xyz = a[:, 3:] * b[:, :3] + b[:, 3:] * a[:, :3] + np.cross(a[:, :3], b[:, :3])
    w = a[:, 3] * b[:, 3] - (a[:, :3] * b[:, :3]).sum(axis=1)
    return np.concatenate([xyz, w[:, np.newaxis]], axis=1)


def _vector(q: Array) -> Array:
    """Return rotation vectors (n, 3) of quaternions, the shorter way, rad."""
    q = np.where(q[:, 3:] < 0.0, -q, q)
    size = np.sqrt((q[:, :3] ** 2).sum(axis=1))
    angle = 2.0 * np.arctan2(size, q[:, 3])
    return q[:, :3] * np.where(size > 1e-12, angle / np.maximum(size, 1e-12), 2.0)[:, np.newaxis]


def _residual(computed: Array, wanted: Array) -> float:
    """Return the RMS residual as a fraction of the RMS of `wanted`, without the largest tenth of each."""
    miss = np.sort(((computed - wanted) ** 2).sum(axis=1))
    size = np.sort((wanted**2).sum(axis=1))
    n = max(int(0.9 * len(miss)), 1)
    return float(np.sqrt(miss[:n].mean() / max(size[:n].mean(), 1e-12)))


# --- Velocity and direction of travel


def _by_velocity(
    table: MixedTable,
    choices: Choices,
    group: Group,
    vector: Vector,
    rows: Rows,
    t: Array,
    reasons: dict[str, Reason],
) -> Choices:
    """Return the choices with the unit of length under which the position fits a velocity of known unit."""
    if not _is_doubtful(reasons, "position_unit") or vector.why.certainty != "format" or group.is_planar:
        return choices
    p = np.stack([table.numbers[str(column)][rows] for column in group.position], axis=-1)
    v = np.stack([table.numbers[column][rows] for column in vector.columns], axis=-1) * UNITS["velocity"][vector.unit]
    wanted = np.sqrt(((0.5 * (v[1:] + v[:-1])) ** 2).sum(axis=1))
    speed = np.sqrt((np.diff(p, axis=0) ** 2).sum(axis=1)) / np.diff(t)
    ratio = float(np.median(wanted)) / max(float(np.median(speed)), 1e-300)
    for unit, scale in UNITS["length"].items():
        if abs(ratio / scale - 1.0) < 0.15:
            text = f"so it moves as {', '.join(vector.columns)} say"
            reasons["position_unit"] = Reason(text, 0.95)
            return replace(choices, position_unit=unit)
    return choices


def _by_travel(table: MixedTable, choices: Choices, group: Group, rows: Rows, reasons: dict[str, Reason]) -> Choices:
    """Return the choices under which a heading points along the path."""
    keys = [key for key in ("counts", "angle_unit") if _is_doubtful(reasons, key)]
    x, y, angle = (table.numbers[str(column)][rows] for column in (*group.position[:2], group.orientation[0]))
    steps = np.stack([x[2:] - x[:-2], y[2:] - y[:-2]], axis=-1)
    size = np.sqrt((steps**2).sum(axis=1))
    is_moving = size > 0.2 * float(np.quantile(size, 0.9))
    if not keys or is_moving.sum() < 10 or not float(size.max()) > 0.0:
        return choices
    direction = np.exp(1j * np.arctan2(steps[is_moving, 1], steps[is_moving, 0]))
    angle = angle[1:-1][is_moving]
    if 1.0 - abs(complex(direction.mean())) < 0.02:  # straight on
        return choices
    options = {"counts": CHOICES["heading"][1], "angle_unit": ("rad", "deg")}
    tried = {key: options[key] if key in keys else (getattr(choices, key),) for key in ("counts", "angle_unit")}
    fits: list[tuple[float, dict[str, str]]] = []
    for counts, unit in itertools.product(tried["counts"], tried["angle_unit"]):
        yaw = angle * UNITS["angle"].get(unit, 1.0)
        yaw = -yaw if counts == "clockwise" else 0.5 * np.pi - yaw if counts == "compass" else yaw
        off = np.angle(direction * np.exp(-1j * yaw))
        fits.append((float(np.sqrt((off**2).mean())), {"counts": counts, "angle_unit": unit}))
    fits.sort(key=lambda fit: fit[0])
    best, words = fits[0]
    if best > MOST_ASIDE:
        return choices
    for key in keys:
        others = [off for off, other in fits if other[key] != words[key]]
        if others and min(others) > max(LEAST_RATIO * best, 0.1):
            changes: dict[str, Any] = {key: words[key]}
            choices = replace(choices, **changes)
            reasons[key] = Reason("so it points where the path goes", 0.95)
    return choices
