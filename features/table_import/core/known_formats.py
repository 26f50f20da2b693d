"""Recognition of the usual trajectory formats, by file name, header or shape."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.recordings.columns.column_names import Named
from framescope.core.recordings.columns.guess_time import guess_time_unit
from framescope.core.recordings.columns.reasons import Reason
from framescope.core.recordings.tables.mixed import MixedTable
from framescope.features.table_import.core import guess_conventions as conventions
from framescope.features.table_import.core.choices import Choices, Format

_TUM_NAMES = {"tx", "ty", "tz", "qx", "qy", "qz", "qw"}
_EUROC = ("timestamp", *(f"p_RS_R_{x}" for x in "xyz"), *(f"q_RS_{x}" for x in "wxyz"))


@dataclass(frozen=True)
class KnownFormat:
    """Known format of a file, with its columns in the order of the format and the confidence.

    `why` is the reason. `doubt` is the evidence against the quaternion order of the format; empty for none.
    """

    kind: Format
    columns: tuple[str, ...]
    why: str
    confidence: float = 1.0
    doubt: str = ""

    @property
    def title(self) -> str:
        """Usual name of the format."""
        return {"tum": "TUM", "kitti": "KITTI", "euroc": "EuRoC"}.get(self.kind, self.kind)

    @property
    def time_unit(self) -> str:
        """Unit of the times."""
        return "ns" if self.kind == "euroc" else "s"


def known_format(
    table: MixedTable, named: Mapping[str, Named], values: Mapping[str, Array], file_name: str
) -> KnownFormat | None:
    """Return the known format of a file; None for any other table."""
    columns = table.order
    suffix = file_name.rpartition(".")[2].lower()
    if suffix in ("npz", "parquet") or len(values) < len(columns) or table.stamps:
        return None  # the known formats hold numbers only
    plain = [re.sub(r"\s*\[.*$", "", column.lstrip("# ")) for column in columns]
    if set(_EUROC) <= set(plain) and not {named[column].unit for column in columns} - {"", "ns", "m"}:
        in_order = tuple(columns[plain.index(name)] for name in _EUROC)
        return KnownFormat("euroc", in_order, "the names of EuRoC's ground truth")
    has_header = any(read.kind for read in named.values()) or not columns[0].isdigit()
    if len(columns) == 12 and (not has_header or suffix == "kitti"):
        matrix = np.stack([values[column] for i, column in enumerate(columns) if i % 4 != 3], axis=-1)
        if conventions.are_rotations(matrix):
            confidence = 1.0 if suffix == "kitti" else 0.8
            return KnownFormat("kitti", columns, "twelve numbers a line: three rows of a matrix of pose", confidence)
    if len(columns) == 8 and (suffix == "tum" or not _counts(values[columns[0]])):
        return _tum(columns, named, values, suffix, has_header=has_header)
    return None


def _counts(t: Array) -> bool:
    """Return whether possible times (n,) increase by one, as row numbers do."""
    return bool((np.diff(t) == 1.0).all())


def _tum(
    columns: tuple[str, ...], named: Mapping[str, Named], values: Mapping[str, Array], suffix: str, *, has_header: bool
) -> KnownFormat | None:
    numbers = np.stack([values[column] for column in columns])
    is_scalar_last = not has_header or [named[column].component for column in columns[4:]] == ["x", "y", "z", "w"]
    if has_header and any(named[column].kind not in ("position", "bare") for column in columns[1:4]):
        return None
    is_running = bool((np.diff(numbers[0]) > 0.0).mean() > 0.9) if numbers.shape[1] > 1 else False
    stated = [named[column].unit for column in columns]
    unit = guess_time_unit(numbers[0], named[columns[0]])[0]
    in_seconds = (suffix == "tum" or unit == "s") and not set(stated) - {"", "s", "m"}
    if not (is_running and in_seconds and is_scalar_last and conventions.are_unit(numbers[4:].T)):
        return None
    why = "time, position, quaternion scalar last"
    plain = {column.lstrip("# ").lower() for column in columns}
    if suffix == "tum" or plain >= _TUM_NAMES:
        return KnownFormat("tum", columns, why)
    if has_header:
        return KnownFormat("tum", columns, f"eight columns: {why}", 0.7)
    order, reason = conventions.guess_order(numbers[4:].T)
    is_against = order != "xyzw" and reason.confidence >= 0.5
    if is_against and suffix == "csv":
        return None
    unknown = "" if reason.confidence >= 0.5 else "neither names nor numbers say that the scalar is last"
    doubt = reason.text if is_against else unknown
    return KnownFormat("tum", columns, f"eight numbers a line: {why}", 0.7, doubt)


def with_format(
    choices: Choices,
    known: KnownFormat,
    named: Mapping[str, Named],
    values: Mapping[str, Array],
    reasons: dict[str, Reason],
) -> Choices:
    """Return the choices that a known format defines, and add the reasons."""
    columns, as_has = known.columns, f"as {known.title} has it"
    group = choices.groups[0] if choices.groups else conventions.NO_GROUP
    if known.kind == "kitti":
        position, orientation, form = columns[3::4], tuple(c for i, c in enumerate(columns) if i % 4 != 3), "matrix"
        reasons["form"] = Reason("twelve numbers a line, nine of them a rotation", 0.97)
        reasons["major"] = Reason("the fourth of each four numbers is the position: row by row", 0.97)
        time = None
    else:
        position, orientation, form, time = columns[1:4], columns[4:], "quaternion", columns[0]
        reasons["form"] = Reason("four columns of unit length")
        reasons["time"] = Reason("the first column, as the format has it")
        are_named = all(named[column].kind == "quaternion" for column in orientation)
        reasons["order"] = Reason("the names of the columns say so") if are_named else Reason(as_has, known.confidence)
        if known.doubt:
            reasons["order"] = Reason(f"{as_has}, although {known.doubt}", 0.4)
    reasons["position"] = (
        Reason("the names of its columns say so")
        if all(named[column].kind in ("position", "bare") for column in position)
        else Reason("where the format has it", known.confidence if known.kind != "kitti" else 1.0)
    )
    reasons["format"] = Reason(known.why, known.confidence)
    reasons["maps"] = reasons["pose"] = Reason(as_has, min(known.confidence, 1.0))
    reasons["position_unit"] = _unit_reason(known, position, named, values)
    order = "wxyz" if known.kind == "euroc" else "xyzw"
    return replace(
        choices, format=known.kind, time=time, form=form, order=order, names=None, parents=None,
        groups=(replace(group, name="", position=position, orientation=orientation),),
    )  # fmt: skip


def _unit_reason(
    known: KnownFormat, position: tuple[str, ...], named: Mapping[str, Named], values: Mapping[str, Array]
) -> Reason:
    """Return the reason for positions in metres: names, format or usual size."""
    if all(named[column].unit == "m" for column in position):
        return Reason("the names say m")
    as_has = f"as {known.title} has it"
    if known.confidence >= 1.0:
        return Reason(as_has)
    size = max(float(np.nanmax(np.abs(values[column] - np.nanmedian(values[column])))) for column in position)
    if known.kind == "tum" and not 0.05 < size < 50.0:
        return Reason(f"{as_has}; it ranges over {size:.3g}", 0.45)
    return Reason(as_has, known.confidence)
