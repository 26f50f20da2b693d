"""Vector columns of a table besides poses, such as the measurements of an inertial unit."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import cast

import numpy as np

from framescope.core.kernels.lengths import lengths
from framescope.core.kernels.validation import Array
from framescope.core.recordings.columns.column_names import read_name, version_first
from framescope.core.recordings.columns.reasons import Reason
from framescope.core.recordings.tables.mixed import MixedTable
from framescope.core.recordings.tables.split_timestamps import read_as_twin
from framescope.core.scene.schema.measured import MeasuredVector, SeriesMend
from framescope.core.scene.schema.motions import Mend
from framescope.core.scene.schema.quantities import UNITS, Quantity
from framescope.features.table_import.core.choices import Choices, Group, TableSource, Vector, VectorForm

NO_GROUP = Group()
GRAVITY = 9.81
"""Length of the measured acceleration at rest, m/s²."""

FASTEST = 36.0
"""Angular velocity above which numbers are more likely in deg/s, rad/s."""

MOST_COUNTS = 200.0
"""Largest value above which whole numbers are more likely raw counts of a sensor than in a unit."""

_STEMS: tuple[tuple[VectorForm, re.Pattern[str]], ...] = (
    ("angular acceleration", re.compile(r"alpha|ang(ular)?acc(el(eration)?)?")),
    (
        "angular velocity",
        re.compile(
            r"w|wrss|omega|gyro?|gyroscope|g|ang(ular)?vel(ocity)?|ang(ular)?rate|bodyrate|gyr|rot(ation)?rate|turnrate|angularspeed"
        ),
    ),
    ("specific force", re.compile(r"specificforce")),
    ("acceleration", re.compile(r"a|arss|acc(el(eration|erometer)?)?|lin(ear)?acc(el(eration)?)?")),
    ("velocity", re.compile(r"v|vrss|vel(ocity)?|lin(ear)?vel(ocity)?|speed|twistlinear")),
)
_UNIT_WORDS: dict[str, tuple[str, ...]] = {
    "deg/s": ("deg/s", "degs", "dps", "°/s", "degs1", "degpers", "deg/sec", "degrees/s", "degree/s", "degrees/sec"),
    "rad/s": ("rad/s", "rads", "rads1", "radpers", "rad/sec", "radians/s", "radian/s", "radians/sec"),
    "m/s²": ("m/s²", "m/s2", "ms2", "mpers2", "m/sec2", "m/s/s", "m/ss"),
    "mm/s²": ("mm/s²", "mm/s2", "mms2"),
    "cm/s²": ("cm/s²", "cm/s2", "cms2", "gal"),
    "ft/s²": ("ft/s²", "ft/s2", "fts2"),
    "mg": ("mg",),
    "g": ("g", "gs", "gn", "g0"),
    "mrad/s": ("mrad/s", "mrads"),
    "mdeg/s": ("mdeg/s", "mdps", "m°/s"),
    "cm/s": ("cm/s", "cms", "cms1"),
    "mph": ("mph", "mi/h"),
    "kn": ("kn", "kt", "kts", "knot", "knots"),
    "ft/s": ("ft/s", "fts", "fps"),
    "km/h": ("km/h", "kmh", "kph"),
    "rpm": ("rpm",),
    "m/s": ("m/s", "ms1", "mpers"),
    "mm/s": ("mm/s", "mms1"),
}


def vectors_of(table: MixedTable) -> tuple[Vector, ...]:
    """Return the vectors among the columns by their names, in the order of the table.

    >>> t = np.arange(3.0)
    >>> table = MixedTable("imu.csv", ("t", "wx", "wy", "wz"), dict.fromkeys(("t", "wx", "wy", "wz"), t), {}, 3)
    >>> [(vector.form, vector.columns, vector.unit) for vector in vectors_of(table)]
    [('angular velocity', ('wx', 'wy', 'wz'), 'rad/s')]
    """
    groups: dict[tuple[VectorForm, str], dict[str, tuple[str, str]]] = {}
    for column in table.own:
        read = _read(column) if column in table.numbers else None
        if read is not None:
            form, stem, axis, unit = read
            groups.setdefault((form, stem), {}).setdefault(axis, (column, unit))
    vectors: list[Vector] = []
    for (form, _), axes in groups.items():
        if set(axes) == set("xyz"):
            columns = (axes["x"][0], axes["y"][0], axes["z"][0])
            values = np.stack([table.numbers[column] for column in columns], axis=-1)
            vectors.append(_as_measured(_vector(form, columns, values, axes["x"][1]), values))
    return tuple(vectors) or _of_file(table)


_FILES: tuple[tuple[VectorForm, re.Pattern[str]], ...] = (
    ("angular velocity", re.compile(r"gyro|rotation_?rate|angular_?(velocity|rate)", re.IGNORECASE)),
    ("acceleration", re.compile(r"accel|gravity", re.IGNORECASE)),
)


def form_of_file(name: str) -> VectorForm | None:
    """Return the form of the vector in a file named after a sensor, such as a phone's recordings; else None."""
    return next((form for form, pattern in _FILES if pattern.search(name)), None)


