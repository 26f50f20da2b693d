"""Matrices of a file that its dialect does not read: misspelt keys, and entries of other programs.

A matrix whose name states a direction becomes a pose with an open direction. Any other one is reported.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from framescope.core.errors import KeyPath, Problem, Severity, key_path_text, visible_text
from framescope.core.kernels.validation import Array
from framescope.features.calibrations.core.calibration import Calibration, CalibrationError, Edge, pose_of_rows
from framescope.features.calibrations.core.dialect import Dialect, Source
from framescope.features.calibrations.core.lens_models import frame_name
from framescope.features.calibrations.core.named_directions import LETTERS, direction_of, open_edge
from framescope.features.calibrations.core.opencv_storage import StoredText, is_matrix, read_storage, replace_entry
from framescope.features.calibrations.core.rig.names import name_key
from framescope.features.calibrations.core.yaml_texts import replace_scalars, scalar_paths

KEYS: Mapping[str, tuple[str, ...]] = {
    "kalibr": ("T_cam_imu", "T_cn_cnm1", "T_i_b", "T_imu_cam"),
    "euroc": ("T_BS",),
    "orb-slam": ("Tbc", "Tcb", "Tlr", "IMU.T_b_c1", "Stereo.T_c1_c2"),
    "vins": ("body_T_cam0", "extrinsicRotation", "extrinsicTranslation"),
    "opencv": ("R", "T"),
    "camera_info": (),
    "easy_handeye": (),
    "matrices": (),
}
"""Keys of poses by the names of the dialects whose files may hold further matrices."""

OTHER_KEYS: Mapping[str, tuple[str, ...]] = {
    "kalibr": (
        "camera_model",
        "distortion_coeffs",
        "distortion_model",
        "intrinsics",
        "resolution",
        "rostopic",
        "timeshift_cam_imu",
    ),
}
"""Keys of other entries, of which other spellings are reported."""

MOST_PROBLEMS = 50
"""Largest number of unread entries that are reported."""

ALIKE = 0.75
"""Similarity of two keys, from 0 to 1, from which one is named as the nearest of the other."""

_NO_POSE = re.compile(
    r"\A(?:P|Q|K|E|F|M|CM|D|H)\d?\Z|\A(?:P|R|K|D|S)_rect|camera_?matri|projection|intrins|disto|coeff|rectif|cov|noise"
    r"|homograph|fundamental|essential|information|color|colour|transform_matrix",
    re.IGNORECASE,
)
_ROTATION = re.compile(r"(?P<before>(?:.*_)?)(?P<word>R|[Rr]ot|[Rr]otation)(?P<behind>(?:_.*)?)\Z")
_POSITIONS: Mapping[str, tuple[str, ...]] = {
    "R": ("t", "T", "p"),
    "rot": ("trans",),
    "Rot": ("Trans",),
    "rotation": ("translation",),
    "Rotation": ("Translation",),
}


@dataclass(frozen=True, eq=False)
class _Matrix:
    """Matrix (3, 4) or (4, 4) of a file, with the key paths of its numbers: one, or of a rotation and a position."""

    M: Array
    paths: tuple[KeyPath, ...]

    @property
    def entry(self) -> str:
        """Place of the numbers in the file."""
        return ", ".join(map(key_path_text, self.paths))

    @property
    def key(self) -> str:
        """Last key of the path, without the sections in front."""
        return str(self.paths[0][-1])


def is_unread(problem: Problem) -> bool:
    """Return whether a problem is that of an entry or a line that is not read, and left out.

    >>> is_unread(Problem(("line 5",), "its arguments are open.", kind="open-line"))
    True
    """
    return problem.severity != "note" and problem.kind in ("open-line", "unread-pose", "unread-key")


def with_unread_poses(calibration: Calibration, dialect: Dialect, source: Source) -> Calibration:
    """Return the content of a file with poses of open direction and problems for the matrices that nothing read."""
    if dialect.name not in KEYS:
        return calibration
    try:
        document = read_storage(source.text, source.name)
    except CalibrationError:  # the dialect reads a spelling that the storage does not
        return calibration
    used = {part for edge in calibration.edges for part in edge.entry.split(", ")}
    used |= {part for problem in calibration.problems for key in problem.key_path[:1] for part in str(key).split(", ")}
    edges: list[Edge] = []
    problems: list[Problem] = []
    if dialect.name == "kalibr":
        used.add("imu0.T_i_b")  # the identity, which is checked and draws nothing
    for matrix in _matrices(document.data, ()):
        if used.isdisjoint(matrix.entry.split(", ")):
            edge, faults = _pose_of(matrix, calibration, dialect, document)
            edges += edge
            problems += faults
    problems += _misspelt(document, dialect)
    return replace(
        calibration,
        edges=(*calibration.edges, *edges),
        problems=(*calibration.problems, *problems[:MOST_PROBLEMS]),
    )


def _pose_of(
    matrix: _Matrix, calibration: Calibration, dialect: Dialect, document: StoredText
) -> tuple[list[Edge], list[Problem]]:
    line = document.line(matrix.paths[0])
    program = dialect.title.rpartition(" of ")[2]
    exact, nearest = _nearest_key(matrix.key, dialect)
    takes = direction_of(matrix.key)
    names = None if takes is None else _frames(takes, matrix.paths[0], calibration)
    if exact:
        message = f"{visible_text(matrix.key)} is not read: the key of {program} is {nearest}."
        return [], [Problem((matrix.entry,), message, "Correct the key.", "amber", line, kind="unread-pose")]
    has_keys = bool(KEYS[dialect.name])
    if names is None:
        severity: Severity = "amber" if _lacks_pose(calibration) else "note"
        known = f"The nearest key of {program} is {nearest}." if nearest else ""
        if has_keys and not known:
            known = f"Keys of {program} are {', '.join(KEYS[dialect.name])}."
        message = f"{visible_text(matrix.key)} is not read: its name does not state the frames that it connects."
        return [], [Problem((matrix.entry,), message, known, severity, line, kind="unread-pose")]
    try:
        X, faults = pose_of_rows(matrix.M, matrix.entry)
    except CalibrationError as error:
        return [], [Problem((matrix.entry,), str(error), "It is left out.", "amber", line, kind="unread-pose")]
    reason = "nothing in the file states the direction."
    if has_keys and dialect.name != "opencv":
        reason = f"{program} has no key {visible_text(matrix.key)}{f'; the nearest is {nearest}' if nearest else ''}."
    return [replace(open_edge(matrix.entry, names, X, reason), line=line)], list(faults)


def _lacks_pose(calibration: Calibration) -> bool:
    """Return whether a camera has no pose, so that it would be drawn at the origin."""
    placed = {name for edge in calibration.edges for name in (edge.parent, edge.child)}
    return not placed or any(lens.frame not in placed for lens in calibration.lenses)


# --- Names


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _nearest_key(name: str, dialect: Dialect) -> tuple[bool, str]:
    """Return whether a name is another spelling of a key of the dialect, and the nearest key; empty without one."""
    plain = _plain(name)
    known = {_plain(key): key for key in KEYS[dialect.name]}
    if plain in known:
        return known[plain] != name, known[plain] if known[plain] != name else ""
    near = difflib.get_close_matches(plain, known, 1, ALIKE)
    if not near:
        return False, ""
    n, key = re.search(r"(\d+)\Z", name), known[near[0]]
    return False, re.sub(r"\d+\Z", n[1], key) if n and n[1] else key


def _frames(takes: tuple[str, str], path: KeyPath, calibration: Calibration) -> tuple[str, str] | None:
    """Return the names of the frames of a matrix, in the spelling that the file has elsewhere; None for one frame."""
    known = {name: None for edge in calibration.edges for name in (edge.parent, edge.child)}
    known |= dict.fromkeys(lens.frame for lens in calibration.lenses)
    section = _section(path)
    start, end = (_frame(name, section, list(known)) for name in takes)
    return None if start == end else (start, end)


def _section(path: KeyPath) -> str:
    """Return the name of the section of an entry, such as ``"cam0"``, also for the first item of ``cameras``."""
    if len(path) < 2:
        return ""
    if isinstance(path[-2], str):
        return path[-2]
    return f"{str(path[-3]).removesuffix('s')}{path[-2]}" if len(path) > 2 else ""


def _frame(token: str, section: str, known: Sequence[str]) -> str:
    word = LETTERS.get(token, token)
    kind = name_key(word)[0] if name_key(word) else ""
    if section and not re.search(r"\d", word) and re.search(r"\d\Z", section) and kind in name_key(section)[:1]:
        return frame_name(section, word)
    same = (name for name in known if name == word)
    alike = (name for name in known if name_key(name) == name_key(word))
    return next(same, None) or next(alike, None) or frame_name(word, "sensor")


def _misspelt(document: StoredText, dialect: Dialect) -> Iterator[Problem]:
    """Yield problems of keys that are other spellings of keys without a pose."""
    known = {_plain(key): key for key in OTHER_KEYS.get(dialect.name, ())}
    program = dialect.title.rpartition(" of ")[2]
    for name, section in document.keys.items():
        if not known or not isinstance(section, Mapping):
            continue
        for key in cast("Mapping[str, Any]", section):
            meant = known.get(_plain(key))
            if meant is not None and meant != key and meant not in section:
                message = f"{visible_text(key)} is not read: the key of {program} is {meant}."
                path = (name, key)
                yield Problem(
                    (key_path_text(path),),
                    message,
                    "Correct the key.",
                    "amber",
                    document.line(path),
                    kind="unread-key",
                )


# --- Matrices


def _matrices(value: Any, path: KeyPath) -> Iterator[_Matrix]:
    """Yield the matrices of a document that have the shape of a pose, in their order."""
    if isinstance(value, list):
        for i, item in enumerate(cast("list[Any]", value)):
            if isinstance(item, dict):
                yield from _matrices(item, (*path, i))
    elif isinstance(value, Mapping) and not is_matrix(value):
        yield from _matrices_of_section(cast("Mapping[str, Any]", value), path)


def _matrices_of_section(mapping: Mapping[str, Any], path: KeyPath) -> Iterator[_Matrix]:
    for key, item in mapping.items():
        if _NO_POSE.search(key.rpartition(".")[2]):
            continue
        numbers = _numbers(item)
        if numbers is None:
            yield from _matrices(item, (*path, key))
        elif numbers.shape in ((3, 4), (4, 4)) or (numbers.shape[0] == 1 and numbers.size in (12, 16)):
            yield _Matrix(numbers.reshape(-1, 4), ((*path, key),))
        elif numbers.size == 9:
            other = _position_key(key, mapping)
            if other:
                M = np.hstack([numbers.reshape(3, 3), cast("Array", _numbers(mapping[other])).reshape(3, 1)])
                yield _Matrix(M, ((*path, key), (*path, other)))


def _position_key(key: str, mapping: Mapping[str, Any]) -> str:
    """Return the key of three numbers that belong to a rotation; empty without one."""
    match = _ROTATION.match(key)
    words = () if match is None else _POSITIONS.get(match["word"], ())
    names = (f"{match['before']}{word}{match['behind']}" for word in words) if match is not None else ()
    return next(
        (name for name in names if (numbers := _numbers(mapping.get(name))) is not None and numbers.size == 3), ""
    )


def _numbers(value: Any) -> Array | None:
    """Return the matrix of a value: a mapping with rows, columns and data, rows of numbers, or numbers in a row."""
    if is_matrix(value):
        mapping = cast("Mapping[str, Any]", value)
        n_rows, n_columns, flat = mapping["rows"], mapping["cols"], _numbers(mapping["data"])
        if flat is None or not isinstance(n_rows, int) or not isinstance(n_columns, int):
            return None
        return flat.reshape(n_rows, n_columns) if n_rows * n_columns == flat.size else None
    if not isinstance(value, list):
        return None
    items = cast("list[Any]", value)
    if not 0 < len(items) <= 16:
        return None
    if all(isinstance(item, list) for item in items):
        rows = [_numbers(item) for item in items]
        width = {0 if row is None else row.size for row in rows}
        if len(width) != 1 or width == {0}:
            return None
        return np.vstack([row.reshape(1, -1) for row in rows if row is not None])
    if not all(isinstance(item, int | float) and not isinstance(item, bool) for item in items):
        return None
    return np.array(items, dtype=float).reshape(1, -1)


# --- Replacing


def patch_unread(text: str, edges: Sequence[Edge], name: str = "the file") -> str:
    """Return the text of a file with the numbers of poses replaced that no reader of its dialect has.

    Raises
    ------
    CalibrationError
        When the text has no such entry.
    """
    for edge in edges:
        document = read_storage(text, name)
        matrix = next((matrix for matrix in _matrices(document.data, ()) if matrix.entry == edge.entry), None)
        if matrix is None:
            raise CalibrationError(f"{edge.entry}: the file has no such matrix.")
        X = edge.X_file
        parts = [X.to_matrix().ravel()] if len(matrix.paths) == 1 else [X.R_AB.ravel(), X.p_AB]
        for path, part in zip(matrix.paths, parts, strict=True):
            text = _replaced(text, document, path, part.tolist()[: matrix.M.size], edge.entry)
    return text


def _replaced(text: str, document: StoredText, path: KeyPath, values: list[float], entry: str) -> str:
    value: Any = document.data
    for key in path:
        value = value[key]
    if all(isinstance(key, str) for key in path):
        return replace_entry(text, path, values)
    is_mapping = isinstance(value, Mapping)
    inner: KeyPath = (*path, "data") if is_mapping else path
    numbers: Any = cast("Mapping[str, Any]", value)["data"] if is_mapping else value
    return replace_scalars(text, list(zip(scalar_paths(numbers, inner), values, strict=False)), entry)
