"""Transforms of ROS in YAML: TransformStamped, one, several or a list, and the messages of ``/tf`` and ``/tf_static``.

A transform takes points of the child to the parent: it is the pose of `child_frame_id` in `header.frame_id`.

References
----------
geometry_msgs/TransformStamped, tf2_msgs/TFMessage.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from framescope.core.errors import KeyPath, Problem
from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Calibration, CalibrationError, Edge, PoseList, Turn
from framescope.features.calibrations.core.dialect import Dialect, Source
from framescope.features.calibrations.core.length_checks import length_problems
from framescope.features.calibrations.core.numbers_in_text import number_text
from framescope.features.calibrations.core.pose_numbers import (
    check_pair,
    frame_name,
    pose_of_quaternion,
    quaternion_of,
    rounded,
)
from framescope.features.calibrations.core.yaml_texts import floats, read_yaml, replace_scalars

MAX_DOCUMENTS = 20_000
"""Largest number of documents of a file, as many as messages of a long echo."""

MAX_TRANSFORMS = 100_000
"""Largest number of transforms of a file."""

_MARKS = tuple(re.compile(rb"\b" + key + rb"[\"']?[ \t]*:") for key in (b"child_frame_id", b"translation", b"rotation"))
_BREAK = re.compile(r"^(?:---|\.\.\.)[ \t]*$\n?", re.MULTILINE)


def is_transforms(head: bytes) -> bool:
    """Return whether a text has a transform with its child, translation and rotation."""
    return b"\0" not in head and head.lstrip()[:1] != b"<" and all(mark.search(head) for mark in _MARKS)


@dataclass(frozen=True)
class _Chunk:
    """Document of a text: its offset, its number, and the key paths of its transforms."""

    start: int
    end: int
    number: int

    def entry(self, path: KeyPath) -> str:
        """Return the place of a transform, such as ``"document 2, transforms[0]"``."""
        place = "".join(f"[{part}]" if isinstance(part, int) else str(part) for part in path)
        return ", ".join(filter(None, (f"document {self.number}" if self.number else "", place))) or "transform"


def _chunks(text: str) -> list[_Chunk]:
    """Return the documents of a text that hold something; the first has the number 1 if there are several."""
    breaks = [(match.start(), match.end()) for match in _BREAK.finditer(text)]
    if len(breaks) > MAX_DOCUMENTS:
        raise CalibrationError(f"the file has more than {MAX_DOCUMENTS:,} documents.")
    starts, ends = [0, *(end for _, end in breaks)], [*(start for start, _ in breaks), len(text)]
    spans = [(start, end) for start, end in zip(starts, ends, strict=True) if _holds_keys(text[start:end])]
    return [_Chunk(start, end, i if len(spans) > 1 else 0) for i, (start, end) in enumerate(spans, start=1)]


def _holds_keys(text: str) -> bool:
    return any(line.strip() and not line.lstrip().startswith("#") for line in text.split("\n"))


def _transforms(data: Any) -> Iterator[tuple[KeyPath, Mapping[str, Any]]]:
    """Yield the transforms of a document with their key paths."""
    if isinstance(data, list):
        for i, item in enumerate(cast("list[Any]", data)):
            yield from (((i, *path), found) for path, found in _transforms(item))
    elif isinstance(data, dict):
        mapping = cast("dict[str, Any]", data)
        if "child_frame_id" in mapping and "transform" in mapping:
            yield (), mapping
        elif isinstance(mapping.get("transforms"), list):
            yield from ((("transforms", *path), found) for path, found in _transforms(mapping["transforms"]))


def read(source: Source) -> Calibration:
    """Return the transforms of a file: a pose for each pair of frames, or poses over time of a pair that moves."""
    text = source.text
    edges: dict[tuple[str, str], list[Edge]] = {}
    times: dict[tuple[str, str], list[float]] = {}
    problems: list[Problem] = []
    n = 0
    for chunk in _chunks(text):
        name = f"{source.name}, document {chunk.number}" if chunk.number else source.name
        for path, item in _transforms(read_yaml(text[chunk.start : chunk.end], name).data):
            n += 1
            if n > MAX_TRANSFORMS:
                raise CalibrationError(f"{source.name} has more than {MAX_TRANSFORMS:,} transforms.")
            edge, faults, t = _edge(item, chunk.entry(path))
            pair = (edge.parent, edge.child)
            edges.setdefault(pair, []).append(edge)
            times.setdefault(pair, []).append(t)
            problems += faults if len(edges[pair]) == 1 else ()
    if not edges:
        raise CalibrationError(f"{source.name}: expected header.frame_id, child_frame_id and transform.")
    fixed: list[Edge] = []
    moving: list[PoseList] = []
    for pair, series in edges.items():
        if all(_is_same(edge, series[0]) for edge in series):
            fixed.append(series[0])
        else:
            R, p = (np.stack([getattr(edge.X_file, part) for edge in series]) for part in ("R_AB", "p_AB"))
            stamps = np.array(times[pair])
            is_timed = bool(np.isfinite(stamps).all() and (np.diff(stamps) > 0.0).all())
            moving.append(PoseList(*pair, Transform(R, p), times=stamps if is_timed else None))
    problems += length_problems(fixed)
    return Calibration("transforms", tuple(fixed), pose_lists=tuple(moving), problems=tuple(problems))


def _is_same(a: Edge, b: Edge) -> bool:
    return bool((a.X_file.R_AB == b.X_file.R_AB).all() and (a.X_file.p_AB == b.X_file.p_AB).all())


def _edge(item: Mapping[str, Any], entry: str) -> tuple[Edge, tuple[Problem, ...], float]:
    header = item.get("header", item)
    parent = frame_name(_part(header, "frame_id", entry), f"{entry}: header.frame_id")
    child = frame_name(item["child_frame_id"], f"{entry}: child_frame_id")
    check_pair(parent, child, entry)
    translation, rotation = (_part(item["transform"], key, entry) for key in ("translation", "rotation"))
    p = [_number(translation, key, f"{entry}: translation") for key in "xyz"]
    q = [_number(rotation, key, f"{entry}: rotation") for key in "xyzw"]
    X, problems = pose_of_quaternion(q, p, entry)
    return Edge(parent, child, X, entry, turn=Turn("quaternion", tuple(q), "xyzw")), problems, _stamp(header)


def _part(value: Any, key: str, entry: str) -> Any:
    if not isinstance(value, dict) or key not in value:
        raise CalibrationError(f"{entry}: expected {key}.")
    return cast("dict[str, Any]", value)[key]


def _number(value: Any, key: str, entry: str) -> float:
    return floats(_part(value, key, entry), 1, f"{entry}.{key}")[0]


def _stamp(header: Any) -> float:
    """Return the time of a header, s; NaN without one."""
    stamp: Any = cast("dict[str, Any]", header).get("stamp") if isinstance(header, dict) else None
    if not isinstance(stamp, dict):
        return float("nan")
    parts = cast("dict[str, Any]", stamp)
    s, ns = parts.get("sec", parts.get("secs")), parts.get("nanosec", parts.get("nsecs"))
    if not (isinstance(s, int | float) and isinstance(ns, int | float)):
        return float("nan")
    return float(s) + 1e-9 * float(ns)


# --- Writing


def write(calibration: Calibration) -> str:
    """Return a message of transforms, as ``ros2 topic echo /tf_static`` prints it, with directions as comments.

    Raises
    ------
    CalibrationError
        When there is no fixed pose.
    """
    if not calibration.edges:
        raise CalibrationError("a list of transforms needs fixed poses, and there are none.")
    lines = ["transforms:"]
    for edge in calibration.edges:
        X = edge.X_PC
        lines += [
            f"# The pose of {edge.child} in {edge.parent}: takes points of {edge.child} to {edge.parent}.",
            "- header:",
            f"    frame_id: {quoted(edge.parent)}",
            f"  child_frame_id: {quoted(edge.child)}",
            "  transform:",
            "    translation:",
            *(f"      {key}: {number_text(value)}" for key, value in zip("xyz", rounded(X.p_AB), strict=True)),
            "    rotation:",
            *(
                f"      {key}: {number_text(value)}"
                for key, value in zip("xyzw", quaternion_of(X, edge.entry), strict=True)
            ),
        ]
    return "\n".join([*lines, ""])


def quoted(name: str) -> str:
    r"""Return a text in YAML's double quotes.

    >>> print(quoted('left "a"'))
    "left \"a\""
    """
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def patch(text: str, edges: tuple[Edge, ...]) -> str:
    """Return the text of a file with the numbers of some edges replaced."""
    for edge in edges:
        text = _patched(text, edge)
    return text


def _patched(text: str, edge: Edge) -> str:
    for chunk in _chunks(text):
        part = text[chunk.start : chunk.end]
        for path, item in _transforms(read_yaml(part, "the file").data):
            if chunk.entry(path) != edge.entry:
                continue
            old = [_number(item["transform"]["rotation"], key, edge.entry) for key in "xyzw"]
            X = edge.X_file
            turn = zip("xyzw", quaternion_of(X, edge.entry, old), strict=True)
            changes: list[tuple[KeyPath, float]] = [
                *(((*path, "transform", "translation", k), v) for k, v in zip("xyz", rounded(X.p_AB), strict=True)),
                *(((*path, "transform", "rotation", k), v) for k, v in turn),
            ]
            return text[: chunk.start] + replace_scalars(part, changes, edge.entry) + text[chunk.end :]
    raise CalibrationError(f"{edge.entry}: the file has no such transform.")


EXAMPLE = """\
transforms:
- header:
    frame_id: base_link
  child_frame_id: lidar
  transform:
    translation: {x: 0.25, y: 0.0, z: 1.5}
    rotation: {x: 0.0, y: 0.0, z: 0.6, w: 0.8}
"""

TRANSFORMS = Dialect(
    "transforms",
    "transforms of ROS (TransformStamped)",
    (".yaml", ".yml"),
    is_transforms,
    read,
    (("transform", "takes points of child_frame_id to header.frame_id"),),
    EXAMPLE,
    write,
    patch,
)