def _of_file(table: MixedTable) -> tuple[Vector, ...]:
    """Return the vector x, y, z of a table whose file is named after a sensor."""
    form = form_of_file(table.name)
    bare = {named.component: column for column in table.own if (named := read_name(column)).kind == "bare"}
    if form is None or set(bare) != set("xyz") or not all(column in table.numbers for column in bare.values()):
        return ()
    columns = (bare["x"], bare["y"], bare["z"])
    values = np.stack([table.numbers[column] for column in columns], axis=-1)
    unit = _unit((re.search(r"[\[(]([^\])]*)[\])]\s*$", columns[0]) or ["", ""])[1])
    return (_as_measured(_vector(form, columns, values, unit), values),)


def vector_sources(table: MixedTable, choices: Choices) -> tuple[TableSource, ...]:
    """Return the vectors of a table to import; none if columns of a pose are chosen."""
    if not all(group.is_empty for group in choices.groups):
        return ()
    return tuple(TableSource(NO_GROUP, label=vector.form, vector=vector) for vector in vectors_of(table))


def chosen_vectors(
    table: MixedTable, chosen: Iterable[tuple[VectorForm, tuple[str, str, str]]]
) -> tuple[TableSource, ...]:
    """Return measured vectors in columns chosen by the user, with their guessed units."""
    vectors: list[TableSource] = []
    for form, columns in chosen:
        values = table.table(columns, table.whole_rows(columns))
        block = np.stack([values.column(column) for column in columns], axis=-1)
        name = _read(columns[0])
        vector = _vector(form, columns, block, "" if name is None else name[3])
        vectors.append(TableSource(NO_GROUP, label=form, vector=vector))
    return tuple(vectors)


def measured_of(
    choices: Choices,
    vector: Vector,
    file: str,
    *,
    of: str,
    resolved_in: str,
    unit: str,
    relative_to: str = "world",
    mends: Iterable[Mend] = (),
) -> MeasuredVector:
    """Return the measurement, as a scene holds it, for a vector of a table, with the fixes of its rows.

    Raises
    ------
    ValueError
        When no column of time is chosen.
    """
    if choices.time is None:
        raise ValueError("A measured vector needs a column of time: choose one.")
    return MeasuredVector(
        form=vector.form,
        of=of,
        relative_to=relative_to,
        resolved_in=resolved_in,
        unit=unit,
        file=file,
        time=choices.time,
        time_unit=choices.time_unit,
        values=vector.columns,
        start=Quantity(choices.start_s, "s"),
        mends=tuple(dict.fromkeys(cast("tuple[SeriesMend, ...]", (*mends, "drop duplicates")))),
    )


