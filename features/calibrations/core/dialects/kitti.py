"""Calibrations of KITTI: odometry, objects and tracking (one file), and raw data (three files).

``Tr`` and ``Tr_velo_to_cam`` take points of the lidar `velo` to camera 0, ``Tr_imu_to_velo`` those of the IMU to the
lidar, ``R_0i`` and ``T_0i`` those of camera 0 to camera i. The fourth column of the projection ``P_i`` is the baseline:
it takes points of the rectified camera 0 to the rectified camera i. The rectification ``R0_rect`` is no extrinsic: it
turns the axes of camera 0, whose rectified copy is the frame `cam0_rect`. In odometry all cameras are rectified, and
called `cam0` to `cam3`.

References
----------
Readme files of the development kits; Geiger et al., "Vision meets Robotics: The KITTI Dataset", IJRR 2013.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from framescope.core.errors import Problem
from framescope.core.kernels.validation import Array
from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import (
    Calibration,
    CalibrationError,
    Edge,
    Fact,
    Lens,
    edge_of,
    pose_of_rows,
)
from framescope.features.calibrations.core.dialect import Dialect, Source
from framescope.features.calibrations.core.numbers_in_text import number_text, replace_numbers
from framescope.features.calibrations.core.pose_numbers import LARGEST

VELO, IMU, FIRST = "velo", "imu", "cam0"
RECTIFIED = "_rect"
"""End of the name of a rectified camera."""

MAX_ROWS = 1000
"""Largest number of lines of a file."""

_KEYS = rb"P\d|R0_rect|R_rect|Tr_velo_to_cam|Tr_velo_cam|Tr_imu_to_velo|Tr_imu_velo|Tr|[RP]_rect_0\d|K_0\d"
_ROW = re.compile(rb"^(?:" + _KEYS + rb"):?[ \t]+[-+.\d]\S*(?:[ \t]+[-+.\d]\S*){4,11}[ \t]*\r?$", re.MULTILINE)
_R_ROW = re.compile(rb"^R:(?:[ \t]+[-+.\d]\S*){9}[ \t]*\r?$", re.MULTILINE)
_T_ROW = re.compile(rb"^T:(?:[ \t]+[-+.\d]\S*){3}[ \t]*\r?$", re.MULTILINE)

_KNOWN = re.compile(
    r"P\d|R0_rect|Tr|Tr_velo_to_cam|Tr_imu_to_velo|[SKDRT]_0\d|[SRP]_rect_0\d|R|T|delta_[fc]|corner_dist"
)
"""Entries that are read."""

_ALIASES = {"Tr_velo_cam": "Tr_velo_to_cam", "Tr_imu_velo": "Tr_imu_to_velo", "R_rect": "R0_rect"}
"""Names of the tracking files, and of the object files that mean the same."""

_WORDS = {
    "Tr": (VELO, FIRST),
    "Tr_velo_to_cam": (VELO, FIRST),
    "Tr_imu_to_velo": (IMU, VELO),
    "R0_rect": (FIRST, FIRST + RECTIFIED),
    "R_rect_00": (FIRST, FIRST + RECTIFIED),
}
"""Frames from which and to which entries take points."""


def is_kitti(head: bytes) -> bool:
    """Return whether a text has rows of KITTI: a key with 5 to 12 numbers, or R: and T:."""
    if b"\0" in head:
        return False
    return _ROW.search(head) is not None or (_R_ROW.search(head) is not None and _T_ROW.search(head) is not None)


def read(source: Source) -> Calibration:
    """Return the sensors of a file: cameras, lidar and IMU."""
    rows = _rows(source)
    if "R" in rows and "T" in rows:
        return _read_pair(source, rows)
    reader = _Reader(source.name, rows, is_raw=any(re.fullmatch(r"[A-Za-z_]+_0\d", key) for key in rows))
    return reader.calibration()


def _rows(source: Source) -> dict[str, Array]:
    """Return the numbers of each key; keys whose values are no numbers, such as a date, are left out."""
    rows: dict[str, Array] = {}
    for i, line in enumerate(source.text.split("\n"), start=1):
        if i > MAX_ROWS:
            raise CalibrationError(f"{source.name} has more than {MAX_ROWS:,} lines.")
        match = re.match(r"([A-Za-z]\w*)(?::|[ \t])[ \t]*(.*)", line)
        if match is None or match[1] == "calib_time":
            continue
        key, words = _ALIASES.get(match[1], match[1]), match[2].split()
        if not words or _KNOWN.fullmatch(key) is None:
            continue
        try:
            numbers = np.array([float(word) for word in words])
        except ValueError:
            raise CalibrationError(f"{source.name}, line {i}: {match[1]}: expected numbers.") from None
        if not (np.isfinite(numbers).all() and (np.abs(numbers) <= LARGEST).all()):
            raise CalibrationError(f"{source.name}, line {i}: {match[1]}: a number is not finite or too large.")
        if key in rows:
            raise CalibrationError(f"{source.name}, line {i}: {match[1]} is there twice.")
        rows[key] = numbers
    return rows


def _numbers(rows: Mapping[str, Array], key: str, count: int) -> Array:
    if rows[key].shape != (count,):
        raise CalibrationError(f"{key}: expected {count} numbers, got {len(rows[key])}.")
    return rows[key]


def _read_pair(source: Source, rows: Mapping[str, Array]) -> Calibration:
    """Return the pose of a raw file with R: and T:, whose name states the frames."""
    name = source.name.lower()
    if "imu_to_velo" in name:
        takes, parent = (IMU, VELO), IMU
    elif "velo_to_cam" in name or "delta_f" in rows:
        takes, parent = (VELO, FIRST), FIRST
    else:
        raise CalibrationError(
            f"{source.name}: its R and T do not say which frames they join."
            " Name the file calib_velo_to_cam.txt or calib_imu_to_velo.txt, as KITTI does."
        )
    rows_of = np.column_stack([_numbers(rows, "R", 9).reshape(3, 3), _numbers(rows, "T", 3)])
    X, problems = pose_of_rows(rows_of, "R, T")
    return Calibration("kitti", (edge_of("R, T", takes, X, parent),), problems=problems)


class _Reader:
    """Reader of the rows of a file with several entries."""

    def __init__(self, name: str, rows: Mapping[str, Array], *, is_raw: bool) -> None:
        self.name, self.rows, self.is_raw = name, rows, is_raw
        self.has_unrectified = is_raw or "R0_rect" in rows or "Tr_velo_to_cam" in rows
        self.edges: list[Edge] = []
        self.lenses: list[Lens] = []
        self.problems: list[Problem] = []

    def calibration(self) -> Calibration:
        """Return the content of the file."""
        for key in ("Tr_imu_to_velo", "Tr_velo_to_cam", "Tr"):
            if key in self.rows:
                takes = _WORDS[key]
                self.add(key, takes, IMU if IMU in takes else FIRST, _numbers(self.rows, key, 12).reshape(3, 4))
        for i in range(10 if self.is_raw else 0):
            self.raw_camera(i)
        for key in ("R0_rect", "R_rect_00"):
            if key in self.rows:
                self.rectification(key)
        for i in range(10):
            for key in (f"P{i}", f"P_rect_0{i}"):
                if key in self.rows:
                    self.projection(key, i)
        if not (self.edges or self.lenses):
            raise CalibrationError(f"{self.name}: no entry of KITTI could be read, expected P0, Tr, R_00 or R and T.")
        facts = self.facts()
        return Calibration("kitti", tuple(self.edges), tuple(self.lenses), facts=facts, problems=tuple(self.problems))

    def facts(self) -> tuple[Fact, ...]:
        """Return the size of the board with which the cameras were calibrated."""
        key = "corner_dist"
        if key not in self.rows:
            return ()
        return (Fact(key, "size of a square of the board", float(_numbers(self.rows, key, 1)[0]), "m"),)

    def rectification(self, key: str) -> None:
        """Add the rectified copy of camera 0, which is in the same place."""
        R = _numbers(self.rows, key, 9).reshape(3, 3)
        self.add(key, _WORDS[key], FIRST, np.column_stack([R, np.zeros(3)]))
        message = "rectification is no extrinsic: cam0_rect is camera 0 with other axes, in the same place."
        self.problems.append(Problem((key,), message, severity="note", kind="rectification"))

    def add(self, entry: str, takes: tuple[str, str], parent: str, rows: Array) -> None:
        X, problems = pose_of_rows(rows, entry)
        self.edges.append(edge_of(entry, takes, X, parent))
        self.problems += problems

    def raw_camera(self, i: int) -> None:
        """Add camera i as the raw data have it: before rectification."""
        R, T, K, D, S = (f"{letter}_0{i}" for letter in "RTKDS")
        if R in self.rows and T in self.rows and i > 0:
            rows = np.column_stack([_numbers(self.rows, R, 9).reshape(3, 3), _numbers(self.rows, T, 3)])
            self.add(f"{R}, {T}", (FIRST, f"cam{i}"), FIRST, rows)
        if K in self.rows:
            M = _numbers(self.rows, K, 9).reshape(3, 3)
            coefficients = tuple(_numbers(self.rows, D, 5).tolist()) if D in self.rows else ()
            model = "radtan" if coefficients else "none"
            self.lenses.append(self.lens(f"cam{i}", M, K, S, model, coefficients))

    def projection(self, key: str, i: int) -> None:
        """Add the lens of a rectified camera, and its baseline from the rectified camera 0."""
        P = _numbers(self.rows, key, 12).reshape(3, 4)
        end = RECTIFIED if self.has_unrectified else ""
        frame, first = f"cam{i}{end}", f"{FIRST}{end}"
        lens = self.lens(frame, P[:, :3], key, f"S_rect_0{i}", "none", ())
        self.lenses.append(lens)
        t = _baseline(P, key)
        if i > 0:
            self.add(key, (first, frame), first, np.column_stack([np.eye(3), t]))
        elif np.abs(t).max() > 1e-9:
            message = f"the fourth column of {key} is not zero, and camera 0 is the origin of the baselines."
            self.problems.append(Problem((key,), message, "It is left out.", severity="amber", kind="baseline"))

    def lens(self, frame: str, K: Array, key: str, size_key: str, model: str, coefficients: tuple[float, ...]) -> Lens:
        """Return the lens with the matrix of intrinsics of an entry."""
        if not (K[0, 0] > 0.0 and K[1, 1] > 0.0 and np.allclose(K[2], [0.0, 0.0, 1.0])):
            raise CalibrationError(f"{key}: expected focal lengths above zero, and the last row 0 0 1.")
        if abs(K[0, 1]) + abs(K[1, 0]) > 1e-9 * K[0, 0]:
            message = "it has skew between the axes of the image, which is left out."
            self.problems.append(Problem((key,), message, severity="amber", kind="skew"))
        size = _numbers(self.rows, size_key, 2) if size_key in self.rows else None
        pixels = None if size is None else (int(size[0]), int(size[1]))
        focal, center = (float(K[0, 0]), float(K[1, 1])), (float(K[0, 2]), float(K[1, 2]))
        return Lens(frame, pixels, focal, center, model, coefficients)


def _baseline(P: Array, key: str) -> Array:
    """Return the position (3,) of the rectified camera 0 in the camera of a projection (3, 4), m."""
    try:
        t = np.linalg.solve(P[:, :3], P[:, 3]).astype(np.float64)
    except np.linalg.LinAlgError:
        raise CalibrationError(f"{key}: its first three columns have no inverse.") from None
    if not (np.abs(t) <= LARGEST).all():
        raise CalibrationError(f"{key}: its baseline is too large.")
    return t


# --- Writing


def write(calibration: Calibration) -> str:
    """Return the text of a calibration in the form that its frames need.

    Rectified cameras and the lidar alone are written as ``calib.txt`` of odometry, and a pose of the lidar or the IMU
    alone as R and T of raw data. With `cam0_rect` or the IMU, the text is that of an object. Directions follow as
    comments at the end, because some readers count lines.

    Raises
    ------
    CalibrationError
        When a frame or a pose has no place in KITTI's files, or there is neither a fixed pose nor a lens.
    """
    if not calibration.edges and not calibration.lenses:
        raise CalibrationError("KITTI's files hold fixed poses of sensors and lenses, and there are none.")
    edges = {edge.takes: edge for edge in map(_as_kitti, calibration.edges)}
    names = {name for pair in edges for name in pair} | {lens.frame for lens in calibration.lenses}
    odd = sorted(name for name in names if not re.fullmatch(rf"{VELO}|{IMU}|cam\d(?:{RECTIFIED})?", name))
    if odd:
        raise CalibrationError(f"KITTI has frames called velo, imu, cam0 to cam9 and cam0_rect, and not {odd[0]}.")
    pair = next(iter(edges), ("", ""))
    if not calibration.lenses and len(edges) == 1 and pair in ((VELO, FIRST), (IMU, VELO)):
        X = edges[pair].X_file
        return _text([("R", X.R_AB), ("T", X.p_AB)], {"R, T": pair})
    is_raw = any(re.fullmatch(r"R_0\d, T_0\d", edge.entry) for edge in edges.values())
    rows: list[tuple[str, Array]] = []
    words: dict[str, tuple[str, str]] = {}
    is_rectified = any(name.endswith(RECTIFIED) for name in names)
    if is_raw:
        _add_raw(calibration, edges, rows, words)
    _add_projections(calibration, edges, rows, words, is_raw=is_raw, end=RECTIFIED if is_rectified or is_raw else "")
    keys = {
        (FIRST, FIRST + RECTIFIED): "R_rect_00" if is_raw else "R0_rect",
        (VELO, FIRST): "Tr_velo_to_cam" if is_rectified or (IMU, VELO) in edges else "Tr",
        (IMU, VELO): "Tr_imu_to_velo",
    }
    for pair, key in keys.items():
        edge = edges.pop(pair, None)
        if edge is not None:
            rows.append((key, edge.X_file.R_AB if "rect" in key else edge.X_file.to_matrix()[:3]))
            words[key] = pair
    if edges:
        start, stop = next(iter(edges))
        raise CalibrationError(f"KITTI's files have no place for the pose of {start} in {stop}.")
    return _text(rows, words)


def _add_projections(
    calibration: Calibration,
    edges: dict[tuple[str, str], Edge],
    rows: list[tuple[str, Array]],
    words: dict[str, tuple[str, str]],
    *,
    is_raw: bool,
    end: str,
) -> None:
    """Add the projections of rectified cameras, and take their edges out. `end` is the end of their names."""
    for lens in calibration.lenses:
        if is_raw and not lens.frame.endswith(RECTIFIED):
            continue
        i = lens.frame[3]
        key, pair = f"P_rect_0{i}" if is_raw else f"P{i}", (FIRST + end, lens.frame)
        edge = edges.pop(pair, None)
        if edge is not None and np.abs(edge.X_file.R_AB - np.eye(3)).max() > 1e-9:
            raise CalibrationError(f"{lens.frame}: a rectified camera of KITTI has the axes of camera 0.")
        K = np.array([[lens.focal[0], 0.0, lens.center[0]], [0.0, lens.focal[1], lens.center[1]], [0.0, 0.0, 1.0]])
        t = np.zeros(3) if edge is None else edge.X_file.p_AB
        if is_raw and lens.size is not None:
            rows.append((f"S_rect_0{i}", np.array(lens.size, dtype=float)))
        rows.append((key, np.column_stack([K, K @ t])))
        if edge is not None:
            words[f"the fourth column of {key}"] = pair


def _as_kitti(edge: Edge) -> Edge:
    """Return an edge whose numbers take points in the direction that KITTI writes."""
    start, stop = edge.takes
    order = [IMU, VELO, FIRST, FIRST + RECTIFIED]
    ranks = [order.index(name) if name in order else len(order) for name in (start, stop)]
    if ranks[0] <= ranks[1]:
        return edge
    return Edge(edge.parent, edge.child, edge.X_file.inverse(), edge.entry, not edge.is_inverse)


def _add_raw(
    calibration: Calibration,
    edges: dict[tuple[str, str], Edge],
    rows: list[tuple[str, Array]],
    words: dict[str, tuple[str, str]],
) -> None:
    """Add the rows of cameras before rectification, and take their edges out."""
    for lens in calibration.lenses:
        if lens.frame.endswith(RECTIFIED):
            continue
        i = lens.frame[3]
        K = [lens.focal[0], 0.0, lens.center[0], 0.0, lens.focal[1], lens.center[1], 0.0, 0.0, 1.0]
        rows += [] if lens.size is None else [(f"S_0{i}", np.array(lens.size, dtype=float))]
        rows += [(f"K_0{i}", np.array(K)), (f"D_0{i}", np.array(lens.coefficients))]
        edge = edges.pop((FIRST, lens.frame), None)
        X = Transform(np.eye(3), np.zeros(3)) if edge is None else edge.X_file
        rows += [(f"R_0{i}", X.R_AB), (f"T_0{i}", X.p_AB)]
        words |= {} if edge is None else {f"R_0{i}, T_0{i}": (FIRST, lens.frame)}


def _text(rows: Sequence[tuple[str, Array]], words: Mapping[str, tuple[str, str]]) -> str:
    lines = [f"{key}: {' '.join(map(number_text, np.ravel(values).tolist()))}" for key, values in rows]
    # pykitti splits each line at a colon.
    lines += [f"# {key}: takes points of {start} to {stop}" for key, (start, stop) in words.items()]
    return "\n".join([*lines, ""])


def patch(text: str, edges: tuple[Edge, ...]) -> str:
    """Return the text of a file with the numbers of some edges replaced."""
    for edge in edges:
        X, keys = edge.X_file, edge.entry.split(", ")
        if re.fullmatch(r"P\d|P_rect_0\d", edge.entry):
            text = _patched_projection(text, edge)
        elif len(keys) == 2:
            for key, values in zip(keys, (X.R_AB, X.p_AB), strict=True):
                text = replace_numbers(text, _place(text, key), values.ravel().tolist(), key)
        else:
            values = X.R_AB if "rect" in edge.entry else X.to_matrix()[:3]
            text = replace_numbers(text, _place(text, edge.entry), values.ravel().tolist(), edge.entry)
    return text


def _patched_projection(text: str, edge: Edge) -> str:
    if np.abs(edge.X_file.R_AB - np.eye(3)).max() > 1e-9:
        raise CalibrationError(f"{edge.entry}: a rectified camera of KITTI has the axes of camera 0.")
    start = _place(text, edge.entry)
    words = text[start:].split("\n", 1)[0].split()
    try:
        P = np.array([float(word) for word in words]).reshape(3, 4)
    except ValueError:
        raise CalibrationError(f"{edge.entry}: expected 12 numbers in the file.") from None
    old = _baseline(P, edge.entry)
    if np.abs(old - edge.X_file.p_AB).max() > 1e-12 * max(1.0, float(np.abs(old).max())):
        P[:, 3] = P[:, :3] @ edge.X_file.p_AB
    return replace_numbers(text, start, P.ravel().tolist(), edge.entry)


def _place(text: str, key: str) -> int:
    """Return the offset behind a key at the start of a line."""
    names = [key, *(name for name, own in _ALIASES.items() if own == key)]
    match = re.search(rf"^(?:{'|'.join(map(re.escape, names))})(?::|[ \t])", text, re.MULTILINE)
    if match is None:
        raise CalibrationError(f"{key}: the file has no such entry.")
    return match.end()


EXAMPLE = """\
P0: 700.0 0.0 600.0 0.0 0.0 700.0 180.0 0.0 0.0 0.0 1.0 0.0
P1: 700.0 0.0 600.0 -378.0 0.0 700.0 180.0 0.0 0.0 0.0 1.0 0.0
Tr: 0.0 -1.0 0.0 0.0 0.0 0.0 -1.0 -0.08 1.0 0.0 0.0 -0.27
"""

KITTI = Dialect(
    "kitti",
    "calibrations of KITTI",
    (".txt",),
    is_kitti,
    read,
    (
        ("Tr, Tr_velo_to_cam, R and T of calib_velo_to_cam.txt", "takes points of the lidar to camera 0"),
        ("Tr_imu_to_velo, R and T of calib_imu_to_velo.txt", "takes points of the IMU to the lidar"),
        ("R_0i and T_0i", "takes points of camera 0 to camera i"),
        ("fourth column of P_i", "takes points of the rectified camera 0 to the rectified camera i"),
        ("R0_rect, R_rect_00", "turns the axes of camera 0 into those of the rectified camera 0; no extrinsic"),
    ),
    EXAMPLE,
    write,
    patch,
)
