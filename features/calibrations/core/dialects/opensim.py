"""Storage files of OpenSim: orientations of sensors (``.sto``), and tables of coordinates (``.mot``).

A table with ``DataType=Quaternion`` has a column for each sensor, whose cells ``w,x,y,z`` take vectors of the sensor to
the world of the sensors. It has no positions. Tables of numbers hold coordinates of a model, such as a joint angle:
poses follow from them and the model.

References
----------
OpenSim documentation, "Storage (.sto) Files" and "OpenSense - Kinematics with IMU Data".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from framescope.core.errors import Problem, counted, visible_text
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.model import WORLD
from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Calibration, CalibrationError, PoseList
from framescope.features.calibrations.core.dialect import Dialect, Source
from framescope.features.calibrations.core.numbers_in_text import number_text
from framescope.features.calibrations.core.pose_numbers import UNIT_LENGTH, frame_name

MAX_CELLS = 5_000_000
"""Largest number of quaternions of a file."""

MAX_SENSORS = 1000

_END = re.compile(rb"^[ \t]*endheader[ \t]*\r?$", re.MULTILINE | re.IGNORECASE)
_ORIENTATIONS = re.compile(rb"^[ \t]*DataType[ \t]*=[ \t]*Quaternion\b", re.MULTILINE | re.IGNORECASE)
_KEYS = re.compile(rb"^[ \t]*(?:DataType|inDegrees|OpenSimVersion|nRows|datarows)[ \t]*=", re.MULTILINE | re.IGNORECASE)
_DEGREES = {"yes": "angles in degrees", "no": "angles in radians"}


def is_opensim(head: bytes) -> bool:
    """Return whether a text has the header of a storage file of OpenSim."""
    if b"\0" in head:
        return False
    return _ORIENTATIONS.search(head) is not None or (_END.search(head) is not None and _KEYS.search(head) is not None)


def read(source: Source) -> Calibration:
    """Return the orientations of the sensors over time; raise a `CalibrationError` for a table of coordinates."""
    header, names, rows = _parts(source)
    kind = header.get("datatype", "double")
    if kind.lower() != "quaternion":
        raise CalibrationError(_refusal(source.name, header, kind, names))
    if not names or names[0].lower() != "time":
        raise CalibrationError(f"{source.name}: expected the column time first, got {names[:1]}.")
    sensors = [frame_name(name, f"{source.name}, column {i}") for i, name in enumerate(names[1:], start=2)]
    if not sensors or len(sensors) > MAX_SENSORS or len(set(sensors)) < len(sensors) or WORLD in sensors:
        raise CalibrationError(f"{source.name}: expected 1 to {MAX_SENSORS} columns of sensors with different names.")
    if len(rows) * len(sensors) > MAX_CELLS:
        raise CalibrationError(f"{source.name} has more than {MAX_CELLS:,} orientations.")
    times, quaternions = _numbers(source.name, rows, sensors)
    message = "the file holds orientations alone: each frame is at the origin of the world."
    problems = [Problem(("DataType",), message, severity="note", kind="no-positions")]
    lists: list[PoseList] = []
    for i, sensor in enumerate(sensors):
        q, faults = _unit(quaternions[:, i], f"{source.name}: {sensor}")
        problems += faults
        is_known = np.isfinite(q).all(axis=1)
        if is_known.any():
            X = Transform.from_quaternion(q[is_known], np.zeros((int(is_known.sum()), 3)), order="wxyz")
            lists.append(PoseList(WORLD, sensor, X, times=times[is_known]))
    if not lists:
        raise CalibrationError(f"{source.name}: no row has an orientation.")
    return Calibration("opensim", pose_lists=tuple(lists), problems=tuple(problems))


def _parts(source: Source) -> tuple[dict[str, str], list[str], list[tuple[int, list[str]]]]:
    """Return the header by keys in lower case, the names of the columns, and the rows with their lines."""
    lines = source.text.split("\n")
    end = next((i for i, line in enumerate(lines) if line.strip().lower() == "endheader"), None)
    if end is None:
        raise CalibrationError(f"{source.name}: expected the line endheader after the header of an OpenSim file.")
    header: dict[str, str] = {}
    for line in lines[:end]:
        key, equals, value = line.partition("=")
        if equals:
            header[key.strip().lower()] = value.strip()
    table = [(i, line) for i, line in enumerate(lines[end + 1 :], start=end + 2) if line.strip()]
    if not table:
        raise CalibrationError(f"{source.name}: expected a row of names after endheader.")
    separator = "\t" if "\t" in table[0][1] else None
    names = [name.strip() for name in table[0][1].strip().split(separator)]
    return header, names, [(i, line.strip("\r\n ").split(separator)) for i, line in table[1:]]


def _numbers(file: str, rows: Sequence[tuple[int, list[str]]], sensors: Sequence[str]) -> tuple[Array, Array]:
    """Return the times (n,), s, and the quaternions (n, k, 4) w x y z of k sensors; NaN where a cell is empty."""
    times, q = np.empty(len(rows)), np.full((len(rows), len(sensors), 4), np.nan)
    for n, (line, cells) in enumerate(rows):
        if len(cells) > len(sensors) + 1:
            raise CalibrationError(f"{file}, line {line}: expected {len(sensors) + 1} cells, got {len(cells)}.")
        times[n] = _number(cells[0], f"{file}, line {line}: time")
        for k, cell in enumerate(cells[1:]):
            if not cell.strip():
                continue
            parts = cell.strip().strip("()~[]").split(",")
            place = f"{file}, line {line}: {visible_text(sensors[k])}"
            if len(parts) != 4:
                raise CalibrationError(f"{place}: expected four numbers w,x,y,z, got {visible_text(cell)[:60]!r}.")
            q[n, k] = [_number(part, place) for part in parts]
    if not len(rows):
        raise CalibrationError(f"{file}: expected rows of numbers, and there are none.")
    if not (np.isfinite(times).all() and (np.diff(times) > 0.0).all()):
        raise CalibrationError(f"{file}: the times do not increase from row to row.")
    return times, q


def _number(word: str, place: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise CalibrationError(f"{place}: expected a number, got {visible_text(word)[:40]!r}.") from None


def _unit(q: Array, place: str) -> tuple[Array, tuple[Problem, ...]]:
    """Return quaternions (n, 4) of unit length, NaN where they have none, with the problem of wrong lengths."""
    with np.errstate(all="ignore"):
        lengths = np.linalg.norm(q, axis=1, keepdims=True)
        unit = np.where((lengths > UNIT_LENGTH) & np.isfinite(lengths), q / lengths, np.nan)
    off = np.abs(lengths - 1.0) > UNIT_LENGTH
    if not off.any():
        return unit, ()
    message = f"{counted(int(off.sum()), 'quaternion')} of {len(q)} are not of unit length."
    hint = "They are divided by their lengths; rows of zeros are left out."
    return unit, (Problem((place,), message, hint, severity="amber", kind="quaternion-length"),)


def _refusal(file: str, header: Mapping[str, str], kind: str, names: Sequence[str]) -> str:
    """Return why a table of numbers holds no poses of frames."""
    columns = [visible_text(name) for name in names if name.lower() != "time"]
    first = ", ".join(columns[:3]) + (" …" if len(columns) > 3 else "")
    if kind.lower() != "double":
        return (
            f"{file} is a table of OpenSim of the type {visible_text(kind)[:40]}: its cells are no orientations."
            " Expected DataType=Quaternion."
        )
    unit = _DEGREES.get(header.get("indegrees", "").lower(), "")
    what = f"coordinates of a model{f', {unit}' if unit else ''}" if unit else "numbers over time"
    return (
        f"{file} is a table of OpenSim with {what}: {first}."
        " It holds no poses of frames: these follow from the coordinates and the joints of the model (.osim)."
        " Export orientations of bodies or sensors as .sto with DataType=Quaternion, or import the columns as CSV."
    )


def write(calibration: Calibration) -> str:
    """Return orientations over time as a table of OpenSim, without the positions.

    Raises
    ------
    CalibrationError
        When there are no poses over time, or the frames have different times or parents.
    """
    lists = calibration.pose_lists
    times = [poses.times for poses in lists if poses.times is not None]
    if not lists or len(times) < len(lists):
        raise CalibrationError("orientations of OpenSim need poses over time.")
    if any(not np.array_equal(other, times[0]) for other in times):
        raise CalibrationError("orientations of OpenSim need the same times for all frames.")
    if len({poses.parent for poses in lists}) > 1:
        raise CalibrationError("orientations of OpenSim need the same parent for all frames.")
    t = times[0]
    rate = (len(t) - 1) / (t[-1] - t[0]) if len(t) > 1 else 1.0
    lines = [
        f"DataRate={rate:.6f}",
        "DataType=Quaternion",
        "version=3",
        "OpenSimVersion=4.4",
        f"Direction=each cell w,x,y,z takes vectors of its frame to {lists[0].parent}",
        "endheader",
        "\t".join(["time", *(poses.child for poses in lists)]),
    ]
    cells = [poses.X_PC.to_quaternion(order="wxyz") for poses in lists]
    for n, time in enumerate(t.tolist()):
        lines.append("\t".join([number_text(time), *(",".join(map(number_text, q[n].tolist())) for q in cells)]))
    return "\n".join([*lines, ""])


EXAMPLE = """\
DataRate=100.000000
DataType=Quaternion
version=3
OpenSimVersion=4.4
endheader
time\tpelvis_imu\tfemur_r_imu
0.0\t1.0,0.0,0.0,0.0\t0.8,0.0,0.0,0.6
0.01\t0.8,0.0,0.6,0.0\t1.0,0.0,0.0,0.0
"""

OPENSIM = Dialect(
    "opensim",
    "orientations of OpenSim",
    (".sto", ".mot"),
    is_opensim,
    read,
    (("cell w,x,y,z", "takes vectors of the sensor to the world of the sensors"),),
    EXAMPLE,
    write,
)