def _read(column: str) -> tuple[VectorForm, str, str, str] | None:
    """Return form, stem, axis and unit of a column; None for no component of a vector."""
    column = read_as_twin(column) or column
    bracket = re.search(r"\s*[\[(]\s*([^\[\]()]*?)\s*[\])]\s*$", column)
    plain = column[: bracket.start()] if bracket else column
    words = [
        word.lower()
        for word in re.split(r"[^A-Za-z0-9°/²]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", plain.lstrip("#")))
        if word
    ]
    unit = (_unit(bracket[1]) or _odd_unit(bracket[1])) if bracket else ""
    while len(words) > 1 and not unit and _unit(words[-1]):
        unit = _unit(words.pop())
    if not words:
        return None
    words = version_first(words)
    if len(words) > 1 and words[-2] in ("x", "y", "z"):  # X acceleration
        words[-2:] = words[-1], words[-2]
    axis, stems = words[-1], words[:-1]
    if axis not in ("x", "y", "z"):
        stems, axis = [*stems, axis[:-1]], axis[-1:]
    if axis not in ("x", "y", "z") or not stems:
        return None
    for n in range(len(stems), 0, -1):
        for form, pattern in _STEMS:
            if pattern.fullmatch("".join(stems[-n:])):
                return form, "_".join(stems), axis, unit
    return None


def _unit(text: str) -> str:
    plain = re.sub(r"[\s^*\-_.]", "", text.lower())
    return next((unit for unit, words in _UNIT_WORDS.items() if plain in words), "")


def _odd_unit(text: str) -> str:
    """Return the text of an unknown unit; empty for a text that may mean something else, such as an axis."""
    return text if re.search(r"[a-z]{2}|/", text.lower()) else ""


def _vector(form: VectorForm, columns: tuple[str, str, str], values: Array, stated: str) -> Vector:
    size = lengths(values[np.isfinite(values).all(axis=1)])
    usual, largest = (float(np.median(size)), float(size.max())) if len(size) else (0.0, 0.0)
    unit, why = _unit_of(form, stated, usual, largest)
    if why.confidence < 1.0 and largest > MOST_COUNTS and bool((values == np.round(values)).all()):
        why = Reason(f"whole numbers up to {largest:.4g}: perhaps counts of a sensor, whose scale must be known", 0.3)
    return Vector(form, columns, unit, why)


def _as_measured(vector: Vector, values: Array) -> Vector:
    """Return a vector, an acceleration whose usual length is that of gravity as a specific force."""
    size = lengths(values[np.isfinite(values).all(axis=1)])
    usual = float(np.median(size)) * UNITS[vector.form][vector.unit] if len(size) else 0.0
    has_gravity = vector.form == "acceleration" and math.isclose(usual, GRAVITY, rel_tol=0.06)
    return replace(vector, form="specific force") if has_gravity else vector


def _unit_of(form: VectorForm, stated: str, usual: float, largest: float) -> tuple[str, Reason]:
    """Return the unit of a vector as its names state it, else by its usual and its largest length."""
    if stated in UNITS[form]:
        return stated, Reason(f"the names say {stated}")
    if stated:
        return next(iter(UNITS[form])), Reason(f"the names say {stated}, which is no unit of it that is known", 0.3)
    if form == "angular velocity":
        if largest > FASTEST:
            return "deg/s", Reason(f"it reaches {largest:.4g}, more than is usual in rad/s", 0.85)
        return "rad/s", Reason(f"not said; it stays below {largest:.3g}, which may be deg/s, too", 0.45)
    if form in ("acceleration", "specific force"):
        for unit, scale in UNITS[form].items():
            if math.isclose(usual * scale, GRAVITY, rel_tol=0.06):
                return unit, Reason(
                    f"its usual length of {usual:.4g} is that of gravity", 0.95 if unit == "m/s²" else 0.8
                )
        return "m/s²", Reason(f"not said; its usual length is {usual:.3g}, not that of gravity", 0.45)
    return next(iter(UNITS[form])), Reason("not said", 0.55)
